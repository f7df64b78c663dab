package packaging_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	messageID    = regexp.MustCompile(`Message\w+ += "([0-9a-f]{32})"`)
	catalogEntry = regexp.MustCompile(`(?m)^-- ([0-9a-f]{32})$`)
	substitution = regexp.MustCompile(`@([A-Z_]+)@`)
)

// entries parts a catalog into its texts by message id.
func entries(t *testing.T, path string) map[string]string {
	t.Helper()
	text := read(t, path)
	found := catalogEntry.FindAllStringSubmatchIndex(text, -1)
	texts := make(map[string]string)
	for i, at := range found {
		end := len(text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		texts[text[at[2]:at[3]]] = text[at[1]:end]
	}
	return texts
}

// Every kind of alert is explained in both languages, with the same fields.
func TestCatalogExplainsEveryMessage(t *testing.T) {
	english, korean := entries(t, "catalog/oomdoc.catalog"), entries(t, "catalog/oomdoc.ko.catalog")
	ids := messageID.FindAllStringSubmatch(read(t, "../systemd/kind.go"), -1)
	if len(ids) < 8 {
		t.Fatalf("found %d message ids in systemd/kind.go, want all", len(ids))
	}
	for _, id := range ids {
		fields := func(text string) []string {
			var names []string
			for _, match := range substitution.FindAllStringSubmatch(text, -1) {
				names = append(names, match[1])
			}
			slices.Sort(names)
			return names
		}
		if english[id[1]] == "" || korean[id[1]] == "" {
			t.Errorf("message %s is not explained in both languages", id[1])
		} else if en, ko := fields(english[id[1]]), fields(korean[id[1]]); !slices.Equal(en, ko) {
			t.Errorf("message %s shows %v in English, %v in Korean", id[1], en, ko)
		}
	}
	if len(english) != len(ids) || len(korean) != len(ids) {
		t.Errorf("the catalogs explain %d and %d messages, there are %d", len(english), len(korean), len(ids))
	}
}

// journalctl prints the name of a field that an entry lacks, so only those may
// be shown that every entry has; TestEveryAlertHasWhatTheCatalogShows of
// package systemd looks at the entries.
func TestCatalogShowsOnlyFieldsThatAreAlwaysThere(t *testing.T) {
	always := []string{"OOMDOC_ID", "OOMDOC_STEP", "OOMDOC_CAUSE", "OOMDOC_CONFIDENCE", "OOMDOC_COUNT"}
	for _, path := range []string{"catalog/oomdoc.catalog", "catalog/oomdoc.ko.catalog"} {
		for _, match := range substitution.FindAllStringSubmatch(read(t, path), -1) {
			if !slices.Contains(always, match[1]) {
				t.Errorf("%s shows %s", path, match[1])
			}
		}
	}
}

// journalctl itself reads the catalogs.
func TestCatalogIsUnderstood(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "usr/lib/systemd/catalog")
	for _, dir := range []string{folder, filepath.Join(root, "var/lib/systemd/catalog")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"oomdoc.catalog", "oomdoc.ko.catalog"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(read(t, "catalog/"+name)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	journalctl := func(args ...string) string {
		command := exec.Command("journalctl", append([]string{"--root=" + root, "--no-pager"}, args...)...)
		command.Env = append(os.Environ(), "LC_ALL=C")
		output, err := command.CombinedOutput()
		if err != nil {
			t.Fatalf("journalctl %v: %v\n%s", args, err, output)
		}
		return string(output)
	}
	if output := journalctl("--update-catalog"); output != "" {
		t.Errorf("journalctl --update-catalog said:\n%s", output)
	}
	const id = "2d1d4fa3946749838698d339b18c3113"
	if output := journalctl("--list-catalog", id); !strings.Contains(output, "A memory limit was reached") {
		t.Errorf("the catalog lists %q", output)
	}
}
