package record_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/record"
)

func TestCallerIsReadFromEveryFormThatPrintsIt(t *testing.T) {
	tests := []struct {
		line string
		want oomdoc.Caller
	}{
		{"4,1,2,-,caller=T9185;x", oomdoc.Caller{Kind: 'T', ID: 9185}},
		{"[   37.110840][ T9185] x", oomdoc.Caller{Kind: 'T', ID: 9185}},
		{"[   37.110840][    C3] x", oomdoc.Caller{Kind: 'C', ID: 3}},
		{"kern  :warn  : [   37.110840] [  T9185] x", oomdoc.Caller{Kind: 'T', ID: 9185}},
		{"Dec  1 01:43:39 h kernel: [   37.110840][ T9185] x", oomdoc.Caller{Kind: 'T', ID: 9185}},
		{`{"pri":4,"time":37.11084,"caller":"T9185","msg":"x"}`, oomdoc.Caller{Kind: 'T', ID: 9185}},
		{"[   37.110840] x", oomdoc.Caller{}},
	}
	for _, tt := range tests {
		rec := decodeOne(t, tt.line+"\n")
		if rec.Caller != tt.want || string(rec.Text) != "x" {
			t.Errorf("%s: caller %v, text %q, want %v, %q", tt.line, rec.Caller, rec.Text, tt.want, "x")
		}
	}
}

// b36: two reports at once from a kernel with CONFIG_PRINTK_CALLER.
func TestCallersOfACapturedLog(t *testing.T) {
	callers := make(map[oomdoc.Caller]int)
	for _, rec := range decodeText(t, kernelLog(t, "b36-interleaved-with-caller.log")) {
		callers[rec.Caller]++
	}
	if callers[oomdoc.Caller{}] > 0 || len(callers) < 2 {
		t.Errorf("records by caller: %v; want some of two callers and none without", callers)
	}
}

// b38: rsyslog wrote the newlines of the memory statistics as #012.
func TestRsyslogEscapesAreUndone(t *testing.T) {
	all := texts(decodeText(t, kernelLog(t, "b38-rsyslog-escaped-newlines.log")))
	at := slices.IndexFunc(all, func(s string) bool { return strings.HasPrefix(s, "anon ") })
	if at < 0 {
		t.Fatalf("no statistics in %q", all)
	}
	if lines := strings.Split(all[at], "\n"); len(lines) < 20 || lines[1] != "file 0" || strings.Contains(all[at], "#0") {
		t.Errorf("statistics are %q, want a line for each", all[at])
	}
	const head = "Dec  1 01:43:39 h kernel: "
	for text, want := range map[string]string{
		"a#011b#033c":                        "a\tb\x1bc",
		"Not tainted 4.15.0-200 #177-Ubuntu": "Not tainted 4.15.0-200 #177-Ubuntu",
		"#1 SMP #000 #040 #0":                "#1 SMP #000 #040 #0",
		"##012":                              "#\n",
	} {
		if got := string(decodeOne(t, head+text+"\n").Text); got != want {
			t.Errorf("text of %q is %q, want %q", text, got, want)
		}
	}
}

// A kernel's stamp stands in rsyslog's lines but not in journald's.
func TestKernelStampInSyslogIsTheUsec(t *testing.T) {
	for _, rec := range decodeText(t, kernelLog(t, "b38-rsyslog-escaped-newlines.log")) {
		if rec.Usec < 5674588 || rec.Usec > 5682000 || strings.HasPrefix(string(rec.Text), "[    5.") {
			t.Errorf("%.60q: stamp %d, text %.40q", rec.Raw, rec.Usec, rec.Text)
		}
	}
	// imklog's own first line has none.
	records := decodeText(t, "Dec  1 01:43:39 h kernel: imklog 5.8.10, log source = /proc/kmsg started.\nDec  1 01:43:39 h kernel: [    5.674588] x\n")
	if got := records[1].Usec; got != 5674588 {
		t.Errorf("stamp after imklog's line is %d, want 5674588", got)
	}
}

// Journalctl -o short-monotonic without the host, earlyoom among the kernel.
func TestMonotonicJournalTellsTheWriters(t *testing.T) {
	for _, rec := range decodeText(t, readFile(t, "testdata", "earlyoom-monotonic.log")) {
		want, facility := "kernel", unknown
		if strings.Contains(string(rec.Raw), "] earlyoom[") {
			want, facility = "earlyoom", user
		}
		if string(rec.Writer) != want || rec.Facility != facility || rec.Usec < 21160626351 {
			t.Errorf("%.60q: writer %q, facility %d, stamp %d; want %q, %d", rec.Raw, rec.Writer, rec.Facility, rec.Usec, want, facility)
		}
	}
}

// v35: a serial console; every line of a record has the same stamp.
func TestConsoleIsRead(t *testing.T) {
	console := kernelLog(t, "v35-panic-on-oom-console-6.1.log")
	want := texts(decodeText(t, console))
	for _, rec := range decodeText(t, strings.ReplaceAll(console, "\n", "\r\n")) {
		if rec.Usec == oomdoc.NoUsec || strings.HasSuffix(string(rec.Raw), "\r") {
			t.Errorf("%q: stamp %d", rec.Raw, rec.Usec)
		}
	}
	if diff := cmp.Diff(want, texts(decodeText(t, strings.ReplaceAll(console, "\n", "\r\n")))); diff != "" {
		t.Errorf("texts (-plain +with carriage returns):\n%s", diff)
	}
}

func TestEveryRawLogOfTheCorpusIsRawThroughout(t *testing.T) {
	for _, name := range []string{
		"r05-comm-parens-space.log", "r07-comm-newline.log", "r08-comm-utf8-cut.log", "r10-comm-empty.log", "r11-comm-soh-level.log",
		"r22-path-over-record-limit.log", "v24-v2-oom-group-7.2.log", "v29-arm64-16k-and-alloc-failure-6.12.log", "v37-whole-boot-6.1.log",
	} {
		decoder := record.NewDecoder(strings.NewReader(kernelLog(t, name)), options())
		records := decodeAll(t, decoder)
		stats := decoder.Stats()
		if got, want := stats.Forms[record.FormKmsg], uint64(len(records)); got != want || want == 0 {
			t.Errorf("%s: %d raw records of %d", name, got, want)
		}
	}
}

func TestJournalMessageOfAnyShape(t *testing.T) {
	tests := []struct{ message, want string }{
		{`"plain"`, "plain"},
		{`"two\nlines \u0001 \"q\" \\x2d \/ \ud83d\ude00 \u043f"`, "two\nlines \x01 \"q\" \\x2d / \U0001F600 п"},
		{`[102,111,114,109,10,255,0]`, "form\n\xff\x00"},
		{`[ 102 , 111 ]`, "fo"},
		{`null`, ""},
		{`["first","second"]`, "first"},
		{`["a\nb",{"x":["]"]},"c"]`, "a\nb"},
		{`"half a pair \ud83d"`, "half a pair \uFFFD"},
		{`"bad digits \u12x4"`, "bad digits \uFFFDx4"},
	}
	for _, tt := range tests {
		rec := decodeOne(t, `{"A":{"MESSAGE":"no"},"MESSAGE":`+tt.message+`,"X":[["\"]"]],"_TRANSPORT":"kernel","SYSLOG_FACILITY":"0","PRIORITY":"3"}`+"\n")
		if got := string(rec.Text); got != tt.want || rec.Facility != kernel || rec.Priority != 3 {
			t.Errorf("MESSAGE %s: text %q, facility %d, priority %d; want %q, %d, 3", tt.message, got, rec.Facility, rec.Priority, tt.want, kernel)
		}
	}
}

func TestCutObjectGivesWhatItHas(t *testing.T) {
	o := options()
	o.MaxLine = 200
	line := `{"_TRANSPORT":"kernel","SYSLOG_FACILITY":"0","MESSAGE":"` + strings.Repeat("m", 5000) + `"}` + "\n"
	records := decodeAll(t, record.NewDecoder(strings.NewReader(line+line), o))
	if len(records) != 2 {
		t.Fatalf("%d records, want 2", len(records))
	}
	if rec := records[1]; rec.Facility != kernel || !strings.HasPrefix(string(rec.Text), "mmmm") || len(rec.Text) > o.MaxLine {
		t.Errorf("facility %d, text of %d bytes %.10q", rec.Facility, len(rec.Text), rec.Text)
	}
}

func TestBrokenExportGoesOnAsText(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
		invalid    uint64
	}{
		{"a field without a name", "__CURSOR=1\n_BOOT_ID=1\nMESSAGE=a\n\n__CURSOR=2\nlower=x\n[    1.000000] b\n", []string{"a", "lower=x", "b"}, 1},
		{"a size that cannot be", "__CURSOR=1\nMESSAGE\n\xff\xff\xff\xff\xff\xff\xff\xff\n[    1.000000] b\n", []string{"\xff\xff\xff\xff\xff\xff\xff\xff", "b"}, 1},
		{"an end in the size", "__CURSOR=1\n_BOOT_ID=1\nMESSAGE=a\n\n__CURSOR=2\nMESSAGE\n\x05\x00", []string{"a", "\x05\x00"}, 1},
		{"an end in the value", "__CURSOR=1\n_TRANSPORT=kernel\nMESSAGE\n\x05\x00\x00\x00\x00\x00\x00\x00ab", []string{"ab"}, 0},
		{"an entry without a message", "__CURSOR=1\n_BOOT_ID=1\n\n__CURSOR=2\n_BOOT_ID=1\nMESSAGE=b\n\n", []string{"b"}, 1},
		{"no empty line at the end", "__CURSOR=1\n_BOOT_ID=1\nMESSAGE=a", []string{"a"}, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			decoder := record.NewDecoder(strings.NewReader(tt.text), options())
			got := texts(decodeAll(t, decoder))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("texts (-want +got):\n%s", diff)
			}
			if got := decoder.Stats().Invalid; got != tt.invalid {
				t.Errorf("%d invalid, want %d", got, tt.invalid)
			}
		})
	}
}

func TestMixtureOfFormsIsReadLineByLine(t *testing.T) {
	text := "4,1,1000000,-;raw\n" +
		"[    2.000000] dmesg\n" +
		"kern  :warn  : [    3.000000] level\n" +
		"Dec  1 01:43:39 node1 kernel: syslog\n" +
		"2026-12-01T01:43:39.123456789Z stderr F container\n" +
		`{"__REALTIME_TIMESTAMP":"1","MESSAGE":"journal"}` + "\n" +
		"<4>[    4.000000] priority\n" +
		"-- Boot 7283aa4a522b425588939e9cd3085eb7 --\n" +
		"4,2,5000000,-;raw again\n"
	want := []string{"raw", "dmesg", "level", "syslog", "container", "journal", "priority", "-- Boot 7283aa4a522b425588939e9cd3085eb7 --", "raw again"}
	if diff := cmp.Diff(want, texts(decodeText(t, text))); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
}

func TestNoticesOfJournalctlAreNoRecords(t *testing.T) {
	text := "-- Journal begins at Tue 2026-12-01 03:16:16 UTC, ends at Tue 2026-12-01 03:51:22 UTC. --\n" +
		"Dec 01 03:51:20 vm kernel: a\n-- Boot 7283aa4a522b425588939e9cd3085eb7 --\nDec 01 03:51:20 vm kernel: b\n"
	if diff := cmp.Diff([]string{"a", "b"}, texts(decodeText(t, text))); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
}

// util-linux 2.41 puts a record of dmesg -J between braces of their own; r32e.
func TestDmesgJSONOfTheCorpusIsTheRawLog(t *testing.T) {
	want := texts(decodeText(t, kernelLog(t, "r32a-forms-kmsg.log")))
	if diff := cmp.Diff(want, texts(decodeText(t, kernelLog(t, "r32e-forms-dmesg-J.log")))); diff != "" {
		t.Errorf("texts (-raw +dmesg -J):\n%s", diff)
	}
}

func TestBootOfTheJournalIsKept(t *testing.T) {
	for _, name := range []string{"journalctl-json", "journalctl-export"} {
		for _, rec := range decodeText(t, readFile(t, "testdata", "capture", name)) {
			if got, want := rec.BootID, "7283aa4a522b425588939e9cd3085eb7"; got != want {
				t.Errorf("%s: boot of %.40q is %q, want %q", name, rec.Text, got, want)
			}
		}
	}
}
