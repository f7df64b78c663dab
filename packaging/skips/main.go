// Command skips reads `go test -json` on standard input, prints what go test
// would have printed, and fails when a test failed or when a test was skipped
// that the given file does not name with a reason.
//
//	go test -json ./... | go run ./packaging/skips packaging/skips.txt
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sort"
	"strings"
)

// event is one line of `go test -json` (go doc test2json).
type event struct {
	Action, Package, Test, Output, ImportPath string
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: skips FILE < go-test.json")
		os.Exit(2)
	}
	allowed, err := readAllowed(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	result, err := replay(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	os.Exit(result.judge(allowed, os.Stdout))
}

// readAllowed reads lines of "PACKAGE TEST: reason"; # begins a comment.
func readAllowed(path string) (map[string]string, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open list of skips: %w", err)
	}
	defer func() { _ = file.Close() }() // it was only read
	allowed := make(map[string]string)
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, found := strings.Cut(line, ": ")
		if !found || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("read list of skips: %q gives no reason", line)
		}
		allowed[name] = reason
	}
	return allowed, lines.Err()
}

type result struct {
	passed, failed int
	skipped        []string
	failures       []string
}

// replay prints package lines, failures and build output; the output of tests
// that pass is kept back, as go test does without -v.
func replay(from io.Reader, to io.Writer) (result, error) {
	var r result
	held := make(map[string][]string)
	decoder := json.NewDecoder(from)
	for {
		var e event
		if err := decoder.Decode(&e); err == io.EOF {
			return r, nil
		} else if err != nil {
			return r, fmt.Errorf("read test output: %w", err)
		}
		name := e.Package + " " + e.Test
		switch {
		case e.Action == "output" && e.Test == "", e.Action == "build-output":
			fmt.Fprint(to, e.Output)
		case e.Action == "output":
			held[name] = append(held[name], e.Output)
		case e.Action == "build-fail":
			r.failures = append(r.failures, "build of "+e.ImportPath)
		case e.Test == "" && e.Action == "fail":
			r.failures = append(r.failures, "package "+e.Package)
		case e.Test == "":
		case e.Action == "pass":
			r.passed++
			delete(held, name)
		case e.Action == "skip":
			r.skipped = append(r.skipped, name)
		case e.Action == "fail":
			r.failed++
			r.failures = append(r.failures, name)
			fmt.Fprint(to, strings.Join(held[name], ""))
			delete(held, name)
		}
	}
}

// judge prints the closing lines and gives the exit status.
func (r result) judge(allowed map[string]string, to io.Writer) int {
	status := 0
	sort.Strings(r.skipped)
	for _, name := range r.skipped {
		if reason, ok := allowed[name]; ok {
			fmt.Fprintf(to, "skipped %s: %s\n", name, reason)
			continue
		}
		fmt.Fprintf(to, "FAIL: skipped without being listed: %s\n", name)
		status = 1
	}
	for _, name := range r.failures {
		fmt.Fprintf(to, "FAIL: %s\n", name)
		status = 1
	}
	if r.passed == 0 {
		fmt.Fprintln(to, "FAIL: no test ran")
		status = 1
	}
	fmt.Fprintf(to, "%d passed, %d failed, %d skipped\n", r.passed, r.failed, len(r.skipped))
	return status
}
