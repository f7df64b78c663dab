package session

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A seat is our terminal and the command's, and what is carried between them.
type seat struct {
	*run
	ours     *os.File // the terminal that a person works at
	settings unix.Termios
	master   *os.File
	keyboard *keyboard
	signals  chan os.Signal
	leader   int
	pid      int // of the command
}

// onTerminal runs the command in a session of its own, on a terminal of its own.
func (r *run) onTerminal() (Result, error) {
	settings, err := unix.IoctlGetTermios(int(r.In.Fd()), unix.TCGETS)
	if err != nil {
		return Result{}, fmt.Errorf("read terminal: %w", err)
	}
	master, slave, err := openPTY()
	if err != nil {
		return Result{}, err
	}
	defer closeAll(slave)
	if err := unix.IoctlSetTermios(int(slave.Fd()), unix.TCSETS, settings); err != nil {
		closeAll(master)
		return Result{}, fmt.Errorf("set terminal: %w", err)
	}
	copySize(r.In, master)
	s := &seat{run: r, ours: r.In, settings: *settings, master: master}
	s.signals = r.listen(syscall.SIGINT, syscall.SIGQUIT, syscall.SIGCONT)
	defer signal.Stop(s.signals)
	if s.keyboard, err = newKeyboard(s.ours, master); err != nil {
		closeAll(master)
		return Result{}, err
	}
	defer s.keyboard.close()
	word, err := s.start(slave)
	if err != nil {
		closeAll(master)
		return Result{}, err
	}
	return s.watch(word)
}

// start starts the leader, which starts the command and says so.
func (s *seat) start(slave *os.File) (*word, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("open pipe: %w", err)
	}
	defer closeAll(write)
	command := &exec.Cmd{
		Path: s.Leader[0], Args: append(append(append([]string{}, s.Leader...), s.path), s.Args...), Env: s.Environ,
		Stdin: slave, Stdout: slave, Stderr: slave, ExtraFiles: []*os.File{write},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0},
	}
	var errors *outlet
	if !isTerminal(s.Err) {
		if errors, err = s.outlet(s.Err); err != nil {
			closeAll(read)
			return nil, err
		}
		command.Stderr = errors.write
		defer closeAll(errors.write)
	}
	if err := command.Start(); err != nil {
		closeAll(read)
		return nil, s.cannotRun(unwrapped(err))
	}
	closeAll(slave, write)
	s.leader = command.Process.Pid
	s.takeTerminal()
	s.pumps.start(s.master, s.Out, s.CopyOut)
	if errors != nil {
		closeAll(errors.write)
		s.pumps.start(errors.read, s.Err, s.CopyErr)
	}
	w := &word{lines: bufio.NewScanner(read)}
	if err := w.started(); err != nil {
		s.giveBack()
		return nil, s.cannotRun(err)
	}
	s.pid = w.pid
	s.Started(w.pid)
	return w, nil
}

// watch goes on until the leader ends, whose stop is the command's.
func (s *seat) watch(w *word) (Result, error) {
	defer s.giveBack()
	changed := make(chan syscall.WaitStatus)
	failed := make(chan error, 1)
	go func() {
		for {
			status, err := wait(s.leader)
			if err != nil {
				failed <- err
				return
			}
			changed <- status
			if !status.Stopped() {
				return
			}
		}
	}()
	for {
		// A shell that puts a running job into the foreground tells it nothing.
		var look <-chan time.Time
		if !s.keyboard.open() {
			look = time.After(time.Second)
		}
		select {
		case sig := <-s.signals:
			s.handle(sig)
		case <-look:
			s.takeTerminal()
		case status := <-changed:
			if status.Stopped() {
				s.suspend()
				continue
			}
			s.pumps.finish()
			if end, known := w.ended(); known {
				status = end
			}
			return Result{PID: s.pid, Status: status}, nil
		case err := <-failed:
			return Result{}, err
		}
	}
}

func (s *seat) handle(sig os.Signal) {
	switch sig {
	case syscall.SIGWINCH:
		copySize(s.ours, s.master)
	case syscall.SIGPIPE:
	case syscall.SIGCONT:
		s.takeTerminal()
	default:
		if number, is := sig.(syscall.Signal); is && s.pid > 0 {
			_ = syscall.Kill(s.pid, number) // one that has ended needs none
		}
	}
}

// takeTerminal makes our terminal pass every byte on, if it is ours to use now.
func (s *seat) takeTerminal() {
	if !isForeground(s.ours) {
		s.keyboard.set(false)
		return
	}
	settings := raw(s.settings)
	if unix.IoctlSetTermios(int(s.ours.Fd()), unix.TCSETSW, &settings) == nil {
		copySize(s.ours, s.master)
		s.keyboard.set(true)
	}
}

// giveBack leaves our terminal as it was found.
func (s *seat) giveBack() {
	s.keyboard.set(false)
	if isForeground(s.ours) {
		_ = unix.IoctlSetTermios(int(s.ours.Fd()), unix.TCSETSW, &s.settings) // it may be gone
	}
}

// suspend stops us with the command, for the shell that started us, and lets
// both go on when that continues us.
func (s *seat) suspend() {
	s.giveBack()
	continued := make(chan os.Signal, 1)
	signal.Notify(continued, syscall.SIGCONT)
	defer signal.Stop(continued)
	// Our own group. Nothing of ours may ever have taken this signal: Go does not
	// give the kernel's own behaviour back (runtime, disablesig).
	_ = syscall.Kill(0, syscall.SIGTSTP)
	// Another thread may take the signal, so that this one still runs a little.
	// Where nobody can continue us the kernel does not stop us.
	const soon = 100 * time.Millisecond
	select {
	case <-continued:
	case <-time.After(soon):
	}
	s.takeTerminal()
	_ = syscall.Kill(s.leader, syscall.SIGCONT)
}
