package lang

import "github.com/oomdoc/oomdoc"

func koreanPrograms() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		koreanProgramSummaries(),
		koreanProgramEvidence(),
		koreanClues(),
	})
}

func koreanProgramSummaries() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"word.a-program": "프로그램",

		"summary.program-single":            "{who}: GPU 메모리 {requested}를 한 번에 요청했습니다. 그래픽카드 전체({total})보다 큽니다.",
		"summary.program-pieces":            "{who}: GPU 메모리 {requested} 할당에 실패했습니다. 메모리는 있었지만 {pieces}가 조각난 채 쓰이지 않고 있었습니다(파편화).",
		"summary.program-reservation":       "{who}: 그래픽카드가 아니라 프로그램 자체의 GPU 메모리 상한선에 도달했습니다.",
		"summary.program-reservation-sized": "{who}: GPU 메모리 {requested} 할당이 그래픽카드가 아니라 프로그램 자체의 상한선에 걸렸습니다.",
		"summary.program-others":            "{who}: GPU에 자리가 없었습니다. 전체 {total} 중 {others}를 다른 프로세스가 점유하고 있었습니다.",
		"summary.program-kv":                "{who}: KV 캐시에 쓸 GPU 메모리가 부족했습니다. 컨텍스트가 너무 깁니다.",
		"summary.program-kv-sized":          "{who}: KV 캐시에 쓸 GPU 메모리 {requested}를 얻지 못했습니다. 컨텍스트가 너무 깁니다.",
		"summary.program-weights":           "{who}: 모델을 불러오다가 GPU 메모리가 부족해졌습니다.",
		"summary.program-weights-sized":     "{who}: 모델을 불러오다가 GPU 메모리가 부족해졌습니다. {requested} 할당이 거부되었습니다.",
		"summary.program-activations":       "{who}: 연산 중에 GPU 메모리가 부족해졌습니다(활성값과 작업 공간).",
		"summary.program-activations-sized": "{who}: 연산 중에 GPU 메모리가 부족해졌습니다. 활성값이나 작업 공간 {requested} 할당이 거부되었습니다.",
		"summary.program-leak":              "{who}: GPU 메모리가 부족합니다. 사용량이 계단처럼 계속 늘어난 것으로 보아 메모리 누수로 보입니다.",
		"summary.program-exhausted":         "{who}: GPU 메모리가 부족합니다.",
		"summary.program-exhausted-sized":   "{who}: GPU 메모리가 부족합니다. {requested} 추가 할당이 거부되었습니다.",
		"summary.program-host":              "{who}: 시스템 RAM 할당이 거부되었습니다(GPU 메모리가 아닙니다).",
		"summary.program-host-sized":        "{who}: 시스템 RAM {requested} 할당이 거부되었습니다.",
		"summary.program-host-plan":         "{who}: 시작하지 않았습니다. 시스템 RAM {requested}가 필요한데 그만큼 없다고 계산했습니다.",
		"summary.program-host-plan-plain":   "{who}: 시작하지 않았습니다. 필요한 시스템 RAM이 부족하다고 계산했습니다.",
		"summary.program-heap":              "{who}: 자체 힙을 모두 채웠습니다. 힙의 상한선은 프로그램 설정이며, 시스템에는 메모리가 남아 있을 수 있습니다.",
		"summary.program-shm":               "{who}: 워커 프로세스가 쓰는 공유 메모리(/dev/shm)가 너무 작습니다.",
		"summary.program-killed":            "{who}: 프로세스 하나가 강제 종료되었습니다(SIGKILL). 메모리가 부족할 때 커널이 하는 일이 많지만, 이 로그에는 누가 했는지 나오지 않습니다.",
		"summary.program-oomkilled":         "{who}: 컨테이너가 메모리 제한에 걸려 강제 종료되었다고 관리 프로그램이 알렸습니다.",
	}
}

func koreanProgramEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.program-asked":       "{requested}를 요청했지만 거부되었습니다",
		"evidence.program-asked-free":  "{requested}를 요청했고, 여유는 {free}였습니다",
		"evidence.program-asked-card":  "{requested}를 요청했고, 그래픽카드 {total} 중 {free}가 비어 있었습니다",
		"evidence.program-host-asked":  "시스템 RAM {requested}를 요청했지만 거부되었습니다",
		"evidence.program-heap-limit":  "힙이 상한선 {limit}에 도달했습니다",
		"evidence.program-bare":        "CUDA가 할당을 거부했지만(오류 {code}) 크기는 출력하지 않았습니다",
		"evidence.program-disguised":   "NVML이 응답하지 않아 PyTorch가 메모리 부족 메시지를 만들지 못했습니다(MIG, Jetson, 컨테이너에서 흔합니다)",
		"evidence.program-said":        "프로그램이 메모리 부족을 알렸습니다",
		"evidence.program-pool":        "자체 풀 {limit} 중 {used}를 쓰고 있었습니다",
		"evidence.program-kv-needs":    "KV 캐시에 {requested}가 필요한데 {free}만 남아 있었습니다",
		"evidence.program-tokens":      "{tokens}토큰 자리를 요청했고, 남은 자리는 {free}토큰이었습니다",
		"evidence.program-fits":        "컨텍스트는 최대 {tokens}토큰까지 들어갑니다",
		"evidence.program-utilization": "그래픽카드의 {share}까지 쓸 수 있게 되어 있습니다",
		"evidence.sampled-card":        "{before} 전 {gpu}의 사용량은 전체 {total} 중 {used}, 여유는 {free}였습니다",
		"evidence.sampled-own":         "그중 이 프로그램의 사용량: {bytes}",
		"evidence.sampled-peak":        "드라이버가 기록한 이 프로그램의 최대 사용량: {bytes}",
		"evidence.sampled-holder":      "그중 {name} (pid {pid}) 프로세스의 사용량: {bytes}",
		"evidence.sampled-flat":        "이 프로그램의 사용량은 {over} 동안 거의 그대로였습니다",
		"evidence.sampled-jumped":      "이 프로그램의 사용량이 마지막 {over} 사이에 {grew} 늘었습니다. 서서히 는 것이 아니라 한 번에 크게 요청한 것입니다",
		"evidence.sampled-climbed":     "이 프로그램의 사용량이 {over} 동안 {grew} 늘었습니다",
		"evidence.program-own":         "프로그램 자신이 그래픽카드의 {own}를 쓰고 있었습니다",
		"evidence.program-allocator":   "텐서가 {used}를 쓰고 있었고, {pieces}는 잡아 둔 채 쓰지 않았습니다",
		"evidence.program-private":     "{bytes}는 CUDA 그래프 전용이었습니다",
		"evidence.program-ranks":       "작업의 랭크 {n}개가 같은 이유로 실패했고, 첫 번째를 보여 줍니다",

		"evidence.program-killed":      "프로세스 하나가 시그널 {signal}(SIGKILL)로 종료되었습니다",
		"evidence.program-oomkilled":   "관리 프로그램이 OOMKilled라고 알렸습니다(종료 코드 {code})",
		"evidence.program-shm":         "워커가 공유 메모리에서 실패했습니다(번호 {signal})",
		"evidence.program-shm-size":    "/dev/shm의 크기는 {total}입니다",
		"evidence.program-unified":     "이 시스템은 CPU와 GPU가 메모리 하나를 함께 씁니다. 부족했던 것은 RAM입니다",
		"evidence.program-pinned":      "CUDA 오류 {code}가 났을 때 호스트 메모리를 고정(pin)하고 있었습니다. 부족했던 것은 RAM입니다",
		"evidence.program-bigger":      "한 번에 {requested}를 요청했지만 그래픽카드는 전체가 {total}입니다",
		"evidence.program-absurd":      "그래픽카드의 {times}배입니다. 모델이 큰 것이 아니라 크기 계산이 잘못되었습니다",
		"evidence.program-pieces":      "{pieces}를 잡아 둔 채 쓰지 않았습니다(잡아 둔 전체의 {share}). 여유 {free}와 합치면 {requested}에 충분했지만 조각나 있었습니다",
		"evidence.program-pool-pieces": "풀 {limit} 중 {free}가 비어 있어 {requested}에 충분했지만 조각나 있었습니다",
		"evidence.program-allowed":     "설정상 이 프로세스에는 {allowed}까지 허용됩니다",
		"evidence.program-taken":       "시작하기 전에 그래픽카드 {total} 중 {others}가 이미 쓰이고 있었습니다",
		"evidence.program-others":      "전체 {total} 중 다른 프로세스가 {others}, 프로그램 자신이 {own}를 쓰고 있었습니다",
		"evidence.program-holder":      "pid {pid}: {bytes} 점유",
		"evidence.program-hidden":      "{bytes}는 목록에 없는 프로세스가 점유하고 있었습니다",
		"evidence.program-border":      "아슬아슬한 경우입니다. 요청 {requested}에 조각 {pieces}, 여유 {free}였습니다",
		"evidence.program-beyond":      "한 번에 {requested} 할당을 요청했습니다. 이만한 GPU는 없으므로 큰 모델이 아니라 크기 계산이 잘못된 것입니다",

		"missing.program-sizes":         "얼마를 요청했고 얼마가 비어 있었는지",
		"missing.program-list":          "어느 프로세스가 그래픽카드를 점유했는지: 이 빌드는 목록을 출력하지 않습니다",
		"missing.program-contradiction": "실패한 이유: {requested} 요청에 {free}가 비어 있었습니다. 그 사이 다른 프로세스가 메모리를 돌려주었거나 GPU에 접근할 수 없었을 수 있습니다",
	}
}

func koreanClues() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.clue-model-buffer":   "{name}의 가중치: {bytes}",
		"evidence.clue-kv-buffer":      "{name}의 KV 캐시: {bytes}",
		"evidence.clue-compute-buffer": "{name}의 연산 버퍼: {bytes}",
		"evidence.clue-plan-need":      "엔진이 계산한 필요량: {bytes}",
		"evidence.clue-plan-free":      "엔진이 확인한 여유: {bytes}",
		"evidence.clue-layers":         "레이어 {of}개 중 {n}개를 GPU에 올리려 했습니다",
		"evidence.clue-context":        "컨텍스트 길이는 {n}토큰입니다",
		"evidence.clue-plan-overruled": "GPU 레이어 수가 직접 {n}개로 지정되어 있어 엔진이 모델을 그래픽카드에 맞추지 못했습니다",
		"evidence.clue-kv-available":   "KV 캐시에 남은 것은 {bytes}였습니다",
		"evidence.clue-kv-none":        "KV 캐시에 남은 것이 없었습니다. {bytes}가 모자랐습니다",
		"evidence.clue-backward":       "학습 단계의 역전파 중이었습니다",
		"evidence.clue-optimizer":      "옵티마이저가 갱신하는 중이었습니다",
		"evidence.clue-graph-capture":  "CUDA 그래프를 만드는 중이었습니다",
		"evidence.clue-loading":        "모델을 불러오는 중이었습니다",
		"evidence.clue-not-recovered":  "이전 모델의 메모리가 아직 돌아오지 않았습니다",
	}
}
