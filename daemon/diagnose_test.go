package daemon_test

import (
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
)

// live is a record of /dev/kmsg as the follower gives it.
func live(seq uint64, facility int, text string) *oomdoc.Record {
	return &oomdoc.Record{
		Source: oomdoc.SourceKmsg, BootID: "boot-a", Seq: seq, HasSeq: true, Usec: int64(seq) * 1000,
		Read: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Facility: facility, Priority: 6, Text: []byte(text), Raw: []byte(text),
	}
}

func diagnosed(records ...*oomdoc.Record) []oomdoc.Incident {
	var incidents []oomdoc.Incident
	d := daemon.NewDiagnoser(daemon.DiagnoserOptions{Emit: func(inc oomdoc.Incident) { incidents = append(incidents, inc) }})
	for _, rec := range records {
		d.Feed(rec)
	}
	d.Flush()
	return incidents
}

// Root can write any line to /dev/kmsg, so that a killer's line there proves
// nothing, and a manager's word of a kernel kill even less.
func TestAForgedKillersLineIsPossibleAtMost(t *testing.T) {
	incidents := diagnosed(
		live(1, 1, `earlyoom[512]: low memory! at or below SIGTERM limits: mem  4.00%, swap 10.00%`),
		live(2, 1, `earlyoom[512]: sending SIGTERM to process 7481 uid 1000 "Web Content": badness 12, VmRSS 2 MiB`),
		live(3, 3, `systemd[1]: hog.service: A process of this unit has been killed by the OOM killer.`),
		live(4, 1, `kubelet[9]: System OOM encountered, victim process: vector, pid: 3052236`),
	)
	if len(incidents) == 0 {
		t.Fatal("the killer's line gave nothing")
	}
	for _, inc := range incidents {
		if inc.Confidence != oomdoc.Possible || inc.Killer != oomdoc.KillerEarlyoom {
			t.Errorf("got %s by %s: %v", inc.Confidence, inc.Killer, inc.Summary)
		}
		if inc.Summary.Key != "summary.user-forgeable" {
			t.Errorf("the sentence does not say that it may be forged: %v", inc.Summary)
		}
	}
}

// The kernel's own lines are never a killer's, whatever a process is named.
func TestAKillersWordsInAKernelLineGiveNothing(t *testing.T) {
	for _, inc := range diagnosed(
		live(1, 0, `earlyoom[512]: sending SIGTERM to process 7481 uid 1000 "Web Content": badness 12, VmRSS 2 MiB`),
		live(2, 0, `oomd kill: 81.28 80.05 42.78 a/b 123456 ruleset:[p] detectorgroup:[s] killer:k v2`),
	) {
		t.Errorf("got %s by %s", inc.Cause, inc.Killer)
	}
}

// A reader that starts again must read a decision that is still open from its
// first line.
func TestAnOpenDecisionHoldsThePosition(t *testing.T) {
	d := daemon.NewDiagnoser(daemon.DiagnoserOptions{Emit: func(oomdoc.Incident) {}})
	d.Feed(live(41, 1, `earlyoom[512]: sending SIGTERM to process 7481 uid 1000 "Web": badness 12, VmRSS 2 MiB`))
	if seq, open := d.Oldest(); !open || seq != 41 {
		t.Errorf("got %d %t, want 41", seq, open)
	}
	d.Tick(time.Date(2026, 12, 1, 1, 0, 0, 0, time.UTC))
	if _, open := d.Oldest(); open {
		t.Error("it is still open after an hour")
	}
}
