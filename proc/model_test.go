package proc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

const digest = "3f8eb4da87fa7a3c9da615036b0dc418d31fef2a30b115ff33562588b32c691d"

// mapping is a line of maps.
func mapping(from, size, offset uint64, flags, path string) string {
	return fmt.Sprintf("%x-%x %s %08x fe:00 1234                       %s\n", from, from+size, flags, offset, path)
}

const gib = 1 << 30

// models gives what a process with these mappings and open files is known to have.
func models(t *testing.T, maps string, open map[string]string) []oomdoc.ModelFile {
	t.Helper()
	tr := newTree(t)
	tr.add(fake{pid: 7, comm: "x", pages: 100, maps: maps, open: open})
	table, _ := newTable(t, tr, 16)
	refresh(t, table)
	got, found := table.Lookup(7, "x")
	if !found {
		t.Fatal("Lookup(7) found nothing")
	}
	return got.Models
}

func TestModelsAreNamedByTheirPaths(t *testing.T) {
	const hub = "/root/.cache/huggingface/hub/models--bartowski--Llama-3.2-3B-Instruct-GGUF"
	tests := []struct{ path, want string }{
		{"/models/Llama-3-8B.Q4_K_M.gguf", "Llama-3-8B.Q4_K_M.gguf"},
		{"/models/Llama-3-8B.Q4_K_M.gguf (deleted)", "Llama-3-8B.Q4_K_M.gguf"},
		{"/models/a b/with space.gguf", "with space.gguf"},
		{"/models/GLM-4.5-Q4-00002-of-00003.gguf", "GLM-4.5-Q4.gguf"},
		{"/data/Qwen2.5-7B/model-00001-of-00004.safetensors", "Qwen2.5-7B"},
		{"/data/Qwen2.5-7B/model.safetensors", "Qwen2.5-7B"},
		{"/data/lora/adapter_model.safetensors", "lora"},
		{"/data/sdxl/unet/diffusion_pytorch_model.fp16.safetensors", "sdxl"},
		{"/data/sdxl/text_encoder_2/model.safetensors", "sdxl"},
		{"/opt/ComfyUI/models/checkpoints/flux1-dev-fp8.safetensors", "flux1-dev-fp8.safetensors"},
		{hub + "/snapshots/abc/Llama-3.2-3B-Instruct-Q4_K_M.gguf", "bartowski/Llama-3.2-3B-Instruct-GGUF/Llama-3.2-3B-Instruct-Q4_K_M.gguf"},
		{hub + "/blobs/" + digest, "bartowski/Llama-3.2-3B-Instruct-GGUF"},
		{"/hub/models--gpt2/blobs/" + digest, "gpt2"},
		{"/usr/share/ollama/.ollama/models/blobs/sha256-" + digest, "sha256-3f8eb4da87fa"},
		{"/home/u/.lmstudio/models/lmstudio-community/gemma-3-GGUF/gemma-3-Q4_K_M.gguf", "lmstudio-community/gemma-3-GGUF/gemma-3-Q4_K_M.gguf"},
		{"/model.safetensors", "model.safetensors"},
		{"/whisper/ggml-large-v3.bin", "ggml-large-v3.bin"},
	}
	for _, tt := range tests {
		got := models(t, mapping(0x7f0000000000, gib, 0, "r--s", tt.path), nil)
		want := []oomdoc.ModelFile{{Path: strings.TrimSuffix(tt.path, " (deleted)"), Name: tt.want, Bytes: gib, Open: true}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.path, diff)
		}
	}
}

func TestWhatIsNoModelIsNone(t *testing.T) {
	for _, path := range []string{
		"/usr/lib/locale/locale-archive", "/opt/app/v8_context_snapshot.bin", "/usr/lib/x86_64-linux-gnu/libc.so.6",
		"/x/models/blobs/sha256-" + digest, "/x/blobs/sha256-" + strings.Repeat("z", 64), "/hub/models--a--b/blobs/" + digest,
		"[heap]", "anon_inode:[perf_event]", "/dev/nvidia0", "/dev/shm/x (deleted)",
	} {
		if got := models(t, mapping(0x7f0000000000, 1<<20, 0, "r--p", path), nil); len(got) != 0 {
			t.Errorf("1 MiB of %s is taken for the model %+v", path, got)
		}
	}
}

func TestPiecesAreOneModelAndTheLargestComesFirst(t *testing.T) {
	maps := mapping(0x1000, 4096, 0, "r-xp", "/usr/bin/llama-server") +
		mapping(0x10000000, 100<<20, 0, "r--s", "/m/mmproj-model-f16.gguf")
	for piece := range uint64(3) {
		path := fmt.Sprintf("/m/big-%05d-of-00003.gguf", piece+1)
		// A file is mapped in parts where some of it was given back.
		maps += mapping(0x7f0000000000+piece<<34, 1<<20, 0, "r--s", path) + mapping(0x7f0000000000+piece<<34+1<<30, 1<<30, 1<<30, "r--s", path)
	}
	want := []oomdoc.ModelFile{
		{Path: "/m/big-00001-of-00003.gguf", Name: "big.gguf", Bytes: 3 << 31, Open: true},
		{Path: "/m/mmproj-model-f16.gguf", Name: "mmproj-model-f16.gguf", Bytes: 100 << 20, Open: true},
	}
	if diff := cmp.Diff(want, models(t, maps, nil)); diff != "" {
		t.Errorf("models (-want +got):\n%s", diff)
	}
}

func TestHostileMapsCostNothingButThemselves(t *testing.T) {
	good := mapping(0x7f0000000000, gib, 0, "r--s", "/m/good.gguf")
	names := []string{`/m/nl\012pid=1.gguf`, "/m/\x1b[31mred.gguf", "/m/\xff\xfe.gguf", "/m/../../etc/shadow.gguf", "/.gguf", "/blobs/sha256-.gguf", "/models--/blobs/x.gguf"}
	hostile := good
	for _, name := range names {
		hostile += mapping(0x7f0000000000, gib, 0, "r--s", name)
	}
	got := models(t, hostile, nil)
	if len(got) == 0 || len(got) > 8 {
		t.Fatalf("%d models are kept", len(got))
	}
	for _, m := range got {
		if len(m.Name) > 200 || strings.ToValidUTF8(m.Name, "") != m.Name {
			t.Errorf("the name %q is kept", m.Name)
		}
	}
	for name, maps := range map[string]string{
		"a million lines":  good + strings.Repeat(mapping(0x1000, 0x1000, 0, "rw-p", ""), 1_000_000),
		"numbers too big":  good + "fffffffffffffffff-1 r--p 0 0 0 /a.gguf\n0-ffffffffffffffff r--p ffffffffffffffff 0 0 /b.gguf\n5-1 r--p 0 0 0 /c.gguf\n",
		"lines cut":        good + "7f00-7f01 r--s 000",
		"an endless line":  strings.Repeat("/x", 1<<20) + "\n" + good,
		"an endless path":  good + mapping(1, 4096, 0, "r--s", "/"+strings.Repeat("x", 12000)+".gguf"),
		"many models":      good + strings.Repeat(mapping(0x1000, 0x1000, 0, "r--s", "/m/a.gguf")+mapping(0x1000, 0x1000, 0, "r--s", "/m/b.gguf"), 5000),
		"no maps at all":   "",
		"nothing but zero": strings.Repeat("\x00", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			got := models(t, maps, nil)
			if len(got) > 8 {
				t.Errorf("%d models are kept", len(got))
			}
			for _, m := range got {
				if m.Bytes < 0 || len(m.Path) > 1024 {
					t.Errorf("the model %+v is kept", m)
				}
			}
		})
	}
}

func TestAModelThatIsBeingReadIsSeenByItsDescriptor(t *testing.T) {
	folder := t.TempDir()
	path := folder + "/weights.gguf"
	newFile(t, path, 5<<20)
	got := models(t, mapping(0x1000, 0x1000, 0, "r-xp", "/usr/bin/llama-server"), map[string]string{"0": "/dev/null", "3": path, "4": "socket:[1]", "5": folder, "9": folder + "/gone.gguf"})
	if want := []oomdoc.ModelFile{{Path: path, Name: "weights.gguf", Bytes: 5 << 20, Open: true}}; !cmp.Equal(want, got) {
		t.Errorf("models are %+v, want %+v", got, want)
	}
}

func TestTheModelOfACommandLine(t *testing.T) {
	tests := []struct{ engine, cmdline, want string }{
		{"llama.cpp", "llama-server -m /m/x.gguf -c 8192", "/m/x.gguf"},
		{"llama.cpp", "llama-server --model=/m/x.gguf", "/m/x.gguf"},
		{"llama.cpp", "llama-server -hf org/name:Q4_K_M", "org/name:Q4_K_M"},
		{"vllm", "vllm serve Qwen/Qwen3-8B --max-model-len 32k", "Qwen/Qwen3-8B"},
		{"vllm", "python3 -m vllm.entrypoints.openai.api_server --model Qwen/Qwen3-8B", "Qwen/Qwen3-8B"},
		{"vllm", "vllm serve --config x.yaml", ""},
		{"sglang", "python3 -m sglang.launch_server --model-path org/name", "org/name"},
		{"tgi", "text-generation-launcher --model-id org/name", "org/name"},
		{"pytorch", "python3 -m train --model_name_or_path org/name", "org/name"},
		{"python", "python3 -m http.server", ""},
		{"ollama", "ollama run llama3.2:3b", "llama3.2:3b"},
		{"ollama", "ollama runner --model /x/blobs/sha256-0 --ctx-size 8192", "/x/blobs/sha256-0"},
		{"", "", ""},
		{"llama.cpp", "llama-server -m", ""},
	}
	for _, tt := range tests {
		if got := proc.ModelOf(tt.engine, strings.Fields(tt.cmdline)); got != tt.want {
			t.Errorf("ModelOf(%s, %q) = %q, want %q", tt.engine, tt.cmdline, got, tt.want)
		}
	}
}
