package proc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
)

// maxMaps bounds what is read of a list of mappings. Each read of it holds the
// lock on the process's memory, and a process may have a million; what a program
// loads it maps early and low. A training job has some thousand lines of about a
// hundred bytes.
const maxMaps = 2 << 20

// longestMapping bounds a line: an address range, and a path of which each byte
// may be written as four (seq_file.c, mangle_path).
const longestMapping = 128 + 4*4096

// A mapped file is one that a process has mapped.
type mapped struct {
	path  string
	bytes int64 // from its beginning to the end of what is mapped
	exec  bool
}

// readMaps calls visit with each file that is mapped where its path is wanted,
// once for neighbouring mappings of one file (proc_pid_maps(5)). The first file of
// all is always visited: it is the program.
func readMaps(from io.Reader, buffer *bufio.Reader, wanted func(path []byte) bool, visit func(mapped)) {
	lines := buffer
	lines.Reset(io.LimitReader(from, maxMaps))
	defer lines.Reset(nil)
	var last mapped
	first := true
	for {
		line, err := lines.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue // no kernel writes such a line; what follows of it has no path
		}
		if err != nil {
			break // the end, or the process is gone; a line without its end was cut
		}
		at := bytes.IndexByte(line, '/')
		if at < 0 {
			continue
		}
		path := line[at : len(line)-1]
		if string(path) != last.path {
			if last.path != "" {
				visit(last)
			}
			last = mapped{}
			if !first && !wanted(path) {
				continue
			}
			first = false
			last.path = string(path)
		}
		end, exec, ok := mappedUntil(line[:at])
		if ok {
			last.bytes, last.exec = max(last.bytes, end), last.exec || exec
		}
	}
	if last.path != "" {
		visit(last)
	}
}

// mappedUntil reads "55d0c0a00000-55d0c0a28000 r-xp 00002000 fe:00 1234": where in
// the file the mapping ends.
func mappedUntil(line []byte) (end int64, exec, ok bool) {
	var fields [3][]byte
	for i := range fields {
		field, rest, has := bytes.Cut(line, []byte{' '})
		if !has {
			return 0, false, false
		}
		fields[i], line = field, rest
	}
	low, high, has := bytes.Cut(fields[0], []byte{'-'})
	from, errFrom := strconv.ParseUint(string(low), 16, 64)
	to, errTo := strconv.ParseUint(string(high), 16, 64)
	offset, errOffset := strconv.ParseUint(string(fields[2]), 16, 64)
	if !has || errFrom != nil || errTo != nil || errOffset != nil || to < from || offset > math.MaxInt64-(to-from) {
		return 0, false, false
	}
	size := offset + (to - from)
	return int64(size), bytes.IndexByte(fields[1], 'x') >= 0, size <= math.MaxInt64
}
