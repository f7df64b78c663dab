package daemon_test

// An era is a kernel whose reports differ in form from those of the others. The
// texts are those of its sources: mm/oom_kill.c, mm/page_alloc.c (mm/show_mem.c
// from 6.4), mm/memcontrol.c, lib/dump_stack.c.
type era struct {
	version string // as uname -r has it
	at      int    // 2032 is 2.6.32, 4019 is 4.19: what a change is compared with
	vendor  string // whose changes it has: el6, el7, el8
	page    int64  // bytes
	bits32  bool   // 32-bit, with HighMem and without CONFIG_NUMA
	v1      bool   // cgroup v1 is in use
	buggy   bool   // 5.0 and 5.1.0 to 5.1.18 print CONSTRAINT_NONE always
}

// eras are one kernel of each form, and of the architectures and page sizes.
func eras() []era {
	const small, sixteen, large = 4 << 10, 16 << 10, 64 << 10
	return []era{
		{version: "2.6.24-26-server", at: 2024, page: small},
		{version: "2.6.32-5-amd64", at: 2032, page: small, v1: true},
		{version: "2.6.32-642.el6.x86_64", at: 2032, vendor: "el6", page: small, v1: true},
		{version: "3.2.0-4-amd64", at: 3002, page: small, v1: true},
		{version: "3.8.0-19-generic", at: 3008, page: small, v1: true},
		{version: "3.10.0-1160.el7.x86_64", at: 3010, vendor: "el7", page: small, v1: true},
		{version: "3.10.0-957.el7.ppc64le", at: 3010, vendor: "el7", page: large, v1: true},
		{version: "3.16.0-4-686-pae", at: 3016, page: small, bits32: true, v1: true},
		{version: "4.4.0-210-generic", at: 4004, page: small, v1: true},
		{version: "4.7.0-1-amd64", at: 4007, page: small, v1: true},
		{version: "4.9.0-19-amd64", at: 4009, page: small, v1: true},
		{version: "4.14.98", at: 4014, page: small, v1: true},
		{version: "4.15.0-213-generic", at: 4015, page: small, v1: true},
		{version: "4.18.0-147.el8.x86_64", at: 4018, vendor: "el8", page: small, v1: true},
		{version: "4.19.0-27-amd64", at: 4019, page: small, v1: true},
		{version: "5.0.0-generic", at: 5000, page: small, v1: true, buggy: true},
		{version: "5.2.0-3-amd64", at: 5002, page: small, v1: true},
		{version: "5.3.18-57-default", at: 5003, page: small, v1: true},
		{version: "5.4.0", at: 5004, page: small, v1: true},
		{version: "5.10.0-33-amd64", at: 5010, page: small},
		{version: "5.14.0-503.el9.aarch64+64k", at: 5014, page: large},
		{version: "5.15.0-130-generic", at: 5015, page: small, v1: true},
		{version: "6.1.0-47-686-pae", at: 6001, page: small, bits32: true},
		{version: "6.1.0-47-amd64", at: 6001, page: small},
		{version: "6.4.0-150600-default", at: 6004, page: small, v1: true},
		{version: "6.6.62+rpt-rpi-2712-16k", at: 6006, page: sixteen},
		{version: "6.8.0-51-generic", at: 6008, page: small},
		{version: "6.11.0-29-generic", at: 6011, page: small},
		{version: "6.12.117+deb13-arm64-16k", at: 6012, page: sixteen},
		{version: "6.18.5-arch1-1", at: 6018, page: small},
		{version: "6.19.2+deb14-powerpc64le", at: 6019, page: small},
		{version: "7.2.13+deb14-cloud-amd64", at: 7002, page: small},
	}
}

// has tells an era with a change of that version.
func (e *era) has(version int) bool { return e.at >= version }

// summarised tells one with the "oom-kill:" line.
func (e *era) summarised() bool { return e.has(5000) }

// A gfp is a request's flags: the mask before 4.6, then the names too.
type gfp struct {
	names string
	masks [5]uint64 // 2.6.32 to 4.3, to 4.9, to 4.17, to 5.0, newer
}

var (
	gfpKernel  = gfp{"GFP_KERNEL", [5]uint64{0xd0, 0x24000c0, 0x14000c0, 0x6000c0, 0xcc0}}
	gfpProgram = gfp{"GFP_HIGHUSER_MOVABLE", [5]uint64{0x200da, 0x24200ca, 0x14200ca, 0x6200ca, 0x100cca}}
	gfpAtomic  = gfp{"GFP_ATOMIC", [5]uint64{0x20, 0x2080020, 0x1080020, 0x480020, 0xa20}}
	gfpNoWait  = gfp{"GFP_NOWAIT|__GFP_NOWARN", [5]uint64{0x200, 0x2000200, 0x1000200, 0x400200, 0x2800}}
)

func (e *era) mask(g gfp) uint64 {
	switch {
	case e.at < 4004:
		return g.masks[0]
	case e.at < 4010:
		return g.masks[1]
	case e.at < 4018:
		return g.masks[2]
	case e.at < 5001:
		return g.masks[3]
	}
	return g.masks[4]
}
