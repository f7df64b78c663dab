package proc_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A world is the root folder that a made-up process sees.
type world struct {
	t    *testing.T
	root string
}

func (w world) write(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w world) link(name, target string) {
	w.t.Helper()
	path := filepath.Join(w.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(target, path); err != nil {
		w.t.Fatal(err)
	}
}

// named is what the model of a process is called that has file open and sees the
// world.
func (w world) named(file string) string {
	w.t.Helper()
	tr := newTree(w.t)
	tr.add(fake{pid: 7, comm: "x", pages: 100, maps: mapping(0x7f0000000000, gib, 0, "r--s", file)})
	tr.link("7/root", w.root)
	table, _ := newTable(w.t, tr, 16)
	refresh(w.t, table)
	got, _ := table.Lookup(7, "x")
	if len(got.Models) != 1 {
		w.t.Fatalf("models are %+v", got.Models)
	}
	return got.Models[0].Name
}

func manifest(digest string) string {
	return `{"schemaVersion":2,"config":{"digest":"sha256:c0"},"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:` + digest +
		`","size":4661211424},{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:11"}]}`
}

const (
	ollama = "/usr/share/ollama/.ollama/models"
	hub    = "/root/.cache/huggingface/hub/models--bartowski--Llama-3.2-3B-Instruct-GGUF"
)

func TestOllamasModelsAreCalledAsOllamaCallsThem(t *testing.T) {
	for place, want := range map[string]string{
		"registry.ollama.ai/library/llama3.1/8b":          "llama3.1:8b",
		"registry.ollama.ai/someone/mine/latest":          "someone/mine:latest",
		"hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF/Q4_0": "hf.co/bartowski/Llama-3.2-3B-Instruct-GGUF:Q4_0",
	} {
		w := world{t, t.TempDir()}
		w.write(ollama+"/manifests/registry.ollama.ai/library/other/1b", manifest(strings.Repeat("0", 64)))
		w.write(ollama+"/manifests/registry.ollama.ai/library/broken/1b", "{")
		w.write(ollama+"/manifests/"+place, manifest(digest))
		if got := w.named(ollama + "/blobs/sha256-" + digest); got != want {
			t.Errorf("the model of %s is called %q, want %q", place, got, want)
		}
	}
}

func TestHubModelsAreCalledByTheLinkOfASnapshot(t *testing.T) {
	const file = "Llama-3.2-3B-Instruct-Q4_K_M.gguf"
	for _, place := range []string{file, "Q4/" + file} {
		w := world{t, t.TempDir()}
		w.link(hub+"/snapshots/0123abc/config.json", "../../blobs/"+strings.Repeat("1", 40))
		w.link(hub+"/snapshots/0123abc/"+place, strings.Repeat("../", 2+strings.Count(place, "/"))+"blobs/"+digest)
		if got, want := w.named(hub+"/blobs/"+digest), "bartowski/Llama-3.2-3B-Instruct-GGUF/"+file; got != want {
			t.Errorf("the model of %s is called %q, want %q", place, got, want)
		}
	}
}

// What a container holds is its owner's: nothing of it may lead out of it, hang
// what reads it, or cost more than a bounded search.
func TestHostileWorldsTellNothing(t *testing.T) {
	outside := world{t, t.TempDir()}
	outside.write("library/secret/1b", manifest(digest))
	const short = "sha256-3f8eb4da87fa"
	tests := map[string]func(w world){
		"nothing there":      func(world) {},
		"manifests lead out": func(w world) { w.link(ollama+"/manifests/registry.ollama.ai", outside.root) },
		"a relative way out": func(w world) { w.link(ollama+"/manifests/registry.ollama.ai", strings.Repeat("../", 30)+outside.root) },
		"the models folder leads out": func(w world) {
			w.link(ollama, outside.root)
		},
		"a loop": func(w world) {
			w.link(ollama+"/manifests/a", "b")
			w.link(ollama+"/manifests/b", "a")
			w.link(ollama+"/manifests/c/d", "../../manifests")
		},
		"a pipe": func(w world) {
			w.write(ollama+"/manifests/registry.ollama.ai/library/x/other", "{}")
			if err := syscall.Mkfifo(filepath.Join(w.root, ollama, "manifests/registry.ollama.ai/library/x/1b"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"too many": func(w world) {
			for i := range 200 {
				for j := range 50 {
					w.write(fmt.Sprintf("%s/manifests/r/l/m%d/t%d", ollama, i, j), "{")
				}
			}
		},
		"a manifest of a GiB": func(w world) {
			w.write(ollama+"/manifests/registry.ollama.ai/library/x/1b", "")
			if err := os.Truncate(filepath.Join(w.root, ollama, "manifests/registry.ollama.ai/library/x/1b"), 1<<30); err != nil {
				t.Fatal(err)
			}
		},
		"JSON of another kind": func(w world) { w.write(ollama+"/manifests/r/l/m/t", `{"layers":"sha256:`+digest+`"}`) },
	}
	for name, make := range tests {
		t.Run(name, func(t *testing.T) {
			w := world{t, t.TempDir()}
			make(w)
			if got := w.named(ollama + "/blobs/sha256-" + digest); got != short {
				t.Errorf("the model is called %q, want %q", got, short)
			}
		})
	}
}

func TestANameThatIsHostileIsWrittenAsText(t *testing.T) {
	w := world{t, t.TempDir()}
	w.write(ollama+"/manifests/registry.ollama.ai/library/\xff\xfe"+strings.Repeat("x", 200)+"/1b", manifest(digest))
	got := w.named(ollama + "/blobs/sha256-" + digest)
	if strings.ToValidUTF8(got, "") != got || len(got) > 170 {
		t.Errorf("the model is called %q", got)
	}
}
