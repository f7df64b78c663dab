package proc_test

import (
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

func TestContainersOfEveryRuntimeAndDriver(t *testing.T) {
	container := func(runtime string, o oomdoc.Owner) oomdoc.Owner {
		o.Kind, o.Name, o.Container, o.Runtime = oomdoc.OwnerContainer, short, id, runtime
		return o
	}
	in := func(slice, unit string) oomdoc.Owner { return oomdoc.Owner{Slice: slice, Unit: unit} }
	rootless := oomdoc.Owner{Slice: "user-1000.slice", Unit: "user@1000.service", UID: new(1000)}
	scope := func(o oomdoc.Owner, unit string) oomdoc.Owner { o.UserUnit = unit; return o }
	const manager = "/user.slice/user-1000.slice/user@1000.service"
	checkOwners(t, map[string]oomdoc.Owner{
		"/docker/" + id: container("docker", oomdoc.Owner{}),
		"/docker/" + id + "/system.slice/nginx.service":    container("docker", oomdoc.Owner{}), // systemd inside
		"/system.slice/docker-" + id + ".scope":            container("docker", in("system.slice", "docker-"+id+".scope")),
		"/gpu.slice/docker-" + id + ".scope/init.scope":    container("docker", in("gpu.slice", "docker-"+id+".scope")),
		"/system.slice:docker:" + id:                       container("docker", oomdoc.Owner{}),
		"/actions_job/" + id:                               container("docker", oomdoc.Owner{}),
		"/my-parent/" + id:                                 container("", oomdoc.Owner{}),
		"/" + id:                                           container("", oomdoc.Owner{}),
		"/../docker-" + id + ".scope":                      container("docker", oomdoc.Owner{}),
		"/machine.slice/libpod-" + id + ".scope":           container("podman", in("machine.slice", "libpod-"+id+".scope")),
		"/machine.slice/libpod-" + id + ".scope/container": container("podman", in("machine.slice", "libpod-"+id+".scope")),
		"/machine.slice/libpod-conmon-" + id + ".scope":    container("podman", in("machine.slice", "libpod-conmon-"+id+".scope")),
		"/machine.slice/machine-libpod_pod_" + other + ".slice/libpod-" + id + ".scope": container("podman",
			in("machine-libpod_pod_"+other+".slice", "libpod-"+id+".scope")),
		"/libpod_parent/libpod-" + id:                             container("podman", oomdoc.Owner{}),
		"/libpod_parent/" + other + "/libpod-" + id + "/ctr":      container("podman", oomdoc.Owner{}), // in a pod of podman's
		"/system.slice/web.service/libpod-payload-" + id:          container("podman", in("system.slice", "web.service")),
		manager + "/user.slice/libpod-" + id + ".scope/container": container("podman", scope(rootless, "libpod-"+id+".scope")),
		manager + "/app.slice/docker-" + id + ".scope":            container("docker", scope(rootless, "docker-"+id+".scope")),
		"/system.slice/cri-containerd-" + id + ".scope":           container("containerd", in("system.slice", "cri-containerd-"+id+".scope")),
		"/system.slice/nerdctl-" + id + ".scope":                  container("containerd", in("system.slice", "nerdctl-"+id+".scope")),
		"/default/" + id:                                          container("containerd", oomdoc.Owner{}),
		"/k8s.io/" + id:                                           container("containerd", oomdoc.Owner{}),
		"/machine.slice/crio-" + id + ".scope":                    container("cri-o", in("machine.slice", "crio-"+id+".scope")),
		"/machine.slice/crio-conmon-" + id + ".scope":             container("cri-o", in("machine.slice", "crio-conmon-"+id+".scope")),
		"/docker/" + id + "/docker/" + other:                      container("docker", oomdoc.Owner{}), // docker in docker
		"/docker/buildkit/k3v9q2m4n8p1r5t7w0x6y2z4b": {
			Kind: oomdoc.OwnerContainer, Name: "k3v9q2m4n8p1", Container: "k3v9q2m4n8p1r5t7w0x6y2z4b", Runtime: "buildkit"},
	})
}

func TestPodsOfEveryClassDriverAndPrefix(t *testing.T) {
	in := func(o oomdoc.Owner) oomdoc.Owner {
		o.Pod = pod
		o.Kind, o.Name = oomdoc.OwnerPod, pod
		if o.Container != "" {
			o.Kind, o.Name = oomdoc.OwnerContainer, short
		}
		return o
	}
	type owner = oomdoc.Owner
	const cri = "cri-containerd-" + id + ".scope"
	pods := map[string]oomdoc.Owner{
		// Kind runs a kubelet inside of a docker container, others inside of LXC.
		"/docker/" + other + "/kubelet/kubepods/burstable/pod" + pod + "/" + id: in(owner{QoS: "burstable", Container: id}),
		"/docker/" + other + "/kubelet/kubepods/pod" + pod:                      in(owner{QoS: "guaranteed"}),
		"/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-besteffort.slice/kubelet-kubepods-besteffort-pod" + podUnit + ".slice/" + cri: in(owner{
			QoS: "besteffort", Container: id, Runtime: "containerd", Unit: cri, Slice: "kubelet-kubepods-besteffort-pod" + podUnit + ".slice"}),
		"/system.slice/docker-" + other + ".scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod" + podUnit + ".slice/" + cri: in(owner{
			QoS: "guaranteed", Container: id, Runtime: "containerd", Unit: "docker-" + other + ".scope", Slice: "system.slice"}),
		"/lxc/200/kubepods/burstable/pod" + pod + "/" + id:            in(owner{QoS: "burstable", Container: id, Machine: "200"}),
		"/lxc.payload.node1/kubepods/besteffort/pod" + pod + "/" + id: in(owner{QoS: "besteffort", Container: id, Machine: "node1"}),
		// A runtime on cgroupfs under a kubelet on systemd.
		"/system.slice/containerd.service/kubepods-burstable-pod" + podUnit + ".slice:cri-containerd:" + id: in(owner{
			QoS: "burstable", Container: id, Runtime: "containerd", Unit: "containerd.service", Slice: "system.slice"}),
		"/kubepods/burstable/pod" + pod + "/crio-" + id: in(owner{QoS: "burstable", Container: id, Runtime: "cri-o"}),
		// Docker inside of a pod's container: the pod's own is the one that its limit is set for.
		"/kubepods/burstable/pod" + pod + "/" + id + "/docker/" + other: in(owner{QoS: "burstable", Container: id}),
	}
	for qos, level := range map[string]string{"guaranteed": "", "burstable": "burstable", "besteffort": "besteffort"} {
		slash, dash := "", ""
		slice := "/kubepods.slice"
		if level != "" {
			slash, dash = "/"+level, "-"+level
			slice += "/kubepods" + dash + ".slice"
		}
		podSlice := "kubepods" + dash + "-pod" + podUnit + ".slice"
		pods["/kubepods"+slash+"/pod"+pod] = in(owner{QoS: qos})
		pods["/kubepods"+slash+"/pod"+pod+"/"+id] = in(owner{QoS: qos, Container: id})
		pods[slice+"/"+podSlice] = in(owner{QoS: qos, Slice: podSlice})
		pods[slice+"/"+podSlice+"/"+cri] = in(owner{QoS: qos, Container: id, Runtime: "containerd", Unit: cri, Slice: podSlice})
		pods[slice+"/"+podSlice+"/crio-"+id+".scope"] = in(owner{
			QoS: qos, Container: id, Runtime: "cri-o", Unit: "crio-" + id + ".scope", Slice: podSlice})
		pods[slice+"/"+podSlice+"/docker-"+id+".scope"] = in(owner{
			QoS: qos, Container: id, Runtime: "docker", Unit: "docker-" + id + ".scope", Slice: podSlice})
	}
	checkOwners(t, pods)
}

func TestStaticPodHasAHashForUID(t *testing.T) {
	const hash = "0b6d2c1f9e8a7b6c5d4e3f2a1b0c9d8e"
	for _, path := range []string{
		"/kubepods/burstable/pod" + hash + "/" + id,
		"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod" + hash + ".slice/cri-containerd-" + id + ".scope",
	} {
		got := proc.OwnerOf(path)
		if got.Pod != hash || got.Container != id || got.QoS != "burstable" {
			t.Errorf("OwnerOf(%q) = pod %q container %q qos %q, want %q %q burstable", path, got.Pod, got.Container, got.QoS, hash, id)
		}
	}
}
