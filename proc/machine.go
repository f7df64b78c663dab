package proc

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// MachineInfo is what this machine has, sizes in bytes.
type MachineInfo struct {
	RAMBytes       int64 // MemTotal: what the kernel manages, less than what is built in
	SwapTotalBytes int64
	SwapFreeBytes  int64
	PageSize       int64
	BootID         string // lower-case UUID with dashes
	Release        string // of the kernel, as uname -r prints it
}

// Machine reads what this machine has; procRoot is /proc. It fails as an
// *oomdoc.Error where a file is not there or does not hold what proc(5) says.
func Machine(procRoot string) (MachineInfo, error) {
	info := MachineInfo{PageSize: int64(os.Getpagesize())}
	if err := info.readMemory(filepath.Join(procRoot, "meminfo")); err != nil {
		return MachineInfo{}, err
	}
	var err error
	if info.BootID, err = BootID(procRoot); err != nil {
		return MachineInfo{}, err
	}
	if info.Release, err = readLine(filepath.Join(procRoot, "sys/kernel/osrelease")); err != nil {
		return MachineInfo{}, err
	}
	return info, nil
}

// BootID reads the random id of this boot; procRoot is /proc (random(4)).
func BootID(procRoot string) (string, error) {
	return readLine(filepath.Join(procRoot, "sys/kernel/random/boot_id"))
}

// readMemory reads meminfo's lines of the form "MemTotal:       2033492 kB".
func (info *MachineInfo) readMemory(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return unreadable(path, err)
	}
	wanted := map[string]*int64{
		"MemTotal": &info.RAMBytes, "SwapTotal": &info.SwapTotalBytes, "SwapFree": &info.SwapFreeBytes,
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		name, rest, _ := strings.Cut(lines.Text(), ":")
		into, is := wanted[name]
		if !is {
			continue
		}
		size, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 53)
		if err != nil {
			return unreadable(path, err)
		}
		*into = size << 10
	}
	if err := lines.Err(); err != nil {
		return unreadable(path, err)
	}
	if info.RAMBytes == 0 {
		return unreadable(path, errNoMemTotal)
	}
	return nil
}

const errNoMemTotal = constError("no MemTotal line")

// constError is an error that is a constant.
type constError string

func (e constError) Error() string { return string(e) }

func readLine(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", unreadable(path, err)
	}
	return strings.TrimSpace(string(text)), nil
}

func unreadable(path string, err error) error {
	if pathError, is := errors.AsType[*os.PathError](err); is {
		err = pathError.Err // the path stands in the outer error
	}
	return &oomdoc.Error{
		Code: oomdoc.CodeFailed, Op: "read", Path: path, Err: err,
		Hint: "mount -t proc proc /proc",
	}
}
