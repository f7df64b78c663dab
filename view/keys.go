package view

import "github.com/oomdoc/oomdoc"

// The labels and headings of an incident's text.
const (
	keyWhen     oomdoc.Key = "view.label.when"
	keyMemory   oomdoc.Key = "view.label.memory"
	keyOutcome  oomdoc.Key = "view.label.outcome"
	keyKiller   oomdoc.Key = "view.label.killer"
	keyProcess  oomdoc.Key = "view.label.process"
	keyCommand  oomdoc.Key = "view.label.command"
	keyStarter  oomdoc.Key = "view.label.starter"
	keySettings oomdoc.Key = "view.label.settings"
	keyOwner    oomdoc.Key = "view.label.owner"
	keyPod      oomdoc.Key = "view.label.pod"
	keyCgroup   oomdoc.Key = "view.label.cgroup"
	keyVictims  oomdoc.Key = "view.label.victims"
	keyReason   oomdoc.Key = "view.label.reason"
	keyRequest  oomdoc.Key = "view.label.request"
	keyLimited  oomdoc.Key = "view.label.limited"
	keySource   oomdoc.Key = "view.label.source"
	keyCount    oomdoc.Key = "view.label.count"
	keyNote     oomdoc.Key = "view.label.note"
	keyGPU      oomdoc.Key = "view.label.gpu"
	keyEvidence oomdoc.Key = "view.heading.evidence"
	keyMissing  oomdoc.Key = "view.heading.missing"
	keyFixes    oomdoc.Key = "view.heading.fixes"
	keyRecords  oomdoc.Key = "view.heading.records"
)

// What stands beside the labels.
const (
	keyTimeUnknown   oomdoc.Key = "view.time-unknown"
	keyTimeSinceBoot oomdoc.Key = "view.time-since-boot"
	keyTimeAbout     oomdoc.Key = "view.time-about"
	keyTimeAge       oomdoc.Key = "view.time-age"
	keyVerdict       oomdoc.Key = "view.verdict"
	keyPID           oomdoc.Key = "view.pid"
	keyGPUIndex      oomdoc.Key = "view.gpu-index"
	keyGPUNumber     oomdoc.Key = "view.gpu-number"
	keyGPUTotal      oomdoc.Key = "view.gpu-total"
	keyGPUFree       oomdoc.Key = "view.gpu-free"
	keyUID           oomdoc.Key = "view.uid"
	keyEngine        oomdoc.Key = "view.engine"
	keyModel         oomdoc.Key = "view.model"
	keyNoName        oomdoc.Key = "view.no-name"
	keyNamed         oomdoc.Key = "view.named"
	keyImage         oomdoc.Key = "view.image"
	keyPodUID        oomdoc.Key = "view.pod-uid"
	keyQoS           oomdoc.Key = "view.qos"
	keyInContainer   oomdoc.Key = "view.in-container"
	keyVictim        oomdoc.Key = "view.victim"
	keyVictimRSS     oomdoc.Key = "view.victim-rss"
	keyMoreVictims   oomdoc.Key = "view.more-victims"
	keyInvoker       oomdoc.Key = "view.invoker"
	keyOrder         oomdoc.Key = "view.order"
	keyBoot          oomdoc.Key = "view.boot"
	keyTimes         oomdoc.Key = "view.times"
	keySelftest      oomdoc.Key = "view.selftest"
	keyBurst         oomdoc.Key = "view.burst"
	keySaves         oomdoc.Key = "view.saves"
	keySavesEnough   oomdoc.Key = "view.saves-enough"
	keySavesShort    oomdoc.Key = "view.saves-short"
	keyNotToCopy     oomdoc.Key = "view.not-to-copy"
	keyIncident      oomdoc.Key = "view.incident"
	keyShow          oomdoc.Key = "view.show"
)

// The words of a table.
const (
	keyListTime    oomdoc.Key = "view.list.time"
	keyListWhat    oomdoc.Key = "view.list.what"
	keyListOwner   oomdoc.Key = "view.list.owner"
	keyListWhy     oomdoc.Key = "view.list.why"
	keyListID      oomdoc.Key = "view.list.id"
	keyListKills   oomdoc.Key = "view.list.kills"
	keyListFails   oomdoc.Key = "view.list.failures"
	keyListWithin  oomdoc.Key = "view.list.within"
	keyListMore    oomdoc.Key = "view.list.more"
	keyListNobody  oomdoc.Key = "view.list.nobody"
	keyListUnseen  oomdoc.Key = "view.list.unseen"
	keyListSeveral oomdoc.Key = "view.list.several"
	keyListLimit   oomdoc.Key = "view.list.limit"
	keyListMark    oomdoc.Key = "view.list.selftest"
	keyListFolded  oomdoc.Key = "view.list.folded"
)

// classWords names the classes.
func classWords() map[oomdoc.Class]oomdoc.Key {
	return map[oomdoc.Class]oomdoc.Key{
		oomdoc.ClassVRAM:          "view.class.vram",
		oomdoc.ClassHostRAM:       "view.class.host-ram",
		oomdoc.ClassFragmentation: "view.class.fragmentation",
	}
}

// causeWords says the causes in a few words.
func causeWords() map[oomdoc.Cause]oomdoc.Key {
	return map[oomdoc.Cause]oomdoc.Key{
		oomdoc.CauseCgroupLimit:       "view.cause.cgroup-limit",
		oomdoc.CauseHostExhausted:     "view.cause.host-exhausted",
		oomdoc.CauseNUMABound:         "view.cause.numa-bound",
		oomdoc.CauseRequested:         "view.cause.requested",
		oomdoc.CausePressureKill:      "view.cause.pressure-kill",
		oomdoc.CauseZoneExhausted:     "view.cause.zone-exhausted",
		oomdoc.CauseKernelMemory:      "view.cause.kernel-memory",
		oomdoc.CauseSharedMemory:      "view.cause.shared-memory",
		oomdoc.CauseHugepagesReserved: "view.cause.hugepages-reserved",
		oomdoc.CauseBalloon:           "view.cause.balloon",
		oomdoc.CauseKernelBuddy:       "view.cause.kernel-buddy",
		oomdoc.CauseAllocationRefused: "view.cause.allocation-refused",
		oomdoc.CauseShmTooSmall:       "view.cause.shm-too-small",
		oomdoc.CauseWeights:           "view.cause.weights",
		oomdoc.CauseKVCache:           "view.cause.kv-cache",
		oomdoc.CauseActivations:       "view.cause.activations",
		oomdoc.CauseOtherProcess:      "view.cause.other-process",
		oomdoc.CauseLeak:              "view.cause.leak",
		oomdoc.CauseSingleAllocation:  "view.cause.single-allocation",
		oomdoc.CauseReservation:       "view.cause.reservation",
		oomdoc.CauseExhausted:         "view.cause.exhausted",
		oomdoc.CauseCUDAAllocator:     "view.cause.cuda-allocator",
		oomdoc.CauseUndecided:         "view.cause.undecided",
	}
}

// causeTags says the causes in a cell of a table.
func causeTags() map[oomdoc.Cause]oomdoc.Key {
	return map[oomdoc.Cause]oomdoc.Key{
		oomdoc.CauseCgroupLimit:       "view.list.cause.cgroup-limit",
		oomdoc.CauseHostExhausted:     "view.list.cause.host-exhausted",
		oomdoc.CauseNUMABound:         "view.list.cause.numa-bound",
		oomdoc.CauseRequested:         "view.list.cause.requested",
		oomdoc.CausePressureKill:      "view.list.cause.pressure-kill",
		oomdoc.CauseZoneExhausted:     "view.list.cause.zone-exhausted",
		oomdoc.CauseKernelMemory:      "view.list.cause.kernel-memory",
		oomdoc.CauseSharedMemory:      "view.list.cause.shared-memory",
		oomdoc.CauseHugepagesReserved: "view.list.cause.hugepages-reserved",
		oomdoc.CauseBalloon:           "view.list.cause.balloon",
		oomdoc.CauseKernelBuddy:       "view.list.cause.kernel-buddy",
		oomdoc.CauseAllocationRefused: "view.list.cause.allocation-refused",
		oomdoc.CauseShmTooSmall:       "view.list.cause.shm-too-small",
		oomdoc.CauseWeights:           "view.list.cause.weights",
		oomdoc.CauseKVCache:           "view.list.cause.kv-cache",
		oomdoc.CauseActivations:       "view.list.cause.activations",
		oomdoc.CauseOtherProcess:      "view.list.cause.other-process",
		oomdoc.CauseLeak:              "view.list.cause.leak",
		oomdoc.CauseSingleAllocation:  "view.list.cause.single-allocation",
		oomdoc.CauseReservation:       "view.list.cause.reservation",
		oomdoc.CauseExhausted:         "view.list.cause.exhausted",
		oomdoc.CauseCUDAAllocator:     "view.list.cause.cuda-allocator",
		oomdoc.CauseUndecided:         "view.list.cause.undecided",
	}
}

// confidenceWords says how sure a verdict is.
func confidenceWords() map[oomdoc.Confidence]oomdoc.Key {
	return map[oomdoc.Confidence]oomdoc.Key{
		oomdoc.Certain:  "view.confidence.certain",
		oomdoc.Likely:   "view.confidence.likely",
		oomdoc.Possible: "view.confidence.possible",
	}
}

// outcomeWords says the outcomes; that a process was killed is what the summary
// says already.
func outcomeWords() map[oomdoc.Outcome]oomdoc.Key {
	return map[oomdoc.Outcome]oomdoc.Key{
		oomdoc.OutcomeFailed:   "view.outcome.failed",
		oomdoc.OutcomeDegraded: "view.outcome.degraded",
		oomdoc.OutcomePanic:    "view.outcome.panic",
	}
}

// ownerWords names what kind of thing an owner is; each takes its {name}.
func ownerWords() map[oomdoc.OwnerKind]oomdoc.Key {
	return map[oomdoc.OwnerKind]oomdoc.Key{
		oomdoc.OwnerUnit:      "view.owner.unit",
		oomdoc.OwnerUserUnit:  "view.owner.user-unit",
		oomdoc.OwnerSession:   "view.owner.session",
		oomdoc.OwnerApp:       "view.owner.app",
		oomdoc.OwnerContainer: "view.owner.container",
		oomdoc.OwnerPod:       "view.owner.pod",
		oomdoc.OwnerLXC:       "view.owner.lxc",
		oomdoc.OwnerVM:        "view.owner.vm",
		oomdoc.OwnerSlurm:     "view.owner.slurm-job",
		oomdoc.OwnerSlice:     "view.owner.slice",
		oomdoc.OwnerHost:      "view.owner.host",
		oomdoc.OwnerCgroup:    "view.owner.cgroup",
	}
}
