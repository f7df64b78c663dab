package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// java reads the errors of the Java virtual machine (HotSpot, OpenJ9): its heap
// and its class space, whose limits are its own, and what the machine refused it
// (src/hotspot/share/utilities/vmError.cpp, runtime/os.cpp).
func java() []mark {
	return []mark{
		{"java.lang.OutOfMemoryError: ", javaRefused},
		{"Could not allocate compressed class space: ", javaStart},
		{"Could not reserve enough space for ", javaStart},
		{"rror occurred during initialization of VM", func(s *scene, _ *span) { s.is(oomdoc.EngineJava) }},
		{"Native memory allocation (", javaNative},
		{"There is insufficient memory for the Java Runtime Environment to continue", javaInsufficient},
		{"os::commit_memory(", javaCommit},
	}
}

// javaReasons are the messages of OutOfMemoryError and the memory that each is
// about.
func javaReasons() []struct {
	text string
	pool oomdoc.Pool
} {
	return []struct {
		text string
		pool oomdoc.Pool
	}{
		{"Java heap space", oomdoc.PoolRuntime},
		{"GC overhead limit exceeded", oomdoc.PoolRuntime},
		{"Metaspace", oomdoc.PoolRuntime},
		{"Compressed class space", oomdoc.PoolRuntime},
		{"PermGen space", oomdoc.PoolRuntime},
		{"Requested array size exceeds VM limit", oomdoc.PoolRuntime},
		{"Direct buffer memory", oomdoc.PoolRuntime},
		{"Cannot reserve ", oomdoc.PoolRuntime}, // "N bytes of direct buffer memory", 17 and later
		{"Map failed", oomdoc.PoolHost},
		{"request ", oomdoc.PoolHost}, // "N bytes for Chunk::new. Out of swap space?"
		{"Out of swap space", oomdoc.PoolHost},
	}
}

// javaRefused reads "java.lang.OutOfMemoryError: Java heap space". A thread that
// could not be made is a limit of processes, not of memory.
func javaRefused(s *scene, sp *span) {
	if sp.isTalk() && !isJavaHead(sp.head) {
		return
	}
	for _, reason := range javaReasons() {
		if !bytes.HasPrefix(sp.rest(), []byte(reason.text)) {
			continue
		}
		e := oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: reason.pool, Operation: reason.text}
		if reason.pool == oomdoc.PoolRuntime {
			e.Refusal = oomdoc.RefusalCap
		}
		switch reason.text {
		case "Cannot reserve ": // "(allocated: 1, limit: 2)"
			e.Operation = "Direct buffer memory"
			e.Requested, e.InUse, e.Limit = wholeAfter(sp.rest(), reason.text), wholeAfter(sp.rest(), "(allocated: "), wholeAfter(sp.rest(), "limit: ")
		case "request ":
			if !bytes.Contains(sp.rest(), []byte("Out of swap space")) {
				return
			}
			e.Operation, e.Requested = "Out of swap space", wholeAfter(sp.rest(), reason.text)
		}
		s.fail(sp, e)
		return
	}
}

// isJavaHead tells the words that the virtual machine and its loggers put before
// an error.
func isJavaHead(head []byte) bool {
	head = bytes.TrimSpace(head)
	for _, end := range []string{"due to", "Caused by:", "nested exception is"} {
		if bytes.HasSuffix(head, []byte(end)) {
			return true
		}
	}
	return bytes.Contains(head, []byte("Exception in thread ")) || bytes.Contains(head, []byte("Uncaught exception")) ||
		bytes.Contains(head, []byte("UncaughtExceptionHandler"))
}

// javaStart reads that the machine did not have the address space or the memory
// that the virtual machine starts with: "Could not reserve enough space for
// 8388608KB object heap", "Could not allocate compressed class space: 1073741824
// bytes".
func javaStart(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: oomdoc.PoolHost}
	n, rest, ok := whole(sp.rest())
	switch {
	case ok && bytes.HasPrefix(rest, []byte("KB object heap")):
		e.Requested = times(&n, kib)
	case ok && bytes.HasPrefix(rest, []byte(" bytes")):
		e.Requested = &n
	case !bytes.HasPrefix(sp.rest(), []byte("object heap")):
		return
	}
	s.fail(sp, e)
}

// javaNative reads "# Native memory allocation (mmap) failed to map 12884901888
// bytes for committing reserved memory." The # is the report's own.
func javaNative(s *scene, sp *span) {
	if len(bytes.Trim(sp.head, "# ")) > 0 && sp.isTalk() {
		return
	}
	requested := wholeAfter(sp.rest(), " failed to map ")
	if requested == nil {
		requested = wholeAfter(sp.rest(), " failed to allocate ")
	}
	if requested == nil {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: oomdoc.PoolHost, Requested: requested})
}

func javaInsufficient(s *scene, sp *span) {
	if len(bytes.Trim(sp.head, "# ")) > 0 && sp.isTalk() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: oomdoc.PoolHost})
}

// javaCommit reads "OpenJDK 64-Bit Server VM warning: INFO:
// os::commit_memory(0x00000005c0000000, 8589934592, 0) failed; error='Not enough
// space' (errno=12)". 12 is ENOMEM.
func javaCommit(s *scene, sp *span) {
	if !bytes.Contains(sp.rest(), []byte("errno=12)")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineJava, Pool: oomdoc.PoolHost, Requested: wholeAfter(sp.rest(), ", ")})
}
