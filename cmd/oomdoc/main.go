// Command oomdoc finds out what died of memory on this machine, why, and what
// to do about it: the service and the command in one binary.
package main

import (
	"context"
	"errors"
	"fmt"
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
	return app.report(err)
}

// errQuiet ends a command with a status and without a message: it has said
// what there is to say already.
type errQuiet oomdoc.Code

func (e errQuiet) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

const keyTry oomdoc.Key = "cmd.try"

// report prints what went wrong, which is English always so that it can be
// searched for, and what to type next.
func (a *app) report(err error) oomdoc.Code {
	if quiet, ok := errors.AsType[errQuiet](err); ok {
		return oomdoc.Code(quiet)
	}
	if errors.Is(err, context.Canceled) {
		return oomdoc.CodeInterrupted
	}
	fmt.Fprintf(a.Err, "oomdoc: %s\n", view.Escape(err.Error()))
	hint := oomdoc.ErrorHint(err)
	if language, failed := a.language(); hint != "" && failed == nil {
		fmt.Fprintln(a.Err, view.Escape(language.Text(oomdoc.Say(keyTry, oomdoc.Args{"hint": oomdoc.Text(hint)}))))
	}
	return oomdoc.ErrorCode(err)
}
