package main_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
)

// Ordinary logs, made of the passages in testdata/ordinary: what services print
// when nothing is wrong with memory, and what speaks of that without being it.
// The same seed makes the same log.
type ordinary struct {
	random *rand.Rand
	kinds  [][]passage // a file each
	near   []passage   // of all of them, where they were taken out
	rare   int         // of so many passages one is of those, 0 where they were not
	clock  time.Time
	words  []string
	out    []byte // the passage that was made last
}

// A passage is text that stands together. Its pieces are texts and, at every
// second place, names of what is filled in.
type passage []string

func newOrdinary(t *testing.T, seed uint64, files ...string) *ordinary {
	t.Helper()
	o := &ordinary{random: rand.New(rand.NewPCG(seed, seed)), clock: time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC), words: ordinaryWords()}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var kind []passage
		for part := range strings.SplitSeq(string(text), "%%\n") {
			kind = append(kind, splitPassage(t, part))
		}
		o.kinds = append(o.kinds, kind)
	}
	return o
}

func ordinaryFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("../../testdata/ordinary/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no passages: %v", err)
	}
	return files
}

func splitPassage(t *testing.T, text string) (p passage) {
	t.Helper()
	for {
		before, rest, found := strings.Cut(text, "${")
		p = append(p, before)
		if !found {
			return p
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || !(&ordinary{random: rand.New(rand.NewPCG(0, 0)), words: ordinaryWords()}).fill(name) {
			t.Fatalf("nothing fills ${%s}", name)
		}
		p, text = append(p, name), after
	}
}

// next makes a passage, valid until the next call.
func (o *ordinary) next() []byte {
	kind := o.kinds[o.random.IntN(len(o.kinds))]
	if o.rare > 0 && o.random.IntN(o.rare) == 0 {
		kind = o.near
	}
	o.out = o.out[:0]
	o.clock = o.clock.Add(time.Duration(o.random.IntN(2000)) * time.Millisecond)
	for i, piece := range kind[o.random.IntN(len(kind))] {
		if i%2 == 0 {
			o.out = append(o.out, piece...)
		} else {
			o.fill(piece)
		}
	}
	return o.out
}

// write makes passages until there are size bytes of them, in a form.
func (o *ordinary) write(out io.Writer, size int, form func(*ordinary, []byte, []byte) []byte) error {
	buffered := bufio.NewWriterSize(out, 1<<20)
	var line []byte
	for written := 0; written < size; {
		text := o.next()
		if form != nil {
			line = line[:0]
			for each := range bytes.Lines(text) {
				line = form(o, line, bytes.TrimSuffix(each, []byte("\n")))
			}
			text = line
		}
		n, err := buffered.Write(text)
		if err != nil {
			return err
		}
		written += n
	}
	return buffered.Flush()
}

func ordinaryWords() []string {
	return strings.Fields(`account audit backup basket billing bridge catalog checkout cluster config coupon customer delivery
		device editor export gateway health image import index inventory invoice label language ledger login market media
		message metric network order parcel password payment planner policy price printer product profile query queue rating
		refund region report review search sensor session shipping signup storage supplier survey tenant ticket timer token
		topic tracker transfer upload video wallet warehouse webhook weather window`)
}

// fill appends what a name stands for, false where it stands for nothing.
func (o *ordinary) fill(name string) bool {
	r, now := o.random, o.clock
	number := func(below int) { o.out = fmt.Appendf(o.out, "%d", r.IntN(below)) }
	stamp := func(layout string) { o.out = now.AppendFormat(o.out, layout) }
	hex := func(digits int) {
		for range digits {
			o.out = append(o.out, "0123456789abcdef"[r.IntN(16)])
		}
	}
	word := func() { o.out = append(o.out, o.words[r.IntN(len(o.words))]...) }
	switch name {
	case "ts":
		stamp("2006-01-02T15:04:05.000Z")
	case "date":
		stamp("2006-01-02 15:04:05")
	case "day":
		stamp("Jan _2 15:04:05")
	case "clf":
		stamp("02/Jan/2006:15:04:05 -0700")
	case "slash":
		stamp("2006/01/02 15:04:05")
	case "haproxy":
		stamp("02/Jan/2006:15:04:05.000")
	case "redis":
		stamp("02 Jan 2006 15:04:05.000")
	case "klog":
		stamp("0102 15:04:05.000000")
	case "vllm":
		stamp("01-02 15:04:05")
	case "time":
		stamp("15:04:05")
	case "epoch":
		o.out = fmt.Appendf(o.out, "%.3f", float64(now.UnixMilli())/1000)
	case "d":
		number(10)
	case "n":
		number(1000)
	case "n6":
		number(1_000_000)
	case "n9":
		number(1_000_000_000)
	case "pid":
		number(60_000)
	case "port":
		number(65_536)
	case "f":
		o.out = fmt.Appendf(o.out, "%d.%03d", r.IntN(60), r.IntN(1000))
	case "gib":
		o.out = fmt.Appendf(o.out, "%d.%02d GiB", r.IntN(79), r.IntN(100))
	case "ip":
		o.out = fmt.Appendf(o.out, "10.%d.%d.%d", r.IntN(256), r.IntN(256), r.IntN(256))
	case "hex8":
		hex(8)
	case "hex12":
		hex(12)
	case "hex40":
		hex(40)
	case "hex64":
		hex(64)
	case "uuid":
		for i, digits := range []int{8, 4, 4, 4, 12} {
			if i > 0 {
				o.out = append(o.out, '-')
			}
			hex(digits)
		}
	case "host":
		o.out = fmt.Appendf(o.out, "node%d", r.IntN(9))
	case "user":
		o.out = append(o.out, []string{"alice", "carol", "deploy", "erin", "minji", "seojun"}[r.IntN(6)]...)
	case "ns":
		o.out = append(o.out, []string{"shop", "monitoring", "kube-system", "ml"}[r.IntN(4)]...)
	case "word":
		word()
	case "words":
		for i := range 3 + r.IntN(6) {
			if i > 0 {
				o.out = append(o.out, ' ')
			}
			word()
		}
	case "path":
		word()
		o.out = append(o.out, '/')
		word()
	case "pod":
		word()
		o.out = append(o.out, '-')
		hex(9)
	default:
		return false
	}
	return true
}

// The forms in which the same text can come.
func ordinaryForms() map[string]func(*ordinary, []byte, []byte) []byte {
	return map[string]func(*ordinary, []byte, []byte) []byte{
		"plain": nil,
		"syslog": func(o *ordinary, out, line []byte) []byte {
			return fmt.Appendf(out, "%s node1 app[812]: %s\n", o.clock.Format(time.Stamp), line)
		},
		"container runtime": func(o *ordinary, out, line []byte) []byte {
			return fmt.Appendf(out, "%s stderr F %s\n", o.clock.Format(time.RFC3339Nano), line)
		},
		"Docker": func(o *ordinary, out, line []byte) []byte {
			text, _ := json.Marshal(string(line) + "\n") // a string always can be
			return fmt.Appendf(out, "{\"log\":%s,\"stream\":\"stderr\",\"time\":%q}\n", text, o.clock.Format(time.RFC3339Nano))
		},
		"journal": func(o *ordinary, out, line []byte) []byte {
			text, _ := json.Marshal(string(line))
			return fmt.Appendf(out, "{\"__REALTIME_TIMESTAMP\":\"%d\",\"_TRANSPORT\":\"stdout\",\"_PID\":\"812\",\"_COMM\":\"app\",\"_SYSTEMD_UNIT\":\"app.service\",\"SYSLOG_IDENTIFIER\":\"app\",\"MESSAGE\":%s}\n",
				o.clock.UnixMicro(), text)
		},
	}
}

// Nothing in ordinary logs is called an out-of-memory failure, in whatever form
// they come, each kind alone and all of them mixed.
func TestOrdinaryLogsGiveNothing(t *testing.T) {
	const (
		sizeOfKind = 200_000
		sizeOfAll  = 1_500_000
	)
	files := ordinaryFiles(t)
	for name, form := range ordinaryForms() {
		for _, file := range files {
			t.Run(name+"/"+strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
				checkNothing(t, writeOrdinary(t, newOrdinary(t, 1, file), sizeOfKind, form))
			})
		}
		t.Run(name+"/all", func(t *testing.T) {
			checkNothing(t, writeOrdinary(t, newOrdinary(t, 2, files...), sizeOfAll, form))
		})
	}
}

func writeOrdinary(t *testing.T, o *ordinary, size int, form func(*ordinary, []byte, []byte) []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "ordinary.log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := o.write(file, size, form); err != nil {
		t.Fatal(err)
	}
	return path
}

func checkNothing(t *testing.T, path string) {
	t.Helper()
	for i, incident := range explainFile(t, path) {
		if i == 5 {
			t.Fatal("and more")
		}
		tellFalse(t, &incident)
	}
}

func tellFalse(t *testing.T, incident *oomdoc.Incident) {
	t.Helper()
	t.Errorf("%s (%s %s)", incident.Summary.Text, incident.Class, incident.Confidence)
	for _, evidence := range incident.Evidence {
		t.Logf("  from %q", evidence.Record)
	}
}
