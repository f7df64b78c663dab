package oomdoc

import "errors"

// Code says what kind of failure an Error is; cmd/oomdoc turns it into an exit
// status.
type Code int

// The codes and their exit statuses (DESIGN "The command").
const (
	CodeFailed       Code = 1 // something went wrong
	CodeUsage        Code = 2 // the command line is wrong
	CodeNotFound     Code = 3 // nothing found
	CodeNotPermitted Code = 4 // this user may not
	CodeInterrupted  Code = 130
)

// An Error is a failure that a person can do something about: what was done
// (Op), to what (Path), why it failed (Err), and what to type next (Hint).
type Error struct {
	Code Code
	Op   string // "open", "read", "migrate"
	Path string // the file, socket or unit; may be empty
	Err  error
	Hint string // a sentence or a command; may be empty
}

// Error gives "op path: reason", without the hint.
func (e *Error) Error() string {
	text := e.Op
	if e.Path != "" {
		if text != "" {
			text += " "
		}
		text += e.Path
	}
	if e.Err != nil {
		if text != "" {
			text += ": "
		}
		text += e.Err.Error()
	}
	return text
}

// Unwrap gives the reason.
func (e *Error) Unwrap() error { return e.Err }

// ErrorCode finds the code of an error, CodeFailed when it has none.
func ErrorCode(err error) Code {
	if e, ok := errors.AsType[*Error](err); ok && e.Code != 0 {
		return e.Code
	}
	return CodeFailed
}

// ErrorHint finds the hint of an error, empty when it has none.
func ErrorHint(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Hint
	}
	return ""
}
