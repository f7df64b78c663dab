package kmsg_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

// procRoot makes a /proc in which printk.devkmsg has this value.
func procRoot(t *testing.T, devkmsg string) string {
	t.Helper()
	root := t.TempDir()
	for path, text := range map[string]string{
		"sys/kernel/printk_devkmsg": devkmsg + "\n",
		"sys/kernel/random/boot_id": testBoot + "\n",
	} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestALogThatDoesNotOpenSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	file, fifo := filepath.Join(dir, "file"), filepath.Join(dir, "fifo")
	if err := os.WriteFile(file, []byte("6,0,0,-;x\n"), 0o000); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(fifo, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		path    string
		devkmsg string
		without []int // capabilities
		code    oomdoc.Code
		hint    string
	}{
		{"absent", filepath.Join(dir, "absent"), "ratelimit", nil, oomdoc.CodeFailed, "--device /dev/kmsg"},
		{"a plain file", file, "ratelimit", nil, oomdoc.CodeFailed, "stand-in"},
		{"a pipe, as systemd-nspawn makes", fifo, "ratelimit", nil, oomdoc.CodeFailed, "stand-in"},
		{"another device", "/dev/null", "ratelimit", nil, oomdoc.CodeFailed, "stand-in"},
		{"file mode", file, "ratelimit", []int{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH}, oomdoc.CodeNotPermitted, "root"},
		{"dmesg_restrict", "/dev/kmsg", "ratelimit", []int{unix.CAP_SYSLOG, unix.CAP_SYS_ADMIN}, oomdoc.CodeNotPermitted, "CAP_SYSLOG"},
		{"printk.devkmsg=off", "/dev/kmsg", "off", []int{unix.CAP_SYSLOG, unix.CAP_SYS_ADMIN}, oomdoc.CodeNotPermitted, "printk.devkmsg=off"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := kmsg.Options{Path: tt.path, ProcRoot: procRoot(t, tt.devkmsg)}
			err := followWithout(t, o, tt.without)
			if err == nil {
				t.Fatal("it opened")
			}
			if got := oomdoc.ErrorCode(err); got != tt.code {
				t.Errorf("code %d, want %d (%v)", got, tt.code, err)
			}
			if hint := oomdoc.ErrorHint(err); !strings.Contains(hint, tt.hint) {
				t.Errorf("hint %q, want %q in it", hint, tt.hint)
			}
			if n := strings.Count(err.Error(), tt.path); n != 1 {
				t.Errorf("%q names the path %d times, want once", err, n)
			}
		})
	}
}

// followWithout follows on a thread that has given up capabilities; the thread
// ends with its goroutine.
func followWithout(t *testing.T, o kmsg.Options, capabilities []int) error {
	t.Helper()
	needRoot(t)
	result := make(chan error)
	go func() {
		runtime.LockOSThread()
		if err := dropCapabilities(capabilities); err != nil {
			result <- nil
			return
		}
		f, err := kmsg.Follow(t.Context(), o)
		if err == nil {
			_ = f.Close()
		}
		result <- err
	}()
	return <-result
}

func dropCapabilities(capabilities []int) error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var data [2]unix.CapUserData
	if err := unix.Capget(&header, &data[0]); err != nil {
		return err
	}
	for _, c := range capabilities {
		data[c/32].Effective &^= 1 << (c % 32)
	}
	return unix.Capset(&header, &data[0])
}

func TestTheBootIDIsRead(t *testing.T) {
	needRoot(t)
	f, err := kmsg.Follow(t.Context(), kmsg.Options{ProcRoot: procRoot(t, "ratelimit")})
	if err != nil {
		t.Fatal(err)
	}
	defer closeFollower(t, f)
	if rec := next(t, f); rec.BootID != testBoot {
		t.Errorf("boot id %q, want %q", rec.BootID, testBoot)
	}
}

// needRoot stops a test that must read the real /dev/kmsg where it cannot.
func needRoot(t *testing.T) {
	t.Helper()
	d, err := kmsg.OpenKmsg(kmsg.DefaultPath)
	if err != nil {
		t.Fatalf("this test reads the machine's own kernel log and must run as root: %v", err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}
