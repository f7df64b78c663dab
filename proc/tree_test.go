package proc_test

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// boot is when the machine of a tree was started, as its stat file says.
var boot = time.Unix(1764500000, 0)

// A tree is a folder like /proc with processes that a test makes up. The forms
// of its files are those of Linux 6.18.
type tree struct {
	t    testing.TB
	root string
}

func newTree(t testing.TB) tree {
	tr := tree{t, t.TempDir()}
	tr.write("stat", fmt.Sprintf("cpu  1 2 3\nintr 5 0 0\nctxt 7\nbtime %d\nprocesses 9\n", boot.Unix()))
	tr.write("meminfo", "MemTotal:        2033492 kB\nMemFree:          100 kB\nSwapTotal:       1048572 kB\nSwapFree:         524288 kB\nHugepagesize:       2048 kB\n")
	tr.write("sys/kernel/random/boot_id", "7283aa4a-522b-4255-8893-9e9cd3085eb7\n")
	tr.write("sys/kernel/osrelease", "6.18.44\n")
	return tr
}

// A fake is one process of a tree.
type fake struct {
	pid     int
	comm    string
	cmdline string // arguments, each ended by a zero byte
	cgroup  string // content of its cgroup file
	uid     int
	pages   int64
	start   uint64 // ticks
	parent  int    // 4 where it is 0

	exe, dir string
	environ  string            // variables, each ended by a zero byte
	maps     string            // as the kernel writes it
	open     map[string]string // number of a descriptor to what it leads to
	swap     int               // KiB, none where it is 0
	inner    int               // pid in its namespace
}

func (tr tree) add(p fake) {
	folder := strconv.Itoa(p.pid)
	fields := make([]string, 0, 50)
	for field := 3; field <= 52; field++ {
		switch field {
		case 3:
			fields = append(fields, "S")
		case 4:
			fields = append(fields, strconv.Itoa(cmp.Or(p.parent, 4)))
		case 22:
			fields = append(fields, strconv.FormatUint(p.start, 10))
		default:
			fields = append(fields, strconv.Itoa(field))
		}
	}
	tr.write(folder+"/stat", fmt.Sprintf("%d (%s) %s\n", p.pid, p.comm, strings.Join(fields, " ")))
	tr.write(folder+"/statm", fmt.Sprintf("%d %d 10 5 0 20 0\n", p.pages*2, p.pages))
	tr.write(folder+"/cmdline", p.cmdline)
	tr.write(folder+"/cgroup", p.cgroup)
	status := fmt.Sprintf("Name:\t%s\nUmask:\t0022\nUid:\t%d\t0\t0\t0\nGid:\t0\t0\t0\t0\n", p.comm, p.uid)
	if p.inner != 0 {
		status += fmt.Sprintf("NSpid:\t%d\t%d\n", p.pid, p.inner)
	}
	if p.swap != 0 {
		status += fmt.Sprintf("VmSwap:\t%8d kB\n", p.swap)
	}
	tr.write(folder+"/status", status)
	tr.write(folder+"/environ", p.environ)
	tr.write(folder+"/maps", p.maps)
	tr.link(folder+"/exe", p.exe)
	tr.link(folder+"/cwd", p.dir)
	for number, target := range p.open {
		tr.link(folder+"/fd/"+number, target)
	}
}

// link makes a link, none to nothing.
func (tr tree) link(name, target string) {
	path := filepath.Join(tr.root, name)
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		tr.t.Fatal(err)
	}
	if target == "" {
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr tree) remove(pid int) {
	if err := os.RemoveAll(filepath.Join(tr.root, strconv.Itoa(pid))); err != nil {
		tr.t.Fatal(err)
	}
}

func (tr tree) write(name, text string) {
	path := filepath.Join(tr.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		tr.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tr.t.Fatal(err)
	}
}

// A clock stands still until it is moved.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }
