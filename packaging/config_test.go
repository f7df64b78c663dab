package packaging_test

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
)

// hidden is a key that stands in the default configuration behind a "#".
var hidden = regexp.MustCompile(`(?m)^#([a-z_]+ = .*)$`)

// knownKeys are all keys, as the error for an unknown one names them.
func knownKeys(t *testing.T) []string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "oomdoc.toml")
	if err := os.WriteFile(path, []byte("[nothing]\nx = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := daemon.LoadConfig(path, true, nil)
	_, list, found := strings.Cut(oomdoc.ErrorHint(err), "are ")
	if keys := strings.Split(list, ", "); found && len(keys) > 5 {
		return keys
	}
	t.Fatalf("the hint of an unknown key names no keys: %v", err)
	return nil
}

// shownKeys are the keys of the default configuration, hidden ones too.
func shownKeys(text string) map[string]bool {
	keys, table := make(map[string]bool), ""
	for line := range strings.Lines(hidden.ReplaceAllString(text, "$1")) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			table = strings.TrimSuffix(name, "]")
		} else if key, _, ok := strings.Cut(line, " = "); ok && !strings.HasPrefix(line, "#") {
			keys[table+"."+key] = true
		}
	}
	return keys
}

func TestDefaultConfigurationShowsEveryKey(t *testing.T) {
	shown := shownKeys(read(t, "oomdoc.toml"))
	known := knownKeys(t)
	for _, key := range known {
		if !shown[key] {
			t.Errorf("oomdoc.toml does not show %s", key)
		}
	}
	if len(shown) != len(known) {
		t.Errorf("oomdoc.toml shows %d keys, %d exist", len(shown), len(known))
	}
}

// As installed the file changes nothing, and neither does it with every "#"
// taken away: what it shows are the defaults.
func TestDefaultConfigurationChangesNothing(t *testing.T) {
	installed := read(t, "oomdoc.toml")
	for name, text := range map[string]string{"as installed": installed, "uncommented": hidden.ReplaceAllString(installed, "$1")} {
		path := filepath.Join(t.TempDir(), "oomdoc.toml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		config, err := daemon.LoadConfig(path, true, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if want := daemon.DefaultConfig(); !reflect.DeepEqual(config, want) {
			t.Errorf("%s: %+v, want the defaults %+v", name, config, want)
		}
	}
	if !strings.Contains(hidden.ReplaceAllString(installed, "$1"), "\npath = ") {
		t.Error("no key was uncommented")
	}
}

// oomdoc.toml(5) has an entry for every key, with its default.
func TestManualShowsEveryKey(t *testing.T) {
	page := read(t, "man/oomdoc.toml.5")
	for line := range strings.Lines(hidden.ReplaceAllString(read(t, "oomdoc.toml"), "$1")) {
		key, value, found := strings.Cut(strings.TrimSpace(line), " = ")
		if !found || strings.HasPrefix(line, "#") {
			continue
		}
		entry := ".It Cm " + key + " = " + strings.Trim(value, `"`) + "\n"
		if !strings.Contains(page, entry) {
			t.Errorf("oomdoc.toml(5) has no entry %q", entry)
		}
	}
}
