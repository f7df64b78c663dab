package applog

import (
	"bytes"
	"strconv"
	"time"

	"github.com/oomdoc/oomdoc"
)

// rankOf reads which process of a distributed job printed a line: "[rank3]: " of
// torchrun, "(Worker_TP3 pid=540)" of vLLM, "[2026-02-25 15:39:25 TP0]" of
// SGLang, "[1]:" of older launchers.
func rankOf(head []byte) *int {
	for _, form := range []struct{ open, close string }{
		{"[rank", "]"}, {"[Rank ", "]"}, {"Worker_TP", ""}, {"Worker_DP", ""}, {"(VllmWorker rank=", " "}, {" TP", ""}, {" DP", ""},
	} {
		rest, found := after(head, form.open)
		if !found {
			continue
		}
		if n, rest, ok := small(rest); ok && bytes.HasPrefix(rest, []byte(form.close)) {
			return &n
		}
	}
	if rest, is := bytes.CutPrefix(head, []byte("[")); is {
		if n, rest, ok := small(rest); ok && bytes.HasPrefix(rest, []byte("]:")) {
			return &n
		}
	}
	return nil
}

// pidOf reads "(EngineCore pid=207)".
func pidOf(head []byte) int {
	for _, form := range []string{" pid=", "(pid="} {
		if rest, found := after(head, form); found {
			if n, rest, ok := small(rest); ok && len(rest) > 0 && (rest[0] == ')' || rest[0] == ',') {
				return n
			}
		}
	}
	return 0
}

// maxStampAt is how far into a line its logger's stamp can stand: after the names
// of a rank and a process.
const maxStampAt = 64

// stampIn finds the time that a logger put before its text: "2026-02-25
// 15:39:25", with T, a fraction and a zone where it prints them; without a zone
// it is this machine's.
func stampIn(text []byte) (time.Time, bool) {
	for at := 0; at < min(len(text), maxStampAt); at++ {
		if text[at] != '2' || len(text)-at < len("2006-01-02 15:04:05") || at > 0 && isDigit(text[at-1]) {
			continue
		}
		if t, ok := parseStamp(text[at:]); ok {
			return t, true
		}
	}
	return time.Time{}, false
}

func parseStamp(text []byte) (time.Time, bool) {
	if text[4] != '-' || text[7] != '-' || text[10] != ' ' && text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return time.Time{}, false
	}
	day, err := time.ParseInLocation(time.DateTime, string(text[:10])+" "+string(text[11:19]), time.Local)
	if err != nil {
		return time.Time{}, false
	}
	rest := text[19:]
	if len(rest) > 1 && (rest[0] == '.' || rest[0] == ',') && isDigit(rest[1]) {
		digits := 1
		for digits < len(rest) && isDigit(rest[digits]) {
			digits++
		}
		if fraction, err := strconv.ParseFloat("0."+string(rest[1:min(digits, 10)]), 64); err == nil {
			day = day.Add(time.Duration(fraction * float64(time.Second)))
		}
		rest = rest[digits:]
	}
	if bytes.HasPrefix(rest, []byte("Z")) {
		day = time.Date(day.Year(), day.Month(), day.Day(), day.Hour(), day.Minute(), day.Second(), day.Nanosecond(), time.UTC)
	} else if len(rest) >= 6 && (rest[0] == '+' || rest[0] == '-') && rest[3] == ':' {
		if zone, err := time.Parse("-07:00", string(rest[:6])); err == nil {
			day = time.Date(day.Year(), day.Month(), day.Day(), day.Hour(), day.Minute(), day.Second(), day.Nanosecond(), zone.Location())
		}
	}
	return day, true
}

// witnessOf says how well the writer of a program's own line is known. That it
// is this program's error nobody but it can say.
func witnessOf(l *line) oomdoc.Witness {
	switch {
	case l.inKernelLog:
		return oomdoc.WitnessForgeable
	case l.rec.Journal != nil && len(l.rec.Journal.WriterPID) > 0:
		return oomdoc.WitnessProven
	case len(l.writer) > 0:
		return oomdoc.WitnessNamed
	}
	return oomdoc.WitnessUnnamed
}

// completeFromJournal takes who wrote the line from the fields that journald set.
func completeFromJournal(e *oomdoc.ProgramError, j *oomdoc.JournalFields) {
	if n, _, ok := small(j.WriterPID); ok && e.PID == 0 {
		e.PID = n
	}
	if n, _, ok := small(j.WriterUID); ok {
		e.UID = &n
	}
	if e.Name == "" {
		e.Name = keep(j.WriterComm)
	}
	if e.Unit == "" {
		e.Unit = keep(j.WriterUnit)
	}
}
