package playbook_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/classify"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/playbook"
	"github.com/oomdoc/oomdoc/record"
)

// prescribed reads a program's log as explain does and gives its only incident
// with its fixes, in English. The command line is what a daemon would have seen.
func prescribed(t *testing.T, log string, cmdline ...string) oomdoc.Incident {
	t.Helper()
	joiner := classify.NewJoiner(classify.Options{})
	found := map[string]oomdoc.Incident{}
	tell := func(ev oomdoc.Event) {
		if ev.Program == nil {
			return
		}
		for _, inc := range joiner.Add(ev, oomdoc.Facts{}) {
			inc.Process.Cmdline = cmdline
			playbook.AttachProgram(&inc, ev.Program, oomdoc.Facts{})
			found[inc.ID] = inc
		}
	}
	decoder := record.NewDecoder(strings.NewReader(log), record.Options{
		Source: oomdoc.SourceFile, Location: time.UTC,
		Now: func() time.Time { return time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) },
	})
	recognizer := applog.NewRecognizer(applog.Options{})
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		recognizer.Feed(&rec, tell)
	}
	recognizer.Flush(tell)
	if len(found) != 1 {
		t.Fatalf("got %d incidents, want 1", len(found))
	}
	for _, inc := range found {
		return inEnglish(t, inc)
	}
	panic("not reached")
}

func inEnglish(t *testing.T, inc oomdoc.Incident) oomdoc.Incident {
	t.Helper()
	english, err := lang.New(lang.English)
	if err != nil {
		t.Fatal(err)
	}
	inc = english.Render(inc)
	for _, fix := range inc.Fixes {
		for _, text := range append([]string{fix.Title.Text, fix.Why.Text}, stepTexts(fix)...) {
			if text == "" || strings.Contains(text, "?}") || strings.Contains(text, "{n}") || strings.HasPrefix(text, "[") {
				t.Errorf("fix %d says %q", fix.Number, text)
			}
		}
	}
	return inc
}

func stepTexts(fix oomdoc.Fix) []string {
	all, _ := texts(fix)
	return all
}

// steps are the steps of the first fix in one text.
func steps(inc oomdoc.Incident) string {
	if len(inc.Fixes) == 0 {
		return ""
	}
	return strings.Join(stepTexts(inc.Fixes[0]), "\n")
}

// number is the number of the first fix, -1 when there is none.
func number(inc oomdoc.Incident) int {
	if len(inc.Fixes) == 0 {
		return -1
	}
	return inc.Fixes[0].Number
}

// torch is PyTorch's error with sizes as it prints them.
func torch(requested, total, free, own, allocated, unallocated string) string {
	var b bytes.Buffer
	b.WriteString("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate " + requested + ". GPU 0 has a total capacity of " + total +
		" of which " + free + " is free. Including non-PyTorch memory, this process has " + own + " memory in use. Of the allocated memory " +
		allocated + " is allocated by PyTorch, and " + unallocated + " is reserved by PyTorch but unallocated. If reserved but unallocated " +
		"memory is large try setting PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True to avoid fragmentation.\n")
	return b.String()
}

// frame is one of Python's before an error.
func frame(path, function, code string) string {
	return "  File \"" + path + "\", line 12, in " + function + "\n    " + code + "\n"
}
