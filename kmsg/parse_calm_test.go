package kmsg_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

// clocked feeds lines at given microseconds and gives the pids of the kills
// that each of them ended.
type clocked struct {
	parser *kmsg.Parser
	ended  []int
	final  []oomdoc.Event
}

func newClocked() *clocked { return &clocked{parser: kmsg.NewParser(kmsg.ParserOptions{})} }

func (c *clocked) feed(usec int64, boot, text string) []int {
	c.ended = nil
	rec := oomdoc.Record{
		Source: oomdoc.SourceFile, BootID: boot, Usec: usec, Facility: oomdoc.FacilityKernel,
		Text: []byte(text), Raw: []byte(text),
	}
	c.parser.Feed(&rec, func(e oomdoc.Event) {
		if e.Final {
			c.ended = append(c.ended, e.Kernel.Kills[0].PID)
			c.final = append(c.final, e)
		}
	})
	return c.ended
}

func killOf(pid int) string {
	return fmt.Sprintf("Out of memory: Killed process %d (a) total-vm:8kB, anon-rss:4kB, file-rss:0kB, shmem-rss:0kB", pid)
}

const idleLine = "usb 1-1: new high-speed USB device number 2"

func TestEachReportEndsByItsOwnLastLine(t *testing.T) {
	c := newClocked()
	steps := []struct {
		usec int64
		text string
		want []int
	}{
		{1_000_000, killOf(1), nil},
		{2_000_000, killOf(2), nil},
		{2_500_000, "oom_reaper: reaped process 2 (a), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB", nil},
		{3_000_000, idleLine, nil}, // two seconds to the microsecond are not more
		{3_000_001, idleLine, []int{1}},
		{3_000_002, killOf(3), nil},
		{4_500_000, idleLine, nil},
		{4_500_001, idleLine, []int{2}},
		{9_000_000, killOf(4), []int{3}},
	}
	for _, s := range steps {
		if got := c.feed(s.usec, "", s.text); !slices.Equal(got, s.want) {
			t.Errorf("at %d: %v ended, want %v", s.usec, got, s.want)
		}
	}
}

func TestAClockThatRunsBackEndsReportsOnlyWhenItIsFar(t *testing.T) {
	c := newClocked()
	c.feed(50_000_000, "", killOf(1))
	if got := c.feed(40_000_000, "", idleLine); got != nil {
		t.Errorf("ten seconds back: %v ended", got)
	}
	if got := c.feed(39_999_999, "", idleLine); !slices.Equal(got, []int{1}) {
		t.Errorf("more than ten seconds back: %v ended, want [1]", got)
	}
}

func TestAnotherBootWithTheSameClockEndsAReport(t *testing.T) {
	c := newClocked()
	c.feed(1_000_000, "a", killOf(1))
	c.feed(1_000_001, "a", idleLine)
	if got := c.feed(1_000_002, "b", idleLine); !slices.Equal(got, []int{1}) {
		t.Errorf("%v ended, want [1]", got)
	}
}

func TestAStampAtTheEndOfTheClockEndsNothingLater(t *testing.T) {
	const last = 1<<63 - 1
	c := newClocked()
	c.feed(last, "", killOf(1))
	if got := c.feed(last, "", idleLine); got != nil {
		t.Errorf("%v ended by a line of the same moment", got)
	}
}

func TestAReportShowsNoLineOfTheOneBefore(t *testing.T) {
	c := newClocked()
	for pid := 1; pid <= 4; pid++ {
		c.feed(int64(pid)*10_000_000, "", killOf(pid))
	}
	if len(c.final) != 3 {
		t.Fatalf("%d reports ended, want 3", len(c.final))
	}
	for i, e := range c.final {
		if want := []string{killOf(i + 1)}; !slices.Equal(e.Records, want) {
			t.Errorf("got %q, want %q", e.Records, want)
		}
	}
}
