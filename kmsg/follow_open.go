package kmsg

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// openRefusals say what a person can do about a /dev/kmsg that does not open.
// The first whose error matches is taken.
var openRefusals = []struct {
	err  error
	code oomdoc.Code
	hint string
}{
	// check_syslog_permissions, kernel/printk/printk.c.
	{unix.EPERM, oomdoc.CodeNotPermitted,
		"run as root or give CAP_SYSLOG: kernel.dmesg_restrict lets nobody else read it; in a container the capability must be the host's"},
	// File modes, and systemd's ProtectKernelLogs=.
	{fs.ErrPermission, oomdoc.CodeNotPermitted,
		"run as root; in a systemd unit set ProtectKernelLogs=no"},
	{fs.ErrNotExist, oomdoc.CodeFailed,
		"in a container start it with --device /dev/kmsg; in a systemd unit with PrivateDevices=yes set BindReadOnlyPaths=/dev/kmsg and DeviceAllow=/dev/kmsg r"},
	{errNotKmsg, oomdoc.CodeFailed,
		"in a container bind the host's /dev/kmsg over it; what is there now is a stand-in"},
	{unix.ENXIO, oomdoc.CodeFailed,
		"this kernel has no log device (CONFIG_PRINTK); read the journal instead"},
}

// hintDevkmsgOff is for printk.devkmsg=off, which shuts out root as well
// (devkmsg_open, kernel/printk/printk.c). Set at boot it cannot be undone.
const hintDevkmsgOff = "sysctl -w kernel.printk_devkmsg=ratelimit; if that is refused, take printk.devkmsg=off from the kernel command line and reboot"

// openError makes an error that helps from what open(2) said.
func openError(path, procRoot string, err error) error {
	result := &oomdoc.Error{Code: oomdoc.CodeFailed, Op: "open kernel log", Path: path, Err: err}
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		result.Err = pathError.Err // the path is named once
	}
	for _, refusal := range openRefusals {
		if errors.Is(err, refusal.err) {
			result.Code, result.Hint = refusal.code, refusal.hint
			break
		}
	}
	if errors.Is(err, unix.EPERM) && devkmsgOff(procRoot) {
		result.Hint = hintDevkmsgOff
	}
	return result
}

func devkmsgOff(procRoot string) bool {
	value, err := os.ReadFile(filepath.Join(procRoot, "sys/kernel/printk_devkmsg"))
	return err == nil && bytes.HasPrefix(value, []byte("off")) // unreadable: then it is not known to be off
}
