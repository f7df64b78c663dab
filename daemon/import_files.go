package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

// LogFiles finds the files into which syslog daemons write the kernel's lines,
// and those that were rotated, the oldest first.
func LogFiles(folder string) []string {
	var paths []string
	for _, name := range []string{"kern.log", "syslog", "messages"} {
		found, err := filepath.Glob(filepath.Join(folder, name+"*"))
		if err == nil { // only a bad pattern is an error
			paths = append(paths, found...)
		}
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	})
	slices.SortStableFunc(paths, func(a, b string) int { return cmp.Compare(modified(a), modified(b)) })
	return paths
}

func modified(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.ModTime().UnixNano()
}

// File reads a log file, compressed ones too, unless it was read before and has
// not changed.
func (i *Importer) File(ctx context.Context, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	if err != nil {
		return err
	}
	mark := FileMark{Size: info.Size(), Modified: info.ModTime().UTC()}
	if stat, is := info.Sys().(*syscall.Stat_t); is {
		mark.Inode = stat.Ino
	}
	if i.readBefore(mark) {
		return nil
	}
	in, end, err := decompressed(ctx, file)
	if err != nil {
		return err
	}
	err = i.text(ctx, in, info.ModTime())
	if endErr := end(); err == nil {
		err = endErr
	}
	if err != nil {
		return errors.Join(fmt.Errorf("read %s: %w", path, err), i.failure)
	}
	if len(i.state.Files) >= maxImportFiles {
		clear(i.state.Files)
	}
	i.state.Files[path] = mark
	i.write()
	return i.failure
}

// readBefore tells a file that was read, also under the name that it had before
// it was rotated.
func (i *Importer) readBefore(mark FileMark) bool {
	for _, other := range i.state.Files {
		if other.Inode == mark.Inode && other.Size == mark.Size && other.Modified.Equal(mark.Modified) {
			return true
		}
	}
	return false
}

// text reads a log. Stamps without a year are of the year in which the file was
// last written.
func (i *Importer) text(ctx context.Context, in io.Reader, last time.Time) error {
	diagnoser := i.diagnoser(oomdoc.SourceFile)
	decoder := record.NewDecoder(&interruptible{ctx, in}, record.Options{Source: oomdoc.SourceFile, Now: func() time.Time { return last }})
	err := forEach(decoder, func(rec *oomdoc.Record) {
		diagnoser.Feed(rec)
		i.count(rec)
	})
	diagnoser.Flush()
	return err
}

// An interruptible reader ends when its context does.
type interruptible struct {
	ctx context.Context
	in  io.Reader
}

func (r *interruptible) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.in.Read(b)
}

// decompressed gives the text of files that only other programs can read; what
// is compressed in another way the decoder reads itself.
func decompressed(ctx context.Context, file *os.File) (io.Reader, func() error, error) {
	program := ""
	switch ext := filepath.Ext(file.Name()); strings.ToLower(ext) {
	case ".xz":
		program = "xz"
	case ".zst":
		program = "zstd"
	default:
		return file, func() error { return nil }, nil
	}
	command := exec.CommandContext(ctx, program, "-dc")
	command.Stdin = file
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	pipe, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		return nil, nil, &oomdoc.Error{Op: "read", Path: file.Name(), Err: err, Hint: "install " + program + " and run oomdoc import again"}
	}
	return pipe, func() error {
		_ = pipe.Close() // it was only read
		if err := command.Wait(); err != nil {
			return fmt.Errorf("%s: %w", program, err)
		}
		return nil
	}, nil
}
