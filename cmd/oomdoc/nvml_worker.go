package main

import (
	"errors"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/gpu/nvml"
)

const nvmlWorkerName = daemon.GPUWorkerCommand

// nvmlWorkerCommand is the process in which NVIDIA's library lives. The daemon
// starts it and reads what it writes.
func (a *app) nvmlWorkerCommand() *cobra.Command {
	options := nvml.Options{Sys: "/sys"}
	c := &cobra.Command{
		Use:    nvmlWorkerName,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			debug.SetMemoryLimit(nvmlWorkerMemory)
			options.In, options.Out = os.Stdin, os.Stdout
			err := nvml.Work(c.Context(), options)
			var exit *nvml.Exit
			if errors.As(err, &exit) {
				os.Exit(exit.Status) // the daemon reads the status; there may be calls that never return
			}
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&options.Library, "library", "", "NVIDIA's management library")
	flags.StringVar(&options.Sys, "sys", options.Sys, "where sysfs is")
	flags.StringSliceVar(&options.Skip, "skip", nil, "PCI addresses of GPUs that are not to be asked for now")
	flags.BoolVar(&options.Loud, "loud", false, "ask one GPU at a time and say which")
	return c
}

// nvmlWorkerMemory is what the worker's own heap is kept within.
const nvmlWorkerMemory = 8 << 20
