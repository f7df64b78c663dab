package record_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
	tail := record.OpenTail(path, nil, true)
	defer tail.Close()
	step := func(what, want string, do func()) {
		t.Helper()
		do()
		tail.Wake()
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
	step("emptied", "three\n", func() {
		if err := os.Truncate(path, 0); err != nil {
			t.Fatal(err)
		}
		appendTo(t, path, "three\n")
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
		tail.Wake()
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
			tail := record.OpenTail(path, nil, false)
			readUntil(t, tail, before)
			place := tail.Place(int64(len(before)))
			tail.Close()
			appendTo(t, path, "meanwhile\n")
			change(t, path)
			appendTo(t, path, "after\n")
			again := record.OpenTail(path, &place, false)
			defer again.Close()
			if got := readUntil(t, again, "after\n"); got != "meanwhile\nafter\n" {
				t.Errorf("read %q", got)
			}
		})
	}
	t.Run("another file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "app.log")
		appendTo(t, path, before)
		tail := record.OpenTail(path, nil, false)
		readUntil(t, tail, before)
		place := tail.Place(int64(len(before)))
		tail.Close()
		if err := os.WriteFile(path, []byte(strings.Repeat("x", 2*len(before))+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		again := record.OpenTail(path, &place, false)
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
	tail := record.OpenTail(path, nil, false)
	defer tail.Close()
	readUntil(t, tail, "12345\n")
	if err := os.Rename(path, path+".1"); err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, "678\n")
	tail.Wake()
	readUntil(t, tail, "678\n")
	first, second := tail.Place(3), tail.Place(8)
	if first.Offset != 3 || second.Offset != 2 || first.Inode == second.Inode {
		t.Error(fmt.Sprintf("places %+v and %+v", first, second))
	}
}
