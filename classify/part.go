package classify

import "github.com/oomdoc/oomdoc"

// partShare, in percent of a group's usage: what holds this much is what filled
// it (knowledge kernel-oom.md section 4 point 2).
const partShare = 50

const (
	keyPartAnon   oomdoc.Key = "evidence.part-anon"
	keyPartShmem  oomdoc.Key = "evidence.part-shmem"
	keyPartFile   oomdoc.Key = "evidence.part-file"
	keyPartKernel oomdoc.Key = "evidence.part-kernel"
	keyPartSock   oomdoc.Key = "evidence.part-sockets"
)

// A part is one kind of memory that a group is charged for.
type part struct {
	key    oomdoc.Key
	size   int64
	record string
}

// parts reads the statistics of the group: names of cgroup v2, else those of v1,
// whose total_* count the subtree as the limit does.
func parts(m *oomdoc.MemcgOOM) []part {
	stat := func(names ...string) (int64, string) {
		for _, name := range names {
			if size, has := m.Stats[name]; has {
				return size, m.StatLines[name]
			}
		}
		return 0, ""
	}
	anon, anonLine := stat("anon", "total_rss", "rss")
	shmem, shmemLine := stat("shmem", "total_shmem")
	if v1, line := stat("total_shmem"); line != "" {
		shmem, shmemLine = v1, line
	}
	file, fileLine := stat("file", "total_cache", "cache")
	sock, sockLine := stat("sock")
	kernel, kernelLine := kernelPart(m)
	return []part{
		{keyPartAnon, anon, anonLine},
		{keyPartShmem, shmem, shmemLine},
		{keyPartFile, max(0, file-shmem), fileLine}, // shared memory counts as cache
		{keyPartKernel, kernel, kernelLine},
		{keyPartSock, sock, sockLine},
	}
}

// kernelPart is the kernel's own memory that the group is charged for: one
// number from 5.18 on, its pieces before, v1's counter of it.
func kernelPart(m *oomdoc.MemcgOOM) (int64, string) {
	if size, has := m.Stats["kernel"]; has {
		return size, m.StatLines["kernel"]
	}
	if m.KmemUsage != nil && *m.KmemUsage > 0 {
		return *m.KmemUsage, m.Line
	}
	var sum int64
	for _, name := range []string{"kernel_stack", "pagetables", "sec_pagetables", "percpu", "vmalloc", "slab"} {
		sum += m.Stats[name]
	}
	return sum, m.StatLines["slab"]
}

// addParts says which kind of memory filled the group, when one did.
func (v *verdict) addParts(r *reading) {
	m := r.report.Memcg
	if m == nil || m.Usage == nil || len(m.Stats) == 0 {
		return
	}
	for _, p := range parts(m) {
		if share := percent(p.size, *m.Usage); share >= partShare {
			v.prove(p.record, p.key, oomdoc.Args{
				"size": oomdoc.Bytes(p.size), "share": oomdoc.Percent(min(share, 100)), "used": oomdoc.Bytes(*m.Usage),
			})
		}
	}
}
