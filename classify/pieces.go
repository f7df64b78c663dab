package classify

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// The letters of a buddy line's free lists (mm/page_alloc.c, show_migration_types).
// Blocks that stand in these lists alone are not for every request: H is kept
// for urgent ones, C for devices and movable pages, I is being taken out of use.
const (
	listUrgent   = 'H'
	listCMA      = 'C'
	listIsolated = 'I'
)

// passes tells a zone with so much free that a request of the order fails only
// for want of one piece: the kernel's own watermark check without its last part
// (mm/page_alloc.c, __zone_watermark_ok).
func (r *reading) passes(z *zoneState) bool {
	return r.room(z) > 0
}

// room is how much more a zone has free than that check asks for.
func (r *reading) room(z *zoneState) int64 {
	rest := (int64(1)<<r.order() - 1) * r.page()
	return max(0, z.usable()-rest-z.min-z.reserve)
}

// inPieces tells that no zone with enough free memory had a block of the order
// that was asked for; not known where a buddy line is missing.
func (r *reading) inPieces(zones []zoneState) (pieces, known bool) {
	if r.order() <= 0 || r.order() > maxOrder || r.page() <= 0 {
		return false, false
	}
	for i := range zones {
		if !r.passes(&zones[i]) {
			continue
		}
		if len(zones[i].zone.Buddy) == 0 {
			return false, false
		}
		if r.inBlocks(&zones[i]) > 0 {
			return false, true
		}
	}
	return true, true
}

// inBlocks is how much of a zone is free in blocks that would have done.
func (r *reading) inBlocks(z *zoneState) (sum int64) {
	for _, order := range z.zone.Buddy {
		if order.Size >= r.page()<<r.order() && isUsableList(order.Types, isMovable(r.trigger)) {
			sum += order.Blocks * order.Size
		}
	}
	return sum
}

// isUsableList tells blocks of which at least one kind is for the request.
// Kernels before 3.9 print no letters.
func isUsableList(types string, movable bool) bool {
	if types == "" {
		return true
	}
	return strings.ContainsFunc(types, func(list rune) bool {
		switch list {
		case listUrgent, listIsolated:
			return false
		case listCMA:
			return movable
		}
		return true
	})
}

const (
	keyInPieces  oomdoc.Key = "evidence.zone-in-pieces"
	keyTooLittle oomdoc.Key = "evidence.zone-too-little"
	keyForStack  oomdoc.Key = "evidence.asked-for-stack"
	keyForSocket oomdoc.Key = "evidence.asked-for-network"
	keyForGuest  oomdoc.Key = "evidence.asked-for-guest"
	keyForGPU    oomdoc.Key = "evidence.asked-for-gpu"
)

// addPieces says of each zone how much was free and how much of it in blocks
// that were large enough.
func (v *verdict) addPieces(r *reading, zones []zoneState) {
	v.memory.FreeBytes = new(sumFree(zones))
	block := r.page() << r.order()
	for i := range zones[:min(len(zones), maxZoneProofs)] {
		z := &zones[i]
		args := z.args()
		args["keep_kib"] = oomdoc.Count((z.min + z.reserve) >> 10)
		args["block_kib"] = oomdoc.Count(block >> 10)
		switch {
		case r.passes(z):
		case z.short():
			v.prove(z.zone.Line, z.key(short), args)
			continue
		default:
			v.prove(z.zone.Line, keyTooLittle, args)
			continue
		}
		args["large_kib"] = oomdoc.Count(r.inBlocks(z) >> 10)
		v.prove(z.zone.BuddyLine, keyInPieces, args)
	}
	if more := len(zones) - maxZoneProofs; more > 0 {
		v.prove("", keyMoreZones, oomdoc.Args{"n": oomdoc.Count(more)})
	}
}

// purposes are functions of a call trace that tell what several pages in one
// piece were for: kernel/fork.c, net/core/skbuff.c and sock.c, virt/kvm, and the
// drivers of GPUs.
func purposes() []struct {
	prefix string
	key    oomdoc.Key
} {
	return []struct {
		prefix string
		key    oomdoc.Key
	}{
		{"nv_alloc", keyForGPU},
		{"_nv0", keyForGPU},
		{"ttm_", keyForGPU},
		{"amdgpu_", keyForGPU},
		{"kvm_", keyForGuest},
		{"copy_process", keyForStack},
		{"dup_task_struct", keyForStack},
		{"__alloc_skb", keyForSocket},
		{"alloc_skb", keyForSocket},
		{"skb_page_frag", keyForSocket},
		{"sk_page_frag", keyForSocket},
	}
}

// provePurpose says what the piece was for, where the call trace tells it.
func (v *verdict) provePurpose(r *reading) {
	for _, p := range purposes() {
		for _, function := range r.report.Stack {
			if strings.HasPrefix(function, p.prefix) {
				v.prove("", p.key, oomdoc.Args{"function": name(function)})
				return
			}
		}
	}
}
