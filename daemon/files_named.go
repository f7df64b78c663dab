package daemon

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/helper"
	"github.com/oomdoc/oomdoc/proc"
)

// A namedFile is a log file that the configuration names.
type namedFile struct {
	path      string
	by        string // the glob, or byContainers
	open      func() (*os.File, error)
	container string // whose output it is; "" is nobody's
	facts     oomdoc.ContainerFacts
	at        time.Time // when it was last written
	file      fileID
}

// byContainers stands among the globs for the logs of containers.
const byContainers = "containers"

// A fileID tells one file under two names.
type fileID struct{ device, inode uint64 }

func fileIDOf(info os.FileInfo) fileID {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return fileID{uint64(stat.Dev), stat.Ino} //nolint:unconvert // Dev has another size on other machines
	}
	return fileID{}
}

// mostLooked bounds how many files are looked at for the youngest.
const mostLooked = 4096

// matching are the files that a glob names, and what cannot be read of them.
func matching(glob string, missing map[string]error) (found []namedFile) {
	matches, err := filepath.Glob(glob)
	if err != nil {
		missing[glob] = err
	}
	for _, path := range matches[:min(len(matches), mostLooked)] {
		info, err := os.Stat(path)
		switch {
		case err != nil:
			missing[path] = err
		case !info.Mode().IsRegular(), isCompressed(path):
		case unix.Access(path, unix.R_OK) != nil:
			missing[path] = os.ErrPermission
		default:
			found = append(found, namedFile{path: path, by: glob, at: info.ModTime(), file: fileIDOf(info)})
		}
	}
	return found
}

// isCompressed tells a file that will not grow: an old one that a glob names too.
func isCompressed(path string) bool {
	return slices.Contains([]string{".gz", ".xz", ".zst", ".bz2", ".lz4"}, filepath.Ext(path))
}

// youngest are those that are followed: one for each file, the last written first.
func youngest(found []namedFile) (files []namedFile, tooMany int) {
	slices.SortStableFunc(found, func(a, b namedFile) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.path, b.path))
	})
	seen := make(map[fileID]bool)
	for _, f := range found {
		if !seen[f.file] {
			seen[f.file] = true
			files = append(files, f)
		}
	}
	tooMany = max(0, len(files)-maxFiles)
	return files[:len(files)-tooMany], tooMany
}

// A containerLogs finds the log files of containers, by the daemon's own hand or
// through the helper.
type containerLogs struct {
	open opener
	root string // docker's
}

// files are those that can be read.
func (c *containerLogs) files() (found []namedFile) {
	c.each(helper.DockerContainers, func(name string) {
		path := filepath.Join(c.root, "containers", name, name+"-json.log")
		found = c.add(found, name, path, helper.DockerLog, oomdoc.ContainerFacts{})
	})
	c.each(helper.ContainerLogs, func(name string) {
		if id, facts, ok := proc.LogLinkNames(name); ok {
			found = c.add(found, id, filepath.Join("/var/log/containers", name), helper.PodLog, facts)
		}
	})
	return found
}

func (c *containerLogs) add(found []namedFile, text, path string, which helper.ContainerFile, facts oomdoc.ContainerFacts) []namedFile {
	id, ok := helper.ParseContainerID(text)
	if !ok || len(found) >= mostLooked {
		return found
	}
	open := func() (*os.File, error) { return c.open.OpenContainer(id, which) }
	file, err := open()
	if err != nil {
		return found // it logs elsewhere, or is closed to us: what is missing is told as a whole
	}
	defer func() { _ = file.Close() }() // it was only opened
	info, err := file.Stat()
	if err != nil {
		return found
	}
	return append(found, namedFile{
		path: path, by: byContainers, open: open, container: text, facts: facts, at: info.ModTime(), file: fileIDOf(info),
	})
}

// each visits the names in a folder, if there is one.
func (c *containerLogs) each(folder helper.SharedFile, visit func(name string)) {
	file, err := c.open.OpenShared(folder)
	if err != nil {
		return
	}
	defer func() { _ = file.Close() }() // it was only read
	for {
		names, err := file.Readdirnames(namesAtATime)
		for _, name := range names {
			visit(name)
		}
		if err != nil {
			return
		}
	}
}

// A folderMark tells that something came into the folders of containers or left
// them, by the time that their folders were last changed. The folders stay open.
type folderMark struct {
	open    opener
	folders []*os.File
	last    []time.Time
}

// changed looks.
func (m *folderMark) changed() bool {
	times := make([]time.Time, 0, len(m.folders))
	for _, folder := range m.folders {
		if info, err := folder.Stat(); err == nil {
			times = append(times, info.ModTime())
		}
	}
	same := slices.EqualFunc(times, m.last, time.Time.Equal)
	m.last = times
	return !same
}

// again opens the folders anew: they may be others now.
func (m *folderMark) again() {
	m.close()
	for _, which := range []helper.SharedFile{helper.DockerContainers, helper.ContainerLogs} {
		if folder, err := m.open.OpenShared(which); err == nil {
			m.folders = append(m.folders, folder)
		}
	}
	m.changed()
}

func (m *folderMark) close() {
	for _, folder := range m.folders {
		_ = folder.Close() // it was only looked at
	}
	m.folders = nil
}
