package lang

import "github.com/oomdoc/oomdoc"

// koreanPrograms is englishPrograms in Korean.
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

		"summary.program-beyond":            "{who:이/가} GPU 메모리 {requested}를 한 번에 요청했는데, 그만한 GPU는 없습니다.",
		"summary.program-single":            "{who:이/가} GPU 메모리 {requested}를 한 번에 요청했는데, 그래픽카드 전체({total})보다 큽니다.",
		"summary.program-pieces":            "{who:이/가} 요청한 GPU 메모리 {requested}의 할당이 실패했습니다. 메모리는 있었지만 {pieces}가 조각난 채 쓰이지 않고 있었습니다(파편화).",
		"summary.program-reservation":       "{who:이/가} 그래픽카드가 아니라 자체 GPU 메모리 상한선에 걸렸습니다.",
		"summary.program-reservation-sized": "{who:이/가} 요청한 GPU 메모리 {requested}의 할당이 그래픽카드가 아니라 자체 상한선에 걸려 실패했습니다.",
		"summary.program-others":            "다른 프로세스가 전체 {total} 중 {others}를 점유하고 있어 {who:이/가} 쓸 GPU 메모리가 없었습니다.",
		"summary.program-kv":                "{who:이/가} KV 캐시에 쓸 GPU 메모리가 부족했습니다. 컨텍스트가 너무 깁니다.",
		"summary.program-kv-sized":          "{who:이/가} KV 캐시에 쓸 GPU 메모리 {requested}를 얻지 못했습니다. 컨텍스트가 너무 깁니다.",
		"summary.program-weights":           "{who:이/가} 모델을 불러오는 동안 GPU 메모리가 부족했습니다.",
		"summary.program-weights-sized":     "{who:이/가} 모델을 불러오는 동안 GPU 메모리가 부족해 {requested}의 할당이 실패했습니다.",
		"summary.program-activations":       "{who:이/가} 계산하는 동안 GPU 메모리가 부족했습니다(활성값과 작업 공간).",
		"summary.program-activations-sized": "{who:이/가} 계산하는 동안 GPU 메모리가 부족해 활성값이나 작업 공간에 쓸 {requested}의 할당이 실패했습니다.",
		"summary.program-exhausted":         "{who}의 GPU 메모리가 부족했습니다.",
		"summary.program-exhausted-sized":   "{who}의 GPU 메모리가 부족해 {requested}의 할당이 실패했습니다.",
		"summary.program-host":              "{who:이/가} 요청한 시스템 RAM의 할당이 실패했습니다(GPU 메모리가 아닙니다).",
		"summary.program-host-sized":        "{who:이/가} 요청한 시스템 RAM {requested}의 할당이 실패했습니다.",
		"summary.program-host-plan":         "{who:이/가} 계산해 보니 시스템 RAM {requested}가 필요한데 그만큼 없어서 시작하지 않았습니다.",
		"summary.program-host-plan-plain":   "{who:이/가} 계산해 보니 필요한 시스템 RAM이 있는 것보다 많아서 시작하지 않았습니다.",
		"summary.program-heap":              "{who:이/가} 자체 힙을 모두 썼습니다. 힙의 상한선은 자체 설정이며, 시스템에는 메모리가 남아 있을 수 있습니다.",
		"summary.program-shm":               "{who}의 워커 프로세스가 쓰기에 공유 메모리(/dev/shm)가 너무 작습니다.",
		"summary.program-killed":            "{who:이/가} 실행한 프로세스가 강제 종료되었습니다(SIGKILL). 메모리가 부족할 때 커널이 하는 일이 많지만, 누가 했는지는 이 로그에 없습니다.",
		"summary.program-oomkilled":         "{who}의 컨테이너가 메모리 제한에 걸려 강제 종료되었다고 컨테이너 관리자가 알렸습니다.",
		"summary.program-leak":              "{who}: GPU 메모리가 부족합니다. 사용량이 계단처럼 계속 늘어난 것으로 보아 메모리 누수로 보입니다.",
	}
}

func koreanProgramEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.program-asked":       "{requested}를 요청했지만 할당이 실패했습니다",
		"evidence.program-asked-free":  "{requested}를 요청했는데 여유는 {free}였습니다",
		"evidence.program-asked-card":  "{requested}를 요청했는데 그래픽카드 {total} 중 여유는 {free}였습니다",
		"evidence.program-host-asked":  "시스템 RAM {requested}를 요청했지만 할당이 실패했습니다",
		"evidence.program-heap-limit":  "힙이 상한선 {limit}에 도달했습니다",
		"evidence.program-bare":        "CUDA가 메모리 할당을 거부했으며(오류 {code}) 크기는 출력하지 않았습니다",
		"evidence.program-disguised":   "NVML이 응답하지 않아 PyTorch가 메모리 부족 메시지를 만들지 못했습니다(MIG, Jetson, 컨테이너에서 일어납니다)",
		"evidence.program-said":        "프로그램이 메모리가 부족하다고 알렸습니다",
		"evidence.program-pool":        "자체 메모리 풀 {limit} 중 {used}를 쓰고 있었습니다",
		"evidence.program-kv-needs":    "KV 캐시에 {requested}가 필요한데 남은 것은 {free}였습니다",
		"evidence.program-tokens":      "{tokens}토큰이 들어갈 자리를 요청했는데 {free}토큰이 들어갈 자리가 있었습니다",
		"evidence.program-fits":        "컨텍스트는 최대 {tokens}토큰까지 들어갑니다",
		"evidence.program-utilization": "그래픽카드의 {share}까지 쓸 수 있게 되어 있습니다",
		"evidence.program-own":         "그래픽카드에서 이 프로그램이 쓴 것은 {own}입니다",
		"evidence.program-allocator":   "텐서가 {used}를 쓰고 있었고, {pieces}는 잡아 두기만 하고 쓰지 않았습니다",
		"evidence.program-private":     "{bytes}는 CUDA 그래프 전용으로 잡혀 있었습니다",
		"evidence.program-ranks":       "이 작업의 랭크 {n}개가 실패했으며, 첫 번째를 보여 줍니다",
		"evidence.sampled-card":        "{before} 전 {gpu}의 사용량은 전체 {total} 중 {used}, 여유는 {free}였습니다",
		"evidence.sampled-own":         "그중 이 프로그램의 사용량: {bytes}",
		"evidence.sampled-peak":        "드라이버가 기록한 이 프로그램의 최대 사용량: {bytes}",
		"evidence.sampled-holder":      "그중 {name} (pid {pid}) 프로세스의 사용량: {bytes}",
		"evidence.sampled-flat":        "이 프로그램의 사용량은 {over} 동안 거의 그대로였습니다",
		"evidence.sampled-jumped":      "이 프로그램의 사용량이 마지막 {over} 사이에 {grew} 늘었습니다. 서서히 는 것이 아니라 한 번에 크게 요청한 것입니다",
		"evidence.sampled-climbed":     "이 프로그램의 사용량이 {over} 동안 {grew} 늘었습니다",

		"evidence.program-killed":      "프로세스가 시그널 {signal}(SIGKILL)로 끝났습니다",
		"evidence.program-oomkilled":   "컨테이너 관리자가 OOMKilled로 알렸습니다(종료 코드 {code})",
		"evidence.program-shm":         "워커가 공유 메모리를 쓰다가 실패했습니다(번호 {signal})",
		"evidence.program-shm-size":    "/dev/shm의 크기는 {total}입니다",
		"evidence.program-unified":     "이 시스템은 CPU와 GPU가 메모리 하나를 함께 쓰므로, 부족했던 것은 램입니다",
		"evidence.program-pinned":      "CUDA 오류 {code:은/는} 시스템 메모리를 고정(pin)하는 중에 났습니다. 부족했던 것은 램입니다",
		"evidence.program-bigger":      "한 번에 {requested}를 요청했는데 그래픽카드는 전체가 {total}입니다",
		"evidence.program-beyond":      "한 번에 {requested}를 요청했는데 그만한 GPU는 없습니다. 모델이 커서가 아니라 크기 계산이 잘못된 것입니다",
		"evidence.program-absurd":      "그래픽카드의 {times}배입니다. 모델이 커서가 아니라 크기 계산이 잘못된 것입니다",
		"evidence.program-pieces":      "잡아 둔 메모리의 {share}인 {pieces}가 쓰이지 않았습니다. 여유 {free}와 합치면 {requested}에 충분하지만 조각나 있습니다",
		"evidence.program-pool-pieces": "풀 {limit} 중 여유 {free:은/는} {requested}에 충분하지만 조각나 있습니다",
		"evidence.program-allowed":     "설정에 따라 이 프로세스는 {allowed}까지 쓸 수 있습니다",
		"evidence.program-taken":       "시작하기 전에 이미 그래픽카드 {total} 중 {others}가 쓰이고 있었습니다",
		"evidence.program-others":      "{total} 중 다른 프로세스가 {others}, 이 프로그램이 {own}를 쓰고 있었습니다",
		"evidence.program-holder":      "PID {pid:이/가} {bytes}를 쓰고 있었습니다",
		"evidence.program-hidden":      "목록에 없는 프로세스가 {bytes}를 쓰고 있었습니다",
		"evidence.program-border":      "아슬아슬한 경우입니다. 조각난 메모리 {pieces}와 여유 {free}가 있었고 요청은 {requested}였습니다",

		"missing.program-sizes":         "얼마를 요청했고 여유가 얼마였는지",
		"missing.program-list":          "그래픽카드를 점유한 프로세스: 이 프로그램의 이 빌드는 목록을 출력하지 않습니다",
		"missing.program-contradiction": "실패한 이유: {requested}를 요청할 때 {free}가 비어 있었습니다. 그사이 다른 프로세스가 메모리를 돌려주었거나 GPU에 접근할 수 없었을 수 있습니다",
	}
}

func koreanClues() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.clue-model-buffer":   "{name}에 올라가는 가중치가 {bytes}입니다",
		"evidence.clue-kv-buffer":      "{name}에 올라가는 KV 캐시가 {bytes}입니다",
		"evidence.clue-compute-buffer": "{name}에 올라가는 계산 버퍼가 {bytes}입니다",
		"evidence.clue-plan-need":      "엔진이 스스로 계산한 필요량은 {bytes}입니다",
		"evidence.clue-plan-free":      "엔진이 스스로 확인한 여유는 {bytes}입니다",
		"evidence.clue-layers":         "레이어 {of}개 중 {n}개를 GPU에 올리려고 했습니다",
		"evidence.clue-context":        "컨텍스트 길이는 {n}토큰입니다",
		"evidence.clue-plan-overruled": "GPU에 올릴 레이어 수를 직접 {n}개로 지정해, 엔진이 모델을 그래픽카드에 맞추지 못했습니다",
		"evidence.clue-kv-available":   "KV 캐시에 쓸 수 있는 메모리는 {bytes}였습니다",
		"evidence.clue-kv-none":        "KV 캐시에 쓸 메모리가 남지 않았고 {bytes}가 모자랐습니다",
		"evidence.clue-backward":       "학습 단계의 역전파를 실행하던 중이었습니다",
		"evidence.clue-optimizer":      "옵티마이저가 업데이트하던 중이었습니다",
		"evidence.clue-graph-capture":  "CUDA 그래프를 캡처하던 중이었습니다",
		"evidence.clue-loading":        "모델을 불러오던 중이었습니다",
		"evidence.clue-not-recovered":  "이전 모델의 메모리가 아직 되돌아오지 않은 상태였습니다",
	}
}
