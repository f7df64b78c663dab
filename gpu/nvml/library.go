package nvml

import (
	"fmt"

	"github.com/NVIDIA/go-nvml/pkg/nvml"
)

// A function of the library by the names that its versions have: go-nvml takes
// the newest that is there, and ends the process when none is.
type function struct{ names []string }

// The functions that are used. What is not required is left out where the library
// does not have it.
type functions struct {
	memoryV2, memory, pci, uuid, name, driver              bool
	compute, graphics, mps                                 bool
	migMode, migCount, migHandle                           bool
	bar1, remapped, throttle, persistence                  bool
	accountingMode, accountingStats                        bool
	eventSupported, eventCreate, eventRegister, eventWaits bool
}

// table says which field stands for which function.
func (f *functions) table() []struct {
	has *bool
	function
} {
	type row = struct {
		has *bool
		function
	}
	of := func(has *bool, names ...string) row { return row{has, function{names}} }
	return []row{
		of(&f.memoryV2, "nvmlDeviceGetMemoryInfo_v2"),
		of(&f.memory, "nvmlDeviceGetMemoryInfo"),
		of(&f.pci, "nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"),
		of(&f.uuid, "nvmlDeviceGetUUID"),
		of(&f.name, "nvmlDeviceGetName"),
		of(&f.driver, "nvmlSystemGetDriverVersion"),
		of(&f.compute, "nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2", "nvmlDeviceGetComputeRunningProcesses"),
		of(&f.graphics, "nvmlDeviceGetGraphicsRunningProcesses_v3", "nvmlDeviceGetGraphicsRunningProcesses_v2", "nvmlDeviceGetGraphicsRunningProcesses"),
		of(&f.mps, "nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v2", "nvmlDeviceGetMPSComputeRunningProcesses"),
		of(&f.migMode, "nvmlDeviceGetMigMode"),
		of(&f.migCount, "nvmlDeviceGetMaxMigDeviceCount"),
		of(&f.migHandle, "nvmlDeviceGetMigDeviceHandleByIndex"),
		of(&f.bar1, "nvmlDeviceGetBAR1MemoryInfo"),
		of(&f.remapped, "nvmlDeviceGetRemappedRows"),
		of(&f.throttle, "nvmlDeviceGetCurrentClocksThrottleReasons"),
		of(&f.persistence, "nvmlDeviceGetPersistenceMode"),
		of(&f.accountingMode, "nvmlDeviceGetAccountingMode"),
		of(&f.accountingStats, "nvmlDeviceGetAccountingStats"),
		of(&f.eventSupported, "nvmlDeviceGetSupportedEventTypes"),
		of(&f.eventCreate, "nvmlEventSetCreate"),
		of(&f.eventRegister, "nvmlDeviceRegisterEvents"),
		of(&f.eventWaits, "nvmlEventSetWait_v2", "nvmlEventSetWait"),
	}
}

// required are those without which nothing can be asked. nvmlInit itself can't be
// looked up before it is called; a library without it ends the process.
func required() []function {
	return []function{
		{[]string{"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"}},
		{[]string{"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"}},
	}
}

// look finds which functions a library has, once it is loaded.
func look(lib nvml.Interface) (has functions, lacking []string, err error) {
	in := func(f function) bool {
		for _, name := range f.names {
			if lib.Extensions().LookupSymbol(name) == nil {
				return true
			}
		}
		return false
	}
	for _, f := range required() {
		if !in(f) {
			return has, nil, fmt.Errorf("look up %s: the library does not have it", f.names[0])
		}
	}
	for _, row := range has.table() {
		if *row.has = in(row.function); !*row.has {
			lacking = append(lacking, row.names[0])
		}
	}
	if !has.memory && !has.memoryV2 {
		return has, nil, fmt.Errorf("look up nvmlDeviceGetMemoryInfo: the library does not have it")
	}
	return has, lacking, nil
}

// codes names the answers that matter: the library's own words for them would
// need a function more.
func codeText(code nvml.Return) string {
	switch code {
	case nvml.ERROR_UNINITIALIZED:
		return "the library is not initialised"
	case nvml.ERROR_NOT_SUPPORTED:
		return "not supported by this device"
	case nvml.ERROR_NO_PERMISSION:
		return "not permitted"
	case nvml.ERROR_DRIVER_NOT_LOADED:
		return "the driver is not loaded"
	case nvml.ERROR_TIMEOUT:
		return "the driver timed out"
	case nvml.ERROR_IRQ_ISSUE:
		return "the driver has no interrupt for it"
	case nvml.ERROR_LIBRARY_NOT_FOUND:
		return "there is no library"
	case nvml.ERROR_GPU_IS_LOST:
		return "the GPU is lost (fallen off the bus)"
	case nvml.ERROR_RESET_REQUIRED:
		return "the GPU needs a reset"
	case nvml.ERROR_LIB_RM_VERSION_MISMATCH:
		return "the library is of another version than the loaded driver"
	case nvml.ERROR_IN_USE:
		return "the GPU is in use by another"
	case nvml.ERROR_MEMORY:
		return "the library could not get memory"
	case nvml.ERROR_NO_DATA:
		return "the driver has no data"
	}
	return fmt.Sprintf("error %d of the library", int(code))
}
