package gpu

import (
	"os"
	"path/filepath"
)

// A presence says whether it is worth starting a worker for NVIDIA's library.
type presence int

const (
	absent presence = iota // there is no driver
	asleep                 // there is, and every device is powered down
	present
)

// nvidia looks for the driver without touching it: a machine without one starts
// no child, and one whose GPUs sleep is left asleep.
func (o *Options) nvidia() presence {
	if o.Library != "" {
		if _, err := os.Stat(o.Library); err != nil {
			return absent
		}
	} else if !exists(o.Root, "proc/driver/nvidia/version") && !exists(o.Root, "dev/dxg") {
		return absent
	}
	any := false
	for _, d := range pciDevices(filepath.Join(o.Root, "sys")) {
		if d.vendor != pciNVIDIA {
			continue
		}
		if any = true; d.status != "suspended" {
			return present
		}
	}
	if any {
		return asleep
	}
	return present // no PCI: WSL2, an SoC
}

// library is what the worker loads: in WSL2 the linker may not find it.
func (o *Options) library() string {
	const wsl = "usr/lib/wsl/lib/libnvidia-ml.so.1"
	if o.Library == "" && exists(o.Root, "dev/dxg") && exists(o.Root, wsl) {
		return filepath.Join(o.Root, wsl)
	}
	return o.Library
}

func exists(root, name string) bool {
	_, err := os.Stat(filepath.Join(root, name))
	return err == nil
}
