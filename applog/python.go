package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// python reads the errors of the interpreter itself and of its process pools
// (Objects/exceptions.c, Lib/concurrent/futures/process.py of CPython; joblib's
// loky; pyarrow).
func python() []mark {
	return []mark{
		{"MemoryError", pythonRefused},
		{"ArrowMemoryError: malloc of size ", pythonArrow},
		{"Exception ignored in", func(s *scene, _ *span) { s.ignoring = s.desk.count }},
		{"in the process pool was terminated abruptly", pythonPool},
		{"managed by the executor was unexpectedly terminated", pythonExecutor},
		{"died with <Signals.SIGKILL: 9>", pythonChild},
		{"returned non-zero exit status -9", pythonChild},
		{"returned non-zero exit status 137", pythonChild},
	}
}

// pythonRefused reads "MemoryError" and "MemoryError: TEXT": the class alone at
// the start of a line or behind what a logger puts there. Others end in the same
// letters, and source code names it too.
func pythonRefused(s *scene, sp *span) {
	rest := bytes.TrimSpace(sp.rest())
	if !startsError(sp.head) || sp.isTalk() || !endsName(rest) {
		return
	}
	for _, other := range []string{"out_of_memory", "CUDA", "cuda", "for an array with shape"} { // RMM, CuPy, NumPy
		if bytes.Contains(rest, []byte(other)) {
			return
		}
	}
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePython, Pool: oomdoc.PoolHost}
	if a := sizeIn(rest, "Unable to allocate ", units()); a != nil { // pandas and h5py pass NumPy's words on
		e.Requested, e.Grain = a.of(), a.grain
	}
	s.fail(sp, e)
}

// endsName tells that a class's name ends here: the line, a message, or the
// quotation of a logger ends it.
func endsName(rest []byte) bool {
	if len(rest) == 0 || string(rest) == "()" {
		return true
	}
	return bytes.IndexByte([]byte(`:"'`), rest[0]) >= 0
}

func pythonArrow(s *scene, sp *span) {
	n, rest, ok := whole(sp.rest())
	if sp.isTalk() || !ok || !bytes.HasPrefix(rest, []byte(" failed")) {
		return
	}
	s.fail(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePython, Pool: oomdoc.PoolHost, Requested: &n})
}

// pythonPool reads "BrokenProcessPool: A process in the process pool was
// terminated abruptly while the future was running or pending.", whatever ended it.
func pythonPool(s *scene, sp *span) {
	if !bytes.Contains(sp.head, []byte("BrokenProcessPool: ")) || sp.isTalk() {
		return
	}
	s.killed(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePython})
}

// pythonExecutor reads joblib's words; in the line or one of the next stands by
// which signal: "The exit codes of the workers are {SIGKILL(-9)}".
func pythonExecutor(s *scene, sp *span) {
	if sp.isTalk() {
		return
	}
	head := *sp
	decide := func(l *line) bool {
		codes, has := after(l.text, "exit codes of the workers are {")
		if has && bytes.Contains(codes, []byte("SIGKILL(-9)")) {
			s.killed(&head, oomdoc.ProgramError{Engine: oomdoc.EnginePython, Line: "TerminatedWorkerError: " + l.proof()})
		}
		return !has
	}
	if !decide(sp.line) {
		return
	}
	head.line = &line{rec: sp.rec, text: bytes.Clone(sp.text)}
	left := 4
	s.read(func(l *line) bool {
		left--
		head.line = l
		return decide(l) && left > 0
	})
}

// pythonChild reads the end of a child: "Command '['python', 'train.py']' died
// with <Signals.SIGKILL: 9>."
func pythonChild(s *scene, sp *span) {
	whole := bytes.Contains(sp.head, []byte("Command '")) || bytes.Contains(sp.head, []byte("Command ["))
	if !whole && !bytes.HasSuffix(bytes.TrimRight(sp.head, " '"), []byte("']")) { // the end of a long command
		return
	}
	s.killed(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePython})
}
