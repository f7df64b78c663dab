package lang

import (
	"testing"

	"github.com/oomdoc/oomdoc"
)

func TestParticleFollowsTheLastSound(t *testing.T) {
	for _, test := range []struct{ pair, right, wrong string }{
		{"은/는", "은", "는"}, {"이/가", "이", "가"}, {"을/를", "을", "를"}, {"과/와", "과", "와"},
	} {
		for text, want := range map[string]string{
			"램": test.right, "커널": test.right, "메모리": test.wrong,
		} {
			if got := particle(text, test.pair); got != want {
				t.Errorf("%s with %s: %s, want %s", text, test.pair, got, want)
			}
		}
	}
}

// What the sentences put before a particle: units, numbers, names of programs,
// of units and of files.
func TestParticleOfWhatIsRead(t *testing.T) {
	for _, row := range []struct {
		particle string
		texts    []string
	}{
		{"으로", []string{
			"램", "VRAM", "0", "3", "6", "10", "200", "스왑", "swap", "python", "hogger.main", "engine", "chrome", "kubelet", "slack", "app",
			"LM", "vLLM", "GPU 0", "nohang", "earlyoom", "SGLang", "Triton", "Slurm", "web", "(램)", "python(PID 2)", "\"램\"", "12분", "제한", "ROCm", "cgroup", "webhook", "a.out", "/dev/shm",
		}},
		{"로", []string{
			"8", "1", "17", "커널", "kernel", "3개월", "SIGKILL", "module", "file", "URL", "R", "3일",
		}},
		{"로", []string{
			"server(PID 3)", "8.0GiB", "512 MiB", "40KiB", "3.0TiB", "50%", "350ms", "12s", "2", "4", "5", "9", "메모리",
			"docker", "ollama.service", "user.slice", "session-3.scope", "PyTorch", "TensorFlow", "ComfyUI", "llama.cpp",
			"systemd", "systemd-oomd", "java", "node", "root", "loop", "leak", "disk", "pod", "hog", "postgres", "C++",
			"", "()", "日本", "server", "TGI", "JAX", "DeepSpeed", "free", "service", "Ray", "CUDA", "task", "bash",
		}},
	} {
		for _, text := range row.texts {
			if got := particle(text, "으로/로"); got != row.particle {
				t.Errorf("%q: %s, want %s", text, got, row.particle)
			}
		}
	}
}

func TestParticleStandsInATemplate(t *testing.T) {
	korean, err := New(Korean)
	if err != nil {
		t.Fatal(err)
	}
	for template, want := range map[string]string{
		"{name:이/가} 있습니다":                 "python이 있습니다",
		"{name}(PID {pid}){:이/가} 있습니다":    "python(PID 2)이 있습니다",
		"제한 {size:으로/로} {name:을/를} {n|번}": "제한 8.0GiB로 python을 12,000번",
	} {
		got := korean.fill(template, oomdoc.Args{
			"name": oomdoc.Text("python"), "pid": oomdoc.Count(2), "size": oomdoc.Bytes(8 << 30), "n": oomdoc.Count(12000),
		})
		if got != want {
			t.Errorf("%q gives %q, want %q", template, got, want)
		}
	}
}

// What stands before a particle is a name from outside.
func FuzzParticleIsOneOfItsPair(f *testing.F) {
	for _, text := range []string{"", "e", "(", "a)", "vLLM", "PyTorch", "램", "\xff", "GiB(", "ROCm)"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if got := particle(text, "으로/로"); got != "으로" && got != "로" {
			t.Errorf("%q is followed by %q", text, got)
		}
	})
}
