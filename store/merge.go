package store

import (
	"cmp"
	"reflect"
	"time"

	"github.com/oomdoc/oomdoc"
)

// How two tellings of one kill become one incident:
//
//   - The verdict (class, cause, confidence, outcome, summary, evidence, what is
//     missing, fixes) is taken whole from one telling: its sentences belong
//     together. Within one reading (same opening of the store, same source) a
//     later revision replaces an earlier one, even with less in it: it knows
//     better. Between readings the richer telling wins (richness); of equals the
//     stored one stays, so that reading a log again changes nothing.
//   - The facts (process, memory, kernel, GPU, victims, holders, samples) are
//     united: each field that the verdict's telling lacks is taken from the
//     other. A fact that is stored is never lost.
//   - The place is united too; an exact time stands before an approximate one,
//     a stored time before a new one of its kind.

// richness orders tellings: how sure, how much evidence, how little is missing,
// how far the source can be believed.
type richness struct{ confidence, evidence, missing, source int }

// confidenceRank and sourceRank: what is not listed ranks 0.
var (
	confidenceRank = map[oomdoc.Confidence]int{oomdoc.Certain: 3, oomdoc.Likely: 2, oomdoc.Possible: 1}
	sourceRank     = map[oomdoc.Source]int{oomdoc.SourceKmsg: 2, oomdoc.SourceJournal: 2, oomdoc.SourceProbe: 1, oomdoc.SourceCounter: 1}
)

func richnessOf(inc *oomdoc.Incident) richness {
	return richness{confidenceRank[inc.Confidence], len(inc.Evidence), -len(inc.Missing), sourceRank[inc.Source]}
}

func (r richness) compare(other richness) int {
	return cmp.Or(
		cmp.Compare(r.confidence, other.confidence),
		cmp.Compare(r.evidence, other.evidence),
		cmp.Compare(r.missing, other.missing),
		cmp.Compare(r.source, other.source),
	)
}

// merge unites the stored incident and a new telling of it. reading numbers the
// opening that the stored verdict is from, opening is the present one. fromNew
// says that the verdict is the new telling's.
func merge(stored, telling oomdoc.Incident, reading, opening int64) (merged oomdoc.Incident, fromNew bool) {
	if reading == opening && stored.Source == telling.Source {
		fromNew = telling.Revision >= stored.Revision
	} else {
		fromNew = richnessOf(&telling).compare(richnessOf(&stored)) > 0
	}
	base, other := stored, telling
	if fromNew {
		base, other = telling, stored
	}
	merged = uniteFacts(base, other)
	mergePlace(&merged, &stored, &telling)

	merged.ID = stored.ID
	merged.Burst = cmp.Or(stored.Burst, telling.Burst)
	merged.Count = max(stored.Count, telling.Count)
	merged.Selftest = stored.Selftest || telling.Selftest
	merged.Final = stored.Final || telling.Final
	merged.Replayed = stored.Replayed && telling.Replayed
	merged.Read = earliest(stored.Read, telling.Read)
	return merged, fromNew
}

// uniteFacts takes from other what base does not have.
func uniteFacts(base, other oomdoc.Incident) oomdoc.Incident {
	base.Killer = cmp.Or(base.Killer, other.Killer)
	if base.VictimReason.IsZero() {
		base.VictimReason = other.VictimReason
	}
	base.Evidence = orSlice(base.Evidence, other.Evidence)
	base.Fixes = orSlice(base.Fixes, other.Fixes)
	base.Victims = longer(base.Victims, other.Victims)
	base.Holders = longer(base.Holders, other.Holders)
	base.Samples = longer(base.Samples, other.Samples)
	base.Process = unite(base.Process, other.Process)
	base.GPU = unite(base.GPU, other.GPU)
	base.Memory = unite(base.Memory, other.Memory)
	base.Kernel = unite(base.Kernel, other.Kernel)
	return base
}

// unite fills the fields that base lacks, by reflection, so that a field added
// to the domain types is not forgotten here. Neither argument is changed.
func unite[T any](base, other *T) *T {
	if base == nil || other == nil {
		return cmp.Or(base, other)
	}
	united := *base
	to, from := reflect.ValueOf(&united).Elem(), reflect.ValueOf(other).Elem()
	for i := range to.NumField() {
		if field := to.Field(i); isAbsent(field) {
			field.Set(from.Field(i))
		}
	}
	return &united
}

// isAbsent tells a fact that is not known: nil, "", 0 or an empty list.
func isAbsent(field reflect.Value) bool {
	return field.IsZero() || field.Kind() == reflect.Slice && field.Len() == 0
}

// mergePlace unites where and when: sequence and stamp from whoever has them.
func mergePlace(merged, stored, telling *oomdoc.Incident) {
	merged.BootID = cmp.Or(stored.BootID, telling.BootID)
	merged.Seq, merged.HasSeq = stored.Seq, stored.HasSeq
	if !stored.HasSeq {
		merged.Seq, merged.HasSeq = telling.Seq, telling.HasSeq
	}
	merged.Usec = stored.Usec
	if stored.Usec <= 0 {
		merged.Usec = telling.Usec
	}
	merged.Time, merged.TimeApproximate = stored.Time, stored.TimeApproximate
	moreExact := stored.TimeApproximate && !telling.TimeApproximate
	if !telling.Time.IsZero() && (stored.Time.IsZero() || moreExact) {
		merged.Time, merged.TimeApproximate = telling.Time, telling.TimeApproximate
	}
}

func orSlice[T any](a, b []T) []T {
	if len(a) > 0 {
		return a
	}
	return b
}

func longer[T any](a, b []T) []T {
	if len(b) > len(a) {
		return b
	}
	return a
}

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
