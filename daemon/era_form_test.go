package daemon_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// kmsgForm writes texts as a read of /dev/kmsg gives them.
func kmsgForm(texts []string) []byte { return kmsgFrom(1000, texts) }

func kmsgFrom(seq int, texts []string) []byte {
	var log strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&log, "4,%d,%d,-;", seq+i, 7_000_000+40*(seq+i))
		for _, c := range []byte(text) {
			if c < 0x20 || c >= 0x7f || c == '\\' {
				fmt.Fprintf(&log, `\x%02x`, c)
			} else {
				log.WriteByte(c)
			}
		}
		log.WriteByte('\n')
	}
	return []byte(log.String())
}

// A form is a way in which a log writes the kernel's records.
type form struct {
	name  string
	write func(texts []string) []byte
}

// perRecord writes each record with a head of its own; pad says what stands
// before the further lines of a record with newlines in it.
func perRecord(head func(i int) string, pad func(head string) string) func([]string) []byte {
	return func(texts []string) []byte {
		var log strings.Builder
		for i, text := range texts {
			h := head(i)
			log.WriteString(h + strings.ReplaceAll(text, "\n", "\n"+pad(h)) + "\n")
		}
		return []byte(log.String())
	}
}

// inContainer is the output of a container that prints the node's kernel log.
func inContainer(wrap func(line string) string) func([]string) []byte {
	return func(texts []string) []byte {
		plain := perRecord(func(i int) string { return "[" + stamp(i) + "] " }, blanks)(texts)
		var log strings.Builder
		for line := range strings.Lines(string(plain)) {
			log.WriteString(wrap(strings.TrimSuffix(line, "\n")))
		}
		return []byte(log.String())
	}
}

func blanks(head string) string   { return strings.Repeat(" ", len(head)) }
func repeated(head string) string { return head }

func stamp(i int) string { return fmt.Sprintf("%5d.%06d", 912, 40*i) }

// escapedLines writes a newline in a record as rsyslog does.
func escapedLines(write func([]string) []byte) func([]string) []byte {
	return func(texts []string) []byte {
		plain := make([]string, len(texts))
		for i, text := range texts {
			plain[i] = strings.ReplaceAll(text, "\n", "#012")
		}
		return write(plain)
	}
}

// quoted is a text as a JSON string.
func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(text) + `"`
}

// forms are those of knowledge kernel-oom.md section 2 and of the tools that
// people copy logs with.
func forms() []form {
	const second = "43:17"
	return []form{
		{"kmsg", kmsgForm},
		{"dmesg", perRecord(func(i int) string { return "[" + stamp(i) + "] " }, blanks)},
		{"dmesg -T", perRecord(func(int) string { return "[Tue Dec  1 01:" + second + " 2026] " }, blanks)},
		{"dmesg -T in German", perRecord(func(int) string { return "[Di Aug 12 01:" + second + " 2026] " }, blanks)},
		{"dmesg -x", perRecord(func(i int) string { return "kern  :warn  : [" + stamp(i) + "] " }, blanks)},
		{"dmesg -r", perRecord(func(i int) string { return "<4>[" + stamp(i) + "] " }, blanks)},
		{"dmesg -d", perRecord(func(i int) string { return "[" + stamp(i) + " <    0.000040>] " }, blanks)},
		{"dmesg --reltime", perRecord(func(i int) string {
			if i == 0 {
				return "[Dec 1 01:43] "
			}
			return "[  +0.000040] "
		}, blanks)},
		{"dmesg iso", perRecord(func(i int) string { return fmt.Sprintf("2026-12-01T01:43:17,%06d+00:00 ", 40*i) }, blanks)},
		{"dmesg -J", dmesgJSON},
		{"console with callers", perRecord(func(i int) string { return "[" + stamp(i) + "][  T812] " }, blanks)},
		{"console with carriage returns", func(texts []string) []byte {
			log := perRecord(func(i int) string { return "[" + stamp(i) + "] " }, func(string) string { return "" })(texts)
			return []byte(strings.ReplaceAll(string(log), "\n", "\r\n"))
		}},
		{"bare", perRecord(func(int) string { return "" }, func(string) string { return "" })},
		{"journal short", perRecord(func(int) string { return "Dec 01 01:" + second + " node1 kernel: " }, blanks)},
		{"journal short-precise", perRecord(func(i int) string { return fmt.Sprintf("Dec 01 01:43:17.%06d node1 kernel: ", 40*i) }, blanks)},
		{"journal short-iso", perRecord(func(int) string { return "2026-12-01T01:43:17+0000 node1 kernel: " }, blanks)},
		{"journal short-iso of 255", perRecord(func(int) string { return "2026-12-01T01:43:17+00:00 node1 kernel: " }, blanks)},
		{"journal short-iso-precise", perRecord(func(i int) string { return fmt.Sprintf("2026-12-01T01:43:17.%06d+00:00 node1 kernel: ", 40*i) }, blanks)},
		{"journal short-full", perRecord(func(int) string { return "Tue 2026-12-01 01:43:17 UTC node1 kernel: " }, blanks)},
		{"journal short-unix", perRecord(func(i int) string { return fmt.Sprintf("1796097048.%06d node1 kernel: ", 40*i) }, blanks)},
		{"journal short-monotonic", perRecord(func(i int) string { return "[" + stamp(i) + "] node1 kernel: " }, blanks)},
		{"journal with-unit", perRecord(func(int) string { return "Tue 2026-12-01 01:43:17 UTC node1 kernel: " }, blanks)},
		{"journal verbose", verbose},
		{"journal json", journalJSON},
		{"journal export", export},
		{"journal cat", perRecord(func(int) string { return "" }, func(string) string { return "" })},
		{"rsyslog", escapedLines(perRecord(func(i int) string { return "Dec  1 01:" + second + " node1 kernel: [" + stamp(i) + "] " }, blanks))},
		{"rsyslog iso", escapedLines(perRecord(func(i int) string {
			return fmt.Sprintf("2026-12-01T01:43:17.%06d+00:00 node1 kernel: [%s] ", 40*i, stamp(i))
		}, blanks))},
		{"rsyslog without kernel stamps", escapedLines(perRecord(func(int) string { return "Dec  1 01:" + second + " node1 kernel: " }, blanks))},
		{"syslog-ng, a line each", perRecord(func(i int) string { return "Dec  1 01:" + second + " node1 kernel: [" + stamp(i) + "] " }, repeated)},
		{"syslog without a blank after the tag", escapedLines(perRecord(func(int) string { return "Dec  1 01:" + second + " node1 kernel:" }, blanks))},
		{"syslog with a priority", escapedLines(perRecord(func(i int) string { return "<4>Dec  1 01:" + second + " node1 kernel: [" + stamp(i) + "] " }, blanks))},
		{"rfc5424", escapedLines(perRecord(func(i int) string {
			return fmt.Sprintf("<4>1 2026-12-01T01:43:17.%06dZ node1 kernel - - - [%s] ", 40*i, stamp(i))
		}, blanks))},
		{"pstore", pstoreDump},
		{"CRI", inContainer(func(line string) string { return "2026-12-01T01:43:17.123456789Z stdout F " + line + "\n" })},
		{"CRI in parts", inContainer(func(line string) string {
			const head = "2026-12-01T01:43:17.123456789Z stdout "
			half := len(line) / 2
			return head + "P " + line[:half] + "\n" + head + "F " + line[half:] + "\n"
		})},
		{"docker", inContainer(func(line string) string {
			return `{"log":` + quoted(line+"\n") + `,"stream":"stdout","time":"2026-12-01T01:43:17.123456789Z"}` + "\n"
		})},
		{"docker in parts", inContainer(func(line string) string {
			const tail = `,"stream":"stdout","time":"2026-12-01T01:43:17.123456789Z"}` + "\n"
			half := len(line) / 2
			return `{"log":` + quoted(line[:half]) + tail + `{"log":` + quoted(line[half:]+"\n") + tail
		})},
		{"kubectl with times", inContainer(func(line string) string { return "2026-12-01T01:43:17.123456789Z " + line + "\n" })},
		{"kubectl with the pod", inContainer(func(line string) string { return "[pod/node-log-x7k2p/dmesg] " + line + "\n" })},
		{"docker compose", inContainer(func(line string) string { return "dmesg-1  | " + line + "\n" })},
	}
}

func dmesgJSON(texts []string) []byte {
	var log strings.Builder
	log.WriteString("{\n   \"dmesg\": [\n")
	for i, text := range texts {
		between := ",\n"
		if i == 0 {
			between = ""
		}
		fmt.Fprintf(&log, "%s      {\n         \"pri\": 4,\n         \"time\": %s,\n         \"msg\": %s\n      }", between, strings.TrimSpace(stamp(i)), quoted(text))
	}
	log.WriteString("\n   ]\n}\n")
	return []byte(log.String())
}

const bootID = "5d5a5a5f1b2c4d3e8f9a0b1c2d3e4f50"

func journalJSON(texts []string) []byte {
	var log strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&log, `{"__REALTIME_TIMESTAMP":"%d","__MONOTONIC_TIMESTAMP":"%d","_BOOT_ID":"%s","_TRANSPORT":"kernel","PRIORITY":"4","SYSLOG_FACILITY":"0","SYSLOG_IDENTIFIER":"kernel","_SOURCE_MONOTONIC_TIMESTAMP":"%d","MESSAGE":%s}`+"\n",
			1796097048000000+40*i, 912000000+40*i, bootID, 912000000+40*i, quoted(text))
	}
	return []byte(log.String())
}

func export(texts []string) []byte {
	var log strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&log, "__CURSOR=s=1;i=%x\n__REALTIME_TIMESTAMP=%d\n__MONOTONIC_TIMESTAMP=%d\n_BOOT_ID=%s\n_TRANSPORT=kernel\nPRIORITY=4\nSYSLOG_FACILITY=0\nSYSLOG_IDENTIFIER=kernel\n_SOURCE_MONOTONIC_TIMESTAMP=%d\n",
			i, 1796097048000000+40*i, 912000000+40*i, bootID, 912000000+40*i)
		if strings.Contains(text, "\n") {
			size := make([]byte, 8)
			size[0], size[1] = byte(len(text)), byte(len(text)>>8)
			log.WriteString("MESSAGE\n" + string(size) + text + "\n\n")
			continue
		}
		log.WriteString("MESSAGE=" + text + "\n\n")
	}
	return []byte(log.String())
}

// verbose is journalctl -o verbose (systemd, src/shared/logs-show.c,
// output_verbose): a head with the time and the cursor, a field a line, and the
// further lines of a value under its first.
func verbose(texts []string) []byte {
	var log strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&log, "Tue 2026-12-01 01:43:17.%06d UTC [s=9c3e;i=%x;b=%s;m=36553e10;t=661;x=f1]\n", 40*i, i, bootID)
		fmt.Fprintf(&log, "    _BOOT_ID=%s\n    _MACHINE_ID=1f2e3d4c5b6a79881f2e3d4c5b6a7988\n    _HOSTNAME=node1\n    _TRANSPORT=kernel\n    SYSLOG_FACILITY=0\n    SYSLOG_IDENTIFIER=kernel\n    _SOURCE_MONOTONIC_TIMESTAMP=%d\n    PRIORITY=4\n", bootID, 912000000+40*i)
		const field = "    MESSAGE="
		log.WriteString(field + strings.ReplaceAll(text, "\n", "\n"+blanks(field)) + "\n")
	}
	return []byte(log.String())
}

// pstoreDump is what fs/pstore keeps of a ring: a line that says which part of
// which dump it is, and the lines as a console has them.
func pstoreDump(texts []string) []byte {
	lines := perRecord(func(i int) string { return "<4>[" + stamp(i) + "] " }, blanks)(texts)
	return append([]byte("Oops#1 Part1\n"), lines...)
}

// Each form must tell the same of a report.
func TestEveryFormTellsTheSame(t *testing.T) {
	pick := map[string][]int{
		"host": {2032, 4015, 5010, 6012}, "pod": {4004, 5010, 6008}, "slab": {4015, 6012}, "group-nobody": {5010},
		"host-panic": {6001}, "group-together": {6012}, "shmem": {3010, 5004},
	}
	for _, s := range shapes() {
		for _, e := range eras() {
			if !s.fits(&e) || !slices.Contains(pick[s.name], e.at) {
				continue
			}
			for _, f := range forms() {
				w := newWorld(e)
				s.make(w)
				t.Run(fmt.Sprintf("%s/%d%s/%s", s.name, e.at, e.vendor, f.name), func(t *testing.T) {
					w.check(t, &s, explained(t, f.write(w.lines())))
				})
			}
		}
	}
}
