package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"sync"
	"syscall"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/applog"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/kmsg"
	"github.com/oomdoc/oomdoc/proc"
	"github.com/oomdoc/oomdoc/record"
	"github.com/oomdoc/oomdoc/session"
)

// A runWatch watches one command: what it prints, which of its processes the
// kernel kills, and how it ends. Events of the three are joined to incidents.
type runWatch struct {
	app      *app
	command  []string
	out, err *session.Copy
	began    time.Time
	bootID   string
	machine  proc.MachineInfo
	stop     context.CancelFunc
	loops    sync.WaitGroup // all but those of the copies
	readers  sync.WaitGroup

	mu        sync.Mutex // guards what follows
	diagnoser *daemon.Diagnoser
	programs  *applog.Recognizer
	kernel    *kmsg.Parser
	family    *proc.Family // nil until the command runs
	found     explanation
	kills     map[string]bool // the kernel's, by event: whether it was of the family
	killed    bool            // one was
	kernelLog bool            // it is followed
	others    []oomdoc.Event  // kills of processes that nobody met
	held      []oomdoc.Event  // a process was killed, as a program says; by whom is known at the end
}

func (a *app) newRunWatch(command []string) (*runWatch, error) {
	bootID, err := proc.BootID("/proc")
	if err != nil {
		return nil, err
	}
	machine, err := proc.Machine("/proc")
	if err != nil {
		return nil, err
	}
	w := &runWatch{
		app: a, command: command, out: session.NewCopy(), err: session.NewCopy(), began: time.Now(), bootID: bootID, machine: machine,
		programs: applog.NewRecognizer(applog.Options{}), kernel: newKernelParser(), kills: make(map[string]bool),
	}
	w.diagnoser = daemon.NewDiagnoser(daemon.DiagnoserOptions{
		Facts: w.facts,
		Emit: func(incident oomdoc.Incident) {
			incident.Source = oomdoc.SourceRun
			w.found.add(incident)
		},
	})
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	w.followKernelLog(ctx)
	for _, copied := range []*session.Copy{w.out, w.err} {
		w.readers.Go(func() { w.read(copied) })
	}
	w.loops.Go(func() { w.look(ctx) })
	return w, nil
}

func newKernelParser() *kmsg.Parser {
	return kmsg.NewParser(kmsg.ParserOptions{HostPageSize: int64(os.Getpagesize())})
}

// started begins to watch the processes of the command.
func (w *runWatch) started(pid int) {
	family := proc.NewFamily("/proc", pid)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.family = family
}

// firstPause is until the first look at a command's processes; the pauses grow.
const firstPause = 5 * time.Millisecond

// look meets the command's processes as they come, and lets time pass for what
// is being put together.
func (w *runWatch) look(ctx context.Context) {
	pause := firstPause
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		w.mu.Lock()
		now := time.Now()
		if w.family != nil {
			w.family.Refresh()
		}
		pause = min(2*pause, proc.FamilyPace(time.Since(now)))
		w.survive(func() { w.programs.Tick(now, w.programEvent) })
		w.kernel.Tick(now, w.kernelEvent)
		w.mu.Unlock()
	}
}

// read reads what the command prints on one of its outputs.
func (w *runWatch) read(copied *session.Copy) {
	decoder := record.NewDecoder(copied, record.Options{Source: oomdoc.SourceRun})
	var rec oomdoc.Record
	for decoder.Next(&rec) == nil {
		// What a program prints is the program's word, also where it looks like the
		// kernel's log.
		if rec.Facility == oomdoc.FacilityKernel {
			rec.Facility = oomdoc.FacilityUnknown
		}
		rec.HasSeq, rec.Usec, rec.BootID = false, oomdoc.NoUsec, w.bootID
		rec.Read = time.Now()
		if rec.Time.IsZero() {
			rec.Time = rec.Read
		}
		w.mu.Lock()
		w.survive(func() { w.programs.Feed(&rec, w.programEvent) })
		w.mu.Unlock()
	}
	// Where nothing can be read any more the copy must still be taken.
	rest := make([]byte, 32<<10)
	for {
		if _, err := copied.Read(rest); err != nil {
			return
		}
	}
}

// survive runs a part of the recogniser: a fault in it costs that line.
func (w *runWatch) survive(do func()) {
	defer func() {
		if recover() != nil {
			w.programs = applog.NewRecognizer(applog.Options{})
		}
	}()
	do()
}

// programEvent takes what the printed lines tell: of programs themselves. Who
// prints the log of a killer in user space tells nothing of the command.
func (w *runWatch) programEvent(ev oomdoc.Event) {
	if ev.UserKill != nil && ev.UserKill.Killer != oomdoc.KillerRay {
		return
	}
	if p := ev.Program; p != nil {
		named := *p
		named.Name = cmp.Or(p.Name, path.Base(w.command[0]))
		named.UID = new(os.Getuid())
		ev.Program = &named
		if p.Refusal == oomdoc.RefusalKilled {
			w.hold(ev)
			return
		}
	}
	w.diagnoser.Add(ev)
}

func (w *runWatch) hold(ev oomdoc.Event) {
	const most = 64
	for i := range w.held {
		if w.held[i].ID == ev.ID {
			w.held[i] = ev
			return
		}
	}
	if len(w.held) < most {
		w.held = append(w.held, ev)
	}
}

// kernelEvent takes a kill by the kernel, if it was of the command's processes.
func (w *runWatch) kernelEvent(ev oomdoc.Event) {
	if ev.Kernel == nil || len(ev.Kernel.Kills) == 0 || w.family == nil {
		return
	}
	ours, known := w.kills[ev.ID]
	if !known || !ours {
		for _, kill := range ev.Kernel.Kills {
			ours = ours || w.family.Has(kill.PID)
		}
		w.kills[ev.ID] = ours
	}
	switch {
	case ours:
		w.killed = true
		w.diagnoser.Add(ev)
	case w.isLikelyOurs(&ev):
		w.keepOther(ev)
	}
}

// isLikelyOurs tells a victim that nobody met and that may have been born and
// killed between two looks: of this user, and younger than the command.
func (w *runWatch) isLikelyOurs(ev *oomdoc.Event) bool {
	for _, kill := range ev.Kernel.Kills {
		if kill.PID > w.family.Root() && kill.UID != nil && *kill.UID == os.Getuid() {
			return true
		}
	}
	return false
}

func (w *runWatch) keepOther(ev oomdoc.Event) {
	const most = 8 // of more it could not be told which
	for i := range w.others {
		if w.others[i].ID == ev.ID {
			w.others[i] = ev
			return
		}
	}
	if len(w.others) < most {
		w.others = append(w.others, ev)
	}
}

// facts are what was known of the processes that an event names.
func (w *runWatch) facts(ev *oomdoc.Event) oomdoc.Facts {
	facts := oomdoc.Facts{RAMBytes: w.machine.RAMBytes, SwapBytes: &w.machine.SwapTotalBytes, Processes: make(map[int]oomdoc.ProcessFacts)}
	if ev.Program != nil && ev.Program.PID == 0 { // some process of the command
		facts.Processes[0] = oomdoc.ProcessFacts{Cmdline: proc.MaskSecrets(w.command)}
	}
	if w.family == nil {
		return facts
	}
	var pids []int
	if ev.Kernel != nil {
		for _, kill := range ev.Kernel.Kills {
			pids = append(pids, kill.PID)
		}
	}
	if ev.UserKill != nil {
		pids = append(pids, ev.UserKill.PID)
	}
	for _, pid := range pids {
		if found, ok := w.family.Facts(pid); ok {
			facts.Processes[pid] = found
		}
	}
	return facts
}

// lost is how much of the output came too fast to be looked at.
func (w *runWatch) lost() uint64 { return w.out.Lost() + w.err.Lost() }

// finish takes the end of the command and gives the incidents.
func (w *runWatch) finish(result session.Result, ran bool) []oomdoc.Incident {
	w.out.Close()
	w.err.Close()
	w.readers.Wait()
	if ran {
		w.mu.Lock()
		w.survive(func() { w.programs.Flush(w.programEvent) })
		w.mu.Unlock()
		w.settle(result)
	}
	w.stop()
	w.loops.Wait()
	if w.family != nil {
		_ = w.family.Close() // it was only read
	}
	incidents := w.found.incidents
	for i := range incidents {
		if result.Code() == 0 && incidents[i].Outcome == oomdoc.OutcomeFailed { // the command coped with it
			incidents[i].Outcome, incidents[i].Quiet = oomdoc.OutcomeDegraded, true
		}
	}
	return incidents
}

// isKilled tells a command that ended by SIGKILL, or a shell that says so of what
// it ran.
func isKilled(result session.Result) bool {
	const shellsWord = 128 + int(syscall.SIGKILL)
	return result.Code() == shellsWord
}

// counted tells that the kernel has killed where the command's processes were.
func (w *runWatch) counted() bool {
	if w.family == nil {
		return false
	}
	_, n, _ := w.family.Kills()
	return n > 0
}

// settle finds out who killed what was killed. The kernel's log, where it may be
// read, decides; else its counters; where neither may, that is said.
func (w *runWatch) settle(result session.Result) {
	w.mu.Lock()
	suspected := isKilled(result) || len(w.held) > 0 || w.counted()
	w.mu.Unlock()
	if suspected {
		w.awaitKernel(result)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kernel.Flush(w.kernelEvent)
	if !suspected {
		return
	}
	if !w.killed && len(w.others) == 1 { // something of ours was killed, and this is the one kill there was
		w.killed = true
		w.diagnoser.Add(w.others[0])
	}
	cgroup, n, known := "", int64(0), false
	if w.family != nil {
		cgroup, n, known = w.family.Kills()
	}
	switch {
	case w.killed: // what programs say of it belongs to it
	case w.kernelLog, known && n == 0: // it was somebody else
		return
	case n > 0 && isKilled(result):
		w.diagnoser.Add(w.toldByCounter(result, cgroup, n))
		return
	case len(w.held) == 0 && isKilled(result):
		w.held = append(w.held, w.endedByKill(result))
	}
	for _, ev := range w.held {
		w.diagnoser.Add(ev)
	}
}

// awaitKernel waits for the kernel's lines of a kill, which came before the end
// of the process, to be read.
func (w *runWatch) awaitKernel(result session.Result) {
	if !w.kernelLog {
		w.readKernelJournal()
		return
	}
	const longest, step = 500 * time.Millisecond, 10 * time.Millisecond
	for waited := time.Duration(0); waited < longest; waited += step {
		w.mu.Lock()
		arrived := w.killed || len(w.others) > 0
		w.mu.Unlock()
		if arrived {
			return
		}
		time.Sleep(step)
	}
}

// toldByCounter is the kernel's own count as a word of a kill.
func (w *runWatch) toldByCounter(result session.Result, cgroup string, n int64) oomdoc.Event {
	kill := oomdoc.UserKill{
		Killer: oomdoc.KillerKernel, Witness: oomdoc.WitnessProven, Told: true, Teller: oomdoc.TellerCounter,
		Comm: new(path.Base(w.command[0])), UID: new(os.Getuid()), Cgroup: cgroup, Processes: new(int(n)), PID: result.PID,
	}
	ev := w.event(oomdoc.EventUserKill, fmt.Sprint("counter ", cgroup, " ", result.PID))
	ev.UserKill = &kill
	return ev
}

// endedByKill is the end of the command alone.
func (w *runWatch) endedByKill(result session.Result) oomdoc.Event {
	ev := w.event(oomdoc.EventProgramError, fmt.Sprint("killed ", result.PID))
	ev.Program = &oomdoc.ProgramError{
		Witness: oomdoc.WitnessProven, Refusal: oomdoc.RefusalKilled, Outcome: oomdoc.OutcomeKilled,
		Name: path.Base(w.command[0]), UID: new(os.Getuid()),
	}
	if result.Status.Signaled() {
		ev.Program.PID = result.PID
	}
	return ev
}

func (w *runWatch) event(kind oomdoc.EventKind, what string) oomdoc.Event {
	now := time.Now()
	return oomdoc.Event{
		ID: applog.EventID(kind, fmt.Sprint(now.UnixNano()), what), Kind: kind, Source: oomdoc.SourceRun, BootID: w.bootID,
		Usec: oomdoc.NoUsec, Time: now, Read: now, Trust: oomdoc.TrustText, Final: true,
	}
}

// followKernelLog reads the kernel's log from now on, if this user may.
func (w *runWatch) followKernelLog(ctx context.Context) {
	follower, err := kmsg.Follow(ctx, kmsg.Options{BootID: w.bootID, QueueBytes: 1 << 20})
	if err != nil {
		return // the end is judged without it
	}
	w.kernelLog = true
	w.loops.Go(func() {
		defer func() { _ = follower.Close() }() // it was only read
		var rec oomdoc.Record
		for {
			if err := follower.Next(ctx, &rec); err != nil {
				return
			}
			if rec.Replayed {
				continue
			}
			w.mu.Lock()
			w.kernel.Feed(&rec, w.kernelEvent)
			w.mu.Unlock()
		}
	})
}

// readKernelJournal reads the kernel's lines since the start from the journal:
// members of some groups may, who may not read the log itself.
func (w *runWatch) readKernelJournal() {
	const patience = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	err := kernelJournal(ctx, w.began, func(rec *oomdoc.Record) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.kernel.Feed(rec, w.kernelEvent)
	})
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return // there is no journal, or it may not be read: the counters decide
	}
}
