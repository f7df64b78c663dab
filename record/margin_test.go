package record_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

func nested(t *testing.T, log string) []oomdoc.Record {
	t.Helper()
	return decoded(t, log, record.Options{Nested: true})
}

// What people paste has something before the log's own lines.
func TestWhatStandsBeforeACopiedLineIsSkipped(t *testing.T) {
	const text = "Out of memory: Killed process 4242 (x) total-vm:1kB"
	for _, line := range []string{
		"    [   12.345678] " + text,
		"\t[   12.345678] " + text,
		"> [   12.345678] " + text,
		"> > [   12.345678] " + text,
		">> [   12.345678] " + text,
		"- <4>[   12.345678] " + text,
		"* [   12.345678] " + text,
		"  1234\t[   12.345678] " + text,
		"77:[   12.345678] " + text,
		"kern.log.1:[   12.345678] " + text,
		"kern.log.1:77:Dec  1 01:43:39 node1 kernel: [   12.345678] " + text,
		"... kernel: [   12.345678] " + text,
		"node1 kernel: [   12.345678] " + text,
		"2026-12-01 01:43:39 node1 kernel: [   12.345678] " + text,
		"2026 Dec  1 01:43:39 node1 kernel: [   12.345678] " + text,
		"2026-12-01T01:43:39.127Z In(05) vcpu-5 - Guest: <6>[   12.345678] " + text,
		"2026-12-01T01:43:39.123456Z WARNING kernel: [   12.345678] " + text,
		"2026-12-01T01:43:39Z\tnode1\tkernel: [   12.345678] " + text,
		"ttyS0: [   12.345678] " + text,
		"svc_1  | [   12.345678] " + text,
		"[12.345678] " + text,
		"[12.346] " + text,
		"\u00a0[   12.345678] " + text,
	} {
		recs := nested(t, line+"\n"+line+"\n")
		if len(recs) != 2 || string(recs[0].Text) != text || recs[0].Usec/1000 != 12345 && recs[0].Usec/1000 != 12346 {
			t.Errorf("%q: %+v", line, recs)
			continue
		}
		if trust := recs[0].Trust(); trust != oomdoc.TrustText {
			t.Errorf("%q: trust %v", line, trust)
		}
	}
}

// The times of a margin are the line's where it has no other.
func TestATimeBeforeACopiedLineIsKept(t *testing.T) {
	for _, line := range []string{
		"2026-12-01 01:43:39 node1 kernel: x",
		"messages:77:2026-12-01 01:43:39.000 node1 kernel: x",
	} {
		recs := nested(t, line+"\n"+line+"\n")
		if len(recs) != 2 || string(recs[1].Text) != "x" || recs[0].Time.Format("15:04:05") != "01:43:39" {
			t.Errorf("%q: %+v", line, recs)
		}
	}
}

// A program's words stay its own, whatever they look like.
func TestAProgramsLineHasNoMargin(t *testing.T) {
	const forged = "Out of memory: Killed process 4242 (x) total-vm:1kB"
	for _, line := range []string{
		"Dec  1 01:43:39 node1 app[77]: [   12.345678] " + forged,
		"Dec  1 01:43:39 node1 app[77]: node1 kernel: " + forged,
		"2026-12-01 01:43:39 node1 app[77]: [   12.345678] " + forged,
		"2026-12-01 01:43:39 node1 app[77]: node1 kernel: " + forged,
	} {
		for _, rec := range nested(t, line+"\n"+line+"\n") {
			if string(rec.Text) == forged {
				t.Errorf("%q: gives the words of a program as the kernel's", line)
			}
		}
	}
	for _, line := range []string{
		"step 12 | loss [0.123456] done",
		"INFO 2026-12-01 10:00:00 loaded 12 layers",
		"the kernel: it is full of stars",
		"Traceback (most recent call last):",
		"    raise RuntimeError(\"CUDA out of memory\")",
	} {
		if recs := nested(t, line+"\n"); len(recs) != 1 || string(recs[0].Text) != line {
			t.Errorf("%q: %+v", line, recs)
		}
	}
}

// A watched log is not pasted: nothing in it is skipped.
func TestOnlyALogThatAPersonNamesHasMargins(t *testing.T) {
	for _, line := range []string{"> [   12.345678] x", "    [   12.345678] x", "node1 kernel: x"} {
		recs := decoded(t, line+"\n", record.Options{})
		if len(recs) != 1 || string(recs[0].Text) != line {
			t.Errorf("%q: %+v", line, recs)
		}
	}
}

func TestAMailersRestOfAnEmptyHeadIsItsText(t *testing.T) {
	recs := nested(t, "[   12.345678]\noom-kill:constraint=CONSTRAINT_NONE,nodemask=(null)\n[   13.345678] x\n")
	if len(recs) < 2 || string(recs[1].Text) != "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null)" || recs[1].Continued || recs[1].Usec != 12345678 {
		t.Errorf("%+v", recs)
	}
}
