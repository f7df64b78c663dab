package main

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A bench runs one machine: it boots it, listens, cuts its power when asked,
// and ends it when it is stuck.
type bench struct {
	machine machine
	image   string // the folder of make-image
	payload string
	folder  string
	printer *printer
	// patience stretches deadlines: emulation on a busy host is slow.
	patience float64
}

const bootDeadline = 120 * time.Second

const maxLine = 64 << 10 // of a guest's result

func (b *bench) run(ctx context.Context) error {
	if err := os.MkdirAll(b.folder, 0o755); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	defer func() { _ = os.Remove(b.disk()) }() // the whole folder goes after it
	root, err := filepath.Abs(filepath.Join(b.image, "root.ext4"))
	if err != nil {
		return fmt.Errorf("find root: %w", err)
	}
	// What a guest has not flushed is lost with qemu: its table of blocks is in
	// memory until then, like the cache of a real disk.
	if err := command(ctx, "qemu-img", "create", "-q", "-f", "qcow2", "-b", root, "-F", "raw", b.disk()).Run(); err != nil {
		return fmt.Errorf("make disk: %w", err)
	}
	// The notebook outlives a power cut: the host has it at once.
	if err := os.WriteFile(b.notebook(), make([]byte, 1<<20), 0o600); err != nil {
		return fmt.Errorf("make notebook: %w", err)
	}
	left, stage := b.machine.scenarios, 1
	for len(left) > 0 && ctx.Err() == nil {
		done, cut, err := b.boot(ctx, left, stage)
		if err != nil {
			return err
		}
		left = left[done:]
		stage = 1
		if cut {
			stage = 2
		}
	}
	return nil
}

func (b *bench) patient(d time.Duration) time.Duration { return time.Duration(b.patience * float64(d)) }

func (b *bench) disk() string     { return filepath.Join(b.folder, "root.qcow2") }
func (b *bench) notebook() string { return filepath.Join(b.folder, "notebook.raw") }
func (b *bench) console() string  { return filepath.Join(b.folder, "console.log") }

func (b *bench) arguments(scenarios []scenario, stage int) []string {
	names := make([]string, len(scenarios))
	for i, s := range scenarios {
		names[i] = s.name
	}
	m := b.machine
	kernel := strings.Join([]string{
		"root=/dev/vda rw console=ttyS0 quiet loglevel=3 panic=-1 systemd.show_status=false",
		// Many reports come while the daemon starts slowly; Debian's ring of 128 KiB holds about fifteen.
		"log_buf_len=1M",
		m.append,
		"vm.patience=" + strconv.Itoa(int(math.Ceil(b.patience))),
		"vm.stage=" + strconv.Itoa(stage),
		"vm.scenarios=" + strings.Join(names, ","),
	}, " ")
	// Without KVM: guests hang with it on some hosts.
	args := []string{
		"-machine", "accel=tcg", "-cpu", "max", "-smp", strconv.Itoa(m.processors), "-m", strconv.Itoa(m.memory),
		"-display", "none", "-no-reboot", "-nodefaults", "-net", "none",
		"-kernel", filepath.Join(b.image, m.kernel+".vmlinuz"), "-initrd", filepath.Join(b.image, m.kernel+".initrd"), "-append", kernel,
		"-drive", "if=virtio,format=qcow2,file=" + b.disk(),
		"-drive", "if=virtio,format=raw,readonly=on,file=" + b.payload,
		"-drive", "if=virtio,format=raw,file=" + b.notebook(),
		"-serial", "file:" + b.console(),
		"-chardev", "stdio,id=results,signal=off",
		"-device", "virtio-serial", "-device", "virtserialport,chardev=results,name=results",
	}
	return append(args, m.qemu...)
}

// boot runs scenarios until all are done, the power is cut, or the machine is
// lost. It says how many need not run again.
func (b *bench) boot(ctx context.Context, scenarios []scenario, stage int) (done int, cut bool, err error) {
	qemu := exec.Command("qemu-system-x86_64", b.arguments(scenarios, stage)...)
	qemu.Stderr = os.Stderr
	input, err := qemu.StdinPipe() // qemu ends with it
	if err != nil {
		return 0, false, fmt.Errorf("boot: %w", err)
	}
	defer func() { _ = input.Close() }() // qemu never reads it
	output, err := qemu.StdoutPipe()
	if err != nil {
		return 0, false, fmt.Errorf("boot: %w", err)
	}
	if err := qemu.Start(); err != nil {
		return 0, false, fmt.Errorf("boot: %w", err)
	}
	defer func() {
		_ = qemu.Process.Kill() // it may have ended by itself
		_ = qemu.Wait()         // and always by a signal
	}()

	lines := make(chan string)
	gone := make(chan struct{})
	defer close(gone)
	go func() {
		defer close(lines)
		scanner := bufio.NewScanner(output)
		scanner.Buffer(nil, maxLine)
		for scanner.Scan() {
			select {
			case lines <- scanner.Text():
			case <-gone:
				return
			}
		}
	}()
	return b.listen(ctx, lines, scenarios)
}

// listen follows the guest's lines. Silence past the deadline, or the end of
// the lines, is a failure of the scenario that ran; the rest runs in a new boot.
func (b *bench) listen(ctx context.Context, lines <-chan string, scenarios []scenario) (done int, cut bool, err error) {
	name := b.machine.name
	deadline := time.NewTimer(b.patient(bootDeadline))
	defer deadline.Stop()
	var current *tally
	lost := func(how string) (int, bool, error) {
		if current == nil {
			b.showConsole()
			return done, false, fmt.Errorf("between scenarios: %s", how)
		}
		current.failures = append(current.failures, how)
		b.printer.ended(*current)
		b.showConsole()
		return done + 1, false, nil
	}
	for {
		select {
		case <-ctx.Done():
			return len(scenarios), false, nil
		case <-deadline.C:
			return lost("the machine was stuck, its power was cut")
		case line, more := <-lines:
			if !more {
				return lost("the machine went down")
			}
			r, ok := parseResult(line)
			if !ok {
				b.printer.line(name, "  ? %s", line)
				continue
			}
			switch r.kind {
			case kindBoot:
				b.printer.line(name, "boot %s", r.text)
			case kindBegin:
				current = &tally{machine: name, scenario: r.text, started: time.Now()}
				deadline.Reset(b.patient(scenarios[done].deadline))
			case kindFinished:
				return done, false, nil
			case kindCut:
				if current != nil {
					b.printer.ended(*current)
				}
				return done, true, nil
			default:
				if current == nil {
					continue
				}
				current.take(r)
				switch r.kind {
				case kindNot:
					b.printer.line(name, "  not ok: %s: %s", current.scenario, r.text)
				case kindSkip, kindNote:
					b.printer.line(name, "  %s: %s: %s", r.kind, current.scenario, r.text)
				case kindEnd:
					b.printer.ended(*current)
					current = nil
					if done++; done == len(scenarios) {
						return done, false, nil
					}
					deadline.Reset(b.patient(bootDeadline))
				}
			}
		}
	}
}

const consoleTail = 4 << 10

// showConsole prints the end of the serial console: a panic stands there.
func (b *bench) showConsole() {
	data, err := os.ReadFile(b.console())
	if err != nil {
		return
	}
	if len(data) > consoleTail {
		data = data[len(data)-consoleTail:]
	}
	for line := range strings.Lines(string(data)) {
		b.printer.line(b.machine.name, "  console: %s", strings.TrimRight(line, "\r\n"))
	}
}
