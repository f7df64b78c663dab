package applog

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// slurm reads slurmstepd's word of kernel kills in a job's step (task/cgroup and
// cgroup plugins of Slurm), on the job's standard error and in slurmd's log. It
// counts the kernel's events; it kills nothing itself.
func slurm(d *desk) []entry {
	s := &slurmStep{desk: d}
	return []entry{
		{" oom-kill event(s) in ", s.take},
		{" oom_kill event", s.take},
	}
}

type slurmStep struct{ desk *desk }

const tellerSlurm = "slurm"

// take reads
//
//	19.05: slurmstepd: error: Detected 1 oom-kill event(s) in step 1234.batch cgroup. Some of your processes may have been killed by the cgroup out-of-memory handler.
//	20.11: slurmstepd: error: Detected 1 oom-kill event(s) in StepId=1234.batch cgroup. Some of your ...
//	22.05: slurmstepd: error: Detected 2 oom_kill events in StepId=1234.0. Some of the step tasks have been OOM Killed.
func (s *slurmStep) take(l *line) bool {
	witness, is := l.by([]string{"slurmstepd", "slurmd"}, []string{"slurmd.service", "slurmstepd.scope"})
	before, rest, found := bytes.Cut(l.text, []byte("error: Detected "))
	if !is || !found || l.inKernelLog || !isStepHead(before) {
		return false
	}
	n, rest, ok := small(rest)
	id, named := after(rest, " in StepId=")
	if !named {
		id, named = after(rest, " in step ")
	}
	job, step, _ := bytes.Cut(id, []byte("."))
	if _, left, is := whole(job); !ok || !named || !is || len(left) > 0 {
		return false
	}
	step, _, _ = bytes.Cut(step, []byte(" "))
	kill := oomdoc.UserKill{
		Killer: oomdoc.KillerKernel, Witness: witness, Told: true, Teller: tellerSlurm, Processes: &n,
		SlurmJob: keep(job), SlurmStep: keep(bytes.TrimSuffix(step, []byte("."))), Line: l.proof(),
	}
	same := func(o *oomdoc.UserKill) bool {
		return o.Teller == tellerSlurm && o.SlurmJob == kill.SlurmJob && o.SlurmStep == kill.SlurmStep
	}
	if e := s.desk.find(l, same); e != nil {
		e.kill.Processes = &n
		s.desk.add(e, l)
		return true
	}
	s.desk.begin(l, &kill, toldHold, toldPatience, "step", kill.SlurmJob, kill.SlurmStep)
	return true
}

// isStepHead tells what slurmstepd puts before its errors: its name, or in
// slurmd's log the time and the step in brackets.
func isStepHead(before []byte) bool {
	before = bytes.TrimSpace(before)
	return len(before) == 0 || string(before) == "slurmstepd:" || before[0] == '[' && before[len(before)-1] == ']'
}
