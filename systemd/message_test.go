package systemd_test

import (
	"maps"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/coreos/go-systemd/v22/journal"
	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/systemd"
)

func english(t testing.TB) *lang.Language {
	t.Helper()
	language, err := lang.New(lang.English)
	if err != nil {
		t.Fatal(err)
	}
	return language.In(time.UTC)
}

var killedAt = time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)

// command is a rendered step that can be typed.
func command(line string) oomdoc.Sentence {
	step := oomdoc.Command(line)
	step.Text = line
	return step
}

// incident is a kill at the limit of job.service.
func incident() oomdoc.Incident {
	return oomdoc.Incident{
		ID: "0123456789", Time: killedAt, Burst: "b1",
		Class: oomdoc.ClassHostRAM, Cause: oomdoc.CauseCgroupLimit, Confidence: oomdoc.Certain,
		Outcome: oomdoc.OutcomeKilled, Killer: oomdoc.KillerKernel,
		Summary: oomdoc.Sentence{Text: "job.service reached its limit of 64 MiB; python3 was killed."},
		Process: &oomdoc.Process{
			PID: 42, Name: new("python3"), UID: new(1000),
			Unit: "job.service", Cgroup: "/system.slice/job.service",
		},
		Memory: &oomdoc.Memory{RSSBytes: new(int64(60)), LimitBytes: new(int64(64)), UsedBytes: new(int64(64))},
		Fixes: []oomdoc.Fix{{Number: 8, Slug: "host", Steps: []oomdoc.Sentence{
			{Text: "Raise the limit of the unit:"},
			command("systemctl set-property job.service MemoryMax=96M"),
		}}, {Number: 9, Slug: "downsize"}},
	}
}

func TestComposeWritesEveryFieldThatIsKnown(t *testing.T) {
	i := incident()
	got := systemd.Compose(&i, english(t), killedAt)
	want := systemd.Message{
		Text: "job.service reached its limit of 64 MiB; python3 was killed. " +
			"Try: systemctl set-property job.service MemoryMax=96M (details: oomdoc show 0123456789)",
		Priority: journal.PriErr,
		Fields: map[string]string{
			"MESSAGE_ID": systemd.MessageCgroupKill, "SYSLOG_IDENTIFIER": "oomdoc", "DOCUMENTATION": systemd.Documentation,
			"OOMDOC_ID": "0123456789", "OOMDOC_BURST": "b1", "OOMDOC_TIME": "2026-12-01T12:00:00Z",
			"OOMDOC_CLASS": "host-ram", "OOMDOC_CAUSE": "cgroup-limit", "OOMDOC_CONFIDENCE": "certain",
			"OOMDOC_OUTCOME": "killed", "OOMDOC_KILLER": "kernel", "OOMDOC_OFFENDER": "unit:job.service",
			"OOMDOC_UNIT": "job.service", "OOMDOC_CGROUP": "/system.slice/job.service",
			"OOMDOC_COMM": "python3", "OOMDOC_PID": "42",
			"OOMDOC_RSS_BYTES": "60", "OOMDOC_LIMIT_BYTES": "64", "OOMDOC_USED_BYTES": "64",
			"OOMDOC_FIX": "host,downsize", "OOMDOC_COMMAND": "systemctl set-property job.service MemoryMax=96M",
			"OOMDOC_STEP":         "systemctl set-property job.service MemoryMax=96M",
			"OBJECT_SYSTEMD_UNIT": "job.service", "OBJECT_UID": "1000",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Compose (-want +got):\n%s", diff)
	}
}

func TestComposeLeavesOutWhatIsUnknown(t *testing.T) {
	i := oomdoc.Incident{ID: "0123456789", Outcome: oomdoc.OutcomeKilled, Summary: oomdoc.Sentence{Text: "memory ran out"}}
	got := systemd.Compose(&i, english(t), killedAt)
	want := map[string]string{
		"MESSAGE_ID": systemd.MessageOtherKill, "SYSLOG_IDENTIFIER": "oomdoc", "DOCUMENTATION": systemd.Documentation,
		"OOMDOC_ID": "0123456789", "OOMDOC_OUTCOME": "killed", "OOMDOC_OFFENDER": "machine:",
		"OOMDOC_STEP": "oomdoc show 0123456789",
	}
	if diff := cmp.Diff(want, got.Fields); diff != "" {
		t.Errorf("fields (-want +got):\n%s", diff)
	}
	if want := "memory ran out. Details: oomdoc show 0123456789"; got.Text != want {
		t.Errorf("text %q, want %q", got.Text, want)
	}
}

// The message catalog (packaging/catalog) shows these fields, and journalctl
// prints the name of one that an entry lacks.
func TestEveryAlertHasWhatTheCatalogShows(t *testing.T) {
	bare := oomdoc.Incident{ID: "0123456789", Cause: oomdoc.CauseUndecided, Confidence: oomdoc.Possible}
	advised := bare
	advised.Fixes = []oomdoc.Fix{{Steps: []oomdoc.Sentence{{Text: "See what fills it:"}}}}
	for want, i := range map[string]oomdoc.Incident{"oomdoc show 0123456789": bare, "See what fills it:": advised} {
		fields := systemd.Compose(&i, english(t), killedAt).Fields
		for _, name := range []string{"OOMDOC_ID", "OOMDOC_CAUSE", "OOMDOC_CONFIDENCE", "OOMDOC_STEP"} {
			if fields[name] == "" {
				t.Errorf("an alert lacks %s: %v", name, fields)
			}
		}
		if got := fields["OOMDOC_STEP"]; got != want {
			t.Errorf("OOMDOC_STEP=%q, want %q", got, want)
		}
	}
}

func TestComposeGivesTheFirstStepWhenThereIsNoCommand(t *testing.T) {
	i := incident()
	i.Fixes[0].Steps = i.Fixes[0].Steps[:1]
	i.Fixes[0].Steps[0].Text = "Start it with a smaller batch."
	got := systemd.Compose(&i, english(t), killedAt).Text
	want := "job.service reached its limit of 64 MiB; python3 was killed. Start it with a smaller batch. Details: oomdoc show 0123456789"
	if got != want {
		t.Errorf("text %q, want %q", got, want)
	}
}

func TestComposeNamesTheTimeOfAnOldIncident(t *testing.T) {
	i := incident()
	got := systemd.Compose(&i, english(t), killedAt.Add(time.Hour)).Text
	if want := "At 2026-12-01 12:00:00 +00:00: job.service reached"; !strings.HasPrefix(got, want) {
		t.Errorf("text %q, want it to begin with %q", got, want)
	}
}

func TestComposeChoosesKindAndPriorityByOutcomeThenCause(t *testing.T) {
	tests := []struct {
		name     string
		change   func(*oomdoc.Incident)
		id       string
		priority journal.Priority
	}{
		{"limit of a cgroup", func(*oomdoc.Incident) {}, systemd.MessageCgroupKill, journal.PriErr},
		{"host", func(i *oomdoc.Incident) { i.Cause = oomdoc.CauseHostExhausted }, systemd.MessageHostKill, journal.PriErr},
		{"undecided", func(i *oomdoc.Incident) { i.Cause = oomdoc.CauseUndecided }, systemd.MessageOtherKill, journal.PriErr},
		{"not by the kernel", func(i *oomdoc.Incident) { i.Killer = "earlyoom" }, systemd.MessageOtherKill, journal.PriErr},
		{"failed", func(i *oomdoc.Incident) { i.Outcome = oomdoc.OutcomeFailed }, systemd.MessageFailed, journal.PriErr},
		{"nobody killed", func(i *oomdoc.Incident) { i.Outcome = oomdoc.OutcomeDegraded }, systemd.MessageDegraded, journal.PriWarning},
		{"panic", func(i *oomdoc.Incident) { i.Outcome = oomdoc.OutcomePanic }, systemd.MessagePanic, journal.PriCrit},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			i := incident()
			tt.change(&i)
			got := systemd.Compose(&i, english(t), killedAt)
			if got.Fields["MESSAGE_ID"] != tt.id || got.Priority != tt.priority {
				t.Errorf("got %s with priority %d, want %s with %d", got.Fields["MESSAGE_ID"], got.Priority, tt.id, tt.priority)
			}
		})
	}
}

func TestComposeNamesOnlyRealUnitsToTheJournal(t *testing.T) {
	tests := map[string]bool{
		"job.service": true, `dev-disk-by\x2duuid.swap`: true, "getty@tty1.service": true, "docker-4f1d.scope": true,
		"": false, ".service": false, "@x.service": false, "job": false, "job.exe": false,
		"a b.service": false, "a/b.service": false, "a\nOBJECT_UID=0.service": false, "é.service": false,
		strings.Repeat("a", 248) + ".service": false,
	}
	for unit, want := range tests {
		i := incident()
		i.Process.Unit, i.Process.UserUnit = unit, unit
		fields := systemd.Compose(&i, english(t), killedAt).Fields
		for _, name := range []string{"OBJECT_SYSTEMD_UNIT", "OBJECT_SYSTEMD_USER_UNIT"} {
			if got, has := fields[name]; has != want || has && got != unit {
				t.Errorf("%q: %s is %q (%v), want it there: %v", unit, name, got, has, want)
			}
		}
	}
}

// FuzzCompose holds what the journal must get whatever a log contains: one
// line of printable text per value, bounded, and no field that we did not name.
func FuzzCompose(f *testing.F) {
	for _, seed := range []string{"python3", "a\nOOMDOC_ID=x", "\x1b[2J", "\xff\xfe", "\u202egpj.exe", "é", strings.Repeat("é", 5000), "\\x1b", "\u2028", ""} {
		f.Add(seed)
	}
	language := english(f)
	known := namesOf(systemd.Compose(new(incident()), language, killedAt).Fields)
	known["OOMDOC_CONTAINER"], known["OOMDOC_POD"], known["OOMDOC_USER_UNIT"], known["OBJECT_SYSTEMD_USER_UNIT"] = true, true, true, true
	f.Fuzz(func(t *testing.T, text string) {
		i := incident()
		i.Summary.Text, i.Process.Name, i.Process.Cgroup = text, &text, text
		i.Process.Unit, i.Process.UserUnit, i.Process.Container, i.Process.Pod = text, text, text, text
		i.Fixes[0].Steps[1].Text = text
		m := systemd.Compose(&i, language, killedAt)
		checkValue(t, "MESSAGE", m.Text, 2048)
		for name, value := range m.Fields {
			if !known[name] {
				t.Errorf("unknown field %q", name)
			}
			checkValue(t, name, value, 4096)
		}
	})
}

func namesOf(fields map[string]string) map[string]bool {
	names := make(map[string]bool)
	for name := range maps.Keys(fields) {
		names[name] = true
	}
	return names
}

func checkValue(t *testing.T, name, value string, limit int) {
	t.Helper()
	if len(value) > limit {
		t.Errorf("%s has %d bytes, want at most %d", name, len(value), limit)
	}
	if !utf8.ValidString(value) {
		t.Errorf("%s is not UTF-8: %q", name, value)
	}
	for _, r := range value {
		if !unicode.IsPrint(r) {
			t.Errorf("%s has %q in it: %q", name, r, value)
		}
	}
}
