package playbook

import (
	"math"
	"strconv"

	"github.com/oomdoc/oomdoc"
)

const (
	keyShareUpWhy   oomdoc.Key = "fix.raise-share.why-now"
	keyShareDownWhy oomdoc.Key = "fix.lower-share.why-now"
	keyLowerFree    oomdoc.Key = "fix.lower-share.why-free"
	keyCapWhyNow    oomdoc.Key = "fix.raise-cap.why-now"
	keyCapWhyLimit  oomdoc.Key = "fix.raise-cap.why-limit"
	keySegmentsWhy  oomdoc.Key = "fix.join-segments.why-now"
)

const (
	// largestShare: what must stay free for the driver and for what allocates
	// outside the pool. Ours; vLLM's default is 0.92.
	largestShare = 0.95
	// shareStep is a first try.
	shareStep = 0.05
	// smallestShare: with less a server has no room to speak of. Ours.
	smallestShare = 0.3
)

// shareNow is the share of the card that the program may take: as it says, else
// as its command line does.
func (r *refused) shareNow(m measure) (float64, bool) {
	if r.e.Utilization != nil && *r.e.Utilization > 0 && *r.e.Utilization <= 1 {
		return *r.e.Utilization, true
	}
	for _, s := range settingsOf(r.kin(), m) {
		if f, has := r.args.fraction(s.names...); has {
			return f, true
		}
	}
	return 0, false
}

// reckonRaise raises the share by twice the usual step, as far as it may go: what
// the weights left of it was not enough.
func reckonRaise(r *refused) reckoning {
	now, known := r.shareNow(raiseShare)
	if !known {
		return reckoning{}
	}
	if now >= largestShare-shareStep/2 || now >= 0.9 && r.engine() == oomdoc.EngineSGLang {
		return reckoning{unfit: true} // there is nothing to raise
	}
	next := math.Min(largestShare, now+2*shareStep)
	short := r.cacheShort()
	if total := r.total(); total > 0 && short > 0 {
		// What is missing, with a tenth to spare, and a step for the cache itself.
		needs := now + float64(saturating(short, share(short, spare)))/float64(total) + shareStep
		next = math.Min(largestShare, math.Max(next, math.Ceil(100*needs)/100))
	}
	if r.engine() == oomdoc.EngineSGLang {
		next = math.Min(0.9, now+3*shareStep)
	}
	done := reckoning{
		value: inHundredths(next),
		why:   oomdoc.Say(keyShareUpWhy, oomdoc.Args{"now": oomdoc.Text(inHundredths(now)), "next": oomdoc.Text(inHundredths(next))}),
	}
	if total := r.total(); total > 0 {
		gains := scaled(total, next-now)
		done.saves, done.enough = &gains, r.enough(&gains)
		if short > 0 {
			does := covers(gains, short)
			done.enough = &does
		}
	}
	return done
}

// cacheShort is by how much the share was too small before the KV cache had
// anything of it; 0 where the lines do not tell.
func (r *refused) cacheShort() int64 {
	c := r.e.Clue(oomdoc.ClueKVAvailable)
	if c == nil || c.Bytes == nil || *c.Bytes >= 0 || *c.Bytes == math.MinInt64 {
		return 0
	}
	return -*c.Bytes
}

// reckonLower lowers the share to what is free, where that is the matter, else by
// a step, so that more is left for what allocates outside of it.
func reckonLower(r *refused) reckoning {
	now, known := r.shareNow(lowerShare)
	if free, total := r.e.Free, r.total(); r.inc.Cause == oomdoc.CauseOtherProcess && free != nil && total > 0 {
		next := math.Floor(100*float64(*free)/float64(total)-1) / 100
		if next < smallestShare || known && next >= now {
			return reckoning{unfit: true}
		}
		saves := valueOf(r.missing())
		done := reckoning{
			value: inHundredths(next),
			why:   oomdoc.Say(keyLowerFree, oomdoc.Args{"next": oomdoc.Text(inHundredths(next)), "free": oomdoc.Bytes(*free), "total": oomdoc.Bytes(total)}),
		}
		if saves > 0 && r.e.Refusal == oomdoc.RefusalPlan && known {
			saves = scaled(total, now-next)
			done.saves = &saves
		}
		return done
	}
	if !known {
		return reckoning{}
	}
	next := now - shareStep
	if next < smallestShare {
		return reckoning{unfit: true}
	}
	done := reckoning{
		value: inHundredths(next),
		why:   oomdoc.Say(keyShareDownWhy, oomdoc.Args{"now": oomdoc.Text(inHundredths(now)), "next": oomdoc.Text(inHundredths(next))}),
	}
	if total := r.total(); total > 0 {
		frees := scaled(total, shareStep)
		done.saves, done.enough = &frees, r.enough(&frees)
	}
	return done
}

func inHundredths(f float64) string {
	return strconv.FormatFloat(math.Round(100*f)/100, 'f', -1, 64)
}

// reckonCap gives the share that the request needs, with a tenth to spare: a cap
// of the user's own was the limit, and the card has room.
func reckonCap(r *refused) reckoning {
	total := r.total()
	limit, now := valueOf(r.e.Allowed), valueOf(r.e.Allocated)
	if limit == 0 {
		limit, now = valueOf(r.e.Limit), valueOf(r.e.InUse)
	}
	if r.e.Requested == nil || limit <= 0 {
		return reckoning{}
	}
	need := saturating(saturating(now, valueOf(r.e.Unallocated)), *r.e.Requested)
	need = max(saturating(need, share(need, spare)), limit)
	if total == 0 {
		return reckoning{
			value: strconv.FormatInt(roundUp(need), 10),
			why:   oomdoc.Say(keyCapWhyLimit, oomdoc.Args{"limit": oomdoc.Bytes(limit), "need": oomdoc.Bytes(need)}),
		}
	}
	next := math.Ceil(100*float64(need)/float64(total)) / 100
	if next > 1 {
		return reckoning{unfit: true} // without a cap it would not fit either
	}
	fits := r.e.Free == nil || *r.e.Free >= *r.e.Requested
	return reckoning{
		value: inHundredths(next), enough: &fits,
		why: oomdoc.Say(keyCapWhyNow, oomdoc.Args{
			"limit": oomdoc.Bytes(limit), "total": oomdoc.Bytes(total), "need": oomdoc.Bytes(need),
		}),
	}
}

// reckonSegments is what the allocator holds in pieces: it can give back no more.
func reckonSegments(r *refused) reckoning {
	held := valueOf(r.e.Unallocated)
	if limit, used := r.e.Limit, r.e.InUse; held == 0 && limit != nil && used != nil && *limit > *used {
		held = *limit - *used
	}
	if held <= 0 || r.e.Requested == nil {
		return reckoning{}
	}
	free := int64(0)
	if f := r.free(); f != nil && r.e.Limit == nil {
		free = *f
	}
	enough := saturating(free, held) >= *r.e.Requested
	return reckoning{
		saves: &held, enough: &enough,
		why: oomdoc.Say(keySegmentsWhy, oomdoc.Args{
			"held": oomdoc.Bytes(held), "free": oomdoc.Bytes(free), "size": oomdoc.Bytes(*r.e.Requested),
		}),
	}
}
