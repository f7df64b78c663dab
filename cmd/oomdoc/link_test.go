package main_test

import (
	"debug/elf"
	"testing"
)

// go-nvml leaves the functions of NVIDIA's library to be found when they are
// called. A binary that is linked with -z now looks for all of them at its start,
// and dies where there is no such library: on most machines.
func TestTheBinaryBindsFunctionsWhenTheyAreCalled(t *testing.T) {
	file, err := elf.Open(built.oomdoc)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for tag, bit := range map[elf.DynTag]uint64{elf.DT_FLAGS: uint64(elf.DF_BIND_NOW), elf.DT_FLAGS_1: uint64(elf.DF_1_NOW)} {
		values, err := file.DynValue(tag)
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range values {
			if value&bit != 0 {
				t.Errorf("%v has %#x: it is linked with -z now", tag, bit)
			}
		}
	}
	if values, err := file.DynValue(elf.DT_BIND_NOW); err != nil || len(values) != 0 {
		t.Errorf("DT_BIND_NOW is set: %v %v", values, err)
	}
}
