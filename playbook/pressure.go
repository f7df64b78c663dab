package playbook

import (
	"math"

	"github.com/oomdoc/oomdoc"
)

// AttachUserKill sets the fixes of an incident that a killer in user space
// decided: what to change for that killer, never to do without it, as the kernel
// would kill in its place and later. kill may be nil, when the kernel chose whom
// to kill on its behalf.
func AttachUserKill(inc *oomdoc.Incident, kill *oomdoc.UserKill, facts oomdoc.Facts) {
	inc.Fixes = []oomdoc.Fix{}
	if kill == nil {
		kill = &oomdoc.UserKill{Killer: inc.Killer}
	}
	if kill.Told || inc.Selftest {
		return
	}
	d := decision{patient: newPatient(inc, nil, facts), kill: kill}
	for _, try := range killerRemedies()[inc.Killer] {
		if fix, applies := try(d); applies {
			fix.Number, fix.Slug = numberHost, slugHost
			inc.Fixes = append(inc.Fixes, fix)
		}
	}
	inc.Fixes = append(inc.Fixes, programFixes(d.patient)...)
}

// A decision is an incident with what its killer said.
type decision struct {
	*patient
	kill *oomdoc.UserKill
}

// killerRemedies are what can be done for each killer, best first.
func killerRemedies() map[string][]func(decision) (oomdoc.Fix, bool) {
	return map[string][]func(decision) (oomdoc.Fix, bool){
		oomdoc.KillerSystemdOomd: {killerSwap, oomdWaitLonger, oomdSpare},
		oomdoc.KillerEarlyoom:    {killerSwap, earlyoomLater},
		oomdoc.KillerNohang:      {killerSwap, nohangLater},
		oomdoc.KillerOomd:        {oomdRules},
		oomdoc.KillerKubelet:     {evictRequests},
		oomdoc.KillerRay:         {rayLess},
	}
}

// swapUsedUp, in percent: with less of it free, swap is what ran short (oomd.conf(5),
// SwapUsedLimit=, and earlyoom(1), -s, both leave 10 % by default).
const swapUsedUp = 10

const keyKillerSwapWhy oomdoc.Key = "fix.killer-swap.why"

// killerSwap is for a killer that acted with no swap, or with nearly all of it
// used. More swap puts that off.
func killerSwap(d decision) (oomdoc.Fix, bool) {
	m := d.memory()
	total, free := m.SwapTotalBytes, m.SwapFreeBytes
	if total == nil {
		total = d.facts.SwapBytes
	}
	switch {
	case total == nil:
		return oomdoc.Fix{}, false
	case *total == 0:
		return oomdoc.Fix{
			Title: oomdoc.Say(keySwapTitle, nil),
			Why:   oomdoc.Say(keySwapWhy, oomdoc.Args{"size": oomdoc.Bytes(d.swapSize())}),
			Steps: swapSteps("/swapfile", d.swapSize()),
		}, true
	case free == nil || 100*float64(*free) > swapUsedUp*float64(*total):
		return oomdoc.Fix{}, false
	}
	size := roundUp(min(max(*total, 512*mib), maxSwap))
	return oomdoc.Fix{
		Title: oomdoc.Say(keySwapMore, nil),
		Why: oomdoc.Say(keyKillerSwapWhy, oomdoc.Args{
			"free": oomdoc.Bytes(*free), "total": oomdoc.Bytes(*total), "killer": oomdoc.Text(d.inc.Killer),
		}),
		Steps: swapSteps("/swapfile-oomdoc", size),
	}, true
}

// plainName tells a process name that means only itself in a regular expression
// and in a shell.
func (d decision) plainName() (string, bool) {
	if d.kill.Comm == nil {
		return "", false
	}
	name := *d.kill.Comm
	for _, c := range []byte(name) {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !letter && c != '_' && c != '-' {
			return "", false
		}
	}
	return name, name != "" && name[0] != '-'
}

// halved is half of a limit in whole percent, at least 1.
func halved(limit float64) int64 { return max(1, int64(math.Round(limit/2))) }
