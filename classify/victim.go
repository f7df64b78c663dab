package classify

import "github.com/oomdoc/oomdoc"

const (
	keyHeld        oomdoc.Key = "evidence.victim-held"
	keyHeldNoShmem oomdoc.Key = "evidence.victim-held-no-shmem"
	keyHeldWhole   oomdoc.Key = "evidence.victim-held-whole"
	keyHeldUnnamed oomdoc.Key = "evidence.victim-died"
	keyChosen      oomdoc.Key = "evidence.victim-chosen"
)

// proveVictim says what the first victim held, from its kill line.
func (v *verdict) proveVictim(r *reading) {
	kill := r.victim()
	if kill == nil {
		if c := r.choice(); c != nil {
			v.prove(c.line, keyChosen, oomdoc.Args{"name": processName(c.comm), "pid": oomdoc.Count(c.pid)})
		}
		return
	}
	args := oomdoc.Args{"name": processName(kill.Comm), "pid": oomdoc.Count(kill.PID)}
	rss := kill.RSS()
	if rss == nil {
		v.prove(kill.Line, keyHeldUnnamed, args)
		return
	}
	v.memory.RSSBytes = rss
	args["rss"] = oomdoc.Bytes(*rss)
	if kill.AnonRSS == nil || kill.FileRSS == nil {
		v.prove(kill.Line, keyHeldWhole, args)
		return
	}
	args["anon"] = oomdoc.Bytes(valueOr(kill.AnonRSS, 0))
	args["file"] = oomdoc.Bytes(valueOr(kill.FileRSS, 0))
	if kill.ShmemRSS == nil { // before 4.5 it is a part of file
		v.prove(kill.Line, keyHeldNoShmem, args)
		return
	}
	args["shmem"] = oomdoc.Bytes(*kill.ShmemRSS)
	v.prove(kill.Line, keyHeld, args)
}

func valueOr[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}
