package kmsg

import (
	"bytes"

	"github.com/oomdoc/oomdoc"
)

// How much of a Mem-Info block is kept: big machines have 8 to 32 nodes of one
// to three zones; a log can hold anything.
const (
	maxNodes       = 128
	maxZones       = 512
	maxHugepages   = 512
	maxSlabCaches  = 512
	maxAllocations = 16
	maxPairs       = 96
	maxOrders      = 64
)

// readCounters adds "name:N" counters (pages). It tells whether every word of
// the text was one: then the next line may go on with them.
func readCounters(into map[string]int64, text []byte) bool {
	some := false
	for {
		p, rest, ok := nextPair(text)
		if !ok {
			return some
		}
		text = rest
		n, number := whole(p.value)
		if !number || len(p.name) == 0 || len(p.name) > maxWord {
			return false
		}
		some = true
		if len(into) < maxPairs {
			into[counterName(p.name)] = n
		}
	}
}

// counterName gives a counter the name that it has in all kernels: 2.6.28 to
// 2.6.30 begin the first line with a capital.
func counterName(name []byte) string {
	if string(name) == "Active_anon" {
		return "active_anon"
	}
	return string(name)
}

// readSizes reads "name:NkB" pairs by key, in bytes; words that are none are
// given to other, which may be nil.
func readSizes(text []byte, other func(word, rest []byte)) map[string]int64 {
	sizes := make(map[string]int64, 24)
	for {
		p, rest, ok := nextPair(text)
		if !ok {
			return sizes
		}
		text = rest
		if size, good := sized(p.value); good && len(p.name) > 0 && len(p.name) <= maxWord && len(sizes) < maxPairs {
			sizes[string(p.name)] = size
		} else if other != nil {
			other(p.value, rest)
		}
	}
}

// zoneNames are the kernel's zones (mm/page_alloc.c, zone_names).
var zoneNames = []string{"DMA", "DMA32", "Normal", "HighMem", "Movable", "Device"}

func isZone(word []byte) bool {
	for _, name := range zoneNames {
		if string(word) == name {
			return true
		}
	}
	return false
}

// nodeNumber splits off "Node N ", which a kernel without NUMA does not print.
func nodeNumber(text []byte) (node int, rest []byte) {
	value, found := bytes.CutPrefix(text, []byte("Node "))
	if !found {
		return 0, text
	}
	node, rest, ok := small(value)
	if !ok || node < 0 {
		return 0, text
	}
	return node, trimBlanks(rest)
}

// readNodeLine reads any line of the block that starts with a node or a zone,
// and tells whether it was one.
func readNodeLine(m *oomdoc.MemInfo, text []byte) bool {
	node, rest := nodeNumber(text)
	word, tail := field(rest)
	switch {
	case bytes.HasPrefix(word, []byte("hugepages_total=")):
		return readHugepages(m, node, rest, text)
	case isZone(word):
		next, _ := field(tail)
		return bytes.HasPrefix(next, []byte("free:")) && readZone(m, node, word, tail, text)
	case len(word) > 1 && isZone(word[:len(word)-1]) && word[len(word)-1] == ':':
		return readBuddy(m, node, word[:len(word)-1], tail, text)
	case bytes.HasPrefix(word, []byte("active_anon:")):
		return readNode(m, node, rest, text)
	}
	return false
}

func readNode(m *oomdoc.MemInfo, number int, rest, text []byte) bool {
	if len(m.Nodes) >= maxNodes {
		return true
	}
	node := oomdoc.MemNode{Node: number, Line: keep(text)}
	node.Bytes = readSizes(rest, func(word, rest []byte) {
		if string(word) == "all_unreclaimable?" {
			answer, _ := field(rest)
			node.Unreclaimable = string(answer) == "yes"
		}
	})
	m.Nodes = append(m.Nodes, node)
	return true
}

func readZone(m *oomdoc.MemInfo, node int, name, rest, text []byte) bool {
	if len(m.Zones) < maxZones {
		m.Zones = append(m.Zones, oomdoc.MemZone{
			Node: node, Name: string(name), Bytes: readSizes(rest, nil), Line: keep(text),
		})
	}
	return true
}

// readReserve gives "lowmem_reserve[]: N N N" (pages) to the zone before it.
func readReserve(m *oomdoc.MemInfo, text []byte) {
	if len(m.Zones) == 0 {
		return
	}
	zone := &m.Zones[len(m.Zones)-1]
	_, text, _ = bytes.Cut(text, []byte(":"))
	zone.LowmemReserve, zone.ReserveLine = nil, "lowmem_reserve[]:"+keep(text)
	for len(zone.LowmemReserve) < maxOrders {
		word, rest := field(text)
		n, ok := whole(word)
		if !ok {
			return
		}
		text = rest
		zone.LowmemReserve = append(zone.LowmemReserve, n)
	}
}

// readBuddy reads "2*4kB (UM) 0*8kB ... = 872kB" for its zone, which is made
// when its own line was lost.
func readBuddy(m *oomdoc.MemInfo, node int, name, rest, text []byte) bool {
	orders, ok := parseBuddy(rest)
	if !ok {
		return false
	}
	zone := findZone(m, node, name)
	if zone != nil {
		zone.Buddy, zone.BuddyLine = orders, keep(text)
	}
	return true
}

func findZone(m *oomdoc.MemInfo, node int, name []byte) *oomdoc.MemZone {
	for i := range m.Zones {
		if m.Zones[i].Node == node && m.Zones[i].Name == string(name) {
			return &m.Zones[i]
		}
	}
	if len(m.Zones) >= maxZones {
		return nil
	}
	m.Zones = append(m.Zones, oomdoc.MemZone{Node: node, Name: string(name)})
	return &m.Zones[len(m.Zones)-1]
}

func parseBuddy(text []byte) ([]oomdoc.BuddyOrder, bool) {
	orders := make([]oomdoc.BuddyOrder, 0, 11)
	for len(orders) < maxOrders {
		word, rest := field(text)
		if len(word) == 0 || word[0] == '=' {
			break
		}
		text = rest
		if word[0] == '(' {
			if len(orders) > 0 {
				orders[len(orders)-1].Types = string(bytes.Trim(word, "()"))
			}
			continue
		}
		blocks, tail, ok := number(word)
		if !ok || len(tail) == 0 || tail[0] != '*' {
			return nil, false
		}
		size, ok := sized(tail[1:])
		if !ok {
			return nil, false
		}
		orders = append(orders, oomdoc.BuddyOrder{Blocks: blocks, Size: size})
	}
	return orders, len(orders) > 0
}

// readHugepages reads "hugepages_total=N hugepages_free=N hugepages_surp=N hugepages_size=NkB".
func readHugepages(m *oomdoc.MemInfo, node int, rest, text []byte) bool {
	if len(m.Hugepages) >= maxHugepages {
		return true
	}
	h := oomdoc.Hugepages{Node: node, Line: keep(text)}
	for {
		word, tail := field(rest)
		if len(word) == 0 {
			break
		}
		rest = tail
		name, value, _ := bytes.Cut(word, []byte("="))
		n, _, _ := number(value)
		switch string(name) {
		case "hugepages_total":
			h.Total = n
		case "hugepages_free":
			h.Free = n
		case "hugepages_surp":
			h.Surplus = n
		case "hugepages_size":
			h.Size, _ = sized(value)
		}
	}
	m.Hugepages = append(m.Hugepages, h)
	return true
}

// pageLines are the "N pages WHAT" lines by what follows the number: those of
// mm/show_mem.c (lib/show_mem.c to 4.x), and those that each architecture had
// of its own (show_mem of arch/*/mm/init.c: to 2.6.27 everywhere, to 4.1 on arm).
var pageLines = map[string]func(m *oomdoc.MemInfo, n int64, line []byte){
	" total pagecache pages":     func(m *oomdoc.MemInfo, n int64, _ []byte) { m.PageCachePages = new(n) },
	" pagecache pages":           func(m *oomdoc.MemInfo, n int64, _ []byte) { m.PageCachePages = new(n) },
	" pages RAM":                 setRAM,
	" pages of RAM":              setRAM,
	" pages HighMem/MovableOnly": setHighMem,
	" pages HighMem":             setHighMem,
	" pages of HIGHMEM":          setHighMem,
	" pages reserved":            setReserved,
	" reserved pages":            setReserved,
	" pages cma reserved":        func(m *oomdoc.MemInfo, n int64, _ []byte) { m.CMAReservedPages = new(n) },
	" pages hwpoisoned":          func(m *oomdoc.MemInfo, n int64, _ []byte) { m.HWPoisonedPages = new(n) },
	" pages in swap cache":       nil,
	" pages swap cached":         nil,
	" pages shared":              nil,
	" pages non-shared":          nil,
	" pages in pagetable cache":  nil,
	" free pages":                nil,
	" slab pages":                nil,
}

func setRAM(m *oomdoc.MemInfo, n int64, line []byte) {
	m.RAMPages, m.RAMLine = new(n), keep(line)
}
func setHighMem(m *oomdoc.MemInfo, n int64, _ []byte)  { m.HighMemPages = new(n) }
func setReserved(m *oomdoc.MemInfo, n int64, _ []byte) { m.ReservedPages = new(n) }

// readPages reads the lines of pageLines.
func readPages(m *oomdoc.MemInfo, text []byte) bool {
	n, rest, ok := number(text)
	if !ok {
		return false
	}
	set, known := pageLines[string(bytes.TrimRight(rest, " "))]
	if set != nil {
		set(m, n, text)
	}
	return known
}

// readSwap reads "Free swap  = NkB" and "Total swap = NkB".
func readSwap(m *oomdoc.MemInfo, text []byte) bool {
	_, value, found := bytes.Cut(text, []byte("="))
	size, ok := sized(bytes.TrimSpace(value))
	if !found || !ok {
		return false
	}
	if text[0] == 'F' {
		m.SwapFree, m.SwapFreeLine = new(size), keep(text)
	} else {
		m.SwapTotal, m.SwapTotalLine = new(size), keep(text)
	}
	return true
}

// readProtection reads "Memory cgroup min protection NkB -- low protection NkB" (6.19 and newer).
func readProtection(m *oomdoc.MemInfo, text []byte) {
	for _, part := range []struct {
		mark string
		into **int64
	}{{"min protection ", &m.MinProtection}, {"low protection ", &m.LowProtection}} {
		if value, ok := after(text, part.mark); ok {
			word, _ := field(value)
			if size, ok := sized(word); ok {
				*part.into = new(size)
			}
		}
	}
}
