package playbook

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

// TestEverySettingSaysFromWhenItHoldsAndWhereThatIsWritten is the schema of the
// tables of engines.
func TestEverySettingSaysFromWhenItHoldsAndWhereThatIsWritten(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range settings() {
		name := s.engine + " " + string(s.measure) + " " + s.text + string(s.words)
		if seen[name] {
			t.Errorf("%s stands twice", name)
		}
		seen[name] = true
		if s.engine == "" || s.since == "" || s.source == "" {
			t.Errorf("%s lacks its engine, its version or its source", name)
		}
		if _, known := treatments()[s.measure]; !known {
			t.Errorf("%s: there is no such measure", name)
		}
		if (s.place == inWords) != (s.words != "") || (s.place == inWords) == (s.text != "") {
			t.Errorf("%s: words are for inWords alone, and text for all others", name)
		}
		if s.until != "" && !older(s.since, s.until) {
			t.Errorf("%s holds from %s until %s", name, s.since, s.until)
		}
		if s.place == outOfCommand && len(s.names) == 0 {
			t.Errorf("%s: how is it found in a command line?", name)
		}
		if s.place == inEnvironment && !strings.Contains(s.text, "=") {
			t.Errorf("%s sets no variable", name)
		}
		for _, option := range s.names {
			if !strings.HasPrefix(option, "-") {
				t.Errorf("%s: %s is no option", name, option)
			}
		}
		if s.place == inShell {
			text := strings.ReplaceAll(s.text, "{n}", "4096")
			if out, err := exec.Command("bash", "-n", "-c", text).CombinedOutput(); err != nil {
				t.Errorf("%s: %v %s", name, err, out)
			}
		}
	}
	for _, d := range deadSettings() {
		if d.name == "" || d.engine == "" || d.since == "" || d.source == "" || d.instead == "" {
			t.Errorf("%+v lacks something", d)
		}
	}
}

// TestEveryTreatmentHasAFixAndWords holds the table of measures against the fixes
// of the contract, and that each can come to steps for some engine.
func TestEveryTreatmentHasAFixAndWords(t *testing.T) {
	english, err := lang.New(lang.English)
	if err != nil {
		t.Fatal(err)
	}
	used := map[measure]bool{}
	for _, table := range [][]choice{nothingShort(), hostChoices(), deviceChoices()} {
		for _, c := range table {
			for _, r := range kinds() {
				measures := c.measures(r)
				for _, m := range measures {
					used[m] = true
					if _, known := treatments()[m]; !known {
						t.Errorf("the table of choices has %s, which is no measure", m)
					}
				}
				if unique := slices.Compact(slices.Sorted(slices.Values(measures))); len(unique) != len(measures) {
					t.Errorf("a measure stands twice in %v", measures)
				}
			}
		}
	}
	for m, treat := range treatments() {
		if treat.number < numberReclaim || treat.number > numberDownsize {
			t.Errorf("%s has the number %d", m, treat.number)
		}
		for _, key := range []oomdoc.Key{treat.title, treat.why} {
			if text := english.Text(oomdoc.Say(key, nil)); key == "" || strings.ContainsAny(text, "[{") {
				t.Errorf("%s: %q", m, text)
			}
		}
		if !used[m] {
			t.Errorf("nothing chooses %s", m)
		}
		has := slices.ContainsFunc(settings(), func(s setting) bool { return s.measure == m })
		if treat.steps == nil && !has {
			t.Errorf("%s has no steps for any engine", m)
		}
	}
}

// kinds are refusals of the kinds that rows of the table tell apart by themselves.
func kinds() []*refused {
	of := func(e oomdoc.ProgramError, cmdline ...string) *refused {
		return newRefused(&oomdoc.Incident{Process: &oomdoc.Process{Cmdline: cmdline}}, &e, oomdoc.Facts{})
	}
	return []*refused{
		of(oomdoc.ProgramError{}),
		of(oomdoc.ProgramError{Clues: []oomdoc.Clue{{Kind: oomdoc.ClueCode, Name: oomdoc.CodeDecode}}}),
		of(oomdoc.ProgramError{Engine: oomdoc.EngineComfyUI, Free: new(int64(0)), Total: new(int64(gib))}),
		of(oomdoc.ProgramError{Engine: oomdoc.EngineA1111}, "launch.py", "--lowvram"),
		of(oomdoc.ProgramError{Engine: oomdoc.EngineSGLang, Line: "Decode out of memory. Try to lower your batch size."}),
	}
}

func TestVersionsAreComparedPartByPart(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{{"0.9", "0.30", true}, {"0.30", "0.9", false}, {"2025-08", "2025-12", true}, {"2.1", "2.1", false}, {"1", "1.5", true}, {"4.0 of transformers", "4.56", true}} {
		if got := older(c.a, c.b); got != c.want {
			t.Errorf("older(%q, %q) = %t", c.a, c.b, got)
		}
	}
}

func TestTheBitsOfAModelAreReadFromItsName(t *testing.T) {
	for name, want := range map[string]float64{
		"/models/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf": 4.89, "/models/q4.gguf": 4.89, "m-7b-f16.gguf": 16,
		"TheBloke/Llama-2-13B-chat-GPTQ": 4.156, "Qwen/Qwen2.5-32B-Instruct-AWQ": 4.156, "unsloth/gemma-3-27b-it-bnb-4bit": 4.5,
		"turboderp/Mixtral-8x7B-exl2-3.5bpw": 3.5, "x-IQ3_XXS.gguf": 3.25, "openai/gpt-oss-20b": 0, "my-awqward-model": 0, "q40": 0,
	} {
		r := newRefused(&oomdoc.Incident{}, &oomdoc.ProgramError{Engine: oomdoc.EngineLlamaCpp, Model: name}, oomdoc.Facts{})
		if got, _ := r.bits(); got != want {
			t.Errorf("%s has %v bits, want %v", name, got, want)
		}
	}
}

func TestACommandLineIsReadAsProgramsDo(t *testing.T) {
	line := commandLine{"llama-server", "-c", "131072", "--ctx-size=8192", "--gpu_memory_utilization", "0.9", "--no-mmap", "-np", "-1", "OLLAMA_MAX_VRAM=1"}
	if typed, value, found := line.find("-c", "--ctx-size"); !found || value != "8192" || typed != "--ctx-size=8192" {
		t.Errorf("the last of two is %q %q", typed, value)
	}
	if f, has := line.fraction("--gpu-memory-utilization"); !has || f != 0.9 {
		t.Errorf("a share is read as %v %t", f, has)
	}
	if typed, value, found := line.find("--no-mmap"); !found || value != "" || typed != "--no-mmap" {
		t.Errorf("an option without a value is %q %q", typed, value)
	}
	if _, has := line.number("-np"); has {
		t.Error("a number below zero counts")
	}
	if !line.assigned("OLLAMA_MAX_VRAM") || line.assigned("MAX_VRAM") {
		t.Error("a variable is not found, or a part of its name is")
	}
}
