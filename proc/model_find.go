package proc

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

// Some files of weights are named by the hash of what is in them. Who they are
// stands in files beside them: Ollama's manifests, the links of Hugging Face's
// snapshots. Those lie on disks of other people, which may be slow or hang, so they
// are read apart from everything else, one model at a time.
type namer struct {
	root string        // /proc
	busy chan struct{} // holds a token while files are read

	mu     sync.Mutex
	names  map[string]string // by path; "" where nothing tells it
	closed bool              // what would tell it may not be read
}

const (
	// nameWithin is how long a round waits for a name.
	nameWithin = 100 * time.Millisecond
	// maxNames bounds what is remembered; beyond it all are looked up anew.
	maxNames = 128
)

func newNamer(root string) *namer {
	return &namer{root: root, busy: make(chan struct{}, 1), names: make(map[string]string)}
}

// isHashed tells a file whose name is the hash of what is in it.
func isHashed(file string) bool {
	return strings.Contains(file, ollamaBlob) || hubOf(file) != "" && path.Base(path.Dir(file)) == "blobs"
}

// nameAll names those of a process's models whose path does not.
func (n *namer) nameAll(pid int, cgroup string, models []oomdoc.ModelFile) {
	for i := range models {
		if m := &models[i]; isHashed(m.Path) {
			if name := n.name(pid, cgroup, m.Path); name != "" {
				m.Name = shortModel(name)
			}
		}
	}
}

func (n *namer) name(pid int, cgroup, file string) string {
	n.mu.Lock()
	name, known := n.names[file]
	n.mu.Unlock()
	if known {
		return name
	}
	select {
	case n.busy <- struct{}{}:
	default:
		return "" // a disk hangs
	}
	found := make(chan string, 1)
	go func() {
		defer func() { <-n.busy }()
		name, err := n.find(pid, cgroup, file)
		n.mu.Lock()
		defer n.mu.Unlock()
		if len(n.names) >= maxNames {
			clear(n.names)
		}
		n.names[file] = name
		n.closed = n.closed || errors.Is(err, os.ErrPermission)
		found <- name
	}()
	select {
	case name := <-found:
		return name
	case <-time.After(nameWithin):
		return ""
	}
}

// Unnamed tells that there are models whose names may not be read.
func (t *Table) Unnamed() bool {
	t.namer.mu.Lock()
	defer t.namer.mu.Unlock()
	return t.namer.closed
}

// find reads the files that tell the name of a model, where the process sees them.
func (n *namer) find(pid int, cgroup, file string) (string, error) {
	root, err := n.openRoot(pid, cgroup)
	if err != nil {
		return "", err
	}
	defer func() { _ = unix.Close(root) }() // it was only read
	search := search{root: root, left: maxSearch}
	if digest, is := strings.CutPrefix(path.Base(file), "sha256-"); is {
		return search.manifest(path.Join(path.Dir(path.Dir(file)), "manifests"), digest)
	}
	link, err := search.snapshot(path.Join(path.Dir(path.Dir(file)), "snapshots"), path.Base(file))
	if link == "" || !isWhole(link) {
		return "", err
	}
	return hubOf(file) + "/" + withoutPiece(link), err
}

// openRoot opens what a process sees as its root. Where that may not be read, it is
// ours, unless the process is in a container.
func (n *namer) openRoot(pid int, cgroup string) (int, error) {
	const how = unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC
	root, err := unix.Open(path.Join(n.root, strconv.Itoa(pid), "root"), how, 0)
	if err == nil {
		return root, nil
	}
	switch OwnerOf(cgroup).Kind {
	case oomdoc.OwnerContainer, oomdoc.OwnerPod, oomdoc.OwnerLXC, oomdoc.OwnerVM:
		return -1, err
	}
	return unix.Open("/", how, 0)
}

// maxSearch bounds how many entries of folders and files one search looks at.
const maxSearch = 8192

// A search goes through folders that anybody may have made. Nothing in them leads
// out of the root: links are held inside of it, and those of the kernel are not
// followed (openat2(2)).
type search struct {
	root int
	left int // entries that may still be looked at
}

func (s *search) open(file string, flags uint64) (*os.File, error) {
	fd, err := unix.Openat2(s.root, file, &unix.OpenHow{
		Flags:   flags | unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK | unix.O_NOCTTY,
		Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), file), nil
}

// each calls visit with the names in a folder until it has found what it wants.
func (s *search) each(folder string, visit func(name string) (found bool)) (bool, error) {
	file, err := s.open(folder, unix.O_DIRECTORY)
	if err != nil {
		return false, err
	}
	defer func() { _ = file.Close() }() // it was only read
	for s.left > 0 {
		names, err := file.Readdirnames(min(s.left, 128))
		s.left -= len(names)
		for _, name := range names {
			if visit(name) {
				return true, nil
			}
		}
		if err != nil {
			return false, nil //nolint:nilerr // the end, or what is left cannot be read
		}
	}
	return false, nil
}

// manifest finds the name of the model whose weights have that digest, in the
// folders registry/namespace/name/tag (ollama: types/model/name.go).
func (s *search) manifest(folder, digest string) (found string, err error) {
	const levels = 4
	var walk func(at string, parts []string) (bool, error)
	walk = func(at string, parts []string) (bool, error) {
		return s.each(at, func(name string) bool {
			below := append(parts[:len(parts):len(parts)], name)
			if len(below) < levels {
				is, _ := walk(path.Join(at, name), below) // what cannot be read has no name for us
				return is
			}
			if !s.hasDigest(path.Join(at, name), digest) {
				return false
			}
			found = ollamaName(below)
			return true
		})
	}
	_, err = walk(folder, nil)
	return found, err
}

// ollamaName is how Ollama writes a name: without what is its default.
func ollamaName(parts []string) string {
	registry, space, name, tag := parts[0], parts[1], parts[2], parts[3]
	short := name + ":" + tag
	if space != "library" || registry != "registry.ollama.ai" {
		short = space + "/" + short
	}
	if registry != "registry.ollama.ai" {
		short = registry + "/" + short
	}
	return short
}

// maxManifest bounds a manifest, which has some hundred bytes.
const maxManifest = 64 << 10

// hasDigest tells a manifest whose weights are that file (ollama:
// manifest/manifest.go, types/model).
func (s *search) hasDigest(manifest, digest string) bool {
	file, err := s.open(manifest, 0)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // it was only read
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return false
	}
	var listed struct {
		Layers []struct {
			MediaType string `json:"mediaType"`
			Digest    string `json:"digest"`
		} `json:"layers"`
	}
	if json.NewDecoder(io.LimitReader(file, maxManifest)).Decode(&listed) != nil {
		return false
	}
	for _, layer := range listed.Layers {
		if layer.Digest == "sha256:"+digest && strings.HasPrefix(layer.MediaType, "application/vnd.ollama.image.") {
			return true
		}
	}
	return false
}

// snapshot finds the link of a revision that leads to a blob, and gives its name
// (huggingface_hub: docs, "Understand caching").
func (s *search) snapshot(folder, blob string) (found string, err error) {
	leads := func(at, name string) bool {
		target, err := s.link(path.Join(at, name))
		if err == nil && path.Base(target) == blob {
			found = name
		}
		return found != ""
	}
	_, err = s.each(folder, func(revision string) bool {
		at := path.Join(folder, revision)
		is, _ := s.each(at, func(name string) bool {
			if leads(at, name) {
				return true
			}
			// A repository may keep its files in folders, one for each kind.
			deeper, _ := s.each(path.Join(at, name), func(inner string) bool { return leads(path.Join(at, name), inner) })
			return deeper
		})
		return is
	})
	return found, err
}

// link is where a link leads.
func (s *search) link(file string) (string, error) {
	fd, err := unix.Openat2(s.root, file, &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err != nil {
		return "", err
	}
	defer func() { _ = unix.Close(fd) }() // it was only read
	return linkAt(fd, "")
}
