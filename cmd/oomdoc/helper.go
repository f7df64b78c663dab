package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"

	"github.com/coreos/go-systemd/v22/activation"
	"github.com/spf13/cobra"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/helper"
)

func (a *app) helperCommand() *cobra.Command {
	roots := helper.DefaultRoots()
	c := &cobra.Command{
		Use:     "helper",
		Example: "  sudo systemctl enable --now oomdoc-helper.socket",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if os.Geteuid() != 0 {
				return &oomdoc.Error{Code: oomdoc.CodeNotPermitted, Op: "start helper", Err: os.ErrPermission, Hint: "sudo systemctl start oomdoc-helper.socket"}
			}
			listener, err := helperListener()
			if err != nil {
				return err
			}
			stop := make(chan struct{})
			defer close(stop)
			go func() {
				select {
				case <-c.Context().Done():
				case <-stop:
				}
				_ = listener.Close() // ends Serve
			}()
			uid, err := ownerOf(listener)
			if err != nil {
				return err
			}
			server := &helper.Server{UID: uid, Roots: roots, Journal: helper.JournalSocket, Refused: func(uid uint32) {
				fmt.Fprintf(a.Err, "oomdoc: helper: turned away uid %d\n", uid)
			}}
			err = server.Serve(listener)
			if c.Context().Err() != nil && errors.Is(err, net.ErrClosed) {
				return nil
			}
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&roots.Docker, "docker-root", roots.Docker, "")
	flags.StringVar(&roots.Containerd, "containerd-state", roots.Containerd, "")
	flags.StringVar(&roots.Containers, "containers-root", roots.Containers, "")
	return c
}

// helperListener is the socket that systemd passes (sd_listen_fds(3)).
func helperListener() (*net.UnixListener, error) {
	passed, err := activation.Listeners()
	if err != nil {
		return nil, fmt.Errorf("take socket from systemd: %w", err)
	}
	if len(passed) == 1 {
		if listener, ok := passed[0].(*net.UnixListener); ok && listener.Addr().Network() == "unixpacket" {
			return listener, nil
		}
	}
	return nil, &oomdoc.Error{Op: "start helper", Err: errors.New("systemd passed no ListenSequentialPacket= socket"),
		Hint: "sudo systemctl enable --now oomdoc-helper.socket"}
}

// ownerOf is the user whom the socket belongs to: the one to be served.
func ownerOf(listener *net.UnixListener) (uint32, error) {
	info, err := os.Lstat(listener.Addr().String())
	if err != nil {
		return 0, fmt.Errorf("find owner of the socket: %w", err)
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || info.Mode()&os.ModeSocket == 0 {
		return 0, fmt.Errorf("find owner of the socket: %s is no socket", listener.Addr())
	}
	return stat.Uid, nil
}
