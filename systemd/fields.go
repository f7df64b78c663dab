package systemd

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// The limits of what one field may hold, in bytes. Together they keep an entry
// far below the 208 KiB of a datagram (net.core.wmem_default), so that
// go-systemd never needs its detour over a file in /dev/shm.
const (
	maxName = 256  // a name: PATH_MAX has no part longer than 255
	maxPath = 4096 // a cgroup path
	maxText = 2048 // MESSAGE and other sentences
)

// Documentation is where an entry points for more; `systemctl status` and
// journal viewers show it.
const Documentation = "man:oomdoc-fixes(7)"

// A field is one field of an incident's entry. The names are fixed: nothing
// from a log ever names a field.
type field struct {
	name  string
	limit int
	value func(*oomdoc.Incident) string // empty: the field is left out
}

// incidentFields are the fields of an incident's entry.
//
// `journalctl -u UNIT` and `systemctl status UNIT` show an entry with
// OBJECT_SYSTEMD_UNIT=UNIT that a process of UID 0 wrote (src/shared/logs-show.c
// of systemd 252, add_matches_for_unit).
func incidentFields() []field {
	return []field{
		{"OOMDOC_ID", maxName, func(i *oomdoc.Incident) string { return i.ID }},
		{"OOMDOC_BURST", maxName, func(i *oomdoc.Incident) string { return i.Burst }},
		{"OOMDOC_TIME", maxName, incidentTime},
		{"OOMDOC_CLASS", maxName, func(i *oomdoc.Incident) string { return string(i.Class) }},
		{"OOMDOC_CAUSE", maxName, func(i *oomdoc.Incident) string { return string(i.Cause) }},
		{"OOMDOC_CONFIDENCE", maxName, func(i *oomdoc.Incident) string { return string(i.Confidence) }},
		{"OOMDOC_OUTCOME", maxName, func(i *oomdoc.Incident) string { return string(i.Outcome) }},
		{"OOMDOC_KILLER", maxName, func(i *oomdoc.Incident) string { return i.Killer }},
		{"OOMDOC_OFFENDER", maxPath, (*oomdoc.Incident).Offender},
		{"OOMDOC_UNIT", maxName, ofProcess(func(p *oomdoc.Process) string { return p.Unit })},
		{"OOMDOC_USER_UNIT", maxName, ofProcess(func(p *oomdoc.Process) string { return p.UserUnit })},
		{"OOMDOC_CGROUP", maxPath, ofProcess(func(p *oomdoc.Process) string { return p.Cgroup })},
		{"OOMDOC_CONTAINER", maxName, ofProcess(func(p *oomdoc.Process) string { return p.Container })},
		{"OOMDOC_POD", maxName, ofProcess(func(p *oomdoc.Process) string { return p.Pod })},
		{"OOMDOC_COMM", maxName, ofProcess(processName)},
		{"OOMDOC_PID", maxName, ofProcess(processID)},
		{"OOMDOC_RSS_BYTES", maxName, ofMemory(func(m *oomdoc.Memory) *int64 { return m.RSSBytes })},
		{"OOMDOC_LIMIT_BYTES", maxName, ofMemory(func(m *oomdoc.Memory) *int64 { return m.LimitBytes })},
		{"OOMDOC_USED_BYTES", maxName, ofMemory(func(m *oomdoc.Memory) *int64 { return m.UsedBytes })},
		{"OOMDOC_FIX", maxText, fixSlugs},
		{"OOMDOC_COMMAND", maxText, func(i *oomdoc.Incident) string { return firstCommand(i.Fixes) }},
		{"OOMDOC_STEP", maxText, whatToDo},
		{"OBJECT_SYSTEMD_UNIT", maxName, ofProcess(func(p *oomdoc.Process) string { return wellFormed(p.Unit) })},
		{"OBJECT_SYSTEMD_USER_UNIT", maxName, ofProcess(func(p *oomdoc.Process) string { return wellFormed(p.UserUnit) })},
		{"OBJECT_UID", maxName, ofProcess(processUID)},
	}
}

func ofProcess(value func(*oomdoc.Process) string) func(*oomdoc.Incident) string {
	return func(i *oomdoc.Incident) string {
		if i.Process == nil {
			return ""
		}
		return value(i.Process)
	}
}

func ofMemory(value func(*oomdoc.Memory) *int64) func(*oomdoc.Incident) string {
	return func(i *oomdoc.Incident) string {
		if i.Memory == nil || value(i.Memory) == nil {
			return ""
		}
		return strconv.FormatInt(*value(i.Memory), 10)
	}
}

func incidentTime(i *oomdoc.Incident) string {
	if i.Time.IsZero() {
		return ""
	}
	return i.Time.Format(time.RFC3339Nano)
}

func processName(p *oomdoc.Process) string {
	if p.Name == nil {
		return ""
	}
	return *p.Name
}

func processID(p *oomdoc.Process) string {
	if p.PID == 0 {
		return ""
	}
	return strconv.Itoa(p.PID)
}

func processUID(p *oomdoc.Process) string {
	if p.UID == nil {
		return ""
	}
	return strconv.Itoa(*p.UID)
}

// fixSlugs names the fixes, best first: "host,downsize".
func fixSlugs(i *oomdoc.Incident) string {
	slugs := make([]string, len(i.Fixes))
	for n := range i.Fixes {
		slugs[n] = i.Fixes[n].Slug
	}
	return strings.Join(slugs, ",")
}

// whatToDo is the first thing to do, in words or as a command. It is never
// empty: the message catalog shows it, and journalctl prints the name of a field
// that is missing.
func whatToDo(i *oomdoc.Incident) string {
	return cmp.Or(firstCommand(i.Fixes), firstStep(i.Fixes), "oomdoc show "+i.ID)
}

// fieldsOf gives the fields of an incident, cleaned.
func fieldsOf(incident *oomdoc.Incident) map[string]string {
	fields := make(map[string]string)
	for _, f := range incidentFields() {
		if value := f.value(incident); value != "" {
			fields[f.name] = clean(value, f.limit)
		}
	}
	return fields
}

// wellFormed gives a unit name back when it is one, else nothing: the name came
// from a cgroup path that any program can make. The rule is unit_name_is_valid's
// (src/basic/unit-name.c of systemd 252): at most 255 bytes of these characters
// with a unit's suffix.
func wellFormed(unit string) string {
	const characters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:-_.\\@"
	dot := strings.LastIndexByte(unit, '.')
	if dot <= 0 || len(unit) > 255 || unit[0] == '@' || strings.Trim(unit, characters) != "" {
		return ""
	}
	for _, suffix := range []string{
		".service", ".scope", ".slice", ".socket", ".mount", ".automount",
		".swap", ".target", ".path", ".timer", ".device",
	} {
		if unit[dot:] == suffix {
			return unit
		}
	}
	return ""
}
