package classify

import (
	"maps"

	"github.com/oomdoc/oomdoc"
)

// A reason is what the one sentence of an incident says after the colon.
type reason int

const (
	reasonUndecided       reason = iota
	reasonContradicted           // the free memory would have been enough for a single page
	reasonElsewhere              // memory was free where the request could not use it
	reasonLimit                  // of an owner that needs a word before its name
	reasonLimitUnit              // of an owner whose name says what it is
	reasonLimitUnmeasured        // the owner is known, the limit is not
	reasonLimitUnnamed           // not even the owner is
	reasonHost
	reasonHostNoSwap
	reasonHostSwapFull
	reasonHostUnproven // the kernel says so, no number is left
	reasonNUMA
	reasonNUMAProbably // only the numbers say so
	reasonRequested

	reasonPieces   // free, but not in one piece
	reasonLowZone  // free only in zones that the request may not use
	reasonWithheld // free, but set aside for others

	// What held the RAM of an exhausted machine, up to reasonBalloon.

	reasonHugepages
	reasonSlab
	reasonSlabReclaim
	reasonUnaccounted
	reasonGPU
	reasonPageTables
	reasonStacks
	reasonShmem
	reasonShmemLeft // files in it that no process maps
	reasonRamfs
	reasonBalloon
	reasonFollowUp // of another kill's shortage
	reasonRefused  // memory, with no number that says which
)

// A fate is what the sentence says before the colon.
type fate int

const (
	fateKilled  fate = iota // one process
	fateSeveral             // one process, and others with it
	fateNobody              // no process could be killed
	fatePanic               // the machine stopped
	fateUnseen              // the log does not tell who was killed
	fateRefused             // nobody was killed: a request failed
)

const (
	keyKilledUndecided    oomdoc.Key = "summary.killed-undecided"
	keyKilledContradicted oomdoc.Key = "summary.killed-contradicted"
	keyKilledElsewhere    oomdoc.Key = "summary.killed-elsewhere"
	keyKilledLimit        oomdoc.Key = "summary.killed-limit"
	keyKilledLimitUnit    oomdoc.Key = "summary.killed-limit-unit"
	keyKilledUnmeasured   oomdoc.Key = "summary.killed-limit-unmeasured"
	keyKilledUnnamed      oomdoc.Key = "summary.killed-limit-unnamed"
	keyKilledHost         oomdoc.Key = "summary.killed-host"
	keyKilledHostNoSwap   oomdoc.Key = "summary.killed-host-no-swap"
	keyKilledHostSwapFull oomdoc.Key = "summary.killed-host-swap-full"
	keyKilledHostUnproven oomdoc.Key = "summary.killed-host-unproven"
	keyKilledNUMA         oomdoc.Key = "summary.killed-numa"
	keyKilledRequested    oomdoc.Key = "summary.killed-requested"
	keyKilledProbably     oomdoc.Key = "summary.killed-numa-probably"
	keyKilledPieces       oomdoc.Key = "summary.killed-pieces"
	keyKilledLowZone      oomdoc.Key = "summary.killed-low-zone"
	keyKilledWithheld     oomdoc.Key = "summary.killed-withheld"
	keyKilledHugepages    oomdoc.Key = "summary.killed-hugepages"
	keyKilledSlab         oomdoc.Key = "summary.killed-slab"
	keyKilledSlabReclaim  oomdoc.Key = "summary.killed-slab-reclaimable"
	keyKilledUnaccounted  oomdoc.Key = "summary.killed-unaccounted"
	keyKilledGPU          oomdoc.Key = "summary.killed-gpu-driver"
	keyKilledPageTables   oomdoc.Key = "summary.killed-page-tables"
	keyKilledStacks       oomdoc.Key = "summary.killed-kernel-stacks"
	keyKilledShmem        oomdoc.Key = "summary.killed-shared"
	keyKilledShmemLeft    oomdoc.Key = "summary.killed-shared-left"
	keyKilledRamfs        oomdoc.Key = "summary.killed-ramfs"
	keyKilledBalloon      oomdoc.Key = "summary.killed-balloon"
	keyKilledFollowUp     oomdoc.Key = "summary.killed-follow-up"
	keyRefused            oomdoc.Key = "summary.refused"
	keyRefusedPieces      oomdoc.Key = "summary.refused-pieces"
	keyRefusedHost        oomdoc.Key = "summary.refused-host"
	keyRefusedPart        oomdoc.Key = "summary.refused-part"
	keySeveralLimit       oomdoc.Key = "summary.several-limit"
	keySeveralLimitUnit   oomdoc.Key = "summary.several-limit-unit"
	keySeveralUnmeasured  oomdoc.Key = "summary.several-limit-unmeasured"
	keySeveralHost        oomdoc.Key = "summary.several-host"
	keyNobodyLimit        oomdoc.Key = "summary.nobody-limit"
	keyNobodyUnmeasured   oomdoc.Key = "summary.nobody-limit-unmeasured"
	keyNobody             oomdoc.Key = "summary.nobody"
	keyPanicLimit         oomdoc.Key = "summary.panic-limit"
	keyPanicHost          oomdoc.Key = "summary.panic-host"
	keyPanic              oomdoc.Key = "summary.panic"
	keyUnseenLimit        oomdoc.Key = "summary.unseen-limit"
	keyUnseenHost         oomdoc.Key = "summary.unseen-host"
	keyUnseenPieces       oomdoc.Key = "summary.unseen-pieces"
	keyUnseenPart         oomdoc.Key = "summary.unseen-part"
	keyUnseen             oomdoc.Key = "summary.unseen"
)

// summaries are the sentences by fate and reason. A pair that is not here is
// said by its fate alone (plainSummary).
var summaries = map[fate]map[reason]oomdoc.Key{
	fateKilled: {
		reasonUndecided:       keyKilledUndecided,
		reasonContradicted:    keyKilledContradicted,
		reasonElsewhere:       keyKilledElsewhere,
		reasonLimit:           keyKilledLimit,
		reasonLimitUnit:       keyKilledLimitUnit,
		reasonLimitUnmeasured: keyKilledUnmeasured,
		reasonLimitUnnamed:    keyKilledUnnamed,
		reasonHost:            keyKilledHost,
		reasonHostNoSwap:      keyKilledHostNoSwap,
		reasonHostSwapFull:    keyKilledHostSwapFull,
		reasonHostUnproven:    keyKilledHostUnproven,
		reasonNUMA:            keyKilledNUMA,
		reasonNUMAProbably:    keyKilledProbably,
		reasonRequested:       keyKilledRequested,
		reasonPieces:          keyKilledPieces,
		reasonLowZone:         keyKilledLowZone,
		reasonWithheld:        keyKilledWithheld,
		reasonHugepages:       keyKilledHugepages,
		reasonSlab:            keyKilledSlab,
		reasonSlabReclaim:     keyKilledSlabReclaim,
		reasonUnaccounted:     keyKilledUnaccounted,
		reasonGPU:             keyKilledGPU,
		reasonPageTables:      keyKilledPageTables,
		reasonStacks:          keyKilledStacks,
		reasonShmem:           keyKilledShmem,
		reasonShmemLeft:       keyKilledShmemLeft,
		reasonRamfs:           keyKilledRamfs,
		reasonBalloon:         keyKilledBalloon,
		reasonFollowUp:        keyKilledFollowUp,
	},
	fateSeveral: {
		reasonLimit:           keySeveralLimit,
		reasonLimitUnit:       keySeveralLimitUnit,
		reasonLimitUnmeasured: keySeveralUnmeasured,
		reasonHost:            keySeveralHost,
		reasonHostNoSwap:      keySeveralHost,
		reasonHostSwapFull:    keySeveralHost,
	},
	fateNobody: {
		reasonLimit:           keyNobodyLimit,
		reasonLimitUnit:       keyNobodyLimit,
		reasonLimitUnmeasured: keyNobodyUnmeasured,
	},
	fatePanic: {
		reasonLimit:        keyPanicLimit,
		reasonLimitUnit:    keyPanicLimit,
		reasonHost:         keyPanicHost,
		reasonHostNoSwap:   keyPanicHost,
		reasonHostSwapFull: keyPanicHost,
	},
	fateRefused: {
		reasonPieces:   keyRefusedPieces,
		reasonLowZone:  keyRefusedPart,
		reasonWithheld: keyRefusedPart,
		reasonRefused:  keyRefused,
	},
	fateUnseen: {
		reasonLimit:        keyUnseenLimit,
		reasonLimitUnit:    keyUnseenLimit,
		reasonHost:         keyUnseenHost,
		reasonHostNoSwap:   keyUnseenHost,
		reasonHostSwapFull: keyUnseenHost,
		reasonPieces:       keyUnseenPieces,
		reasonLowZone:      keyUnseenPart,
		reasonWithheld:     keyUnseenPart,
		reasonNUMA:         keyUnseenPart,
		reasonNUMAProbably: keyUnseenPart,
	},
}

func plainSummary(f fate) oomdoc.Key {
	return map[fate]oomdoc.Key{
		fateKilled:  keyKilledUndecided,
		fateSeveral: keyKilledUndecided,
		fateNobody:  keyNobody,
		fatePanic:   keyPanic,
		fateUnseen:  keyUnseen,
		fateRefused: keyRefusedHost,
	}[f]
}

func fateOf(r *reading) fate {
	switch {
	case r.isFailure():
		return fateRefused
	case r.report.Panic != "":
		return fatePanic
	case len(r.report.Kills) == 0 && r.report.NoVictim:
		return fateNobody
	case r.victimPID() == 0:
		return fateUnseen
	case r.others() > 0:
		return fateSeveral
	}
	return fateKilled
}

// summaryKey finds the sentence of a fate and a reason. When several died and
// the reason has no sentence of its own for that, the first of them stands for
// all: the victims are listed beside it.
func summaryKey(f fate, why reason) oomdoc.Key {
	if key, has := summaries[f][why]; has {
		return key
	}
	if key, has := summaries[fateKilled][why]; has && f == fateSeveral {
		return key
	}
	return plainSummary(f)
}

// summarize is the one sentence in plain words.
func summarize(r *reading, v *verdict) oomdoc.Sentence {
	args := r.ownerArgs()
	maps.Copy(args, v.held)
	comm := ""
	if found, known := r.victimName(); known {
		comm = found
	} else if r.isFailure() && r.trigger != nil {
		comm = r.trigger.Comm
	}
	args["name"], args["pid"] = processName(comm), oomdoc.Count(r.victimPID())
	args["n"] = oomdoc.Count(r.others())
	if v.memory.LimitBytes != nil {
		args["limit"] = oomdoc.Bytes(*v.memory.LimitBytes)
	}
	if v.memory.RequestedBytes != nil {
		args["size"] = oomdoc.Bytes(*v.memory.RequestedBytes)
	}
	return oomdoc.Say(summaryKey(fateOf(r), v.reason), args)
}
