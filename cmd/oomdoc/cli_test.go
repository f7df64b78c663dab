package main_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// One row is one command line: its exit status, and what its two outputs must
// hold. "" means that the output must be empty.
func TestCommandLine(t *testing.T) {
	folder := t.TempDir()
	absent := filepath.Join(folder, "absent.db")
	broken := write(t, folder, "broken.db", "this is not a database, but it is long enough to look like one......................................")
	empty := write(t, folder, "empty.log", "")
	noise := make([]byte, 1<<20)
	if _, err := rand.Read(noise); err != nil {
		t.Fatal(err)
	}
	binary := write(t, folder, "noise.bin", string(noise))
	latin := write(t, folder, "latin.log", "caf\xe9 \xff\xfe nothing to see\n")
	config := write(t, folder, "bad.toml", "[store]\npaht = \"x\"\n")
	xz := write(t, folder, "log.xz", "\xfd7zXZ\x00 and so on")
	const anything = "\x00anything"

	for _, row := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string
	}{
		{"help", []string{"--help"}, 0, "programs that die of memory", ""},
		{"no argument tells the state", []string{"--db", absent}, 0, "never run here", ""},
		{"version", []string{"version"}, 0, "oomdoc ", ""},
		{"unknown command", []string{"lsat"}, 2, "", "did you mean last"},
		{"unknown flag", []string{"last", "--nmuber"}, 2, "", "Try: oomdoc last --help"},
		{"unknown language", []string{"last", "--lang", "tlh"}, 2, "", "no such language"},
		{"help on nothing", []string{"help", "lsat"}, 2, "", "did you mean last"},
		{"help in Korean", []string{"--lang", "ko", "help", "last"}, 0, "사용법:", ""},
		{"a hint in Korean", []string{"last", "--lang", "ko", "--db", absent}, 3, "", "해 볼 것: "},
		{"unknown output", []string{"last", "-o", "yaml"}, 2, "", "want text or json"},
		{"unknown class", []string{"list", "--class", "ram"}, 2, "", "vram, host-ram or fragmentation"},
		{"bad time", []string{"list", "--since", "soon"}, 2, "", "cannot read the time"},
		{"show needs an id", []string{"show"}, 2, "", "accepts 1 arg"},
		{"last without a database", []string{"last", "--db", absent}, 3, "", "Try: "},
		{"broken database", []string{"last", "--db", broken}, 1, "", "not a database"},
		{"status without a database", []string{"status", "--db", absent}, 1, "never run here", ""},
		{"explain an absent file", []string{"explain", absent}, 1, "", "does not exist"},
		{"explain a directory", []string{"explain", folder}, 1, "", "it is a directory"},
		{"explain an empty file", []string{"explain", empty}, 3, "", "not one line"},
		{"explain noise as JSON", []string{"explain", "-o", "json", binary}, 1, "\"incidents\": []", "oomdoc: read"},
		{"last as JSON without a database", []string{"last", "-o", "json", "--db", absent}, 3, "\"incidents\": []", "Try: "},
		{"explain noise", []string{"explain", binary}, 1, "", "not a log"},
		{"explain broken UTF-8", []string{"explain", latin}, 3, "", "No out-of-memory failure"},
		{"explain damaged xz", []string{"explain", xz}, 1, "", "decompress log"},
		{"explain prints the object when nothing was found", []string{"explain", "-o", "json", empty}, 3, "\"incidents\": []", anything},
		{"unknown configuration key", []string{"last", "--config", config}, 2, "", "unknown key store.paht"},
		{"self-test hog by hand", []string{"selftest-hog"}, 2, "", "oomdoc selftest"},
	} {
		t.Run(row.name, func(t *testing.T) {
			stdout, stderr, status := runCommand(t, append(os.Environ(), "OOMDOC_RUN_DIR="+folder), nil, row.args...)
			if status != row.status {
				t.Errorf("status=%d, want %d", status, row.status)
			}
			for _, output := range []struct{ name, got, want string }{{"stdout", stdout, row.stdout}, {"stderr", stderr, row.stderr}} {
				switch {
				case output.want == anything:
				case output.want == "" && output.got != "":
					t.Errorf("%s=%q, want nothing", output.name, output.got)
				case !strings.Contains(output.got, output.want):
					t.Errorf("%s=%q, want it to hold %q", output.name, output.got, output.want)
				}
			}
		})
	}
}

func TestADirectoryAsInputIsToldWithWhatToType(t *testing.T) {
	folder, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	stdout, stderr, status := runCommand(t, os.Environ(), folder, "explain", "-")
	if status != 1 || stdout != "" || !strings.Contains(stderr, "it is a directory") || !strings.Contains(stderr, "Try: ") {
		t.Errorf("status=%d, stdout %q, stderr %q", status, stdout, stderr)
	}
}

// What another user may not do ends with status 4 and says what to type.
func TestOrdinaryUserIsToldWhatToType(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Fatal("this test becomes another user: run it as root")
	}
	folder, err := os.MkdirTemp("", "oomdoc-user-") // t.TempDir is closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(folder, "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(built.oomdoc), 0o755); err != nil {
		t.Fatal(err)
	}
	secret := write(t, folder, "secret.log", "x")
	if err := os.Chmod(secret, 0o600); err != nil {
		t.Fatal(err)
	}
	writable := filepath.Join(folder, "writable")
	if err := os.Mkdir(writable, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(writable, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		args []string
		hint string
	}{
		{[]string{"last", "--db", filepath.Join(closed, "oomdoc.db")}, "sudo "},
		{[]string{"explain", secret}, "sudo oomdoc explain " + secret},
		{[]string{"selftest"}, "sudo "},
		{[]string{"daemon", "--db", filepath.Join(writable, "oomdoc.db")}, "CAP_SYSLOG"},
	} {
		command := exec.Command(built.oomdoc, row.args...)
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		command.Env = append(os.Environ(), "OOMDOC_RUN_DIR="+folder)
		output, err := command.CombinedOutput()
		exit, ok := errors.AsType[*exec.ExitError](err)
		if !ok || exit.ExitCode() != int(oomdoc.CodeNotPermitted) {
			t.Errorf("%v: %v, want status 4\n%s", row.args, err, output)
		}
		if !strings.Contains(string(output), "Try: ") || !strings.Contains(string(output), row.hint) {
			t.Errorf("%v says %q, want a hint with %q", row.args, output, row.hint)
		}
	}
}

const nobody = 65534

func write(t *testing.T, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// A line of 100 MB costs no memory worth naming, and what stands after it is
// still found.
func TestExplainSurvivesAHugeLine(t *testing.T) {
	report, err := os.ReadFile("../../testdata/kernel/r01-memcg-v1-anon.log")
	if err != nil {
		t.Fatal(err)
	}
	in := io.MultiReader(&repeated{'x', 100 << 20}, strings.NewReader("\n"), bytes.NewReader(report))
	stdout, stderr, status := runCommand(t, append(os.Environ(), "GOMEMLIMIT=24MiB"), in, "explain", "-o", "json", "-")
	if status != 0 {
		t.Fatalf("status=%d: %s", status, stderr)
	}
	var document oomdoc.Document
	if err := json.Unmarshal([]byte(stdout), &document); err != nil || len(document.Incidents) != 1 {
		t.Errorf("incidents=%d (%v), want 1", len(document.Incidents), err)
	}
}

// repeated gives a byte so many times.
type repeated struct {
	b    byte
	left int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left)
	for i := range p[:n] {
		p[i] = r.b
	}
	r.left -= n
	return n, nil
}

// What a log contains never reaches the terminal as a control sequence.
func TestTerminalNeverReceivesControlSequences(t *testing.T) {
	log, err := os.ReadFile("../../testdata/kernel/r01-memcg-v1-anon.log")
	if err != nil {
		t.Fatal(err)
	}
	hostile := strings.ReplaceAll(string(log), "hogger", `a\x1b[2J\x9b1m\x07\xe2\x80\xae`)
	stdout, _, status := runCommand(t, os.Environ(), strings.NewReader(hostile), "explain", "-")
	if status != 0 {
		t.Fatalf("status=%d, want 0", status)
	}
	for _, r := range stdout {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
			t.Fatalf("the terminal receives %q", r)
		}
	}
}

// Nothing but commands to copy and raw records is wider than the terminal, in any
// language.
func TestExplanationFitsEightyColumns(t *testing.T) {
	files, err := filepath.Glob("../../testdata/*/*.log")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, locale := range []string{"C.UTF-8", "ko_KR.UTF-8"} {
		for _, file := range files {
			commands := make(map[string]bool)
			for _, incident := range explainedIn(t, locale, file) {
				for _, fix := range incident.Fixes {
					for _, step := range fix.Steps {
						commands[step.Text] = true
					}
				}
			}
			stdout, _, _ := runCommand(t, append(os.Environ(), "COLUMNS=80", "LC_ALL="+locale, "LANGUAGE="), nil, "explain", file)
			for line := range strings.Lines(stdout) {
				line = strings.TrimSuffix(line, "\n")
				if columnsOf(line) > 80 && !commands[strings.TrimSpace(line)] {
					t.Errorf("%s, %s: %d columns: %s", locale, filepath.Base(file), columnsOf(line), line)
				}
			}
		}
	}
}

func TestHelpFitsEightyColumns(t *testing.T) {
	command := regexp.MustCompile(`(?m)^  ([a-z]+)  `)
	for _, tag := range []string{"en", "ko"} {
		pages := [][]string{{"--help"}}
		top, _, _ := runCommand(t, os.Environ(), nil, "--lang", tag, "--help")
		for _, found := range command.FindAllStringSubmatch(top, -1) {
			pages = append(pages, []string{found[1], "--help"})
		}
		if len(pages) < 10 {
			t.Fatalf("%s: found the pages %v", tag, pages)
		}
		for _, page := range pages {
			stdout, stderr, status := runCommand(t, append(os.Environ(), "COLUMNS=80"), nil, append(page, "--lang", tag)...)
			if status != 0 || stderr != "" || strings.ContainsFunc(stdout, isHangul) != (tag == "ko") {
				t.Errorf("%s: %v: status %d, stderr %q\n%s", tag, page, status, stderr, stdout)
			}
			for line := range strings.Lines(stdout) {
				if line = strings.TrimSuffix(line, "\n"); columnsOf(line) > 80 {
					t.Errorf("%s: %v: %d columns: %s", tag, page, columnsOf(line), line)
				}
			}
		}
	}
}

// columnsOf is the width of a line, where a syllable of Hangul takes two columns.
func columnsOf(line string) int {
	sum := 0
	for _, c := range line {
		sum++
		if isHangul(c) {
			sum++
		}
	}
	return sum
}
