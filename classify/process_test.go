package classify_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/classify"
)

func TestOnlyACgroupThatRootAloneCanMakeIsASelftest(t *testing.T) {
	cases := map[string]bool{
		"/oomdoc-selftest-0123abcd":                                        true,
		"/system.slice/oomdoc-selftest-0123abcd.service":                   true,
		"/system.slice/oomdoc-selftest-0123abcd.scope":                     true,
		"/oomdoc-selftest-":                                                false,
		"/oomdoc-selftest-xyz":                                             false,
		"/oomdoc-selftest-01/evil":                                         false,
		"/system.slice/evil.service/oomdoc-selftest-0123abcd":              false,
		"/system.slice/oomdoc-selftest-01.service/x":                       false,
		"/user.slice/user-1000.slice/user@1000.service/oomdoc-selftest-01": false,
		"/docker/x/oomdoc-selftest-01":                                     false,
		"/system.slice/hog.service":                                        false,
		"oomdoc-selftest-01":                                               false,
	}
	for path, want := range cases {
		report := limitReport()
		report.Summary.OOMMemcg, report.Summary.TaskMemcg = path, path
		if got := diagnose(report).Selftest; got != want {
			t.Errorf("%s: got %t", path, got)
		}
	}
}

func TestAVictimInASelftestGroupDoesNotHideAnotherKill(t *testing.T) {
	parent := limitReport()
	parent.Summary.OOMMemcg, parent.Summary.TaskMemcg = "/system.slice", "/system.slice/oomdoc-selftest-01.service"
	global := hostReport()
	global.Summary.TaskMemcg = "/oomdoc-selftest-01"
	for _, report := range []*oomdoc.KernelReport{parent, global} {
		if got := diagnose(report); got.Selftest {
			t.Errorf("%s is taken for a self-test", got.Cause)
		}
	}
}

func TestASuppressedSelftestIsKnownByTheSampleOnly(t *testing.T) {
	report := &oomdoc.KernelReport{Kills: limitReport().Kills, Suppressed: true}
	facts := oomdoc.Facts{Processes: map[int]oomdoc.ProcessFacts{100: {PID: 100, Cgroup: "/oomdoc-selftest-01"}}}
	if !classify.Diagnose(killEvent(report), facts).Selftest {
		t.Error("not known by the sample")
	}
	if classify.Diagnose(killEvent(report), oomdoc.Facts{}).Selftest {
		t.Error("known by nothing")
	}
}

func TestTheEngineIsNamedOnlyWhereItIsCertain(t *testing.T) {
	cases := []struct {
		comm, cmdline, want string
	}{
		{"python3", "", "python"},
		{"python3.12", "", "python"},
		{"python", "python train.py", "python"},
		{"pythonista", "", ""},
		{"java", "java -Xmx8g -jar app.jar", "java"},
		{"node", "", "node"},
		{"ollama", "", "ollama"},
		{"ollama_llama_se", "", "ollama"},
		{"llama-server", "llama-server -m x.gguf", "llama.cpp"},
		{"VLLM::EngineCor", "", "vllm"},
		{"sglang::schedul", "", "sglang"},
		{"ray::train", "", "ray"},
		{"python3", "python3 -m vllm.entrypoints.openai.api_server --model x", "vllm"},
		{"python3", "python3 /opt/venv/bin/vllm serve x", "vllm"},
		{"vllm", "/opt/venv/bin/python3 /opt/venv/bin/vllm serve x", "vllm"},
		{"python3", "python3 -m sglang.launch_server", "sglang"},
		{"python3", "python3 -u -m torch.distributed.run x", "pytorch"},
		{"python3", "python3 koboldcpp.py model.gguf", "koboldcpp"},
		{"python3", "python3 notes/vllm.txt", "python"},
		{"bash", "bash -c vllm", ""},
		{"postgres", "", ""},
		{"", "", ""},
	}
	for _, c := range cases {
		report := limitReport()
		report.Kills[0].Comm = c.comm
		facts := oomdoc.Facts{Processes: map[int]oomdoc.ProcessFacts{100: {PID: 100, Cmdline: strings.Fields(c.cmdline)}}}
		if got := classify.Diagnose(killEvent(report), facts).Process.Engine; got != c.want {
			t.Errorf("%q %q: got %q, want %q", c.comm, c.cmdline, got, c.want)
		}
	}
}

func TestTheUserIsThatOfTheKilledProcess(t *testing.T) {
	report := limitReport()
	report.Kills[0].UID = nil
	report.Summary.UID = 33
	if got := diagnose(report).Process.UID; got == nil || *got != 33 {
		t.Errorf("from the summary: got %v", deref(got))
	}
	report.Summary.PID = 4711 // the summary speaks of another
	report.Tasks[1].UID = 44
	if got := diagnose(report).Process.UID; got == nil || *got != 44 {
		t.Errorf("from the table: got %v", deref(got))
	}
	report.Tasks = nil
	if got := diagnose(report).Process.UID; got != nil {
		t.Errorf("from nothing: got %d", *got)
	}
}
