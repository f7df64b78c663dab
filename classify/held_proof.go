package classify

import (
	"cmp"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	// topCaches is how many of the largest caches are named.
	topCaches = 3
	// leftShare, in percent of the shared memory: with less than this mapped by
	// processes, it is files that were left behind. Ours: most of it.
	leftShare = 50
	// leastCache, in percent of the slab: a smaller cache is not worth a sentence.
	leastCache = 5
)

const (
	keyCache      oomdoc.Key = "evidence.slab-cache"
	keyNoTable    oomdoc.Key = "evidence.no-slab-table"
	keyProfile    oomdoc.Key = "evidence.allocation-profile"
	keyLeftFiles  oomdoc.Key = "evidence.shmem-left"
	keyMappedBy   oomdoc.Key = "evidence.shmem-mapped"
	keyGPUModule  oomdoc.Key = "evidence.gpu-module"
	keyOldBalloon oomdoc.Key = "evidence.guest-module"
)

// hasSlabTable tells that the kernel printed its caches, which it does when slab
// that it cannot give back is more than all pages of processes and files
// (mm/slab_common.c and mm/oom_kill.c, should_dump_unreclaim_slab, 4.15).
func (r *reading) hasSlabTable() bool {
	return r.report.Memory != nil && len(r.report.Memory.UnreclaimableSlab) > 0
}

// proveCaches names the largest caches of the kernel, as far as the report has
// them, and the largest users by allocation profiling (6.10).
func (v *verdict) proveCaches(r *reading) {
	m := r.report.Memory
	if m == nil {
		return
	}
	caches := slices.Clone(m.UnreclaimableSlab)
	slices.SortStableFunc(caches, func(x, y oomdoc.SlabCache) int { return cmp.Compare(y.Total, x.Total) })
	var all int64
	for i := range caches {
		all += caches[i].Total
	}
	for i := range caches[:min(len(caches), topCaches)] {
		if c := &caches[i]; percent(c.Total, all) >= leastCache {
			v.prove(c.Line, keyCache, oomdoc.Args{"cache": name(c.Name), "size": oomdoc.Bytes(c.Total)})
		}
	}
	if len(caches) == 0 {
		v.prove("", keyNoTable, nil)
	}
	v.proveProfile(r)
}

func (v *verdict) proveProfile(r *reading) {
	for _, row := range r.report.Memory.Allocations[:min(len(r.report.Memory.Allocations), topCaches)] {
		v.prove(row, keyProfile, oomdoc.Args{"row": name(row)})
	}
}

// proveUnaccounted adds what speaks for one of the users of memory that no
// counter has: a GPU driver's pinned host memory, the balloon of a kernel before
// 6.18, and what allocation profiling names.
func (v *verdict) proveUnaccounted(r *reading, _ *account) {
	v.proveProfile(r)
	for _, m := range []struct {
		module string
		key    oomdoc.Key
	}{
		{"nvidia", keyGPUModule},
		{"amdgpu", keyGPUModule},
		{"virtio_balloon", keyOldBalloon},
		{"vmw_balloon", keyOldBalloon},
		{"hv_balloon", keyOldBalloon},
	} {
		if r.hasModule(m.module) {
			v.prove("", m.key, oomdoc.Args{"module": oomdoc.Text(m.module)})
		}
	}
}

// hasModule tells a loaded module; taint letters follow the name in parentheses.
func (r *reading) hasModule(module string) bool {
	for word := range strings.FieldsSeq(r.report.Modules) {
		if before, _, _ := strings.Cut(word, "("); before == module {
			return true
		}
	}
	return false
}

// proveShmem says whether processes hold the shared memory or files that were
// left behind do. What is mapped, of files too, is an upper bound; the table's
// own column (6.8) counts a page once for each process, so it is one as well.
func (v *verdict) proveShmem(r *reading, a *account) {
	mapped, record := a.mapped, a.counters
	if sum, known := r.shmemSum(); known && sum < mapped {
		mapped, record = sum, r.report.TasksLine
	}
	args := oomdoc.Args{"size": oomdoc.Bytes(a.shmem), "mapped": oomdoc.Bytes(mapped)}
	if percent(mapped, a.shmem) < leftShare {
		v.reason = reasonShmemLeft
		v.prove(record, keyLeftFiles, args)
		return
	}
	v.prove(record, keyMappedBy, args)
}

// shmemSum is the shared memory of the listed processes, known from 6.8 on.
func (r *reading) shmemSum() (int64, bool) {
	var pages int64
	for i := range r.report.Tasks {
		if r.report.Tasks[i].RSSShmem == nil {
			return 0, false
		}
		pages += *r.report.Tasks[i].RSSShmem
	}
	size, known := r.bytes(pages)
	return size, known && len(r.report.Tasks) > 0 && r.report.TasksCut == 0
}
