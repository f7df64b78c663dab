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

// A Tail reads a file that grows, by its name: when another takes the name it
// goes on there, after the end of the first; when the file is emptied it begins
// again. Read is for one goroutine; Wake, Place and Close may be called beside
// it. Nothing but Wake makes it look, so that it costs nothing while nothing is
// written.
type Tail struct {
	path string

	mu       sync.Mutex
	changed  sync.Cond
	woken    bool
	closed   bool
	segments []segment
	failure  error // why the file cannot be read now

	file   *os.File
	in     io.Reader // file, or what it was compressed from
	place  TailPlace
	stream int64 // bytes given so far
	leave  time.Time
}

// A segment is a run of bytes that came from one file.
type segment struct {
	from  int64 // offset in the stream
	place TailPlace
}

const (
	// lingerAfter is how long a file that has lost its name is still read: its
	// writer learns of that later.
	lingerAfter = time.Second
	maxSegments = 16
)

// OpenTail makes a Tail. It begins at from, wherever that file is now; without
// one at the start of the file, or at its end where atEnd is set. The file need
// not be there.
func OpenTail(path string, from *TailPlace, atEnd bool) *Tail {
	t := &Tail{path: path, woken: true}
	t.changed.L = &t.mu
	switch {
	case from != nil:
		t.resume(*from)
	default:
		t.open(atEnd)
	}
	return t
}

// Wake says that something may have changed.
func (t *Tail) Wake() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.woken = true
	t.changed.Broadcast()
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
			t.place.Offset += int64(n)
			return n, nil
		}
		if t.turn() {
			continue
		}
		if !t.wait() {
			if t.file != nil {
				_ = t.file.Close() // it was only read
				t.file = nil
			}
			return 0, io.EOF
		}
	}
}

// take reads what is there now.
func (t *Tail) take(into []byte) int {
	if t.in == nil {
		return 0
	}
	if t.isEmptied() {
		emptied := t.place.Emptied + 1
		if _, err := t.file.Seek(0, io.SeekStart); err != nil {
			return 0
		}
		t.place.Offset, t.place.Head, t.place.Emptied = 0, "", emptied
		t.begin()
	}
	n, err := t.in.Read(into)
	if err != nil && !errors.Is(err, io.EOF) {
		t.fail(err)
	}
	if n > 0 && len(t.place.Head) < 2*headBytes && t.in == io.Reader(t.file) {
		t.setHead(headOf(t.file))
	}
	return n
}

// turn goes to the file that has the name now, when this one is read to its end
// and nobody writes to it any more; it tells whether there is more to read.
func (t *Tail) turn() bool {
	now, err := os.Stat(t.path)
	if err != nil {
		t.fail(err)
		return false
	}
	if t.file != nil {
		if mine, err := t.file.Stat(); err == nil && os.SameFile(mine, now) {
			t.leave = time.Time{}
			return false
		}
		if t.in == io.Reader(t.file) { // what is compressed will not grow
			if t.leave.IsZero() {
				t.leave = time.Now().Add(lingerAfter)
			}
			if time.Now().Before(t.leave) {
				return false
			}
		}
	}
	return t.open(false)
}

// open begins to read the file that has the name now.
func (t *Tail) open(atEnd bool) bool {
	file, err := openRegular(t.path)
	if err != nil {
		t.fail(err)
		return false
	}
	t.use(file, file, placeOf(file))
	if atEnd {
		if end, err := file.Seek(0, io.SeekEnd); err == nil {
			t.place.Offset = end
			t.place.Head = headOf(file)
		}
	}
	t.begin()
	return true
}

func (t *Tail) use(file *os.File, in io.Reader, place TailPlace) {
	if t.file != nil {
		_ = t.file.Close() // it was only read
	}
	t.file, t.in, t.place, t.leave = file, in, place, time.Time{}
	t.fail(nil)
}

// begin notes that what is read from here on is from another place.
func (t *Tail) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.segments = append(t.segments, segment{t.stream, t.place})
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
	if t.in != io.Reader(t.file) {
		return false
	}
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
	if !t.leave.IsZero() {
		later := time.AfterFunc(time.Until(t.leave)+time.Millisecond, t.Wake)
		defer later.Stop()
	}
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
		err = errors.New("is not a file")
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
