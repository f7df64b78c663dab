package session

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// beside runs the command in our own process group. A stream that is a terminal
// stays one: the command prints on a pseudo-terminal that passes bytes unchanged,
// and ours does to them what it always does.
func (r *run) beside() (Result, error) {
	signals := r.listen(syscall.SIGINT, syscall.SIGQUIT)
	defer signal.Stop(signals)
	command := &exec.Cmd{Path: r.path, Args: r.Args, Env: r.Environ, Stdin: r.In}
	var theirs []*os.File
	out, err := r.outlet(r.Out)
	if err != nil {
		return Result{}, err
	}
	theirs = append(theirs, out.write)
	command.Stdout, command.Stderr = out.write, out.write
	errors := out
	if !isSame(r.Out, r.Err) {
		if errors, err = r.outlet(r.Err); err != nil {
			closeAll(out.read, out.write)
			return Result{}, err
		}
		theirs = append(theirs, errors.write)
		command.Stderr = errors.write
	}
	if err := command.Start(); err != nil {
		closeAll(out.read, errors.read)
		for _, f := range theirs {
			closeAll(f)
		}
		return Result{}, r.cannotRun(unwrapped(err))
	}
	for _, f := range theirs {
		closeAll(f)
	}
	r.pumps.start(out.read, r.Out, r.CopyOut)
	if errors != out {
		r.pumps.start(errors.read, r.Err, r.CopyErr)
	}
	pid := command.Process.Pid
	r.Started(pid)
	ended := make(chan Result, 1)
	failed := make(chan error, 1)
	go func() {
		state, err := command.Process.Wait()
		if err != nil {
			failed <- fmt.Errorf("wait for command: %w", err)
			return
		}
		status, _ := state.Sys().(syscall.WaitStatus)
		ended <- Result{PID: pid, Status: status}
	}()
	for {
		select {
		case sig := <-signals:
			r.pass(command.Process, sig, out, errors)
		case result := <-ended:
			r.pumps.finish()
			return result, nil
		case err := <-failed:
			return Result{}, err
		}
	}
}

// pass hands a signal on. What is typed at the terminal reached the command by
// itself, as it is in the same process group.
func (r *run) pass(process *os.Process, sig os.Signal, outlets ...*outlet) {
	switch sig {
	case syscall.SIGWINCH:
		for _, o := range outlets {
			if o.terminal != nil {
				copySize(o.terminal, o.read)
			}
		}
		return
	case syscall.SIGPIPE:
		return
	case syscall.SIGINT, syscall.SIGQUIT:
		if inForeground() {
			return
		}
	}
	_ = process.Signal(sig) // one that has ended needs none
}

// inForeground tells that our process group is the one that the terminal's keys
// signal.
func inForeground() bool {
	terminal, err := os.OpenFile("/dev/tty", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	defer closeAll(terminal)
	return isForeground(terminal)
}

func isForeground(terminal *os.File) bool {
	group := 0
	err := control(terminal, func(fd int) (err error) {
		group, err = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return err
	})
	return err == nil && group == unix.Getpgrp()
}

// An outlet is where the command prints: what it writes to one end is read from
// the other.
type outlet struct {
	read, write *os.File
	terminal    *os.File // ours, where it is one
}

func (r *run) outlet(ours *os.File) (*outlet, error) {
	if !isTerminal(ours) {
		read, write, err := os.Pipe()
		if err != nil {
			return nil, fmt.Errorf("open pipe: %w", err)
		}
		return &outlet{read: read, write: write}, nil
	}
	settings, err := unix.IoctlGetTermios(int(ours.Fd()), unix.TCGETS)
	if err != nil {
		return nil, fmt.Errorf("read terminal: %w", err)
	}
	master, slave, err := openPTY()
	if err != nil {
		return nil, err
	}
	settings.Oflag &^= unix.OPOST
	if err := unix.IoctlSetTermios(int(slave.Fd()), unix.TCSETS, settings); err != nil {
		closeAll(master, slave)
		return nil, fmt.Errorf("set terminal: %w", err)
	}
	copySize(ours, master)
	return &outlet{read: master, write: slave, terminal: ours}, nil
}

// passed are the signals that mean the command, not us.
func passed() []os.Signal {
	return []os.Signal{
		syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM, syscall.SIGWINCH,
		syscall.SIGPIPE, // a write that fails says so
	}
}

// listen takes signals. One that was ignored stays so, for the command too
// (nohup(1)).
func (r *run) listen(also ...os.Signal) chan os.Signal {
	const room = 32
	signals := make(chan os.Signal, room)
	for _, sig := range append(passed(), also...) {
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
	return signals
}
