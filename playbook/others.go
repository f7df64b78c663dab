package playbook

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyOthersWhy    oomdoc.Key = "fix.end-others.why-held"
	keyOthersMay    oomdoc.Key = "fix.end-others.why-unknown"
	keyOthersLook   oomdoc.Key = "step.others-look"
	keyOthersHolder oomdoc.Key = "step.others-holder"
	keyOthersEnd    oomdoc.Key = "step.others-end"
	keyOthersBox    oomdoc.Key = "step.others-container"
	keyOthersHidden oomdoc.Key = "step.others-hidden"
	keyOthersServer oomdoc.Key = "step.others-server"
	keyCapLook      oomdoc.Key = "step.cap-look"
	keyCapWatch     oomdoc.Key = "step.cap-watch"
	keyRanksCode    oomdoc.Key = "step.ranks"
	keyRestartUnits oomdoc.Key = "step.restart"
	keyRestartBox   oomdoc.Key = "step.restart-container"
)

// heldByOthers is what other processes held of the card: what is neither free nor
// this process's own.
func (r *refused) heldByOthers() int64 {
	var listed int64
	for _, h := range r.others() {
		listed = saturating(listed, h.Bytes)
	}
	total, free := r.total(), r.e.Free
	if total == 0 || free == nil {
		return listed
	}
	own := valueOf(r.e.Own)
	if r.e.Own == nil {
		own = saturating(valueOf(r.e.Allocated), valueOf(r.e.Unallocated))
	}
	return max(listed, total-*free-own)
}

// others are the processes that the message lists beside this one, largest first.
func (r *refused) others() []oomdoc.Holder {
	others := slices.Clone(r.inc.Holders)
	if len(others) == 0 {
		for _, h := range r.e.Holders {
			others = append(others, oomdoc.Holder{PID: h.PID, Bytes: h.Bytes})
		}
	}
	others = slices.DeleteFunc(others, func(h oomdoc.Holder) bool { return h.PID == r.e.PID && h.PID != 0 || h.Bytes <= 0 })
	slices.SortStableFunc(others, func(a, b oomdoc.Holder) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return others
}

// largest are the fewest of some processes that hold what is missing.
func (r *refused) largestOf(others []oomdoc.Holder) []oomdoc.Holder {
	const most = 3
	missing, sum := r.missing(), int64(0)
	for i, h := range others {
		sum = saturating(sum, h.Bytes)
		if i+1 == most || missing != nil && covers(sum, *missing) {
			return others[:i+1]
		}
	}
	return others
}

func reckonOthers(r *refused) reckoning {
	held := r.heldByOthers()
	if held <= 0 && r.inc.Cause != oomdoc.CauseOtherProcess {
		return reckoning{why: oomdoc.Say(keyOthersMay, nil)}
	}
	if held <= 0 {
		return reckoning{}
	}
	done := reckoning{saves: &held}
	if missing := r.missing(); missing != nil {
		does := held >= *missing // it is measured, not predicted
		done.enough = &does
	}
	if total := r.total(); total > 0 {
		done.why = oomdoc.Say(keyOthersWhy, oomdoc.Args{"held": oomdoc.Bytes(held), "total": oomdoc.Bytes(total)})
	}
	return done
}

// othersSteps find who holds the card, and end it by its number. Nothing is ended
// unseen: its owner and command line come first.
func othersSteps(r *refused, _ reckoning) []oomdoc.Sentence {
	steps := []oomdoc.Sentence{oomdoc.Say(keyOthersLook, nil), oomdoc.Command(r.listsHolders())}
	others := r.largestOf(r.others())
	inContainer := r.inc.Process != nil && (r.inc.Process.Container != "" || r.inc.Process.Pod != "")
	var pids []string
	for _, h := range others {
		steps = append(steps, oomdoc.Say(keyOthersHolder, oomdoc.Args{"pid": oomdoc.Count(h.PID), "held": oomdoc.Bytes(h.Bytes)}))
		if h.PID > 1 {
			pids = append(pids, strconv.Itoa(h.PID))
		}
	}
	switch {
	case len(pids) > 0 && !inContainer:
		steps = append(steps,
			oomdoc.Command("ps -o pid,user,lstart,args -p "+strings.Join(pids, ",")),
			oomdoc.Say(keyOthersEnd, nil),
			oomdoc.Command("sudo kill "+strings.Join(pids, " ")))
	case len(others) > 0:
		steps = append(steps, oomdoc.Say(keyOthersBox, nil))
	default:
		steps = append(steps,
			oomdoc.Say(keyOthersHidden, nil),
			oomdoc.Command(r.findsHolders()),
			oomdoc.Say(keyOthersEnd, nil),
			oomdoc.Command("sudo kill PID"))
	}
	if e := r.engine(); e == oomdoc.EngineVLLM || e == oomdoc.EngineSGLang {
		steps = append(steps, oomdoc.Say(keyOthersServer, nil), oomdoc.Command("pgrep -af 'VLLM::|vllm serve|sglang'"))
	}
	return steps
}

// listsHolders is the vendor's own list of who uses the card.
func (r *refused) listsHolders() string {
	switch {
	case driverRefused(r): // Documentation/gpu/amdgpu/driver-misc.rst
		return "grep . /sys/class/drm/card*/device/mem_info_*_used /sys/class/drm/card*/device/mem_info_*_total"
	case strings.Contains(r.e.Line, "HIP "), strings.HasPrefix(r.e.DeviceName, "ROCm"):
		return "rocm-smi --showpids" // rocm-smi --help
	case strings.Contains(r.e.Line, "XPU "):
		return "xpu-smi ps" // xpumanager: docs/smi_user_guide
	}
	return "nvidia-smi --query-compute-apps=gpu_uuid,pid,used_memory,process_name --format=csv"
}

// findsHolders names every process that has the card open, also those that the
// driver does not list: of other containers, and such that are dying.
func (r *refused) findsHolders() string {
	if strings.Contains(r.e.Line, "HIP ") || strings.HasPrefix(r.e.DeviceName, "ROCm") || driverRefused(r) {
		return "sudo fuser -v /dev/kfd /dev/dri/renderD*"
	}
	if strings.Contains(r.e.Line, "XPU ") {
		return "sudo fuser -v /dev/dri/renderD*"
	}
	return "sudo fuser -v /dev/nvidia*"
}

// ranksSteps give each rank its own card (pytorch:docs, torch.cuda.set_device;
// torchrun sets LOCAL_RANK).
func ranksSteps(r *refused, _ reckoning) []oomdoc.Sentence {
	return []oomdoc.Sentence{
		oomdoc.Say(keyRanksCode, oomdoc.Args{"rank": oomdoc.Count(*r.e.Rank), "code": oomdoc.Text(`torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))`)}),
		oomdoc.Say(keyPython, oomdoc.Args{"code": oomdoc.Text(`torch.load(path, map_location="cpu")`)}),
	}
}

// capSteps look for what refused beside the card itself: the slice of a shared
// GPU, a cap of MPS, or a peak that was gone when the error was printed.
func capSteps(*refused, reckoning) []oomdoc.Sentence {
	return []oomdoc.Sentence{
		oomdoc.Say(keyCapLook, nil),
		oomdoc.Command("nvidia-smi -L && nvidia-smi -q -d MEMORY && env | grep CUDA_MPS"),
		oomdoc.Say(keyCapWatch, nil),
		oomdoc.Command("nvidia-smi --query-gpu=timestamp,index,memory.used,memory.total --format=csv -l 1"),
	}
}

// restartSteps start the program again.
func restartSteps(r *refused, _ reckoning) []oomdoc.Sentence {
	p := r.inc.Process
	switch {
	case p != nil && isService(p.Unit):
		return []oomdoc.Sentence{oomdoc.Command("sudo systemctl restart " + operand(p.Unit))}
	case p != nil && isService(p.UserUnit):
		return []oomdoc.Sentence{oomdoc.Command("systemctl --user restart " + operand(p.UserUnit))}
	case p != nil && (p.Container != "" || p.Pod != ""):
		return []oomdoc.Sentence{oomdoc.Say(keyRestartBox, nil)}
	}
	return []oomdoc.Sentence{oomdoc.Say(keyRestartUnits, nil)}
}
