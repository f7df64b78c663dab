package packaging_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages are the manual pages.
func pages(t *testing.T) []string {
	t.Helper()
	paths, err := filepath.Glob("man/*.[1-9]")
	if err != nil || len(paths) != 4 {
		t.Fatalf("found the pages %v (%v), want 4", paths, err)
	}
	return paths
}

// mandoc finds no error and no warning; its matters of style depend on which
// other pages are installed.
func TestManualPagesAreWellFormed(t *testing.T) {
	for _, path := range pages(t) {
		output, err := exec.Command("mandoc", "-Tlint", "-Wwarning", path).CombinedOutput()
		if err != nil || len(output) > 0 {
			t.Errorf("mandoc: %v\n%s", err, output)
		}
	}
}

// What --help says and what the page says are of the same commands and options.
func TestManualNamesEveryCommandAndOption(t *testing.T) {
	oomdoc := binary(t)
	help := func(args ...string) string {
		output, err := exec.Command(oomdoc, append(args, "--help", "--lang", "en")...).Output()
		if err != nil {
			t.Fatalf("%v --help: %v", args, err)
		}
		return string(output)
	}
	page := read(t, "man/oomdoc.1")
	_, list, found := strings.Cut(help(), "Available Commands:\n")
	list, _, _ = strings.Cut(list, "\n\n")
	commands := regexp.MustCompile(`(?m)^  (\w+) `).FindAllStringSubmatch(list, -1)
	if !found || len(commands) < 8 {
		t.Fatalf("--help names the commands %v", commands)
	}
	known := make(map[string]bool)
	for _, command := range commands {
		known[command[1]] = true
		if !regexp.MustCompile(`(?m)^\.It Cm ` + command[1] + `( |$)`).MatchString(page) {
			t.Errorf("oomdoc(1) does not describe the command %s", command[1])
		}
		for _, option := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(flags(help(command[1])), -1) {
			if !regexp.MustCompile(`(?m)^\.It .*Fl -` + option[1] + `( |$)`).MatchString(page) {
				t.Errorf("oomdoc(1) does not describe --%s of %s", option[1], command[1])
			}
		}
	}
	_, section, _ := strings.Cut(page, ".Sh COMMANDS\n")
	section, _, _ = strings.Cut(section, ".Sh ")
	for _, item := range regexp.MustCompile(`(?m)^\.It Cm (\w+)`).FindAllStringSubmatch(section, -1) {
		if !known[item[1]] {
			t.Errorf("oomdoc(1) describes the command %s, which does not exist", item[1])
		}
	}
}

// flags are the lines of a help text that begin with an option.
func flags(help string) string {
	return strings.Join(regexp.MustCompile(`(?m)^ +(-\w, )?--[a-z-]+`).FindAllString(help, -1), "\n")
}

// oomdoc-fixes(7) explains every cause that a verdict can have.
func TestManualExplainsEveryCause(t *testing.T) {
	page := read(t, "man/oomdoc-fixes.7")
	causes := regexp.MustCompile(`(?m)^\tCause\w+ +(?:Cause )?= "([a-z-]+)"`).FindAllStringSubmatch(read(t, "../incident.go"), -1)
	if len(causes) < 10 {
		t.Fatalf("found the causes %v in incident.go, want all", causes)
	}
	for _, cause := range causes {
		if !strings.Contains(page, "\n.It Cm "+cause[1]+"\n") {
			t.Errorf("oomdoc-fixes(7) does not explain %s", cause[1])
		}
	}
}

// oomdoc-daemon(8) names the message ids, and no others.
func TestManualNamesTheMessageIDs(t *testing.T) {
	page := read(t, "man/oomdoc-daemon.8")
	ids := messageID.FindAllStringSubmatch(read(t, "../systemd/kind.go"), -1)
	for _, id := range ids {
		if !strings.Contains(page, "\n.It "+id[1]+"\n") {
			t.Errorf("oomdoc-daemon(8) does not name %s", id[1])
		}
	}
	if named := regexp.MustCompile(`(?m)^\.It [0-9a-f]{32}$`).FindAllString(page, -1); len(named) != len(ids) || len(ids) == 0 {
		t.Errorf("oomdoc-daemon(8) names %d message ids, there are %d", len(named), len(ids))
	}
}
