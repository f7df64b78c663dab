package kmsg

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

const assumedPageSize = 4 << 10

// pageSizes are those of the architectures that Linux runs on.
var pageSizes = []int64{4 << 10, 8 << 10, 16 << 10, 64 << 10}

// versionPages says which kernels have other pages than 4 KiB by the name of
// their version: the 64 KiB builds of Red Hat and Debian, 16 KiB builds, and
// ppc64le of RHEL 7 to 9.
var versionPages = []struct {
	words []string // all must be in the version
	size  int64
}{
	{[]string{"+64k"}, 64 << 10},
	{[]string{"-64k"}, 64 << 10},
	{[]string{"+16k"}, 16 << 10},
	{[]string{"-16k"}, 16 << 10},
	{[]string{".el7.", "ppc64"}, 64 << 10},
	{[]string{".el8", "ppc64"}, 64 << 10},
	{[]string{".el9", "ppc64"}, 64 << 10},
}

// pageSize finds the size of a page in bytes, in the order of certainty: the
// smallest block of a buddy line is one page; a version can name the size; the
// kill line says in kB what the task table says in pages. host is the page
// size of this machine when the log is its own, else 0.
func pageSize(k *oomdoc.KernelReport, host int64) (size int64, assumed bool) {
	for _, find := range []func(*oomdoc.KernelReport) int64{pageOfBuddy, pageOfVersion, pageOfVictim} {
		if size := find(k); size > 0 {
			return size, false
		}
	}
	if host > 0 {
		return host, false
	}
	return assumedPageSize, true
}

func pageOfBuddy(k *oomdoc.KernelReport) int64 {
	if k.Memory == nil {
		return 0
	}
	for i := range k.Memory.Zones {
		if buddy := k.Memory.Zones[i].Buddy; len(buddy) > 0 {
			return buddy[0].Size
		}
	}
	return 0
}

func pageOfVersion(k *oomdoc.KernelReport) int64 {
	for _, entry := range versionPages {
		matches := k.KernelVersion != ""
		for _, word := range entry.words {
			matches = matches && strings.Contains(k.KernelVersion, word)
		}
		if matches {
			return entry.size
		}
	}
	return 0
}

// pageOfVictim compares the victim's memory in the kill line (bytes) with its
// row (pages). They are read at different moments, so a quarter off is near
// enough: the sizes are a factor of two apart. Few pages tell nothing.
func pageOfVictim(k *oomdoc.KernelReport) int64 {
	const enough = 64
	for i := range k.Kills {
		rss := k.Kills[i].RSS()
		row := rowOf(k.Tasks, k.Kills[i].PID)
		if rss == nil || row == nil || row.RSS < enough {
			continue
		}
		perPage := *rss / row.RSS
		for _, size := range pageSizes {
			if perPage > size-size/4 && perPage < size+size/4 {
				return size
			}
		}
	}
	return 0
}

func rowOf(tasks []oomdoc.Task, pid int) *oomdoc.Task {
	for i := range tasks {
		if tasks[i].TGID == pid || tasks[i].PID == pid {
			return &tasks[i]
		}
	}
	return nil
}
