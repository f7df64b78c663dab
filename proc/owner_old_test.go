package proc_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

// The sessions are as /proc/PID/cgroup of Ubuntu 14.04 has them, the units as
// systemd-cgls of systemd 204 prints them.
func TestTreeOfSystemdBeforeSlices(t *testing.T) {
	session := func(id string) oomdoc.Owner {
		return oomdoc.Owner{Kind: oomdoc.OwnerSession, Name: id, Session: id, UID: new(1000)}
	}
	unit := func(name string) oomdoc.Owner {
		return oomdoc.Owner{Kind: oomdoc.OwnerUnit, Name: name, Unit: name}
	}
	plain := func(name string) oomdoc.Owner { return oomdoc.Owner{Kind: oomdoc.OwnerCgroup, Name: name} }
	checkOwners(t, map[string]oomdoc.Owner{
		"/user/1000.user/c2.session":                     session("c2"),
		"/user/1000.user/4.session/worker":               session("4"),
		"/user/1000.user":                                {Kind: oomdoc.OwnerCgroup, Name: "/user/1000.user", UID: new(1000)},
		"/user/alice/0":                                  plain("/user/alice/0"), // pam_cgfs(8)
		"/user/x.user/4.session":                         plain("/user/x.user/4.session"),
		"/user":                                          plain("/user"),
		"/system/sshd.service":                           unit("sshd.service"),
		"/system/sshd.service/evil.service":              unit("sshd.service"),
		"/system/getty@.service/getty@tty1.service":      unit("getty@tty1.service"),
		"/system/getty@.service/getty@tty1.service/x":    unit("getty@tty1.service"),
		"/system/getty@.service":                         plain("/system/getty@.service"),
		"/system/getty@.service/sshd.service":            plain("/system/getty@.service/sshd.service"),
		"/system/worker/sshd.service":                    plain("/system/worker/sshd.service"),
		"/user/1000.user/4.session/lxc/web/sshd.service": {Kind: oomdoc.OwnerLXC, Name: "web", Machine: "web", Runtime: "lxc", Session: "4", UID: new(1000)},
	})
}
