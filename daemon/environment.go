package daemon

import (
	"context"
	"io"
	"os"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc/helper"
	"github.com/oomdoc/oomdoc/proc"
	"github.com/oomdoc/oomdoc/systemd"
)

// busWithin is how long the service manager may take to answer.
const busWithin = 2 * time.Second

// environment gives the variables of a process whose own may not be read, as far as
// those who started it tell them to anybody: the configuration of its container, or
// Environment= of its service. The helper does not open /proc/PID/environ: secrets
// stand there, and what parses the text of strangers must not get at them.
func (h *hand) environment(cgroup string) ([]string, bool) {
	owner := proc.OwnerOf(cgroup)
	if owner.Container != "" {
		return h.containerEnvironment(owner.Container)
	}
	if !strings.HasSuffix(owner.Unit, ".service") || owner.UserUnit != "" {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), busWithin)
	defer cancel()
	variables, err := systemd.UnitEnvironment(ctx, owner.Unit)
	if err != nil {
		return nil, false // no bus, no such unit any more: not known, as before
	}
	return proc.KeptVariables(variables), true
}

func (h *hand) containerEnvironment(text string) ([]string, bool) {
	id, ok := helper.ParseContainerID(text)
	if !ok {
		return nil, false
	}
	for _, source := range []struct {
		file helper.ContainerFile
		read func(io.Reader) ([]string, error)
	}{
		{helper.DockerConfig, proc.DockerEnvironment},
		{helper.ContainerdPod, proc.OCIEnvironment},
		{helper.ContainerdNerd, proc.OCIEnvironment},
	} {
		file, err := h.OpenContainer(id, source.file)
		if err != nil {
			continue // not of this runtime, gone, or closed to us
		}
		variables, err := readAndClose(file, source.read)
		if err == nil {
			return variables, true
		}
	}
	return nil, false
}

func readAndClose(file *os.File, read func(io.Reader) ([]string, error)) ([]string, error) {
	defer func() { _ = file.Close() }() // it was only read
	return read(file)
}
