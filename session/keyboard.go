package session

import (
	"fmt"
	"os"
	"sync"

	"golang.org/x/sys/unix"
)

// A keyboard carries what is typed to the command's terminal, while our terminal
// is ours: a background process that reads is stopped.
type keyboard struct {
	from, to  *os.File
	wakeRead  *os.File
	wakeWrite *os.File

	mu     sync.Mutex
	on     bool
	closed bool
}

func newKeyboard(from, to *os.File) (*keyboard, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe: %w", err)
	}
	k := &keyboard{from: from, to: to, wakeRead: read, wakeWrite: write}
	go k.run()
	return k, nil
}

// open tells that it carries.
func (k *keyboard) open() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.on
}

// set begins or ends the carrying.
func (k *keyboard) set(on bool) {
	k.mu.Lock()
	changed := k.on != on
	k.on = on
	k.mu.Unlock()
	if changed {
		_, _ = k.wakeWrite.Write([]byte{0}) // it has room: it is emptied at once
	}
}

func (k *keyboard) close() {
	k.mu.Lock()
	k.closed = true
	k.mu.Unlock()
	_, _ = k.wakeWrite.Write([]byte{0})
}

func (k *keyboard) state() (on, closed bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.on, k.closed
}

// run waits for keys and for what set and close say.
func (k *keyboard) run() {
	defer closeAll(k.wakeRead, k.wakeWrite)
	wake, keys := int32(k.wakeRead.Fd()), int32(k.from.Fd())
	buffer := make([]byte, 4<<10)
	for {
		on, closed := k.state()
		if closed {
			return
		}
		waiting := []unix.PollFd{{Fd: wake, Events: unix.POLLIN}}
		if on {
			waiting = append(waiting, unix.PollFd{Fd: keys, Events: unix.POLLIN})
		}
		const forEver = -1
		if _, err := unix.Poll(waiting, forEver); err != nil {
			continue // a signal came
		}
		if waiting[0].Revents != 0 {
			_, _ = k.wakeRead.Read(buffer[:1])
			continue
		}
		n, err := unix.Read(int(keys), buffer)
		if n <= 0 {
			if err != nil && err != unix.EINTR && err != unix.EAGAIN || n == 0 {
				k.mu.Lock()
				k.on = false // the terminal is gone
				k.mu.Unlock()
			}
			continue
		}
		if _, err := k.to.Write(buffer[:n]); err != nil {
			return
		}
	}
}
