package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// The parts of the summary line (mm/oom_kill.c dump_oom_summary and
// mm/memcontrol.c mem_cgroup_print_oom_context, 5.0 and newer):
//
//	oom-kill:constraint=X,nodemask=N,cpuset=NAME,mems_allowed=N,
//	{global_oom|oom_memcg=PATH},task_memcg=PATH,task=COMM,pid=N,uid=N
const (
	summaryMark = "oom-kill:constraint="
	memsMark    = ",mems_allowed="
	globalMark  = ",global_oom"
	oomPathMark = ",oom_memcg="
	taskPathKey = ",task_memcg="
	taskMark    = ",task="
	pidMark     = ",pid="
	uidMark     = ",uid="
)

// longRecord is the shortest text of a record that the kernel may have cut:
// 1024 bytes less the 48 of its longest prefix (kernel/printk/printk.c,
// LOG_LINE_MAX, to 6.2).
const longRecord = 1024 - 48

// parseSummary reads the summary line. Cpuset and cgroup names and the task's
// name are free text that can imitate any part of it, so it is read from both
// ends, and isTask, which may be nil, tells whether the process of that pid
// has that name by another line of the report.
func parseSummary(text []byte, isTask func(pid int, comm []byte) bool) (*oomdoc.OOMSummary, bool) {
	rest, found := bytes.CutPrefix(text, []byte(summaryMark))
	if !found {
		return nil, false
	}
	if len(rest) > maxJoined {
		rest = rest[:maxJoined]
	}
	s := &oomdoc.OOMSummary{Line: string(text[:min(len(text), maxJoined)])}
	s.Constraint = keepWord(until(rest, ","))
	if value, ok := after(rest, ",nodemask="); ok {
		s.NodeMask = keep(until(value, ",cpuset="))
	}
	rest, ok := after(rest, ",cpuset=")
	if !ok {
		s.Truncated = true
		return s, true
	}
	paths := readCpuset(s, rest)
	body, complete := cutTaskEnd(s, paths)
	if !complete {
		s.Truncated = true
		splitPaths(s, withoutCutKey(body))
		return s, true
	}
	splitTask(s, body, isTask)
	s.Truncated = s.Truncated || isCutPath(s.OOMMemcg) || isCutPath(s.TaskMemcg)
	return s, true
}

// withoutCutKey drops what a line that was cut has of the key after the last
// path: a task that it names without a pid, or a part of a key.
func withoutCutKey(text []byte) []byte {
	if at := bytes.LastIndex(text, []byte(taskMark)); at >= 0 && plausibleComm(text[at+len(taskMark):]) {
		return text[:at]
	}
	for _, key := range []string{taskMark, taskPathKey} {
		for size := len(key) - 1; size > 0; size-- {
			if bytes.HasSuffix(text, []byte(key[:size])) {
				return text[:len(text)-size]
			}
		}
	}
	return text
}

// summaryEnds tells whether the line has its last part.
func summaryEnds(text []byte) bool {
	var s oomdoc.OOMSummary
	_, complete := cutTaskEnd(&s, text)
	return complete
}

// readCpuset reads the cpuset's name and the allowed nodes, and gives what
// follows them. The name is one component of a path, so it has no slash in it
// (the root's name is the slash): the first place where a list of nodes is
// followed by a path is the right one.
func readCpuset(s *oomdoc.OOMSummary, text []byte) []byte {
	for at := 0; ; {
		next := bytes.Index(text[at:], []byte(memsMark))
		if next < 0 {
			break
		}
		at += next + len(memsMark)
		list, rest := nodeList(text[at:])
		if !startsPaths(rest) {
			continue
		}
		s.Cpuset, s.MemsAllowed = string(text[:at-len(memsMark)]), string(list)
		return rest
	}
	s.Cpuset = string(until(text, memsMark))
	s.Truncated = true
	return nil
}

// nodeList splits off "0-1,3".
func nodeList(text []byte) (list, rest []byte) {
	at := 0
	for at < len(text) {
		c := text[at]
		comma := c == ',' && at+1 < len(text) && isDigit(text[at+1])
		if !isDigit(c) && c != '-' && !comma {
			break
		}
		at++
	}
	return text[:at], text[at:]
}

func startsPaths(text []byte) bool {
	for _, start := range []string{
		globalMark + taskPathKey + "/", globalMark + taskPathKey + "(",
		oomPathMark + "/", oomPathMark + "(", taskPathKey + "/", taskPathKey + "(",
		globalMark + taskMark,
	} {
		// A line that is cut, or that goes on in a further record, may end here.
		if bytes.HasPrefix(text, []byte(start)) || len(text) < len(start) && bytes.HasPrefix([]byte(start), text) {
			return true
		}
	}
	return false
}

// cutTaskEnd reads ",pid=N,uid=N" from the right end and gives what is before.
func cutTaskEnd(s *oomdoc.OOMSummary, text []byte) (body []byte, complete bool) {
	at := bytes.LastIndex(text, []byte(uidMark))
	if at < 0 {
		return text, false
	}
	uid, rest, ok := small(text[at+len(uidMark):])
	if !ok || len(bytes.TrimRight(rest, " ")) > 0 {
		return text, false
	}
	body = text[:at]
	at = bytes.LastIndex(body, []byte(pidMark))
	if at < 0 {
		return text, false
	}
	pid, rest, ok := small(body[at+len(pidMark):])
	if !ok || len(rest) > 0 || pid < 0 {
		return text, false
	}
	s.PID, s.UID, s.HasTask = pid, uid, true
	return body[:at], true
}

// splitTask finds where the task's name starts: a cgroup name may hold
// ",task=", and so may the task's. The name that another line of the report
// gives for the pid decides; else the right-most place at which the two cgroup
// paths agree.
func splitTask(s *oomdoc.OOMSummary, body []byte, isTask func(int, []byte) bool) {
	fallback, best := -1, -1
	for end := len(body); ; {
		at := bytes.LastIndex(body[:end], []byte(taskMark))
		if at < 0 || !plausibleComm(body[at+len(taskMark):]) && fallback >= 0 {
			break
		}
		end = at
		if fallback < 0 {
			fallback = at
		}
		if isTask != nil && isTask(s.PID, body[at+len(taskMark):]) {
			best = at
			break
		}
		if best < 0 && pathsAgree(body[:at]) {
			best = at
		}
	}
	if best < 0 {
		best = fallback
	}
	if best < 0 {
		splitPaths(s, body)
		s.HasTask = false
		return
	}
	s.Task = string(cutComm(body[best+len(taskMark):]))
	splitPaths(s, body[:best])
}

func pathsAgree(text []byte) bool {
	var s oomdoc.OOMSummary
	return splitPaths(&s, text)
}

// splitPaths reads "{,global_oom|,oom_memcg=PATH},task_memcg=PATH" and tells
// whether the two paths agree: the killed task is in the cgroup whose limit
// was hit, or below it.
func splitPaths(s *oomdoc.OOMSummary, text []byte) bool {
	if rest, found := bytes.CutPrefix(text, []byte(globalMark)); found {
		s.GlobalOOM = true
		path, found := bytes.CutPrefix(rest, []byte(taskPathKey))
		s.TaskMemcg = string(path)
		return found && bytes.HasPrefix(path, []byte("/")) || len(rest) == 0
	}
	text, found := bytes.CutPrefix(text, []byte(oomPathMark))
	if !found {
		path, _ := bytes.CutPrefix(text, []byte(taskPathKey))
		s.TaskMemcg = string(path)
		return false
	}
	first := -1
	for at := 0; ; {
		next := bytes.Index(text[at:], []byte(taskPathKey))
		if next < 0 {
			break
		}
		at += next
		limit, task := text[:at], text[at+len(taskPathKey):]
		if first < 0 {
			first = at
		}
		if isBelow(task, limit) {
			s.OOMMemcg, s.TaskMemcg = string(limit), string(task)
			return true
		}
		at += len(taskPathKey)
	}
	if first < 0 {
		s.OOMMemcg = string(text)
		return false
	}
	s.OOMMemcg, s.TaskMemcg = string(text[:first]), string(text[first+len(taskPathKey):])
	return false
}

// isBelow tells whether path is the cgroup above or one below it.
func isBelow(path, above []byte) bool {
	rest, found := bytes.CutPrefix(path, above)
	return found && len(above) > 0 && (len(rest) == 0 || rest[0] == '/' || len(above) == 1)
}

// isCutPath tells a path that the kernel could not print whole
// (fs/kernfs, pr_cont_kernfs_path) or that filled its record.
func isCutPath(path string) bool {
	return path == "(name too long)" || path == "(error)" || len(path) >= longRecord
}

// Kernels up to 4.20 name both cgroups in a line of their own.
const (
	taskInMark     = "Task in "
	limitOfMark    = " killed as a result of limit of "
	limitReachMark = "Memory limit reached of cgroup "
)

// parseLimitLine reads "Task in /A killed as a result of limit of /B" and
// "Memory limit reached of cgroup /B" (2.6.24 to 4.20) as far as a summary
// goes: no constraint and no task are in it.
func parseLimitLine(text []byte) (*oomdoc.OOMSummary, bool) {
	s := &oomdoc.OOMSummary{Line: keep(text)}
	if path, found := bytes.CutPrefix(text, []byte(limitReachMark)); found {
		s.OOMMemcg = string(path)
		return s, true
	}
	rest, found := bytes.CutPrefix(text, []byte(taskInMark))
	if !found {
		return nil, false
	}
	first := -1
	for at := 0; ; {
		next := bytes.Index(rest[at:], []byte(limitOfMark))
		if next < 0 {
			break
		}
		at += next
		if first < 0 || isBelow(rest[:at], rest[at+len(limitOfMark):]) {
			first = at
		}
		at += len(limitOfMark)
	}
	if first < 0 {
		return nil, false
	}
	task, limit := rest[:first], rest[first+len(limitOfMark):]
	if bare := bytes.TrimRight(limit, " "); !isBelow(task, limit) && isBelow(task, bare) {
		limit = bare // what was pasted has a blank at its end
	}
	s.TaskMemcg, s.OOMMemcg = string(task), string(limit)
	return s, true
}
