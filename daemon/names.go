package daemon

import (
	"io"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/helper"
	"github.com/oomdoc/oomdoc/proc"
)

const (
	// maxNames is how many containers and pods are remembered, with those that
	// have no name. Beyond it all are forgotten and looked up anew.
	maxNames = 1024
	// nameWithin is how long a kill may wait for a name that was not looked up
	// before: files may have to be read from a disk that is busy with swapping.
	// What comes later is in the next telling of the same kill.
	nameWithin = 20 * time.Millisecond
	// missAgain is after how long a name that was not found is looked for again.
	missAgain = time.Minute
)

// names knows what containers and pods are called. A container that the kernel
// killed may be gone a moment later, and its files with it, so the names of
// those that run are looked up ahead, when the process table meets them.
type names struct {
	open opener
	busy chan struct{} // holds a token while files are read

	mu     sync.Mutex
	known  map[string]oomdoc.ContainerFacts // by container id and by pod uid
	missed map[string]time.Time
}

func newNames(open opener) *names {
	n := &names{open: open, busy: make(chan struct{}, 1)}
	n.forget()
	return n
}

func (n *names) forget() {
	n.known, n.missed = make(map[string]oomdoc.ContainerFacts), make(map[string]time.Time)
}

// size is how many have a name.
func (n *names) size() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.known)
}

// of gives the names of those whom the cgroups belong to. A name that is not
// known is waited for, for a moment.
func (n *names) of(cgroups []string) map[string]oomdoc.ContainerFacts {
	if n.lacks(cgroups, time.Now()) {
		done := make(chan struct{})
		go func() {
			defer close(done)
			n.learn(cgroups)
		}()
		select {
		case <-done:
		case <-time.After(nameWithin):
		}
	}
	found := make(map[string]oomdoc.ContainerFacts)
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, path := range cgroups {
		owner := proc.OwnerOf(path)
		for _, key := range []string{owner.Container, owner.Pod} {
			if facts, has := n.known[key]; has && key != "" {
				found[key] = facts
			}
		}
	}
	return found
}

func (n *names) lacks(cgroups []string, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, path := range cgroups {
		owner := proc.OwnerOf(path)
		if n.wanted(owner.Container, now) || n.wanted(owner.Pod, now) {
			return true
		}
	}
	return false
}

// wanted tells a container or pod that is to be looked up. The caller holds mu.
func (n *names) wanted(key string, now time.Time) bool {
	if key == "" {
		return false
	}
	_, has := n.known[key]
	at, tried := n.missed[key]
	return !has && (!tried || now.Sub(at) > missAgain)
}

// learn looks up those of the cgroups that are not known.
func (n *names) learn(cgroups []string) {
	select {
	case n.busy <- struct{}{}:
		defer func() { <-n.busy }()
	default:
		return // the look-up that runs may take long: a disk
	}
	found := n.lookUp(n.missing(cgroups))
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.known)+len(n.missed) > maxNames {
		n.forget()
	}
	for key, facts := range found {
		if facts != (oomdoc.ContainerFacts{}) {
			n.known[key] = facts
			delete(n.missed, key)
		} else {
			n.missed[key] = time.Now()
		}
	}
}

// missing are the owners to be looked up, at most as many as are remembered.
func (n *names) missing(cgroups []string) []oomdoc.Owner {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := time.Now()
	var owners []oomdoc.Owner
	for _, path := range cgroups {
		owner := proc.OwnerOf(path)
		if len(owners) < maxNames/2 && (n.wanted(owner.Container, now) || n.wanted(owner.Pod, now)) {
			owners = append(owners, owner)
		}
	}
	return owners
}

// lookUp reads the files that may have the names. Each key that was asked for
// is in the answer, without a name where none was found.
func (n *names) lookUp(owners []oomdoc.Owner) map[string]oomdoc.ContainerFacts {
	answer := make(map[string]oomdoc.ContainerFacts)
	for _, owner := range owners {
		for _, key := range []string{owner.Container, owner.Pod} {
			if key != "" {
				answer[key] = oomdoc.ContainerFacts{}
			}
		}
	}
	if len(answer) == 0 {
		return answer
	}
	for id := range answer {
		if facts, ok := n.ofContainer(id); ok {
			answer[id] = facts
		}
	}
	n.fromLists(answer)
	n.fromLogs(answer)
	return answer
}

// ofContainer reads the container's own file.
func (n *names) ofContainer(text string) (oomdoc.ContainerFacts, bool) {
	id, ok := helper.ParseContainerID(text)
	if !ok {
		return oomdoc.ContainerFacts{}, false
	}
	for _, source := range []struct {
		file helper.ContainerFile
		read func(io.Reader) (oomdoc.ContainerFacts, error)
	}{
		{helper.DockerConfig, proc.DockerNames},
		{helper.ContainerdPod, proc.OCINames},
		{helper.ContainerdNerd, proc.OCINames},
	} {
		file, err := n.open.OpenContainer(id, source.file)
		if err != nil {
			continue // not of this runtime, gone, or closed to us
		}
		facts, err := source.read(file)
		_ = file.Close() // it was only read
		if err == nil && facts != (oomdoc.ContainerFacts{}) {
			return facts, true
		}
	}
	return oomdoc.ContainerFacts{}, false
}

// fromLists reads what podman and CRI-O keep of all their containers.
func (n *names) fromLists(answer map[string]oomdoc.ContainerFacts) {
	for _, list := range []helper.SharedFile{helper.ContainersStorage, helper.ContainersVolatile} {
		file, err := n.open.OpenShared(list)
		if err != nil {
			continue
		}
		_ = proc.StorageNames(file, func(id string, facts oomdoc.ContainerFacts) { // a list that is cut tells less
			if known, asked := answer[id]; asked && known == (oomdoc.ContainerFacts{}) {
				answer[id] = facts
			}
		})
		_ = file.Close() // it was only read
	}
}

// fromLogs reads the names of the folders that the kubelet makes for logs. They
// outlive the container.
func (n *names) fromLogs(answer map[string]oomdoc.ContainerFacts) {
	n.eachName(helper.ContainerLogs, func(name string) {
		if id, facts, ok := proc.LogLinkNames(name); ok {
			if known, asked := answer[id]; asked && known.PodName == "" {
				facts.Image = known.Image
				answer[id] = facts
			}
		}
	})
	n.eachName(helper.PodLogs, func(name string) {
		if facts, ok := proc.PodFolderNames(name); ok {
			if _, asked := answer[facts.Pod]; asked {
				answer[facts.Pod] = facts
			}
		}
	})
}

// namesAtATime is how many entries of a folder are read at a time.
const namesAtATime = 256

func (n *names) eachName(folder helper.SharedFile, visit func(string)) {
	file, err := n.open.OpenShared(folder)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }() // it was only read
	for {
		some, err := file.Readdirnames(namesAtATime)
		for _, name := range some {
			visit(name)
		}
		if err != nil {
			return
		}
	}
}

// ahead looks up the names of the containers that the table met.
func (n *names) ahead(table *proc.Table) {
	seen := make(map[string]bool)
	table.Cgroups(func(path string) { seen[path] = true })
	paths := make([]string, 0, len(seen))
	for path := range seen {
		paths = append(paths, path)
	}
	if n.lacks(paths, time.Now()) {
		n.learn(paths)
	}
}
