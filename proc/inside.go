package proc

import (
	"bufio"
	"cmp"
	"errors"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// An inside is what is known of a process that is looked at closely.
type inside struct {
	trend   trend
	read    bool  // it has been read
	noMaps  bool  // what it has mapped may not be read, which another user's process tells nobody
	noEnv   bool  // nor its variables, and nobody else tells them
	climbs  bool  // it has grown of late
	pages   int64 // resident when it was
	library string
	exe     string
	outer   string // the engine of the process that started it
	inner   int    // its pid in the innermost namespace
}

const (
	// youngFor is how long a process counts as young: it is still loading, and what
	// it has open changes without its memory growing.
	youngFor = 2 * time.Minute
	// climbedBy, in percent and in pages: from here on a process has grown enough
	// since it was read that it may have opened another model.
	climbedBy    = 2
	climbedPages = 256
)

// hasClimbed tells a process that has grown since it was read.
func (in *inside) hasClimbed(pages int64) bool {
	return pages > in.pages+in.pages*climbedBy/100+climbedPages
}

// A finding is what the files of one process showed.
type finding struct {
	exe, dir string
	env      []string
	models   []oomdoc.ModelFile
	library  string
	noMaps   bool // it may not be read what it has mapped
	noEnv    bool // nor its variables
}

// look reads what a process has inside. Each file may be closed to us.
func (r *reader) look(pid int, withEnv bool) finding {
	var f finding
	f.exe = shortPath(strings.TrimSuffix(r.dir.link(pid, "exe"), deletedMark))
	f.dir = shortPath(strings.TrimSuffix(r.dir.link(pid, "cwd"), deletedMark))
	if withEnv {
		text, err := r.dir.readWhole(pid, "environ", maxEnviron)
		f.env, f.noEnv = Environment(text), errors.Is(err, os.ErrPermission)
	}
	maps, err := r.openMaps(pid)
	if err != nil {
		f.noMaps = true
		return f
	}
	first := r.readMapped(maps, &f)
	_ = maps.Close() // it was only read
	f.exe = cmp.Or(f.exe, first)
	r.readOpen(pid, &f)
	slices.SortStableFunc(f.models, func(a, b oomdoc.ModelFile) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return f
}

// maxEnviron bounds what is read of an environment: more is no person's.
const maxEnviron = 64 << 10

// maxPath bounds a path that is kept.
const maxPath = 512

func shortPath(text string) string {
	return strings.ToValidUTF8(cutText(text, min(len(text), maxPath)), "\uFFFD")
}

func (r *reader) openMaps(pid int) (*os.File, error) {
	file, err := r.dir.open(pid, "maps")
	if err != nil && r.maps != nil && errors.Is(err, os.ErrPermission) {
		return r.maps(pid)
	}
	return file, err
}

// readMapped reads what is mapped, and gives the path of the first file.
func (r *reader) readMapped(maps *os.File, f *finding) (first string) {
	forms, libraries := modelForms(), libraryNames()
	best := len(libraries)
	rank := func(base string) int {
		return slices.IndexFunc(libraries, func(name string) bool { return strings.HasPrefix(base, name) })
	}
	wanted := func(file []byte) bool { return isModel(forms, file) || rank(path.Base(string(file))) >= 0 }
	if r.lines == nil {
		r.lines = bufio.NewReaderSize(nil, longestMapping)
	}
	readMaps(maps, r.lines, wanted, func(m mapped) {
		first = cmp.Or(first, shortPath(strings.TrimSuffix(m.path, deletedMark)))
		if least, is := modelLeast(forms, m.path); is && m.bytes >= least {
			f.models = addModel(f.models, strings.TrimSuffix(m.path, deletedMark), m.bytes)
		} else if at := rank(path.Base(m.path)); at >= 0 && at < best {
			best, f.library = at, libraries[at]
		}
	})
	return first
}

// maxOpen bounds how many open files of a process are looked at.
const maxOpen = 1024

// readOpen finds models that are open and not mapped: they are being read.
func (r *reader) readOpen(pid int, f *finding) {
	forms := modelForms()
	r.dir.eachOpen(pid, maxOpen, func(folder int, name string) {
		file, err := linkAt(folder, name)
		if err != nil {
			return
		}
		least, is := modelLeast(forms, file)
		if !is {
			return
		}
		// What the file system has to ask another for (FUSE, NFS) is not asked.
		var about unix.Statx_t
		const how = unix.AT_STATX_DONT_SYNC | unix.AT_NO_AUTOMOUNT
		if unix.Statx(folder, name, how, unix.STATX_SIZE|unix.STATX_TYPE, &about) != nil || about.Mode&unix.S_IFMT != unix.S_IFREG {
			return
		}
		if size := int64(about.Size); size >= least {
			f.models = addModel(f.models, strings.TrimSuffix(file, deletedMark), size)
		}
	})
}

// mergeModels puts those that a process has open before those that it had: a
// library may close its files after loading.
func mergeModels(now, before []oomdoc.ModelFile) []oomdoc.ModelFile {
	merged := slices.Clone(now)
	for _, old := range before {
		known := slices.ContainsFunc(now, func(m oomdoc.ModelFile) bool {
			return m.Path == old.Path || m.Name == old.Name && path.Dir(m.Path) == path.Dir(old.Path)
		})
		if !known && len(merged) < maxModels && textOf(merged)+len(old.Path)+len(old.Name) <= maxModelText {
			old.Open = false
			merged = append(merged, old)
		}
	}
	return merged
}
