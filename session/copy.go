package session

import (
	"io"
	"sync"
)

// maxCopy bounds what waits of a copy to be read.
const maxCopy = 1 << 20

// A Copy is a bounded queue of text between who prints and who looks at it.
// Writing never waits: what does not fit is counted and left out.
type Copy struct {
	mu     sync.Mutex
	more   sync.Cond
	text   []byte
	lost   uint64
	gap    bool // something was left out at the end of text
	closed bool
}

// NewCopy makes an empty one.
func NewCopy() *Copy {
	c := &Copy{}
	c.more.L = &c.mu
	return c
}

// Add takes a copy of a text.
func (c *Copy) Add(text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.text)+len(text)+1 > maxCopy {
		c.lost += uint64(len(text))
		c.gap = true
		return
	}
	if c.gap { // the line before the gap and the one behind it are two
		c.text = append(c.text, '\n')
		c.gap = false
	}
	c.text = append(c.text, text...)
	c.more.Signal()
}

// Close says that nothing will be added.
func (c *Copy) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.more.Signal()
}

// Lost is how many bytes were left out.
func (c *Copy) Lost() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// Read waits for text.
func (c *Copy) Read(into []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.text) == 0 {
		if c.closed {
			return 0, io.EOF
		}
		c.more.Wait()
	}
	n := copy(into, c.text)
	c.text = append(c.text[:0], c.text[n:]...)
	return n, nil
}
