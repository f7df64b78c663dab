package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Every machine must be readable with its scenarios, or a mistake in one shows
// only after the others have run.
func TestMachinesAreReadable(t *testing.T) {
	machines, err := loadMachines("machines", "scenarios", nil)
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	for _, m := range machines {
		if _, err := os.Stat(filepath.Join("images", m.image+".conf")); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		if m.scenarios[0].name != firstScenario {
			t.Errorf("%s begins with %s, want %s", m.name, m.scenarios[0].name, firstScenario)
		}
		for _, s := range m.scenarios {
			used[s.name] = true
		}
	}
	scripts, _ := filepath.Glob("scenarios/*.sh")
	for _, script := range scripts {
		if name := strings.TrimSuffix(filepath.Base(script), ".sh"); !used[name] {
			t.Errorf("no machine runs the scenario %s", name)
		}
	}
}

func TestWantedMachines(t *testing.T) {
	machines, err := loadMachines("machines", "scenarios", []string{"small:survive"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range machines[0].scenarios {
		names = append(names, s.name)
	}
	if want := []string{"install", "survive"}; len(machines) != 1 || !slices.Equal(names, want) {
		t.Errorf("scenarios=%v of %d machines, want %v of 1", names, len(machines), want)
	}
	for _, wrong := range []string{"tiny", "small:nothing"} {
		if _, err := loadMachines("machines", "scenarios", []string{wrong}); err == nil {
			t.Errorf("%q is no error", wrong)
		}
	}
}

func TestMachineFileIsStrict(t *testing.T) {
	for name, text := range map[string]string{
		"unknown key":  "image = debian12\nscenarios = install\nmemmory = 5\n",
		"no number":    "image = debian12\nscenarios = install\nmemory = much\n",
		"no image":     "scenarios = install\n",
		"no scenarios": "image = debian12\n",
		"no value":     "image\n",
	} {
		path := filepath.Join(t.TempDir(), "x.conf")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := loadMachine(path, "scenarios"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What a guest says decides, and what it does not say must not pass.
func TestListen(t *testing.T) {
	two := []scenario{{"one", time.Minute}, {"two", time.Minute}}
	tests := []struct {
		name, lines string
		done        int
		cut         bool
		failures    int
		fails       bool
	}{
		{"all pass", "boot x\nbegin one\nok a\nend one 0\nbegin two\nok b\nend two 0", 2, false, 0, false},
		{"a check fails", "boot x\nbegin one\nnot a\nend one 0\nbegin two\nok b\nend two 0", 2, false, 1, false},
		{"a script breaks", "boot x\nbegin one\nok a\nend one 1\nbegin two\nok b\nend two 0", 2, false, 1, false},
		{"a script checks nothing", "boot x\nbegin one\nend one 0\nbegin two\nok b\nend two 0", 2, false, 1, false},
		{"the machine goes down", "boot x\nbegin one\nok a", 1, false, 1, false},
		{"it goes down between two", "boot x\nbegin one\nok a\nend one 0", 1, false, 0, true},
		{"it never comes up", "noise", 0, false, 0, true},
		{"the power is cut", "boot x\nbegin one\nok a\ncut", 0, true, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lines := make(chan string, 20)
			for line := range strings.SplitSeq(tt.lines, "\n") {
				lines <- line
			}
			close(lines)
			var output strings.Builder
			p := &printer{out: &output, start: time.Now()}
			b := &bench{machine: machine{name: "m"}, printer: p, patience: 1, folder: t.TempDir()}
			done, cut, err := b.listen(context.Background(), lines, two)
			failures := 0
			for _, tally := range p.tallies {
				failures += len(tally.failures)
			}
			if done != tt.done || cut != tt.cut || failures != tt.failures || (err != nil) != tt.fails {
				t.Errorf("done=%d cut=%t failures=%d err=%v, want %d %t %d %t\n%s", done, cut, failures, err, tt.done, tt.cut, tt.failures, tt.fails, output.String())
			}
		})
	}
}

func TestStuckMachineIsGivenUp(t *testing.T) {
	var output strings.Builder
	p := &printer{out: &output, start: time.Now()}
	b := &bench{machine: machine{name: "m"}, printer: p, patience: 0.001, folder: t.TempDir()}
	lines := make(chan string, 2)
	lines <- "boot x"
	lines <- "begin one"
	done, _, err := b.listen(context.Background(), lines, []scenario{{"one", time.Second}})
	if done != 1 || err != nil || len(p.tallies) != 1 || len(p.tallies[0].failures) != 1 {
		t.Errorf("done=%d err=%v tallies=%+v, want one failure", done, err, p.tallies)
	}
}

func TestGuestCannotSteerTheTerminal(t *testing.T) {
	if got, want := printable("a\x1b[2Jb\u009bc"), "a?[2Jb?c"; got != want {
		t.Errorf("printable=%q, want %q", got, want)
	}
}
