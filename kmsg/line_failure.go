package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// The kinds of allocation failures in oomdoc.AllocFailure.Kind.
const (
	failurePage    = "page"
	failureSlub    = "slub"
	failureVmalloc = "vmalloc"
	failureStall   = "stall"
	failurePercpu  = "percpu"
)

// A failureFormat is one text by which the kernel tells of a request that
// failed. With a comm, the line starts with the asking thread's name and the
// mark follows; without, the line starts with the mark.
type failureFormat struct {
	mark string
	comm bool
	kind string
	// bytesAfter and bytesBefore say between which words the size stands.
	bytesAfter, bytesBefore string
}

// failureFormats is in the order of trying (mm/page_alloc.c warn_alloc,
// mm/slub.c slab_out_of_memory, mm/vmalloc.c, mm/percpu.c pcpu_alloc).
var failureFormats = []failureFormat{
	{mark: ": page allocation failure", comm: true, kind: failurePage},
	{mark: ": page allocation stalls for ", comm: true, kind: failureStall},
	{mark: ": vmalloc error: size ", comm: true, kind: failureVmalloc, bytesAfter: ": vmalloc error: size "},
	{mark: ": vmalloc: allocation failure: ", comm: true, kind: failureVmalloc, bytesAfter: ": vmalloc: allocation failure: "},
	{mark: ": vmalloc: allocation failure, allocated ", comm: true, kind: failureVmalloc, bytesAfter: " of ", bytesBefore: " bytes"},
	{mark: "SLUB: Unable to allocate memory on ", kind: failureSlub},
	{mark: "SLAB: Unable to allocate memory on ", kind: failureSlub},
	{mark: "percpu: allocation failed, size=", kind: failurePercpu, bytesAfter: "size="},
	{mark: "vmap allocation for size ", kind: failureVmalloc, bytesAfter: "vmap allocation for size "},
}

// parseFailure reads the first line of a failed allocation's report.
func parseFailure(text []byte) (*oomdoc.AllocFailure, bool) {
	for i := range failureFormats {
		format := &failureFormats[i]
		at := bytes.Index(text, []byte(format.mark)) // 15 bytes of name cannot hold it
		if at < 0 || !format.comm && at > 0 || !plausibleComm(text[:at]) {
			continue
		}
		failure := &oomdoc.AllocFailure{Kind: format.kind, Comm: string(text[:at]), Line: keep(text)}
		format.read(failure, text[at:])
		return failure, true
	}
	return nil, false
}

func (f *failureFormat) read(failure *oomdoc.AllocFailure, rest []byte) {
	for _, key := range []string{"order:", "page order "} {
		if value, ok := after(rest, key); ok {
			failure.Order, _, _ = small(value)
			break
		}
	}
	for _, key := range []string{"mode:", "gfp="} {
		if value, ok := after(rest, key); ok {
			mask, names, _ := hexadecimal(value)
			failure.GFPMask, failure.GFP = mask, string(flagNames(names))
			break
		}
	}
	if f.bytesAfter == "" {
		return
	}
	if value, ok := after(rest, f.bytesAfter); ok {
		if size, unit, ok := number(value); ok && bytes.HasPrefix(unit, []byte(f.bytesBefore)) {
			failure.Bytes = new(size)
		}
	}
}

// readSlubCache adds the "  cache: NAME, object size: N, buffer size: N,
// default order: N, min order: N" line. Orders down to the smallest were
// tried, so that one failed.
func readSlubCache(failure *oomdoc.AllocFailure, text []byte) {
	if value, ok := after(text, "buffer size: "); ok {
		if size, _, ok := number(value); ok {
			failure.Bytes = new(size)
		}
	}
	if value, ok := after(text, "min order: "); ok {
		failure.Order, _, _ = small(value)
	}
}
