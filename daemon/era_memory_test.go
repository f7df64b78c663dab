package daemon_test

import (
	"fmt"
	"strings"
)

// memoryBlock is Mem-Info, by era.
func (w *world) memoryBlock() []string {
	e := &w.era
	lines := []string{"Mem-Info:"}
	if e.at == 2024 {
		lines[0] = "Mem-info:"
	}
	if e.at < 4002 {
		for i := range w.zones {
			lines = append(lines, w.prefixed(&w.zones[i])+" per-cpu:", "CPU    0: hi:  186, btch:  31 usd:   0")
		}
	}
	lines = append(lines, w.counters())
	if e.has(4008) {
		lines = append(lines, w.nodeLine())
	}
	for i := range w.zones {
		if z := &w.zones[i]; !z.hidden {
			lines = append(lines, w.zoneLine(z), reserveLine(z))
		}
	}
	for i := range w.zones {
		if !w.zones[i].hidden {
			lines = append(lines, w.buddy(&w.zones[i]))
		}
	}
	if e.has(3010) {
		lines = append(lines, fmt.Sprintf("Node 0 hugepages_total=%d hugepages_free=%d hugepages_surp=0 hugepages_size=2048kB", w.use.hugeTotal/(2*mib), w.use.hugeFree/(2*mib)))
	}
	lines = append(lines, w.totals()...)
	if w.slabTable && e.has(4015) {
		lines = append(lines, "Unreclaimable slab info:", "Name                      Used          Total",
			fmt.Sprintf("%-17s %10dKB %10dKB", "kmalloc-512", w.use.slab>>11, w.use.slab>>11),
			fmt.Sprintf("%-17s %10dKB %10dKB", "task_struct", int64(900), int64(1000)))
	}
	if e.has(6019) {
		lines = append(lines, "Memory cgroup min protection 0kB -- low protection 0kB")
	}
	return lines
}

// prefixed is the name of a zone: without CONFIG_NUMA there is no node.
func (w *world) prefixed(z *zone) string {
	if w.era.bits32 {
		return z.name
	}
	return fmt.Sprintf("Node %d %s", z.node, z.name)
}

// counters are the global counters, in pages: one record with newlines in it.
func (w *world) counters() string {
	e, u, page := &w.era, &w.use, w.era.page
	p := func(size int64) int64 { return size / page }
	anon := u.anon + u.shmem
	if e.at == 2024 {
		return fmt.Sprintf("Active:%d inactive:%d dirty:%d writeback:0 unstable:0\n free:%d slab:%d mapped:100 pagetables:%d bounce:0",
			p(anon+u.file), p(u.unevictable), p(u.dirty), p(w.free()), p(u.slab+u.slabReclaimable), p(u.pageTables))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "active_anon:%d inactive_anon:%d isolated_anon:0\n", p(anon)-p(anon)/8, p(anon)/8)
	fmt.Fprintf(&b, " active_file:%d inactive_file:%d isolated_file:0\n", p(u.file)/2, p(u.file)-p(u.file)/2)
	unstable := " unstable:0"
	if e.has(5008) {
		unstable = ""
	}
	fmt.Fprintf(&b, " unevictable:%d dirty:%d writeback:0%s\n", p(u.unevictable), p(u.dirty), unstable)
	slab := fmt.Sprintf("slab_reclaimable:%d slab_unreclaimable:%d\n", p(u.slabReclaimable), p(u.slab))
	mapped := fmt.Sprintf(" mapped:100 shmem:%d pagetables:%d", p(u.shmem), p(u.pageTables))
	switch {
	case e.at < 4002:
		fmt.Fprintf(&b, " free:%d %s%s bounce:0", p(w.free()), slab, mapped)
		if e.has(3007) {
			fmt.Fprintf(&b, "\n free_cma:%d", p(u.cmaFree))
		}
		return b.String()
	case e.has(6001):
		fmt.Fprintf(&b, " %s%s\n sec_pagetables:0 bounce:0\n", slab, mapped)
	default:
		fmt.Fprintf(&b, " %s%s bounce:0\n", slab, mapped)
	}
	if e.has(5012) {
		b.WriteString(" kernel_misc_reclaimable:0\n")
	}
	fmt.Fprintf(&b, " free:%d free_pcp:0 free_cma:%d", p(w.free()), p(u.cmaFree))
	return b.String()
}

func (w *world) nodeLine() string {
	e, u := &w.era, &w.use
	anon := u.anon + u.shmem
	var b strings.Builder
	fmt.Fprintf(&b, "Node 0 active_anon:%dkB inactive_anon:%dkB active_file:%dkB inactive_file:%dkB unevictable:%dkB isolated(anon):0kB isolated(file):0kB mapped:400kB dirty:%dkB writeback:0kB shmem:%dkB",
		(anon-anon/8)>>10, anon/8>>10, u.file/2>>10, u.file/2>>10, u.unevictable>>10, u.dirty>>10, u.shmem>>10)
	blank := " "
	if e.has(6004) {
		blank = ""
	}
	fmt.Fprintf(&b, " shmem_thp:%s0kB shmem_pmdmapped:%s0kB anon_thp:%s0kB", blank, blank, blank)
	if e.at < 6018 {
		b.WriteString(" writeback_tmp:0kB")
	}
	if e.at < 5008 {
		b.WriteString(" unstable:0kB")
	}
	if e.at < 4012 {
		b.WriteString(" pages_scanned:0")
	}
	if e.has(5008) {
		fmt.Fprintf(&b, " kernel_stack:%dkB", u.stacks>>10)
	}
	if e.has(5012) {
		fmt.Fprintf(&b, " pagetables:%dkB", u.pageTables>>10)
	}
	if e.has(6001) {
		b.WriteString(" sec_pagetables:0kB")
	}
	b.WriteString(" all_unreclaimable? yes")
	if e.has(6018) {
		fmt.Fprintf(&b, " Balloon:%dkB", u.balloon>>10)
	}
	if e.has(7001) {
		b.WriteString(" gpu_active:0kB gpu_reclaim:0kB")
	}
	return b.String()
}

func (w *world) zoneLine(z *zone) string {
	e, u := &w.era, &w.use
	share := func(size int64) int64 { return int64(float64(size)*float64(z.size)/float64(w.size())) >> 10 }
	var b strings.Builder
	fmt.Fprintf(&b, "%s free:%dkB", w.prefixed(z), z.free>>10)
	if e.has(6001) {
		b.WriteString(" boost:0kB")
	}
	fmt.Fprintf(&b, " min:%dkB low:%dkB high:%dkB", z.min>>10, z.low>>10, z.high>>10)
	if e.has(5008) {
		fmt.Fprintf(&b, " reserved_highatomic:%dKB", z.urgent>>10)
	}
	if e.has(6018) {
		fmt.Fprintf(&b, " free_highatomic:%dKB", z.urgent>>10)
	}
	if e.at == 2024 {
		fmt.Fprintf(&b, " active:%dkB inactive:0kB present:%dkB pages_scanned:3 all_unreclaimable? yes", share(u.anon), z.size>>10)
		return b.String()
	}
	fmt.Fprintf(&b, " active_anon:%dkB inactive_anon:0kB active_file:%dkB inactive_file:0kB unevictable:%dkB", share(u.anon+u.shmem), share(u.file), share(u.unevictable))
	if e.at < 4008 {
		b.WriteString(" isolated(anon):0kB isolated(file):0kB")
	} else {
		b.WriteString(" writepending:0kB")
	}
	if e.has(6018) {
		b.WriteString(" zspages:0kB")
	}
	fmt.Fprintf(&b, " present:%dkB", z.size>>10)
	if e.has(3009) {
		fmt.Fprintf(&b, " managed:%dkB", (z.size-z.size/64)>>10)
	}
	fmt.Fprintf(&b, " mlocked:%dkB", share(u.mlocked))
	if e.at < 4008 {
		fmt.Fprintf(&b, " dirty:%dkB writeback:0kB mapped:400kB shmem:%dkB slab_reclaimable:%dkB slab_unreclaimable:%dkB kernel_stack:%dkB pagetables:%dkB unstable:0kB bounce:0kB",
			share(u.dirty), share(u.shmem), share(u.slabReclaimable), share(u.slab), share(u.stacks), share(u.pageTables))
	} else if e.at < 5008 {
		fmt.Fprintf(&b, " kernel_stack:%dkB pagetables:%dkB bounce:0kB", share(u.stacks), share(u.pageTables))
	} else {
		b.WriteString(" bounce:0kB")
	}
	if e.has(4002) {
		b.WriteString(" free_pcp:0kB local_pcp:0kB")
	}
	if e.has(3007) {
		fmt.Fprintf(&b, " free_cma:%dkB", z.cma>>10)
	}
	if e.at < 4008 {
		b.WriteString(" writeback_tmp:0kB pages_scanned:31 all_unreclaimable? yes")
	}
	return b.String()
}

func (w *world) size() (sum int64) {
	for i := range w.zones {
		sum += w.zones[i].size
	}
	return sum
}

func reserveLine(z *zone) string {
	line := "lowmem_reserve[]:"
	for _, pages := range z.reserve {
		line += fmt.Sprintf(" %d", pages)
	}
	return line
}

// buddy is the zone's free blocks: single pages, and blocks of 4 MiB.
func (w *world) buddy(z *zone) string {
	e, page := &w.era, w.era.page
	orders := 11
	if page == 64*kib {
		orders = 14
	}
	var b strings.Builder
	b.WriteString(w.prefixed(z) + ":")
	for order := range orders {
		size := page << order
		blocks := int64(0)
		switch {
		case order == 0:
			blocks = (z.free - z.whole) / page
		case size == 4*mib:
			blocks = z.whole / size
		}
		fmt.Fprintf(&b, " %d*%dkB", blocks, size>>10)
		if blocks > 0 && e.has(3009) {
			b.WriteString(" (UM)")
		}
	}
	fmt.Fprintf(&b, " = %dkB", z.free>>10)
	return b.String()
}

// totals are the lines after the buddy lists.
func (w *world) totals() []string {
	e, u, page := &w.era, &w.use, w.era.page
	lines := []string{fmt.Sprintf("%d total pagecache pages", (u.file+u.shmem)/page), "0 pages in swap cache"}
	if e.at < 5018 {
		lines = append(lines, "Swap cache stats: add 0, delete 0, find 0/0")
	}
	lines = append(lines, fmt.Sprintf("Free swap  = %dkB", u.swapFree>>10), fmt.Sprintf("Total swap = %dkB", u.swapTotal>>10))
	reserved := (64*mib + u.balloon) / page
	lines = append(lines, fmt.Sprintf("%d pages RAM", u.ram/page+reserved))
	high := int64(0)
	if e.bits32 {
		high = 3216 * mib / page
	}
	switch {
	case e.has(3011) || e.vendor == "el7":
		lines = append(lines, fmt.Sprintf("%d pages HighMem/MovableOnly", high))
	case e.bits32:
		lines = append(lines, fmt.Sprintf("%d pages HighMem", high))
	}
	lines = append(lines, fmt.Sprintf("%d pages reserved", reserved))
	if e.at <= 3010 {
		lines = append(lines, "4711 pages shared", "900000 pages non-shared")
	}
	if e.has(3017) {
		lines = append(lines, "0 pages cma reserved")
	}
	if e.has(4000) {
		lines = append(lines, "0 pages hwpoisoned")
	}
	return lines
}
