package proc_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

// A user may make any cgroup below his manager, a service below its delegated
// unit, and a container below its own. Their names prove neither a job nor a
// machine, and least of all another user.
func TestNamesMadeBelowADelegatedUnitProveNoJobMachineOrUser(t *testing.T) {
	type proof struct {
		Kind    oomdoc.OwnerKind
		Machine string
		Job     string
		UID     int // -1: none
	}
	const manager = "/user.slice/user-1000.slice/user@1000.service"
	tests := map[string]proof{
		manager + "/slurm/uid_0/job_42/step_0":                   {oomdoc.OwnerUnit, "", "", 1000},
		manager + "/slurmstepd.scope/job_42":                     {oomdoc.OwnerUserUnit, "", "", 1000},
		manager + "/user/0.user/1.session":                       {oomdoc.OwnerUnit, "", "", 1000},
		manager + `/x.slice/machine-qemu\x2d1\x2dprod.scope`:     {oomdoc.OwnerUserUnit, "", "", 1000},
		manager + "/machine/qemu-1-prod.libvirt-qemu":            {oomdoc.OwnerUnit, "", "", 1000},
		manager + "/machine.slice/machine-prod.scope":            {oomdoc.OwnerUserUnit, "", "", 1000},
		manager + "/machine.slice/systemd-nspawn@prod.service":   {oomdoc.OwnerUserUnit, "", "", 1000},
		manager + "/lxc.payload.mine":                            {oomdoc.OwnerLXC, "mine", "", 1000}, // a user may run LXC
		"/system.slice/a.service/slurmstepd.scope/job_42":        {oomdoc.OwnerUnit, "", "", -1},
		"/system.slice/a.service/slurm/uid_0/job_42":             {oomdoc.OwnerUnit, "", "", -1},
		"/docker/" + id + "/slurm/uid_0/job_42":                  {oomdoc.OwnerContainer, "", "", -1},
		"/docker/" + id + "/machine/qemu-1-prod.libvirt-qemu":    {oomdoc.OwnerContainer, "", "", -1},
		"/docker/" + id + "/lxc/web":                             {oomdoc.OwnerContainer, "", "", -1},
		"/kubepods/burstable/pod" + pod + "/x/lxc.payload.y":     {oomdoc.OwnerPod, "", "", -1},
		"/lxc/web/slurm/uid_0/job_42":                            {oomdoc.OwnerLXC, "web", "", -1},
		"/../slurm/uid_0/job_42":                                 {oomdoc.OwnerCgroup, "", "", -1},
		"/user/1000.user/3.session/slurm/uid_0/job_42":           {oomdoc.OwnerSession, "", "", 1000},
		"/user/1000.user/3.session/machine/q.libvirt-qemu/vcpu0": {oomdoc.OwnerSession, "", "", 1000},
	}
	for path, want := range tests {
		owner := proc.OwnerOf(path)
		got := proof{owner.Kind, owner.Machine, owner.SlurmJob, -1}
		if owner.UID != nil {
			got.UID = *owner.UID
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("OwnerOf(%q) (-want +got):\n%s", path, diff)
		}
	}
}

func TestEscapedControlCharactersStayEscaped(t *testing.T) {
	const manager = "/user.slice/user-1000.slice/user@1000.service/app.slice/"
	tests := map[string]string{
		manager + `app-gnome-a\x1b\x5b31m-7.scope`:          `a\x1b[31m`,
		manager + `app-gnome-a\x0ab@x.service`:              `a\x0ab`,
		manager + `app-gnome-caf\xc3\xa9-7.scope`:           "café",
		`/machine.slice/machine-qemu\x2d1\x2da\x7f.scope`:   `a\x7f`,
		`/machine.slice/machine-qemu\x2d1\x2da\x2db.scope`:  "a-b",
		`/machine.slice/machine-qemu\x2d1\x2da\xg0\x.scope`: `a\xg0\x`,
	}
	for path, want := range tests {
		if got := proc.OwnerOf(path).Name; got != want {
			t.Errorf("OwnerOf(%q) is named %q, want %q", path, got, want)
		}
	}
}
