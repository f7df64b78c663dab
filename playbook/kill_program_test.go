package playbook_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/playbook"
)

// killed is a kill at a limit of 1 GiB of a process that was known.
func killed(comm, cmdline string, more oomdoc.ProcessFacts) (*oomdoc.KernelReport, oomdoc.Facts) {
	report := limitReport("/system.slice/llm.service")
	report.Summary.Task, report.Kills[0].Comm, report.Tasks[0].Name = comm, comm, comm
	more.PID, more.Comm, more.Cmdline = 100, comm, strings.Fields(cmdline)
	return report, oomdoc.Facts{RAMBytes: 16 * gib, Processes: map[int]oomdoc.ProcessFacts{100: more}}
}

// said are all sentences of some fixes.
func said(found []oomdoc.Fix) string {
	var text strings.Builder
	for _, fix := range found {
		all, _ := texts(fix)
		text.WriteString(fix.Title.Text + "\n" + fix.Why.Text + "\n" + strings.Join(all, "\n") + "\n")
	}
	return text.String()
}

func TestAKilledProgramIsToldItsOwnSettingsToo(t *testing.T) {
	const model = "/m/Llama-3-8B.f16.gguf"
	weights := oomdoc.ProcessFacts{Models: []oomdoc.ModelFile{{Path: model, Name: "Llama-3-8B.f16.gguf", Bytes: 700 * mib}}}
	with := func(facts oomdoc.ProcessFacts, env ...string) oomdoc.ProcessFacts {
		facts.Env = env
		return facts
	}
	tests := []struct {
		name, comm, cmdline string
		facts               oomdoc.ProcessFacts
		want                []string
		wantNot             []string
	}{
		{"llama-server that copies its model", "llama-server", "llama-server -m " + model + " --no-mmap -c 8192", weights,
			[]string{"Leave out --no-mmap", "700 MiB of its model were copied", "--cache-ram 512", "-c 8192 → -c 4096", "systemctl edit --full llm.service"}, nil},
		{"llama-server told so by its environment", "llama-server", "llama-server -m " + model, with(weights, "LLAMA_ARG_NO_MMAP=1", "LLAMA_ARG_CTX_SIZE=8192"),
			[]string{"Leave out LLAMA_ARG_NO_MMAP=1", "LLAMA_ARG_CTX_SIZE=8192 → LLAMA_ARG_CTX_SIZE=4096"}, nil},
		{"llama-server that maps it, with a long context", "llama-server", "llama-server -m " + model + " -c 131072 --cache-ram 256", weights,
			[]string{"-c 131072 → -c 32768", "-ctk q8_0"}, []string{"mmap", "--cache-ram"}},
		{"experts kept in RAM", "llama-server", "llama-server -m x.gguf --cpu-moe -c 4096", oomdoc.ProcessFacts{}, []string{"Leave out --cpu-moe"}, nil},
		{"Ollama's runner with two contexts", "ollama", "ollama runner --model /x --ctx-size 131072 --parallel 2", with(oomdoc.ProcessFacts{}, "OLLAMA_NUM_PARALLEL=2"),
			[]string{"num_ctx 16384", "LLAMA_ARG_CACHE_RAM=512"}, []string{"num_ctx 32768"}},
		{"vLLM", "VLLM::EngineCor", "VLLM::EngineCore --x", oomdoc.ProcessFacts{}, []string{"--mm-processor-cache-gb 0"}, nil},
		{"a training job with workers", "python3", "python3 train.py --num_workers 16", oomdoc.ProcessFacts{Engine: "pytorch"}, []string{"num_workers=2"}, []string{"torch_dtype"}},
		{"a heap as large as its limit", "java", "java -Xmx1g -jar app.jar", oomdoc.ProcessFacts{}, []string{"-Xmx768m", "1.0 GiB where there are 1.0 GiB"}, nil},
		{"a heap by the environment", "java", "java -jar app.jar", oomdoc.ProcessFacts{Env: []string{"JAVA_TOOL_OPTIONS=-Xmx2g"}}, []string{"-Xmx768m"}, nil},
		{"a heap that leaves room", "java", "java -Xmx512m -jar app.jar", oomdoc.ProcessFacts{}, nil, []string{"-Xmx"}},
		{"a program of no engine", "postgres", "postgres -c 8192", oomdoc.ProcessFacts{}, nil, []string{"→"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			report, facts := killed(tt.comm, tt.cmdline, tt.facts)
			found := fixes(t, report, facts)
			if len(found) == 0 || !strings.Contains(found[0].Title.Text, "limit") {
				t.Fatalf("the limit does not come first: %+v", found)
			}
			text := said(found)
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("nothing says %q:\n%s", want, text)
				}
			}
			for _, not := range tt.wantNot {
				if strings.Contains(text, not) {
					t.Errorf("it says %q:\n%s", not, text)
				}
			}
		})
	}
}

func TestAProgramThatHeldLittleIsNotToldToChange(t *testing.T) {
	report, facts := killed("llama-server", "llama-server -m x.gguf --no-mmap -c 131072", oomdoc.ProcessFacts{})
	report.Kills[0].AnonRSS = new(100 * mib)
	if text := said(fixes(t, report, facts)); strings.Contains(text, "--no-mmap") || strings.Contains(text, "131072") {
		t.Errorf("a tenth of the limit is its fault:\n%s", text)
	}
}

func TestAProgramOfUnknownOptionsIsNotToldToChange(t *testing.T) {
	report, facts := killed("llama-server", "", oomdoc.ProcessFacts{})
	if found := fixes(t, report, facts); len(found) != 1 {
		t.Errorf("%d fixes without a command line, want the limit alone: %+v", len(found), found)
	}
	report, _ = killed("llama-server", "", oomdoc.ProcessFacts{})
	if found := fixes(t, report, oomdoc.Facts{}); len(found) != 1 {
		t.Errorf("%d fixes without facts, want the limit alone: %+v", len(found), found)
	}
}

func TestAKillByAKillerInUserSpaceIsToldTheSettingsToo(t *testing.T) {
	comm := "llama-server"
	inc := oomdoc.Incident{Class: oomdoc.ClassHostRAM, Cause: oomdoc.CausePressureKill, Outcome: oomdoc.OutcomeKilled, Killer: oomdoc.KillerEarlyoom,
		Process: &oomdoc.Process{PID: 100, Name: &comm, Engine: oomdoc.EngineLlamaCpp, Cmdline: []string{"llama-server", "-c", "131072"}},
		Memory:  &oomdoc.Memory{RSSBytes: new(8 * gib)}}
	playbook.AttachUserKill(&inc, &oomdoc.UserKill{Killer: oomdoc.KillerEarlyoom}, oomdoc.Facts{RAMBytes: 16 * gib})
	if titled(inc.Fixes, "fix.shorten-context") == nil {
		t.Errorf("the context is not among the fixes: %+v", inc.Fixes)
	}
}
