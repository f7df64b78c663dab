package proc

import (
	"strconv"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// OwnerOf says who a cgroup path belongs to: the path of the memory controller
// as the kernel prints it (task_memcg, oom_memcg) or /proc/PID/cgroup has it.
//
// A path is read from its root, as systemd does: the first name that is not a
// slice is the unit, and what stands below it was made by whoever the unit was
// delegated to, so that no name there can pass for a unit of the system. Inside
// a user's manager the same holds for the user's units. Containers and pods are
// found at any depth, because runtimes run inside units, machines and other
// containers; Unit and UID then still tell under whom. Of containers inside
// containers the outermost is taken, which is the one that this machine's
// runtime knows; of pods likewise.
//
// Name is never empty.
func OwnerOf(path string) oomdoc.Owner {
	owner := oomdoc.Owner{Path: path}
	parts, namespaced := splitCgroup(path)
	if !namespaced {
		readUnits(&owner, parts)
		readOldSystemd(&owner, parts)
		readSlurm(&owner, parts)
	}
	expanded := expandSlices(parts)
	outermost := readContainer(&owner, expanded)
	readMachine(&owner, expanded[:outermost])
	owner.Kind, owner.Name = identity(&owner, parts, namespaced)
	return owner
}

// splitCgroup gives the names of a path. Namespaced says that it begins outside
// of the reader's cgroup namespace ("/../x", cgroup_namespaces(7)): what stands
// above is not known, so nothing in it can be taken for a unit.
func splitCgroup(path string) (parts []string, namespaced bool) {
	path = strings.TrimSuffix(path, " (deleted)") // cgroups(7): the cgroup of a zombie was removed
	for part := range strings.SplitSeq(path, "/") {
		switch part {
		case "", ".":
		case "..":
			namespaced = true
		default:
			parts = append(parts, part)
		}
	}
	return parts, namespaced
}

// readUnits finds the unit, the slice above it and, inside a user's manager, the
// unit there (systemd src/basic/cgroup-util.c, cg_path_get_unit,
// cg_path_get_slice, cg_path_get_user_unit).
func readUnits(owner *oomdoc.Owner, parts []string) {
	slices := countSlices(parts)
	if slices > 0 {
		owner.Slice, _ = sliceOf(parts[slices-1])
		readUserSlice(owner, parts[:slices])
	}
	below := parts[slices:]
	if len(below) == 0 {
		return
	}
	unit, isUnit := unitOf(below[0])
	if !isUnit || isLXCName(below[0]) {
		return
	}
	owner.Unit = unit
	if session, is := between(unit, "session-", ".scope"); is {
		owner.Session = session
	}
	if instance, is := instanceOf(unit, "user", ".service"); is {
		if uid, is := parseUID(instance); is {
			owner.UID = &uid
			readUserUnit(owner, below[1:])
		}
	}
}

// countSlices tells how many names at the head of a path are slices.
func countSlices(parts []string) int {
	for i, part := range parts {
		if _, is := sliceOf(part); !is {
			return i
		}
	}
	return len(parts)
}

// readUserSlice finds the user of "user.slice/user-1000.slice".
func readUserSlice(owner *oomdoc.Owner, slices []string) {
	if len(slices) < 2 || slices[0] != "user.slice" {
		return
	}
	if digits, is := between(slices[1], "user-", sliceType); is {
		if uid, is := parseUID(digits); is {
			owner.UID = &uid
		}
	}
}

// readUserUnit finds the unit of a user's manager, or the slice where the path
// ends in one.
func readUserUnit(owner *oomdoc.Owner, parts []string) {
	slices := countSlices(parts)
	if slices < len(parts) {
		if unit, is := unitOf(parts[slices]); is {
			owner.UserUnit = unit
			owner.Application = applicationOf(unit)
		}
		return
	}
	if slices > 0 {
		owner.UserUnit, _ = sliceOf(parts[slices-1])
	}
}

// parseUID reads a user id as systemd prints it (src/basic/user-util.c,
// parse_uid): no sign, no leading zero, and neither of the two values that mean
// "no user".
func parseUID(text string) (int, bool) {
	uid, err := strconv.ParseUint(text, 10, 32)
	if err != nil || strconv.FormatUint(uid, 10) != text {
		return 0, false
	}
	return int(uid), uid != 1<<32-1 && uid != 1<<16-1
}

// expandSlices takes apart a name like "x.slice:cri-containerd:ID", which a
// runtime that was told to use cgroupfs makes of a path that was meant for
// systemd (opencontainers/runc, docs/systemd.md: "slice:prefix:name").
func expandSlices(parts []string) []string {
	expanded := make([]string, 0, len(parts))
	for _, part := range parts {
		if strings.Count(part, ":") != 2 { // most have none
			expanded = append(expanded, part)
			continue
		}
		fields := strings.Split(part, ":")
		if strings.HasSuffix(fields[0], sliceType) {
			expanded = append(expanded, fields[0], fields[1]+"-"+fields[2]+".scope")
			continue
		}
		expanded = append(expanded, part)
	}
	return expanded
}

// shortID is how many digits of a container's id its runtimes print.
const shortID = 12

// identity chooses which of the owners found is the one to name: the innermost
// that a person manages.
func identity(owner *oomdoc.Owner, parts []string, namespaced bool) (oomdoc.OwnerKind, string) {
	switch {
	case owner.Container != "":
		return oomdoc.OwnerContainer, owner.Container[:min(shortID, len(owner.Container))]
	case owner.Pod != "":
		return oomdoc.OwnerPod, owner.Pod
	case owner.Runtime == runtimeLXC:
		return oomdoc.OwnerLXC, owner.Machine
	case owner.SlurmJob != "":
		return oomdoc.OwnerSlurm, owner.SlurmJob
	case owner.Runtime == runtimeLibvirt:
		return oomdoc.OwnerVM, owner.Machine
	case owner.Application != "":
		return oomdoc.OwnerApp, owner.Application
	case owner.UserUnit != "":
		return oomdoc.OwnerUserUnit, owner.UserUnit
	case owner.Session != "":
		return oomdoc.OwnerSession, owner.Session
	case owner.Unit != "":
		return oomdoc.OwnerUnit, owner.Unit
	case owner.Slice != "" && countSlices(parts) == len(parts):
		return oomdoc.OwnerSlice, owner.Slice
	case len(parts) == 0 && !namespaced && owner.Path != "":
		return oomdoc.OwnerHost, "/"
	case owner.Path == "":
		return oomdoc.OwnerCgroup, "?"
	}
	return oomdoc.OwnerCgroup, owner.Path
}
