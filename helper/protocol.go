package helper

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
)

// DefaultSocket is where a packaged helper is asked.
const DefaultSocket = "/run/oomdoc-helper/helper.sock"

// A request is one packet: a head of headSize bytes, and only for opAlert an
// entry behind it. Numbers are little-endian.
//
//	0  magic  uint32
//	4  op     uint16
//	6  file   uint16    which file, of those that the op has
//	8  pid    uint32    0 but for opProcess
//	12 wait   uint32    milliseconds that the journal may take; 0 but for opAlert
//	16 id     [32]byte  of a container; 0 but for opContainer
const (
	magic    = 0x31444d4f // "OMD1": a later form gets another number
	headSize = 48
)

type op uint16

const (
	opAlert     op = 1 + iota // put an entry into the journal
	opProcess                 // open a file of a process
	opContainer               // open a file of a container
	opShared                  // open a file that tells of many containers
)

// A request is one request, decoded.
type request struct {
	op   op
	file uint16
	pid  uint32
	wait uint32
	id   ContainerID
}

func (r request) encode() []byte {
	head := make([]byte, headSize)
	binary.LittleEndian.PutUint32(head, magic)
	binary.LittleEndian.PutUint16(head[4:], uint16(r.op))
	binary.LittleEndian.PutUint16(head[6:], r.file)
	binary.LittleEndian.PutUint32(head[8:], r.pid)
	binary.LittleEndian.PutUint32(head[12:], r.wait)
	copy(head[16:], r.id[:])
	return head
}

// decodeRequest refuses every packet that encode would not make, so that there
// is one form of each request.
func decodeRequest(packet []byte) (request, error) {
	if len(packet) < headSize || binary.LittleEndian.Uint32(packet) != magic {
		return request{}, errNoRequest
	}
	r := request{
		op:   op(binary.LittleEndian.Uint16(packet[4:])),
		file: binary.LittleEndian.Uint16(packet[6:]),
		pid:  binary.LittleEndian.Uint32(packet[8:]),
		wait: binary.LittleEndian.Uint32(packet[12:]),
		id:   ContainerID(packet[16:headSize]),
	}
	isAlert := r.op == opAlert
	ok := isAlert == (len(packet) > headSize) && (isAlert || r.wait == 0) &&
		(r.op == opProcess) == (r.pid != 0) && (r.op == opContainer) == (r.id != ContainerID{})
	if !ok {
		return request{}, errNoRequest
	}
	return r, nil
}

var errNoRequest = errors.New("not a request")

// A reply is a result and the errno behind it. With resultOK to a request for a
// file its descriptor comes along.
const replySize = 8

type result uint32

const (
	resultOK      result = iota
	resultRefused        // not a request, or for a file that is none of ours
	resultFull           // the journal does not read its socket
	resultFailed         // see errno
)

func encodeReply(r result, errno uint32) []byte {
	reply := binary.LittleEndian.AppendUint32(make([]byte, 0, replySize), uint32(r))
	return binary.LittleEndian.AppendUint32(reply, errno)
}

// A ContainerID is the id of a container: 64 hexadecimal digits, as bytes.
type ContainerID [32]byte

// ParseContainerID reads an id as it stands in a cgroup path.
func ParseContainerID(text string) (ContainerID, bool) {
	var id ContainerID
	if len(text) != hex.EncodedLen(len(id)) {
		return id, false
	}
	n, err := hex.Decode(id[:], []byte(text))
	return id, err == nil && n == len(id) && id != ContainerID{}
}

func (id ContainerID) String() string { return hex.EncodeToString(id[:]) }
