package gpu

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A card is an AMD GPU whose driver tells its memory in sysfs.
type card struct {
	slot   int
	folder string // .../class/drm/card0/device
}

// drmSlots keeps the numbers of cards apart from NVIDIA's.
const drmSlots = 500

// sampleDRM samples the cards that tell their memory in sysfs, without a library,
// until ctx ends. A machine without one costs a look every minute.
func (s *Sampler) sampleDRM(ctx context.Context) {
	var cards []*card
	var looked time.Time
	for ctx.Err() == nil {
		if now := time.Now(); now.Sub(looked) >= time.Minute {
			cards, looked = s.findCards(cards), now
		}
		wait := time.Minute
		for _, c := range cards {
			wait = min(wait, s.sampleCard(c, time.Now()))
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait):
		}
	}
}

// findCards looks which cards there are.
func (s *Sampler) findCards(known []*card) []*card {
	class := filepath.Join(s.options.Root, "sys/class/drm")
	entries, err := os.ReadDir(class)
	if err != nil {
		return nil
	}
	var cards []*card
	for _, entry := range entries {
		number, is := strings.CutPrefix(entry.Name(), "card")
		n, err := strconv.Atoi(number)
		if !is || err != nil || n < 0 || n >= maxDevices {
			continue // a connector: card0-DP-1
		}
		folder := filepath.Join(class, entry.Name(), "device")
		total, ok := number64(folder, "mem_info_vram_total")
		if !ok {
			continue
		}
		c := &card{slot: drmSlots + n, folder: folder}
		for _, k := range known {
			if k.slot == c.slot {
				c = k
			}
		}
		if !s.knows(c.slot) {
			s.take(&Message{Device: &Device{
				Slot: c.slot, Index: len(cards), Vendor: AMD, Name: oneLine(folder, "product_name"),
				UUID: oneLine(folder, "unique_id"), Bus: busOf(folder), TotalBytes: total,
			}}, time.Now())
		}
		cards = append(cards, c)
	}
	return cards
}

func (s *Sampler) knows(slot int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.history.devices[slot] != nil
}

// sampleCard reads a card's memory, unless it sleeps: the read would wake it.
func (s *Sampler) sampleCard(c *card, now time.Time) time.Duration {
	if oneLine(c.folder, "power/runtime_status") == "suspended" {
		s.take(&Message{Fault: &Fault{Slot: c.slot, Text: "asleep", Asleep: true}}, now)
		return time.Second
	}
	total, ok := number64(c.folder, "mem_info_vram_total")
	used, okUsed := number64(c.folder, "mem_info_vram_used")
	if !ok || !okUsed || used > total {
		s.take(&Message{Fault: &Fault{Slot: c.slot, Text: "its memory can't be read"}}, now)
		return time.Minute
	}
	s.take(&Message{Sample: &Sample{Slot: c.slot, Milliseconds: now.UnixMilli(), UsedBytes: used, FreeBytes: total - used}}, now)
	if used > total/10*8 {
		return 100 * time.Millisecond
	}
	return time.Second
}

func number64(folder, name string) (int64, bool) {
	n, err := strconv.ParseInt(oneLine(folder, name), 10, 64)
	return n, err == nil && n >= 0
}

// busOf is the PCI address of a device's folder, "" when it is none.
func busOf(folder string) string {
	target, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return ""
	}
	return filepath.Base(target)
}
