package daemon_test

import (
	"bytes"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/record"
)

// FuzzExplain holds what must be true of a log of any form: no panic, and in
// each incident what every one has.
func FuzzExplain(f *testing.F) {
	for _, e := range eras() {
		if e.at != 2032 && e.at != 4015 && e.at != 6012 {
			continue
		}
		for _, s := range shapes() {
			if s.name != "host" && s.name != "pod" && s.name != "pieces" || !s.fits(&e) {
				continue
			}
			w := newWorld(e)
			s.make(w)
			for _, form := range forms() {
				f.Add(form.write(w.lines()))
			}
		}
	}
	for _, log := range hostileLogs() {
		f.Add([]byte(log.part(0) + log.part(1) + log.part(2)))
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		d := daemon.NewDiagnoser(daemon.DiagnoserOptions{
			Emit: func(inc oomdoc.Incident) {
				if inc.ID == "" || inc.Class == "" || inc.Cause == "" || inc.Confidence == "" || inc.Summary.Key == "" || len(inc.Evidence) == 0 {
					t.Fatalf("an incident lacks what every one has: %+v", inc)
				}
				for i := range inc.Victims {
					if inc.Victims[i].PID < 0 || inc.Victims[i].RSSBytes != nil && *inc.Victims[i].RSSBytes < 0 {
						t.Fatalf("victim %+v", inc.Victims[i])
					}
				}
				if m := inc.Memory; m != nil {
					for _, size := range []*int64{m.RequestedBytes, m.LimitBytes, m.UsedBytes, m.FreeBytes, m.RSSBytes, m.SwapTotalBytes, m.SwapFreeBytes} {
						if size != nil && *size < 0 {
							t.Fatalf("a negative size in %+v", *m)
						}
					}
				}
			},
			Panicked: func(text string, value any) { t.Fatalf("panic %v at %q", value, text) },
		})
		decoder := record.NewDecoder(bytes.NewReader(log), record.Options{Nested: true, MaxLine: 4096})
		var rec oomdoc.Record
		for decoder.Next(&rec) == nil {
			d.Feed(&rec)
		}
		d.Flush()
	})
}
