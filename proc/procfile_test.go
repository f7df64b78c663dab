package proc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/oomdoc/oomdoc"
)

func TestCgroupIsThatOfTheMemoryController(t *testing.T) {
	tests := map[string]string{
		"0::/system.slice/x.service\n":                "/system.slice/x.service",
		"9:name=systemd:/s\n8:cpu,memory:/m\n0::/u\n": "/m",
		"9:name=systemd:/s\n0::/u\n":                  "/u",
		"8:memory:/with:colon/and space\n":            "/with:colon/and space",
		"12:memory:/\n1:name=systemd:/\n0::/x\n":      "/",
		"":                                            "",
		"nonsense\n":                                  "",
		"8:memory:/a/b":                               "", // cut: it may be longer
		"1:name=x:/" + strings.Repeat("x", 4000) + "\n0::/" + strings.Repeat("y", 200) + "\n": "",
	}
	for file, want := range tests {
		tr := newTree(t)
		tr.add(fake{pid: 1, comm: "x", pages: 1, cgroup: file})
		table, _ := newTable(t, tr, 16)
		refresh(t, table)
		if got, _ := table.Lookup(1, "x"); got.Cgroup != want {
			t.Errorf("cgroup file %q gives %q, want %q", file, got.Cgroup, want)
		}
	}
}

func TestCommandLinesAreCutAfterMasking(t *testing.T) {
	long := strings.Repeat("x", 3000)
	tests := []struct {
		name, file string
		want       []string
	}{
		{"whole", "a\x00b\x00", []string{"a", "b"}},
		{"empty arguments", "a\x00\x00b\x00", []string{"a", "", "b"}},
		{"a title padded with zeros", "nginx: worker\x00\x00\x00\x00", []string{"nginx: worker"}},
		{"without a final zero", "a\x00b", []string{"a", "b"}},
		{"empty", "", nil},
		{"one long argument", "a\x00" + long + "\x00c\x00", []string{"a", long[:1022], "…"}},
		{"cut between characters", "a\x00" + strings.Repeat("é", 600) + "\x00", []string{"a", strings.Repeat("é", 511), "…"}},
		{"a secret over the end of what is shown", "a\x00" + long[:1000] + "\x00--token=" + long + "\x00",
			[]string{"a", long[:1000], "--token=***"}},
		{"a secret over the end of what is read", "a\x00" + long[:1000] + "\x00" + long + "\x00hf_" + long + "\x00",
			[]string{"a", long[:1000], long[:21], "…"}},
		{"nothing but the beginning of one argument", long + long, []string{"…"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := newTree(t)
			tr.add(fake{pid: 1, comm: "x", pages: 1, cmdline: tt.file})
			for i := range 20 { // of the largest more is kept
				tr.add(fake{pid: 100 + i, comm: "large", pages: 100})
			}
			table, _ := newTable(t, tr, 64)
			refresh(t, table)
			got, _ := table.Lookup(1, "x")
			if diff := cmp.Diff(tt.want, got.Cmdline); diff != "" {
				t.Errorf("command line (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBrokenFilesOfAProcessCostOnlyThatProcess(t *testing.T) {
	tr := newTree(t)
	tr.add(fake{pid: 1, comm: "good", cmdline: "good\x00", pages: 10})
	for i, stat := range []string{"", "2", "2 (", "2 (x", "2 (x)", "2 (x) ", "2 )x( S", "2 (x) S 1 2 3", "\xff\x00\xfe"} {
		pid := 100 + i
		tr.add(fake{pid: pid, comm: "x", pages: 10})
		tr.write(fmt.Sprint(pid, "/stat"), stat)
	}
	for i, statm := range []string{"", " ", "x y z", "1", "1 2", "1 99999999999999999999999 3"} {
		pid := 200 + i
		tr.add(fake{pid: pid, comm: "x", pages: 10})
		tr.write(fmt.Sprint(pid, "/statm"), statm)
	}
	tr.write("300", "a file where a folder should be")
	tr.write("12345678901234567890/statm", "1 1 1\n")
	table, _ := newTable(t, tr, 256)
	refresh(t, table)
	if _, found := table.Lookup(1, "good"); !found || table.Len() != 1 {
		t.Errorf("Lookup(1) = %v with %d remembered, want it and nothing else", found, table.Len())
	}
}

// FuzzProcessFiles reads files that no kernel would write. What is kept of a
// command line is bounded whatever its file holds.
func FuzzProcessFiles(f *testing.F) {
	f.Add("7 (a b) (c) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20", "a\x00--token\x00b\x00", "8:memory:/x\n0::/y\n", "\nUid:\t5\t", "1 2 3")
	f.Add("7 (", "\x00\x00", "::", "\nUid:\t", "1 ")
	f.Add("7 ()) S", strings.Repeat("x", 4096), "0::", "Uid:\t99999999999999999999", " 9 ")
	f.Fuzz(func(t *testing.T, stat, cmdline, cgroup, status, statm string) {
		tr := newTree(t)
		for file, text := range map[string]string{"stat": stat, "cmdline": cmdline, "cgroup": cgroup, "status": status, "statm": statm} {
			tr.write("7/"+file, text)
		}
		table, _ := newTable(t, tr, 16)
		refresh(t, table)
		got, found := table.Lookup(7, "")
		if now, foundNow := table.LookupNow(7, ""); found && (!foundNow || !cmp.Equal(got, now, cmpopts.IgnoreFields(oomdoc.ProcessFacts{}, "Trend", "Cmdline"))) {
			t.Errorf("Lookup gave %+v, LookupNow %+v, %v", got, now, foundNow)
		}
		const limit, mark = 4 << 10, "…"
		if size := len(strings.Join(got.Cmdline, " ")); size > limit+len(mark)+1 {
			t.Errorf("%d bytes of the command line are kept, want at most %d", size, limit)
		}
		if got.RSSBytes < 0 || got.UID < -1 {
			t.Errorf("Lookup gave %+v", got)
		}
	})
}
