package proc_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

const (
	id      = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d"
	other   = "0f2b3fcdd2578165ea77266cdc7b1ad43e75877b0ac1889ecda30a78cb78bd53"
	short   = "8f0c2d4e6a1b"
	pod     = "3f1c9a52-77aa-4d0e-9b6c-5d2f8e1a0b3c"
	podUnit = "3f1c9a52_77aa_4d0e_9b6c_5d2f8e1a0b3c"
)

// checkOwners compares owners without their Path, which is always the path asked.
func checkOwners(t *testing.T, want map[string]oomdoc.Owner) {
	t.Helper()
	for path, want := range want {
		want.Path = path
		if diff := cmp.Diff(want, proc.OwnerOf(path)); diff != "" {
			t.Errorf("OwnerOf(%q) (-want +got):\n%s", path, diff)
		}
	}
}

func TestUnitIsTheNameThatSystemctlTakes(t *testing.T) {
	unit := func(name, slice string) oomdoc.Owner {
		return oomdoc.Owner{Kind: oomdoc.OwnerUnit, Name: name, Unit: name, Slice: slice}
	}
	checkOwners(t, map[string]oomdoc.Owner{
		"/system.slice/ollama.service":                                            unit("ollama.service", "system.slice"),
		"/system.slice/system-my\\x2dapp.slice/my\\x2dapp@blue\\x2dgreen.service": unit("my\\x2dapp@blue\\x2dgreen.service", "system-my\\x2dapp.slice"),
		"/app.slice/web.service":                                                  unit("web.service", "app.slice"),
		"/web.service":                                                            unit("web.service", ""),
		"/init.scope":                                                             unit("init.scope", ""),
		"/system.slice/srv-data.mount":                                            unit("srv-data.mount", "system.slice"),
		"/system.slice/dbus.socket":                                               unit("dbus.socket", "system.slice"),
		"/system.slice/dev-sda2.swap":                                             unit("dev-sda2.swap", "system.slice"),
		"/system.slice/getty@tty1.service":                                        unit("getty@tty1.service", "system.slice"),
		"/a.slice/a-b.slice/a-b-c.slice/x.service":                                unit("x.service", "a-b-c.slice"),
		"/system.slice/delegated.service/worker/two":                              unit("delegated.service", "system.slice"),
		"/system.slice/run-u12.scope":                                             unit("run-u12.scope", "system.slice"),
		"/system.slice/_cpu.monitor.service":                                      unit("cpu.monitor.service", "system.slice"),
		"/system.slice/__foo.service":                                             unit("_foo.service", "system.slice"),
		"/system.slice/web.service (deleted)":                                     unit("web.service", "system.slice"),
		"//system.slice//web.service/":                                            unit("web.service", "system.slice"),
		"/system.slice/system-systemd\\x2dcoredump.slice/systemd-coredump@1-2-0.service": unit("systemd-coredump@1-2-0.service", "system-systemd\\x2dcoredump.slice"),
	})
}

func TestUserUnitsSessionsAndAppsAreToldApart(t *testing.T) {
	user := func(o oomdoc.Owner) oomdoc.Owner {
		o.UID, o.Slice = new(1000), "user-1000.slice"
		if o.Unit == "" {
			o.Unit = "user@1000.service"
		}
		return o
	}
	const manager = "/user.slice/user-1000.slice/user@1000.service"
	app := func(unit, id string) oomdoc.Owner {
		return user(oomdoc.Owner{Kind: oomdoc.OwnerApp, Name: id, UserUnit: unit, Application: id})
	}
	checkOwners(t, map[string]oomdoc.Owner{
		manager + "/app.slice/train.service": user(oomdoc.Owner{Kind: oomdoc.OwnerUserUnit, Name: "train.service", UserUnit: "train.service"}),
		manager + "/init.scope":              user(oomdoc.Owner{Kind: oomdoc.OwnerUserUnit, Name: "init.scope", UserUnit: "init.scope"}),
		manager + "/app.slice":               user(oomdoc.Owner{Kind: oomdoc.OwnerUserUnit, Name: "app.slice", UserUnit: "app.slice"}),
		manager + "/train.service":           user(oomdoc.Owner{Kind: oomdoc.OwnerUserUnit, Name: "train.service", UserUnit: "train.service"}),
		manager:                              user(oomdoc.Owner{Kind: oomdoc.OwnerUnit, Name: "user@1000.service"}),
		"/user.slice/user-1000.slice/session-3.scope": user(oomdoc.Owner{
			Kind: oomdoc.OwnerSession, Name: "3", Unit: "session-3.scope", Session: "3"}),
		"/user.slice/user-1000.slice/session-c12.scope/x": user(oomdoc.Owner{
			Kind: oomdoc.OwnerSession, Name: "c12", Unit: "session-c12.scope", Session: "c12"}),
		"/user.slice/user-1000.slice": {Kind: oomdoc.OwnerSlice, Name: "user-1000.slice", Slice: "user-1000.slice", UID: new(1000)},
		"/user.slice":                 {Kind: oomdoc.OwnerSlice, Name: "user.slice", Slice: "user.slice"},

		manager + "/app.slice/app-gnome-firefox-1234.scope":           app("app-gnome-firefox-1234.scope", "firefox"),
		manager + "/app.slice/app-gnome-google\\x2dchrome-77.scope":   app("app-gnome-google\\x2dchrome-77.scope", "google-chrome"),
		manager + "/app.slice/app-flatpak-org.foo.Bar-123.scope":      app("app-flatpak-org.foo.Bar-123.scope", "org.foo.Bar"),
		manager + "/app.slice/app-org.kde.konsole-a1b2.scope":         app("app-org.kde.konsole-a1b2.scope", "org.kde.konsole"),
		manager + "/app.slice/app-org.kde.konsole@d0e1f2.service":     app("app-org.kde.konsole@d0e1f2.service", "org.kde.konsole"),
		manager + "/app.slice/app-gnome-lmstudio@autostart.service":   app("app-gnome-lmstudio@autostart.service", "lmstudio"),
		manager + "/app.slice/snap.firefox.firefox-" + pod + ".scope": app("snap.firefox.firefox-"+pod+".scope", "firefox"),
		manager + "/app.slice/snap.firefox.firefox." + pod + ".scope": app("snap.firefox.firefox."+pod+".scope", "firefox"),
		manager + "/app.slice/snap.multipass.gui-" + pod + ".scope":   app("snap.multipass.gui-"+pod+".scope", "multipass.gui"),
		manager + "/app.slice/app-org.gnome.Terminal.slice/vte-spawn-" + pod + ".scope": user(oomdoc.Owner{
			Kind: oomdoc.OwnerUserUnit, Name: "vte-spawn-" + pod + ".scope", UserUnit: "vte-spawn-" + pod + ".scope"}),
	})
}

func TestMachinesAndJobs(t *testing.T) {
	lxc := func(name string) oomdoc.Owner {
		return oomdoc.Owner{Kind: oomdoc.OwnerLXC, Name: name, Machine: name, Runtime: "lxc"}
	}
	vm := func(unit, name string) oomdoc.Owner {
		o := oomdoc.Owner{Kind: oomdoc.OwnerVM, Name: name, Machine: name, Runtime: "libvirt", Unit: unit}
		if unit != "" {
			o.Slice = "machine.slice"
		}
		return o
	}
	checkOwners(t, map[string]oomdoc.Owner{
		"/lxc/web":                                  lxc("web"),
		"/lxc/101/ns/system.slice/nginx.service":    lxc("101"), // Proxmox: not the host's nginx
		"/lxc.payload.web/system.slice/ssh.service": lxc("web"),
		"/lxc.payload.web.service/init.scope":       lxc("web.service"),
		"/lxc.monitor.web":                          lxc("web"),
		"/lxc.monitor/101":                          lxc("101"),
		"/lxc/web/docker/" + id:                     {Kind: oomdoc.OwnerContainer, Name: short, Container: id, Runtime: "docker", Machine: "web"},

		`/machine.slice/machine-qemu\x2d1\x2dvm.scope`:                         vm(`machine-qemu\x2d1\x2dvm.scope`, "vm"),
		`/machine.slice/machine-qemu\x2d12\x2dmy\x2dvm.scope/libvirt/emulator`: vm(`machine-qemu\x2d12\x2dmy\x2dvm.scope`, "my-vm"),
		`/machine.slice/machine-qemu\x2dold.scope`:                             vm(`machine-qemu\x2dold.scope`, "old"),
		"/machine/qemu-1-vm.libvirt-qemu":                                      vm("", "vm"),
		"/machine/vm.libvirt-qemu/emulator":                                    vm("", "vm"),

		"/machine.slice/machine-debian.scope/payload/system.slice/x.service": {Kind: oomdoc.OwnerUnit, Name: "machine-debian.scope",
			Unit: "machine-debian.scope", Slice: "machine.slice", Machine: "debian", Runtime: "systemd-nspawn"},
		"/machine.slice/systemd-nspawn@debian.service/payload": {Kind: oomdoc.OwnerUnit, Name: "systemd-nspawn@debian.service",
			Unit: "systemd-nspawn@debian.service", Slice: "machine.slice", Machine: "debian", Runtime: "systemd-nspawn"},

		"/slurm/uid_1000/job_42/step_0/task_0": {Kind: oomdoc.OwnerSlurm, Name: "42", UID: new(1000), SlurmJob: "42", SlurmStep: "0"},
		"/slurm_node7/uid_0/job_42/step_batch": {Kind: oomdoc.OwnerSlurm, Name: "42", UID: new(0), SlurmJob: "42", SlurmStep: "batch"},
		"/slurm/uid_1000/job_42":               {Kind: oomdoc.OwnerSlurm, Name: "42", UID: new(1000), SlurmJob: "42"},
		"/slurm/uid_1000":                      {Kind: oomdoc.OwnerCgroup, Name: "/slurm/uid_1000", UID: new(1000)},
		"/system.slice/slurmstepd.scope/job_42/step_0/user/task_0": {Kind: oomdoc.OwnerSlurm, Name: "42",
			Unit: "slurmstepd.scope", Slice: "system.slice", SlurmJob: "42", SlurmStep: "0"},
		"/system.slice/node7_slurmstepd.scope/job_42/step_extern/user/task_special": {Kind: oomdoc.OwnerSlurm, Name: "42",
			Unit: "node7_slurmstepd.scope", Slice: "system.slice", SlurmJob: "42", SlurmStep: "extern"},
	})
}

func TestPathsOfNobodyKnown(t *testing.T) {
	plain := func(name string) oomdoc.Owner { return oomdoc.Owner{Kind: oomdoc.OwnerCgroup, Name: name} }
	checkOwners(t, map[string]oomdoc.Owner{
		"/":                                {Kind: oomdoc.OwnerHost, Name: "/"},
		"//":                               {Kind: oomdoc.OwnerHost, Name: "/"},
		"":                                 plain("?"),
		"/kc-storm":                        plain("/kc-storm"),
		"/kubepods/burstable":              plain("/kubepods/burstable"),
		"/..":                              plain("/.."),
		"/../x":                            plain("/../x"),
		"/../../system.slice/sshd.service": plain("/../../system.slice/sshd.service"), // whose system is not known
		"/system.slice/helper":             {Kind: oomdoc.OwnerCgroup, Name: "/system.slice/helper", Slice: "system.slice"},
		"/kubepods.slice":                  {Kind: oomdoc.OwnerSlice, Name: "kubepods.slice", Slice: "kubepods.slice"},
	})
}

func TestNamesMadeBelowADelegatedUnitNameNoSystemUnit(t *testing.T) {
	const manager = "/user.slice/user-1000.slice/user@1000.service"
	tests := map[string]struct{ unit, userUnit string }{
		manager + "/evil.slice/sshd.service":                         {"user@1000.service", "sshd.service"},
		manager + "/x.service/system.slice/sshd.service":             {"user@1000.service", "x.service"},
		manager + "/x/system.slice/sshd.service":                     {"user@1000.service", ""},
		manager + "/user@0.service/sshd.service":                     {"user@1000.service", "user@0.service"},
		manager + "/session-1.scope":                                 {"user@1000.service", "session-1.scope"},
		manager + "/machine.slice/systemd-nspawn@x.service":          {"user@1000.service", "systemd-nspawn@x.service"},
		"/docker/" + id + "/sshd.service":                            {"", ""},
		"/docker/" + id + "/system.slice/sshd.service":               {"", ""},
		"/kubepods/burstable/pod" + pod + "/" + id + "/sshd.service": {"", ""},
		"/lxc/web/sshd.service":                                      {"", ""},
		"/system.slice/a.service/b.service":                          {"a.service", ""},
		"/user.slice/user-1000.slice/session-3.scope/sshd.service":   {"session-3.scope", ""},
		"/job,with, commas\n/sshd.service":                           {"", ""},
		"/a b.service":                                               {"", ""},
		"/a\nb.service":                                              {"", ""},
		"/" + strings.Repeat("x", 300) + ".service":                  {"", ""},
		"/.service":               {"", ""},
		"/@.service":              {"", ""},
		"/foo@.service":           {"", ""},
		"/a@b.slice/sshd.service": {"", ""},
	}
	for path, want := range tests {
		got := proc.OwnerOf(path)
		if got.Unit != want.unit || got.UserUnit != want.userUnit {
			t.Errorf("OwnerOf(%q) = unit %q, user unit %q, want %q, %q", path, got.Unit, got.UserUnit, want.unit, want.userUnit)
		}
		if got.Session != "" && !strings.Contains(path, "1000.slice/session-3.scope") {
			t.Errorf("OwnerOf(%q) = session %q, want none", path, got.Session)
		}
		if got.Kind == oomdoc.OwnerUnit && got.Name != want.unit {
			t.Errorf("OwnerOf(%q) is named %q, want %q", path, got.Name, want.unit)
		}
	}
}

func TestUserIsOnlyOneThatSystemdNames(t *testing.T) {
	tests := map[string]int{ // -1: none
		"/user.slice/user-1000.slice/session-3.scope":     1000,
		"/user.slice/user-0.slice/user@0.service/x.scope": 0,
		"/user.slice/user-01000.slice/session-3.scope":    -1,
		"/user.slice/user-4294967295.slice":               -1,
		"/user.slice/user-65535.slice":                    -1,
		"/user.slice/user--1.slice":                       -1,
		"/user.slice/user-99999999999999999999.slice":     -1,
		"/system.slice/user-1000.slice/x.service":         -1,
		"/docker/" + id + "/user.slice/user-1000.slice":   -1,
	}
	for path, want := range tests {
		got := -1
		if uid := proc.OwnerOf(path).UID; uid != nil {
			got = *uid
		}
		if got != want {
			t.Errorf("OwnerOf(%q) has uid %d, want %d", path, got, want)
		}
	}
}

func hasControl(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func FuzzOwnerOf(f *testing.F) {
	for _, seed := range []string{
		"", "/", "/..", "/system.slice/a@b.service", "/docker/" + id, "/kubepods/pod" + pod + "/" + id,
		"/kubepods-pod_.slice", "/lxc.payload./x", `/machine.slice/machine-qemu\x2d\x2d.scope`, `/machine-qemu\x2d\xzz.scope`,
		"/user.slice/user-1.slice/user@1.service/snap..scope", "/user.slice/user-1.slice/user@1.service/app--.scope",
		"/x.slice:a:b", "/slurm/job_", "/slurm/uid_/job_1/step_", "/_.service", "/__.slice/_.scope",
		"/user.slice/user-1000.slice/user@1000.service/slurm/uid_0/job_1", "/user/1000.user/2.session", "/system/a@.service/a@b.service",
		`/user.slice/user-1000.slice/user@1000.service/app-x-\x1b-1.scope`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, path string) {
		got := proc.OwnerOf(path)
		if got.Name == "" || got.Kind == "" || got.Path != path {
			t.Errorf("OwnerOf(%q) = kind %q, name %q, path %q", path, got.Kind, got.Name, got.Path)
		}
		for _, name := range []string{got.Unit, got.UserUnit, got.Slice, got.Container, got.Pod, got.Session} {
			if strings.ContainsAny(name, "/ \n\x1b") {
				t.Errorf("OwnerOf(%q) has the name %q", path, name)
			}
		}
		for _, name := range []string{got.Name, got.Machine, got.Application} {
			if hasControl(name) && !hasControl(path) {
				t.Errorf("OwnerOf(%q) has the name %q", path, name)
			}
		}
		if rest, is := strings.CutPrefix(path, "/user.slice/user-1000.slice/user@1000.service/"); is && !slices.Contains(strings.Split(rest, "/"), "..") {
			if got.Unit != "user@1000.service" || got.UID == nil || *got.UID != 1000 || got.Session != "" {
				t.Errorf("OwnerOf(%q) = unit %q uid %v session %q, want those of the user's manager", path, got.Unit, got.UID, got.Session)
			}
		}
		if got.Container != "" && !strings.Contains(path, got.Container) {
			t.Errorf("OwnerOf(%q) has the container %q", path, got.Container)
		}
	})
}
