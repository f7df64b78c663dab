package classify_test

import (
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

// userKill is an event of a killer in user space in the boot of killEvent.
func userKill(kill oomdoc.UserKill) oomdoc.Event {
	return oomdoc.Event{
		ID: "earlyoom00", Kind: oomdoc.EventUserKill, Source: oomdoc.SourceJournal, BootID: "boot-a",
		Usec: 60_000_000, Final: true, UserKill: &kill,
	}
}

// earlyoomKill is a decision with its numbers.
func earlyoomKill() oomdoc.UserKill {
	return oomdoc.UserKill{
		Killer: oomdoc.KillerEarlyoom, Witness: oomdoc.WitnessProven, Reason: oomdoc.ReasonAvailable,
		PID: 7481, Comm: new("Web Content"), UID: new(1000), RSS: new(3 * gib), Signal: "SIGTERM",
		Cmdline:      "/usr/lib/firefox --api-key hunter2hunter2",
		MemAvailable: new(600 * mib), MemTotal: new(16 * gib), MemLimit: new(4.0),
		SwapFree: new(100 * mib), SwapTotal: new(2 * gib), SwapLimit: new(10.0),
		Line: "sending SIGTERM", LimitLine: "low memory!", StateLine: "mem avail:",
	}
}

// told is the service manager's word that the kernel killed.
func told(unit string) oomdoc.UserKill {
	return oomdoc.UserKill{
		Killer: oomdoc.KillerKernel, Told: true, Teller: "systemd", Witness: oomdoc.WitnessProven, Unit: unit,
		Line: unit + ": A process of this unit has been killed by the OOM killer.",
	}
}

func TestADecisionOfAKillerIsAPressureKillWithItsNumbers(t *testing.T) {
	inc := add(t, classify.NewJoiner(classify.Options{}), userKill(earlyoomKill()))
	if inc.Class != oomdoc.ClassHostRAM || inc.Cause != oomdoc.CausePressureKill || inc.Outcome != oomdoc.OutcomeKilled || inc.Killer != "earlyoom" {
		t.Errorf("got %s/%s, outcome %s, killer %s", inc.Class, inc.Cause, inc.Outcome, inc.Killer)
	}
	if inc.Confidence != oomdoc.Certain || len(inc.Missing) != 0 {
		t.Errorf("got %s, missing %v", inc.Confidence, inc.Missing)
	}
	p, m := or(inc.Process), or(inc.Memory)
	if p.PID != 7481 || or(p.Name) != "Web Content" || or(p.UID) != 1000 || len(inc.Victims) != 1 {
		t.Errorf("got process %+v, victims %v", p, inc.Victims)
	}
	if want := []string{"/usr/lib/firefox", "--api-key", "***"}; len(p.Cmdline) != 3 || p.Cmdline[2] != want[2] {
		t.Errorf("got command line %q, want %q", p.Cmdline, want)
	}
	if or(m.FreeBytes) != 600*mib || or(m.RSSBytes) != 3*gib || or(m.SwapTotalBytes) != 2*gib || or(m.SwapFreeBytes) != 100*mib {
		t.Errorf("got memory %+v", m)
	}
	for _, key := range []oomdoc.Key{"evidence.killer-state", "evidence.killer-limits", "evidence.killer-held"} {
		if !says(inc, key) {
			t.Errorf("no %s", key)
		}
	}
	checkSound(t, inc)
}

func TestAKillersWordCountsAsFarAsItsWriterIsKnown(t *testing.T) {
	bare := func(k *oomdoc.UserKill) {
		*k = oomdoc.UserKill{Killer: k.Killer, Witness: k.Witness, PID: k.PID, Comm: k.Comm, Line: k.Line}
	}
	for name, test := range map[string]struct {
		change func(*oomdoc.UserKill)
		want   oomdoc.Confidence
		lack   oomdoc.Key
	}{
		"journald names it":             {func(*oomdoc.UserKill) {}, oomdoc.Certain, ""},
		"a tag names it":                {func(k *oomdoc.UserKill) { k.Witness = oomdoc.WitnessNamed }, oomdoc.Likely, "missing.trust"},
		"nothing does, numbers agree":   {func(k *oomdoc.UserKill) { k.Witness = oomdoc.WitnessUnnamed }, oomdoc.Likely, "missing.killer-writer"},
		"nothing does, numbers do not":  {func(k *oomdoc.UserKill) { k.Witness, k.MemAvailable = oomdoc.WitnessUnnamed, new(8*gib) }, oomdoc.Possible, "missing.killer-writer"},
		"in the kernel's log":           {func(k *oomdoc.UserKill) { k.Witness = oomdoc.WitnessForgeable }, oomdoc.Possible, "missing.killer-forgeable"},
		"journald names it, no numbers": {bare, oomdoc.Possible, "missing.killer-why"},
	} {
		t.Run(name, func(t *testing.T) {
			kill := earlyoomKill()
			test.change(&kill)
			inc := add(t, classify.NewJoiner(classify.Options{}), userKill(kill))
			if inc.Confidence != test.want {
				t.Errorf("got %s, want %s", inc.Confidence, test.want)
			}
			if test.lack != "" && !lacks(inc, test.lack) {
				t.Errorf("%s is not named as missing: %v", test.lack, inc.Missing)
			}
			checkSound(t, inc)
		})
	}
}

// Every shape of a decision is told in whole sentences.
func TestEveryDecisionIsToldWhole(t *testing.T) {
	unit := oomdoc.UserKill{Killer: oomdoc.KillerSystemdOomd, Witness: oomdoc.WitnessProven, Cgroup: "/system.slice/a.service", Line: "Killed"}
	with := func(k oomdoc.UserKill, change func(*oomdoc.UserKill)) oomdoc.UserKill {
		change(&k)
		return k
	}
	for name, kill := range map[string]oomdoc.UserKill{
		"pressure": with(unit, func(k *oomdoc.UserKill) {
			k.Reason, k.Monitored, k.Pressure, k.PressureLimit, k.PressureFor = oomdoc.ReasonPressure, "/system.slice", new(61.0), new(60.0), time.Minute
		}),
		"pressure of 247": with(unit, func(k *oomdoc.UserKill) {
			k.Reason, k.Monitored, k.PressureLimit, k.PressureFor = oomdoc.ReasonPressure, "/system.slice", new(60.0), time.Minute
		}),
		"swap": with(unit, func(k *oomdoc.UserKill) {
			k.Reason, k.SwapUsed, k.SwapTotal, k.SwapLimit = oomdoc.ReasonSwap, new(gib), new(gib), new(90.0)
		}),
		"memory and swap": with(unit, func(k *oomdoc.UserKill) {
			k.Reason, k.SwapUsed, k.SwapTotal, k.SwapLimit = oomdoc.ReasonSwap, new(gib), new(gib), new(90.0)
			k.MemUsed, k.MemTotal, k.MemLimit = new(gib), new(gib), new(90.0)
		}),
		"rule":         with(unit, func(k *oomdoc.UserKill) { k.Reason, k.Rule, k.Action, k.RSS = oomdoc.ReasonRule, "r", "kill", new(gib) }),
		"unit alone":   {Killer: oomdoc.KillerSystemdOomd, Witness: oomdoc.WitnessProven, Unit: "a.service", Processes: new(3), UnitLine: "a.service: systemd-oomd killed"},
		"unit, some":   {Killer: oomdoc.KillerSystemdOomd, Witness: oomdoc.WitnessProven, UserUnit: "a.service", UnitLine: "a.service: systemd-oomd killed"},
		"who unknown":  {Killer: oomdoc.KillerNohang, Reason: oomdoc.ReasonAvailable, MemAvailable: new(mib), MemLimitBytes: new(gib), Line: "Sending"},
		"psi":          {Killer: oomdoc.KillerNohang, Reason: oomdoc.ReasonPressure, PID: 1, Comm: new(""), Pressure: new(80.0), PressureLimit: new(60.0), Line: "Sending"},
		"minimum":      {Killer: oomdoc.KillerEarlyoom, Reason: oomdoc.ReasonAvailable, PID: 2, Comm: new("x"), MemAvailable: new(mib), MemLimitBytes: new(gib), Line: "Killing"},
		"no swap":      {Killer: oomdoc.KillerEarlyoom, Reason: oomdoc.ReasonAvailable, PID: 2, Comm: new("x"), MemAvailable: new(mib), MemTotal: new(gib), SwapFree: new(int64(0)), SwapTotal: new(int64(0)), Line: "sending"},
		"asked":        {Killer: oomdoc.KillerEarlyoom, Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAsked, MemLimit: new(5.0), SwapLimit: new(5.0), Line: "Invoking"},
		"eviction":     {Killer: oomdoc.KillerKubelet, Reason: oomdoc.ReasonAvailable, Pod: "p", Namespace: "n", Container: "c", Using: new(gib), Line: "evicted"},
		"event alone":  {Killer: oomdoc.KillerKubelet, Reason: oomdoc.ReasonAvailable, Container: "c", Using: new(gib), Request: new(mib), LimitLine: "low"},
		"ray":          {Killer: oomdoc.KillerRay, Reason: oomdoc.ReasonUsage, PID: 3, Task: "t", MemUsed: new(gib), MemTotal: new(gib), MemLimit: new(95.0), Line: "Memory"},
		"ray, several": {Killer: oomdoc.KillerRay, Reason: oomdoc.ReasonUsage, MemUsed: new(gib), MemTotal: new(gib), Line: "Memory"},
		"meta":         {Killer: oomdoc.KillerOomd, Reason: oomdoc.ReasonRule, Cgroup: "/w/x", Pressure: new(80.0), RSS: new(gib), Rule: "r", Action: "k", Line: "oomd kill"},
		"told":         told("a.service"),
		"told slurm":   {Killer: oomdoc.KillerKernel, Told: true, Teller: "slurm", SlurmJob: "12", SlurmStep: "0", Processes: new(2), Line: "slurmstepd"},
		"told result":  {Told: true, Teller: "systemd", Unit: "a.service", Line: "Failed"},
		"told system":  {Killer: oomdoc.KillerKernel, Told: true, Teller: "kubelet", PID: 5, Comm: new("v"), Line: "System OOM"},
	} {
		t.Run(name, func(t *testing.T) {
			checkSound(t, add(t, classify.NewJoiner(classify.Options{}), userKill(kill)))
		})
	}
}

// earlyoom -k asks the kernel by SysRq-f: the kernel's kill is the incident, and
// earlyoom its killer, whichever line comes first.
func TestAKillThatAKillerAskedTheKernelForIsItsOwn(t *testing.T) {
	ask := oomdoc.UserKill{
		Killer: oomdoc.KillerEarlyoom, Witness: oomdoc.WitnessProven, Reason: oomdoc.ReasonAsked,
		MemLimit: new(5.0), SwapLimit: new(5.0), Line: "Invoking oom killer: done", LimitLine: "low memory!",
	}
	report := hostReport()
	report.Manual = "sysrq: Manual OOM execution"
	kernel := after(killEvent(report), time.Second, "kernelkill")
	open, final := userKill(ask), userKill(ask)
	open.Final = false
	final.Revision = 1

	for name, order := range map[string][]oomdoc.Event{
		"asked first":  {open, kernel, final},
		"kernel first": {kernel, open, final},
	} {
		t.Run(name, func(t *testing.T) {
			j := classify.NewJoiner(classify.Options{})
			last := map[string]oomdoc.Incident{}
			for _, ev := range order {
				for _, inc := range j.Add(ev, oomdoc.Facts{}) {
					last[inc.ID] = inc
				}
			}
			inc, has := last["kernelkill"]
			if len(last) != 1 || !has {
				t.Fatalf("got %d incidents: %v", len(last), last)
			}
			if inc.Cause != oomdoc.CausePressureKill || inc.Killer != "earlyoom" || !says(inc, "evidence.killer-asked") || !says(inc, "evidence.sysrq-f") {
				t.Errorf("got cause %s, killer %s, evidence %v", inc.Cause, inc.Killer, inc.Evidence)
			}
			checkSound(t, inc)
		})
	}
}

func TestARequestThatNoKernelLineAnswersIsToldAtItsEnd(t *testing.T) {
	kill := oomdoc.UserKill{Killer: oomdoc.KillerEarlyoom, Witness: oomdoc.WitnessNamed, Reason: oomdoc.ReasonAsked, MemLimit: new(5.0), Line: "Invoking oom killer: done"}
	j := classify.NewJoiner(classify.Options{})
	open, final := userKill(kill), userKill(kill)
	open.Final = false
	final.Revision = 1
	if got := j.Add(open, oomdoc.Facts{}); len(got) != 0 {
		t.Errorf("told before the kernel could answer: %v", got)
	}
	if got := j.Add(final, oomdoc.Facts{}); len(got) != 1 || got[0].Killer != "earlyoom" {
		t.Errorf("got %v", got)
	}
}

// A person's SysRq-f stays a person's when only a forgeable line claims it.
func TestAForgeableRequestDoesNotTakeAKernelKill(t *testing.T) {
	ask := userKill(oomdoc.UserKill{Killer: oomdoc.KillerEarlyoom, Witness: oomdoc.WitnessForgeable, Reason: oomdoc.ReasonAsked, Line: "Invoking oom killer"})
	report := hostReport()
	report.Manual = "sysrq: Manual OOM execution"
	j := classify.NewJoiner(classify.Options{})
	if got := j.Add(ask, oomdoc.Facts{}); len(got) != 0 {
		t.Errorf("got %v", got)
	}
	if inc := add(t, j, killEvent(report)); inc.Cause != oomdoc.CauseRequested || inc.Killer != oomdoc.KillerKernel {
		t.Errorf("got %s by %s", inc.Cause, inc.Killer)
	}
}

func TestAManagersWordOfAKnownKillIsNoIncidentOfItsOwn(t *testing.T) {
	system := userKill(oomdoc.UserKill{Killer: oomdoc.KillerKernel, Told: true, Teller: "kubelet", PID: 100, Comm: new("hog"), Line: "System OOM"})
	for name, test := range map[string]struct{ known, word oomdoc.Event }{
		"the unit of a kernel kill":  {killEvent(limitReport()), after(userKill(told("hog.service")), time.Second, "told")},
		"the pid of a kernel kill":   {killEvent(limitReport()), after(system, time.Second, "told")},
		"the unit fails much later":  {killEvent(limitReport()), after(userKill(told("hog.service")), 90*time.Second, "told")},
		"the unit of an oomd's kill": {userKill(oomdoc.UserKill{Killer: oomdoc.KillerSystemdOomd, Cgroup: "/system.slice/hog.service", Line: "Killed"}), after(userKill(told("hog.service")), time.Second, "told")},
	} {
		t.Run(name, func(t *testing.T) {
			j := classify.NewJoiner(classify.Options{})
			add(t, j, test.known)
			if got := j.Add(test.word, oomdoc.Facts{}); len(got) != 0 {
				t.Errorf("got %d more: %+v", len(got), got)
			}
		})
	}
	j := classify.NewJoiner(classify.Options{})
	add(t, j, killEvent(limitReport()))
	if got := j.Add(after(userKill(told("other.service")), time.Second, "told"), oomdoc.Facts{}); len(got) != 1 {
		t.Errorf("another unit's kill was taken for this one")
	}
}

// Where the kernel's rate limit left only the kill line, the manager's word tells
// whose process it was.
func TestAManagersWordNamesTheUnitOfABareKillLine(t *testing.T) {
	report := &oomdoc.KernelReport{Suppressed: true, Kills: []oomdoc.Kill{kill(100, "hog", gib)}}
	j := classify.NewJoiner(classify.Options{})
	bare := add(t, j, killEvent(report))
	if or(bare.Process).Unit != "" {
		t.Fatalf("the unit is known already: %+v", *bare.Process)
	}
	got := add(t, j, after(userKill(told("hog.service")), time.Second, "told"))
	if got.ID != bare.ID || got.Revision <= bare.Revision || or(got.Process).Unit != "hog.service" || !says(got, "evidence.told-unit") {
		t.Errorf("got %s revision %d, process %+v", got.ID, got.Revision, or(got.Process))
	}
	if or(bare.Process).Unit != "" {
		t.Error("what was told before was changed")
	}
}

// Of several bare kill lines a manager's word does not tell which it is about.
func TestAManagersWordIsNotGuessedAmongSeveralKills(t *testing.T) {
	j := classify.NewJoiner(classify.Options{})
	for i, id := range []string{"first", "second"} {
		report := &oomdoc.KernelReport{Suppressed: true, Kills: []oomdoc.Kill{kill(100+i, "hog", gib)}}
		add(t, j, after(killEvent(report), time.Duration(i)*time.Second, id))
	}
	if got := j.Add(after(userKill(told("hog.service")), 2*time.Second, "told"), oomdoc.Facts{}); len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}
