package proc_test

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

const nobody = 65534

// asNobody runs something in a thread that is no longer root's, and ends the thread.
func asNobody(t *testing.T, do func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Fatal("this test takes another user: run it as root")
	}
	done := make(chan error)
	var run func()
	run = func() {
		runtime.LockOSThread() // and never unlocked: no other goroutine gets the thread
		if unix.Gettid() == os.Getpid() {
			go run() // the first thread stands for the process, and must stay root's
			runtime.UnlockOSThread()
			return
		}
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, nobody, nobody, nobody); errno != 0 {
			done <- errno
			return
		}
		do()
		done <- nil
	}
	go run()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// A daemon that is not root asks the helper for what another user's process has
// mapped, and others for its variables.
func TestAnotherUsersProcessIsKnownAsFarAsOthersTell(t *testing.T) {
	folder := t.TempDir()
	newFile(t, folder+"/mapped.gguf", 3<<20)
	command := exec.Command("python3", "-c", "import mmap,sys\na=open('mapped.gguf','rb')\nm=mmap.mmap(a.fileno(),0,prot=mmap.PROT_READ)\nprint('ready',flush=True)\nsys.stdin.read()\n")
	command.Dir = folder
	command.Env = []string{"PATH=" + os.Getenv("PATH"), "OMP_NUM_THREADS=3"}
	gate, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { gate.Close(); command.Wait() }()
	if _, err := out.Read(make([]byte, 6)); err != nil {
		t.Fatal(err)
	}
	pid := command.Process.Pid
	know := func(o proc.TableOptions) (facts oomdoc.ProcessFacts, closed int) {
		asNobody(t, func() {
			table := proc.NewTable(o)
			defer table.Close()
			table.Watch([]int{pid})
			if err := table.Refresh(); err != nil {
				t.Error(err)
			}
			facts, _ = table.Lookup(pid, "")
			closed = table.Closed()
		})
		return facts, closed
	}
	alone, closed := know(proc.TableOptions{})
	if len(alone.Models) != 0 || alone.Env != nil || alone.Exe != "" || alone.Engine != "python" || len(alone.Cmdline) != 3 || closed == 0 {
		t.Errorf("without help it is known as %+v, %d closed", alone, closed)
	}
	asked := make(chan int)
	opened := make(chan *os.File)
	go func() { // root's part
		for pid := range asked {
			file, err := os.Open("/proc/" + strconv.Itoa(pid) + "/maps")
			if err != nil {
				file = nil // gone meanwhile, or closed to root too
			}
			opened <- file
		}
	}()
	defer close(asked)
	helped, _ := know(proc.TableOptions{
		Maps: func(pid int) (*os.File, error) {
			asked <- pid
			if file := <-opened; file != nil {
				return file, nil
			}
			return nil, os.ErrPermission
		},
		Environment: func(string) ([]string, bool) { return []string{"OMP_NUM_THREADS=4"}, true },
	})
	if len(helped.Models) != 1 || helped.Models[0].Path != folder+"/mapped.gguf" || !strings.Contains(helped.Exe, "python3") || len(helped.Env) != 1 {
		t.Errorf("with help it is known as %+v", helped)
	}
}

func TestTheEnvironmentOfAContainerIsReadFromItsConfiguration(t *testing.T) {
	docker := `{"Name":"/llm","Config":{"Image":"x","Env":["PATH=/bin","HF_TOKEN=hf_secret","OLLAMA_NUM_PARALLEL=4"]}}`
	oci := `{"process":{"env":["VLLM_USE_V1=1","AWS_SECRET_ACCESS_KEY=secret","HF_HOME=/models"]}}`
	if got, err := proc.DockerEnvironment(strings.NewReader(docker)); err != nil || strings.Join(got, " ") != "OLLAMA_NUM_PARALLEL=4" {
		t.Errorf("docker's is %q, %v", got, err)
	}
	if got, err := proc.OCIEnvironment(strings.NewReader(oci)); err != nil || strings.Join(got, " ") != "VLLM_USE_V1=1 HF_HOME=/models" {
		t.Errorf("a bundle's is %q, %v", got, err)
	}
	for _, broken := range []string{"", "[]", `{"Config":{"Env":"x"}}`, `{"Config":7}`, strings.Repeat("[", 100_000)} {
		if got, _ := proc.DockerEnvironment(strings.NewReader(broken)); len(got) != 0 {
			t.Errorf("%.20q gives %q", broken, got)
		}
	}
}
