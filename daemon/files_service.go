package daemon

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/store"
)

// FilesConfig says which log files are followed.
type FilesConfig struct {
	// Paths are globs of absolute paths (filepath.Match).
	Paths []string `toml:"paths"`
}

// startFiles follows the configured log files beside the kernel log until ctx
// ends.
func (s *service) startFiles(ctx context.Context, background *sync.WaitGroup) error {
	if len(s.options.Config.Files.Paths) == 0 {
		return nil
	}
	files, err := newFilesSource(s)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.files = files
	s.mu.Unlock()
	background.Go(func() { files.run(ctx) })
	return nil
}

// filesPosition is how far the files were read, false when none is. The lock is
// held.
func (s *service) filesPosition() (store.Position, bool) {
	if s.files == nil {
		return store.Position{}, false
	}
	return s.files.position()
}

func (s *service) rewindFiles() {
	if s.files != nil {
		s.files.rewind()
	}
}

// FilesState is the reader of log files.
type FilesState struct {
	Paths    []string          `json:"paths,omitempty"` // as configured
	Followed []string          `json:"followed,omitempty"`
	Missing  map[string]string `json:"missing,omitempty"` // and why
	Others   int               `json:"others,omitempty"`  // named, and too many
	Records  uint64            `json:"records"`
	Limited  uint64            `json:"limited"` // failures beyond what one file may tell of
	Last     time.Time         `json:"last,omitzero"`
}

func (s *service) filesState() FilesState {
	f := s.files
	if f == nil {
		return FilesState{}
	}
	state := FilesState{Paths: f.globs, Others: f.tooMany, Records: f.records, Limited: f.limits.total, Last: f.last}
	for path := range f.files {
		state.Followed = append(state.Followed, path)
	}
	for path, err := range f.missing {
		if state.Missing == nil {
			state.Missing = make(map[string]string)
		}
		state.Missing[path] = err.Error()
	}
	return state
}

// filesLine is the files as a source.
func filesLine(state *FilesState, since time.Time) SourceState {
	line := SourceState{
		Name: string(oomdoc.SourceFile), Path: strings.Join(state.Paths, ":"), Watched: len(state.Followed) > 0,
		Last: state.Last, Records: state.Records, Lost: state.Limited,
	}
	if line.Watched {
		line.Since = since
	}
	return line
}
