package playbook

import (
	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

// shmCapShare, in percent of RAM: the size proposed for a tmpfs. Half of RAM is
// the kernel's default (tmpfs(5)); two such file systems can fill the machine.
const shmCapShare = 25

const (
	keySharedTitle  oomdoc.Key = "fix.free-shared"
	keySharedWhy    oomdoc.Key = "fix.free-shared.why"
	keySharedFind   oomdoc.Key = "step.shared-find"
	keySharedDelete oomdoc.Key = "step.shared-delete"
	keySharedSysV   oomdoc.Key = "step.shared-sysv"
	keySharedMemfd  oomdoc.Key = "step.shared-memfd"
	keyShmCapTitle  oomdoc.Key = "fix.cap-tmpfs"
	keyShmCapWhy    oomdoc.Key = "fix.cap-tmpfs.why"
	keyShmCapKeep   oomdoc.Key = "step.cap-tmpfs-keep"
)

// freeShared is for RAM that was full of shared memory: files in a tmpfs, System
// V segments, memfd (tmpfs(5), ipcs(1), memfd_create(2)).
func freeShared(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseSharedMemory {
		return oomdoc.Fix{}, false
	}
	held := p.counter("unevictable") // ramfs
	if p.proves(classify.EvidenceShmem) {
		held = p.counter("shmem")
	}
	return oomdoc.Fix{
		Title: oomdoc.Say(keySharedTitle, nil),
		Why:   oomdoc.Say(keySharedWhy, oomdoc.Args{"size": oomdoc.Bytes(held), "ram": oomdoc.Bytes(p.ram())}),
		Steps: []oomdoc.Sentence{
			oomdoc.Say(keySharedFind, nil),
			oomdoc.Command("df -h -t tmpfs -t ramfs"),
			oomdoc.Command(`sudo find /dev/shm /tmp /run -xdev \( -fstype tmpfs -o -fstype ramfs \) -type f -size +10M -printf '%s %p\n' | sort -rn | head`),
			oomdoc.Say(keySharedDelete, nil),
			oomdoc.Say(keySharedSysV, nil),
			oomdoc.Command("ipcs -m"),
			oomdoc.Say(keySharedMemfd, nil),
			oomdoc.Command("sudo find /proc/[0-9]*/fd -lname '/memfd:*' 2>/dev/null"),
		},
	}, true
}

// capShared bounds /dev/shm, so that what fills it gets an error before the
// machine runs out (tmpfs(5), size=).
func capShared(p *patient) (oomdoc.Fix, bool) {
	if p.inc.Cause != oomdoc.CauseSharedMemory || p.ram() == 0 || !p.proves(classify.EvidenceShmem) {
		return oomdoc.Fix{}, false // ramfs has no bound
	}
	size := roundDown(share(p.ram(), shmCapShare))
	text := inUnits(size, systemdUnits())
	return oomdoc.Fix{
		Title: oomdoc.Say(keyShmCapTitle, nil),
		Why:   oomdoc.Say(keyShmCapWhy, oomdoc.Args{"size": oomdoc.Bytes(size)}),
		Steps: []oomdoc.Sentence{
			oomdoc.Command("sudo mount -o remount,size=" + text + " /dev/shm"),
			oomdoc.Say(keyShmCapKeep, nil),
			oomdoc.Command("echo 'tmpfs /dev/shm tmpfs defaults,size=" + text + " 0 0' | sudo tee -a /etc/fstab"),
		},
	}, true
}
