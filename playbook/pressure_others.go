package playbook

import (
	"strconv"

	"github.com/oomdoc/oomdoc"
)

const (
	keyLater         oomdoc.Key = "fix.early-limits"
	keyLaterWhy      oomdoc.Key = "fix.early-limits.why"
	keyLaterPlain    oomdoc.Key = "fix.early-why"
	keyEarlyOptions  oomdoc.Key = "step.early-options"
	keyEarlyAvoid    oomdoc.Key = "step.early-avoid"
	keyNohangOptions oomdoc.Key = "step.nohang-options"
	keyNohangAvoid   oomdoc.Key = "step.nohang-avoid"
	keyRequests      oomdoc.Key = "fix.evict-requests"
	keyRequestsWhy   oomdoc.Key = "fix.evict-requests.why"
	keyRequestsPlain oomdoc.Key = "fix.evict-requests.plain"
	keyRequest       oomdoc.Key = "step.evict-request"
	keyRequestSome   oomdoc.Key = "step.evict-request-some"
	keyThreshold     oomdoc.Key = "step.evict-threshold"
	keyUsage         oomdoc.Key = "step.evict-usage"
	keyRay           oomdoc.Key = "fix.ray-less"
	keyRayWhy        oomdoc.Key = "fix.ray-less.why"
	keyRayMemory     oomdoc.Key = "step.ray-memory"
	keyRayThreshold  oomdoc.Key = "step.ray-threshold"
)

// earlyoomLater halves the limits (earlyoom(1): -m and -s PERCENT[,KILL_PERCENT],
// 10,5 by default; --avoid REGEX).
func earlyoomLater(d decision) (oomdoc.Fix, bool) {
	memory, swap := 10.0, 10.0
	if d.kill.MemLimit != nil && d.kill.SwapLimit != nil {
		memory, swap = *d.kill.MemLimit, *d.kill.SwapLimit
	}
	options := "-m " + termAndKill(halved(memory)) + " -s " + termAndKill(halved(swap))
	steps := []oomdoc.Sentence{
		oomdoc.Say(keyEarlyOptions, oomdoc.Args{"option": oomdoc.Text(options)}),
		oomdoc.Command("sudo systemctl restart earlyoom"),
	}
	if name, plain := d.plainName(); plain {
		steps = append(steps, oomdoc.Say(keyEarlyAvoid, oomdoc.Args{"option": oomdoc.Text("--avoid '^" + name + "$'")}))
	}
	return d.later(steps), true
}

// termAndKill writes a limit for SIGTERM and half of it for SIGKILL.
func termAndKill(percent int64) string {
	return strconv.FormatInt(percent, 10) + "," + strconv.FormatInt(max(1, percent/2), 10)
}

// later is the fix of a killer that goes by what is available.
func (d decision) later(steps []oomdoc.Sentence) oomdoc.Fix {
	args := oomdoc.Args{"killer": oomdoc.Text(d.inc.Killer)}
	fix := oomdoc.Fix{Title: oomdoc.Say(keyLater, args), Why: oomdoc.Say(keyLaterPlain, args), Steps: steps}
	if m, s := d.kill.MemLimit, d.kill.SwapLimit; m != nil && s != nil {
		fix.Why = oomdoc.Say(keyLaterWhy, oomdoc.Args{
			"killer": args["killer"], "memory": oomdoc.Percent(*m), "swap": oomdoc.Percent(*s),
		})
	}
	return fix
}

// nohangLater changes the threshold that was crossed (nohang(8), the comments of
// nohang.conf).
func nohangLater(d decision) (oomdoc.Fix, bool) {
	option := ""
	switch k := d.kill; {
	case k.PressureLimit != nil:
		option = "soft_threshold_max_psi = " + strconv.FormatInt(min(int64(*k.PressureLimit)+20, 95), 10)
	case k.MemLimit != nil:
		option = "soft_threshold_min_mem = " + strconv.FormatInt(halved(*k.MemLimit), 10) + " %"
	default:
		return oomdoc.Fix{}, false
	}
	steps := []oomdoc.Sentence{
		oomdoc.Say(keyNohangOptions, oomdoc.Args{"option": oomdoc.Text(option)}),
		oomdoc.Command("sudo systemctl restart nohang"),
	}
	if name, plain := d.plainName(); plain {
		steps = append(steps, oomdoc.Say(keyNohangAvoid, oomdoc.Args{
			"option": oomdoc.Text("@BADNESS_ADJ_RE_NAME -200 /// ^" + name + "$"),
		}))
	}
	return d.later(steps), true
}

// evictRequests: the kubelet ranks pods by whether they use more than they
// requested (Kubernetes, "Node-pressure Eviction").
func evictRequests(d decision) (oomdoc.Fix, bool) {
	k := d.kill
	fix := oomdoc.Fix{Title: oomdoc.Say(keyRequests, nil), Why: oomdoc.Say(keyRequestsPlain, nil)}
	step := oomdoc.Say(keyRequestSome, nil)
	if k.Using != nil && k.Container != "" {
		step = oomdoc.Say(keyRequest, oomdoc.Args{
			"container": oomdoc.Text(k.Container), "size": oomdoc.Text(inUnits(roundUp(*k.Using), kubernetesUnits())),
		})
		if k.Request != nil {
			fix.Why = oomdoc.Say(keyRequestsWhy, oomdoc.Args{
				"container": oomdoc.Text(k.Container), "used": oomdoc.Bytes(*k.Using), "request": oomdoc.Bytes(*k.Request),
			})
		}
	}
	fix.Steps = []oomdoc.Sentence{step}
	if isExact(k.Pod) && isExact(k.Namespace) {
		fix.Steps = append(fix.Steps,
			oomdoc.Say(keyUsage, nil),
			oomdoc.Command("kubectl top pod --containers -n "+quote(k.Namespace)+" "+operand(k.Pod)))
	}
	fix.Steps = append(fix.Steps, oomdoc.Say(keyThreshold, nil))
	return fix, true
}

// rayLess: Ray schedules by what a task says that it needs (Ray, "Out-Of-Memory
// Prevention").
func rayLess(d decision) (oomdoc.Fix, bool) {
	fix := oomdoc.Fix{Title: oomdoc.Say(keyRay, nil), Why: oomdoc.Say(keyRayWhy, nil)}
	option := "num_cpus=2"
	if rss := d.kill.RSS; rss != nil {
		option = "memory=" + strconv.FormatInt(roundUp(*rss)/gib, 10) + " * 1024**3"
		if *rss < gib {
			option = "memory=" + strconv.FormatInt(roundUp(*rss)/mib, 10) + " * 1024**2"
		}
	}
	fix.Steps = []oomdoc.Sentence{oomdoc.Say(keyRayMemory, oomdoc.Args{"option": oomdoc.Text("@ray.remote(" + option + ")")})}
	if d.kill.MemLimit != nil && *d.kill.MemLimit < 97 {
		fix.Steps = append(fix.Steps, oomdoc.Say(keyRayThreshold, oomdoc.Args{
			"option": oomdoc.Text("RAY_memory_usage_threshold=0.97"),
		}))
	}
	return fix, true
}
