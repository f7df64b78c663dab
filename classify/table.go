package classify

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

const keyLargest oomdoc.Key = "evidence.largest-process"

// tableSum is the memory of the listed processes in bytes: anonymous memory
// where the table has that column (6.8), else all that is resident, which
// counts shared pages once for each.
func (r *reading) tableSum() (int64, bool) {
	var pages int64
	for i := range r.report.Tasks {
		pages += ownPages(&r.report.Tasks[i])
	}
	size, known := r.bytes(pages)
	return size, known && len(r.report.Tasks) > 0
}

// ownPages are a process's anonymous pages where the table has that column, else
// all that are resident.
func ownPages(task *oomdoc.Task) int64 {
	if task.RSSAnon != nil {
		return *task.RSSAnon
	}
	return task.RSS
}

// residentSum is all resident memory of the listed processes in bytes.
func (r *reading) residentSum() (int64, bool) {
	pages := r.report.TasksCutRSS
	for i := range r.report.Tasks {
		pages += r.report.Tasks[i].RSS
	}
	size, known := r.bytes(pages)
	return size, known && len(r.report.Tasks) > 0
}

// listed is how many processes the table had.
func (r *reading) listed() int { return len(r.report.Tasks) + r.report.TasksCut }

// taskOf finds the table's row of a process. A row may be headed by a thread, so
// the thread group counts first.
func (r *reading) taskOf(pid int) *oomdoc.Task {
	for i := range r.report.Tasks {
		if r.report.Tasks[i].TGID == pid {
			return &r.report.Tasks[i]
		}
	}
	for i := range r.report.Tasks {
		if r.report.Tasks[i].PID == pid {
			return &r.report.Tasks[i]
		}
	}
	return nil
}

// taskID is the process of a row.
func taskID(t *oomdoc.Task) int {
	if t.TGID > 0 {
		return t.TGID
	}
	return t.PID
}

// proveLargest names the largest process of the table beside the sum.
func (v *verdict) proveLargest(r *reading) {
	var largest *oomdoc.Task
	for i := range r.report.Tasks {
		if task := &r.report.Tasks[i]; largest == nil || task.RSS > largest.RSS {
			largest = task
		}
	}
	sum, known := r.residentSum()
	if largest == nil || !known {
		return
	}
	size, _ := r.bytes(largest.RSS)
	v.prove(largest.Line, keyLargest, oomdoc.Args{
		"name": processName(largest.Name), "pid": oomdoc.Count(taskID(largest)),
		"size": oomdoc.Bytes(size), "sum": oomdoc.Bytes(sum), "n": oomdoc.Count(r.listed()),
	})
}

const keyNoName oomdoc.Key = "word.no-name"

// processName is a process's name for a sentence; a name may be empty or blank.
func processName(comm string) oomdoc.Value {
	if strings.TrimSpace(comm) == "" {
		return oomdoc.Word(keyNoName)
	}
	return name(comm)
}
