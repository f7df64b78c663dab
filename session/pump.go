package session

import (
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// afterwards is how long what is still printed is waited for when the command
// has ended and something that it started keeps its output open.
const afterwards = 100 * time.Millisecond

// maxAfterwards bounds how much of that is carried: all that a pipe can hold.
const maxAfterwards = 1 << 20

// pumps carry what is printed from where the command prints to where we do.
type pumps struct {
	all   []*pump
	wait  sync.WaitGroup
	ended atomic.Bool // the command
}

type pump struct {
	from, to *os.File
	copy     func([]byte)
}

// start carries what comes from one file to another, at once and byte for byte.
func (p *pumps) start(from, to *os.File, copied func([]byte)) {
	one := &pump{from, to, copied}
	p.all = append(p.all, one)
	p.wait.Go(func() {
		defer closeAll(from)
		p.carry(one)
	})
}

// finish carries what is left when the command has ended.
func (p *pumps) finish() {
	p.ended.Store(true)
	for _, one := range p.all {
		_ = one.from.SetReadDeadline(time.Now().Add(afterwards)) // closed ones are done
	}
	p.wait.Wait()
}

func (p *pumps) carry(one *pump) {
	const size = 32 << 10
	buffer := make([]byte, size)
	for left := maxAfterwards; left > 0; {
		n, err := one.from.Read(buffer)
		if n > 0 {
			if writeAll(one.to, buffer[:n]) != nil {
				return // nobody reads: closing tells the command so, as without us
			}
			if one.copy != nil {
				one.copy(buffer[:n])
			}
		}
		if err != nil {
			return // the end; a terminal says EIO
		}
		if p.ended.Load() {
			left -= n
			_ = one.from.SetReadDeadline(time.Now().Add(afterwards)) // it is open
		}
	}
}

// writeAll waits where another program has made our terminal not wait.
func writeAll(to *os.File, text []byte) error {
	for len(text) > 0 {
		n, err := to.Write(text)
		text = text[n:]
		switch {
		case err == nil:
		case errors.Is(err, syscall.EAGAIN):
			const forEver = -1
			_, _ = unix.Poll([]unix.PollFd{{Fd: int32(to.Fd()), Events: unix.POLLOUT}}, forEver) // Write says what is wrong
		default:
			return err
		}
	}
	return nil
}
