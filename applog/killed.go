package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// killed reads what shells, launchers and container runtimes say of a process
// that ended by SIGKILL. Who sent it they do not know, but for a runtime that
// looked at the kernel's count.
func killed() []mark {
	return []mark{
		{"Killed", shellKilled},
		{" killed", zshKilled},
		{"terminated by signal SIGKILL", fishKilled},
		{": signal: killed", goKilled},
		{"] Error 137", makeKilled},
		{"fatal error: Killed signal terminated program ", compilerKilled},
		{"was sent SIGKILL! Perhaps out of memory?", gunicornKilled},
		{"WORKER TIMEOUT (pid:", gunicornTimeout},
		{"failed (exitcode: -9)", torchrunKilled},
		{"exitcode  : -9 ", torchrunKilled},
		{"Signal 9 (SIGKILL) received by PID ", torchrunSignal},
		{"exited with code 137", status137},
		{"exit status 137", status137},
		{"exit code 137", status137},
		{"exit code: 137", status137},
		{"Exit Code:    137", describe137},
		{"OOMKilled", runtimeKilled},
		{"exit status 0", endedWell},
		{"exited with code 0", endedWell},
	}
}

// killed notes an end by SIGKILL: a consequence where the program was refused
// memory before, else all that is known.
func (s *scene) killed(sp *span, e oomdoc.ProgramError) {
	e.Refusal, e.Outcome = oomdoc.RefusalKilled, oomdoc.OutcomeKilled
	if e.Pool == "" {
		e.Pool = oomdoc.PoolHost
	}
	if f := s.open; f != nil {
		switch {
		case f.err.Refusal != oomdoc.RefusalKilled:
			if s.more(sp) != nil {
				return
			}
		case e.PID != 0 && f.err.PID != 0 && e.PID != f.err.PID && e.Engine == "" && f.err.Engine == "":
			s.closeFailure() // a shell tells of two commands
		}
	}
	s.fail(sp, e)
}

// endsItselfLines: SGLang kills its own process tree when a child has failed.
const endsItselfLines = near

// shellKilled reads bash's "./f.sh: line 80: 1511091 Killed                  CMD"
// and "[1]+  Killed                  CMD", make's "*** [Makefile:3: all] Killed",
// and the word alone on a line, as dash and bash at a prompt print it.
func shellKilled(s *scene, sp *span) {
	if s.endsItself > 0 && s.desk.count-s.endsItself <= endsItselfLines {
		return
	}
	head, rest := bytes.TrimRight(sp.head, " "), sp.rest()
	var e oomdoc.ProgramError
	switch pid, is := bashJob(head); {
	case is && (len(bytes.TrimSpace(rest)) == 0 || bytes.HasPrefix(rest, []byte("  "))):
		e.PID, e.Operation = pid, keep(bytes.TrimSpace(rest))
	case bytes.HasSuffix(head, []byte("]")) && bytes.Contains(head, []byte("*** [")) && len(bytes.TrimSpace(rest)) == 0:
	case isJobMark(head) && bytes.HasPrefix(rest, []byte("  ")):
		e.Operation = keep(bytes.TrimSpace(rest))
	case len(head) == 0 && len(bytes.TrimSpace(rest)) == 0:
	default:
		return
	}
	s.killed(sp, e)
}

// bashJob reads "./f.sh: line 80: 1511091" at the end of what stands before the
// word; a progress bar without a newline may come before it.
func bashJob(head []byte) (pid int, is bool) {
	_, rest, found := afterLast(head, ": line ")
	if !found {
		return 0, false
	}
	_, rest, ok := small(rest)
	rest, colon := bytes.CutPrefix(rest, []byte(":"))
	if !ok || !colon {
		return 0, false
	}
	pid, rest, ok = small(bytes.TrimLeft(rest, " "))
	return pid, ok && len(rest) == 0
}

// isJobMark tells "[1]+" and "[1]-" of an interactive shell's job.
func isJobMark(head []byte) bool {
	rest, is := bytes.CutPrefix(head, []byte("["))
	if !is {
		return false
	}
	_, rest, ok := small(rest)
	return ok && (string(rest) == "]+" || string(rest) == "]-" || string(rest) == "]")
}

// zshKilled reads "zsh: killed     python train.py" and "[1]  + 15929 killed
// python train.py".
func zshKilled(s *scene, sp *span) {
	if !bytes.HasPrefix(sp.rest(), []byte("  ")) {
		return
	}
	e := oomdoc.ProgramError{Operation: keep(bytes.TrimSpace(sp.rest()))}
	if string(sp.head) != "zsh:" {
		number := bytes.LastIndexByte(sp.head, ' ')
		pid, rest, ok := small(sp.head[number+1:])
		if !ok || len(rest) > 0 || number < 0 || !isJobMark(bytes.ReplaceAll(bytes.TrimSpace(sp.head[:number]), []byte(" "), nil)) {
			return
		}
		e.PID = pid
	}
	s.killed(sp, e)
}

// fishKilled reads "fish: Job 1, 'python train.py' terminated by signal SIGKILL
// (Forced quit)".
func fishKilled(s *scene, sp *span) {
	if bytes.HasPrefix(sp.head, []byte("fish: ")) {
		s.killed(sp, oomdoc.ProgramError{})
	}
}

// goKilled reads the end of a child as os/exec says it, at the end of a line or
// of a quoted message. A test's own words are no failure of the program's.
func goKilled(s *scene, sp *span) {
	rest := bytes.TrimSpace(sp.rest())
	if len(rest) > 0 && rest[0] != '"' && rest[0] != '\\' || bytes.Contains(sp.head, []byte("_test.go:")) {
		return
	}
	s.killed(sp, oomdoc.ProgramError{})
}

// makeKilled reads "make: *** [Makefile:3: train] Error 137".
func makeKilled(s *scene, sp *span) {
	if bytes.Contains(sp.head, []byte("*** [")) && len(bytes.TrimSpace(sp.rest())) == 0 {
		s.killed(sp, oomdoc.ProgramError{})
	}
}

// compilerKilled reads "g++: fatal error: Killed signal terminated program cc1plus".
func compilerKilled(s *scene, sp *span) {
	s.killed(sp, oomdoc.ProgramError{Name: keep(bytes.TrimSpace(sp.rest()))})
}

// gunicornKilled reads "Worker (pid:7) was sent SIGKILL! Perhaps out of memory?"
// (gunicorn/arbiter.py). It says so too of workers that it has killed itself
// after a time-out.
func gunicornKilled(s *scene, sp *span) {
	pid := gunicornPID(sp.head)
	if sp.isTalk() || pid == 0 || s.timedOut == pid {
		return
	}
	s.killed(sp, oomdoc.ProgramError{Engine: oomdoc.EnginePython, Name: "gunicorn", PID: pid})
}

func gunicornTimeout(s *scene, sp *span) { s.timedOut = gunicornPID(sp.body) }

func gunicornPID(text []byte) int {
	if rest, found := after(text, "(pid:"); found {
		if n, _, ok := small(rest); ok {
			return n
		}
	}
	return 0
}

// torchrunKilled reads "failed (exitcode: -9) local_rank: 3 (pid: 540) of binary:
// /usr/bin/python" and "  exitcode  : -9 (pid: 540)".
func torchrunKilled(s *scene, sp *span) {
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch}
	if pid := wholeAfter(sp.rest(), "(pid: "); pid != nil {
		e.PID = int(min(*pid, maxPID))
	}
	if rank := wholeAfter(sp.rest(), "local_rank: "); rank != nil {
		e.Rank = new(int(min(*rank, maxPID)))
	}
	s.killed(sp, e)
}

// maxPID is PID_MAX_LIMIT of 64 bit kernels (include/linux/threads.h).
const maxPID = 4 << 20

// torchrunSignal reads "traceback : Signal 9 (SIGKILL) received by PID 540".
func torchrunSignal(s *scene, sp *span) {
	e := oomdoc.ProgramError{Engine: oomdoc.EnginePyTorch}
	if n, _, ok := small(sp.rest()); ok {
		e.PID = n
	}
	s.killed(sp, e)
}

// status137 reads the exit status of a process that ended by SIGKILL.
func status137(s *scene, sp *span) {
	rest := sp.rest()
	goesOn := len(rest) > 0 && rest[0] == ',' || startsWord(bytes.TrimLeft(rest, " ")) // "exit code 137 means ..."
	if len(rest) > 0 && isDigit(rest[0]) || (goesOn || sp.isTalk()) && !isVerdict(sp.head) {
		return
	}
	s.killed(sp, oomdoc.ProgramError{})
}

// isVerdict tells the words that a launcher ends its sentence about a status with.
func isVerdict(head []byte) bool {
	for word := range bytes.FieldsSeq(head) {
		if wordKind(word) == wordPerson {
			return false
		}
	}
	head = bytes.ToLower(bytes.TrimSpace(head))
	for _, end := range []string{"finished with", "exited with", "failed with", "terminated with", "completed with", "finished:", "failed:"} {
		if bytes.HasSuffix(head, []byte(end)) {
			return true
		}
	}
	return false
}

// describe137 reads a line of `kubectl describe pod`, beside the reason.
func describe137(s *scene, sp *span) {
	if len(bytes.TrimSpace(sp.head)) == 0 && len(bytes.TrimSpace(sp.rest())) == 0 {
		s.killed(sp, oomdoc.ProgramError{})
	}
}

// reasonOOMKilled marks, in Operation, that a container runtime or the kubelet
// saw the kernel's own count of out-of-memory kills rise.
const reasonOOMKilled = "OOMKilled"

// runtimeKilled reads `"OOMKilled": true` of `docker inspect`, "Reason: OOMKilled"
// of `kubectl describe`, `reason: OOMKilled` and `"reason": "OOMKilled"` of its
// other forms, and the column of `kubectl get pods`.
func runtimeKilled(s *scene, sp *span) {
	head, rest := bytes.TrimSpace(sp.head), bytes.TrimSpace(sp.rest())
	lower := bytes.ToLower(head)
	switch {
	case bytes.HasSuffix(head, []byte(`"`)) && bytes.HasPrefix(bytes.ReplaceAll(rest, []byte(" "), nil), []byte(`":true`)):
	case (string(lower) == "reason:" || string(lower) == "- reason:") && len(rest) == 0:
	case bytes.HasSuffix(bytes.ReplaceAll(lower, []byte(" "), nil), []byte(`"reason":"`)) && bytes.HasPrefix(rest, []byte(`"`)):
	case isPodRow(head, rest):
		name, _, _ := bytes.Cut(head, []byte(" "))
		s.killed(sp, oomdoc.ProgramError{Operation: reasonOOMKilled, Pod: keep(name), LimitLine: sp.shows()})
		return
	default:
		return
	}
	s.killed(sp, oomdoc.ProgramError{Operation: reasonOOMKilled, LimitLine: sp.shows()})
}

// isPodRow tells "cart-5b6  0/1  " and "  3  5m": NAME READY STATUS RESTARTS AGE.
func isPodRow(head, rest []byte) bool {
	columns := bytes.Fields(head)
	if len(columns) < 2 || len(columns) > 3 || len(rest) == 0 || !isDigit(rest[0]) {
		return false
	}
	ready := columns[len(columns)-1]
	at := bytes.IndexByte(ready, '/')
	return at > 0 && isDigit(ready[0]) && at+1 < len(ready) && isDigit(ready[at+1])
}

// endedWell takes an end by SIGKILL back: the program's own status is 0, so that
// what was killed was its own.
func endedWell(s *scene, sp *span) {
	rest := sp.rest()
	if len(rest) > 0 && (isDigit(rest[0]) || startsWord(rest)) {
		return
	}
	if f := s.open; f != nil && f.err.Refusal == oomdoc.RefusalKilled {
		s.recovered(sp, true)
	}
}
