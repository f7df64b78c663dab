package applog

import (
	"bytes"
	"math"
)

// A unitSize is a unit that programs print sizes in.
type unitSize struct {
	name string
	size int64
}

// units are those of two powers, longest names first. PyTorch prints no larger
// unit than GiB (c10/cuda/CUDACachingAllocator.cpp, format_size).
func units() []unitSize {
	return []unitSize{
		{"bytes", 1}, {"TiB", 1 << 40}, {"GiB", gib}, {"MiB", mib}, {"KiB", kib}, {"Bytes", 1}, {"B", 1},
	}
}

// shortUnits are the same where a program means powers of two and writes "GB" or
// "G" for them.
func shortUnits() []unitSize {
	return []unitSize{
		{"TB", 1 << 40}, {"GB", gib}, {"MB", mib}, {"KB", kib}, {"kB", kib}, {"T", 1 << 40}, {"G", gib}, {"M", mib}, {"K", kib},
	}
}

// An amount is a size as it was printed.
type amount struct {
	bytes int64
	// grain is by how much it may be off: half of the last digit that was printed.
	grain int64
}

// notAvailable is what NVML gives for a size that it does not know (2^64-1), as
// PyTorch prints it.
const notAvailable = "17179869184.00 GiB"

// sizeAt reads "1.95 GiB", "63.97GiB" or "512 bytes" after blanks. A size that
// the driver did not know is none.
func sizeAt(text []byte, names []unitSize) (a amount, rest []byte, ok bool) {
	text = bytes.TrimLeft(text, " ")
	if bytes.HasPrefix(text, []byte(notAvailable)) {
		return amount{}, text[len(notAvailable):], false
	}
	n, rest, ok := decimal(text)
	if !ok {
		return amount{}, text, false
	}
	digits := decimals(text[:len(text)-len(rest)])
	rest = bytes.TrimPrefix(rest, []byte(".")) // NumPy's "512. MiB"
	rest = bytes.TrimLeft(rest, " ")
	for _, unit := range names {
		if after, is := bytes.CutPrefix(rest, []byte(unit.name)); is && !startsWord(after) {
			bytes := scaled(n, unit.size)
			if bytes == nil {
				return amount{}, after, false
			}
			grain := int64(0)
			if unit.size > 1 {
				grain = int64(float64(unit.size) / math.Pow10(digits) / 2)
			}
			return amount{bytes: *bytes, grain: grain}, after, true
		}
	}
	return amount{}, rest, false
}

// decimals counts the digits after the point.
func decimals(number []byte) int {
	at := bytes.IndexByte(number, '.')
	if at < 0 {
		return 0
	}
	return len(number) - at - 1
}

func startsWord(text []byte) bool {
	return len(text) > 0 && (text[0] >= 'a' && text[0] <= 'z' || text[0] >= 'A' && text[0] <= 'Z')
}

// sizeAfter reads the size that follows a mark.
func sizeAfter(text []byte, mark string) *amount { return sizeIn(text, mark, units()) }

func sizeIn(text []byte, mark string, names []unitSize) *amount {
	rest, found := after(text, mark)
	if !found {
		return nil
	}
	if a, _, ok := sizeAt(rest, names); ok {
		return &a
	}
	return nil
}

// sizeBefore reads the size that ends right before a mark: "15.12 MiB is free".
func sizeBefore(text []byte, mark string) *amount {
	at := bytes.Index(text, []byte(mark))
	if at < 0 {
		return nil
	}
	before := bytes.TrimRight(text[:at], " ")
	start := len(before)
	for start > 0 && (startsWord(before[start-1:]) || before[start-1] == ' ') { // the unit
		start--
	}
	for start > 0 && (isDigit(before[start-1]) || before[start-1] == '.') {
		start--
	}
	if a, _, ok := sizeAt(before[start:], units()); ok {
		return &a
	}
	return nil
}

// of gives the size, nil for none.
func (a *amount) of() *int64 {
	if a == nil {
		return nil
	}
	return new(a.bytes)
}

// coarsest is the largest grain of some sizes.
func coarsest(sizes ...*amount) (grain int64) {
	for _, a := range sizes {
		if a != nil {
			grain = max(grain, a.grain)
		}
	}
	return grain
}
