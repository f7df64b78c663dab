package playbook

import (
	"strconv"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

// crowdShare, in percent of the processes that were there: how many are allowed
// as a first try. Ours.
const crowdShare = 50

const (
	keyTasksTitle oomdoc.Key = "fix.cap-tasks"
	keyTasksWhy   oomdoc.Key = "fix.cap-tasks.why"
	keyTasksStep  oomdoc.Key = "step.cap-tasks"
)

// capTasks is for a flood of processes: bound how many the group may have
// (systemd.resource-control(5), TasksMax=; docker-container-update(1),
// --pids-limit).
func capTasks(p *patient) (oomdoc.Fix, bool) {
	alike := p.proof(classify.EvidenceManyAlike)
	if p.inc.Cause != oomdoc.CauseHostExhausted || alike == nil {
		return oomdoc.Fix{}, false
	}
	there := alike.Args["n"].N
	limit := strconv.FormatInt(share(there, crowdShare), 10)
	fix := oomdoc.Fix{
		Title: oomdoc.Say(keyTasksTitle, nil),
		Why:   oomdoc.Say(keyTasksWhy, oomdoc.Args{"n": oomdoc.Count(there)}),
	}
	owner := p.owner(p.victimPath())
	switch {
	case owner.Kind == oomdoc.OwnerUnit && isExact(owner.Unit):
		fix.Steps = []oomdoc.Sentence{oomdoc.Command("sudo systemctl set-property " + operand(owner.Unit) + " TasksMax=" + limit)}
	case owner.Kind == oomdoc.OwnerContainer && owner.Runtime == "docker" && isExact(owner.Container):
		fix.Steps = []oomdoc.Sentence{oomdoc.Command("docker update --pids-limit " + limit + " " + operand(owner.Container))}
	default:
		fix.Steps = []oomdoc.Sentence{oomdoc.Say(keyTasksStep, oomdoc.Args{
			"unit": oomdoc.Text("TasksMax=" + limit), "container": oomdoc.Text("--pids-limit " + limit), "user": oomdoc.Text("ulimit -u " + limit),
		})}
	}
	return fix, true
}
