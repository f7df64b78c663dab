package main

import (
	"bufio"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
)

const (
	hogName = "selftest-hog"
	hogGo   = "go\n"
	// hogLimit ends the hog by itself where the cgroup's limit does not hold:
	// it must never exhaust the host.
	hogLimit = 4 * selftestLimit
	hogStep  = 1 << 20
)

// hogCommand is the process that the self-test lets the kernel kill.
func (a *app) hogCommand() *cobra.Command {
	return &cobra.Command{
		Use:    hogName,
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if line, err := bufio.NewReader(a.In).ReadString('\n'); err != nil || line != hogGo {
				return &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "run " + hogName, Err: os.ErrInvalid, Hint: "oomdoc selftest"}
			}
			for eaten := 0; eaten < hogLimit; eaten += hogStep {
				block, err := unix.Mmap(-1, 0, hogStep, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
				if err != nil {
					return fmt.Errorf("map memory: %w", err)
				}
				for i := 0; i < len(block); i += os.Getpagesize() {
					block[i] = 1
				}
			}
			return errQuiet(oomdoc.CodeFailed)
		},
	}
}
