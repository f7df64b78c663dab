package playbook_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/playbook"
)

// killerFixes gives the fixes of a killer's decision, in English: for each its
// title and its steps, a line each.
func killerFixes(t *testing.T, kill oomdoc.UserKill, facts oomdoc.Facts) (fixes []oomdoc.Fix, text string) {
	t.Helper()
	event := oomdoc.Event{ID: "0123456789", Kind: oomdoc.EventUserKill, UserKill: &kill}
	incidents := classify.NewJoiner(classify.Options{}).Add(event, facts)
	if len(incidents) != 1 {
		t.Fatalf("got %d incidents, want 1", len(incidents))
	}
	playbook.AttachUserKill(&incidents[0], &kill, facts)
	language, err := lang.New(lang.English)
	if err != nil {
		t.Fatal(err)
	}
	said := language.Render(incidents[0])
	var lines []string
	for _, fix := range said.Fixes {
		if fix.Number != 8 || fix.Slug != "host" || len(fix.Steps) == 0 {
			t.Errorf("got fix %d %s with %d steps", fix.Number, fix.Slug, len(fix.Steps))
		}
		lines = append(lines, fix.Title.Text, fix.Why.Text)
		for _, step := range fix.Steps {
			lines = append(lines, step.Text)
		}
	}
	text = strings.Join(lines, "\n")
	if strings.Contains(text, "?}") || strings.Contains(text, "[") && strings.Contains(text, "?]") {
		t.Errorf("a sentence is not whole:\n%s", text)
	}
	return said.Fixes, text
}

// decisions are one of each killer, with the words that its fixes must have.
func decisions() map[string]struct {
	kill  oomdoc.UserKill
	words []string
} {
	pressure := func(cgroup, monitored string) oomdoc.UserKill {
		return oomdoc.UserKill{
			Killer: oomdoc.KillerSystemdOomd, Reason: oomdoc.ReasonPressure, Cgroup: cgroup, Monitored: monitored,
			Pressure: new(51.07), PressureLimit: new(50.0), Line: "Killed",
		}
	}
	return map[string]struct {
		kill  oomdoc.UserKill
		words []string
	}{
		"systemd-oomd, a system unit": {
			pressure("/system.slice/a.service", "/system.slice"), []string{
				"sudo systemctl set-property system.slice ManagedOOMMemoryPressureLimit=70%",
				"sudo systemctl set-property a.service ManagedOOMPreference=avoid",
			},
		},
		"systemd-oomd, a user's unit": {
			pressure("/user.slice/user-1000.slice/user@1000.service/app.slice/a.service", "/user.slice/user-1000.slice/user@1000.service"), []string{
				"sudo systemctl set-property user@1000.service ManagedOOMMemoryPressureLimit=70%",
				"systemctl --user set-property a.service ManagedOOMPreference=avoid",
			},
		},
		"systemd-oomd, the whole machine": {
			pressure("/system.slice/a.service", "/"), []string{"DefaultMemoryPressureLimit=70%%", "sudo systemctl restart systemd-oomd"},
		},
		"systemd-oomd, a scope that is gone": {
			pressure("/user.slice/user-1000.slice/user@1000.service/app.slice/x-1.scope", "/"), []string{"with the setting ManagedOOMPreference=avoid"},
		},
		"systemd-oomd, swap": {
			oomdoc.UserKill{
				Killer: oomdoc.KillerSystemdOomd, Reason: oomdoc.ReasonSwap, Cgroup: "/system.slice/a.service", Line: "Killed",
				SwapUsed: new(1900 * mib), SwapTotal: new(2048 * mib), SwapLimit: new(90.0),
			}, []string{"fallocate -l 2G /swapfile-oomdoc"},
		},
		"earlyoom": {
			oomdoc.UserKill{
				Killer: oomdoc.KillerEarlyoom, Reason: oomdoc.ReasonAvailable, PID: 7, Comm: new("ninja"), MemLimit: new(10.0), SwapLimit: new(10.0), Line: "sending",
			}, []string{"-m 5,2 -s 5,2", "--avoid '^ninja$'", "sudo systemctl restart earlyoom"},
		},
		"nohang": {
			oomdoc.UserKill{
				Killer: oomdoc.KillerNohang, Reason: oomdoc.ReasonAvailable, PID: 7, Comm: new("tail"), MemAvailable: new(mib), MemLimit: new(8.0), Line: "Sending",
			}, []string{"soft_threshold_min_mem = 4 %", "@BADNESS_ADJ_RE_NAME -200 /// ^tail$"},
		},
		"oomd": {
			oomdoc.UserKill{Killer: oomdoc.KillerOomd, Reason: oomdoc.ReasonRule, Cgroup: "/w/x", Rule: "protect", Line: "oomd kill"},
			[]string{"protect", "trusted.oomd_avoid"},
		},
		"kubelet": {
			oomdoc.UserKill{
				Killer: oomdoc.KillerKubelet, Reason: oomdoc.ReasonAvailable, Pod: "cart-x", Namespace: "shop", Container: "cart",
				Using: new(1871 * mib), Request: new(256 * mib), Line: "evicted",
			}, []string{"resources.requests.memory of container cart to 2Gi", "kubectl top pod --containers -n shop cart-x", "evictionHard"},
		},
		"ray": {
			oomdoc.UserKill{
				Killer: oomdoc.KillerRay, Reason: oomdoc.ReasonUsage, PID: 9, Task: "t", RSS: new(int64(25 << 30)),
				MemUsed: new(int64(33 << 30)), MemTotal: new(int64(34 << 30)), MemLimit: new(95.0), Line: "Memory",
			}, []string{"@ray.remote(memory=28 * 1024**3)", "RAY_memory_usage_threshold=0.97"},
		},
	}
}

func TestEachKillersFixesChangeThatKiller(t *testing.T) {
	for name, test := range decisions() {
		t.Run(name, func(t *testing.T) {
			_, text := killerFixes(t, test.kill, oomdoc.Facts{})
			for _, word := range test.words {
				if !strings.Contains(text, word) {
					t.Errorf("no %q in\n%s", word, text)
				}
			}
		})
	}
}

// A killer acts before the kernel has to, and better: no fix does away with it.
func TestNoFixDisablesAKiller(t *testing.T) {
	for name, test := range decisions() {
		_, text := killerFixes(t, test.kill, oomdoc.Facts{SwapBytes: new(int64(0)), RAMBytes: 16 << 30})
		for _, word := range []string{"disable", "systemctl stop", "systemctl mask", "=omit", "remove", "refresh_ms=0", "swapoff"} {
			if strings.Contains(strings.ToLower(text), word) {
				t.Errorf("%s: %q in\n%s", name, word, text)
			}
		}
	}
}

// A name that means more than itself in a shell or a regular expression does not
// come into a command.
func TestAHostileNameComesIntoNoOption(t *testing.T) {
	for _, comm := range []string{"a'; rm -rf ~", "x.*", "$(id)", "", "-rf", "a\nb"} {
		_, text := killerFixes(t, oomdoc.UserKill{
			Killer: oomdoc.KillerEarlyoom, Reason: oomdoc.ReasonAvailable, PID: 7, Comm: new(comm), MemLimit: new(10.0), SwapLimit: new(10.0), Line: "sending",
		}, oomdoc.Facts{})
		if strings.Contains(text, "--avoid") {
			t.Errorf("%q is in an option:\n%s", comm, text)
		}
	}
	_, text := killerFixes(t, oomdoc.UserKill{
		Killer: oomdoc.KillerKubelet, Reason: oomdoc.ReasonAvailable, Pod: "-x;id", Namespace: "a b", Using: new(mib), Line: "evicted",
	}, oomdoc.Facts{})
	if !strings.Contains(text, "-n 'a b' -- '-x;id'") {
		t.Errorf("a pod's name is not quoted:\n%s", text)
	}
}

func TestAManagersWordHasNoFix(t *testing.T) {
	fixes, _ := killerFixes(t, oomdoc.UserKill{
		Killer: oomdoc.KillerKernel, Told: true, Teller: "systemd", Unit: "a.service", Line: "a.service: A process",
	}, oomdoc.Facts{})
	if len(fixes) != 0 {
		t.Errorf("got %d fixes for a kill of which nothing is known", len(fixes))
	}
}
