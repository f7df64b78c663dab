package record

import (
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
)

// A TailPlace is a place in a file that is followed by name: the file itself,
// how far it was read, and what it began with, because a number of an inode is
// used again and a file can be emptied and filled anew.
type TailPlace struct {
	Device uint64 `json:"device"`
	Inode  uint64 `json:"inode"`
	Offset int64  `json:"offset"`
	Head   string `json:"head,omitempty"`
	// Emptied counts how often the file was emptied while it was followed.
	Emptied int `json:"emptied,omitempty"`
}

// TailOptions say what a Tail follows.
type TailOptions struct {
	Path string
	// Open opens the file where its path is closed to this process; nil: by the
	// path.
	Open func() (*os.File, error)
	// From is where to go on; nil: at the start, or at the end where AtEnd is set.
	From  *TailPlace
	AtEnd bool
}

// A Tail reads a file that grows, by its name: when another takes the name it
// goes on there, after the end of the first; when the file is emptied it begins
// again, after what a copy of it has beyond the last byte that was read. Read is
// for one goroutine; Poll, Place and Close may be called beside it. Nothing but
// Poll makes it look.
type Tail struct {
	path   string
	opener func() (*os.File, error) // nil: by path

	mu       sync.Mutex
	changed  sync.Cond
	woken    bool
	closed   bool
	segments []segment
	failure  error // why the file cannot be read now
	lost     bool  // what stood behind From is not there any more
	lingers  bool  // another file has the name, and this one is read on for a while
	seen     looks
	nameDue  time.Time // when whoever has the name is asked for at the latest

	// What is read. Read's goroutine changes it, file under the lock.
	file   *os.File
	in     io.Reader // file, or what it was compressed from
	done   bool      // it is a copy, or rotated away long ago: it will not grow
	place  TailPlace
	stream int64     // bytes given so far
	last   byte      // of them
	owed   bool      // a line's end that its file has not
	quiet  time.Time // since when a file that has lost its name gives nothing
	left   time.Time // since when it has lost it
	asked  time.Time // when opener was asked last who has the name
	chain  []string  // rotated files that are read before the one that has the name
}

// A segment is a run of bytes that came from one file.
type segment struct {
	from  int64 // offset in the stream
	place TailPlace
}

const (
	// A file that has lost its name is read on: its writer learns of that later.
	// The next one is taken after so much quiet, and while that is empty, as
	// logrotate makes it, only after much more.
	lingerAfter   = time.Second
	lingerLongest = time.Minute
	maxSegments   = 16
)

// OpenTail makes a Tail. The file need not be there.
func OpenTail(o TailOptions) *Tail {
	t := &Tail{path: o.Path, opener: o.Open, woken: true, last: '\n'}
	t.changed.L = &t.mu
	if o.From != nil {
		t.resume(*o.From)
	} else {
		t.open(o.AtEnd)
	}
	return t
}

// Close ends the reading: Read gives io.EOF.
func (t *Tail) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.changed.Broadcast()
}

// Failure is why the file cannot be read now, nil when it can.
func (t *Tail) Failure() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.failure
}

// Lost tells that a part of the log was gone before it could be read.
func (t *Tail) Lost() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.lost
}

// Place is where a byte of the stream stands.
func (t *Tail) Place(offset int64) TailPlace {
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := len(t.segments) - 1; i >= 0; i-- {
		if s := t.segments[i]; s.from <= offset || i == 0 {
			place := s.place
			place.Offset += max(0, offset-s.from)
			return place
		}
	}
	return TailPlace{}
}

// Read waits for more.
func (t *Tail) Read(into []byte) (int, error) {
	for {
		if n := t.take(into); n > 0 {
			t.stream += int64(n)
			t.last = into[n-1]
			return n, nil
		}
		if t.turn(time.Now()) {
			continue
		}
		if !t.wait() {
			t.mu.Lock()
			defer t.mu.Unlock()
			t.closeFile()
			return 0, io.EOF
		}
	}
}

// take reads what is there now.
func (t *Tail) take(into []byte) int {
	if t.owed {
		t.owed = false
		into[0] = '\n'
		return 1
	}
	if t.in == nil {
		return 0
	}
	if !t.done && t.isEmptied() {
		t.again()
	}
	n, err := t.in.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		t.fail(err)
	}
	if n > 0 {
		t.place.Offset += int64(n)
		t.quiet = time.Time{}
		if !t.done && len(t.place.Head) < 2*headBytes {
			t.setHead(headOf(t.file))
		}
	}
	return n
}

// again goes to the start of a file that was emptied, by way of what a copy that
// was made before (logrotate's copytruncate) has behind the last byte that was
// read.
func (t *Tail) again() {
	if t.resumeCopy(t.place) {
		return
	}
	if _, err := t.file.Seek(0, io.SeekStart); err != nil {
		t.fail(err)
		return
	}
	t.place.Offset, t.place.Head = 0, ""
	t.place.Emptied++
	t.begin()
}

// turn goes to the next file: of the chain, else the one that has the name now,
// when this one is read to its end and nobody writes to it any more. It tells
// whether there is more to read.
func (t *Tail) turn(now time.Time) bool {
	for t.done && len(t.chain) > 0 {
		path := t.chain[0]
		t.chain = t.chain[1:]
		if t.openRotated(path) {
			return true
		}
	}
	if t.opener != nil && t.file != nil && !t.done && now.Sub(t.asked) < askAfter {
		return false
	}
	t.asked = now
	next := t.nameHolder()
	if next == nil {
		return false
	}
	if t.file != nil && !t.done && !t.mayLeave(next, now) {
		_ = next.Close() // it was only opened
		t.setLingers(true)
		return false
	}
	t.begun(next)
	return true
}

// nameHolder opens the file that has the name, where that is another than the one
// that is read; nil: it is the same, or there is none.
func (t *Tail) nameHolder() *os.File {
	var mine os.FileInfo
	if t.file != nil {
		if info, err := t.file.Stat(); err == nil {
			mine = info
		}
	}
	if t.opener == nil && mine != nil { // cheaper than to open it
		if info, err := os.Stat(t.path); err != nil || os.SameFile(mine, info) {
			t.isAt(err)
			return nil
		}
	}
	next, err := t.openName()
	if err != nil {
		t.isAt(err)
		return nil
	}
	if info, err := next.Stat(); err != nil || mine != nil && os.SameFile(mine, info) {
		_ = next.Close() // it was only opened
		t.isAt(err)
		return nil
	}
	return next
}

// isAt notes that the file still has its name, or why that is not known.
func (t *Tail) isAt(err error) {
	t.fail(err)
	if err == nil {
		t.quiet, t.left = time.Time{}, time.Time{}
		t.setLingers(false)
	}
}

func (t *Tail) setLingers(is bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lingers = is
}

// mayLeave tells that the file that has lost its name is done with.
func (t *Tail) mayLeave(next *os.File, now time.Time) bool {
	if t.left.IsZero() {
		t.left = now
	}
	if t.quiet.IsZero() {
		t.quiet = now
	}
	if now.Sub(t.left) >= lingerLongest {
		return true
	}
	info, err := next.Stat()
	return now.Sub(t.quiet) >= lingerAfter && err == nil && info.Size() > 0
}

func (t *Tail) openName() (*os.File, error) {
	if t.opener != nil {
		return t.opener()
	}
	return openRegular(t.path)
}

// open begins to read the file that has the name now.
func (t *Tail) open(atEnd bool) {
	file, err := t.openName()
	if err != nil {
		t.fail(err)
		return
	}
	t.begun(file)
	if atEnd {
		if end, err := file.Seek(0, io.SeekEnd); err == nil {
			t.place.Offset = end
			t.setHead(headOf(file))
			t.mu.Lock()
			t.segments[len(t.segments)-1].place = t.place
			t.mu.Unlock()
		}
	}
}

// begun begins to read a file at its start.
func (t *Tail) begun(file *os.File) {
	place := placeOf(file)
	if place.Device == t.place.Device && place.Inode == t.place.Inode {
		place.Emptied = t.place.Emptied + 1
	}
	t.use(file, file, place, false)
}

// use reads on in a file, from a place.
func (t *Tail) use(file *os.File, in io.Reader, place TailPlace, done bool) {
	t.mu.Lock()
	t.closeFile()
	t.file, t.lingers = file, false
	t.mu.Unlock()
	t.in, t.place, t.done = in, place, done
	t.quiet, t.left = time.Time{}, time.Time{}
	t.fail(nil)
	t.begin()
}

// closeFile lets go of the file. The lock is held.
func (t *Tail) closeFile() {
	if t.file != nil {
		_ = t.file.Close() // it was only read
	}
	t.file = nil
}

// begin notes that what is read from here on is from another place. A line that
// has no end in its file ends there all the same.
func (t *Tail) begin() {
	t.owed = t.last != '\n'
	from := t.stream
	if t.owed {
		from++
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.segments = append(t.segments, segment{from, t.place})
	if len(t.segments) > maxSegments {
		t.segments = append(t.segments[:0], t.segments[1:]...)
	}
}

func (t *Tail) setHead(head string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.place.Head = head
	if n := len(t.segments); n > 0 {
		t.segments[n-1].place.Head = head
	}
}

// isEmptied tells a file that was cut, or emptied and filled anew.
func (t *Tail) isEmptied() bool {
	info, err := t.file.Stat()
	return err == nil && (info.Size() < t.place.Offset || !beginsWith(t.file, t.place.Head))
}

func (t *Tail) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failure = err
}

// wait waits until something may have changed; false when it was closed.
func (t *Tail) wait() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for !t.woken && !t.closed {
		t.changed.Wait()
	}
	t.woken = false
	return !t.closed
}

// openRegular opens a file of lines, and waits for nothing: a pipe of that name
// would hold us up.
func openRegular(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err != nil {
		_ = file.Close() // it was only opened
		return nil, err
	}
	return file, nil
}

func placeOf(file *os.File) TailPlace {
	info, err := file.Stat()
	if err != nil {
		return TailPlace{}
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return TailPlace{}
	}
	return TailPlace{Device: uint64(stat.Dev), Inode: stat.Ino} //nolint:unconvert // Dev has another size on other machines
}
