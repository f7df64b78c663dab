package helper

import (
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// A ProcessFile is a file of a process that another user may not open.
type ProcessFile uint16

// The files of a process. There is no environ: nothing needs it, and it is where
// secrets stand.
const (
	ProcessMaps        ProcessFile = 1 + iota // which libraries and models are mapped
	ProcessSmapsRollup                        // what its memory is made of
	ProcessStat                               // the rest is closed where /proc is mounted with hidepid=
	ProcessStatus
	ProcessCmdline
	ProcessCgroup
)

// A ContainerFile is a file that a runtime keeps of one container.
type ContainerFile uint16

// The files of a container.
const (
	DockerConfig   ContainerFile = 1 + iota // its name and image
	DockerLog                               // what it printed, with the log driver json-file
	ContainerdPod                           // its OCI configuration, of a pod's container
	ContainerdNerd                          // the same of nerdctl's and ctr's
	PodLog                                  // what a pod's container printed
)

// A SharedFile tells of many containers.
type SharedFile uint16

// The shared files.
const (
	ContainersStorage  SharedFile = 1 + iota // names and images of podman's and CRI-O's containers
	ContainersVolatile                       // the same of those that are removed when they end (--rm)
	ContainerLogs                            // a folder with a link for each container of a pod, named for both
	PodLogs                                  // a folder with a folder for each pod, named for it
	DockerContainers                         // a folder with a folder for each of docker's containers, named by its id
)

// Roots are where the files lie. They are the administrator's, never a client's.
type Roots struct {
	Proc       string // /proc
	Docker     string // docker's data-root
	Containerd string // containerd's state folder
	Containers string // the graphroot of containers/storage
	Logs       string // /var/log
}

// DefaultRoots are those of the packages of the distributions.
func DefaultRoots() Roots {
	return Roots{
		Proc: "/proc", Docker: "/var/lib/docker", Containerd: "/run/containerd",
		Containers: "/var/lib/containers/storage", Logs: "/var/log",
	}
}

// path is the file that a request is for. It is made of the roots, of fixed
// names, and of a number or an id: nothing in it can lead elsewhere.
func (roots Roots) path(r request) (path string, folder, ok bool) {
	switch r.op {
	case opProcess:
		path = roots.process(ProcessFile(r.file), strconv.FormatUint(uint64(r.pid), 10))
	case opContainer:
		path = roots.container(ContainerFile(r.file), r.id.String())
	case opShared:
		path, folder = roots.shared(SharedFile(r.file))
	}
	return path, folder, path != ""
}

func (roots Roots) process(file ProcessFile, pid string) string {
	name, known := map[ProcessFile]string{
		ProcessMaps: "maps", ProcessSmapsRollup: "smaps_rollup", ProcessStat: "stat",
		ProcessStatus: "status", ProcessCmdline: "cmdline", ProcessCgroup: "cgroup",
	}[file]
	if !known {
		return ""
	}
	return filepath.Join(roots.Proc, pid, name)
}

func (roots Roots) container(file ContainerFile, id string) string {
	// A runtime v2 task's bundle: STATE/NAMESPACE/ID (containerd, core/runtime/v2).
	const tasks = "io.containerd.runtime.v2.task"
	switch file {
	case DockerConfig:
		return filepath.Join(roots.Docker, "containers", id, "config.v2.json")
	case DockerLog:
		return filepath.Join(roots.Docker, "containers", id, id+"-json.log")
	case ContainerdPod:
		return filepath.Join(roots.Containerd, tasks, "k8s.io", id, "config.json")
	case ContainerdNerd:
		return filepath.Join(roots.Containerd, tasks, "default", id, "config.json")
	case PodLog:
		return roots.podLog(id)
	}
	return ""
}

// podLog is where the kubelet's link leads that ends with the container's id:
// LOGS/containers/POD_NAMESPACE_NAME-ID.log to LOGS/pods/NAMESPACE_POD_UID/NAME/N.log
// (Kubernetes pkg/kubelet/kuberuntime/legacy.go and helpers.go). A pod that mounts
// the folder can put links there: what leads elsewhere is none, and open finds out
// what leads elsewhere on the way.
func (roots Roots) podLog(id string) string {
	links, _ := filepath.Glob(filepath.Join(roots.Logs, "containers", "*-"+id+".log"))
	for _, link := range links {
		target, _ := os.Readlink(link) // "" is no place
		if is, _ := filepath.Match(filepath.Join(roots.Logs, "pods/*/*/*"), filepath.Clean(target)); is {
			return filepath.Clean(target)
		}
	}
	return ""
}

func (roots Roots) shared(file SharedFile) (path string, folder bool) {
	path = map[SharedFile]string{
		ContainersStorage:  filepath.Join(roots.Containers, "overlay-containers", "containers.json"),
		ContainersVolatile: filepath.Join(roots.Containers, "overlay-containers", "volatile-containers.json"),
		ContainerLogs:      filepath.Join(roots.Logs, "containers"),
		PodLogs:            filepath.Join(roots.Logs, "pods"),
		DockerContainers:   filepath.Join(roots.Docker, "containers"),
	}[file]
	return path, file >= ContainerLogs
}

// open opens what a request is for: a regular file or, where it is to be one, a
// folder. A link at its end is refused, and so is what could make a read wait.
func (roots Roots) open(r request) (int, error) {
	path, folder, ok := roots.path(r)
	if !ok {
		return -1, unix.EINVAL
	}
	flags := unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_NOCTTY
	want := uint32(unix.S_IFREG)
	if folder {
		flags, want = flags|unix.O_DIRECTORY, unix.S_IFDIR
	}
	fd, err := retry(func() (int, error) { return unix.Open(path, flags, 0) })
	if err != nil {
		return -1, err
	}
	var stat unix.Stat_t
	reached, _ := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd)) // "" is elsewhere
	isElsewhere := r.op == opContainer && ContainerFile(r.file) == PodLog && reached != path
	if err = unix.Fstat(fd, &stat); err == nil && (stat.Mode&unix.S_IFMT != want || isElsewhere) {
		err = unix.EINVAL
	}
	if err != nil {
		_ = unix.Close(fd) // it was only opened
		return -1, err
	}
	return fd, nil
}

func retry(call func() (int, error)) (int, error) {
	for {
		n, err := call()
		if err != unix.EINTR { //nolint:errorlint // a bare errno of the kernel's
			return n, err
		}
	}
}
