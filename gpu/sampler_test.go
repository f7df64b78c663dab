package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/gpu"
	"github.com/oomdoc/oomdoc/gpu/nvml"
)

// The test binary is the worker too, as the service's own binary is.
const workerArgument = "nvml-worker"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == workerArgument {
		os.Exit(work(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// work reads the arguments that a sampler adds.
func work(arguments []string) int {
	options := nvml.Options{Sys: os.Getenv("OOMDOC_TEST_SYS"), In: os.Stdin, Out: os.Stdout}
	for i := 0; i < len(arguments); i++ {
		switch arguments[i] {
		case "--library":
			i++
			options.Library = arguments[i]
		case "--sys":
			i++
			options.Sys = arguments[i]
		case "--skip":
			i++
			options.Skip = strings.Split(arguments[i], ",")
		case "--loud":
			options.Loud = true
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := nvml.Work(ctx, options)
	var exit *nvml.Exit
	if errors.As(err, &exit) {
		return exit.Status
	}
	return 0
}

// A standIn is NVIDIA's library as the tests build it, with a script that says how
// the GPUs behave.
type standIn struct {
	t      *testing.T
	folder string
}

func (s *standIn) library() string { return filepath.Join(s.folder, "libnvidia-ml.so.1") }

// newStandIn builds the library; lacking are the functions that it leaves out.
func newStandIn(t *testing.T, script string, lacking ...string) *standIn {
	t.Helper()
	s := &standIn{t, t.TempDir()}
	s.build(lacking...)
	s.play(script)
	return s
}

func (s *standIn) build(lacking ...string) {
	s.t.Helper()
	headers, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/NVIDIA/go-nvml").Output()
	if err != nil {
		s.t.Fatalf("find nvml.h: %v", err)
	}
	arguments := []string{"-O1", "-fPIC", "-shared", "-Wl,-soname,libnvidia-ml.so.1",
		"-I" + strings.TrimSpace(string(headers)) + "/pkg/nvml", "../testdata/fakenvml/fakenvml.c", "-o", s.library(), "-lpthread", "-ldl"}
	for _, name := range lacking {
		arguments = append(arguments, "-DLACK_"+name)
	}
	if output, err := exec.Command("gcc", arguments...).CombinedOutput(); err != nil {
		s.t.Fatalf("build stand-in: %v\n%s", err, output)
	}
}

// play gives the library another script, which it reads at once.
func (s *standIn) play(script string) {
	s.t.Helper()
	path := filepath.Join(s.folder, "script")
	if err := os.WriteFile(path+".new", []byte(script), 0o644); err != nil {
		s.t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		s.t.Fatal(err)
	}
}

// sample runs a sampler over the library until the test ends.
func (s *standIn) sample(change func(*gpu.Options)) *gpu.Sampler {
	s.t.Helper()
	o := gpu.Options{
		Worker: []string{os.Args[0], workerArgument}, Library: s.library(), Root: s.folder,
		RetryFirst: 50 * time.Millisecond, RetryMost: 200 * time.Millisecond, LookEvery: 50 * time.Millisecond,
	}
	if change != nil {
		change(&o)
	}
	sampler := gpu.New(o)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		sampler.Run(ctx)
	}()
	s.t.Cleanup(func() {
		stop()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			s.t.Error("the sampler did not end")
		}
	})
	return sampler
}

// within waits for something to become true.
func within(t *testing.T, limit time.Duration, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for %s", limit, what)
		}
	}
}

const long = 30 * time.Second

// deviceOf finds what is known of a device now.
func deviceOf(s *gpu.Sampler, index int) *oomdoc.GPUFacts {
	for _, d := range s.Facts(time.Now().Add(time.Second)) {
		if d.Index == index && d.Instance == nil {
			return &d
		}
	}
	return nil
}

func lastUsed(d *oomdoc.GPUFacts) int64 {
	if d == nil || len(d.Samples) == 0 {
		return -1
	}
	return d.Samples[len(d.Samples)-1].UsedBytes
}

func processOf(d *oomdoc.GPUFacts, pid int) *oomdoc.GPUProcess {
	if d == nil {
		return nil
	}
	for i := range d.Processes {
		if d.Processes[i].PID == pid {
			return &d.Processes[i]
		}
	}
	return nil
}

const mib = 1 << 20

func TestEveryDeviceAndWhoHoldsItAreKnown(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, `
gpu 0 name="NVIDIA GeForce RTX 4090" uuid=GPU-a bdf=00000000:01:00.0 total=24564 reserved=433
gpu 1 name="NVIDIA H100 80GB HBM3" uuid=GPU-b bdf=00000000:41:00.0 total=81559 reserved=551
mem 0 0 used=20900
mem 0 1 used=70000
proc 0 pid=4242 used=20500 from=0 to=-1 type=C
proc 0 pid=4242 used=20500 from=0 to=-1 type=G
proc 0 pid=1201 used=310 from=0 to=-1 type=G
proc 1 pid=777 used=NA from=0 to=-1 type=C
`)
	sampler := s.sample(nil)
	within(t, long, "both devices", func() bool {
		return lastUsed(deviceOf(sampler, 0)) > 0 && lastUsed(deviceOf(sampler, 1)) > 0
	})
	first, second := deviceOf(sampler, 0), deviceOf(sampler, 1)
	if first.Name != "NVIDIA GeForce RTX 4090" || first.UUID != "GPU-a" || first.Bus != "0000:01:00.0" || first.TotalBytes != 24564*mib {
		t.Errorf("device %+v", first)
	}
	if got := lastUsed(first); got != (20900+433)*mib {
		t.Errorf("used %d, want what programs and the driver hold: %d", got, (20900+433)*mib)
	}
	// A process with two kinds of context stands in two lists, and holds it once.
	if p := processOf(first, 4242); p == nil || p.Bytes == nil || *p.Bytes != 20500*mib {
		t.Errorf("process %+v, want %d", p, 20500*mib)
	}
	if len(first.Processes) != 2 || first.Processes[0].PID != 4242 {
		t.Errorf("processes %+v, want two, the largest first", first.Processes)
	}
	if p := processOf(second, 777); p == nil || p.Bytes != nil {
		t.Errorf("a size that the driver does not tell is %+v, want nil", p)
	}
	if status := sampler.Status(); status.Driver == "" || len(status.Devices) != 2 || status.Reason != "" {
		t.Errorf("status %+v", status)
	}
}

func TestADeviceThatHangsHidesNoOther(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, `
gpu 0 uuid=GPU-a total=24564
gpu 1 uuid=GPU-b bdf=00000000:41:00.0 total=24564
mem 0 0 used=100
mem 0 1 used=200
hang nvmlDeviceGetMemoryInfo_v2 ms=-1 gpu=1 from=1500
`)
	sampler := s.sample(nil)
	within(t, long, "the second device to hang", func() bool {
		for _, d := range sampler.Status().Devices {
			if d.Index == 1 && strings.Contains(d.Fault, "no answer") {
				return true
			}
		}
		return false
	})
	seen := sampler.Status().Devices[0].Last
	within(t, long, "the first device to be sampled on", func() bool {
		return sampler.Status().Devices[0].Last.After(seen.Add(2 * time.Second))
	})
}

// Every call may hang for ever; the sampler must end all the same, and start again
// when the library answers.
func TestALibraryThatHangsIsLeftAndTriedAgain(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"nvmlInit_v2", "nvmlDeviceGetCount_v2", "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetUUID",
		"nvmlDeviceGetMemoryInfo_v2", "nvmlDeviceGetComputeRunningProcesses_v3"} {
		t.Run(call, func(t *testing.T) {
			t.Parallel()
			s := newStandIn(t, fmt.Sprintf("gpu 0 uuid=GPU-a total=24564\nmem 0 0 used=100\nhang %s ms=-1\n", call))
			sampler := s.sample(func(o *gpu.Options) { o.Silence = 3 * time.Second })
			within(t, long, "a worker", func() bool { return sampler.Status().Workers > 0 })
			time.Sleep(2500 * time.Millisecond)
			s.play("gpu 0 uuid=GPU-a total=24564\nmem 0 0 used=100\n")
			sampler.Restart()
			within(t, long, "the device to be sampled", func() bool { return lastUsed(deviceOf(sampler, 0)) > 0 })
		})
	}
}

func TestADeviceWhoseCallCrashesIsLeftOut(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, `
gpu 0 uuid=GPU-a total=24564
gpu 1 uuid=GPU-b bdf=00000000:41:00.0 total=24564
mem 0 0 used=100
crash nvmlDeviceGetMemoryInfo_v2 gpu=1
`)
	sampler := s.sample(nil)
	within(t, long, "the worker to crash until the device is known", func() bool {
		d := deviceOf(sampler, 0)
		return d != nil && sampler.Status().Workers >= 3 && time.Since(sampler.Status().Devices[0].Last) < time.Second
	})
	seen := sampler.Status().Devices[0].Last
	within(t, long, "the other device to be sampled on", func() bool {
		return sampler.Status().Devices[0].Last.After(seen.Add(3 * time.Second))
	})
	workers := sampler.Status().Workers
	time.Sleep(2 * time.Second)
	if now := sampler.Status().Workers; now != workers {
		t.Errorf("workers go on crashing: %d, then %d", workers, now)
	}
}

func TestWhatAnOldLibraryLacksIsDoneWithout(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, "gpu 0 uuid=GPU-a total=24564 reserved=433\nmem 0 0 used=100\nproc 0 pid=7 used=50 from=0 to=-1\n", "MEMORY_V2", "PROCESSES")
	sampler := s.sample(nil)
	within(t, long, "the device", func() bool { return lastUsed(deviceOf(sampler, 0)) > 0 })
	if d := deviceOf(sampler, 0); lastUsed(d) != (100+433)*mib || len(d.Processes) != 0 {
		t.Errorf("device %+v", d)
	}
	if lacking := sampler.Status().Lacking; len(lacking) < 4 {
		t.Errorf("lacking %q", lacking)
	}
}

func TestALibraryThatLacksWhatIsNeededIsNamed(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, "gpu 0 uuid=GPU-a total=24564\n", "COUNT")
	sampler := s.sample(nil)
	within(t, long, "the reason", func() bool { return strings.Contains(sampler.Status().Reason, "refused") })
}

func TestALibraryThatComesLaterIsFound(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, "gpu 0 uuid=GPU-a total=24564\nmem 0 0 used=100\n")
	away := s.library() + ".away"
	if err := os.Rename(s.library(), away); err != nil {
		t.Fatal(err)
	}
	sampler := s.sample(nil)
	time.Sleep(300 * time.Millisecond)
	if workers := sampler.Status().Workers; workers != 0 {
		t.Errorf("%d workers were started where there is no driver", workers)
	}
	if err := os.Rename(away, s.library()); err != nil {
		t.Fatal(err)
	}
	within(t, long, "the device", func() bool { return lastUsed(deviceOf(sampler, 0)) > 0 })
}

// A driver that is upgraded refuses those that have the old library loaded, and
// new ones until its modules are loaded again.
func TestADriverThatIsUpgradedIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	const good = "gpu 0 uuid=GPU-a total=24564\nmem 0 0 used=100\n"
	s := newStandIn(t, good)
	sampler := s.sample(nil)
	within(t, long, "the device", func() bool { return lastUsed(deviceOf(sampler, 0)) > 0 })
	s.play(good + "err * code=18\n")
	within(t, long, "the reason", func() bool { return strings.Contains(sampler.Status().Reason, "another version") })
	s.play("driver 600.10\ngpu 0 uuid=GPU-a total=24564\nmem 0 0 used=300\n")
	within(t, long, "the new driver", func() bool {
		return sampler.Status().Driver == "600.10" && lastUsed(deviceOf(sampler, 0)) == (300+512)*mib
	})
}

func TestALostDeviceIsToldAndTheOthersGoOn(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, `
gpu 0 uuid=GPU-a total=24564
gpu 1 uuid=GPU-b bdf=00000000:41:00.0 total=24564
mem 0 0 used=100
mem 0 1 used=200
err nvmlDeviceGetMemoryInfo_v2 code=15 gpu=1 from=1200
`)
	sampler := s.sample(nil)
	within(t, long, "the loss to be told", func() bool {
		devices := sampler.Status().Devices
		return len(devices) == 2 && strings.Contains(devices[1].Fault, "fallen off the bus")
	})
	seen := sampler.Status().Devices[0].Last
	within(t, long, "the other device", func() bool { return sampler.Status().Devices[0].Last.After(seen.Add(time.Second)) })
	if lastUsed(deviceOf(sampler, 1)) != (200+512)*mib {
		t.Error("what was known of the lost device is gone")
	}
}

func TestAnInstanceOfAPartitionedDeviceHasItsOwnMemory(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, `
gpu 0 uuid=GPU-a total=81559 mig=1
mem 0 0 used=9000
part 0 0 uuid=MIG-x total=9856 used=9000
part 0 3 uuid=MIG-y total=19968 used=0
`)
	sampler := s.sample(nil)
	within(t, long, "both instances", func() bool { return len(sampler.Status().Devices) == 3 })
	within(t, long, "a sample of an instance", func() bool {
		for _, d := range sampler.Facts(time.Now().Add(time.Second)) {
			if d.UUID == "MIG-x" && lastUsed(&d) == 9000*mib && d.TotalBytes == 9856*mib && *d.Instance == 0 {
				return true
			}
		}
		return false
	})
}

func TestADeviceWithoutMemoryOfItsOwnIsUnified(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, "gpu 0 uuid=GPU-a name=GB10 mem=unsupported\nproc 0 pid=9 used=NA from=0 to=-1\n")
	sampler := s.sample(nil)
	within(t, long, "the device", func() bool { d := deviceOf(sampler, 0); return d != nil && d.Unified })
	within(t, long, "its process", func() bool { return processOf(deviceOf(sampler, 0), 9) != nil })
	if d := deviceOf(sampler, 0); len(d.Samples) != 0 {
		t.Errorf("memory that it does not have was sampled: %+v", d.Samples)
	}
}

// The driver's accounting knows the peak of a process that no sample caught.
func TestThePeakOfADeadProcessComesFromAccounting(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, `
gpu 0 uuid=GPU-a total=24564
acctmode 0 1
mem 0 0 used=600
proc 0 pid=4242 used=500 from=0 to=3000 type=C
acct 0 pid=4242 max=23120 from=0 to=3000
`)
	sampler := s.sample(nil)
	within(t, long, "the peak", func() bool {
		p := processOf(deviceOf(sampler, 0), 4242)
		return p != nil && p.Gone && p.PeakBytes != nil && *p.PeakBytes == 23120*mib
	})
}

func TestADeviceThatIsNearlyFullIsSampledTenTimesASecond(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, "gpu 0 uuid=GPU-a total=10000 reserved=0\nmem 0 0 used=9000\ngpu 1 uuid=GPU-b bdf=00000000:41:00.0 total=10000 reserved=0\nmem 0 1 used=1000\n")
	sampler := s.sample(nil)
	within(t, long, "five seconds of it", func() bool {
		d := deviceOf(sampler, 1)
		return d != nil && len(d.Samples) >= 5
	})
	full, rest := len(deviceOf(sampler, 0).Samples), len(deviceOf(sampler, 1).Samples)
	if full < 3*rest {
		t.Errorf("%d samples of a full device, %d of one at rest", full, rest)
	}
}

// What sleeps is not woken: no worker, no call.
func TestADeviceThatSleepsIsNotWoken(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, "gpu 0 uuid=GPU-a bdf=00000000:01:00.0 total=24564\nmem 0 0 used=100\n")
	power := filepath.Join(s.folder, "sys/bus/pci/devices/0000:01:00.0")
	write := func(name, text string) {
		path := filepath.Join(power, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text+"\n"), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	write("class", "0x030000")
	write("vendor", "0x10de")
	write("power/control", "auto")
	write("power/runtime_status", "suspended")
	trace := filepath.Join(s.folder, "trace")
	if err := os.WriteFile(trace, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	sampler := s.sample(func(o *gpu.Options) { o.IdleAfter = 2 * time.Second })
	within(t, long, "the sleep to be told", func() bool { return sampler.Status().Sleeping })
	time.Sleep(1500 * time.Millisecond)
	if calls, err := os.ReadFile(trace); err != nil || len(calls) != 0 {
		t.Fatalf("it was asked while it slept: %v %s", err, calls)
	}
	write("power/runtime_status", "active")
	within(t, long, "the device once somebody uses it", func() bool { return lastUsed(deviceOf(sampler, 0)) > 0 })
	// Nobody holds memory: it is let go, so that the kernel may power it down.
	within(t, long, "the device to be let go", func() bool { return sampler.Status().Sleeping })
	write("power/runtime_status", "suspended")
}

func TestTheDriverIsLetGoWhenAskedFor(t *testing.T) {
	s := newStandIn(t, "gpu 0 uuid=GPU-a total=24564\nmem 0 0 used=100\n")
	sampler := s.sample(nil)
	within(t, long, "the device", func() bool { return lastUsed(deviceOf(sampler, 0)) > 0 })
	sampler.Release(true)
	within(t, long, "no worker", func() bool { return workersOf(t) == 0 })
	sampler.Release(false)
	within(t, long, "a worker again", func() bool { return workersOf(t) == 1 })
}

// workersOf counts this process's children that are workers.
func workersOf(t *testing.T) (n int) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range tasks {
		data, _ := os.ReadFile(path)
		for _, pid := range strings.Fields(string(data)) {
			command, _ := os.ReadFile("/proc/" + pid + "/cmdline")
			if strings.Contains(string(command), workerArgument) {
				n++
			}
		}
	}
	return n
}

// When the service is killed, its worker ends by itself.
func TestAWorkerEndsWithTheService(t *testing.T) {
	t.Parallel()
	s := newStandIn(t, "gpu 0 uuid=GPU-a total=24564\n")
	command := exec.Command(os.Args[0], workerArgument, "--library", s.library())
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	input.Close()
	select {
	case err := <-ended:
		if err != nil {
			t.Errorf("it ended with %v", err)
		}
	case <-time.After(long):
		command.Process.Signal(syscall.SIGKILL)
		t.Error("it did not end")
	}
}
