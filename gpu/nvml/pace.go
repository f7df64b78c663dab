package nvml

import "time"

// A pace is how often a device is asked: ten times a second while it is nearly
// full or fills fast, since from the last growth to a program's end it can be a
// fifth of a second; else once a second.
type pace struct {
	used  int64
	at    time.Time
	until time.Time // fast until then
	moved bool      // its use changed since the last time
}

const (
	paceRest   = time.Second
	paceFast   = 100 * time.Millisecond
	paceLinger = 5 * time.Second
	nearlyFull = 80       // percent
	climbsFast = 1 << 30  // bytes a second
	movedBy    = 16 << 20 // bytes: less is not worth another list
)

func (p *pace) next(now time.Time, used, total int64) time.Duration {
	seconds := now.Sub(p.at).Seconds()
	climbing := !p.at.IsZero() && seconds > 0 && float64(used-p.used)/seconds > climbsFast
	p.moved = p.at.IsZero() || used-p.used >= movedBy || p.used-used >= movedBy
	p.used, p.at = used, now
	if climbing || total > 0 && used > total/100*nearlyFull {
		p.until = now.Add(paceLinger)
	}
	if now.Before(p.until) {
		return paceFast
	}
	return paceRest
}
