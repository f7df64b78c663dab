package classify

import (
	"cmp"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

// maxAncestors bounds how far back those that started a process are followed.
const maxAncestors = 8

// addSampled adds to a process what was seen of it while it lived. What the log
// said of it stands already.
func addSampled(p *oomdoc.Process, facts oomdoc.Facts) {
	sampled, known := facts.Processes[p.PID]
	known = known && p.PID != 0
	if known {
		if len(sampled.Cmdline) > 0 {
			p.Cmdline = sampled.Cmdline
		}
		p.Environment = sampled.Env
		if p.UID == nil && sampled.UID >= 0 {
			p.UID = new(sampled.UID)
		}
	}
	if p.Engine == "" {
		p.Engine = engineOf(p, sampled)
	}
	commands := [][]string{p.Cmdline}
	if known {
		if starter := starterOf(p.Engine, sampled, facts); starter != nil {
			p.StartedBy = &oomdoc.Starter{PID: starter.PID, Name: decoded(starter.Comm), Cmdline: starter.Cmdline}
			commands = append(commands, starter.Cmdline)
		}
	}
	p.Model = cmp.Or(proc.KnownModel(p.Model, sampled.Models), p.Model, modelOf(p.Engine, commands, sampled.Models))
}

// engineOf names the engine of a process, "" when nothing tells it. The kernel's
// name of it may be that of a thread.
func engineOf(p *oomdoc.Process, sampled oomdoc.ProcessFacts) string {
	named := oomdoc.ProcessFacts{Cmdline: p.Cmdline, Exe: sampled.Exe, Dir: sampled.Dir}
	if p.Name != nil {
		named.Comm = *p.Name
	}
	return cmp.Or(sampled.Engine, proc.EngineOf(&named, "", ""))
}

// starterOf is the outermost of those that started a process that is of the same
// engine and user: the command that a person typed, where a worker has another
// name and no options.
func starterOf(engine string, of oomdoc.ProcessFacts, facts oomdoc.Facts) *oomdoc.ProcessFacts {
	var found *oomdoc.ProcessFacts
	for range maxAncestors {
		parent, known := facts.Processes[of.Parent]
		if !known || of.Parent <= 1 || parent.UID != of.UID || engine == "" {
			return found
		}
		if parent.Engine == engine && len(parent.Cmdline) > 1 {
			found = &parent
		}
		of = parent
	}
	return found
}

// modelOf is the model that was named on a command line, else the one that was
// seen open.
func modelOf(engine string, commands [][]string, models []oomdoc.ModelFile) string {
	for _, command := range commands {
		if typed := proc.ModelOf(engine, command); typed != "" {
			return decoded(proc.ModelName(typed, models))
		}
	}
	if len(models) > 0 {
		return models[0].Name
	}
	return ""
}

// samplesOf are what a process held over the time before.
func samplesOf(pid int, facts oomdoc.Facts) []oomdoc.Sample {
	trend := facts.Processes[pid].Trend
	if pid == 0 || len(trend) < 2 {
		return nil // one point is no course
	}
	samples := make([]oomdoc.Sample, len(trend))
	for i, point := range trend {
		samples[i] = oomdoc.Sample{Time: point.Time, RSSBytes: new(point.RSSBytes)}
	}
	return samples
}

const keyGrewSampled oomdoc.Key = "evidence.grew-sampled"

// loadingFor is how long a process is taken to be loading: what it grows by then
// is no sign of anything.
const loadingFor = 2 * time.Minute

// proveTrend says what a victim has grown by, by the numbers of growth.go, where it
// was seen to grow and never to give memory back.
func (v *verdict) proveTrend(r *reading) {
	facts := r.facts.Processes[r.victimPID()]
	whole := r.groupTotal()
	if !r.isMemcg() {
		whole, _ = r.ram()
	}
	trend := facts.Trend
	for len(trend) > 0 && trend[0].Time.Sub(facts.StartTime) < loadingFor {
		trend = trend[1:]
	}
	if len(trend) < 2 || whole <= 0 || r.victimPID() == 0 {
		return
	}
	for i := 1; i < len(trend); i++ {
		if shrank(trend[i-1].RSSBytes, trend[i].RSSBytes) {
			return
		}
	}
	first, last := trend[0], trend[len(trend)-1]
	over := last.Time.Sub(first.Time)
	q := quantity{size: last.RSSBytes, whole: whole}
	if over < growthApart || !q.hasGrown(first.RSSBytes) {
		return
	}
	v.prove("", keyGrewSampled, oomdoc.Args{
		"name": processName(facts.Comm), "pid": oomdoc.Count(facts.PID),
		"from": oomdoc.Bytes(first.RSSBytes), "to": oomdoc.Bytes(last.RSSBytes), "over": oomdoc.Duration(over.Round(time.Second)),
	})
}
