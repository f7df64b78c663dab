package api

import (
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// A Peer is who asks.
type Peer struct {
	UID    int
	Groups []int // the primary one too
}

// peerOf asks the kernel who connected: the user and the groups that he had
// then (unix(7), SO_PEERCRED and SO_PEERGROUPS). No name service is asked.
func peerOf(connection *net.UnixConn) (Peer, error) {
	raw, err := connection.SyscallConn()
	if err != nil {
		return Peer{}, fmt.Errorf("find who asks: %w", err)
	}
	var credentials *unix.Ucred
	var groups []int
	var failed, without error
	err = raw.Control(func(fd uintptr) {
		credentials, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
		groups, without = peerGroups(fd)
	})
	if err = errors.Join(err, failed, without); err != nil {
		return Peer{}, fmt.Errorf("find who asks: %w", err)
	}
	return Peer{UID: int(credentials.Uid), Groups: append(groups, int(credentials.Gid))}, nil
}

// maxGroups is NGROUPS_MAX of the kernel (include/uapi/linux/limits.h).
const maxGroups = 65536

// peerGroups is getsockopt(SO_PEERGROUPS), 4.13 and newer, which
// golang.org/x/sys/unix has no function for. A first call tells the size.
func peerGroups(fd uintptr) ([]int, error) {
	list := make([]byte, 4*64)
	for {
		size := uint32(len(list))
		_, _, errno := unix.Syscall6(unix.SYS_GETSOCKOPT, fd, unix.SOL_SOCKET, unix.SO_PEERGROUPS,
			uintptr(unsafe.Pointer(&list[0])), uintptr(unsafe.Pointer(&size)), 0)
		switch {
		case errno == unix.ERANGE && int(size) > len(list) && size <= 4*maxGroups:
			list = make([]byte, size)
			continue
		case errno == unix.ENOPROTOOPT:
			return nil, nil // an older kernel: the primary group is what is left
		case errno != 0:
			return nil, errno
		}
		groups := make([]int, 0, size/4)
		for at := 0; at+4 <= int(size); at += 4 {
			groups = append(groups, int(binary.NativeEndian.Uint32(list[at:])))
		}
		return groups, nil
	}
}

// A Judge decides what a peer may see.
type Judge struct {
	// Groups are names or numbers of groups whose members see everything, beside
	// those of defaultGroups.
	Groups []string
}

// defaultGroups may read the journal of the whole machine (systemd-journald(8),
// "Access control"), so they may read what oomdoc makes of it.
func defaultGroups() []string { return []string{"adm", "systemd-journal", "wheel"} }

// SeesAll tells a peer who may see the incidents of every user. The names are
// looked up each time: a group may be made while the daemon runs.
func (j Judge) SeesAll(p Peer) bool {
	if p.UID == 0 || p.UID == os.Geteuid() {
		return true
	}
	for _, name := range append(defaultGroups(), j.Groups...) {
		gid, err := strconv.Atoi(name)
		if err != nil {
			group, err := user.LookupGroup(name)
			if err != nil {
				continue // no such group here
			}
			if gid, err = strconv.Atoi(group.Gid); err != nil {
				continue
			}
		}
		for _, member := range p.Groups {
			if member == gid {
				return true
			}
		}
	}
	return false
}

// IsOwn tells an incident of the peer: what died was his process, or stood
// below the slice that systemd makes for him alone.
func (p Peer) IsOwn(inc *oomdoc.Incident) bool {
	if inc.Process == nil {
		return false
	}
	if uid := inc.Process.UID; uid != nil {
		return *uid == p.UID || p.ownsSlice(inc.Process.Cgroup)
	}
	return p.ownsSlice(inc.Process.Cgroup)
}

func (p Peer) ownsSlice(cgroup string) bool {
	slice := "/user.slice/user-" + strconv.Itoa(p.UID) + ".slice/"
	return len(cgroup) > len(slice) && cgroup[:len(slice)] == slice
}
