package record

import (
	"compress/gzip"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// headBytes is how much of a file's beginning tells it from another.
const headBytes = 128

// maxRotated bounds how many files of a folder are looked at for the one that
// was read before.
const maxRotated = 256

// headOf is what a file begins with.
func headOf(file *os.File) string {
	head := make([]byte, headBytes)
	n, err := file.ReadAt(head, 0)
	if n == 0 && err != nil {
		return ""
	}
	return hex.EncodeToString(head[:n])
}

// beginsWith tells a file that begins so; it may have grown since.
func beginsWith(file *os.File, head string) bool { return strings.HasPrefix(headOf(file), head) }

// resume goes on at a place: in the file of that name, else in the one that it
// has become, renamed or compressed as well.
func (t *Tail) resume(from TailPlace) {
	if t.resumeIn(t.path, from) {
		return
	}
	for _, path := range rotated(t.path) {
		if t.resumeIn(path, from) || strings.HasSuffix(path, ".gz") && t.resumeCompressed(path, from) {
			return
		}
	}
	t.open(false)
}

func (t *Tail) resumeIn(path string, from TailPlace) bool {
	file, err := openRegular(path)
	if err != nil {
		return false
	}
	here := placeOf(file)
	info, err := file.Stat()
	if err != nil || here.Device != from.Device || here.Inode != from.Inode || info.Size() < from.Offset || !beginsWith(file, from.Head) {
		_ = file.Close() // it was only read
		return false
	}
	if _, err := file.Seek(from.Offset, io.SeekStart); err != nil {
		_ = file.Close() // it was only read
		return false
	}
	t.use(file, file, from)
	t.begin()
	return true
}

// resumeCompressed goes on in a file that was compressed since: what it begins
// with tells it.
func (t *Tail) resumeCompressed(path string, from TailPlace) bool {
	const tellsEnough = headBytes / 4
	if len(from.Head) < 2*tellsEnough {
		return false
	}
	file, err := openRegular(path)
	if err != nil {
		return false
	}
	fits := func() bool {
		in, err := gzip.NewReader(file)
		if err != nil {
			return false
		}
		head := make([]byte, len(from.Head)/2)
		if _, err := io.ReadFull(in, head); err != nil || hex.EncodeToString(head) != from.Head {
			return false
		}
		if from.Offset < int64(len(head)) {
			return false
		}
		if _, err := io.CopyN(io.Discard, in, from.Offset-int64(len(head))); err != nil {
			return false
		}
		t.use(file, in, from)
		t.begin()
		return true
	}
	if !fits() {
		_ = file.Close() // it was only read
		return false
	}
	return true
}

// rotated are the files that a file may have become: "log.1", "log-20261203",
// "log.1.gz", "name-2026-12-03.log".
func rotated(path string) []string {
	stem := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || stem == "" {
		return nil
	}
	var paths []string
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasPrefix(name, stem) && name != filepath.Base(path) && len(paths) < maxRotated {
			paths = append(paths, filepath.Join(filepath.Dir(path), name))
		}
	}
	return paths
}
