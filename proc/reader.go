package proc

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A reader reads what processes are. It opens the folder of processes when it is
// first needed.
type reader struct {
	root       string
	maxCmdline int
	maps       func(pid int) (*os.File, error) // opens those of another user's process; nil: nobody does
	boot       time.Time                       // when ticks began
	dir        *procDir
	lines      *bufio.Reader // for maps
}

// ticksPerSecond is the unit of starttime: USER_HZ, 100 on every architecture
// that Go runs on (include/asm-generic/param.h).
const ticksPerSecond = 100

func (r *reader) open() error {
	if r.dir != nil {
		return nil
	}
	boot, err := bootTime(r.root)
	if err != nil {
		return err
	}
	dir, err := openProc(r.root)
	if err != nil {
		return err
	}
	r.boot, r.dir = boot, dir
	return nil
}

func (r *reader) close() error {
	if r.dir == nil {
		return nil
	}
	err := r.dir.close()
	r.dir = nil
	return err
}

func (r *reader) stat(pid int) (procStat, bool) {
	text, err := r.dir.read(pid, "stat")
	if err != nil {
		return procStat{}, false
	}
	return parseStat(text)
}

// identify reads the files that say what a process is. One that cannot be read
// leaves its fact unknown: another user's may be closed to us, and a process on
// its way out has an empty command line.
func (r *reader) identify(pid int, stat procStat) oomdoc.ProcessFacts {
	facts := oomdoc.ProcessFacts{
		PID:       pid,
		Parent:    stat.parent,
		Comm:      string(stat.comm),
		StartTime: r.boot.Add(time.Duration(stat.start) * time.Second / ticksPerSecond),
		UID:       -1,
	}
	if text, err := r.dir.read(pid, "cmdline"); err == nil {
		facts.Cmdline = commandLine(text, len(text) == fileSize, r.maxCmdline)
	}
	if text, err := r.dir.read(pid, "cgroup"); err == nil {
		facts.Cgroup = memoryCgroup(text)
	}
	if text, err := r.dir.read(pid, "status"); err == nil {
		facts.UID, facts.SwapBytes = realUID(text), swapBytes(text)
	}
	facts.Engine = EngineOf(&facts, "", "")
	return facts
}

// bootTime reads the btime line of /proc/stat, seconds since 1970 (proc_stat(5)).
func bootTime(procRoot string) (time.Time, error) {
	const name = "stat"
	file, err := os.Open(filepath.Join(procRoot, name))
	if err != nil {
		return time.Time{}, unreadable(procRoot, name, err)
	}
	defer func() { _ = file.Close() }() // it was only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20) // the intr line of a large machine is long
	for lines.Scan() {
		digits, is := strings.CutPrefix(lines.Text(), "btime ")
		if !is {
			continue
		}
		seconds, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return time.Time{}, unreadable(procRoot, name, err)
		}
		return time.Unix(seconds, 0), nil
	}
	if err := lines.Err(); err != nil {
		return time.Time{}, unreadable(procRoot, name, err)
	}
	return time.Time{}, unreadable(procRoot, name, errNoBootTime)
}

const errNoBootTime = constError("no btime line")
