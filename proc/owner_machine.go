package proc

import (
	"slices"
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

func machineForms() []machineForm {
	asIs := func(name string) string { return name }
	return []machineForm{
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
}

const (
	lxcPayload = "lxc.payload."
	lxcMonitor = "lxc.monitor."
)

// isLXCName tells a cgroup that LXC made, whatever the machine's name ends in.
func isLXCName(part string) bool {
	return strings.HasPrefix(part, lxcPayload) || strings.HasPrefix(part, lxcMonitor)
}

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

// readMachine finds the outermost machine. Its name goes beside a container that
// runs inside of it.
func readMachine(owner *oomdoc.Owner, parts []string) {
	for i := range parts {
		parent := ""
		if i > 0 {
			parent = parts[i-1]
		}
		for _, form := range machineForms() {
			if form.parent != "" && form.parent != parent {
				continue
			}
			name, has := between(parts[i], form.prefix, form.suffix)
			if !has {
				continue
			}
			owner.Machine = form.decode(name)
			if owner.Container == "" && owner.Pod == "" {
				owner.Runtime = form.runtime
			}
			return
		}
	}
}

// readSlurm finds the job and step of a Slurm task (slurm
// src/plugins/cgroup/v1/cgroup_v1.c and v2/cgroup_v2.c).
//
//	v1: slurm[_NODE]/uid_UID/job_JOB/step_STEP/task_N
//	v2: system.slice/[NODE_]slurmstepd.scope/job_JOB/step_STEP/user/task_N
func readSlurm(owner *oomdoc.Owner, parts []string) {
	root := slices.IndexFunc(parts, isSlurmRoot)
	if root < 0 {
		return
	}
	rest := parts[root+1:]
	if text, has := level(rest, "uid_"); has {
		if uid, is := parseUID(text); is {
			owner.UID = &uid
		}
		rest = rest[1:]
	}
	job, has := level(rest, "job_")
	if !has {
		return
	}
	owner.SlurmJob = job
	owner.SlurmStep, _ = level(rest[1:], "step_")
}

func isSlurmRoot(part string) bool {
	return part == "slurm" || strings.HasPrefix(part, "slurm_") ||
		part == "slurmstepd.scope" || strings.HasSuffix(part, "_slurmstepd.scope")
}

// level gives what stands behind a prefix of the first name.
func level(parts []string, prefix string) (string, bool) {
	if len(parts) == 0 {
		return "", false
	}
	return between(parts[0], prefix, "")
}

// applicationOf gives the id of the desktop application that a unit of a user's
// manager runs, empty where the name does not tell.
//
// By the XDG convention (systemd.io/DESKTOP_ENVIRONMENTS) a scope is
// "app[-LAUNCHER]-ID-RANDOM.scope" and a service "app[-LAUNCHER]-ID[@RANDOM].service",
// where dashes in the parts are escaped. Snaps (snapd
// sandbox/cgroup/tracking.go) are "snap.NAME.APP-UUID.scope", before 2.58
// "snap.NAME.APP.UUID.scope"; old flatpaks "flatpak-ID-PID.scope".
func applicationOf(unit string) string {
	if name, is := between(unit, "snap.", ".scope"); is {
		return snapOf(name)
	}
	if name, is := between(unit, "flatpak-", ".scope"); is {
		return unescapeUnit(cutLast(name, "-"))
	}
	if name, is := between(unit, "app-", ".scope"); is {
		return unescapeUnit(withoutLauncher(cutLast(name, "-")))
	}
	if name, is := between(unit, "app-", ".service"); is {
		name, _, _ = strings.Cut(name, "@")
		return unescapeUnit(withoutLauncher(name))
	}
	return ""
}

func withoutLauncher(name string) string {
	if _, id, has := strings.Cut(name, "-"); has && id != "" {
		return id
	}
	return name
}

// snapOf gives "NAME" for a snap's main program and "NAME.APP" for another.
func snapOf(name string) string {
	fields := strings.SplitN(name, ".", 3)
	if len(fields) < 2 {
		return unescapeUnit(cutUUID(name))
	}
	app := unescapeUnit(cutUUID(fields[1]))
	if app == fields[0] || app == "" {
		return fields[0]
	}
	return fields[0] + "." + app
}

// uuidLength is that of a UUID in its usual form, with four dashes.
const uuidLength = 36

// cutUUID takes a UUID and the dash before it from the end of a name.
func cutUUID(name string) string {
	if at := len(name) - uuidLength - 1; at > 0 && name[at] == '-' {
		return name[:at]
	}
	return name
}

// cutLast takes the last field from a name of at least two.
func cutLast(name, separator string) string {
	if at := strings.LastIndex(name, separator); at > 0 {
		return name[:at]
	}
	return name
}
