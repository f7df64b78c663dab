package record_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

const (
	kernel  = oomdoc.FacilityKernel
	unknown = oomdoc.FacilityUnknown
	user    = 1
)

// A capture is one of testdata/capture and what its form can tell.
type capture struct {
	name     string
	form     record.Form
	kernel   int           // facility of the kernel's lines
	forged   int           // facility of the line that root wrote to /dev/kmsg
	usec     bool          // the kernel's stamp is there
	time     time.Duration // how exact the time is; 0: there is none
	repeated bool          // each line of a record has the whole head again
}

func captures() []capture {
	const (
		micro  = time.Microsecond
		second = time.Second
		minute = time.Minute
	)
	return []capture{
		{"kmsg", record.FormKmsg, kernel, user, true, 0, false},
		{"dmesg-T", record.FormDmesg, unknown, unknown, false, second, false},
		{"dmesg-x", record.FormDmesg, kernel, user, true, 0, false},
		// dmesg -r reads /dev/kmsg and prints <3> for the forged line too.
		{"dmesg-r", record.FormDmesg, unknown, unknown, true, 0, false},
		{"dmesg-S-r", record.FormDmesg, unknown, user, true, 0, true},
		{"dmesg-force-prefix", record.FormDmesg, unknown, unknown, true, 0, true},
		{"dmesg-d", record.FormDmesg, unknown, unknown, true, 0, false},
		{"dmesg-Td", record.FormDmesg, unknown, unknown, false, second, false},
		{"dmesg-xT", record.FormDmesg, kernel, user, false, second, false},
		{"dmesg-iso", record.FormDmesg, unknown, unknown, false, micro, false},
		{"dmesg-x-iso", record.FormDmesg, kernel, user, false, micro, false},
		{"dmesg-color", record.FormDmesg, unknown, unknown, true, 0, false},
		{"dmesg-color-T", record.FormDmesg, unknown, unknown, false, second, false},
		{"dmesg-reltime", record.FormDmesg, unknown, unknown, false, minute, false},
		{"dmesg-J", record.FormDmesgJSON, unknown, unknown, true, 0, false},
		{"dmesg-x-J", record.FormDmesgJSON, kernel, user, true, 0, false},
		{"journalctl-short", record.FormSyslog, unknown, user, false, second, false},
		{"journalctl-short-nohost", record.FormSyslog, unknown, user, false, second, false},
		{"journalctl-short-precise", record.FormSyslog, unknown, user, false, micro, false},
		{"journalctl-short-iso", record.FormSyslog, unknown, user, false, second, false},
		{"journalctl-short-iso-precise", record.FormSyslog, unknown, user, false, micro, false},
		{"journalctl-short-full", record.FormSyslog, unknown, user, false, second, false},
		{"journalctl-short-unix", record.FormSyslog, unknown, user, false, micro, false},
		{"journalctl-short-monotonic", record.FormSyslog, unknown, user, true, 0, false},
		{"journalctl-short-delta", record.FormSyslog, unknown, user, true, 0, false},
		{"journalctl-monotonic-nohost", record.FormSyslog, unknown, user, true, 0, false},
		{"journalctl-json", record.FormJournalJSON, kernel, user, true, micro, false},
		{"journalctl-json-seq", record.FormJournalJSON, kernel, user, true, micro, false},
		{"journalctl-json-sse", record.FormJournalJSON, kernel, user, true, micro, false},
		{"journalctl-json-pretty", record.FormJournalJSON, kernel, user, true, micro, false},
		{"journalctl-export", record.FormExport, kernel, user, true, micro, false},
	}
}

func TestEveryFormOfOneLogGivesTheSameRecords(t *testing.T) {
	reference := decodeText(t, readFile(t, "testdata", "capture", "kmsg"))
	for _, c := range captures() {
		t.Run(c.name, func(t *testing.T) {
			decoder := record.NewDecoder(strings.NewReader(readFile(t, "testdata", "capture", c.name)), options())
			records := decodeAll(t, decoder)
			want := joined(reference)
			if c.repeated {
				want = strings.Split(strings.Join(want, "\n"), "\n")
			}
			if strings.HasPrefix(c.name, "journalctl") {
				want = append(want, "first line\nsecond value")
			}
			if diff := cmp.Diff(want, joined(records)); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
			stats := decoder.Stats()
			if got, want := stats.Forms[c.form], uint64(len(records)); got != want {
				t.Errorf("%d records of form %s, want all %d; forms seen: %v", got, c.form, want, stats.Forms)
			}
			for i := range records {
				c.checkTrust(t, &records[i])
				c.checkPlace(t, reference, &records[i])
			}
		})
	}
}

func (c *capture) checkTrust(t *testing.T, rec *oomdoc.Record) {
	t.Helper()
	want := c.kernel
	switch text := string(rec.Text); {
	case strings.Contains(text, "(forged)"):
		want = c.forged
	case text == "first line", text == "second value", text == "first line\nsecond value":
		want = user
	}
	if rec.Facility != want {
		t.Errorf("facility of %.40q is %d, want %d", rec.Text, rec.Facility, want)
	}
}

// checkPlace holds stamp and time against the raw record with the same text.
func (c *capture) checkPlace(t *testing.T, reference []oomdoc.Record, rec *oomdoc.Record) {
	t.Helper()
	raw := sameRecord(reference, rec)
	if raw == nil {
		return // journald's own: only the texts are compared
	}
	wantUsec := int64(oomdoc.NoUsec)
	if c.usec {
		wantUsec = raw.Usec
	}
	if rec.Usec != wantUsec {
		t.Errorf("stamp of %.40q is %d, want %d", rec.Text, rec.Usec, wantUsec)
	}
	if c.time == 0 {
		if !rec.Time.IsZero() {
			t.Errorf("time of %.40q is %v, want none", rec.Text, rec.Time)
		}
		return
	}
	// The machine's clock said 03:16:15 when its kernel's stamp was 0; dmesg and
	// journald disagree on it by a second.
	booted := time.Date(2026, 12, 1, 3, 16, 15, 0, time.UTC)
	want := booted.Add(time.Duration(raw.Usec) * time.Microsecond)
	if got := rec.Time.Sub(want).Abs(); got > c.time+1500*time.Millisecond {
		t.Errorf("time of %.40q is %v, want %v, off by no more than %v", rec.Text, rec.Time, want, c.time)
	}
}

func sameRecord(reference []oomdoc.Record, rec *oomdoc.Record) *oomdoc.Record {
	for i := range reference {
		first, _, _ := strings.Cut(string(reference[i].Text), "\n")
		if first == string(rec.Text) || string(reference[i].Text) == string(rec.Text) {
			return &reference[i]
		}
	}
	return nil
}

func TestFurtherLinesTakeOverTheHeadOfTheirRecord(t *testing.T) {
	for _, name := range []string{"dmesg-x", "dmesg-T", "dmesg-color", "journalctl-short-precise", "journalctl-short-monotonic"} {
		t.Run(name, func(t *testing.T) {
			records := decodeText(t, readFile(t, "testdata", "capture", name))
			first, second := records[0], records[1]
			if first.Continued || !second.Continued {
				t.Fatalf("Continued = %v, %v, want false, true", first.Continued, second.Continued)
			}
			first.Text, first.Raw, first.Offset = nil, nil, 0
			second.Text, second.Raw, second.Offset, second.Continued = nil, nil, 0, false
			if diff := cmp.Diff(first, second); diff != "" {
				t.Errorf("head of the second line differs from the first's (-first +second):\n%s", diff)
			}
		})
	}
}

func TestOffsetAndRawAreTheLineInTheFile(t *testing.T) {
	for _, name := range []string{"kmsg", "dmesg-T", "dmesg-color", "journalctl-short"} {
		t.Run(name, func(t *testing.T) {
			text := readFile(t, "testdata", "capture", name)
			for _, rec := range decodeText(t, text) {
				line, _, _ := strings.Cut(text[rec.Offset:], "\n")
				if got := string(rec.Raw); got != line {
					t.Errorf("Raw at %d = %q, want %q", rec.Offset, got, line)
				}
			}
		})
	}
}
