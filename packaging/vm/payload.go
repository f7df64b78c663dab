package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// command runs a tool of the host whose complaints the user sees.
func command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Stderr = os.Stderr
	return c
}

// makePayload packs what changes from run to run into a small disk: the
// binary, the packages, the scenarios and their tools.
func makePayload(ctx context.Context, disk string, o options) error {
	tree := disk + ".tree"
	if err := os.MkdirAll(filepath.Join(tree, "scenarios"), 0o755); err != nil {
		return fmt.Errorf("make payload: %w", err)
	}
	defer func() { _ = os.RemoveAll(tree) }() // it lies in the folder of the run
	sources := map[string]string{o.binary: "oomdoc", "README.md": "README.md"}
	for pattern, folder := range map[string]string{
		o.packages:                     ".",
		"packaging/vm/scenarios/*.sh":  "scenarios",
		"packaging/vm/guest/agent":     ".",
		"packaging/vm/guest/*.sh":      ".",
		"packaging/vm/guest/*.service": ".",
	} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			return fmt.Errorf("find %s: %w", pattern, err)
		}
		for _, path := range paths {
			sources[path] = filepath.Join(folder, filepath.Base(path))
		}
	}
	for from, to := range sources {
		if err := copyFile(from, filepath.Join(tree, to)); err != nil {
			return fmt.Errorf("make payload: %w", err)
		}
	}
	if err := command(ctx, "gcc", "-O1", "-Wall", "-static", "-o", filepath.Join(tree, "hog"), "packaging/vm/guest/hog.c").Run(); err != nil {
		return fmt.Errorf("build hog: %w", err)
	}
	build := command(ctx, "go", "build", "-o", filepath.Join(tree, "ask"), "./packaging/test/ask")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := build.Run(); err != nil {
		return fmt.Errorf("build ask: %w", err)
	}
	if err := command(ctx, "mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-d", tree, disk, "128M").Run(); err != nil {
		return fmt.Errorf("make payload: %w", err)
	}
	return nil
}

// copyFile keeps what may be executed executable.
func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // it was only read
	info, err := source.Stat()
	if err != nil {
		return err
	}
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, info.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := io.Copy(target, source); err != nil {
		return errors.Join(err, target.Close())
	}
	return target.Close()
}
