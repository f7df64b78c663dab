package helper

import (
	"fmt"
	"os"
)

// Local opens files within this process, as far as it may.
type Local struct{ Roots Roots }

// OpenProcess opens a file of a process.
func (l Local) OpenProcess(pid int, file ProcessFile) (*os.File, error) {
	return l.open(request{op: opProcess, file: uint16(file), pid: uint32(pid)})
}

// OpenContainer opens a file of a container.
func (l Local) OpenContainer(id ContainerID, file ContainerFile) (*os.File, error) {
	return l.open(request{op: opContainer, file: uint16(file), id: id})
}

// OpenShared opens a file that tells of many containers.
func (l Local) OpenShared(file SharedFile) (*os.File, error) {
	return l.open(request{op: opShared, file: uint16(file)})
}

func (l Local) open(r request) (*os.File, error) {
	fd, err := l.Roots.open(r)
	if err != nil {
		path, _, _ := l.Roots.path(r)
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	return os.NewFile(uintptr(fd), "local"), nil
}
