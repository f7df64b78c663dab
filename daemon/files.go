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

// A filesSource follows log files: those of containers and those that the
// configuration names. It finds in them what programs say. The service's lock
// guards it.
type filesSource struct {
	service    *service
	globs      []string
	containers *containerLogs           // nil: the configuration wants none
	files      map[string]*followedFile // by path
	read       filesRead
	shared     *applog.Recognizer // what all of them share
	limits     writerLimits
	readers    sync.WaitGroup
	dueTick    time.Time
	records    uint64
	gaps       uint64
	last       time.Time
	missing    map[string]error // globs and files that cannot be read
	tooMany    int
}

// filesRead is how far an earlier run came, and this one: what is stored.
type filesRead struct {
	// Named are the globs whose files were followed: what is new among them since
	// is news, what another glob names was there before.
	Named  []string                    `json:"named"`
	Places map[string]record.TailPlace `json:"places"` // by path
}

// A followedFile is one of them.
type followedFile struct {
	namedFile
	tail     *record.Tail
	programs *applog.Recognizer
	told     *tellings
	behind   int64 // offset in the tail's stream behind the last record
	openAt   int64 // of the oldest record that an open decision may need
	open     bool
}

const (
	// maxFiles bounds how many files are followed at a time, the youngest of those
	// that are named: each costs some 30 KiB.
	maxFiles = 128
	// maxFileLine is the longest line that is kept whole: a docker object of 16 KiB
	// of text with its escapes.
	maxFileLine = 32 << 10
	// lookEvery is how often the followed files are looked at, rescanEvery those
	// that are named: a new container is seen sooner.
	lookEvery   = time.Second
	rescanEvery = 10 * time.Second
)

func newFilesSource(s *service) (*filesSource, error) {
	c := s.options.Config
	f := &filesSource{
		service: s, globs: c.Files.Paths, files: make(map[string]*followedFile), missing: make(map[string]error),
		shared: applog.NewRecognizer(applog.Options{}),
	}
	if c.Files.Containers {
		f.containers = &containerLogs{open: s.hand, root: c.Names.DockerRoot}
	}
	return f, f.load()
}

// load reads how far an earlier run came.
func (f *filesSource) load() error {
	f.read = filesRead{Places: make(map[string]record.TailPlace)}
	database := f.service.database.Load()
	if database == nil {
		return nil // it is read from here on
	}
	position, err := database.LoadPosition(oomdoc.SourceFile)
	if err != nil || position == nil {
		return err
	}
	if err := json.Unmarshal([]byte(position.Cursor), &f.read); err != nil || f.read.Places == nil {
		f.service.log.Warn("cannot understand how far the log files were read; they are read from here on", "error", err)
		f.read = filesRead{Places: make(map[string]record.TailPlace)}
	}
	return nil
}

// run follows until ctx ends.
func (f *filesSource) run(ctx context.Context) {
	mark := &folderMark{open: f.service.hand}
	defer mark.close()
	var due time.Time
	for first := true; ctx.Err() == nil; first = false {
		now := time.Now()
		if rescan := !now.Before(due); rescan || f.containers != nil && mark.changed() {
			if rescan && f.containers != nil {
				mark.again()
			}
			f.choose(first)
			due = now.Add(rescanEvery)
		}
		pause := lookEvery
		if f.poll(now) == 0 && len(mark.folders) == 0 {
			pause = rescanEvery
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
	f.service.mu.Lock()
	f.stopAll()
	f.service.mu.Unlock()
	f.readers.Wait()
}

// poll looks at the followed files and gives how many they are.
func (f *filesSource) poll(now time.Time) int {
	f.service.mu.Lock()
	defer f.service.mu.Unlock()
	for _, file := range f.files {
		file.tail.Poll(now)
	}
	return len(f.files)
}

// choose follows the files that are named now.
func (f *filesSource) choose(first bool) {
	missing := make(map[string]error)
	var found []namedFile
	for _, glob := range f.globs {
		found = append(found, matching(glob, missing)...)
	}
	if f.containers != nil {
		found = append(found, f.containers.files()...)
	}
	files, tooMany := youngest(found)
	for i := range files {
		f.name(&files[i])
	}
	f.service.mu.Lock()
	defer f.service.mu.Unlock()
	for what, err := range missing {
		if f.missing[what] == nil {
			f.service.log.Warn("a log file of the configuration cannot be followed now", "path", what, "error", err)
		}
	}
	if tooMany > 0 && f.tooMany == 0 {
		f.service.log.Warn("there are more log files than are followed at a time; the youngest are", "followed", maxFiles, "others", tooMany)
	}
	f.missing, f.tooMany = missing, tooMany
	f.followOnly(files, first)
}

// name finds what the container of a file is called, once.
func (f *filesSource) name(file *namedFile) {
	f.service.mu.Lock()
	known := f.files[file.path]
	f.service.mu.Unlock()
	switch {
	case file.container == "":
	case known != nil:
		file.facts = known.facts
	case file.facts.Name == "":
		owner := oomdoc.Owner{Container: file.container}
		file.facts = f.service.memory.names.lookUp([]oomdoc.Owner{owner})[file.container]
	}
}

// followOnly begins with files that are new and ends with those that are named no
// more. A file that was renamed is followed where it was begun.
func (f *filesSource) followOnly(files []namedFile, first bool) {
	for path, file := range f.files {
		if !slices.ContainsFunc(files, func(n namedFile) bool { return n.path == path }) {
			f.keep(file)
			file.tail.Close()
			delete(f.files, path)
		}
	}
	for _, named := range files {
		if f.files[named.path] == nil && !f.isRead(named.file) {
			f.follow(named, first)
		}
	}
	if first {
		f.read.Named = append(slices.Clone(f.globs), byContainers)
		f.service.writer.moved(time.Now())
		f.service.nudge()
	}
	for path := range f.read.Places { // of files that are not followed any more some are kept
		if len(f.read.Places) <= 2*maxFiles {
			break
		}
		if f.files[path] == nil {
			delete(f.read.Places, path)
		}
	}
}

// isRead tells a file that is being read under another name.
func (f *filesSource) isRead(id fileID) bool {
	for _, file := range f.files {
		place := file.place()
		if place.Device == id.device && place.Inode == id.inode {
			return true
		}
	}
	return false
}

// follow begins with a file. What was in it when oomdoc saw it first is history,
// unless it is new among those that an earlier run followed.
func (f *filesSource) follow(named namedFile, first bool) {
	o := record.TailOptions{Path: named.path, Open: named.open}
	if place, known := f.read.Places[named.path]; known {
		o.From = &place
	} else {
		o.AtEnd = first && !slices.Contains(f.read.Named, named.by)
	}
	file := &followedFile{namedFile: named, programs: f.shared.Sibling(), told: newTellings(), tail: record.OpenTail(o)}
	f.files[named.path] = file
	if file.tail.Lost() {
		f.gaps++
		f.service.writer.addGap(store.Gap{
			Source: oomdoc.SourceFile, BootID: f.service.bootID, Time: time.Now(), Reason: "rotated away before it was read: " + named.path,
		})
	}
	f.readers.Go(func() { f.readFile(file) })
}

func (f *filesSource) stopAll() {
	for path, file := range f.files {
		f.keep(file)
		file.tail.Close()
		delete(f.files, path)
	}
}

// readFile reads one file until it is not followed any more.
func (f *filesSource) readFile(file *followedFile) {
	decoder := record.NewDecoder(file.tail, record.Options{Source: oomdoc.SourceFile, MaxLine: maxFileLine, Live: true})
	var rec oomdoc.Record
	for decoder.Next(&rec) == nil {
		f.record(file, &rec, decoder.Behind())
	}
}

// record takes a line of a file.
func (f *filesSource) record(file *followedFile, rec *oomdoc.Record, behind int64) {
	s := f.service
	s.mu.Lock()
	defer s.mu.Unlock()
	if f.files[file.path] != file {
		return // it is not followed any more
	}
	if !file.open {
		file.openAt = min(file.behind, rec.Offset)
	}
	place := file.tail.Place(file.openAt) // where a decision began stays, whatever the name's next file is
	rec.Offset = file.tail.Place(rec.Offset).Offset
	rec.Read, rec.BootID, rec.HasSeq, rec.Usec = time.Now(), s.bootID, false, oomdoc.NoUsec
	rec.Replayed = !rec.Time.IsZero() && rec.Time.Before(s.started)
	if rec.Facility == oomdoc.FacilityKernel { // anybody may write what a file says
		rec.Facility = oomdoc.FacilityUnknown
	}
	f.recognise(file, rec.Raw, func() {
		file.programs.Feed(rec, func(ev oomdoc.Event) { f.event(file, place, ev) })
	})
	wasOpen := file.open
	file.behind, file.open = behind, file.programs.Open()
	f.records++
	f.last = rec.Read
	if s.writer.positionDue.IsZero() || file.open != wasOpen { // else the loop knows when it is due
		s.writer.moved(rec.Read)
		s.nudge()
	}
}

// recognise runs a part of the recogniser. A fault in it costs that line.
func (f *filesSource) recognise(file *followedFile, raw []byte, do func()) {
	defer func() {
		if value := recover(); value != nil {
			f.service.panics++
			file.programs = f.shared.Sibling()
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
	if file.container != "" && !file.own(&ev) {
		return
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

// own makes an event one of the container whose output the file is. What a
// container prints of killers of the machine tells nothing: it is not one of them.
func (file *followedFile) own(ev *oomdoc.Event) bool {
	if ev.Program == nil {
		return ev.UserKill != nil && ev.UserKill.Killer == oomdoc.KillerRay
	}
	owned := *ev.Program
	owned.Container, owned.ContainerName = file.container, file.facts.Name
	owned.Pod, owned.Namespace = file.facts.PodName, file.facts.Namespace
	ev.Program = &owned
	return true
}

// place is where a restart must read on.
func (file *followedFile) place() record.TailPlace {
	if file.open {
		return file.tail.Place(file.openAt)
	}
	return file.tail.Place(file.behind)
}

// keep notes how far a file was read; one that could not be opened stays as it was.
func (f *filesSource) keep(file *followedFile) {
	if place := file.place(); place.Inode != 0 {
		f.read.Places[file.path] = place
	}
}

// position is how far the files were read.
func (f *filesSource) position() (store.Position, bool) {
	if f.read.Named == nil {
		return store.Position{}, false // nothing was looked at yet
	}
	for _, file := range f.files {
		f.keep(file)
	}
	cursor, err := json.Marshal(f.read)
	if err != nil {
		f.service.log.Warn("cannot note how far the log files were read", "error", err)
		return store.Position{}, false
	}
	return store.Position{Source: oomdoc.SourceFile, Cursor: string(cursor)}, true
}

// rewind reads again from the stored places: incidents were dropped.
func (f *filesSource) rewind() {
	var named []namedFile
	for path, file := range f.files {
		named = append(named, file.namedFile)
		file.tail.Close()
		delete(f.files, path)
	}
	if err := f.load(); err != nil {
		f.service.log.Warn("cannot find out how far the log files were read before", "error", err)
	}
	for _, file := range named {
		f.follow(file, true)
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
