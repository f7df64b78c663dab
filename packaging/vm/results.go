package main

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// A result is one line of the guest: a word that says what it is, and text.
type result struct {
	kind kind
	text string
}

type kind string

const (
	kindBoot     kind = "boot"     // the agent runs
	kindBegin    kind = "begin"    // a scenario begins
	kindOK       kind = "ok"       // a check held
	kindNot      kind = "not"      // a check did not hold
	kindSkip     kind = "skip"     // a check could not be made here, with the reason
	kindNote     kind = "note"     // for who reads the run
	kindSaid     kind = "said"     // the end of the script's own output
	kindEnd      kind = "end"      // a scenario ended: its name and exit status
	kindCut      kind = "cut"      // cut the power now, and boot again into this scenario
	kindFinished kind = "finished" // nothing is left to do
)

// parseResult gives false for what is not a line of ours, so that a guest in
// trouble fails for what it did not say.
func parseResult(line string) (result, bool) {
	word, text, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
	switch k := kind(word); k {
	case kindBoot, kindBegin, kindOK, kindNot, kindSkip, kindNote, kindSaid, kindEnd, kindCut, kindFinished:
		return result{k, text}, true
	}
	return result{}, false
}

// A tally is what one scenario has shown.
type tally struct {
	machine, scenario string
	passed, skipped   int
	failures          []string
	said              []string
	started           time.Time
}

// take counts one line of the scenario.
func (t *tally) take(r result) {
	switch r.kind {
	case kindOK:
		t.passed++
	case kindNot:
		t.failures = append(t.failures, r.text)
	case kindSkip:
		t.skipped++
	case kindSaid:
		t.said = append(t.said, r.text)
	case kindEnd:
		if _, status, _ := strings.Cut(r.text, " "); status != "0" {
			t.failures = append(t.failures, "the script ended with status "+status)
		}
		if t.passed+t.skipped+len(t.failures) == 0 {
			t.failures = append(t.failures, "the script checked nothing")
		}
	}
}

// A printer shows the run as it goes and counts it. Machines share it.
type printer struct {
	mu      sync.Mutex
	out     io.Writer
	start   time.Time
	tallies []tally
	lost    []string // failures of whole machines
}

func (p *printer) line(machine, format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, "%5.0fs %-12s %s\n", time.Since(p.start).Seconds(), machine, printable(fmt.Sprintf(format, args...)))
}

// printable keeps what a guest says from steering the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return '?'
		}
		return r
	}, text)
}

func (p *printer) ended(t tally) {
	verdict := "ok  "
	if len(t.failures) > 0 {
		verdict = "FAIL"
	}
	p.line(t.machine, "%s %s: %d passed, %d failed, %d skipped, %.0f s", verdict, t.scenario, t.passed, len(t.failures), t.skipped, time.Since(t.started).Seconds())
	if len(t.failures) > 0 {
		for _, said := range t.said {
			p.line(t.machine, "  | %s", said)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tallies = append(p.tallies, t)
}

func (p *printer) failure(machine, text string) {
	p.line(machine, "FAIL %s", text)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = append(p.lost, machine+": "+text)
}

// summary says what failed, and whether nothing did.
func (p *printer) summary() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	passed, failed, skipped := 0, len(p.lost), 0
	for _, t := range p.tallies {
		passed, failed, skipped = passed+t.passed, failed+len(t.failures), skipped+t.skipped
	}
	fmt.Fprintf(p.out, "%d checks passed, %d failed, %d skipped in %.0f s\n", passed, failed, skipped, time.Since(p.start).Seconds())
	for _, t := range p.tallies {
		for _, failure := range t.failures {
			fmt.Fprintf(p.out, "  %s/%s: %s\n", t.machine, t.scenario, printable(failure))
		}
	}
	for _, lost := range p.lost {
		fmt.Fprintf(p.out, "  %s\n", printable(lost))
	}
	return failed == 0 && passed > 0
}
