package view_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/view"
)

func everyCase() []oomdoc.Incident {
	return []oomdoc.Incident{
		unitLimit(), dockerLimit(), podLimit(), hostNoSwap(), groupKill(), bareKill(), hostile(), korean(), noVictim(), {},
	}
}

// commands are the lines that may be wider than the page.
func commands(inc oomdoc.Incident) map[string]bool {
	all := map[string]bool{}
	for _, fix := range inc.Fixes {
		for _, step := range fix.Steps {
			if step.IsCommand() {
				all[view.Escape(step.Text)] = true
			}
		}
	}
	return all
}

func TestNoLineIsWiderThanThePageButACommand(t *testing.T) {
	for _, inc := range everyCase() {
		for _, width := range []int{40, 60, 80, 200} {
			o := options()
			o.Width = width
			wideEnough := commands(inc)
			for line := range strings.Lines(text(t, inc, o)) {
				line = strings.TrimRight(line, "\n")
				if displayColumns(line) > width && !wideEnough[strings.TrimSpace(line)] {
					t.Errorf("%s at %d: %d columns in %q", inc.ID, width, displayColumns(line), line)
				}
			}
		}
	}
}

// displayColumns measures by script, apart from the table that view lays out
// with: what the cases hold of Hangul and emoji is two columns wide.
func displayColumns(line string) int {
	sum := 0
	for _, r := range line {
		sum++
		if unicode.In(r, unicode.Hangul) || r >= 0x1f300 && r < 0x1fb00 {
			sum++
		}
	}
	return sum
}

func TestListIsNeverWiderThanThePage(t *testing.T) {
	for _, width := range []int{60, 80, 120} {
		for line := range strings.Lines(list(t, history(), view.TextOptions{Width: width, Location: seoul()})) {
			if line = strings.TrimRight(line, "\n"); displayColumns(line) > width {
				t.Errorf("%d columns at %d: %q", displayColumns(line), width, line)
			}
		}
	}
}

func TestACommandIsALineOfItsOwnReadyToCopy(t *testing.T) {
	command := "sudo tee /etc/x <<< \"" + strings.Repeat("very long ", 20) + "\" && echo 'two  spaces'"
	inc := unitLimit()
	inc.Fixes[0].Steps = []oomdoc.Sentence{said("Then:"), typed(command)}
	for _, width := range []int{40, 80} {
		o := options()
		o.Width = width
		found := 0
		for line := range strings.Lines(text(t, inc, o)) {
			if strings.TrimSpace(line) == command {
				found++
			}
		}
		if found != 1 {
			t.Errorf("at width %d the command stands whole %d times, want once", width, found)
		}
	}
}

func TestACommandThatEscapingChangedIsMarked(t *testing.T) {
	const mark = "do not copy"
	unmarked := strings.Join(strings.Fields(text(t, unitLimit(), options())), " ")
	marked := strings.Join(strings.Fields(text(t, hostile(), options())), " ")
	if strings.Contains(unmarked, mark) || !strings.Contains(marked, mark) {
		t.Errorf("marked: plain command %v, command with controls %v; want false and true",
			strings.Contains(unmarked, mark), strings.Contains(marked, mark))
	}
}

func TestALineThatProvesTwoThingsStandsOnce(t *testing.T) {
	inc := bareKill()
	inc.Evidence = []oomdoc.Evidence{proof("the line", "first"), proof("the line", "second"), proof("other", "third")}
	out := text(t, inc, options())
	if got := strings.Count(out, "the line"); got != 1 || strings.Index(out, "the line") < strings.Index(out, "second") {
		t.Errorf("the line stands %d times, want once, below the second sentence:\n%s", got, out)
	}
}

func TestNoLabelLacksAFact(t *testing.T) {
	full := options()
	full.Full, full.Records = true, true
	for _, inc := range everyCase() {
		if out := text(t, inc, full) + list(t, []oomdoc.Incident{inc}, full); strings.Contains(out, "?}") {
			t.Errorf("%s: a label was written without its fact:\n%s", inc.ID, out)
		}
	}
}

func TestColourIsAllThatColourChanges(t *testing.T) {
	strip := strings.NewReplacer("\x1b[0m", "", "\x1b[1m", "", "\x1b[2m", "", "\x1b[36m", "")
	for _, inc := range everyCase() {
		colored := options()
		colored.Color = true
		got, want := strip.Replace(text(t, inc, colored)), text(t, inc, options())
		if got != want {
			t.Errorf("%s reads differently in colour:\n%s\nwant\n%s", inc.ID, got, want)
		}
	}
}

func TestABurstCutByTheLimitFoldsWithoutItsFirst(t *testing.T) {
	got := list(t, burst(5)[:2], view.TextOptions{Location: seoul()})
	if !strings.Contains(got, "2 kills") || !strings.Contains(got, "burst00000") {
		t.Errorf("list = %q, want 2 kills under the burst's id", got)
	}
}

type brokenWriter struct{}

var errBroken = errors.New("no space left on device")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestAWriterThatFailsIsReported(t *testing.T) {
	incidents := []oomdoc.Incident{unitLimit()}
	for name, err := range map[string]error{
		"Text": view.Text(brokenWriter{}, english(t), incidents[0], options()),
		"List": view.List(brokenWriter{}, english(t), incidents, options()),
		"JSON": view.JSON(brokenWriter{}, incidents),
	} {
		if !errors.Is(err, errBroken) {
			t.Errorf("%s = %v, want %v", name, err, errBroken)
		}
	}
}

func FuzzNothingFromALogReachesTheTerminalRaw(f *testing.F) {
	f.Add("name", "a line of the log")
	f.Add("\x1b[2J\u009b", "\x1b]0;x\x07\n\u202e")
	f.Add(strings.Repeat("한", 200), "\xff\xfe\x00")
	f.Fuzz(func(t *testing.T, name, line string) {
		inc := hostile()
		p := inc.Process
		p.Name, p.Owner, p.Unit, p.Cgroup, p.ContainerName = &name, name, name, "/"+name, name
		p.Image, p.Pod, p.PodName, p.Namespace, p.Model, p.Engine = name, name, name, name, name, name
		p.Cmdline = []string{name, line}
		inc.ID, inc.Burst, inc.Killer = name, line, name
		inc.Cause, inc.Class = oomdoc.Cause(name), oomdoc.Class(line)
		inc.Victims = []oomdoc.Victim{{PID: 1, Name: name}}
		inc.Summary.Text, inc.VictimReason.Text = line, name
		inc.Missing = []oomdoc.Sentence{said("%s", line)}
		inc.Evidence = []oomdoc.Evidence{proof(line, "%s", name)}
		inc.Records = []string{line, name}
		inc.Fixes[0].Title.Text, inc.Fixes[0].Why.Text = name, line
		inc.Fixes[0].Steps = []oomdoc.Sentence{typed(line), said("%s", name)}
		full := options()
		full.Full, full.Records = true, true
		var document bytes.Buffer
		if err := view.JSON(&document, []oomdoc.Incident{inc}); err != nil {
			t.Fatal(err)
		}
		for form, out := range map[string]string{
			"text": text(t, inc, options()),
			"full": text(t, inc, full),
			"list": list(t, []oomdoc.Incident{inc, unitLimit()}, options()),
			"json": document.String(),
		} {
			for _, r := range strings.ReplaceAll(out, "\n", "") {
				if harmful(r) {
					t.Fatalf("%s lets %q out", form, r)
				}
			}
		}
	})
}
