package record_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

const killedLine = "Out of memory: Killed process 4242 (forged) total-vm:1kB"

func TestOnlyTheKernelsTagCanBeTheKernels(t *testing.T) {
	tests := []struct {
		line     string
		facility int
		writer   string
		text     string
	}{
		{"Dec  1 01:43:39 node1 kernel: " + killedLine, unknown, "kernel", killedLine},
		{"Dec  1 01:43:39 node1 kernel:[   12.345678] " + killedLine, unknown, "kernel", killedLine},
		{"Dec  1 01:43:39 kernel: " + killedLine, unknown, "kernel", killedLine},
		{"Dec  1 01:43:39 (none) kern.err kernel: [   12.345678] " + killedLine, unknown, "kernel", killedLine},
		{"<3>Dec  1 01:43:39 node1 kernel: " + killedLine, unknown, "kernel", killedLine},
		{"<11>Dec  1 01:43:39 node1 kernel: " + killedLine, user, "kernel", killedLine},
		{"2026-12-01T01:43:39.123456+00:00 node1 kernel: [   12.345678] " + killedLine, unknown, "kernel", killedLine},
		{"<3>1 2026-12-01T01:43:39.123456+00:00 node1 kernel - - - [   12.345678] " + killedLine, unknown, "kernel", killedLine},
		{`<3>1 2026-12-01T01:43:39Z node1 kernel - - [a@1 b="]\"]"][c@1] ` + "\xef\xbb\xbf" + killedLine, unknown, "kernel", killedLine},
		{"<11>1 2026-12-01T01:43:39Z node1 app 77 ID1 - " + killedLine, user, "app", killedLine},
		{"<3>1 2026-12-01T01:43:39Z node1 kernel 77 - - " + killedLine, user, "kernel", killedLine},
		{"kernel: [   12.345678] " + killedLine, unknown, "kernel", killedLine},
		// A process named kernel: journalctl prints its pid, which the kernel has not.
		{"Dec  1 01:43:39 node1 kernel[77]: " + killedLine, user, "kernel", killedLine},
		{"Dec  1 01:43:39 node1 app[77]: " + killedLine, user, "app", killedLine},
		{"Dec  1 01:43:39 node1 app: " + killedLine, user, "app", killedLine},
		{"Dec  1 01:43:39 node1 kernelx: " + killedLine, user, "kernelx", killedLine},
		{"Dec  1 01:43:39 node1 app: kernel: " + killedLine, user, "app", "kernel: " + killedLine},
		{"Dec  1 01:43:39 node1 " + killedLine, unknown, "", killedLine},
		{"2026-12-01T01:43:39.123456789Z stderr F " + killedLine, user, "", killedLine},
		{"2026-12-01T01:43:39.123456789+02:00 stdout P " + killedLine, user, "", killedLine},
		{"2026-12-01T01:43:39.123456789Z " + killedLine, unknown, "", killedLine},
		{`{"log":"` + killedLine + `\r\n","stream":"stderr","time":"2026-12-01T01:43:39.1Z"}`, user, "", killedLine},
		{`{"_TRANSPORT":"stdout","SYSLOG_FACILITY":"0","SYSLOG_IDENTIFIER":"kernel","MESSAGE":"` + killedLine + `"}`, user, "kernel", killedLine},
		{`{"_TRANSPORT":"kernel","SYSLOG_FACILITY":"1","SYSLOG_IDENTIFIER":"kernel","MESSAGE":"` + killedLine + `"}`, user, "kernel", killedLine},
		{`{"_TRANSPORT":"kernel","SYSLOG_FACILITY":"0","SYSLOG_IDENTIFIER":"kernel","MESSAGE":"` + killedLine + `"}`, kernel, "kernel", killedLine},
		{`{"_TRANSPORT":"kernel","SYSLOG_IDENTIFIER":"kernel","MESSAGE":"` + killedLine + `"}`, unknown, "kernel", killedLine},
		{`{"SYSLOG_IDENTIFIER":"kernel","SYSLOG_FACILITY":"0","MESSAGE":"` + killedLine + `"}`, unknown, "kernel", killedLine},
		{`{"_COMM":"app","__REALTIME_TIMESTAMP":"1","_TRANSPORT":"journal","MESSAGE":"` + killedLine + `"}`, user, "app", killedLine},
		{`{"__REALTIME_TIMESTAMP":"1","MESSAGE":"` + killedLine + `"}`, unknown, "", killedLine},
		{"kern  :err   : [   12.345678] " + killedLine, kernel, "", killedLine},
		{"daemon:err   : [   12.345678] " + killedLine, 3, "", killedLine},
		{"local7:err   : " + killedLine, 23, "", killedLine},
		{"<3>[   12.345678] " + killedLine, unknown, "", killedLine},
		{"<30>[   12.345678] " + killedLine, 3, "", killedLine},
		{"[   12.345678] " + killedLine, unknown, "", killedLine},
		{killedLine, unknown, "", killedLine},
	}
	for _, tt := range tests {
		rec := decodeOne(t, tt.line+"\n")
		if rec.Facility != tt.facility || string(rec.Writer) != tt.writer || string(rec.Text) != tt.text {
			t.Errorf("%s\n got facility %d, writer %q, text %q\nwant facility %d, writer %q, text %q",
				tt.line, rec.Facility, rec.Writer, rec.Text, tt.facility, tt.writer, tt.text)
		}
	}
}

// A program can print a line of any form into a text log; only a stream that
// holds one proving form and nothing else proves its facility.
func TestProofOfTheKernelEndsWhereFormsMix(t *testing.T) {
	const raw = "3,9,9000000,-;" + killedLine + "\n"
	tests := []struct {
		name, before string
		want         int
	}{
		{"raw records", "6,8,8000000,-;a\n", kernel},
		{"the rest of a line that was cut off", "emory: usage 5kB\n6,8,8000000,-;a\n", kernel},
		{"a remark in a long log", strings.Repeat("6,8,8000000,-;a\n", 20) + "# here I stopped the reader\n", kernel},
		{"blank lines", "\n6,8,8000000,-;a\n\n", kernel},
		{"plain dmesg", "[    1.000000] a\n", unknown},
		{"syslog", "Dec  1 01:43:39 node1 app: a\n", unknown},
		{"program output", "starting\nready\n", unknown},
		{"container log", "2026-12-01T01:43:39.123456789Z stdout F a\n", unknown},
		{"journal export of a program", "__CURSOR=1\n_TRANSPORT=stdout\nMESSAGE=a\n\n", unknown},
	}
	for _, tt := range tests {
		records := decodeText(t, tt.before+raw)
		last := records[len(records)-1]
		if tt.name == "journal export of a program" {
			// Inside an export a raw line is no field: the export is broken off.
			if got := string(last.Text); got != killedLine {
				t.Fatalf("%s: text %q", tt.name, got)
			}
		}
		if last.Facility != tt.want {
			t.Errorf("after %s a raw line has facility %d, want %d", tt.name, last.Facility, tt.want)
		}
	}
}

func TestFurtherLinesOfAProgramStayItsOwn(t *testing.T) {
	for _, line := range []string{killedLine, "        " + killedLine} {
		records := decodeText(t, "Dec  1 01:43:39 node1 app[7]: one\n"+line+"\n")
		last := records[1]
		if !last.Continued || last.Trust() != oomdoc.TrustUser || string(last.Writer) != "app" {
			t.Errorf("%q after a program's line: continued %v, trust %d, writer %q", line, last.Continued, last.Trust(), last.Writer)
		}
	}
}

// The names that a process can give itself (15 bytes) must not move the head of
// the line that begins with it.
func TestProcessNameThatImitatesAHeadIsText(t *testing.T) {
	const report = "CPU: 0 PID: 7 Comm: x Not tainted 6.1.0\n"
	tests := []struct{ name, head, comm string }{
		{"host and tag", "[   12.345678] ", "a kernel: b"},
		{"tag with a pid", "[   12.345678] ", "x[1]: y"},
		{"tag", "[   12.345678] ", "kernel: b"},
		{"caller", "[   12.345678] ", "[T1] x"},
		{"stamp", "Dec  1 01:43:39 node1 kernel: ", "[1.000000] x"},
		{"level", "[   12.345678] ", "<0>x"},
		{"raw record", "[   12.345678] ", "1,2,3,-;x"},
		{"escape", "[   12.345678] ", `\x41`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text := tt.comm + " invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0"
			before := strings.Repeat(tt.head+report, 3)
			records := decodeText(t, before+tt.head+text+"\n"+tt.head+report)
			if got := string(records[3].Text); got != text {
				t.Errorf("text %q, want %q", got, text)
			}
			if tt.head[0] != '[' {
				return
			}
			records = decodeText(t, tt.head+text+"\n"+tt.head+report)
			if got := string(records[0].Text); got != text {
				t.Errorf("as the first line: text %q, want %q", got, text)
			}
		})
	}
}
