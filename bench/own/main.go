// Command own runs oomdoc's path from log text to incidents, the one that
// `oomdoc explain` takes, over a file, for the comparison of
// docs/benchmarks.md.
//
//	own FILE   prints {"ns": median of ten passes, "kills": found, "allocs": per line}
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/record"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: own FILE")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read stream: %w", err)
	}
	var before, after runtime.MemStats
	var times []int64
	var kills, lines int
	for range passes {
		runtime.ReadMemStats(&before)
		begun := time.Now()
		if kills, lines, err = explain(data); err != nil {
			return err
		}
		times = append(times, time.Since(begun).Nanoseconds())
		runtime.ReadMemStats(&after)
	}
	slices.Sort(times)
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"ns": times[passes/2], "kills": kills, "allocs": float64(after.Mallocs-before.Mallocs) / float64(max(lines, 1)),
	})
}

const passes = 10

// explain goes the whole way: decode, recognise, classify, attach the fixes.
func explain(data []byte) (kills, lines int, err error) {
	ids := make(map[string]bool)
	diagnoser := daemon.NewDiagnoser(daemon.DiagnoserOptions{
		Emit: func(incident oomdoc.Incident) {
			if incident.Outcome == oomdoc.OutcomeKilled {
				ids[incident.ID] = true
			}
		},
	})
	decoder := record.NewDecoder(bytes.NewReader(data), record.Options{})
	var rec oomdoc.Record
	for {
		err := decoder.Next(&rec)
		if errors.Is(err, io.EOF) {
			diagnoser.Flush()
			return len(ids), lines, nil
		} else if err != nil {
			return 0, 0, fmt.Errorf("decode stream: %w", err)
		}
		lines++
		diagnoser.Feed(&rec)
	}
}
