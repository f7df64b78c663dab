// Command licences prints whose work the binary holds and under which licences,
// in the form that Debian's copyright files have
// (https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/). A
// licence that it does not know ends it: somebody must look at it first.
//
//	go run ./packaging/licences TAGS ./cmd/oomdoc
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: licences TAGS PACKAGE")
		os.Exit(2)
	}
	if err := run(os.Stdout, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// A part is what one project contributed to the binary.
type part struct {
	name, files string
	folder      string // where its licence lies
}

func run(to io.Writer, tags, pkg string) error {
	parts, err := linked(tags, pkg)
	if err != nil {
		return err
	}
	fmt.Fprint(to, `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: oomdoc
Source: https://github.com/oomdoc/oomdoc

Files: *
Copyright: The oomdoc authors
License: Apache-2.0
`)
	for _, p := range parts {
		if err := p.print(to); err != nil {
			return err
		}
	}
	fmt.Fprint(to, `
Files: vendor/github.com/mattn/go-sqlite3/sqlite3-binding.*
Copyright: none; the authors of SQLite disclaim copyright
License: public-domain
 SQLite is in the public domain: https://www.sqlite.org/copyright.html

License: Apache-2.0
 The text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0 and at
 https://www.apache.org/licenses/LICENSE-2.0
`)
	return nil
}

// linked finds the modules that a package is built from, and Go's own library.
func linked(tags, pkg string) ([]part, error) {
	command := exec.Command("go", "list", "-deps", "-json=Module", "-tags", tags, pkg)
	command.Stderr = os.Stderr
	output, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("list packages: %w", err)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go: %w", err)
	}
	parts := []part{{"The Go standard library", "go/*", strings.TrimSpace(string(root))}}
	decoder := json.NewDecoder(strings.NewReader(string(output)))
	for {
		var found struct {
			Module *struct {
				Path, Version, Dir string
				Main               bool
			}
		}
		if err := decoder.Decode(&found); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read list of packages: %w", err)
		}
		m := found.Module
		if m == nil || m.Main {
			continue
		}
		folder := m.Dir
		if folder == "" {
			folder = filepath.Join("vendor", m.Path) // of a source tarball
		}
		p := part{m.Path + " " + m.Version, "vendor/" + m.Path + "/*", folder}
		if !slices.Contains(parts, p) {
			parts = append(parts, p)
		}
	}
	slices.SortFunc(parts[1:], func(a, b part) int { return strings.Compare(a.name, b.name) })
	return parts, nil
}

var (
	copyrightLine = regexp.MustCompile(`(?mi)^\s*(copyright (?:\(c\)|©|[0-9]{4}|the |by ).*?)\s*$`)
	space         = regexp.MustCompile(`\s+`)
)

func (p part) print(to io.Writer) error {
	text, err := p.read("LICENSE*", "LICENCE*", "COPYING*")
	if err != nil {
		return err
	}
	if text == "" {
		return fmt.Errorf("%s: no licence in %s", p.name, p.folder)
	}
	kind, err := identify(text)
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	notice, err := p.read("NOTICE*")
	if err != nil {
		return err
	}
	holder := "The authors of " + p.name
	if lines := copyrightLine.FindAllStringSubmatch(text, -1); lines != nil && kind != apache {
		holder = ""
		for _, line := range lines {
			holder += "\n " + line[1]
		}
	}
	fmt.Fprintf(to, "\nFiles: %s\nCopyright: %s\n", p.files, holder)
	fmt.Fprintf(to, "Comment:\n%s", indent(p.name+"\n"+notice))
	if kind == apache {
		fmt.Fprintf(to, "License: %s\n", kind)
		return nil
	}
	fmt.Fprintf(to, "License: %s\n%s", kind, indent(text))
	return nil
}

// read joins the files of a part whose names match.
func (p part) read(patterns ...string) (string, error) {
	var joined strings.Builder
	for _, pattern := range patterns {
		paths, err := filepath.Glob(filepath.Join(p.folder, pattern))
		if err != nil {
			return "", fmt.Errorf("find licence: %w", err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				return "", fmt.Errorf("read licence: %w", err)
			}
			joined.Write(text)
		}
	}
	return joined.String(), nil
}

const apache = "Apache-2.0"

// identify names a licence by a sentence that only it has.
func identify(text string) (string, error) {
	text = strings.ToLower(space.ReplaceAllString(text, " "))
	for _, known := range []struct{ name, sentence string }{
		{apache, "apache license version 2.0"},
		{"BSD-3-Clause", "neither the name of"},
		{"Expat", "permission is hereby granted, free of charge, to any person"},
		{"BSD-2-Clause", "redistributions in binary form must reproduce"},
	} {
		if strings.Contains(text, known.sentence) {
			return known.name, nil
		}
	}
	return "", fmt.Errorf("unknown licence: %.80q", text)
}

// indent makes a text the continuation of a field.
func indent(text string) string {
	var out strings.Builder
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, " \t\r\n\f")
		if line == "" {
			line = "."
		}
		out.WriteString(" " + line + "\n")
	}
	return out.String()
}
