// Command oomdoc finds out what died of memory on this machine, why, and what
// to do about it: the service and the command in one binary.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/view"
)

// version is set at link time.
var version = "unknown"

func main() {
	os.Exit(int(Main(os.Args[1:], Streams{os.Stdin, os.Stdout, os.Stderr}, os.Environ())))
}

// Streams are what a command reads and writes.
type Streams struct {
	In       *os.File
	Out, Err *os.File
}

// Main runs one command line and gives its exit status.
func Main(args []string, streams Streams, environ []string) oomdoc.Code {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	app := newApp(streams, environ)
	command := app.command()
	command.SetArgs(args)
	err := command.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	return report(streams.Err, err)
}

// errQuiet ends a command with a status and without a message: it has said
// what there is to say already.
type errQuiet oomdoc.Code

func (e errQuiet) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// report prints what went wrong and what to type next.
func report(w io.Writer, err error) oomdoc.Code {
	if quiet, ok := errors.AsType[errQuiet](err); ok {
		return oomdoc.Code(quiet)
	}
	if errors.Is(err, context.Canceled) {
		return oomdoc.CodeInterrupted
	}
	fmt.Fprintf(w, "oomdoc: %s\n", view.Escape(err.Error()))
	if hint := oomdoc.ErrorHint(err); hint != "" {
		fmt.Fprintf(w, "Try: %s\n", view.Escape(hint))
	}
	return oomdoc.ErrorCode(err)
}
