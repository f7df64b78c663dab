package store

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// access tells whether this process may read a file, without opening it: see
// createFile for why. Faccessat with AT_EACCESS asks for the effective user.
func access(path string) error {
	if err := unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK, unix.AT_EACCESS); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	return nil
}
