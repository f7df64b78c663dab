package playbook_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// served is a kill of a server of llama.cpp's in a container's group.
func served(comm string, anon int64) *oomdoc.KernelReport {
	report := hostReport()
	report.Kills[0].Comm, report.Kills[0].AnonRSS = comm, new(anon)
	report.Summary.Task, report.Tasks[1].Name = comm, comm
	return report
}

// TestAServersOwnCacheComesBeforeMoreMemory is row 11 of knowledge playbook.md
// section 7: a server that grows by the prompt until it is killed.
func TestAServersOwnCacheComesBeforeMoreMemory(t *testing.T) {
	for _, c := range []struct {
		name    string
		comm    string
		anon    int64
		cmdline []string
		says    string // "" is not proposed
	}{
		{"ollama", "ollama", 9 * gib, nil, "LLAMA_ARG_CACHE_RAM=512"},
		{"llama-server", "llama-server", 9 * gib, nil, "--cache-ram 512"},
		{"it is bound already", "llama-server", 9 * gib, []string{"llama-server", "--cache-ram", "512"}, ""},
		{"it is small", "llama-server", gib, nil, ""},
		{"another program", "postgres", 9 * gib, nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			facts := oomdoc.Facts{Processes: map[int]oomdoc.ProcessFacts{100: {PID: 100, Comm: c.comm, Cmdline: c.cmdline}}}
			found := fixes(t, served(c.comm, c.anon), facts)
			fix := titled(found, "fix.cap-cache")
			if (fix != nil) != (c.says != "") {
				t.Fatalf("proposed: %t", fix != nil)
			}
			if fix == nil {
				return
			}
			if all, _ := texts(*fix); fix != &found[0] || fix.Number != 8 || !strings.Contains(strings.Join(all, "\n"), c.says) {
				t.Errorf("no %q first: %q", c.says, all)
			}
		})
	}
}

// TestUnderWSLTheLimitIsASettingOnWindows is row 46, as the kernel tells of it.
func TestUnderWSLTheLimitIsASettingOnWindows(t *testing.T) {
	report := hostReport()
	report.KernelVersion = "5.15.153.1-microsoft-standard-WSL2"
	found := fixes(t, report, oomdoc.Facts{})
	all, _ := texts(found[0])
	if text := strings.Join(all, "\n"); found[0].Title.Key != "fix.wsl-memory" || !strings.Contains(text, ".wslconfig") || !strings.Contains(text, "memory=24GB") {
		t.Errorf("%s first: %q", found[0].Title.Key, all)
	}
	if titled(fixes(t, hostReport(), oomdoc.Facts{}), "fix.wsl-memory") != nil {
		t.Error("proposed on a machine that is none of Windows'")
	}
}
