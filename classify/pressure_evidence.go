package classify

import (
	"cmp"

	"github.com/oomdoc/oomdoc"
)

const (
	keyKillPressure       oomdoc.Key = "evidence.killer-pressure"
	keyKillPressureFor    oomdoc.Key = "evidence.killer-pressure-for"
	keyKillPressureRule   oomdoc.Key = "evidence.killer-pressure-rule"
	keyKillPressureHost   oomdoc.Key = "evidence.killer-pressure-host"
	keyKillPressureUnread oomdoc.Key = "evidence.killer-pressure-limit"
	keyKillSwap           oomdoc.Key = "evidence.killer-swap"
	keyKillMemorySwap     oomdoc.Key = "evidence.killer-memory-and-swap"
	keyKillState          oomdoc.Key = "evidence.killer-state"
	keyKillStateNoSwap    oomdoc.Key = "evidence.killer-state-no-swap"
	keyKillStateBare      oomdoc.Key = "evidence.killer-state-swapless"
	keyKillLimits         oomdoc.Key = "evidence.killer-limits"
	keyKillMinimum        oomdoc.Key = "evidence.killer-minimum"
	keyKillThreshold      oomdoc.Key = "evidence.killer-threshold"
	keyKillContainer      oomdoc.Key = "evidence.killer-container"
	keyKillContainerBare  oomdoc.Key = "evidence.killer-container-no-request"
	keyKillUsage          oomdoc.Key = "evidence.killer-usage"
	keyKillUsageBare      oomdoc.Key = "evidence.killer-usage-no-limit"
	keyKillHeld           oomdoc.Key = "evidence.killer-held"
	keyKillGroupHeld      oomdoc.Key = "evidence.killer-group-held"
	keyKillSignal         oomdoc.Key = "evidence.killer-signal"
	keyKillUnit           oomdoc.Key = "evidence.killer-unit"
	keyKillUnitSome       oomdoc.Key = "evidence.killer-unit-some"
	keyKillRule           oomdoc.Key = "evidence.killer-rule"
	keyKillAsked          oomdoc.Key = "evidence.killer-asked"
	keyKillLine           oomdoc.Key = "evidence.killer-line"
	keyToldUnit           oomdoc.Key = "evidence.told-unit"
	keyToldResult         oomdoc.Key = "evidence.told-result"
	keyToldSystem         oomdoc.Key = "evidence.told-system"
	keyToldSlurm          oomdoc.Key = "evidence.told-slurm"
	keyToldCounter        oomdoc.Key = "evidence.told-counter"
)

// evidence are the sentences of the decision, each with the line that it is from:
// why, then whom.
func (r *userReading) evidence() []oomdoc.Evidence {
	proofs := []oomdoc.Evidence{}
	for _, prove := range []func(*userReading) (oomdoc.Evidence, bool){
		provePressure, proveSwapUse, proveState, proveLimits, proveThreshold, proveUsage, proveRule,
		proveContainer, proveHeld, proveUnit, proveTold,
	} {
		if e, has := prove(r); has {
			proofs = append(proofs, e)
		}
	}
	if len(proofs) == 0 {
		proofs = append(proofs, proof(r.line(), keyKillLine, oomdoc.Args{"killer": r.killer()}))
	}
	return proofs
}

func (r *userReading) killer() oomdoc.Value { return oomdoc.Text(r.kill.Killer) }

// line is the line that decided.
func (r *userReading) line() string {
	return cmp.Or(r.kill.Line, r.kill.UnitLine, r.kill.LimitLine)
}

func provePressure(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	record := cmp.Or(k.LimitLine, k.Line)
	switch {
	case k.Pressure == nil && k.PressureLimit == nil:
		return oomdoc.Evidence{}, false
	case k.Pressure == nil:
		return proof(record, keyKillPressureUnread, oomdoc.Args{
			"cgroup": name(k.Monitored), "limit": oomdoc.Percent(*k.PressureLimit), "span": oomdoc.Duration(k.PressureFor),
		}), true
	}
	args := oomdoc.Args{"pressure": oomdoc.Percent(*k.Pressure), "cgroup": name(k.Monitored), "span": oomdoc.Duration(k.PressureFor)}
	if k.PressureLimit == nil {
		args["cgroup"] = name(k.Cgroup)
		return proof(record, keyKillPressureRule, args), true
	}
	args["limit"] = oomdoc.Percent(*k.PressureLimit)
	switch {
	case k.Monitored == "":
		return proof(cmp.Or(k.StateLine, record), keyKillPressureHost, args), true
	case k.PressureFor > 0:
		return proof(record, keyKillPressureFor, args), true
	}
	return proof(record, keyKillPressure, args), true
}

func proveSwapUse(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	if k.SwapUsed == nil || k.SwapTotal == nil || k.SwapLimit == nil {
		return oomdoc.Evidence{}, false
	}
	args := oomdoc.Args{
		"used": oomdoc.Bytes(*k.SwapUsed), "total": oomdoc.Bytes(*k.SwapTotal), "limit": oomdoc.Percent(*k.SwapLimit),
	}
	record := cmp.Or(k.LimitLine, k.Line)
	if k.MemUsed == nil || k.MemTotal == nil {
		return proof(record, keyKillSwap, args), true
	}
	args["ram_used"], args["ram"] = oomdoc.Bytes(*k.MemUsed), oomdoc.Bytes(*k.MemTotal)
	return proof(record, keyKillMemorySwap, args), true
}

// proveState says what was available when the killer acted.
func proveState(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	if k.MemAvailable == nil || k.MemTotal == nil {
		return oomdoc.Evidence{}, false
	}
	record := cmp.Or(k.StateLine, k.LimitLine, k.Line)
	args := oomdoc.Args{
		"available": oomdoc.Bytes(*k.MemAvailable), "ram": oomdoc.Bytes(*k.MemTotal),
		"share": oomdoc.Percent(percent(*k.MemAvailable, *k.MemTotal)),
	}
	if k.SwapFree == nil || k.SwapTotal == nil {
		return proof(record, keyKillStateNoSwap, args), true
	}
	if *k.SwapTotal == 0 {
		return proof(record, keyKillStateBare, args), true
	}
	args["free"], args["total"] = oomdoc.Bytes(*k.SwapFree), oomdoc.Bytes(*k.SwapTotal)
	return proof(record, keyKillState, args), true
}

// proveLimits says what the killer goes by: earlyoom's and nohang's percentages.
func proveLimits(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	if k.Reason == oomdoc.ReasonSwap || k.MemLimit == nil || k.SwapLimit == nil {
		return oomdoc.Evidence{}, false
	}
	return proof(k.LimitLine, keyKillLimits, oomdoc.Args{
		"killer": r.killer(), "memory": oomdoc.Percent(*k.MemLimit), "swap": oomdoc.Percent(*k.SwapLimit),
	}), true
}

// proveThreshold is for a killer that goes by a size: the kubelet, earlyoom 0.x.
func proveThreshold(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	if k.MemLimitBytes == nil || k.MemAvailable == nil || k.MemLimit != nil && k.SwapLimit != nil {
		return oomdoc.Evidence{}, false
	}
	key := keyKillThreshold
	if k.Killer == oomdoc.KillerEarlyoom {
		key = keyKillMinimum
	}
	return proof(k.LimitLine, key, oomdoc.Args{
		"available": oomdoc.Bytes(*k.MemAvailable), "limit": oomdoc.Bytes(*k.MemLimitBytes), "killer": r.killer(),
	}), true
}

// proveUsage is for Ray's monitor.
func proveUsage(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	if k.Reason != oomdoc.ReasonUsage || k.MemUsed == nil || k.MemTotal == nil {
		return oomdoc.Evidence{}, false
	}
	args := oomdoc.Args{
		"used": oomdoc.Bytes(*k.MemUsed), "ram": oomdoc.Bytes(*k.MemTotal),
		"share": oomdoc.Percent(percent(*k.MemUsed, *k.MemTotal)), "killer": r.killer(),
	}
	if k.MemLimit == nil {
		return proof(k.Line, keyKillUsageBare, args), true
	}
	args["limit"] = oomdoc.Percent(*k.MemLimit)
	return proof(k.Line, keyKillUsage, args), true
}

func proveRule(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	if k.Rule == "" {
		return oomdoc.Evidence{}, false
	}
	return proof(cmp.Or(k.LimitLine, k.Line), keyKillRule, oomdoc.Args{
		"killer": r.killer(), "rule": name(k.Rule), "action": name(k.Action),
	}), true
}

func proveContainer(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	if k.Using == nil {
		return oomdoc.Evidence{}, false
	}
	args := oomdoc.Args{"container": name(k.Container), "used": oomdoc.Bytes(*k.Using)}
	if k.Request == nil {
		return proof(k.LimitLine, keyKillContainerBare, args), true
	}
	args["request"] = oomdoc.Bytes(*k.Request)
	return proof(k.LimitLine, keyKillContainer, args), true
}

func proveHeld(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	p := r.process()
	switch {
	case k.Told || p == nil:
		return oomdoc.Evidence{}, false
	case k.RSS != nil && p.PID == 0:
		return proof(k.Line, keyKillGroupHeld, oomdoc.Args{"cgroup": name(k.Cgroup), "rss": oomdoc.Bytes(*k.RSS)}), true
	case p.Name == nil:
		return oomdoc.Evidence{}, false
	}
	args := oomdoc.Args{"name": processName(*p.Name), "pid": oomdoc.Count(p.PID), "killer": r.killer()}
	if k.RSS == nil {
		args["signal"] = name(cmp.Or(k.Signal, "SIGKILL"))
		return proof(k.Line, keyKillSignal, args), true
	}
	args["rss"] = oomdoc.Bytes(*k.RSS)
	return proof(k.Line, keyKillHeld, args), true
}

// proveUnit quotes the service manager, which counts what systemd-oomd killed.
func proveUnit(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	if k.Told || k.UnitLine == "" {
		return oomdoc.Evidence{}, false
	}
	args := oomdoc.Args{"unit": name(k.Unit + k.UserUnit), "killer": r.killer()}
	if k.Processes == nil {
		return proof(k.UnitLine, keyKillUnitSome, args), true
	}
	args["n"] = oomdoc.Count(*k.Processes)
	return proof(k.UnitLine, keyKillUnit, args), true
}

func proveTold(r *userReading) (oomdoc.Evidence, bool) {
	k := r.kill
	switch {
	case !k.Told:
		return oomdoc.Evidence{}, false
	case k.Teller == oomdoc.TellerCounter:
		return proof("", keyToldCounter, oomdoc.Args{"n": oomdoc.Count(valueOr(k.Processes, 1)), "cgroup": name(k.Cgroup)}), true
	case k.PID != 0:
		return proof(k.Line, keyToldSystem, oomdoc.Args{"name": processName(*k.Comm), "pid": oomdoc.Count(k.PID)}), true
	case k.SlurmJob != "":
		return proof(k.Line, keyToldSlurm, oomdoc.Args{
			"n": oomdoc.Count(valueOr(k.Processes, 1)), "job": name(k.SlurmJob), "step": name(k.SlurmStep),
		}), true
	case k.Killer == "":
		return proof(k.Line, keyToldResult, oomdoc.Args{"unit": name(k.Unit + k.UserUnit)}), true
	}
	return proof(k.Line, keyToldUnit, oomdoc.Args{"unit": name(k.Unit + k.UserUnit)}), true
}
