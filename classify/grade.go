package classify

import (
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyMissingReport  oomdoc.Key = "missing.report-suppressed"
	keyMissingAll     oomdoc.Key = "missing.all-but-kill-line"
	keyMissingHeader  oomdoc.Key = "missing.header"
	keyMissingMemory  oomdoc.Key = "missing.memory-numbers"
	keyMissingMemcg   oomdoc.Key = "missing.group-numbers"
	keyMissingSummary oomdoc.Key = "missing.summary"
	keyMissingKill    oomdoc.Key = "missing.kill-line"
	keyMissingVictim  oomdoc.Key = "missing.victim"
	keyMissingTable   oomdoc.Key = "missing.table"
	keyMissingLost    oomdoc.Key = "missing.lost-records"
	keyMissingTrust   oomdoc.Key = "missing.trust"
	keyMissingPage    oomdoc.Key = "missing.page-size"
)

// A lack is a part that a report should have. caps is the most that can be
// claimed without it.
type lack struct {
	missing func(*reading) bool
	key     oomdoc.Key
	caps    oomdoc.Confidence
}

// lacks are the parts of full evidence (knowledge kernel-oom.md section 4 point
// 11): header, memory numbers, summary, kill line; the table only tells why this
// victim. Where nothing but the kill line is left, that is one lack, not six.
func lacks() []lack {
	return []lack{
		{(*reading).suppressed, keyMissingReport, oomdoc.Likely},
		{(*reading).cutShort, keyMissingAll, oomdoc.Likely},
		{(*reading).lacksHeader, keyMissingHeader, oomdoc.Likely},
		{(*reading).lacksMemcg, keyMissingMemcg, oomdoc.Likely},
		{(*reading).lacksMemory, keyMissingMemory, oomdoc.Likely},
		{(*reading).lacksSummary, keyMissingSummary, oomdoc.Likely},
		{(*reading).lacksKill, keyMissingKill, oomdoc.Likely},
		{(*reading).lacksVictim, keyMissingVictim, oomdoc.Possible},
		{(*reading).lacksTable, keyMissingTable, oomdoc.Certain},
		{(*reading).assumesPage, keyMissingPage, oomdoc.Likely},
	}
}

// grade says how sure the verdict is and what it lacks.
func grade(r *reading, v *verdict) (oomdoc.Confidence, []oomdoc.Sentence) {
	confidence, missing := lower(oomdoc.Certain, v.ceiling), v.missing
	for _, l := range lacks() {
		if l.missing(r) {
			confidence = lower(confidence, l.caps)
			missing = append(missing, oomdoc.Say(l.key, nil))
		}
	}
	if lost := r.report.Lost; lost > 0 {
		confidence = lower(confidence, oomdoc.Likely)
		missing = append(missing, oomdoc.Say(keyMissingLost, oomdoc.Args{"n": oomdoc.Count(lost)}))
	}
	if r.event.Trust < oomdoc.TrustKernel {
		confidence = lower(confidence, r.textCeiling())
		missing = append(missing, oomdoc.Say(keyMissingTrust, nil))
	}
	return confidence, missing
}

// textCeiling is the most that a log can prove which does not say who wrote
// its lines: one line is soon forged, a whole report with numbers that agree is
// not.
func (r *reading) textCeiling() oomdoc.Confidence {
	if r.event.Trust < oomdoc.TrustText || r.onlyKillLine() {
		return oomdoc.Possible
	}
	return oomdoc.Likely
}

func (r *reading) onlyKillLine() bool {
	p := r.report
	return r.trigger == nil && p.Summary == nil && p.Memory == nil && p.Memcg == nil
}

func (r *reading) suppressed() bool { return r.onlyKillLine() && r.report.Suppressed }

func (r *reading) cutShort() bool { return r.onlyKillLine() && !r.report.Suppressed }

func (r *reading) lacksHeader() bool { return !r.onlyKillLine() && r.trigger == nil }

func (r *reading) lacksMemcg() bool {
	m := r.report.Memcg
	return !r.onlyKillLine() && r.isMemcg() && !r.isRequested() && (m == nil || m.Usage == nil || m.Limit == nil)
}

func (r *reading) lacksMemory() bool {
	if r.onlyKillLine() || r.isMemcg() || r.isRequested() {
		return false
	}
	_, complete := r.usableZones()
	return !complete
}

// lacksSummary holds for kernels that print the line: 5.0 and newer (ef8444ea01d7).
// Where the version is not known, a report with a header is taken to be of one.
func (r *reading) lacksSummary() bool {
	if r.onlyKillLine() || r.report.Summary != nil || r.spared() {
		return false
	}
	if major, known := majorVersion(r.report.KernelVersion); known {
		return major >= 5
	}
	t := r.report.Trigger
	return t == nil || t.GFP != "" || t.GFPMask == 0 // up to 4.5 the flags have no names
}

func (r *reading) lacksKill() bool {
	return len(r.report.Kills) == 0 && r.choice() != nil && !r.spared()
}

func (r *reading) lacksVictim() bool {
	return len(r.report.Kills) == 0 && r.choice() == nil && !r.spared()
}

// spared tells an event that ended otherwise than with a kill.
func (r *reading) spared() bool {
	return r.report.NoVictim || r.report.Panic != "" || r.isFailure()
}

// lacksTable holds for all but failed requests, which have none.
func (r *reading) lacksTable() bool {
	return !r.onlyKillLine() && len(r.report.Tasks) == 0 && !r.isFailure()
}

// assumesPage matters only for numbers that are counted in pages: those of a
// global report.
func (r *reading) assumesPage() bool {
	return r.report.PageSizeAssumed && !r.isMemcg() && r.report.Memory != nil
}

// majorVersion is the first number of a kernel's version.
func majorVersion(version string) (int, bool) {
	digits, _, _ := strings.Cut(version, ".")
	major, err := strconv.Atoi(digits)
	return major, err == nil
}

// lower is the less sure of two; the zero value is Certain.
func lower(a, b oomdoc.Confidence) oomdoc.Confidence {
	order := map[oomdoc.Confidence]int{oomdoc.Possible: 0, oomdoc.Likely: 1, oomdoc.Certain: 2, "": 2}
	if order[b] < order[a] {
		return b
	}
	return a
}
