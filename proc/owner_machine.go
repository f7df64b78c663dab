package proc

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// A machineForm is one way in which a manager of machines names a cgroup: the
// machine's name between a prefix and a suffix, below a parent of that name (""
// is any). Decode makes the name that the manager's own commands take.
type machineForm struct {
	runtime, parent, prefix, suffix string
	decode                          func(string) string
}

// belowUnit tells whether the machine's cgroup can stand inside of a unit. Only
// LXC's can, because a user may run it (lxc-start as non-root makes its cgroup
// below the session); the others are made by a daemon of the system, so that
// such a name inside of a unit is the unit's own invention.
func (f machineForm) belowUnit() bool { return f.runtime == runtimeLXC }

// reads tells the machine's name where the name of a cgroup has this form.
func (f machineForm) reads(part, parent string) (name string, is bool) {
	if f.parent != "" && f.parent != parent {
		return "", false
	}
	return between(part, f.prefix, f.suffix)
}

var machineForms = []machineForm{
	// LXC 4.0 and newer, LXD, Incus (lxc src/lxc/cgroups/cgfsng.c,
	// CGROUP_CREATE_RETRY, payload and monitor), then the older and Proxmox's
	// folders.
	{runtimeLXC, "", lxcPayload, "", asIs},
	{runtimeLXC, "", lxcMonitor, "", asIs},
	{runtimeLXC, "lxc", "", "", asIs},
	{runtimeLXC, "lxc.monitor", "", "", asIs},
	{runtimeLXC, "lxc.payload", "", "", asIs},
	// libvirt with machined and without (libvirt src/util/virsystemd.c,
	// virSystemdMakeScopeName; src/hypervisor/domain_cgroup.c), and before 1.0.5.
	{runtimeLibvirt, "", `machine-qemu\x2d`, ".scope", domainOf},
	{runtimeLibvirt, "", `machine-lxc\x2d`, ".scope", domainOf},
	{runtimeLibvirt, "", `machine-xen\x2d`, ".scope", domainOf},
	{runtimeLibvirt, "", `machine-ch\x2d`, ".scope", domainOf},
	{runtimeLibvirt, "", "qemu-", ".libvirt-qemu", domainOf},
	{runtimeLibvirt, "", "lxc-", ".libvirt-lxc", domainOf},
	{runtimeLibvirt, "", "", ".libvirt-qemu", domainOf},
	{runtimeLibvirt, "", "", ".libvirt-lxc", domainOf},
	// systemd-nspawn(1): as a service of its own, or started by hand.
	{runtimeNspawn, "", "systemd-nspawn@", ".service", unescapeUnit},
	{runtimeNspawn, "machine.slice", "machine-", ".scope", unescapeUnit},
}

const (
	lxcPayload = "lxc.payload."
	lxcMonitor = "lxc.monitor."
)

// isLXCName tells a cgroup that LXC made, whatever the machine's name ends in.
func isLXCName(part string) bool {
	return strings.HasPrefix(part, lxcPayload) || strings.HasPrefix(part, lxcMonitor)
}

// asIs is for names that are not changed.
func asIs(name string) string { return name }

// domainOf takes the running number from libvirt's name of a machine
// ("1-web", since 1.3.2; virDomainGenerateMachineName), which virsh does not
// take. What stands before it was cut by the form.
func domainOf(name string) string {
	name = unescapeUnit(name)
	number, domain, has := strings.Cut(name, "-")
	if has && domain != "" && strings.Trim(number, "0123456789") == "" {
		return domain
	}
	return name
}

// readMachine finds the outermost machine among the names that stand above any
// container. Its name goes beside a container that runs inside of it.
func readMachine(owner *oomdoc.Owner, parts []string) {
	own := len(parts) - 1 // the last name that only the system could make
	if owner.Unit != "" || owner.Session != "" {
		own = countSlices(parts)
	}
	parent := ""
	for i, part := range parts {
		for _, form := range machineForms {
			name, is := form.reads(part, parent)
			if !is || (i > own && !form.belowUnit()) {
				continue
			}
			owner.Machine = form.decode(name)
			if owner.Container == "" && owner.Pod == "" {
				owner.Runtime = form.runtime
			}
			return
		}
		parent = part
	}
}
