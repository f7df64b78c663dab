package main_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
)

const (
	burstKills = 300
	burstBoxes = 6
	burstLimit = 4 << 20
)

// A gatedHog is a process that waits for its gate to be opened, and then for the
// kernel to kill it.
type gatedHog struct {
	command *exec.Cmd
	gate    io.Writer
}

// 300 kills as fast as the machine makes them are 300 incidents, none double,
// though the kernel prints a full report of few of them only.
func TestABurstOfKillsIsStoredWhole(t *testing.T) {
	bothReaders(t, func(t *testing.T, reader string) {
		m := newMachine(t, reader)
		m.start()
		groups := make([]*box, burstBoxes)
		for i := range groups {
			groups[i] = newBox(t, burstLimit)
		}
		pids := burst(t, groups)
		killed := 0
		for _, group := range groups {
			killed += group.kernelKills()
		}
		if killed != burstKills {
			t.Fatalf("the kernel counts %d kills, want %d", killed, burstKills)
		}
		m.waitFor("300 incidents", func() bool { return len(burstIncidents(m, pids)) >= burstKills })
		time.Sleep(3 * time.Second) // let reports close: an amendment must not become a second row
		checkBurst(t, burstIncidents(m, pids), pids)
	})
}

// burst starts the hogs, then opens all gates, and gives the pids when all are
// dead.
func burst(t *testing.T, groups []*box) []int {
	t.Helper()
	hogs := make([]gatedHog, 0, burstKills)
	t.Cleanup(func() {
		for _, hog := range hogs { // those that a failed test left
			if hog.command.ProcessState == nil {
				hog.command.Process.Kill()
				hog.command.Wait()
			}
		}
	})
	for i := range burstKills {
		command := exec.Command(built.hog, strconv.Itoa(4*burstLimit), hex.EncodeToString(fmt.Appendf(nil, "hog-b%03d", i)))
		gate, err := command.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		hogs = append(hogs, gatedHog{command, gate})
		procs := filepath.Join(groups[i%len(groups)].folder, "cgroup.procs")
		if err := os.WriteFile(procs, []byte(strconv.Itoa(command.Process.Pid)), 0); err != nil {
			t.Fatal(err)
		}
	}
	began := time.Now()
	reports = append(reports, slices.Repeat([]time.Time{began}, reportsPerWindow)...)
	pids := make([]int, 0, len(hogs))
	for _, hog := range hogs {
		if _, err := hog.gate.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
	}
	for _, hog := range hogs {
		exit, ok := errors.AsType[*exec.ExitError](hog.command.Wait())
		if !ok || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("the kernel did not kill a hog: %v", exit)
		}
		pids = append(pids, hog.command.Process.Pid)
	}
	t.Logf("%d kills in %s", len(pids), time.Since(began).Round(time.Millisecond))
	return pids
}

// burstIncidents are the stored incidents of those processes.
func burstIncidents(m *machine, pids []int) []oomdoc.Incident {
	wanted := make(map[int]bool, len(pids))
	for _, pid := range pids {
		wanted[pid] = true
	}
	var own []oomdoc.Incident
	for _, incident := range m.incidents("--all") {
		p := incident.Process
		if p != nil && wanted[p.PID] && p.Name != nil && len(*p.Name) == len("hog-b000") && (*p.Name)[:5] == "hog-b" {
			own = append(own, incident)
		}
	}
	return own
}

// checkBurst holds each pid to be there once, and each incident to have what
// docs/kernel-log.md says that a kill line alone gives.
func checkBurst(t *testing.T, incidents []oomdoc.Incident, pids []int) {
	t.Helper()
	if len(incidents) != burstKills {
		t.Errorf("stored %d incidents for %d kills", len(incidents), burstKills)
	}
	times := make(map[int]int)
	bare := 0
	for i := range incidents {
		incident := &incidents[i]
		times[incident.Process.PID]++
		if incident.Cause != "cgroup-limit" || incident.Process.UID == nil || incident.Memory == nil || incident.Memory.RSSBytes == nil || len(incident.Evidence) == 0 {
			t.Errorf("pid %d: cause %s, uid %v, memory %+v", incident.Process.PID, incident.Cause, incident.Process.UID, incident.Memory)
		}
		if incident.Kernel != nil && incident.Kernel.Invoker != nil {
			continue
		}
		bare++
		if incident.Confidence == "certain" || len(incident.Missing) == 0 || incident.Memory.LimitBytes != nil {
			t.Errorf("pid %d has only a kill line: confidence %s, missing %v, limit %v", incident.Process.PID, incident.Confidence, incident.Missing, incident.Memory.LimitBytes)
		}
	}
	for _, pid := range pids {
		if times[pid] != 1 {
			t.Errorf("pid %d is stored %d times", pid, times[pid])
		}
	}
	if bare == 0 {
		t.Error("the kernel printed every report: this was no burst")
	}
	t.Logf("%d of %d have only the kill line", bare, len(incidents))
}
