// Command ask asks the helper for a file, as the daemon does, and prints it. The
// tests of the packages use it: ask process PID FILE, or ask container ID.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/oomdoc/oomdoc/helper"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "ask:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	client := helper.NewClient(helper.DefaultSocket)
	defer func() { _ = client.Close() }() // everything was read
	file, err := open(client, args)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // it was only read
	if _, err := io.Copy(os.Stdout, file); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	return nil
}

func open(client *helper.Client, args []string) (*os.File, error) {
	if len(args) == 2 && args[0] == "container" {
		id, ok := helper.ParseContainerID(args[1])
		if !ok {
			return nil, fmt.Errorf("%q is no container's id", args[1])
		}
		return client.OpenContainer(id, helper.DockerConfig)
	}
	if len(args) == 3 && args[0] == "process" {
		pid, err := strconv.Atoi(args[1])
		if err != nil {
			return nil, fmt.Errorf("read pid: %w", err)
		}
		return client.OpenProcess(pid, processFile(args[2]))
	}
	return nil, errors.New("usage: ask process PID FILE | ask container ID")
}

// processFile is 0, which the helper refuses, for what it does not open.
func processFile(name string) helper.ProcessFile {
	return map[string]helper.ProcessFile{
		"maps": helper.ProcessMaps, "smaps_rollup": helper.ProcessSmapsRollup, "stat": helper.ProcessStat,
		"status": helper.ProcessStatus, "cmdline": helper.ProcessCmdline, "cgroup": helper.ProcessCgroup,
	}[name]
}
