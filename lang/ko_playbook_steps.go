package lang

import "github.com/oomdoc/oomdoc"

func koreanSettingSteps() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"step.flag":               "다음 옵션으로 시작하세요: {new}",
		"step.flag-change":        "{old} → {new}",
		"step.flag-frees":         "{old} → {new}: {frees} 확보",
		"step.flag-frees-missing": "{old} → {new}: {frees} 확보(부족했던 양 {missing})",
		"step.flag-drop":          "다음 옵션을 빼세요: {old}",
		"step.flag-unit":          "명령줄은 유닛의 ExecStart=에 있습니다:",
		"step.flag-pod":           "Kubernetes에서는 컨테이너의 args입니다.",
		"step.flag-container":     "컨테이너의 명령에 넣습니다(compose 파일의 command:).",
		"step.python":             "파이썬 코드에서: {code}",
		"step.config":             "설정이나 요청에서: {code}",
		"step.prompt":             "프롬프트에서: {code}",
		"step.setting-since":      "{what}: {engine} {version}부터 쓸 수 있습니다.",
		"step.setting-until":      "{what}: {engine} {version} 이전 버전용입니다.",

		"step.env-unit":      "유닛의 [Service] 부분에: {line}",
		"step.env-pod":       "Kubernetes에서는 컨테이너의 env에 추가합니다. name: {name}, value: {value}",
		"step.env-container": "컨테이너를 시작할 때 {option} (compose 파일의 environment:)",
		"step.env-shell":     "프로그램을 시작하기 전에 셸에서:",
		"step.env-ollama":    "Ollama 설치 프로그램이 만든 유닛의 [Service] 부분에: {line}",

		"step.together":     "이것만으로는 부족합니다. \"{other}\"까지 함께 하면 최대 {sum}가 확보됩니다(부족했던 양 {missing}).",
		"step.none-does":    "이것만으로는 부족합니다. 부족했던 양은 {missing}입니다.",
		"step.dead-setting": "{setting}: 이제 쓸모가 없는 설정입니다. {engine} {version} 버전은 이 값을 따르지 않습니다. 대신 쓸 것: {instead}",
	}
}

func koreanEngineSteps() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"step.smaller-batch":        "실행될 때까지 배치 크기나 입력의 크기·길이를 절반씩 줄이세요.",
		"step.array-pieces":         "배열을 나눠 처리하고, 다 쓴 것은 다음 부분 전에 지우세요.",
		"step.torch-batch":          "실행될 때까지 배치 크기(또는 길이, 해상도, 이미지 수)를 절반씩 줄이세요. 모르겠으면 1부터 시작하세요.",
		"step.torch-references":     "텐서 대신 숫자만 남기세요: loss 대신 loss.item(), 결과는 .detach().cpu(), output_hidden_states는 끄기.",
		"step.torch-lists":          "데이터셋은 NumPy 배열이나 텐서로 두세요. 파이썬 객체 리스트는 워커마다 조금씩 복사됩니다.",
		"step.pinned-wsl":           "WSL에서는 램의 일부만 고정할 수 있습니다. 그 밖에는 ulimit -l을 확인하세요.",
		"step.chat-history":         "대화 기록을 줄이세요. 다시 함께 보내는 내용도 모두 컨텍스트입니다.",
		"step.diffusers-cuda":       "그 앞의 .to(\"cuda\")는 빼세요. 모두 GPU에 먼저 올려 버립니다.",
		"step.llama-fit":            "-ngl을 빼면 llama.cpp가 들어갈 레이어 수를 알아서 정합니다(--fit, 2025-12부터). 그 이전 버전이면 값을 절반으로 줄이세요.",
		"step.ollama-num-gpu":       "요청과 Modelfile에서 num_gpu를 빼세요. 이 값이 자동 맞춤을 끕니다.",
		"step.lms-guardrails":       "LM Studio가 부족할 것으로 보고 미리 막은 것입니다. 얼마나 조심할지는 설정의 modelLoadingGuardrails에서 정합니다.",
		"step.gguf-q4":              "같은 모델 중 Q4_K_M.gguf로 끝나는 파일을 고르세요.",
		"step.exllama-split":        "gpu_split에서 첫 번째 GPU의 값을 줄여 캐시 자리를 남기거나, lazy 캐시와 load_autosplit을 쓰세요.",
		"step.exllama-bpw":          "bpw가 더 낮은 모델(4.0bpw 이하)을 고르세요.",
		"step.transformers-upgrade": "또는 transformers를 업그레이드하세요. 새 버전은 양자화할 때 미리 읽어 두지 않습니다.",
		"step.packed-checkpoint":    "이미 양자화된 체크포인트(FP8, NVFP4, AWQ)를 쓰세요.",
		"step.comfy-tiled":          "워크플로에서 VAE Decode를 VAE Decode (Tiled)로 바꾸세요.",
		"step.comfy-smaller":        "워크플로에서 이미지 크기, 또는 한 번에 만드는 이미지·프레임 수를 줄이세요.",
		"step.forge-offload":        "Forge에서는 GPU 가중치 슬라이더를 낮추거나 --always-offload-from-vram으로 시작하세요.",
		"step.smaller-image":        "이미지를 작게, 한 장씩 만들고 나중에 확대하세요.",
		"step.forge-quantized":      "Forge에서는 NF4나 GGUF 모델을 쓰거나 --unet-in-fp8-e4m3fn으로 시작하세요.",
		"step.python-pieces":        "리스트 하나에 모두 담지 말고 나눠서 읽고 처리하세요(제너레이터, 파일 청크).",
		"step.native-pieces":        "데이터를 나눠 처리하세요. 요청한 크기는 로그에 있습니다.",
	}
}
