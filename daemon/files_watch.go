package daemon

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// namedFiles are the files that globs name, the youngest first and no more than
// are followed, and what cannot be read of what they name.
func namedFiles(globs []string) (paths []string, tooMany int, missing map[string]error) {
	type named struct {
		path string
		at   time.Time
	}
	const mostLooked = 4096
	var found []named
	missing = make(map[string]error)
	for _, glob := range globs {
		matches, err := filepath.Glob(glob)
		if err != nil {
			missing[glob] = err
			continue
		}
		for _, path := range matches[:min(len(matches), mostLooked)] {
			info, err := os.Stat(path)
			switch {
			case err != nil:
				missing[path] = err
			case !info.Mode().IsRegular(), isRotated(path):
			case unix.Access(path, unix.R_OK) != nil:
				missing[path] = fmt.Errorf("read %s: %w", path, os.ErrPermission)
			default:
				found = append(found, named{path, info.ModTime()})
			}
		}
	}
	slices.SortFunc(found, func(a, b named) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.path, b.path))
	})
	for _, f := range found {
		if !slices.Contains(paths, f.path) {
			paths = append(paths, f.path)
		}
	}
	if len(paths) > maxFiles {
		tooMany = len(paths) - maxFiles
		paths = paths[:maxFiles]
	}
	return paths, tooMany, missing
}

// isRotated tells a compressed file, which will not grow: it is an old one that a
// glob names too.
func isRotated(path string) bool {
	return slices.Contains([]string{".gz", ".xz", ".zst", ".bz2", ".lz4"}, filepath.Ext(path))
}

// A folderWatch tells when something changes in the folders of the files.
type folderWatch struct {
	log     *slog.Logger
	events  *os.File // nil: the kernel gives no watch, and they are looked at in turn
	watched map[string]bool
	changed chan struct{}
}

const (
	// rescanAfter is when the folders are looked at even if nothing is told:
	// file systems of the network tell nothing, and a glob can name new folders.
	rescanAfter = 30 * time.Second
	// lookEvery is the same where nothing is ever told.
	lookEvery = 2 * time.Second
	// gatherFor is how long changes are gathered: a busy log costs no more.
	gatherFor  = 200 * time.Millisecond
	maxWatched = 64
)

func newFolderWatch(log *slog.Logger) *folderWatch {
	w := &folderWatch{log: log, watched: make(map[string]bool), changed: make(chan struct{}, 1)}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		log.Warn("the kernel tells of no changes of log files; they are looked at every few seconds", "error", err)
		return w
	}
	w.events = os.NewFile(uintptr(fd), "inotify")
	go w.run()
	return w
}

func (w *folderWatch) run() {
	buffer := make([]byte, 4<<10)
	for {
		if _, err := w.events.Read(buffer); err != nil {
			return // closed
		}
		select {
		case w.changed <- struct{}{}:
		default:
		}
	}
}

// folders watches the folders of globs and of files, also of those that a
// symbolic link leads to.
func (w *folderWatch) folders(globs, files []string) {
	if w.events == nil {
		return
	}
	for _, glob := range globs {
		matches, _ := filepath.Glob(filepath.Dir(glob)) // a bad one is told elsewhere
		for _, folder := range matches {
			w.add(folder)
		}
	}
	for _, file := range files {
		if target, err := filepath.EvalSymlinks(file); err == nil {
			w.add(filepath.Dir(target))
		}
	}
}

func (w *folderWatch) add(folder string) {
	if w.watched[folder] || len(w.watched) >= maxWatched {
		return
	}
	const what = unix.IN_MODIFY | unix.IN_CREATE | unix.IN_MOVED_TO | unix.IN_MOVED_FROM | unix.IN_DELETE
	raw, err := w.events.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { // it is open
		_, err = unix.InotifyAddWatch(int(fd), folder, what|unix.IN_ONLYDIR)
	})
	if err != nil {
		return // the rescan looks at it
	}
	w.watched[folder] = true
}

// wait waits for a change, or for the time to look anyway.
func (w *folderWatch) wait(ctx context.Context) {
	longest := rescanAfter
	if w.events == nil {
		longest = lookEvery
	}
	select {
	case <-ctx.Done():
		return
	case <-time.After(longest):
		clear(w.watched) // a folder may be another of the same name
		return
	case <-w.changed:
	}
	select {
	case <-ctx.Done():
	case <-time.After(gatherFor):
	}
}

func (w *folderWatch) close() {
	if w.events != nil {
		_ = w.events.Close() // it was only read
	}
}
