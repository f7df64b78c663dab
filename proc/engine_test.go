package proc_test

import (
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/proc"
)

func TestTheEngineOfAProcess(t *testing.T) {
	tests := []struct {
		name                             string
		comm, cmdline, exe, dir, library string
		parent                           string
		want                             string
	}{
		{name: "vLLM's server", comm: "vllm", cmdline: "/opt/venv/bin/python3 /opt/venv/bin/vllm serve Qwen/Qwen3-8B", want: "vllm"},
		{name: "vLLM's engine, renamed", comm: "VLLM::EngineCor", cmdline: "VLLM::EngineCore", want: "vllm"},
		{name: "vLLM's worker before it renames itself", comm: "python3", cmdline: "python3 -c from|multiprocessing.spawn", parent: "vllm", want: "vllm"},
		{name: "vLLM as a module", comm: "python3", cmdline: "python3 -m vllm.entrypoints.openai.api_server --model x", want: "vllm"},
		{name: "SGLang", comm: "python3", cmdline: "python3 -m sglang.launch_server --model-path x", want: "sglang"},
		{name: "SGLang's scheduler", comm: "sglang::schedul", want: "sglang"},
		{name: "TGI's launcher", comm: "text-generation", exe: "/usr/local/bin/text-generation-launcher", want: "tgi"},
		{name: "Ollama's server", comm: "ollama", cmdline: "/usr/local/bin/ollama serve", want: "ollama"},
		{name: "Ollama's runner", comm: "ollama", cmdline: "/usr/local/bin/ollama runner --model /x/blobs/sha256-0", want: "ollama"},
		{name: "Ollama's llama-server", comm: "llama-server", exe: "/usr/local/lib/ollama/llama-server", want: "ollama"},
		{name: "Ollama's llama-server somewhere else", comm: "llama-server", exe: "/opt/o/llama-server", parent: "ollama", want: "ollama"},
		{name: "llama-server", comm: "llama-server", cmdline: "/opt/llama.cpp/build/bin/llama-server -m x.gguf", want: "llama.cpp"},
		{name: "llama-server below a shell", comm: "llama-server", parent: "", want: "llama.cpp"},
		{name: "a thread of llama-server", comm: "http-worker-3", exe: "/usr/bin/llama-server", want: "llama.cpp"},
		{name: "a deleted llama-server", comm: "x", exe: "/usr/bin/llama-server (deleted)", want: "llama.cpp"},
		{name: "LM Studio's engine", comm: "node", exe: "/home/u/.lmstudio/.internal/utils/node", want: "lmstudio"},
		{name: "LM Studio's AppImage", comm: "lm-studio", exe: "/tmp/.mount_LM-Stua/lm-studio", want: "lmstudio"},
		{name: "koboldcpp's binary", comm: "koboldcpp-linux", exe: "/opt/koboldcpp-linux-x64", want: "koboldcpp"},
		{name: "koboldcpp's script", comm: "python3", cmdline: "python3 koboldcpp.py --model x.gguf", want: "koboldcpp"},
		{name: "text-generation-webui", comm: "python3", cmdline: "python3 server.py --listen", dir: "/srv/text-generation-webui", want: "textgen-webui"},
		{name: "its llama-server", comm: "llama-server", exe: "/srv/env/lib/python3.11/site-packages/llama_cpp_binaries/bin/llama-server", want: "textgen-webui"},
		{name: "ComfyUI by its folder", comm: "python", cmdline: "python main.py --listen", dir: "/home/u/ComfyUI", library: "libtorch_", want: "comfyui"},
		{name: "ComfyUI by its script", comm: "python", cmdline: "/venv/bin/python -s /opt/ComfyUI-master/main.py", want: "comfyui"},
		{name: "a shell in ComfyUI's folder", comm: "bash", cmdline: "bash", dir: "/home/u/ComfyUI", want: ""},
		{name: "a web UI", comm: "python3", cmdline: "python3 -u launch.py --xformers", dir: "/home/u/stable-diffusion-webui-forge", want: "a1111"},
		{name: "torchrun", comm: "torchrun", cmdline: "/venv/bin/python /venv/bin/torchrun --nproc-per-node 8 train.py", want: "pytorch"},
		{name: "a rank of torchrun", comm: "python", cmdline: "/venv/bin/python -u train.py", parent: "pytorch", want: "pytorch"},
		{name: "a rank that renamed itself", comm: "pt_main_thread", cmdline: "/venv/bin/python -u train.py", want: "pytorch"},
		{name: "a script on PyTorch", comm: "python3", cmdline: "python3 train.py", library: "libtorch_", want: "pytorch"},
		{name: "a script on JAX", comm: "python3", cmdline: "python3 train.py", library: "xla_extension", want: "jax"},
		{name: "llama-cpp-python", comm: "python3", cmdline: "python3 -m llama_cpp.server --model x.gguf", want: "llama.cpp"},
		{name: "DeepSpeed", comm: "deepspeed", cmdline: "/venv/bin/python /venv/bin/deepspeed train.py", want: "deepspeed"},
		{name: "its rank", comm: "python", cmdline: "/venv/bin/python -u train.py --local_rank=0", library: "libtorch_", parent: "deepspeed", want: "deepspeed"},
		{name: "TensorRT-LLM", comm: "trtllm-serve", want: "tensorrt-llm"},
		{name: "Triton server", comm: "tritonserver", want: "triton-server"},
		{name: "whisper.cpp", comm: "whisper-server", want: "whisper.cpp"},
		{name: "Java", comm: "java", cmdline: "java -Xmx8g -jar a.jar", want: "java"},
		{name: "Java's thread", comm: "pool-1-thread-1", exe: "/usr/lib/jvm/bin/java", want: "java"},
		{name: "Node", comm: "node", want: "node"},
		{name: "any Python", comm: "python3.12", cmdline: "python3.12 -W ignore -X dev train.py", want: "python"},
		{name: "a script about vLLM", comm: "python3", cmdline: "python3 notes/vllm.txt", want: "python"},
		{name: "Python's child that is none", comm: "ffmpeg", parent: "vllm", want: ""},
		{name: "a pythonista", comm: "pythonista", want: ""},
		{name: "nothing known", want: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			facts := oomdoc.ProcessFacts{Comm: tt.comm, Exe: tt.exe, Dir: tt.dir}
			for argument := range strings.FieldsSeq(tt.cmdline) {
				facts.Cmdline = append(facts.Cmdline, strings.ReplaceAll(argument, "|", " "))
			}
			if got := proc.EngineOf(&facts, tt.library, tt.parent); got != tt.want {
				t.Errorf("EngineOf(%q, %q) = %q, want %q", tt.comm, tt.cmdline, got, tt.want)
			}
		})
	}
}
