package proc

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/oomdoc/oomdoc"
)

// constError is an error that is a constant.
type constError string

func (e constError) Error() string { return string(e) }

// unreadable says why a file of /proc cannot be used and what to do: name is its
// path below procRoot.
func unreadable(procRoot, name string, err error) error {
	if pathError, is := errors.AsType[*fs.PathError](err); is {
		err = pathError.Err // the path stands in the outer error
	}
	failed := &oomdoc.Error{Code: oomdoc.CodeFailed, Op: "read", Path: filepath.Join(procRoot, name), Err: err}
	switch {
	case errors.Is(err, fs.ErrPermission):
		failed.Code, failed.Hint = oomdoc.CodeNotPermitted, "run it as root: sudo oomdoc daemon"
	case !errors.Is(err, fs.ErrNotExist):
		failed.Hint = "see what is mounted there: findmnt " + procRoot
	case isMounted(procRoot):
		// proc(5), subset=pid: processes are there and nothing else is.
		failed.Hint = "remove ProcSubset=pid from the unit, or mount all of it: mount -t proc proc " + procRoot
	default:
		failed.Hint = "mount -t proc proc " + procRoot
	}
	return failed
}

// isMounted tells whether a /proc is there at all.
func isMounted(procRoot string) bool {
	_, err := os.Lstat(filepath.Join(procRoot, "self"))
	return err == nil
}
