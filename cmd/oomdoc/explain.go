package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/record"
	"github.com/oomdoc/oomdoc/view"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "explain [FILE...]",
		Example: "  dmesg | oomdoc explain -\n  journalctl -k -o json -b -1 | oomdoc explain\n  oomdoc explain /var/log/kern.log",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				if isTerminal(a.In) {
					return usage(c, errors.New("name a file, or pipe a log in"))
				}
				args = []string{"-"}
			}
			return a.explain(args)
		},
	}
}

// explain reads the files in order. One that cannot be read does not keep the
// others from being explained.
func (a *app) explain(paths []string) error {
	reading := &explanation{}
	var failed error
	several := len(paths) > 1
	note := func(err error) {
		if err == nil {
			return
		}
		failed = errors.Join(failed, err)
		if several {
			a.report(err)
		}
	}
	var dumps []record.Dump
	if several { // a dump of the persistent store can be in several files
		dumps, paths = record.Dumps(paths)
	}
	for i := range dumps {
		note(a.explainDump(&dumps[i], reading))
	}
	for _, path := range paths {
		note(a.explainFile(path, reading))
	}
	if failed != nil && len(reading.incidents) == 0 {
		if several {
			return errQuiet(oomdoc.ErrorCode(failed))
		}
		if a.json() { // not "nothing was found": nothing was read
			return errors.Join(failed, view.JSON(a.Out, nil))
		}
		return failed
	}
	nothing := keyNothingFound
	if reading.lines == 0 {
		nothing = keyNothingRead
	}
	if err := a.explainAll(reading.incidents, nothing, false); err != nil {
		return err
	}
	if failed != nil {
		return errQuiet(oomdoc.ErrorCode(failed))
	}
	return nil
}

const (
	keyNothingFound oomdoc.Key = "cmd.nothing-found"
	keyNothingRead  oomdoc.Key = "cmd.nothing-read"
)

// An explanation collects the incidents of all files; a kill that stands in
// two of them is one.
type explanation struct {
	incidents []oomdoc.Incident
	place     map[string]int
	lines     uint64
	needles   *record.Needles
}

// anchors are what is looked for in every file.
func (e *explanation) anchors() *record.Needles {
	if e.needles == nil {
		e.needles = record.NewNeedles(daemon.Anchors())
	}
	return e.needles
}

func (e *explanation) add(incident oomdoc.Incident) {
	if e.place == nil {
		e.place = make(map[string]int)
	}
	if at, found := e.place[incident.ID]; found && sameMoment(&e.incidents[at], &incident) {
		if incident.Revision >= e.incidents[at].Revision {
			e.incidents[at] = incident
		}
		return
	}
	e.place[incident.ID] = len(e.incidents)
	e.incidents = append(e.incidents, incident)
}

// sameMoment tells tellings of one id that can be of one failure. Lines that say
// little (a unit that is killed each night) can have the same words, and so the
// same id, at different times.
func sameMoment(a, b *oomdoc.Incident) bool {
	const slack = 2 * time.Minute // the forms of a log differ by their rounding
	unknown := a.Time.IsZero() || b.Time.IsZero() || a.TimeApproximate || b.TimeApproximate
	return unknown || a.Time.Sub(b.Time).Abs() <= slack
}

func (a *app) explainFile(path string, into *explanation) error {
	source, name := oomdoc.SourceFile, path
	var in io.Reader
	if path == "-" {
		source, name, in = oomdoc.SourceStdin, "standard input", a.In
		if isDirectory(in) {
			return &oomdoc.Error{Op: "read", Path: name, Err: errDirectory, Hint: "name the log files in it: oomdoc explain DIRECTORY/*"}
		}
	} else {
		file, err := openLog(path)
		if err != nil {
			return err
		}
		defer func() { _ = file.Close() }() // it was only read
		in = file
	}
	return a.explainLog(in, source, name, into)
}

// explainDump reads a dump of which the parts are in several files.
func (a *app) explainDump(dump *record.Dump, into *explanation) error {
	text, err := dump.Text()
	if err != nil {
		return fmt.Errorf("read dump: %w", err)
	}
	return a.explainLog(bytes.NewReader(text), oomdoc.SourceFile, dump.Files[0], into)
}

func (a *app) explainLog(in io.Reader, source oomdoc.Source, name string, into *explanation) error {
	progress := a.progress(in, name)
	defer progress.done()
	diagnoser := daemon.NewDiagnoser(daemon.DiagnoserOptions{
		Emit: func(incident oomdoc.Incident) {
			incident.Source = source
			into.add(incident)
		},
		Panicked: func(text string, value any) {
			fmt.Fprintf(a.Err, "oomdoc: a record of %s could not be understood and was passed over (%v): %q\n", name, value, text)
		},
	})
	decoder := record.NewDecoder(progress, record.Options{Now: a.now, Nested: true, Skim: skimmer{diagnoser, into.anchors()}})
	if err := feed(decoder, diagnoser); err != nil {
		return nameFile(err, name)
	}
	if err := decoder.NotALog(); err != nil {
		return nameFile(err, name)
	}
	into.lines += decoder.Stats().Lines
	return nil
}

// A skimmer lets the decoder pass over what the diagnoser would make nothing of.
type skimmer struct {
	*daemon.Diagnoser
	*record.Needles
}

func feed(decoder *record.Decoder, diagnoser *daemon.Diagnoser) error {
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		switch {
		case err == nil:
			diagnoser.Feed(&rec)
		case errors.Is(err, io.EOF):
			diagnoser.Flush()
			return nil
		default:
			diagnoser.Flush()
			return err
		}
	}
}

// openLog opens a file for explain, with a word of help for what goes wrong.
func openLog(path string) (*os.File, error) {
	file, err := os.Open(path)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return nil, &oomdoc.Error{Code: oomdoc.CodeNotPermitted, Op: "open", Path: path, Err: fs.ErrPermission, Hint: "sudo oomdoc explain " + path}
	case errors.Is(err, fs.ErrNotExist):
		return nil, &oomdoc.Error{Op: "open", Path: path, Err: fs.ErrNotExist, Hint: "sudo dmesg | oomdoc explain -"}
	case err != nil:
		return nil, fmt.Errorf("open log: %w", err)
	}
	if isDirectory(file) {
		_ = file.Close() // it was only opened
		return nil, &oomdoc.Error{Op: "read", Path: path, Err: errDirectory, Hint: "name the log files in it: oomdoc explain " + path + "/*"}
	}
	return file, nil
}

var errDirectory = errors.New("it is a directory")

func isDirectory(in io.Reader) bool {
	file, ok := in.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.IsDir()
}

// nameFile adds the name of the file to an error that does not have it.
func nameFile(err error, name string) error {
	if e, ok := errors.AsType[*oomdoc.Error](err); ok && e.Path == "" {
		named := *e
		named.Path = name
		return &named
	}
	return fmt.Errorf("read %s: %w", name, err)
}

// progressAfter is how long a reading may take before its progress is shown.
const progressAfter = 2 * time.Second

// A progressReader shows how much was read, on a terminal, when it takes long.
type progressReader struct {
	io.Reader
	app   *app
	name  string
	total int64
	read  int64
	next  time.Time
	shown bool
}

func (a *app) progress(in io.Reader, name string) *progressReader {
	p := &progressReader{Reader: in, app: a, name: name}
	if file, ok := in.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			p.total = info.Size()
		}
	}
	if isTerminal(a.Err) {
		p.next = time.Now().Add(progressAfter)
	}
	return p
}

func (p *progressReader) Read(b []byte) (int, error) {
	n, err := p.Reader.Read(b)
	p.read += int64(n)
	if !p.next.IsZero() && time.Now().After(p.next) {
		p.next = time.Now().Add(progressAfter / 10)
		p.shown = true
		p.show()
	}
	return n, err
}

const keyReading oomdoc.Key = "cmd.reading"

func (p *progressReader) show() {
	language, err := p.app.language()
	if err != nil {
		return
	}
	far := oomdoc.Bytes(p.read)
	if p.total > 0 {
		far = oomdoc.Percent(float64(100 * p.read / p.total))
	}
	fmt.Fprintf(p.app.Err, "\r\x1b[K%s", view.Escape(language.Text(oomdoc.Say(keyReading, oomdoc.Args{"name": oomdoc.Text(p.name), "far": far}))))
}

func (p *progressReader) done() {
	if p.shown {
		fmt.Fprint(p.app.Err, "\r\x1b[K")
	}
}
