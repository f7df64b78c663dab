package daemon

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/oomdoc/oomdoc/helper"
	"github.com/oomdoc/oomdoc/systemd"
)

// An opener opens the files that name containers.
type opener interface {
	OpenContainer(helper.ContainerID, helper.ContainerFile) (*os.File, error)
	OpenShared(helper.SharedFile) (*os.File, error)
}

// A hand is what the daemon does that only root may do: by itself where it is
// root or the file is open to it, else through the helper.
type hand struct {
	local helper.Local
	asked *helper.Client // nil: this process is root and plays both parts
}

func newHand(o Options) *hand {
	roots, names := helper.DefaultRoots(), o.Config.Names
	roots.Docker, roots.Containers, roots.Containerd = names.DockerRoot, names.ContainersRoot, names.ContainerdState
	h := &hand{local: helper.Local{Roots: roots}}
	if os.Geteuid() != 0 {
		h.asked = helper.NewClient(o.Config.Helper.Socket)
	}
	return h
}

// ready tells whether everything can be done.
func (h *hand) ready() error {
	if h.asked == nil {
		return nil
	}
	return h.asked.Ready()
}

func (h *hand) close() error {
	if h.asked == nil {
		return nil
	}
	return h.asked.Close()
}

// openMaps opens the list of what a process of another user has mapped.
func (h *hand) openMaps(pid int) (*os.File, error) {
	if h.asked == nil {
		return nil, os.ErrPermission // root was refused, so would a helper be
	}
	return h.asked.OpenProcess(pid, helper.ProcessMaps)
}

// OpenContainer opens a file of a container.
func (h *hand) OpenContainer(id helper.ContainerID, file helper.ContainerFile) (*os.File, error) {
	opened, err := h.local.OpenContainer(id, file)
	if h.asked != nil && errors.Is(err, os.ErrPermission) {
		return h.asked.OpenContainer(id, file)
	}
	return opened, err
}

// OpenShared opens a file that tells of many containers.
func (h *hand) OpenShared(file helper.SharedFile) (*os.File, error) {
	opened, err := h.local.OpenShared(file)
	if h.asked != nil && errors.Is(err, os.ErrPermission) {
		return h.asked.OpenShared(file)
	}
	return opened, err
}

// sender is the way into the journal: as root through the helper where there is
// one, so that `systemctl status UNIT` shows the alert; else as ourselves.
func (h *hand) sender() systemd.Sender {
	if h.asked == nil {
		return systemd.LibrarySender{}
	}
	return relay{h.asked}
}

// A relay sends alerts through the helper.
type relay struct{ client *helper.Client }

// Ready implements systemd.Sender.
func (r relay) Ready() error { return systemd.LibrarySender{}.Ready() }

// Send implements systemd.Sender. Without a helper the alert goes out all the
// same: it is then found by `journalctl -t oomdoc`, not beside the crash.
func (r relay) Send(m systemd.Message, patience time.Duration) error {
	err := r.client.Send(entryOf(m), patience)
	switch {
	case errors.Is(err, helper.ErrJournalFull):
		return fmt.Errorf("send through the helper: %w", systemd.ErrJournalFull)
	case err != nil:
		return systemd.LibrarySender{}.Send(m, patience)
	}
	return nil
}

// entryOf puts a message into the form that the helper takes. What every entry
// has is not among its fields: the helper says that by itself.
func entryOf(m systemd.Message) helper.Entry {
	entry := helper.Entry{Priority: uint8(m.Priority), MessageID: m.Fields["MESSAGE_ID"]}
	entry.Fields = append(entry.Fields, helper.Field{Name: "MESSAGE", Value: m.Text})
	for _, name := range slices.Sorted(maps.Keys(m.Fields)) {
		switch name {
		case "MESSAGE_ID", "SYSLOG_IDENTIFIER", "DOCUMENTATION":
		default:
			entry.Fields = append(entry.Fields, helper.Field{Name: name, Value: m.Fields[name]})
		}
	}
	return entry
}
