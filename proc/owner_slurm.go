package proc

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// readSlurm finds the job and step of a Slurm task (slurm
// src/plugins/cgroup/v1/cgroup_v1.c and v2/cgroup_v2.c).
//
//	v1: slurm[_NODE]/uid_UID/job_JOB/step_STEP/task_N
//	v2: system.slice/[NODE_]slurmstepd.scope/job_JOB/step_STEP/user/task_N
//
// The root is where root alone makes cgroups: the first name that is not a
// slice. Below a unit or in a container the same names prove no job and no user.
func readSlurm(owner *oomdoc.Owner, parts []string) {
	root := countSlices(parts)
	if root == len(parts) || !isSlurmRoot(parts[root]) {
		return
	}
	rest := parts[root+1:]
	if text, has := level(rest, "uid_"); has {
		if uid, is := parseUID(text); is {
			owner.UID = &uid
		}
		rest = rest[1:]
	}
	job, has := level(rest, "job_")
	if !has {
		return
	}
	owner.SlurmJob = job
	owner.SlurmStep, _ = level(rest[1:], "step_")
}

func isSlurmRoot(part string) bool {
	return part == "slurm" || strings.HasPrefix(part, "slurm_") ||
		part == "slurmstepd.scope" || strings.HasSuffix(part, "_slurmstepd.scope")
}

// level gives what stands behind a prefix of the first name.
func level(parts []string, prefix string) (string, bool) {
	if len(parts) == 0 {
		return "", false
	}
	return between(parts[0], prefix, "")
}
