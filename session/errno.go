package session

import (
	"errors"
	"syscall"
)

// unwrapped is the kernel's own reason.
func unwrapped(err error) error {
	if number, ok := errors.AsType[syscall.Errno](err); ok {
		return number
	}
	return err
}
