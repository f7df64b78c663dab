package redact_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/record"
	"github.com/oomdoc/oomdoc/redact"
)

// full is an incident in which everything that can be secret holds a mark.
func full() oomdoc.Incident {
	name, uid := "python3", 1000
	const path = "/user.slice/user-1000.slice/secret-a.scope"
	arg := func(text string) oomdoc.Sentence { return oomdoc.Say("x", oomdoc.Args{"a": oomdoc.Text(text)}) }
	return oomdoc.Incident{
		ID: "7m2k9qxw4t", Class: oomdoc.ClassHostRAM, Cause: oomdoc.CauseCgroupLimit, Summary: arg(path),
		Missing: []oomdoc.Sentence{arg("needs secret-model")}, VictimReason: arg("of " + path),
		Process: &oomdoc.Process{PID: 7, Name: &name, UID: &uid, Unit: "train.service", Cgroup: path, OwnerKind: "cgroup", Owner: path,
			Cmdline: []string{"/opt/venv/python3", "secret-train.py", "-v"}, Model: "secret-model"},
		Kernel:  &oomdoc.KernelContext{OOMCgroup: path, TaskCgroup: path},
		Holders: []oomdoc.Holder{{PID: 2, Name: "secret-holder"}},
		Records: []string{"secret-record"},
		Evidence: []oomdoc.Evidence{{Sentence: arg("secret-train.py used much"), Record: "secret-line"},
			{Sentence: oomdoc.Sentence{Text: "text with secret-model"}}},
		Fixes: []oomdoc.Fix{{Slug: "host", Title: oomdoc.Say("t", oomdoc.Args{"owner": oomdoc.Text("train.service")}), Why: arg("/home/secret-user"), Steps: []oomdoc.Sentence{
			oomdoc.Command("echo 1G | sudo tee /sys/fs/cgroup" + path + "/memory.max"),
			oomdoc.Command("sudo systemctl set-property train.service MemoryMax=1G"),
			oomdoc.Command("grep -i cma /proc/meminfo"), arg("see secret-model")}}},
	}
}

// said is all that an incident says, records too.
func said(t *testing.T, inc oomdoc.Incident) string {
	t.Helper()
	data, err := json.Marshal(inc)
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + strings.Join(inc.Records, "\n")
}

func TestOthersSeeNoSecretAndStillTheDiagnosis(t *testing.T) {
	before := said(t, full())
	inc := full()
	seen := redact.ForOthers(inc)
	if text := said(t, seen); strings.Contains(text, "secret") || strings.Contains(text, "user-1000") {
		t.Errorf("others see %s", text)
	}
	for _, want := range []string{"train.service", "MemoryMax=1G", "/proc/meminfo", "cgroup-limit", "python3", "7m2k9qxw4t"} {
		if !strings.Contains(said(t, seen), want) {
			t.Errorf("others do not see %q", want)
		}
	}
	if len(seen.Evidence) != 2 || len(seen.Fixes[0].Steps) != 3 {
		t.Errorf("%d proofs and %d steps are left, want 2 and 3", len(seen.Evidence), len(seen.Fixes[0].Steps))
	}
	if said(t, inc) != before {
		t.Error("the incident itself was changed")
	}
}

// each calls visit with every incident of the kernel logs in testdata.
func each(t *testing.T, visit func(file string, inc oomdoc.Incident)) {
	t.Helper()
	files, err := filepath.Glob("../testdata/kernel/*.log")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		diagnoser := daemon.NewDiagnoser(daemon.DiagnoserOptions{Emit: func(inc oomdoc.Incident) { visit(filepath.Base(path), inc) }})
		decoder := record.NewDecoder(file, record.Options{})
		var rec oomdoc.Record
		for err == nil {
			if err = decoder.Next(&rec); err == nil {
				diagnoser.Feed(&rec)
			}
		}
		if !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		diagnoser.Flush()
		file.Close()
	}
}

// path finds an absolute path that is not one of the system's own, which our
// commands name.
var path = regexp.MustCompile(`(?:^|[ "'=(])(/[a-zA-Z0-9_.][^ "',]*)`)

func TestOthersSeeNoPathOfAnyCase(t *testing.T) {
	seen := 0
	each(t, func(file string, inc oomdoc.Incident) {
		seen++
		redacted := redact.ForOthers(inc)
		for _, found := range path.FindAllStringSubmatch(said(t, redacted), -1) {
			system := false
			for _, prefix := range []string{"/proc", "/etc/", "/dev/shm", "/swap", "/sys/kernel", "/sys/module", "/usr/lib/", "/tmp", "/run", "/memfd", "/sys/fs/cgroup'", "/sys/devices"} {
				system = system || strings.HasPrefix(found[1], prefix)
			}
			if !system {
				t.Errorf("%s: others see the path %s", file, found[1])
			}
		}
		for _, evidence := range redacted.Evidence {
			if evidence.Record != "" {
				t.Errorf("%s: others see the log line %q", file, evidence.Record)
			}
		}
	})
	if seen < 50 {
		t.Errorf("only %d incidents were looked at", seen)
	}
}

// reportHasNoNames looks for an incident's names in its report.
func reportHasNoNames(t *testing.T, file string, inc oomdoc.Incident) {
	t.Helper()
	text := said(t, redact.Report(inc, "gpu-07"))
	var names []string
	if p := inc.Process; p != nil {
		names = append(names, p.Unit, p.Container, p.Pod)
		if p.Name != nil {
			names = append(names, *p.Name)
		}
	}
	if inc.Kernel != nil && len(inc.Kernel.OOMCgroup) > 8 && !strings.HasSuffix(inc.Kernel.OOMCgroup, ".slice") {
		names = append(names, inc.Kernel.OOMCgroup)
	}
	for _, name := range names {
		if inc.Process != nil && name == inc.Process.Engine || name == string(inc.Cause) {
			continue // a word of ours
		}
		if len(name) > 3 && regexp.MustCompile(`(^|[^a-zA-Z0-9])`+regexp.QuoteMeta(name)+`([^a-zA-Z0-9]|$)`).MatchString(text) {
			t.Errorf("%s: the report still names %q", file, name)
		}
	}
	if m := inc.Memory; m != nil && m.LimitBytes != nil && !strings.Contains(text, `"limit_bytes":`) {
		t.Errorf("%s: the report has lost the limit", file)
	}
}

func TestReportKeepsNumbersAndReplacesNames(t *testing.T) {
	for _, tag := range []string{lang.English, lang.Korean} {
		language, err := lang.New(tag)
		if err != nil {
			t.Fatal(err)
		}
		each(t, func(file string, inc oomdoc.Incident) { reportHasNoNames(t, tag+", "+file, language.Render(inc)) })
	}
	inc := full()
	inc.Records = []string{
		"[  123]  1000   123   262144   261888  2174976        0             0 my secret game",
		"Jan 1 00:00:01 gpu-07 kernel: secret-app invoked oom-killer: gfp_mask=0xcc0, order=0",
		"opened /home/ann/secret-notes.txt for 192.168.1.20",
	}
	inc.Holders, inc.Evidence = nil, nil
	inc.Missing, inc.VictimReason, inc.Summary, inc.Fixes = nil, oomdoc.Sentence{}, oomdoc.Sentence{}, nil
	text := said(t, redact.Report(inc, "gpu-07"))
	for _, name := range []string{"secret", "gpu-07", "ann", "192.168", "train.service", "user-1000", "python3"} {
		if strings.Contains(text, name) {
			t.Errorf("the report names %q:\n%s", name, text)
		}
	}
	for _, kept := range []string{"262144", "gfp_mask=0xcc0", "invoked oom-killer", "7m2k9qxw4t"} {
		if !strings.Contains(text, kept) {
			t.Errorf("the report has lost %q:\n%s", kept, text)
		}
	}
}
