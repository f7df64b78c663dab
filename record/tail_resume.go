package record

import (
	"cmp"
	"compress/gzip"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	// headBytes is how much of a file's beginning tells it from another, and
	// tellsEnough how much of it must be known to tell a copy by it.
	headBytes   = 64
	tellsEnough = 32
	// maxRotated bounds how many files of a folder are looked at for the one that
	// was read before.
	maxRotated = 256
)

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
// has become, renamed, copied or compressed. What was rotated after that one is
// read in its turn.
func (t *Tail) resume(from TailPlace) {
	file, err := t.openName()
	if err == nil && isAt(file, from) {
		t.use(file, file, from, false)
		return
	}
	if err == nil {
		_ = file.Close() // it was only opened
	}
	t.place = from // whose file may have the name still, emptied
	if t.resumeRenamed(from) || t.resumeCopy(from) {
		return
	}
	t.lost = err == nil || from.Offset > 0
	t.open(false)
}

// isAt tells the file in which a place is, and goes there.
func isAt(file *os.File, place TailPlace) bool {
	here := placeOf(file)
	info, err := file.Stat()
	if err != nil || here.Device != place.Device || here.Inode != place.Inode || info.Size() < place.Offset || !beginsWith(file, place.Head) {
		return false
	}
	_, err = file.Seek(place.Offset, io.SeekStart)
	return err == nil
}

func (t *Tail) resumeRenamed(from TailPlace) bool {
	if t.opener != nil {
		return false // the folder is closed to this process
	}
	for _, old := range rotated(t.path, isSibling) {
		file, err := openRegular(old.path)
		if err != nil {
			continue
		}
		if isAt(file, from) {
			t.chain = after(rotated(t.path, isSuccessor), old)
			t.use(file, file, from, len(t.chain) > 0) // the last one may be written to yet
			return true
		}
		_ = file.Close() // it was only opened
	}
	return false
}

// resumeCopy goes on in a copy of the file that a place is in, which may be
// compressed: what it begins with tells it.
func (t *Tail) resumeCopy(from TailPlace) bool {
	if t.opener != nil || len(from.Head) < 2*tellsEnough {
		return false
	}
	candidates := rotated(t.path, isSibling)
	for i := len(candidates) - 1; i >= 0; i-- { // the youngest first
		file, in, err := openText(candidates[i].path)
		if err != nil {
			continue
		}
		if isCopy(file, in, from) {
			t.use(file, in, from, true)
			t.chain = after(rotated(t.path, isSuccessor), candidates[i])
			return true
		}
		_ = file.Close() // it was only opened
	}
	return false
}

// isCopy tells a file that begins as that of a place does and reaches beyond it,
// and goes there.
func isCopy(file *os.File, in io.Reader, place TailPlace) bool {
	head := make([]byte, len(place.Head)/2)
	if _, err := io.ReadFull(in, head); err != nil || hex.EncodeToString(head) != place.Head || place.Offset < int64(len(head)) {
		return false
	}
	if in == io.Reader(file) {
		info, err := file.Stat()
		if err != nil || info.Size() < place.Offset {
			return false
		}
		_, err = file.Seek(place.Offset, io.SeekStart)
		return err == nil
	}
	_, err := io.CopyN(io.Discard, in, place.Offset-int64(len(head)))
	return err == nil
}

// openRotated begins to read a rotated file that nobody has read yet.
func (t *Tail) openRotated(path string) bool {
	file, in, err := openText(path)
	if err != nil {
		return false
	}
	place := placeOf(file)
	if in == io.Reader(file) {
		place.Head = headOf(file)
	}
	t.use(file, in, place, true)
	return true
}

// openText opens a file of lines, compressed by gzip or not.
func openText(path string) (*os.File, io.Reader, error) {
	file, err := openRegular(path)
	if err != nil {
		return nil, nil, err
	}
	if filepath.Ext(path) != ".gz" {
		return file, file, nil
	}
	in, err := gzip.NewReader(file)
	if err != nil {
		_ = file.Close() // it was only opened
		return nil, nil, err
	}
	return file, in, nil
}

// A rotatedFile is one that a log may have become.
type rotatedFile struct {
	path string
	at   time.Time // when it was last written
}

// rotated are the files of a log's folder that its name fits, the oldest first.
func rotated(path string, fits func(log, name string) bool) []rotatedFile {
	folder, log := filepath.Split(path)
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil
	}
	var files []rotatedFile
	for _, entry := range entries {
		if entry.Name() == log || !fits(log, entry.Name()) || len(files) == maxRotated {
			continue
		}
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, rotatedFile{filepath.Join(folder, entry.Name()), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b rotatedFile) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.path, b.path)) })
	return files
}

// isSibling tells a name that a log may have been given: "app.log.1",
// "app.log-20261203", "app-2026-12-03.log", "app.log.1.gz". It is not enough to
// read a file by: "app-debug.log" fits too.
func isSibling(log, name string) bool {
	stem := strings.TrimSuffix(log, filepath.Ext(log))
	return stem != "" && strings.HasPrefix(name, stem)
}

// isSuccessor tells such a name by which a file is a part of the log: what it has
// more is a number or a date.
func isSuccessor(log, name string) bool {
	name = strings.TrimSuffix(name, ".gz")
	extension := filepath.Ext(log)
	rest, found := strings.CutPrefix(name, log)
	if !found {
		rest, found = strings.CutPrefix(name, strings.TrimSuffix(log, extension))
		if found {
			rest, found = strings.CutSuffix(rest, extension)
		}
	}
	return found && len(rest) > 1 && strings.Trim(rest, "0123456789-_.:T") == "" && strings.IndexByte("-._", rest[0]) >= 0
}

// after are the files that were last written after one.
func after(files []rotatedFile, one rotatedFile) (paths []string) {
	for _, file := range files {
		if file.at.After(one.at) && file.path != one.path {
			paths = append(paths, file.path)
		}
	}
	return paths
}
