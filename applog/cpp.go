package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// cpp reads what ends a C++ program whose operator new was refused (libstdc++'s
// and libc++'s terminate handlers), and OpenCV's allocator, which does the same
// by itself.
func cpp() []mark {
	return []mark{
		{"std::bad_alloc", cppRefused},
		{"(-4:Insufficient memory)", cppOpenCV},
	}
}

// cppRefused reads the name where a handler or an exception's text has it; code
// and documentation have it elsewhere. RMM's errors begin with it as well.
func cppRefused(s *scene, sp *span) {
	rest := bytes.TrimSpace(sp.rest())
	if bytes.HasPrefix(rest, []byte(": ")) && string(rest) != ": std::bad_alloc" || !isThrown(sp.head) {
		return
	}
	rest = bytes.TrimPrefix(rest, []byte("'"))
	if len(rest) > 0 && bytes.IndexByte([]byte(`:"'\,.}`), rest[0]) < 0 {
		return
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EngineCpp, Pool: oomdoc.PoolHost}
	if s.open != nil && s.open.err.Pool != "" && s.more(sp) != nil {
		return // the exception that a refusal became
	}
	s.fail(sp, e)
}

// isThrown tells what stands before an exception's name in a program's last
// words: a handler's sentence, or the class or level of an error.
func isThrown(head []byte) bool {
	for _, handler := range []string{
		"terminate called after throwing an instance of", "what():", "terminating with uncaught exception of type",
		"terminating due to uncaught exception of type",
	} {
		if bytes.Contains(head, []byte(handler)) {
			return true
		}
	}
	head = bytes.TrimSpace(head)
	lower := bytes.ToLower(head[max(0, len(head)-48):])
	return bytes.HasSuffix(lower, []byte("error:")) || bytes.HasSuffix(lower, []byte("exception:")) ||
		bytes.HasSuffix(lower, []byte("model:")) || bytes.HasSuffix(lower, []byte("caught:")) || bytes.HasSuffix(lower, []byte(`error":"`))
}

// cppOpenCV reads "error: (-4:Insufficient memory) Failed to allocate 1244160000
// bytes in function 'OutOfMemoryError'".
func cppOpenCV(s *scene, sp *span) {
	n := wholeAfter(sp.body, "Failed to allocate ")
	if n == nil || sp.isTalk() {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EngineCpp, Pool: oomdoc.PoolHost, Requested: n})
}
