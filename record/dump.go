package record

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// How much of a persistent store is looked at: a platform keeps a few dumps of
// some tens of KiB, and systemd-pstore moves them all to one folder.
const (
	maxDumpFiles = 512
	maxDumpSize  = 512 << 10 // of one dump: its end counts
	maxDumpDepth = 3         // folders below the one that was named
	dumpWindow   = 20 * time.Second
)

// A Dump is one dump of the kernel's ring that outlived its boot (fs/pstore).
type Dump struct {
	Reason string    // "Panic", "Oops"; empty where the file does not say
	Time   time.Time // of the dump, as far as its name or its file tells
	Files  []string  // its parts, the oldest lines first

	count int // of the dumps of that boot
	first int // the number of the first part
}

// A dumpPart is one file. Part 1 has the newest lines.
type dumpPart struct {
	path   string
	reason string
	count  int
	part   int
	time   time.Time
}

// FindDumps looks for dumps in folders, the oldest dump first. What cannot be
// read is left out and told in the error, beside the dumps that were found.
func FindDumps(folders []string) ([]Dump, error) {
	var parts []dumpPart
	var failed error
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				failed = errors.Join(failed, err)
				return nil
			case entry.IsDir():
				return skipDeep(folder, path)
			case !isDumpName(entry.Name()) || !entry.Type().IsRegular():
				return nil
			case len(parts) >= maxDumpFiles:
				return fs.SkipAll
			}
			part, err := readPart(path)
			failed = errors.Join(failed, err)
			if err == nil {
				parts = append(parts, part)
			}
			return nil
		})
		failed = errors.Join(failed, err)
	}
	return groupParts(parts), failed
}

func skipDeep(folder, path string) error {
	below, err := filepath.Rel(folder, path)
	if err == nil && strings.Count(below, string(filepath.Separator)) >= maxDumpDepth {
		return fs.SkipDir
	}
	return nil
}

// isDumpName tells a dump of the ring: "dmesg-efi-162087524802001", "dmesg-ramoops-0",
// and what systemd-pstore puts together. One that the kernel could not unpack
// ends in .enc.z.
func isDumpName(name string) bool {
	return name == "dmesg.txt" || strings.HasPrefix(name, "dmesg-") && !strings.HasSuffix(name, ".z")
}

// Dumps puts the files together that are parts of one dump, and gives the paths
// that are none beside them, in their order.
func Dumps(paths []string) (dumps []Dump, others []string) {
	var parts []dumpPart
	for _, path := range paths {
		part, err := readPart(path)
		if err != nil || part.part == 0 {
			others = append(others, path)
			continue
		}
		parts = append(parts, part)
	}
	return groupParts(parts), others
}

// readPart reads which part of which dump a file is.
func readPart(path string) (dumpPart, error) {
	file, err := os.Open(path)
	if err != nil {
		return dumpPart{}, err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return dumpPart{}, err
	}
	part := dumpPart{path: path, time: dumpTime(path, info.ModTime())}
	head := make([]byte, maxNameBytes)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return dumpPart{}, err
	}
	line, _, found := bytes.Cut(head[:n], []byte("\n"))
	if found && isDumpPart(line) {
		reason, rest, _ := bytes.Cut(line, []byte("#"))
		count, number, _ := bytes.Cut(rest, []byte(" Part"))
		wide, _ := whole(count)
		which, _ := whole(number)
		part.reason, part.count, part.part = string(reason), int(wide), int(which)
	}
	return part, nil
}

// dumpTime reads the time of a dump from its name: the EFI store numbers its
// records by (seconds*100 + part)*1000 + count (drivers/firmware/efi/efi-pstore.c,
// generic_id), and systemd-pstore names folders by the seconds.
func dumpTime(path string, modified time.Time) time.Time {
	const recordsPerSecond = 100_000
	const earliest, latest = 1_000_000_000, 1 << 33
	name := filepath.Base(path)
	if id, found := strings.CutPrefix(name, "dmesg-efi-"); found {
		digits, _, _ := strings.Cut(id, "-")
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n/recordsPerSecond >= earliest && n/recordsPerSecond < latest {
			return time.Unix(n/recordsPerSecond, 0)
		}
	}
	for folder := filepath.Dir(path); len(folder) > 1; folder = filepath.Dir(folder) {
		if n, err := strconv.ParseInt(filepath.Base(folder), 10, 64); err == nil && n >= earliest && n < latest {
			return time.Unix(n, 0)
		}
	}
	return modified
}

// groupParts puts the parts of each dump together: those of one folder, with one
// reason and count, written at about the same time. A file that is no part of
// one is a dump by itself.
func groupParts(parts []dumpPart) []Dump {
	slices.SortStableFunc(parts, func(a, b dumpPart) int {
		return cmp.Or(a.time.Truncate(dumpWindow).Compare(b.time.Truncate(dumpWindow)), cmp.Compare(filepath.Dir(a.path), filepath.Dir(b.path)),
			cmp.Compare(a.reason, b.reason), cmp.Compare(a.count, b.count), cmp.Compare(b.part, a.part), cmp.Compare(a.path, b.path))
	})
	var dumps []Dump
	for i := range parts {
		p := &parts[i]
		if n := len(dumps) - 1; n >= 0 && dumps[n].goesOn(p) {
			dumps[n].Files = append(dumps[n].Files, p.path)
			dumps[n].first = p.part
			continue
		}
		dumps = append(dumps, Dump{Reason: p.reason, Time: p.time, Files: []string{p.path}, count: p.count, first: p.part})
	}
	return dumps
}

// goesOn tells the part that follows the last one of the dump.
func (d *Dump) goesOn(p *dumpPart) bool {
	return p.part > 0 && d.first > p.part && d.Reason == p.reason && d.count == p.count &&
		filepath.Dir(d.Files[0]) == filepath.Dir(p.path) && p.time.Sub(d.Time).Abs() <= 2*dumpWindow
}

// Text is what the dump says, or its end where it is very long.
func (d *Dump) Text() ([]byte, error) {
	var text []byte
	for _, path := range d.Files {
		part, err := readEnd(path)
		if err != nil {
			return nil, err
		}
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(text, '\n')
		}
		text = append(text, part...)
		if over := len(text) - maxDumpSize; over > 0 {
			text = append(text[:0], text[over:]...)
		}
	}
	return text, nil
}

func readEnd(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if over := info.Size() - maxDumpSize; over > 0 {
		if _, err := file.Seek(over, io.SeekStart); err != nil {
			return nil, err
		}
	}
	return io.ReadAll(io.LimitReader(file, maxDumpSize))
}
