package playbook

import "github.com/oomdoc/oomdoc"

const (
	// swappableShare, in percent of RAM: with less than this on the lists of
	// anonymous pages, swap has nothing to take (slab, huge pages, locked memory
	// and page tables do not swap).
	swappableShare = 25
	// swapFullBelow, in percent: less than this left counts as used up
	// (knowledge kernel-oom.md section 4 point 7).
	swapFullBelow = 2
	// maxSwap bounds a first try.
	maxSwap = 32 * gib
)

const (
	keySwapTitle   oomdoc.Key = "fix.add-swap"
	keySwapMore    oomdoc.Key = "fix.add-more-swap"
	keySwapWhy     oomdoc.Key = "fix.add-swap.why"
	keySwapMoreWhy oomdoc.Key = "fix.add-more-swap.why"
	keySwapKeep    oomdoc.Key = "step.swap-keep"
	keySwapSystem  oomdoc.Key = "step.swap-file-system"
)

// addSwap is for a machine that ran out with no swap, or with all of it used
// (knowledge playbook.md, "Host RAM side").
func addSwap(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseHostExhausted && p.inc.Cause != oomdoc.CauseSharedMemory || !p.canSwap() {
		return oomdoc.Fix{}, false
	}
	m := p.memory()
	if m.SwapTotalBytes == nil {
		return oomdoc.Fix{}, false
	}
	size := oomdoc.Bytes(p.swapSize())
	if *m.SwapTotalBytes == 0 {
		return oomdoc.Fix{
			Title: oomdoc.Say(keySwapTitle, nil),
			Why:   oomdoc.Say(keySwapWhy, oomdoc.Args{"size": size}),
			Steps: swapSteps("/swapfile", p.swapSize()),
		}, true
	}
	if m.SwapFreeBytes == nil || 100*float64(*m.SwapFreeBytes) >= swapFullBelow*float64(*m.SwapTotalBytes) {
		return oomdoc.Fix{}, false
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keySwapMore, nil),
		Why:   oomdoc.Say(keySwapMoreWhy, oomdoc.Args{"total": oomdoc.Bytes(*m.SwapTotalBytes), "size": size}),
		Steps: swapSteps("/swapfile-oomdoc", p.swapSize()),
	}, true
}

// canSwap tells memory that swap could take: a good part of RAM was anonymous,
// and no large part of it reserved for nothing. A report without its counters
// does not speak against it.
func (p *patient) canSwap() bool {
	if p.idleHugepages() {
		return false
	}
	ram, anonymous := p.ram(), p.counter("active_anon")+p.counter("inactive_anon")
	return ram == 0 || p.report.Memory == nil || len(p.report.Memory.Counters) == 0 ||
		100*float64(anonymous) >= swappableShare*float64(ram)
}

// idleHugepages tells that at least a tenth of RAM was reserved as huge pages
// that nobody used (knowledge kernel-oom.md section 4 point 6).
func (p *patient) idleHugepages() bool {
	if p.report.Memory == nil {
		return false
	}
	var free int64
	for _, h := range p.report.Memory.Hugepages {
		free += h.Free * h.Size
	}
	return free > 0 && free >= p.ram()/10
}

// swapSize is a first try: what the killed process held, which is what was
// missing at least for the others to go on, and no less than a quarter of RAM.
func (p *patient) swapSize() int64 {
	size := p.ram() / 4
	if rss := p.memory().RSSBytes; rss != nil {
		size = max(size, *rss)
	}
	return roundUp(min(max(size, 512*mib), maxSwap))
}

// keySwapZram: swap that is compressed within RAM (zram-generator.conf(5); vm.rst,
// swappiness: above 100 where swap is faster than the disk).
const keySwapZram oomdoc.Key = "step.swap-zram"

// swapSteps make a swap file now and for every boot (fallocate(1), mkswap(8),
// swapon(8), fstab(5)).
func swapSteps(file string, size int64) []oomdoc.Sentence {
	return []oomdoc.Sentence{
		oomdoc.Command("sudo fallocate -l " + inUnits(size, systemdUnits()) + " " + file +
			" && sudo chmod 600 " + file + " && sudo mkswap " + file + " && sudo swapon " + file),
		oomdoc.Say(keySwapKeep, nil),
		oomdoc.Command("echo '" + file + " none swap sw 0 0' | sudo tee -a /etc/fstab"),
		oomdoc.Say(keySwapSystem, nil),
		oomdoc.Say(keySwapZram, oomdoc.Args{
			"file": oomdoc.Text("/etc/systemd/zram-generator.conf"), "lines": oomdoc.Text("[zram0] zram-size = ram / 2"),
			"setting": oomdoc.Text("vm.swappiness=150"),
		}),
	}
}
