package systemd

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// A Writer is who wrote an entry, by the fields that journald sets itself; the
// container is what root's runtime says.
type Writer struct {
	BootID    string
	PID       string
	UID       string
	Unit      string
	UserUnit  string
	Container string
}

// WriterOf copies who wrote an entry of the journal.
func WriterOf(rec *oomdoc.Record) Writer {
	j := rec.Journal
	w := Writer{
		BootID: rec.BootID, PID: string(j.WriterPID), UID: string(j.WriterUID),
		Unit: string(j.WriterUnit), UserUnit: string(j.WriterUserUnit),
	}
	if w.UID == "0" {
		w.Container = string(j.Container)
	}
	return w
}

// carriesOthers are units that write the output of many programs: there the
// process or the container tells them apart.
func carriesOthers(unit string) bool {
	switch unit {
	case "docker.service", "containerd.service", "crio.service", "kubelet.service", "podman.service", "init.scope":
		return true
	}
	return !strings.HasSuffix(unit, ".service") || strings.HasPrefix(unit, "user@")
}

// matches are journalctl's arguments for the entries of one writer.
func (w Writer) matches() []string {
	matches := []string{"_BOOT_ID=" + strings.ReplaceAll(w.BootID, "-", "")}
	switch {
	case w.Container != "" && len(w.Container) < 64:
		return append(matches, "CONTAINER_ID="+w.Container, "_UID=0")
	case w.Container != "":
		return append(matches, "CONTAINER_ID_FULL="+w.Container, "_UID=0")
	case w.Unit != "" && !carriesOthers(w.Unit):
		return append(matches, "_SYSTEMD_UNIT="+w.Unit)
	}
	return append(matches, "_PID="+w.PID)
}

// aroundWithin bounds how long the entries around another may take to read.
const aroundWithin = 20 * time.Second

// Around reads the entries of a writer between two times, the last ones where
// there are more than limit, in order.
func (j JournalSource) Around(ctx context.Context, w Writer, from, to time.Time, limit int, take func(*oomdoc.Record)) error {
	ctx, cancel := context.WithTimeout(ctx, aroundWithin)
	defer cancel()
	until, lines := "--until="+timeArgument(to), "--lines="+strconv.Itoa(limit)
	// journalctl counts lines from the end only backwards: once to find the first,
	// once to read from there.
	first := ""
	backwards := append([]string{"--reverse", lines, sinceArgument(from), until}, w.matches()...)
	err := j.each(ctx, limit, backwards, func(rec *oomdoc.Record) { first = string(rec.Journal.Cursor) })
	if err != nil || first == "" {
		return err
	}
	return j.each(ctx, limit, append([]string{"--cursor=" + first, lines, until}, w.matches()...), func(rec *oomdoc.Record) {
		if !isOwn(rec) && !rec.Journal.Kernel {
			take(rec)
		}
	})
}

// each reads at most limit entries.
func (j JournalSource) each(ctx context.Context, limit int, args []string, take func(*oomdoc.Record)) error {
	r, err := j.read(ctx, false, args...)
	if err != nil {
		return err
	}
	var rec oomdoc.Record
	taken := 0
	for ; taken < limit; taken++ {
		if err = r.next(&rec); err != nil {
			break
		}
		take(&rec)
	}
	endErr := unlessQuiet(r.end())
	switch {
	case err == nil, errors.Is(err, io.EOF) && taken > 0: // what it complained of was in its way, no more
		return nil
	case errors.Is(err, io.EOF):
		return endErr
	}
	return err
}
