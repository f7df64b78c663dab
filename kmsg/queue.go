package kmsg

import (
	"context"
	"encoding/binary"
	"io"
	"sync"
	"time"
)

const (
	// queueChunk is how much the queue allocates at a time, so that it holds a
	// megabyte only while there is a megabyte to hold. It is larger than the
	// longest record (readBuffer) with its head.
	queueChunk = 64 << 10
	// queueHead is the fixed part before each raw record in a chunk.
	queueHead = 8 + 8 + 8 + 4 + 1
)

// A rawRecord is a record as read, with what the clocks said at that moment.
type rawRecord struct {
	raw     []byte
	arrival Moment
	stamped bool // the microseconds in its head are the kernel's own
}

// A rawQueue stands between the goroutine that reads and the one that
// understands. put never waits. The bytes held (heads included) stay within
// limit; the memory used within limit and two chunks.
//
// The last quarter is a reserve, open only to records that tell of a kill: a
// flood of other lines cannot push one out.
type rawQueue struct {
	limit int
	ready chan struct{} // holds a token when something was put
	done  chan struct{} // closed by close

	mu     sync.Mutex
	chunks [][]byte // oldest first; put appends to the last
	read   int      // bytes of chunks[0] already taken
	held   int      // bytes put and not yet taken
	spare  []byte   // an emptied chunk, kept for the next
	closed bool
}

func newRawQueue(limit int) *rawQueue {
	return &rawQueue{limit: limit, ready: make(chan struct{}, 1), done: make(chan struct{})}
}

// put copies a record in, or tells that there is no room for it.
func (q *rawQueue) put(raw []byte, arrival Moment, stamped bool) bool {
	size := queueHead + len(raw)
	q.mu.Lock()
	fits := !q.closed && q.fits(size, raw)
	if fits {
		q.append(size, raw, arrival, stamped)
	}
	q.mu.Unlock()
	if fits {
		select {
		case q.ready <- struct{}{}:
		default:
		}
	}
	return fits
}

func (q *rawQueue) fits(size int, raw []byte) bool {
	after := q.held + size
	if after <= q.limit-q.limit/4 {
		return true
	}
	return after <= q.limit && tellsOfKill(raw)
}

func (q *rawQueue) append(size int, raw []byte, arrival Moment, stamped bool) {
	last := len(q.chunks) - 1
	if last < 0 || len(q.chunks[last])+size > cap(q.chunks[last]) {
		q.chunks = append(q.chunks, q.newChunk(size))
		last++
	}
	chunk := q.chunks[last]
	chunk = binary.LittleEndian.AppendUint64(chunk, uint64(arrival.Wall.UnixNano()))
	chunk = binary.LittleEndian.AppendUint64(chunk, uint64(arrival.Monotonic))
	chunk = binary.LittleEndian.AppendUint64(chunk, uint64(arrival.Slept))
	chunk = binary.LittleEndian.AppendUint32(chunk, uint32(len(raw)))
	chunk = append(chunk, boolByte(stamped))
	q.chunks[last] = append(chunk, raw...)
	q.held += size
}

func (q *rawQueue) newChunk(size int) []byte {
	if spare := q.spare; spare != nil && size <= cap(spare) {
		q.spare = nil
		return spare
	}
	return make([]byte, 0, max(queueChunk, size))
}

// take copies the oldest record into *into, whose buffer it reuses. It waits
// for one; it returns ctx's error, or io.EOF once the queue is closed.
func (q *rawQueue) take(ctx context.Context, into *rawRecord) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		taken, closed := q.tryTake(into)
		switch {
		case closed:
			return io.EOF
		case taken:
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-q.done:
			return io.EOF
		case <-q.ready:
		}
	}
}

func (q *rawQueue) tryTake(into *rawRecord) (taken, closed bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.held == 0 {
		return false, q.closed
	}
	head := q.chunks[0][q.read:]
	into.arrival = Moment{
		Wall:      time.Unix(0, int64(binary.LittleEndian.Uint64(head))),
		Monotonic: time.Duration(binary.LittleEndian.Uint64(head[8:])),
		Slept:     time.Duration(binary.LittleEndian.Uint64(head[16:])),
	}
	size := queueHead + int(binary.LittleEndian.Uint32(head[24:]))
	into.stamped = head[28] != 0
	into.raw = append(into.raw[:0], head[queueHead:size]...)
	q.read += size
	q.held -= size
	if q.read == len(q.chunks[0]) {
		q.dropChunk()
	}
	return true, false
}

// dropChunk lets go of the first chunk, which was taken whole.
func (q *rawQueue) dropChunk() {
	q.spare = q.chunks[0][:0]
	q.chunks[0] = nil
	q.chunks = q.chunks[1:]
	q.read = 0
	if len(q.chunks) == 0 {
		q.chunks = nil
	}
}

func (q *rawQueue) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.held == 0
}

// close wakes take and drops what is left: it is still in the kernel's ring.
func (q *rawQueue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return
	}
	q.closed = true
	q.chunks, q.spare, q.read, q.held = nil, nil, 0, 0
	close(q.done)
}

func boolByte(b bool) byte {
	if b {
		return 1
	}
	return 0
}
