package playbook

import (
	"strconv"

	"github.com/oomdoc/oomdoc"
)

const (
	keyLimitsLook   oomdoc.Key = "step.limits-look"
	keyLimitsRaise  oomdoc.Key = "step.limits-raise"
	keyLimitsUnit   oomdoc.Key = "step.limits-unit"
	keyCommitLook   oomdoc.Key = "step.commit-look"
	keyCommitRaise  oomdoc.Key = "step.commit-raise"
	keyShmLook      oomdoc.Key = "step.shm-look"
	keyShmDocker    oomdoc.Key = "step.shm-docker"
	keyShmCompose   oomdoc.Key = "step.shm-compose"
	keyShmPod       oomdoc.Key = "step.shm-pod"
	keyShmHost      oomdoc.Key = "step.shm-host"
	keyCacheFree    oomdoc.Key = "step.cache-free"
	keyCacheDesktop oomdoc.Key = "step.cache-desktop"
	keyRAMLook      oomdoc.Key = "step.ram-look"
	keyRAMSwap      oomdoc.Key = "step.ram-swap"
	keyRAMContainer oomdoc.Key = "step.ram-container"
	keyRAMWSL       oomdoc.Key = "step.ram-wsl"
	keyWSLFile      oomdoc.Key = "step.wsl-file"
	keyWSLRestart   oomdoc.Key = "step.wsl-restart"
	keyWSLLook      oomdoc.Key = "step.wsl-look"
	keyRAMWhy       oomdoc.Key = "fix.more-ram.why-missing"
	keyKillerLook   oomdoc.Key = "step.killer-look"
	keyKillerBox    oomdoc.Key = "step.killer-container"
)

func (r *refused) contained() bool {
	return r.inc.Process != nil && (r.inc.Process.Container != "" || r.inc.Process.Pod != "")
}

// addressSteps find the limit that refused: of the address space (bash(1), ulimit
// -v; systemd.exec(5), LimitAS=), or the kernel's on what it has promised
// (vm.rst, overcommit_memory).
func addressSteps(r *refused, _ reckoning) []oomdoc.Sentence {
	steps := []oomdoc.Sentence{
		oomdoc.Say(keyLimitsLook, nil),
		oomdoc.Command("ulimit -v"),
	}
	if p := r.inc.Process; p != nil && isService(p.Unit) {
		steps = append(steps,
			oomdoc.Say(keyLimitsUnit, nil),
			oomdoc.Command("systemctl show -p LimitAS -p MemoryMax "+operand(p.Unit)))
	} else {
		steps = append(steps, oomdoc.Say(keyLimitsRaise, nil), oomdoc.Command("ulimit -v unlimited"))
	}
	return append(steps,
		oomdoc.Say(keyCommitLook, nil),
		oomdoc.Command("sysctl vm.overcommit_memory && grep -i commit /proc/meminfo"),
		oomdoc.Say(keyCommitRaise, nil))
}

// firstShm is a first try for /dev/shm (knowledge playbook.md section 1, "Host RAM
// side": docker gives 64 MiB).
const firstShm = "8g"

// shmSteps make /dev/shm larger where it is made (docker run(1), --shm-size and
// --ipc; Kubernetes, emptyDir with medium Memory; tmpfs(5)).
func shmSteps(r *refused, _ reckoning) []oomdoc.Sentence {
	look := []oomdoc.Sentence{oomdoc.Say(keyShmLook, nil), oomdoc.Command("df -h /dev/shm")}
	docker := []oomdoc.Sentence{
		oomdoc.Say(keyShmDocker, oomdoc.Args{"size": oomdoc.Text("--shm-size=" + firstShm), "host": oomdoc.Text("--ipc=host")}),
		oomdoc.Say(keyShmCompose, oomdoc.Args{"line": oomdoc.Text("shm_size: " + firstShm)}),
	}
	pod := oomdoc.Say(keyShmPod, oomdoc.Args{"volume": oomdoc.Text("emptyDir: {medium: Memory, sizeLimit: 8Gi}")})
	host := []oomdoc.Sentence{
		oomdoc.Say(keyShmHost, nil),
		oomdoc.Command("sudo mount -o remount,size=" + r.hostShm() + " /dev/shm"),
	}
	p := r.inc.Process
	switch {
	case p != nil && p.Pod != "":
		return append(look, pod)
	case p != nil && p.Container != "":
		return append(look, docker...)
	}
	return append(append(append(look, docker...), pod), host...)
}

// hostShm is a size for /dev/shm of the machine itself: three quarters of RAM,
// where half is the default (tmpfs(5)).
func (r *refused) hostShm() string {
	if r.facts.RAMBytes > 0 {
		return inUnits(roundDown(share(r.facts.RAMBytes, 75)), systemdUnits())
	}
	return "75%"
}

// cacheSteps are for one memory of processor and GPU: the page cache is in the
// way of what asks for it all at once (vm.rst, drop_caches; vllm#48140).
func cacheSteps(*refused, reckoning) []oomdoc.Sentence {
	return []oomdoc.Sentence{
		oomdoc.Say(keyCacheFree, nil),
		oomdoc.Command("sync && echo 3 | sudo tee /proc/sys/vm/drop_caches && free -h"),
		oomdoc.Say(keyCacheDesktop, nil),
		oomdoc.Command("sudo systemctl isolate multi-user.target"),
	}
}

// reckonRAM says how much RAM or swap was missing.
func reckonRAM(r *refused) reckoning {
	missing := r.missing()
	if missing == nil {
		return reckoning{}
	}
	done := reckoning{why: oomdoc.Say(keyRAMWhy, oomdoc.Args{
		"missing": oomdoc.Bytes(*missing), "size": oomdoc.Bytes(*r.e.Requested), "free": oomdoc.Bytes(*r.room()),
	})}
	if ram := r.facts.RAMBytes; ram > 0 && *r.e.Requested > ram {
		done.why = oomdoc.Sentence{}
		done.unfit = true // swap cannot carry a model that does not fit in RAM
	}
	return done
}

// ramSteps free RAM, or add swap for what was missing.
func ramSteps(r *refused, _ reckoning) []oomdoc.Sentence {
	steps := []oomdoc.Sentence{oomdoc.Say(keyRAMLook, nil), oomdoc.Command("free -h && ps -eo rss,pid,comm --sort=-rss | head")}
	if r.contained() {
		return append(steps, oomdoc.Say(keyRAMContainer, nil))
	}
	size := int64(8 * gib)
	if missing := r.missing(); missing != nil {
		size = saturating(*missing, share(*missing, spare))
	} else if r.e.Requested != nil {
		size = *r.e.Requested
	}
	size = roundUp(min(max(size, gib), maxSwap))
	file := "/swapfile-oomdoc"
	return append(steps,
		oomdoc.Say(keyRAMSwap, nil),
		oomdoc.Command("sudo fallocate -l "+inUnits(size, systemdUnits())+" "+file+" && sudo chmod 600 "+file+
			" && sudo mkswap "+file+" && sudo swapon "+file),
		oomdoc.Say(keyRAMWSL, oomdoc.Args{"file": oomdoc.Text(".wslconfig"), "key": oomdoc.Text("memory=")}))
}

// wslSteps give the virtual machine of WSL more of the machine's RAM, of which it
// has half by default (microsoft: WSL docs, wsl-config).
func wslSteps(r *refused, _ reckoning) []oomdoc.Sentence { return wslSettings() }

func wslSettings() []oomdoc.Sentence {
	return []oomdoc.Sentence{
		oomdoc.Say(keyWSLFile, oomdoc.Args{
			"file": oomdoc.Text(`%UserProfile%\.wslconfig`), "section": oomdoc.Text("[wsl2]"), "memory": oomdoc.Text("memory=24GB"), "swap": oomdoc.Text("swap=16GB"),
		}),
		oomdoc.Say(keyWSLRestart, nil),
		oomdoc.Command("wsl --shutdown"),
		oomdoc.Say(keyWSLLook, nil),
		oomdoc.Command("free -h"),
	}
}

// killerSteps find out who ended a process: its own lines do not tell.
func killerSteps(r *refused, _ reckoning) []oomdoc.Sentence {
	steps := []oomdoc.Sentence{
		oomdoc.Say(keyKillerLook, nil),
		oomdoc.Command("sudo journalctl -k -o short-unix | oomdoc explain -"),
	}
	if r.inc.Process != nil && r.inc.Process.Container != "" && isExact(r.inc.Process.Container) {
		return append(steps,
			oomdoc.Say(keyKillerBox, nil),
			oomdoc.Command("docker inspect --format '{{.State.OOMKilled}} {{.HostConfig.Memory}}' "+operand(r.inc.Process.Container)))
	}
	return steps
}

// reckonMap applies where the file is not mapped now, or where nothing tells.
func reckonMap(r *refused) reckoning {
	if len(r.args) > 0 && !unmapped(r) {
		return reckoning{unfit: true}
	}
	return reckoning{}
}

const (
	keyShapeWhy  oomdoc.Key = "fix.check-shape.why-size"
	keyShapeLook oomdoc.Key = "step.check-shape"
	keySizeWhy   oomdoc.Key = "fix.downsize.why-size"
	keySizeStep  oomdoc.Key = "step.downsize"
	keySizeSome  oomdoc.Key = "step.downsize-some"
	keySizeOther oomdoc.Key = "step.downsize-other"
)

// reckonShape is for a request beyond any card.
func reckonShape(r *refused) reckoning {
	total := r.total()
	if r.e.Requested == nil || total == 0 {
		return reckoning{}
	}
	if *r.e.Requested < 2*total {
		return reckoning{unfit: true} // a large tensor, but not an absurd one
	}
	return reckoning{why: oomdoc.Say(keyShapeWhy, oomdoc.Args{
		"size": oomdoc.Bytes(*r.e.Requested), "total": oomdoc.Bytes(total), "times": oomdoc.Count(*r.e.Requested / total),
	})}
}

func shapeSteps(*refused, reckoning) []oomdoc.Sentence {
	return []oomdoc.Sentence{oomdoc.Say(keyShapeLook, oomdoc.Args{"code": oomdoc.Text("print(x.shape, x.dtype)")})}
}

const (
	// besidesWeights is what a model needs beside its weights: a cache of 8192
	// tokens, scratch space and the CUDA context (knowledge playbook.md section 3,
	// row Z: 8 GiB carry 9 B parameters, 24 GiB carry 37 B).
	besidesWeights = 29 * gib / 10
	billion        = 1e9
)

// largestModel is how many billion parameters fit on a card at 4 bits.
func largestModel(total int64) int64 {
	if total <= besidesWeights {
		return 0
	}
	return int64(float64(total-besidesWeights) * 8 / bitsQ4KM / billion)
}

// reckonSize says what fits: it stands last, and only where the device is known.
func reckonSize(r *refused) reckoning {
	total := r.total()
	if room := r.room(); total == 0 && room != nil && r.inc.Class == oomdoc.ClassVRAM && r.e.Phase == oomdoc.PhaseWeights {
		total = *room
	}
	if total == 0 && r.inc.Class == oomdoc.ClassHostRAM {
		total = r.facts.RAMBytes
	}
	if total == 0 || largestModel(total) < 1 {
		return reckoning{}
	}
	return reckoning{
		value: strconv.FormatInt(largestModel(total), 10),
		why: oomdoc.Say(keySizeWhy, oomdoc.Args{
			"total": oomdoc.Bytes(total), "n": oomdoc.Count(largestModel(total)),
		}),
	}
}

func sizeSteps(_ *refused, reckoned reckoning) []oomdoc.Sentence {
	take := oomdoc.Say(keySizeSome, nil)
	if reckoned.value != "" {
		take = oomdoc.Say(keySizeStep, oomdoc.Args{"n": oomdoc.Text(reckoned.value)})
	}
	return []oomdoc.Sentence{take, oomdoc.Say(keySizeOther, nil)}
}
