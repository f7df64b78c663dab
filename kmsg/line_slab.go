package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// readSlabCache reads a row of the slab table: name, used, total.
func readSlabCache(m *oomdoc.MemInfo, text []byte) bool {
	line := bytes.TrimRight(text, " ")
	line, total, ok := cutLastSize(line)
	if !ok {
		return false
	}
	line, used, ok := cutLastSize(line)
	if !ok {
		return false
	}
	if len(m.UnreclaimableSlab) < maxSlabCaches {
		m.UnreclaimableSlab = append(m.UnreclaimableSlab, oomdoc.SlabCache{
			Name: keepWord(bytes.TrimSpace(line)), Used: used, Total: total, Line: keep(text),
		})
	}
	return true
}

func cutLastSize(line []byte) (rest []byte, size int64, ok bool) {
	at := bytes.LastIndexByte(line, ' ')
	if at < 0 {
		return line, 0, false
	}
	size, ok = sized(line[at+1:])
	return bytes.TrimRight(line[:at], " "), size, ok
}

// isAllocationRow tells a row of the allocation profile: a size with its unit
// ("43.9 MiB", string_get_size), calls, "FILE:LINE [MODULE] func:NAME".
func isAllocationRow(text []byte) bool {
	size, rest := field(text)
	return len(size) > 0 && isDigit(size[0]) && bytes.Contains(rest, []byte(" func:"))
}
