package gpu

import (
	"os"
	"path/filepath"
	"strings"
)

// Bus writes a PCI address as sysfs does: NVIDIA's library has a domain of eight
// digits and capital letters, sysfs of four and small ones.
func Bus(address string) string {
	address = strings.ToLower(address)
	domain, rest, ok := strings.Cut(address, ":")
	if !ok {
		return address
	}
	for len(domain) > 4 && domain[0] == '0' {
		domain = domain[1:]
	}
	return domain + ":" + rest
}

// A pciDevice is a display or compute device on the PCI bus.
type pciDevice struct {
	bus    string
	vendor string // as sysfs writes it, 0x10de
	status string // of runtime power management: active, suspended, unsupported
	auto   bool   // the kernel may power it down
}

// The numbers of the vendors on the PCI bus.
const (
	pciNVIDIA = "0x10de"
	pciAMD    = "0x1002"
	pciIntel  = "0x8086"
)

// pciDevices lists the display and 3D controllers (class 0x03) that sysfs has.
func pciDevices(sys string) []pciDevice {
	folder := filepath.Join(sys, "bus/pci/devices")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil // a machine without PCI
	}
	var devices []pciDevice
	for _, entry := range entries {
		at := filepath.Join(folder, entry.Name())
		if !strings.HasPrefix(oneLine(at, "class"), "0x03") {
			continue
		}
		devices = append(devices, pciDevice{
			bus: entry.Name(), vendor: oneLine(at, "vendor"),
			status: oneLine(at, "power/runtime_status"), auto: oneLine(at, "power/control") == "auto",
		})
	}
	return devices
}

// oneLine reads a short file of sysfs, "" when it can't be read.
func oneLine(folder, name string) string {
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}
