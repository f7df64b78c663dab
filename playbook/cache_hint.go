package playbook

import (
	"cmp"
	"slices"
	"strings"

	"github.com/oomdoc/oomdoc"
)

const (
	keyCacheTmpfs oomdoc.Key = "step.cache-tmpfs"
	keyCacheFiles oomdoc.Key = "step.cache-files"
	keyCacheOpen  oomdoc.Key = "step.cache-open"
	keyCacheTasks oomdoc.Key = "step.cache-tasks"
	keyCacheNet   oomdoc.Key = "step.cache-net"
)

// caches are hints for the kernel's caches by the beginning of their names
// (/proc/slabinfo).
func caches() []struct {
	start string
	key   oomdoc.Key
} {
	return []struct {
		start string
		key   oomdoc.Key
	}{
		{"shmem_inode_cache", keyCacheTmpfs},
		{"dentry", keyCacheFiles},
		{"inode_cache", keyCacheFiles},
		{"ext4_inode_cache", keyCacheFiles},
		{"xfs_inode", keyCacheFiles},
		{"btrfs_inode", keyCacheFiles},
		{"nfs_inode_cache", keyCacheFiles},
		{"filp", keyCacheOpen},
		{"task_struct", keyCacheTasks},
		{"signal_cache", keyCacheTasks},
		{"thread_stack", keyCacheTasks},
		{"skbuff", keyCacheNet},
		{"sock_inode_cache", keyCacheNet},
		{"TCP", keyCacheNet},
		{"UDP", keyCacheNet},
		{"nf_conntrack", keyCacheNet},
	}
}

// cacheHint says what the largest cache of the report's table is of.
func (p *patient) cacheHint() (oomdoc.Sentence, bool) {
	if len(p.report.Memory.UnreclaimableSlab) == 0 {
		return oomdoc.Sentence{}, false
	}
	largest := slices.MaxFunc(p.report.Memory.UnreclaimableSlab, func(a, b oomdoc.SlabCache) int { return cmp.Compare(a.Total, b.Total) })
	for _, c := range caches() {
		if strings.HasPrefix(largest.Name, c.start) {
			return oomdoc.Say(c.key, oomdoc.Args{"cache": processName(largest.Name), "size": oomdoc.Bytes(largest.Total)}), true
		}
	}
	return oomdoc.Sentence{}, false
}
