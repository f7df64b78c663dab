// Command vm boots virtual machines and proves oomdoc in them: real kernels,
// real systemd, real kills. README.md beside it says how to write a scenario.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const usage = `usage: vm [-jobs N] [-keep] [MACHINE[:SCENARIO[,SCENARIO...]]...]

Boots the machines of packaging/vm/machines (all, or those named) and runs their scenarios.
`

func main() {
	var o options
	flag.IntVar(&o.jobs, "jobs", 2, "how many machines run at the same time")
	flag.Float64Var(&o.patience, "patience", 3, "by how much to stretch the scenarios' deadlines: 1 is for a machine with nothing else to do")
	flag.BoolVar(&o.keep, "keep", false, "keep the disks and console logs of this run")
	flag.StringVar(&o.binary, "binary", "bin/oomdoc", "the binary for machines without a package")
	flag.StringVar(&o.packages, "packages", "dist/oomdoc_*_amd64.deb", "the packages to install, a pattern")
	flag.Usage = func() { fmt.Fprint(flag.CommandLine.Output(), usage); flag.PrintDefaults() }
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, o, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "vm:", err)
		stop()
		os.Exit(1)
	}
}

type options struct {
	jobs     int
	patience float64
	keep     bool
	binary   string
	packages string
}

var errFailed = errors.New("not every scenario passed")

func run(ctx context.Context, o options, wanted []string) error {
	machines, err := loadMachines("packaging/vm/machines", "packaging/vm/scenarios", wanted)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "oomdoc-vm-")
	if err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	if o.keep {
		fmt.Println("disks and console logs:", folder)
	} else {
		defer func() { _ = os.RemoveAll(folder) }() // it lies where the system cleans up too
	}
	images, err := makeImages(ctx, machines)
	if err != nil {
		return err
	}
	payload := filepath.Join(folder, "payload.ext4")
	if err := makePayload(ctx, payload, o); err != nil {
		return err
	}
	printer := &printer{out: os.Stdout, start: time.Now()}
	runAll(ctx, machines, o.jobs, func(m machine) {
		b := &bench{
			machine: m, image: images[m.image], payload: payload, folder: filepath.Join(folder, m.name),
			printer: printer, patience: o.patience,
		}
		if err := b.run(ctx); err != nil {
			printer.failure(m.name, err.Error())
		}
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if !printer.summary() {
		return errFailed
	}
	return nil
}

// runAll runs what takes longest first, so that no processor waits at the end.
func runAll(ctx context.Context, machines []machine, jobs int, run func(machine)) {
	machines = slices.Clone(machines)
	slices.SortStableFunc(machines, func(a, b machine) int { return int(b.longest() - a.longest()) })
	queue := make(chan machine, len(machines))
	for _, m := range machines {
		queue <- m
	}
	close(queue)
	var workers sync.WaitGroup
	for range max(jobs, 1) {
		workers.Go(func() {
			for m := range queue {
				if ctx.Err() == nil {
					run(m)
				}
			}
		})
	}
	workers.Wait()
}

func makeImages(ctx context.Context, machines []machine) (map[string]string, error) {
	images := make(map[string]string)
	for _, m := range machines {
		if images[m.image] != "" {
			continue
		}
		fmt.Println("image", m.image)
		output, err := command(ctx, "packaging/vm/make-image", m.image).Output()
		if err != nil {
			return nil, fmt.Errorf("make image %s: %w", m.image, err)
		}
		images[m.image] = strings.TrimSpace(string(output))
	}
	return images, nil
}
