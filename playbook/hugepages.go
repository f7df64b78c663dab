package playbook

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/oomdoc/oomdoc"
)

const (
	keyHugeTitle oomdoc.Key = "fix.free-hugepages"
	keyHugeWhy   oomdoc.Key = "fix.free-hugepages.why"
	keyHugeKeep  oomdoc.Key = "step.hugepages-keep"
)

// freeHugepages gives back huge pages that are reserved and not used: those that
// were used stay (admin-guide/mm/hugetlbpage.rst).
func freeHugepages(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseHugepagesReserved || p.report.Memory == nil {
		return oomdoc.Fix{}, false
	}
	var idle, total int64
	var commands []oomdoc.Sentence
	for _, size := range hugepageSizes(p.report.Memory.Hugepages) {
		if size.Free <= 0 || size.Size <= 0 {
			continue
		}
		idle += size.Free * size.Size
		total += size.Total * size.Size
		commands = append(commands, oomdoc.Command(fmt.Sprintf(
			"echo %d | sudo tee /sys/kernel/mm/hugepages/hugepages-%dkB/nr_hugepages", max(0, size.Total-size.Free), size.Size>>10)))
	}
	if len(commands) == 0 {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keyHugeTitle, nil),
		Why:   oomdoc.Say(keyHugeWhy, oomdoc.Args{"total": oomdoc.Bytes(total), "idle": oomdoc.Bytes(idle)}),
		Steps: append(commands,
			oomdoc.Say(keyHugeKeep, nil),
			oomdoc.Command("grep -s -r -e nr_hugepages -e hugepages= /etc/sysctl.conf /etc/sysctl.d /usr/lib/sysctl.d /proc/cmdline")),
		SavesBytes: new(idle),
	}, true
}

// hugepageSizes adds up the nodes, the largest size first.
func hugepageSizes(nodes []oomdoc.Hugepages) []oomdoc.Hugepages {
	sums := map[int64]oomdoc.Hugepages{}
	for _, h := range nodes {
		sum := sums[h.Size]
		sums[h.Size] = oomdoc.Hugepages{Size: h.Size, Total: sum.Total + h.Total, Free: sum.Free + h.Free}
	}
	sizes := make([]oomdoc.Hugepages, 0, len(sums))
	for _, sum := range sums {
		sizes = append(sizes, sum)
	}
	slices.SortFunc(sizes, func(a, b oomdoc.Hugepages) int { return cmp.Compare(b.Size, a.Size) })
	return sizes
}
