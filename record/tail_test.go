package record_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = file.WriteString(text)
		file.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// readUntil reads until a text has come.
func readUntil(t *testing.T, tail *record.Tail, last string) string {
	t.Helper()
	var got strings.Builder
	buffer := make([]byte, 7) // small, so that a read ends inside lines
	timer := time.AfterFunc(20*time.Second, tail.Close)
	defer timer.Stop()
	done := make(chan struct{})
	var polling sync.WaitGroup
	polling.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
				tail.Poll(time.Now())
			}
		}
	})
	defer polling.Wait()
	defer close(done)
	for !strings.HasSuffix(got.String(), last) {
		n, err := tail.Read(buffer)
		if err != nil {
			t.Fatalf("read %q, and %q never came: %v", got.String(), last, err)
		}
		got.Write(buffer[:n])
	}
	return got.String()
}

func TestTailFollowsTheName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	appendTo(t, path, "old\n")
	tail := record.OpenTail(record.TailOptions{Path: path, AtEnd: true})
	defer tail.Close()
	step := func(what, want string, do func()) {
		t.Helper()
		do()
		if got := readUntil(t, tail, want); got != want {
			t.Errorf("%s: read %q, want %q", what, got, want)
		}
	}
	step("more", "one\n", func() { appendTo(t, path, "one\n") })
	step("renamed, and written to once more", "late\ntwo\n", func() {
		if err := os.Rename(path, path+".1"); err != nil {
			t.Fatal(err)
		}
		appendTo(t, path, "two\n")
		appendTo(t, path+".1", "late\n")
	})
	step("copied and emptied, with more in the copy", "in the copy\nthree\n", func() {
		appendTo(t, path, strings.Repeat("long enough to know the file by ", 4)+"\n")
		readUntil(t, tail, "by \n")
		appendTo(t, path, "in the copy\n")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		appendTo(t, path+".1", "")
		if err := os.WriteFile(path+".2", text, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		appendTo(t, path, "three\n")
	})
	step("emptied", "three and a half\n", func() {
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		appendTo(t, path, "three and a half\n")
	})
	step("emptied and filled beyond", strings.Repeat("four\n", 9), func() {
		if err := os.WriteFile(path, []byte(strings.Repeat("four\n", 9)), 0o644); err != nil {
			t.Fatal(err)
		}
	})
	step("away and back", "five\n", func() {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		appendTo(t, path, "five\n")
	})
}

// A reader that starts again goes on where it was, wherever the file is by then.
func TestTailResumes(t *testing.T) {
	before := strings.Repeat("read before the stop, and long enough to know the file by\n", 4)
	for name, change := range map[string]func(t *testing.T, path string){
		"as it was": func(*testing.T, string) {},
		"renamed": func(t *testing.T, path string) {
			if err := os.Rename(path, path+".1"); err != nil {
				t.Fatal(err)
			}
		},
		"copied and emptied": func(t *testing.T, path string) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path+".1", text, 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, 0); err != nil {
				t.Fatal(err)
			}
		},
		"compressed": func(t *testing.T, path string) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var packed bytes.Buffer
			w := gzip.NewWriter(&packed)
			w.Write(text)
			w.Close()
			if err := os.WriteFile(path+".1.gz", packed.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			os.Remove(path)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "app.log")
			appendTo(t, path, before)
			tail := record.OpenTail(record.TailOptions{Path: path})
			readUntil(t, tail, before)
			place := tail.Place(int64(len(before)))
			tail.Close()
			appendTo(t, path, "meanwhile\n")
			change(t, path)
			appendTo(t, path, "after\n")
			again := record.OpenTail(record.TailOptions{Path: path, From: &place})
			defer again.Close()
			if got := readUntil(t, again, "after\n"); got != "meanwhile\nafter\n" {
				t.Errorf("read %q", got)
			}
		})
	}
	t.Run("another file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "app.log")
		appendTo(t, path, before)
		tail := record.OpenTail(record.TailOptions{Path: path})
		readUntil(t, tail, before)
		place := tail.Place(int64(len(before)))
		tail.Close()
		if err := os.WriteFile(path, []byte(strings.Repeat("x", 2*len(before))+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		again := record.OpenTail(record.TailOptions{Path: path, From: &place})
		defer again.Close()
		if got := readUntil(t, again, "\n"); len(got) != 2*len(before)+1 {
			t.Errorf("read %d bytes of a file that was written anew, want all %d", len(got), 2*len(before)+1)
		}
	})
}

// The place of a byte is right behind a change of file.
func TestTailKnowsItsPlaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	appendTo(t, path, "12345\n")
	tail := record.OpenTail(record.TailOptions{Path: path})
	defer tail.Close()
	readUntil(t, tail, "12345\n")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, "678\n")
	readUntil(t, tail, "678\n")
	first, second := tail.Place(3), tail.Place(8)
	if first.Offset != 3 || second.Offset != 2 || first.Inode == second.Inode {
		t.Errorf("places %+v and %+v", first, second)
	}
}

// Of what was rotated several times meanwhile, nothing is left out; other logs of
// the folder are not read.
func TestTailReadsWhatWasRotatedMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	before := strings.Repeat("read before the stop, and long enough to know the file by\n", 4)
	appendTo(t, path, before)
	tail := record.OpenTail(record.TailOptions{Path: path})
	readUntil(t, tail, before)
	place := tail.Place(int64(len(before)))
	tail.Close()
	appendTo(t, path, "first\n")
	at := time.Now().Add(-time.Hour)
	for i, name := range []string{"app.log.2", "app.log.1", "app.log"} {
		if i > 0 {
			appendTo(t, path, fmt.Sprint("in ", name, "\n"))
		}
		if name != "app.log" {
			if err := os.Rename(path, filepath.Join(filepath.Dir(path), name)); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(filepath.Join(filepath.Dir(path), name), at, at.Add(time.Duration(i)*time.Minute)); err != nil {
				t.Fatal(err)
			}
		}
	}
	appendTo(t, filepath.Join(filepath.Dir(path), "app-debug.log"), "another log\n")
	again := record.OpenTail(record.TailOptions{Path: path, From: &place})
	defer again.Close()
	want := "first\nin app.log.1\nin app.log\n"
	if got := readUntil(t, again, "in app.log\n"); got != want {
		t.Errorf("read %q, want %q", got, want)
	}
}

// A file whose path is closed to the reader is followed by what opens it.
func TestTailFollowsAnOpener(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	appendTo(t, path, "one\n")
	tail := record.OpenTail(record.TailOptions{Path: "/closed/app.log", Open: func() (*os.File, error) { return os.Open(path) }})
	defer tail.Close()
	readUntil(t, tail, "one\n")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, "two\n")
	if got := readUntil(t, tail, "two\n"); got != "two\n" {
		t.Errorf("read %q behind the change of file", got)
	}
}

// Long lines, and those that a writer has not ended, neither grow the buffer for
// ever nor run into the next file's.
func TestLiveDecoderReadsLongLinesInABoundedBuffer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "app.log")
	long := strings.Repeat("x", 40<<10)
	appendTo(t, path, "short\n"+long+"\n"+long[:20<<10]+"\nafter\nhalf a line")
	tail := record.OpenTail(record.TailOptions{Path: path})
	defer tail.Close()
	timer := time.AfterFunc(20*time.Second, tail.Close)
	defer timer.Stop()
	decoder := record.NewDecoder(tail, record.Options{Source: oomdoc.SourceFile, MaxLine: 32 << 10, Live: true})
	next := func(want int, begins string) {
		t.Helper()
		var rec oomdoc.Record
		if err := decoder.Next(&rec); err != nil || len(rec.Text) != want || !strings.HasPrefix(string(rec.Text), begins) {
			t.Fatalf("%v, %d bytes %.20q, want %d that begin with %q", err, len(rec.Text), rec.Text, want, begins)
		}
	}
	next(5, "short")
	if got := decoder.Behind(); got != 6 {
		t.Errorf("behind %d, want 6", got)
	}
	next(32<<10, "xxx")
	next(20<<10, "xxx")
	next(5, "after")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, "another file\n")
	go func() {
		for range 40 {
			time.Sleep(50 * time.Millisecond)
			tail.Poll(time.Now())
		}
	}()
	next(11, "half a line")
	next(12, "another file")
	if place := tail.Place(decoder.Behind()); place.Offset != 13 {
		t.Errorf("place %+v, want 13 bytes into the second file", place)
	}
}
