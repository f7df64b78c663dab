package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/record"
	"github.com/oomdoc/oomdoc/store"
	"github.com/oomdoc/oomdoc/systemd"
)

// A filesSource follows the log files that the configuration names, and finds in
// them what programs say. The service's lock guards it, but for what is said of
// other locks.
type filesSource struct {
	service *service
	globs   []string
	files   map[string]*followedFile // by path
	places  map[string]record.TailPlace
	known   bool // places are of an earlier run: what came since is news
	limits  writerLimits
	readers sync.WaitGroup
	dueTick time.Time
	records uint64
	last    time.Time
	missing map[string]error // globs and files that cannot be read
	tooMany int
}

// A followedFile is one of them.
type followedFile struct {
	path     string
	tail     *record.Tail
	programs *applog.Recognizer
	told     *tellings
	behind   int64 // offset in the tail's stream behind the last record
	openAt   int64 // of the oldest record that an open decision may need
	open     bool
}

const (
	// maxFiles bounds how many files are followed at a time, of those that the
	// globs name the youngest: each costs 200 KiB.
	maxFiles = 16
	// maxFileLine is the longest line that is kept whole: a docker object of 16 KiB
	// of text with its escapes.
	maxFileLine = 32 << 10
)

func newFilesSource(s *service) (*filesSource, error) {
	f := &filesSource{service: s, globs: s.options.Config.Files.Paths, files: make(map[string]*followedFile), missing: make(map[string]error)}
	return f, f.load()
}

// load reads how far an earlier run came.
func (f *filesSource) load() error {
	f.places, f.known = make(map[string]record.TailPlace), false
	database := f.service.database.Load()
	if database == nil {
		return nil // it is read from here on
	}
	position, err := database.LoadPosition(oomdoc.SourceFile)
	if err != nil || position == nil {
		return err
	}
	f.known = true
	if err := json.Unmarshal([]byte(position.Cursor), &f.places); err != nil {
		f.service.log.Warn("cannot understand how far the log files were read; they are read from here on", "error", err)
		f.places, f.known = make(map[string]record.TailPlace), false
	}
	return nil
}

// run follows until ctx ends.
func (f *filesSource) run(ctx context.Context) {
	watch := newFolderWatch(f.service.log)
	defer watch.close()
	for first := true; ctx.Err() == nil; first = false {
		f.service.mu.Lock()
		f.choose(first)
		paths := f.wakeAll()
		f.service.mu.Unlock()
		watch.folders(f.globs, paths)
		watch.wait(ctx)
	}
	f.service.mu.Lock()
	f.stopAll()
	f.service.mu.Unlock()
	f.readers.Wait()
}

// choose follows the files that the globs name now.
func (f *filesSource) choose(first bool) {
	paths, tooMany, missing := namedFiles(f.globs)
	for what, err := range missing {
		if f.missing[what] == nil {
			f.service.log.Warn("a log file of the configuration cannot be followed now", "path", what, "error", err)
		}
	}
	if tooMany > 0 && f.tooMany == 0 {
		f.service.log.Warn("the configuration names more log files than are followed at a time; the youngest are", "followed", maxFiles, "others", tooMany)
	}
	f.missing, f.tooMany = missing, tooMany
	for path, file := range f.files {
		if !slices.Contains(paths, path) {
			f.places[path] = file.place()
			file.tail.Close()
			delete(f.files, path)
		}
	}
	for _, path := range paths {
		if f.files[path] == nil {
			f.follow(path, first)
		}
	}
	f.forgetPlaces()
}

// follow begins with a file. What was in it when oomdoc saw it first is history,
// unless an earlier run could have known it.
func (f *filesSource) follow(path string, first bool) {
	var from *record.TailPlace
	if place, known := f.places[path]; known {
		from = &place
	}
	file := &followedFile{path: path, programs: applog.NewRecognizer(applog.Options{}), told: newTellings()}
	file.tail = record.OpenTail(path, from, first && !f.known)
	f.files[path] = file
	f.readers.Go(func() { f.read(file) })
}

// forgetPlaces keeps of files that are not followed any more the places of some.
func (f *filesSource) forgetPlaces() {
	for path := range f.places {
		if len(f.places) <= 4*maxFiles {
			return
		}
		if f.files[path] == nil {
			delete(f.places, path)
		}
	}
}

func (f *filesSource) wakeAll() (paths []string) {
	for path, file := range f.files {
		file.tail.Wake()
		paths = append(paths, path)
	}
	return paths
}

func (f *filesSource) stopAll() {
	for path, file := range f.files {
		f.places[path] = file.place()
		file.tail.Close()
		delete(f.files, path)
	}
}

// read reads one file until it is not followed any more.
func (f *filesSource) read(file *followedFile) {
	for {
		decoder := record.NewDecoder(file.tail, record.Options{Source: oomdoc.SourceFile, MaxLine: maxFileLine, Live: true})
		var rec oomdoc.Record
		start := file.behind
		for {
			err := decoder.Next(&rec)
			if err == nil {
				f.record(file, &rec, start)
				continue
			}
			break
		}
		// The end, or bytes that are no log: those are passed over.
		rest := make([]byte, 4<<10)
		n, err := file.tail.Read(rest)
		if err != nil {
			return
		}
		f.service.mu.Lock()
		file.behind += int64(n)
		f.service.mu.Unlock()
	}
}

// record takes a line of a file.
func (f *filesSource) record(file *followedFile, rec *oomdoc.Record, start int64) {
	s := f.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.files[file.path] != file {
		return // it is not followed any more
	}
	at := start + rec.Offset
	place := file.tail.Place(at)
	rec.Offset = place.Offset
	rec.Read, rec.BootID, rec.HasSeq, rec.Usec = time.Now(), s.bootID, false, oomdoc.NoUsec
	if rec.Facility == oomdoc.FacilityKernel { // anybody may write what a file says
		rec.Facility = oomdoc.FacilityUnknown
	}
	if !file.open {
		file.openAt = at
	}
	f.recognise(file, rec.Raw, func() {
		file.programs.Feed(rec, func(ev oomdoc.Event) { f.event(file, place, ev) })
	})
	file.behind = at + int64(len(rec.Raw)) + 1
	file.open = file.programs.Open()
	f.records++
	f.last = rec.Read
	s.writer.moved(rec.Read)
	s.nudge()
}

// recognise runs a part of the recogniser. A fault in it costs that line.
func (f *filesSource) recognise(file *followedFile, raw []byte, do func()) {
	defer func() {
		if value := recover(); value != nil {
			f.service.panics++
			file.programs = applog.NewRecognizer(applog.Options{})
			f.service.log.Error("a line of a log file could not be understood and was passed over",
				"path", file.path, "record", fmt.Sprintf("%.512s", raw), "panic", value)
		}
	}()
	do()
}

// event takes what was found in a file. A line without a time is of when it was
// read, and its file tells it from the same line in another.
func (f *filesSource) event(file *followedFile, place record.TailPlace, ev oomdoc.Event) {
	if ev.Time.IsZero() {
		ev.Time, ev.TimeApproximate = ev.Read, true
		ev.ID = applog.EventID(ev.Kind, ev.ID, fmt.Sprint(place.Device, " ", place.Inode, " ", place.Emptied))
	}
	t := file.told.of(&ev)
	if t == nil {
		t = &telling{dropped: !f.limits.allow(systemd.Writer{Unit: file.path}, time.Now())}
		file.told.add(&ev, t)
	}
	if t.dropped {
		return
	}
	f.service.diagnose.Add(ev)
}

// place is where a restart must read on.
func (file *followedFile) place() record.TailPlace {
	if file.open {
		return file.tail.Place(file.openAt)
	}
	return file.tail.Place(file.behind)
}

// position is how far the files were read.
func (f *filesSource) position() (store.Position, bool) {
	for path, file := range f.files {
		f.places[path] = file.place()
	}
	if len(f.places) == 0 {
		return store.Position{}, false
	}
	cursor, err := json.Marshal(f.places)
	if err != nil {
		f.service.log.Warn("cannot note how far the log files were read", "error", err)
		return store.Position{}, false
	}
	return store.Position{Source: oomdoc.SourceFile, Cursor: string(cursor)}, true
}

// rewind reads again from the stored places: incidents were dropped.
func (f *filesSource) rewind() {
	for path, file := range f.files {
		file.tail.Close()
		delete(f.files, path)
	}
	if err := f.load(); err != nil {
		f.service.log.Warn("cannot find out how far the log files were read before", "error", err)
	}
	for path := range f.places {
		f.follow(path, false)
	}
}

// nextDue is when the source must act though no line comes; zero: never.
func (f *filesSource) nextDue(now time.Time) time.Time {
	due := f.limits.due
	for _, file := range f.files {
		if file.programs.Open() {
			if f.dueTick.IsZero() {
				f.dueTick = now.Add(tickEvery)
			}
			return earlier(due, f.dueTick)
		}
	}
	return due
}

func (f *filesSource) due(now time.Time) {
	if !f.dueTick.IsZero() && !now.Before(f.dueTick) {
		f.dueTick = time.Time{}
		for _, file := range f.files {
			place := file.place()
			f.recognise(file, nil, func() {
				file.programs.Tick(now, func(ev oomdoc.Event) { f.event(file, place, ev) })
			})
			file.open = file.programs.Open()
		}
		f.service.writer.moved(now)
	}
	for _, over := range f.limits.over(now) {
		f.service.log.Warn("a log file told of more failures than are taken", "path", over.writer, "dropped", over.dropped)
		f.service.writer.addGap(store.Gap{
			Source: oomdoc.SourceFile, BootID: f.service.bootID, Time: now, Lost: uint64(over.dropped), Exact: true,
			Reason: "rate limit of " + over.writer,
		})
		f.service.writer.moved(now)
	}
}
