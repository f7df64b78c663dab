package helper_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc/helper"
)

const id = "8f0c2d4e6a1b3c5d7e9f0a2b4c6d8e0f1a3b5c7d9e1f2a4b6c8d0e2f4a6b8c0d"

// machine makes the files of one container and one pod below a folder.
func machine(t *testing.T) (helper.Roots, string) {
	t.Helper()
	folder := openFolder(t)
	roots := helper.Roots{
		Proc: "/proc", Docker: filepath.Join(folder, "docker"), Containerd: filepath.Join(folder, "containerd"),
		Containers: filepath.Join(folder, "storage"), Logs: filepath.Join(folder, "log"),
	}
	for _, path := range []string{
		"docker/containers/" + id + "/config.v2.json", "docker/containers/" + id + "/" + id + "-json.log",
		"containerd/io.containerd.runtime.v2.task/k8s.io/" + id + "/config.json",
		"containerd/io.containerd.runtime.v2.task/default/" + id + "/config.json",
		"storage/overlay-containers/containers.json", "storage/overlay-containers/volatile-containers.json",
		"log/pods/shop_web_uid/app/0.log",
	} {
		if err := os.MkdirAll(filepath.Join(folder, filepath.Dir(path)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, path), []byte(path), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "log", "containers"), 0o700); err != nil {
		t.Fatal(err)
	}
	linkPodLog(t, roots, filepath.Join(roots.Logs, "pods", "shop_web_uid", "app", "0.log"))
	return roots, folder
}

// linkPodLog lets the kubelet's link to the pod's log lead somewhere.
func linkPodLog(t *testing.T, roots helper.Roots, target string) {
	t.Helper()
	link := filepath.Join(roots.Logs, "containers", "web_shop_app-"+id+".log")
	os.Remove(link)
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
}

// A pod that mounts the folder of logs can put links there; the helper opens
// nothing else for them.
func TestPodLogLeadsNowhereElse(t *testing.T) {
	roots, folder := machine(t)
	container, _ := helper.ParseContainerID(id)
	secret := filepath.Join(folder, "secret")
	pods := filepath.Join(roots.Logs, "pods")
	app := filepath.Join(pods, "shop_web_uid", "app")
	for _, err := range []error{
		os.WriteFile(secret, []byte("secret"), 0o600),
		os.Symlink(secret, filepath.Join(app, "1.log")),
		os.Symlink(folder, filepath.Join(pods, "shop_web_uid", "link")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range []string{
		secret, filepath.Join(app, "1.log"), pods + "/shop_web_uid/link/secret", pods + "/../../secret",
		pods + "/shop_web_uid/app/../../../../secret", "../../secret", app, "0.log", pods,
	} {
		linkPodLog(t, roots, target)
		if file, err := (helper.Local{Roots: roots}).OpenContainer(container, helper.PodLog); err == nil {
			t.Errorf("%s was opened", target)
			file.Close()
		}
	}
	linkPodLog(t, roots, filepath.Join(app, "0.log"))
	file, err := (helper.Local{Roots: roots}).OpenContainer(container, helper.PodLog)
	if err != nil {
		t.Fatalf("the kubelet's own link: %v", err)
	}
	file.Close()
}

func TestEachFileIsTheOneItIsCalled(t *testing.T) {
	roots, folder := machine(t)
	container, ok := helper.ParseContainerID(id)
	if !ok {
		t.Fatal("cannot read the id")
	}
	server := own(t)
	server.Roots = roots
	client := helper.NewClient(serve(t, server))
	defer client.Close()
	type opener interface {
		OpenProcess(int, helper.ProcessFile) (*os.File, error)
		OpenContainer(helper.ContainerID, helper.ContainerFile) (*os.File, error)
		OpenShared(helper.SharedFile) (*os.File, error)
	}
	for name, open := range map[string]opener{"helper": client, "local": helper.Local{Roots: roots}} {
		for file, want := range map[helper.ContainerFile]string{
			helper.DockerConfig: "config.v2.json", helper.DockerLog: id + "-json.log", helper.PodLog: "0.log",
			helper.ContainerdPod: "k8s.io", helper.ContainerdNerd: "default",
		} {
			opened, err := open.OpenContainer(container, file)
			expect(t, name, opened, err, want)
		}
		opened, err := open.OpenShared(helper.ContainersStorage)
		expect(t, name, opened, err, "overlay-containers/containers.json")
		opened, err = open.OpenShared(helper.ContainersVolatile)
		expect(t, name, opened, err, "volatile-containers.json")
		for file, want := range map[helper.SharedFile]string{
			helper.ContainerLogs: "web_shop_app-" + id + ".log", helper.PodLogs: "shop_web_uid",
		} {
			opened, err := open.OpenShared(file)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			names, err := opened.Readdirnames(-1)
			opened.Close()
			if err != nil || len(names) != 1 || names[0] != want {
				t.Errorf("%s: folder holds %q, %v; want %q", name, names, err, want)
			}
		}
		for file, want := range map[helper.ProcessFile]string{
			helper.ProcessMaps: "[stack]", helper.ProcessSmapsRollup: "Rss:", helper.ProcessStat: "(helper.test",
			helper.ProcessStatus: "Name:", helper.ProcessCmdline: "-test.", helper.ProcessCgroup: ":/",
		} {
			opened, err := open.OpenProcess(os.Getpid(), file)
			expect(t, name, opened, err, want)
		}
		for _, no := range []uint16{0, 99, 65535} {
			_, p := open.OpenProcess(1, helper.ProcessFile(no))
			_, c := open.OpenContainer(container, helper.ContainerFile(no))
			_, s := open.OpenShared(helper.SharedFile(no))
			if p == nil || c == nil || s == nil {
				t.Errorf("%s: file number %d is opened (%v, %v, %v)", name, no, p, c, s)
			}
		}
		if _, err := open.OpenProcess(1<<22+1, helper.ProcessMaps); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the file of no process: %v, want %v", name, err, os.ErrNotExist)
		}
	}
	refuseOthers(t, client, container, folder)
}

// refuseOthers puts what is no plain file in a container's place.
func refuseOthers(t *testing.T, client *helper.Client, container helper.ContainerID, folder string) {
	t.Helper()
	path := filepath.Join(folder, "docker/containers", id, "config.v2.json")
	secret := filepath.Join(folder, "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, replace := range map[string]func() error{
		"a link":   func() error { return os.Symlink(secret, path) },
		"a pipe":   func() error { return unix.Mkfifo(path, 0o600) },
		"a folder": func() error { return os.Mkdir(path, 0o700) },
	} {
		if err := errors.Join(os.Remove(path), replace()); err != nil {
			t.Fatal(err)
		}
		if file, err := client.OpenContainer(container, helper.DockerConfig); err == nil {
			file.Close()
			t.Errorf("%s was opened", name)
		}
	}
}

func expect(t *testing.T, name string, file *os.File, err error, want string) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %s: %v", name, want, err)
		return
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil || !strings.Contains(string(text), want) {
		t.Errorf("%s: file holds %.200q, %v; want %q in it", name, text, err, want)
	}
}

func TestContainerIDIsHexadecimalAndWhole(t *testing.T) {
	if got, ok := helper.ParseContainerID(id); !ok || got.String() != id {
		t.Errorf("ParseContainerID(%q) = %v, %v", id, got, ok)
	}
	for _, text := range []string{"", id[:12], id + "0", strings.Repeat("0", 64), "../" + id[3:], id[:63] + "g", id[:60] + "/../"} {
		if got, ok := helper.ParseContainerID(text); ok {
			t.Errorf("ParseContainerID(%q) = %v, want that it is none", text, got)
		}
	}
}
