package record_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc/record"
)

func writeDump(t *testing.T, path, text string, at time.Time) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// The parts of a dump are numbered from the newest lines back.
func TestPartsOfADumpArePutTogetherOldestFirst(t *testing.T) {
	folder, moved := t.TempDir(), t.TempDir()
	now := time.Now().Truncate(time.Second)
	const id = "dmesg-efi-1796097048%02d001"
	for part, text := range map[string]string{"01": "Panic#1 Part1\n<0>[ 3.000000] c\n", "02": "Panic#1 Part2\n<4>[ 2.000000] b\n", "03": "Panic#1 Part3\n<4>[ 1.000000] a\n"} {
		writeDump(t, filepath.Join(folder, strings.Replace(id, "%02d", part, 1)), text, now)
	}
	writeDump(t, filepath.Join(folder, "dmesg-ramoops-0"), "Oops#2 Part1\n<4>[ 9.000000] o\n", now.Add(-time.Hour))
	writeDump(t, filepath.Join(folder, "dmesg-efi-179609704804001.enc.z"), "unreadable", now)
	writeDump(t, filepath.Join(folder, "console-ramoops-0"), "not asked\n", now)
	writeDump(t, filepath.Join(moved, "1700000000", "001", "dmesg.txt"), "Panic#1 Part1\n<0>[ 5.000000] m\n", now)
	if err := os.Symlink(filepath.Join(folder, "console-ramoops-0"), filepath.Join(folder, "dmesg-link")); err != nil {
		t.Fatal(err)
	}
	dumps, err := record.FindDumps([]string{folder, moved, filepath.Join(folder, "absent")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range dumps {
		text, err := dumps[i].Text()
		if err != nil {
			t.Fatal(err)
		}
		var letters strings.Builder
		for line := range strings.Lines(string(text)) {
			if !strings.Contains(line, "#") {
				letters.WriteByte(line[len(line)-2])
			}
		}
		got = append(got, dumps[i].Reason+" "+letters.String())
	}
	slices.Sort(got)
	if want := []string{"Oops o", "Panic abc", "Panic m"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i := range dumps {
		switch {
		case len(dumps[i].Files) == 3 && dumps[i].Time.Unix() != 1796097048:
			t.Errorf("time of the EFI record: %s", dumps[i].Time)
		case strings.Contains(dumps[i].Files[0], "1700000000") && dumps[i].Time.Unix() != 1700000000:
			t.Errorf("time of the moved dump: %s", dumps[i].Time)
		}
	}
}

// Two boots that panicked have dumps with the same count.
func TestDumpsOfTwoBootsStayApart(t *testing.T) {
	folder := t.TempDir()
	now := time.Now().Truncate(time.Second)
	for i, at := range []time.Time{now, now.Add(-5 * time.Minute)} {
		for _, part := range []string{"1", "2"} {
			writeDump(t, filepath.Join(folder, "dmesg-erst-"+part+string(rune('0'+i))), "Panic#1 Part"+part+"\n<4>[ 1.000000] x\n", at)
		}
	}
	dumps, err := record.FindDumps([]string{folder})
	if err != nil || len(dumps) != 2 || len(dumps[0].Files) != 2 || len(dumps[1].Files) != 2 {
		t.Errorf("got %+v, %v; want two of two parts", dumps, err)
	}
}
