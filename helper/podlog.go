package helper

import (
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// openPodLog opens what a pod's container printed. The kubelet keeps a link to it
// that ends with the container's id: LOGS/containers/POD_NAMESPACE_NAME-ID.log to
// LOGS/pods/NAMESPACE_POD_UID/NAME/N.log (Kubernetes
// pkg/kubelet/kuberuntime/legacy.go and helpers.go). A pod that mounts the folder
// can put links there, so only the one of that name is followed, only to such a
// place, and none on the way.
func (roots Roots) openPodLog(id ContainerID) (int, error) {
	link, err := roots.podLink(id)
	if err != nil {
		return -1, err
	}
	target, err := os.Readlink(link)
	if err != nil {
		return -1, unix.ENOENT
	}
	pods := filepath.Join(roots.Logs, "pods")
	inside, err := filepath.Rel(pods, target)
	parts := strings.Split(inside, string(filepath.Separator))
	if err != nil || len(parts) != 3 || !filepath.IsLocal(inside) {
		return -1, unix.EINVAL
	}
	folder, err := openAt(unix.AT_FDCWD, pods, true)
	for i, part := range parts {
		if err != nil {
			return -1, err
		}
		parent := folder
		folder, err = openAt(parent, part, i < len(parts)-1)
		_ = unix.Close(parent) // it was only opened
	}
	return folder, err
}

func (roots Roots) podLink(id ContainerID) (string, error) {
	folder, err := os.Open(filepath.Join(roots.Logs, "containers"))
	if err != nil {
		return "", unix.ENOENT
	}
	defer func() { _ = folder.Close() }() // it was only read
	suffix := "-" + id.String() + ".log"
	const atATime = 256
	for {
		names, err := folder.Readdirnames(atATime)
		for _, name := range names {
			if strings.HasSuffix(name, suffix) {
				return filepath.Join(folder.Name(), name), nil
			}
		}
		if err != nil {
			return "", unix.ENOENT
		}
	}
}
