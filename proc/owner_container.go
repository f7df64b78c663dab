package proc

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// The names of runtimes in Owner.Runtime.
const (
	runtimeDocker     = "docker"
	runtimePodman     = "podman"
	runtimeContainerd = "containerd"
	runtimeCRIO       = "cri-o"
	runtimeBuildKit   = "buildkit"
	runtimeLXC        = "lxc"
	runtimeLibvirt    = "libvirt"
	runtimeNspawn     = "systemd-nspawn"
)

// noContainer stands for a runtime in a form that looks like a container and is
// none.
const noContainer = "none"

// A containerForm is one way in which a runtime names a container's cgroup: the
// id between a prefix and a suffix, below a parent of that name ("" is any).
type containerForm struct {
	runtime, parent, prefix, suffix string
	isID                            func(string) bool
}

// containerForms are tried in order. The id is 64 hexadecimal digits unless
// noted.
var containerForms = []containerForm{
	// systemd drivers: SLICE/PREFIX-ID.scope (opencontainers/runc
	// libcontainer/cgroups/systemd/common.go, getUnitName).
	{runtimeDocker, "", "docker-", ".scope", isContainerID},             // moby daemon/oci_linux.go, WithCgroups
	{runtimeContainerd, "", "cri-containerd-", ".scope", isContainerID}, // containerd internal/cri/server/podsandbox helpers, getCgroupsPath
	{runtimeContainerd, "", "nerdctl-", ".scope", isContainerID},        // nerdctl pkg/cmd/container/run_cgroup_linux.go
	{runtimeCRIO, "", "crio-", ".scope", isContainerID},                 // cri-o internal/config/cgmgr/systemd_linux.go
	{runtimeCRIO, "", "crio-conmon-", ".scope", isContainerID},          // its monitor
	{runtimePodman, "", "libpod-", ".scope", isContainerID},             // podman libpod/container_internal_linux.go, getOCICgroupPath
	{runtimePodman, "", "libpod-conmon-", ".scope", isContainerID},      // its monitor
	// cgroupfs drivers, and podman with --cgroups=split.
	{runtimePodman, "", "libpod-payload-", "", isContainerID},
	{runtimePodman, "", "libpod-conmon-", "", isContainerID},
	{runtimePodman, "", "libpod-", "", isContainerID}, // libpod_parent/libpod-ID
	{runtimeCRIO, "", "crio-conmon-", "", isContainerID},
	{runtimeCRIO, "", "crio-", "", isContainerID}, // kubepods/…/podUID/crio-ID
	{runtimeDocker, "docker", "", "", isContainerID},
	{runtimeDocker, "actions_job", "", "", isContainerID}, // GitHub's runners: --cgroup-parent
	{runtimeContainerd, "default", "", "", isContainerID}, // containerd's /NAMESPACE/ID: nerdctl and ctr,
	{runtimeContainerd, "k8s.io", "", "", isContainerID},  // and CRI's
	{runtimeBuildKit, "buildkit", "", "", isBuildID},      // moby builder-next executor: docker/buildkit/ID
	{runtimeContainerd, "", "cri-containerd-", "", isContainerID},
	{noContainer, "libpod_parent", "", "", isContainerID}, // a pod of podman's
	{"", "", "", "", isContainerID},                       // kubepods/…/podUID/ID and any --cgroup-parent: the runtime is not told
}

func isContainerID(text string) bool { return isHex(text, 64) }

// isBuildID tells an id of BuildKit: 25 digits of base 36 (moby/buildkit
// identity/randomid.go).
func isBuildID(text string) bool {
	return len(text) == 25 && strings.Trim(text, "0123456789abcdefghijklmnopqrstuvwxyz") == ""
}

// readContainer finds the outermost pod and the container in it, or the
// outermost container where there is no pod. It gives the place of the pod, else
// of the container, and the end of the parts where there is neither.
func readContainer(owner *oomdoc.Owner, parts []string) (outermost int) {
	outermost = len(parts)
	first := 0
	for i := range parts {
		if uid, qos, is := podAt(parts, i); is {
			owner.Pod, owner.QoS = uid, qos
			outermost, first = i, i+1
			break
		}
	}
	for i := first; i < len(parts); i++ {
		if id, runtime, is := containerAt(parts, i); is {
			owner.Container, owner.Runtime = id, runtime
			return min(outermost, i)
		}
	}
	return outermost
}

func containerAt(parts []string, i int) (id, runtime string, found bool) {
	parent := ""
	if i > 0 {
		parent = parts[i-1]
	}
	for _, form := range containerForms {
		if form.parent != "" && form.parent != parent {
			continue
		}
		id, has := between(parts[i], form.prefix, form.suffix)
		if has && form.isID(id) {
			return id, form.runtime, form.runtime != noContainer
		}
	}
	return "", "", false
}

// Classes of service of Kubernetes, as in a pod's status.
const (
	qosGuaranteed = "guaranteed"
	qosBurstable  = "burstable"
	qosBestEffort = "besteffort"
)

const kubepods = "kubepods"

// podAt reads a name as that of a pod (Kubernetes
// pkg/kubelet/cm/cgroup_manager_linux.go and pod_container_manager_linux.go).
// The cgroups of a guaranteed pod stand right below kubepods: its class has no
// level of its own.
//
//	cgroupfs: kubepods[/burstable|/besteffort]/podUID
//	systemd:  [PREFIX-]kubepods[-burstable|-besteffort]-podUID.slice, dashes of the uid as underscores
func podAt(parts []string, i int) (uid, qos string, found bool) {
	if uid, qos, is := podSlice(parts[i]); is {
		return uid, qos, true
	}
	uid, has := strings.CutPrefix(parts[i], "pod")
	if !has || !isPodUID(uid) {
		return "", "", false
	}
	switch {
	case i >= 1 && parts[i-1] == kubepods:
		return uid, qosGuaranteed, true
	case i >= 2 && parts[i-2] == kubepods && (parts[i-1] == qosBurstable || parts[i-1] == qosBestEffort):
		return uid, parts[i-1], true
	}
	return "", "", false
}

func podSlice(part string) (uid, qos string, found bool) {
	stem, has := strings.CutSuffix(part, sliceType)
	if !has {
		return "", "", false
	}
	if strings.HasPrefix(stem, kubepods+"-") {
		stem = "-" + stem
	}
	_, rest, has := strings.Cut(stem, "-"+kubepods+"-") // kubelet --cgroup-root adds a prefix
	if !has {
		return "", "", false
	}
	qos = qosGuaranteed
	if class, after, has := strings.Cut(rest, "-"); has && (class == qosBurstable || class == qosBestEffort) {
		qos, rest = class, after
	}
	uid, has = strings.CutPrefix(rest, "pod")
	uid = strings.ReplaceAll(uid, "_", "-")
	return uid, qos, has && isPodUID(uid)
}

// podUIDMax bounds a pod's uid: 36 characters for those of the API server, 32
// for a static pod's hash, and some room.
const podUIDMax = 64

func isPodUID(text string) bool {
	if text == "" || len(text) > podUIDMax {
		return false
	}
	for i := range len(text) {
		if !isAlnum(text[i]) && text[i] != '-' {
			return false
		}
	}
	return true
}
