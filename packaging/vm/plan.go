package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A machine is one virtual machine and what it is to prove, in order.
type machine struct {
	name       string
	image      string
	kernel     string // one of the image's kernels
	memory     int    // MiB
	processors int
	append     string   // to the kernel's command line
	qemu       []string // more arguments for qemu
	scenarios  []scenario
}

// A scenario is one script of the guest.
type scenario struct {
	name     string
	deadline time.Duration // then the machine counts as stuck
}

// firstScenario installs oomdoc: no other can do without.
const firstScenario = "install"

const defaultDeadline = 120 * time.Second

func (m machine) longest() time.Duration {
	var sum time.Duration
	for _, s := range m.scenarios {
		sum += s.deadline
	}
	return sum
}

// loadMachines reads all machines, or those that wanted names: MACHINE, or
// MACHINE:SCENARIO,SCENARIO, which are run after the installation.
func loadMachines(folder, scenarios string, wanted []string) ([]machine, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.conf"))
	if err != nil || len(paths) == 0 {
		return nil, errors.Join(fmt.Errorf("find machines in %s", folder), err)
	}
	var machines []machine
	for _, path := range paths {
		m, err := loadMachine(path, scenarios)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		machines = append(machines, m)
	}
	if len(wanted) == 0 {
		return machines, nil
	}
	var chosen []machine
	for _, want := range wanted {
		name, only, _ := strings.Cut(want, ":")
		at := slices.IndexFunc(machines, func(m machine) bool { return m.name == name })
		if at < 0 {
			return nil, fmt.Errorf("unknown machine %q", name)
		}
		m := machines[at]
		if only != "" {
			names := slices.DeleteFunc(strings.Split(only, ","), func(name string) bool { return name == firstScenario })
			if m.scenarios, err = findScenarios(scenarios, append([]string{firstScenario}, names...)); err != nil {
				return nil, err
			}
		}
		chosen = append(chosen, m)
	}
	return chosen, nil
}

func loadMachine(path, scenarios string) (machine, error) {
	m := machine{name: strings.TrimSuffix(filepath.Base(path), ".conf"), kernel: "own", memory: 700, processors: 1}
	data, err := os.ReadFile(path)
	if err != nil {
		return m, err
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, value, found := strings.Cut(line, " = ")
		if !found {
			return m, fmt.Errorf("no 'key = value': %s", line)
		}
		if err := m.set(key, value, scenarios); err != nil {
			return m, fmt.Errorf("%s: %w", key, err)
		}
	}
	if m.image == "" || len(m.scenarios) == 0 {
		return m, errors.New("image and scenarios are needed")
	}
	return m, nil
}

func (m *machine) set(key, value, scenarios string) (err error) {
	switch key {
	case "image":
		m.image = value
	case "kernel":
		m.kernel = value
	case "memory":
		m.memory, err = strconv.Atoi(value)
	case "processors":
		m.processors, err = strconv.Atoi(value)
	case "append":
		m.append = value
	case "qemu":
		m.qemu = append(m.qemu, strings.Fields(value)...)
	case "scenarios":
		m.scenarios, err = findScenarios(scenarios, strings.Fields(value))
	default:
		err = errors.New("unknown key")
	}
	return err
}

func findScenarios(folder string, names []string) ([]scenario, error) {
	var found []scenario
	for _, name := range names {
		s, err := readScenario(filepath.Join(folder, name+".sh"), name)
		if err != nil {
			return nil, err
		}
		found = append(found, s)
	}
	return found, nil
}

// readScenario reads the head of a script: "# deadline: SECONDS".
func readScenario(path, name string) (scenario, error) {
	s := scenario{name, defaultDeadline}
	file, err := os.Open(path)
	if err != nil {
		return s, err
	}
	defer func() { _ = file.Close() }() // it was only read
	lines := bufio.NewScanner(file)
	for lines.Scan() && strings.HasPrefix(lines.Text(), "#") {
		if value, found := strings.CutPrefix(lines.Text(), "# deadline: "); found {
			seconds, err := strconv.Atoi(value)
			if err != nil {
				return s, fmt.Errorf("read %s: deadline: %w", path, err)
			}
			s.deadline = time.Duration(seconds) * time.Second
		}
	}
	return s, lines.Err()
}
