package proc_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

func TestMachineHasWhatItsFilesSay(t *testing.T) {
	got, err := proc.Machine(newTree(t).root)
	if err != nil {
		t.Fatal(err)
	}
	want := proc.MachineInfo{
		RAMBytes: 2033492 << 10, SwapTotalBytes: 1048572 << 10, SwapFreeBytes: 524288 << 10,
		PageSize: int64(os.Getpagesize()), BootID: "7283aa4a-522b-4255-8893-9e9cd3085eb7", Release: "6.18.44",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Machine() (-want +got):\n%s", diff)
	}
}

func TestMachineSaysWhichFileIsWrongAndWhatToDo(t *testing.T) {
	tests := []struct {
		name, file, text string // no text: the file is not there
		subset           bool   // /proc is mounted, with processes only
		wantHint         string
	}{
		{"no /proc", "meminfo", "", false, "mount -t proc proc ROOT"},
		{"processes only", "meminfo", "", true, "remove ProcSubset=pid from the unit, or mount all of it: mount -t proc proc ROOT"},
		{"no boot id", "sys/kernel/random/boot_id", "", false, "mount -t proc proc ROOT"},
		{"no release", "sys/kernel/osrelease", "", false, "mount -t proc proc ROOT"},
		{"size is a word", "meminfo", "MemTotal: many kB\n", false, "see what is mounted there: findmnt ROOT"},
		{"size is negative", "meminfo", "MemTotal: -5 kB\n", false, "see what is mounted there: findmnt ROOT"},
		{"size is too large", "meminfo", "MemTotal: 99999999999999999999 kB\n", false, "see what is mounted there: findmnt ROOT"},
		{"no size", "meminfo", "MemFree: 1 kB\n", false, "see what is mounted there: findmnt ROOT"},
		{"boot id is none", "sys/kernel/random/boot_id", "x\n", false, "see what is mounted there: findmnt ROOT"},
		{"release is empty", "sys/kernel/osrelease", "\n", false, "see what is mounted there: findmnt ROOT"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := newTree(t)
			path := filepath.Join(tr.root, tt.file)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if tt.text != "" {
				tr.write(tt.file, tt.text)
			}
			if tt.subset {
				tr.write("self", "")
			}
			got, err := proc.Machine(tr.root)
			failed, is := errors.AsType[*oomdoc.Error](err)
			if !is {
				t.Fatalf("Machine() = %+v, %v, want an *oomdoc.Error", got, err)
			}
			if want := strings.ReplaceAll(tt.wantHint, "ROOT", tr.root); failed.Hint != want || failed.Path != path {
				t.Errorf("Machine() fails at %s with hint %q, want %s with %q", failed.Path, failed.Hint, path, want)
			}
		})
	}
}

func TestMachineThatMayNotBeReadAsksForRoot(t *testing.T) {
	tr := newTree(t)
	if err := os.Chmod(filepath.Join(tr.root, "meminfo"), 0); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked, so that the thread ends with its file system user (setfsuid(2))
		const nobody = 65534
		if _, err := unix.SetfsuidRetUid(nobody); err != nil {
			done <- err
			return
		}
		_, err := proc.Machine(tr.root)
		done <- err
	}()
	err := <-done
	if oomdoc.ErrorCode(err) != oomdoc.CodeNotPermitted || !strings.Contains(oomdoc.ErrorHint(err), "sudo") {
		t.Errorf("Machine() = %v with code %d and hint %q, want one that asks for root", err, oomdoc.ErrorCode(err), oomdoc.ErrorHint(err))
	}
}

func TestMachineReadsThisOne(t *testing.T) {
	got, err := proc.Machine("/proc")
	if err != nil {
		t.Fatal(err)
	}
	if got.RAMBytes < 1<<24 || len(got.BootID) != 36 || got.Release == "" || got.SwapFreeBytes > got.SwapTotalBytes {
		t.Errorf("Machine(/proc) = %+v", got)
	}
}
