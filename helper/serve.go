package helper

import (
	"errors"
	"fmt"
	"net"
	"time"

	"golang.org/x/sys/unix"
)

// maxClients is how many connections are served at a time. The daemon has one;
// while it restarts it may have two.
const maxClients = 4

// A Server answers the requests of one user.
type Server struct {
	UID     uint32 // who is admitted
	Roots   Roots
	Journal string // the journal's socket
	// Refused is told of each peer that was turned away; nil: nobody is.
	Refused func(uid uint32)
}

// Serve answers until the listener, which must be of sequential packets, fails
// or is closed.
func (s *Server) Serve(listener *net.UnixListener) error {
	places := make(chan struct{}, maxClients)
	for {
		connection, err := listener.AcceptUnix()
		if err != nil {
			return fmt.Errorf("accept client: %w", err)
		}
		if uid, err := peerUID(connection); err != nil || uid != s.UID {
			if s.Refused != nil {
				s.Refused(uid)
			}
			_ = connection.Close() // nothing was said
			continue
		}
		places <- struct{}{}
		go func() {
			defer func() { <-places }()
			defer func() { _ = connection.Close() }() // the client is gone or broke the protocol
			s.talk(connection)
		}()
	}
}

// peerUID is the user who connected, by the kernel's word (unix(7), SO_PEERCRED).
func peerUID(connection *net.UnixConn) (uint32, error) {
	raw, err := connection.SyscallConn()
	if err != nil {
		return 0, err
	}
	var credentials *unix.Ucred
	var failed error
	err = raw.Control(func(fd uintptr) {
		credentials, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err = errors.Join(err, failed); err != nil {
		return 0, err
	}
	return credentials.Uid, nil
}

// talk answers one client, packet by packet. What is no request ends it.
func (s *Server) talk(connection *net.UnixConn) {
	packet := make([]byte, headSize+maxEntry+1)
	for {
		n, _, flags, _, err := connection.ReadMsgUnix(packet, nil)
		if err != nil || n == 0 {
			return
		}
		r, err := decodeRequest(packet[:n])
		if err != nil || flags&(unix.MSG_TRUNC|unix.MSG_CTRUNC) != 0 {
			return
		}
		if s.answer(connection, r, packet[headSize:n]) != nil {
			return
		}
	}
}

func (s *Server) answer(connection *net.UnixConn, r request, body []byte) error {
	if r.op == opAlert {
		entry, err := native(body)
		if err == nil {
			err = sendNative(s.Journal, entry, time.Duration(r.wait)*time.Millisecond)
		}
		return reply(connection, -1, err)
	}
	fd, err := s.Roots.open(r)
	if err == nil {
		defer func() { _ = unix.Close(fd) }() // the client has its own
	}
	return reply(connection, fd, err)
}

// reply sends the result of a request and a descriptor, if there is one.
func reply(connection *net.UnixConn, fd int, err error) error {
	var errno unix.Errno
	what := resultOK
	switch {
	case err == nil:
	case errors.Is(err, errNoEntry):
		what = resultRefused
	case errors.Is(err, ErrJournalFull):
		what = resultFull
	default:
		what = resultFailed
		errno, _ = errors.AsType[unix.Errno](err) // 0 where the kernel named none
	}
	var rights []byte
	if fd >= 0 && err == nil {
		rights = unix.UnixRights(fd)
	}
	_, _, failed := connection.WriteMsgUnix(encodeReply(what, uint32(errno)), rights, nil)
	return failed
}
