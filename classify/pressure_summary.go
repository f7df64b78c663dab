package classify

import (
	"cmp"

	"github.com/oomdoc/oomdoc"
)

const (
	keyUserPressure       oomdoc.Key = "summary.user-pressure"
	keyUserSwap           oomdoc.Key = "summary.user-swap"
	keyUserAvailable      oomdoc.Key = "summary.user-available"
	keyUserUsage          oomdoc.Key = "summary.user-usage"
	keyUserRule           oomdoc.Key = "summary.user-rule"
	keyUserUnknown        oomdoc.Key = "summary.user-unknown"
	keyUserOwnerPressure  oomdoc.Key = "summary.user-owner-pressure"
	keyUserOwnerSwap      oomdoc.Key = "summary.user-owner-swap"
	keyUserOwnerAvailable oomdoc.Key = "summary.user-owner-available"
	keyUserOwnerUsage     oomdoc.Key = "summary.user-owner-usage"
	keyUserOwnerRule      oomdoc.Key = "summary.user-owner-rule"
	keyUserOwnerUnknown   oomdoc.Key = "summary.user-owner-unknown"
	keyUserNobody         oomdoc.Key = "summary.user-unseen"
	keyUserEviction       oomdoc.Key = "summary.user-eviction"
	keyUserAsked          oomdoc.Key = "summary.user-asked"
	keyUserForgeable      oomdoc.Key = "summary.user-forgeable"
	keyUserOwnerForgeable oomdoc.Key = "summary.user-owner-forgeable"
	keyToldProcess        oomdoc.Key = "summary.told-process"
	keyToldOwner          oomdoc.Key = "summary.told-owner"
	keyToldOwnerOpen      oomdoc.Key = "summary.told-owner-open"
	keyCountedProcess     oomdoc.Key = "summary.told-counter"
)

// userSummaries are the sentences by reason: for a process, and for an owner of
// which all died.
func userSummaries() map[oomdoc.KillReason]struct{ process, owner oomdoc.Key } {
	return map[oomdoc.KillReason]struct{ process, owner oomdoc.Key }{
		oomdoc.ReasonPressure:  {keyUserPressure, keyUserOwnerPressure},
		oomdoc.ReasonSwap:      {keyUserSwap, keyUserOwnerSwap},
		oomdoc.ReasonAvailable: {keyUserAvailable, keyUserOwnerAvailable},
		oomdoc.ReasonUsage:     {keyUserUsage, keyUserOwnerUsage},
		oomdoc.ReasonRule:      {keyUserRule, keyUserOwnerRule},
		oomdoc.ReasonUnknown:   {keyUserUnknown, keyUserOwnerUnknown},
	}
}

// summary is the one sentence in plain words.
func (r *userReading) summary() oomdoc.Sentence {
	args := oomdoc.Args{"killer": r.killer()}
	p := r.process()
	switch {
	case r.kill.Reason == oomdoc.ReasonAsked:
		return oomdoc.Say(keyUserAsked, args)
	case p == nil:
		return oomdoc.Say(keyUserNobody, args)
	case p.Name != nil:
		args["name"], args["pid"] = processName(*p.Name), oomdoc.Count(p.PID)
		return oomdoc.Say(r.processSummary(), args)
	}
	args["kind"] = oomdoc.Word(KindWord(oomdoc.OwnerKind(p.OwnerKind)))
	args["owner"] = oomdoc.Text(cmp.Or(p.Owner, p.Cgroup))
	args["teller"] = oomdoc.Text(r.kill.Teller)
	return oomdoc.Say(r.ownerSummary(), args)
}

func (r *userReading) processSummary() oomdoc.Key {
	switch {
	case r.kill.Teller == oomdoc.TellerCounter:
		return keyCountedProcess
	case r.kill.Told:
		return keyToldProcess
	case r.kill.Witness == oomdoc.WitnessForgeable:
		return keyUserForgeable
	}
	return userSummaries()[r.kill.Reason].process
}

func (r *userReading) ownerSummary() oomdoc.Key {
	switch {
	case r.kill.Told && r.kill.Killer == "":
		return keyToldOwnerOpen
	case r.kill.Told:
		return keyToldOwner
	case r.kill.Witness == oomdoc.WitnessForgeable:
		return keyUserOwnerForgeable
	case r.kill.Killer == oomdoc.KillerKubelet:
		return keyUserEviction
	}
	return userSummaries()[r.kill.Reason].owner
}
