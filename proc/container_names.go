package proc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/oomdoc/oomdoc"
)

// Bounds of what is read of a runtime's files. A container's configuration has
// some ten kilobytes; the list of all containers grows with their number, and
// is read one by one.
const (
	maxContainerConfig = 1 << 20
	maxContainerList   = 16 << 20
	maxContainerName   = 256 // Kubernetes allows 253, docker any
)

// DockerNames reads config.v2.json, docker's file of one container (moby
// container/container.go, type Container).
func DockerNames(from io.Reader) (oomdoc.ContainerFacts, error) {
	var config struct {
		Name   string
		Config struct{ Image string }
	}
	if err := decodeOne(from, &config); err != nil {
		return oomdoc.ContainerFacts{}, fmt.Errorf("read docker's container: %w", err)
	}
	return namedFacts(strings.TrimPrefix(config.Name, "/"), config.Config.Image), nil
}

// The annotations that containerd's CRI plugin gives a container (containerd
// internal/cri/annotations/annotations.go), and nerdctl's name.
const (
	criContainerName = "io.kubernetes.cri.container-name"
	criImageName     = "io.kubernetes.cri.image-name"
	criSandboxName   = "io.kubernetes.cri.sandbox-name"
	criSandboxSpace  = "io.kubernetes.cri.sandbox-namespace"
	criSandboxUID    = "io.kubernetes.cri.sandbox-uid"
	nerdctlName      = "nerdctl/name"
)

// OCINames reads the config.json of a container's bundle (OCI runtime
// specification, config.md, "Annotations").
func OCINames(from io.Reader) (oomdoc.ContainerFacts, error) {
	var config struct {
		Annotations map[string]string `json:"annotations"`
	}
	if err := decodeOne(from, &config); err != nil {
		return oomdoc.ContainerFacts{}, fmt.Errorf("read container's bundle: %w", err)
	}
	said := config.Annotations
	facts := namedFacts(said[criContainerName], said[criImageName])
	if facts.Name == "" {
		facts.Name = shortName(said[nerdctlName])
	}
	facts.PodName, facts.Namespace = shortName(said[criSandboxName]), shortName(said[criSandboxSpace])
	if uid := said[criSandboxUID]; isPodUID(uid) {
		facts.Pod = uid
	}
	return facts, nil
}

// StorageNames reads containers.json of containers/storage, which podman and
// CRI-O share, and calls visit with each container. What they know beside the
// name is JSON in a string (podman libpod/storage.go, CRI-O
// internal/storage/runtime.go, RuntimeContainerMetadata).
func StorageNames(from io.Reader, visit func(id string, facts oomdoc.ContainerFacts)) error {
	decoder := json.NewDecoder(io.LimitReader(from, maxContainerList))
	if token, err := decoder.Token(); err != nil || token != json.Delim('[') {
		return fmt.Errorf("read container storage: %w", errors.Join(err, errNoList))
	}
	for decoder.More() {
		var container struct {
			ID       string   `json:"id"`
			Names    []string `json:"names"`
			Metadata string   `json:"metadata"`
		}
		if err := decoder.Decode(&container); err != nil {
			return fmt.Errorf("read container storage: %w", err)
		}
		if isContainerID(container.ID) {
			visit(container.ID, storedNames(container.Names, container.Metadata))
		}
	}
	return nil
}

const errNoList = constError("it is no list")

func storedNames(names []string, metadata string) oomdoc.ContainerFacts {
	var known struct {
		Name  string `json:"name"`
		Image string `json:"image-name"`
	}
	if json.Unmarshal([]byte(metadata), &known) != nil {
		known.Name = "" // the list of names is what is left
	}
	if known.Name == "" && len(names) > 0 {
		known.Name = names[0]
	}
	return namedFacts(known.Name, known.Image)
}

// LogLinkNames reads the name of a link in /var/log/containers,
// "POD_NAMESPACE_CONTAINER-ID.log" (Kubernetes
// pkg/kubelet/kuberuntime/legacy.go). It gives the container's id.
func LogLinkNames(name string) (id string, facts oomdoc.ContainerFacts, ok bool) {
	name, isLog := strings.CutSuffix(name, ".log")
	at := strings.LastIndexByte(name, '-')
	if !isLog || at < 0 || !isContainerID(name[at+1:]) {
		return "", facts, false
	}
	parts := strings.Split(name[:at], "_")
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" || parts[2] == "" {
		return "", facts, false
	}
	facts = oomdoc.ContainerFacts{PodName: shortName(parts[0]), Namespace: shortName(parts[1]), Name: shortName(parts[2])}
	return name[at+1:], facts, true
}

// PodFolderNames reads the name of a folder in /var/log/pods,
// "NAMESPACE_POD_UID" (Kubernetes pkg/kubelet/kuberuntime/helpers.go).
func PodFolderNames(name string) (facts oomdoc.ContainerFacts, ok bool) {
	parts := strings.Split(name, "_")
	if len(parts) != 3 || parts[0] == "" || parts[1] == "" || !isPodUID(parts[2]) {
		return facts, false
	}
	return oomdoc.ContainerFacts{Namespace: shortName(parts[0]), PodName: shortName(parts[1]), Pod: parts[2]}, true
}

// namedFacts are the facts of a name and an image. Where the name is one that a
// CRI gave, "k8s_CONTAINER_POD_NAMESPACE_UID_ATTEMPT" (cri-dockerd
// core/naming.go, CRI-O internal/factory/container), it is taken apart: none of
// its parts can have an underscore.
func namedFacts(name, image string) oomdoc.ContainerFacts {
	facts := oomdoc.ContainerFacts{Name: shortName(name), Image: shortName(image)}
	parts := strings.Split(name, "_")
	if len(parts) != 6 || parts[0] != "k8s" || !isPodUID(parts[4]) {
		return facts
	}
	facts.Name, facts.PodName, facts.Namespace, facts.Pod = shortName(parts[1]), shortName(parts[2]), shortName(parts[3]), parts[4]
	return facts
}

func shortName(name string) string {
	return strings.ToValidUTF8(cutText(name, min(len(name), maxContainerName)), "\uFFFD")
}

// decodeOne reads one JSON value of bounded size.
func decodeOne(from io.Reader, into any) error {
	return json.NewDecoder(io.LimitReader(from, maxContainerConfig)).Decode(into)
}
