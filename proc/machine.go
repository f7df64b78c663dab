package proc

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
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
// *oomdoc.Error with a hint where a file is not there, may not be read, or does
// not hold what proc(5) says.
func Machine(procRoot string) (MachineInfo, error) {
	info := MachineInfo{PageSize: int64(os.Getpagesize())}
	if err := info.readMemory(procRoot); err != nil {
		return MachineInfo{}, err
	}
	var err error
	if info.BootID, err = BootID(procRoot); err != nil {
		return MachineInfo{}, err
	}
	if info.Release, err = readLine(procRoot, "sys/kernel/osrelease"); err != nil {
		return MachineInfo{}, err
	}
	return info, nil
}

// BootID reads the random id of this boot, a lower-case UUID with dashes;
// procRoot is /proc (random(4)). It fails as Machine does.
func BootID(procRoot string) (string, error) {
	const name = "sys/kernel/random/boot_id"
	id, err := readLine(procRoot, name)
	if err == nil && len(id) != len("7283aa4a-522b-4255-8893-9e9cd3085eb7") {
		return "", unreadable(procRoot, name, errNoUUID)
	}
	return id, err
}

const errNoUUID = constError("it has no UUID")

// readMemory reads meminfo's lines of the form "MemTotal:       2033492 kB"
// (proc_meminfo(5)).
func (info *MachineInfo) readMemory(procRoot string) error {
	const name = "meminfo"
	text, err := os.ReadFile(filepath.Join(procRoot, name))
	if err != nil {
		return unreadable(procRoot, name, err)
	}
	wanted := map[string]*int64{
		"MemTotal": &info.RAMBytes, "SwapTotal": &info.SwapTotalBytes, "SwapFree": &info.SwapFreeBytes,
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		field, rest, _ := strings.Cut(lines.Text(), ":")
		into, is := wanted[field]
		if !is {
			continue
		}
		size, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 53)
		if err != nil {
			return unreadable(procRoot, name, err)
		}
		*into = int64(size) << 10
	}
	if err := lines.Err(); err != nil {
		return unreadable(procRoot, name, err)
	}
	if info.RAMBytes == 0 {
		return unreadable(procRoot, name, errNoMemTotal)
	}
	return nil
}

const errNoMemTotal = constError("no MemTotal line")

func readLine(procRoot, name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(procRoot, name))
	if err != nil {
		return "", unreadable(procRoot, name, err)
	}
	line := strings.TrimSpace(string(text))
	if line == "" {
		return "", unreadable(procRoot, name, errEmpty)
	}
	return line, nil
}

const errEmpty = constError("it is empty")
