package lang

import "github.com/oomdoc/oomdoc"

// koreanProgramFixes is englishProgramFixes in Korean.
func koreanProgramFixes() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		koreanReclaimFixes(),
		koreanModelFixes(),
		koreanBatchFixes(),
		koreanProgramHostFixes(),
		koreanSettingSteps(),
		koreanEngineSteps(),
	})
}

func koreanReclaimFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.end-others":             "다른 프로세스가 점유한 GPU 메모리 비우기",
		"fix.end-others.why":         "이 프로그램만 있었다면 메모리가 충분했습니다. 잃는 것이 없습니다.",
		"fix.end-others.why-held":    "전체 {total} 중 {held}를 다른 프로세스가 점유하고 있었습니다. 잃는 것이 없습니다.",
		"fix.end-others.why-unknown": "이 GPU에서 다른 프로세스가 쓰는 메모리를 먼저 비워 보세요. 잃는 것이 없습니다. 누구의 요청이 거부되었는지, 다른 프로세스가 얼마나 쓰고 있었는지는 로그에 없습니다.",

		"step.others-look":      "GPU를 쓰는 프로세스를 확인합니다:",
		"step.others-holder":    "프로세스 {pid}: {held} 점유",
		"step.others-end":       "필요 없는 프로세스라면 번호로 종료합니다. 서비스라면 다시 살아날 수 있으니 systemctl stop으로 멈추세요:",
		"step.others-container": "이 번호는 컨테이너가 아니라 호스트의 PID입니다. 컨테이너 안이 아니라 호스트에서 확인하고 종료하세요.",
		"step.others-hidden":    "오류 메시지에는 어느 프로세스인지 나오지 않습니다. 다음 명령은 다른 컨테이너의 프로세스와 멈춰 있는 프로세스까지 찾아 줍니다:",
		"step.others-server":    "비정상 종료된 서버의 워커가 남아 있을 수 있습니다:",

		"fix.spread-ranks":     "랭크마다 GPU를 따로 쓰기",
		"fix.spread-ranks.why": "0번이 아닌 랭크가 다른 랭크의 GPU 0에서 실패했습니다.",
		"step.ranks":           "랭크 {rank}에서 GPU에 무언가를 올리기 전에: {code}",

		"fix.find-cap":     "상한선이나 이미 지나간 최고치 찾기",
		"fix.find-cap.why": "요청한 것보다 많이 비어 있었으므로 단순히 가득 찬 것이 아닙니다. 나눠 쓰는 GPU(MIG, vGPU)나 MPS의 상한선에 걸렸거나, 오류가 출력되기 전에 다른 프로세스가 메모리를 돌려주었을 수 있습니다.",
		"step.cap-look":    "GPU를 나눠 쓰는 환경인지, 상한선이 있는지 확인합니다:",
		"step.cap-watch":   "다시 실행하는 동안 최고치를 지켜봅니다:",

		"fix.let-it-fit":            "엔진이 모델을 알아서 맞추게 두기",
		"fix.let-it-fit.why":        "직접 지정한 설정 때문에 자동 맞춤이 꺼졌습니다. 그냥 두면 남은 메모리에 맞춰 레이어 수와 컨텍스트를 정하며, 잃는 것이 없습니다.",
		"fix.let-it-fit.why-layers": "엔진은 {need}가 여유 {free}에 들어가지 않는다는 것을 알았지만, GPU 레이어 수가 {n}개로 지정되어 있어 그대로 진행했습니다. 지정하지 않으면 들어갈 만큼만 올립니다.",

		"fix.raise-share":         "GPU 메모리 사용 비율 올리기",
		"fix.raise-share.why":     "엔진에 허용된 비율이 한계였습니다. 가중치와 작업 공간을 빼고 나니 캐시에 쓸 몫이 남지 않았습니다. 늘린 만큼을 다른 프로그램이 쓰고 있지 않아야 합니다.",
		"fix.raise-share.why-now": "그래픽카드가 아니라 허용된 비율({now})이 한계였습니다. 우선 {next} 값으로 올려 보세요. 늘린 만큼을 다른 프로그램이 쓰고 있지 않아야 합니다.",

		"fix.lower-share":          "GPU 메모리 사용 비율 낮추기",
		"fix.lower-share.why":      "시작할 때 미리 잡아 둔 만큼 작업 공간, 그래프, 라이브러리에 쓸 메모리가 부족해집니다. KV 캐시 공간은 줄어듭니다.",
		"fix.lower-share.why-now":  "비율 {now} 설정에서는 작업 공간, 그래프, 라이브러리에 남는 메모리가 너무 적습니다. 우선 {next} 값으로 낮춰 보세요. KV 캐시 공간은 줄어듭니다.",
		"fix.lower-share.why-free": "{total} 중 {free}만 비어 있었습니다. 모델이 그 안에 들어간다면 비율 {next} 값으로 다른 프로세스와 함께 쓸 수 있습니다.",

		"fix.raise-cap":           "이 프로그램에 걸린 상한선 올리기",
		"fix.raise-cap.why":       "그래픽카드가 아니라 프로그램 자체의 상한선이 할당을 거부했습니다.",
		"fix.raise-cap.why-now":   "{total} 중 {limit}까지만 허용되어 있었습니다. 10% 여유를 두면 {need}가 필요합니다.",
		"fix.raise-cap.why-limit": "그래픽카드가 아니라 자체 상한선 {limit}에 걸렸습니다. 10% 여유를 두면 {need}가 필요하며, 그래픽카드에 그만큼 있어야 합니다.",

		"fix.grow-as-needed":     "필요한 만큼씩만 메모리를 잡게 하기",
		"fix.grow-as-needed.why": "기본값으로는 필요량과 관계없이 그래픽카드 메모리 대부분을 한 번에 잡습니다. 이렇게 하면 여러 프로그램이 GPU 하나를 나눠 쓸 수 있지만, 파편화는 늘 수 있습니다.",

		"fix.unload-models":     "쓰지 않는 모델 내리기",
		"fix.unload-models.why": "모델은 마지막 응답 뒤에도 한동안 메모리에 남아 있습니다. 다시 불러올 때의 시간만 듭니다.",

		"fix.restart":             "프로그램 다시 시작하기",
		"fix.restart.why":         "점유량이 계속 늘었거나 GPU 접근 권한을 잃은 상태이며, 다시 시작해야만 되돌아옵니다. 다음 실패를 늦출 뿐 근본 해결은 아닙니다.",
		"step.restart":            "프로그램을 끝내고 다시 시작하세요.",
		"step.restart-container":  "컨테이너를 새로 만들어 GPU를 다시 연결하세요.",
		"fix.load-one-by-one":     "가중치를 나눠서 불러오기",
		"fix.load-one-by-one.why": "불러오는 동안에는 다 불러온 뒤보다 메모리가 훨씬 더 필요할 수 있습니다. 잃는 것이 없습니다.",

		"fix.more-headroom":     "모델을 올릴 때 GPU 여유 공간 더 남기기",
		"fix.more-headroom.why": "모델은 들어갔지만 긴 프롬프트, 이미지, 그래프가 추가로 메모리를 썼습니다. 모델 일부가 램으로 옮겨집니다.",
	}
}

func koreanModelFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.quantize":          "양자화된 모델 쓰기(8비트 또는 4비트)",
		"fix.quantize.why":      "메모리를 가장 많이 고정으로 차지하는 것은 가중치입니다. 4비트로 줄이면 16비트의 4분의 1을 조금 넘는 정도, 8비트면 절반이면 됩니다. 품질이 약간 떨어집니다.",
		"fix.quantize.why-less": "가중치가 {bits}비트입니다. 약 4비트로 줄이면 {share} 줄어듭니다. 품질이 약간 떨어집니다.",
		"fix.quantize.why-bits": "가중치가 {bits}비트로 {size}를 차지합니다. 약 4비트로 줄이면 {left}가 됩니다. 품질이 약간 떨어집니다.",

		"fix.small-optimizer":     "옵티마이저 상태를 8비트로 두기",
		"fix.small-optimizer.why": "AdamW는 파라미터 하나에 8바이트를 쓰는데, 8비트로 두면 2바이트입니다. 영향은 작습니다.",
		"fix.adapters":            "어댑터만 학습하기(LoRA, 4비트 모델이면 QLoRA)",
		"fix.adapters.why":        "전체 학습은 파라미터 하나에 약 16바이트, LoRA는 약 2바이트와 어댑터, QLoRA는 약 0.5바이트가 필요합니다. 전체 학습만큼 배우지는 못합니다.",

		"fix.halve":     "반정밀도(bf16 또는 fp16) 쓰기",
		"fix.halve.why": "32비트로 실행 중이라면 가중치와 KV 캐시가 절반이 됩니다. Ampere 이후 GPU에서는 잃는 것이 없습니다(그 이전은 fp16).",

		"fix.offload":               "모델 일부를 램에 두기(오프로드)",
		"fix.offload.why":           "GPU에 들어가지 않는 부분은 램에 여유가 있으면 램에서 실행합니다. CPU에서 도는 일반 레이어는 몇 배 느립니다.",
		"fix.offload.why-layers":    "하나에 약 {each}인 레이어 {layers}개 중 {keep}개가 들어갑니다. 나머지는 램에 여유가 있으면 램에서 실행하며 몇 배 느립니다.",
		"fix.offload.why-first-try": "레이어 하나가 약 {each}입니다. 여유가 얼마였는지 로그에 없으므로 우선 {layers}개 중 {keep}개만 GPU에 올려 보세요. 나머지는 램에서 실행하며 몇 배 느립니다.",
		"fix.offload-experts":       "전문가(experts)만 램에 두기(MoE 모델)",
		"fix.offload-experts.why":   "MoE 모델은 대부분이 전문가이고 한 번에 일부만 쓰이므로, 레이어를 통째로 옮기는 것보다 훨씬 덜 느려집니다.",
		"fix.split-gpus":            "여러 GPU에 나눠 올리기",
		"fix.split-gpus.why":        "GPU마다 자기 몫만 들고 있으면 됩니다. GPU가 두 개 이상 필요합니다.",

		"fix.shorten-context":           "컨텍스트 길이 줄이기",
		"fix.shorten-context.why":       "KV 캐시는 컨텍스트 토큰 수만큼 늘어납니다. 대신 모델이 기억하는 범위가 줄어듭니다.",
		"fix.shorten-context.why-long":  "KV 캐시는 토큰 수만큼 늘어나는데 {tokens}토큰을 요청했습니다. 우선 {want}토큰으로 줄여 보세요. 모델이 기억하는 범위가 줄어듭니다.",
		"fix.shorten-context.why-size":  "KV 캐시는 {tokens}토큰에 {size}이며 토큰 수에 비례합니다. {want}토큰을 제안합니다. 모델이 기억하는 범위가 줄어듭니다.",
		"fix.shorten-context.why-space": "KV 캐시와 작업 공간이 {tokens}토큰에 {size}이며 토큰 수에 비례해 줄어듭니다. {want}토큰을 제안합니다. 모델이 기억하는 범위가 줄어듭니다.",
		"fix.shorten-context.why-fit":   "KV 캐시는 {tokens}토큰에 {size}입니다. 엔진에 따르면 {want}토큰까지 들어갑니다. 모델이 기억하는 범위가 줄어듭니다.",

		"fix.sliding-window":     "슬라이딩 윈도 레이어에는 윈도만큼만 캐시 두기",
		"fix.sliding-window.why": "이런 모델은 대부분의 레이어가 최근 토큰만 보는데, 캐시는 컨텍스트 전체만큼 잡혀 있습니다. 이전 프롬프트를 재사용하지 못하는 것 말고는 잃는 것이 없습니다.",

		"fix.smaller-kv":          "KV 캐시를 8비트로 두기",
		"fix.smaller-kv.why":      "16비트의 절반이면 되고 품질 저하는 거의 없습니다.",
		"fix.smaller-kv.why-same": "16비트의 약 절반이면 되고 품질 저하는 거의 없습니다. K와 V의 자료형이 같아야 합니다. 다르면 CPU에서 처리되어 훨씬 느려집니다.",
		"fix.fewer-slots":         "동시에 처리하는 요청 수 줄이기",
		"fix.fewer-slots.why":     "슬롯마다 컨텍스트를 따로 잡습니다. 여러 사용자가 쓸 때 처리량이 줄어듭니다.",

		"fix.downsize":          "더 작은 모델 쓰기",
		"fix.downsize.why":      "위의 방법으로도 안 되면 이 사양에는 모델이 너무 큰 것입니다.",
		"fix.downsize.why-size": "위의 방법으로도 안 되면 모델이 너무 큰 것입니다. {total}에는 4비트, 컨텍스트 8192 기준으로 약 {n}B 모델까지 올라갑니다.",
		"step.downsize":         "4비트 기준 약 {n}B 이하 모델을 고르세요.",
		"step.downsize-some":    "파라미터 수나 비트 수가 더 적은 모델을 고르세요.",
		"step.downsize-other":   "또는 메모리가 더 많은 곳에서 실행하세요: 더 큰 GPU, 두 번째 GPU, 원격 GPU.",
	}
}

func koreanBatchFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.smaller-batch":       "한 번에 처리하는 양 줄이기: 배치 크기, 입력 길이, 해상도",
		"fix.smaller-batch.why":   "작업 공간은 배치 크기와 그중 가장 긴 입력에 비례합니다. 느려질 뿐 품질은 그대로입니다.",
		"fix.micro-batch":         "마이크로배치를 줄이고 기울기 누적 쓰기",
		"fix.micro-batch.why":     "활성값은 마이크로배치에 비례합니다. 기울기를 누적하면 실제 학습 배치 크기는 그대로입니다. 조금 느려집니다.",
		"fix.checkpoint":          "그래디언트 체크포인팅 쓰기",
		"fix.checkpoint.why":      "레이어마다 텐서 하나 정도만 남기고 역전파 때 다시 계산합니다. 시간이 20~30% 더 걸립니다.",
		"fix.chunked-loss":        "손실(loss)을 나눠서 계산하기",
		"fix.chunked-loss.why":    "모든 토큰의 로짓을 어휘 전체만큼 32비트로 담으면 텐서 하나가 매우 커집니다. 나눠 계산하면 한꺼번에 만들지 않습니다. 잃는 것이 없습니다.",
		"fix.cap-length":          "샘플 길이 제한하기",
		"fix.cap-length.why":      "배치에서 가장 긴 샘플이 메모리를 결정하므로 긴 샘플 몇 개만 있어도 실패합니다. 잘린 부분은 학습하지 못합니다.",
		"fix.smaller-prefill":     "프롬프트를 더 잘게 나눠 처리하기",
		"fix.smaller-prefill.why": "작업 공간은 프롬프트를 한 번에 얼마나 읽는지에 비례합니다. 프리필이 느려질 뿐 품질은 그대로입니다.",
		"fix.fewer-sequences":     "동시에 실행하는 요청 수 줄이기",
		"fix.fewer-sequences.why": "실행 중인 요청마다 작업 공간과 KV 캐시를 씁니다. 처리량이 줄어듭니다.",
		"fix.no-graphs":           "CUDA 그래프를 줄이거나 끄기",
		"fix.no-graphs.why":       "그래프는 가중치와 별도로 0.6~5GiB를 씁니다. 배치가 작을 때 조금 느려집니다.",
		"fix.tile":                "이미지를 타일로 나눠 디코딩하거나 크기 줄이기",
		"fix.tile.why":            "이미지나 영상을 통째로 디코딩할 때 메모리 사용량이 최고가 됩니다. 타일로 나누면 시간이 조금 더 걸립니다.",
		"fix.attention":           "행렬 전체를 만들지 않는 어텐션 쓰기",
		"fix.attention.why":       "일반 어텐션은 길이의 제곱으로 커지는 행렬을 만듭니다. 잃는 것이 없습니다.",
		"fix.pieces":              "나눠서 처리하기",
		"fix.pieces.why":          "데이터를 나눠 처리하면 그 부분만큼만 메모리가 필요합니다. 코드를 조금 고쳐야 합니다.",

		"fix.check-shape":          "그 텐서의 크기(shape) 확인하기",
		"fix.check-shape.why":      "한 번의 요청이 장치보다 컸습니다. 크기 계산이 잘못되었을 수 있습니다.",
		"fix.check-shape.why-size": "{size}는 장치 메모리 {total}의 {times}배입니다. 어떤 설정으로도 감당할 수 없으므로 크기 계산이 잘못되었을 가능성이 큽니다.",
		"step.check-shape":         "실패한 줄 바로 앞에: {code}",

		"fix.join-segments":         "할당자가 늘어나는 세그먼트를 쓰게 하기",
		"fix.join-segments.why":     "메모리는 있었지만 너무 잘게 나뉘어 있었습니다(파편화). 잃는 것이 없습니다.",
		"fix.join-segments.why-now": "{size}를 요청했을 때 {free}가 비어 있었고 {held}가 할당자 안에 조각난 채 쓰이지 않고 있었습니다. 잃는 것이 없습니다.",

		"fix.inference-mode":     "필요 없는 것을 붙들지 않기: 추론 모드, 누적 참조 없애기",
		"fix.inference-mode.why": "추론 모드가 아니면 기울기용 계산 그래프와 참조가 남은 결과가 모두 GPU에 쌓입니다. 잃는 것이 없습니다.",
	}
}

func koreanProgramHostFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.grow-heap":         "런타임의 힙 늘리기",
		"fix.grow-heap.why":     "런타임 자체의 상한선에 걸렸습니다. 시스템 메모리는 넉넉할 수 있습니다. 늘려도 계속 차면 메모리 누수입니다.",
		"fix.grow-heap.why-now": "힙 상한선 {now}는 런타임 자체의 설정이며 시스템 메모리는 넉넉할 수 있습니다. 우선 {next}로 늘려 보세요. 그래도 차면 메모리 누수입니다.",
		"fix.grow-heap.why-ram": "힙 상한선 {now}는 런타임 자체의 설정입니다. 램이 {ram}이므로 {next}까지가 한계이며, 그 이상이 필요하면 프로그램이 덜 쓰도록 고쳐야 합니다.",

		"fix.address-space":     "할당을 거부한 제한 풀기",
		"fix.address-space.why": "강제 종료된 것이 아니라 제한에 걸려 할당을 거부당했습니다. 주소 공간 제한이 너무 작거나, 커널이 약속할 수 있는 메모리를 모두 약속한 상태입니다.",
		"step.limits-look":      "프로그램을 시작하는 셸에서 확인합니다. unlimited가 아니면 주소 공간이 제한된 것입니다(KiB 단위):",
		"step.limits-raise":     "프로그램을 시작하기 전에 풉니다(limits.conf나 작업 관리자에서 정한 값이면 거기에서 바꾸세요):",
		"step.limits-unit":      "서비스라면 LimitAS=와 메모리 제한을 확인합니다:",
		"step.commit-look":      "overcommit_memory가 2이면 커널은 CommitLimit을 넘는 할당을 거부합니다. Committed_AS와 비교하세요:",
		"step.commit-raise":     "두 값이 비슷하면 스왑을 늘리거나 vm.overcommit_memory를 0으로 두세요.",

		"fix.grow-shm":      "공유 메모리(/dev/shm) 늘리기",
		"fix.grow-shm.why":  "워커 프로세스는 /dev/shm으로 데이터를 넘기는데 그곳이 가득 찼습니다. 컨테이너는 따로 정하지 않으면 64MiB뿐이며, 그 안의 내용은 램 사용량으로 계산됩니다.",
		"step.shm-look":     "프로그램이 도는 곳에서 크기를 확인합니다:",
		"step.shm-docker":   "docker run이나 podman run에 {size}, 또는 호스트 것을 쓰려면 {host}",
		"step.shm-compose":  "compose 파일의 서비스에: {line}",
		"step.shm-pod":      "Kubernetes에서는 /dev/shm에 볼륨을 붙입니다: {volume} (메모리 제한에 포함됩니다)",
		"step.shm-host":     "컨테이너가 아니라면 호스트의 /dev/shm을 늘립니다:",
		"fix.fewer-workers": "워커 수와 넘기는 데이터 줄이기",

		"fix.fewer-workers.why": "워커마다 배치를 미리 들고 있고, 시간이 지나면 읽은 데이터의 사본까지 갖게 됩니다. 데이터 읽기가 느려집니다.",
		"fix.pin-less":          "고정(pinned) 메모리 줄이기",
		"fix.pin-less.why":      "오류에는 CUDA라고 나오지만, GPU로 복사하려고 고정하던 시스템 RAM이 부족했습니다. 고정 메모리는 스왑할 수 없고 WSL과 ulimit -l의 제한을 받습니다. 복사가 조금 느려집니다.",
		"fix.map-file":          "모델 파일을 복사하지 않고 매핑하기(mmap)",
		"fix.map-file.why":      "매핑한 가중치는 페이지 캐시에 있어 커널이 되찾을 수 있지만, 복사하거나 잠근 가중치는 되찾을 수 없습니다.",

		"fix.drop-cache":     "CPU와 GPU가 함께 쓰는 메모리 비우기",
		"fix.drop-cache.why": "이 시스템은 램 하나를 함께 씁니다. 페이지 캐시는 프로그램에는 빈 메모리로 보이지만 GPU에는 그렇지 않을 때가 있습니다. 잃는 것이 없습니다.",
		"step.cache-free":    "페이지 캐시를 비우고 여유를 확인합니다:",
		"step.cache-desktop": "그래도 부족하면 메모리를 쓰는 데스크톱 환경을 끕니다:",

		"fix.more-ram":             "시스템 RAM 비우기, 또는 스왑 늘리기",
		"fix.more-ram.why":         "GPU가 아니라 시스템 RAM이 부족했습니다. 스왑은 불러오는 동안의 최고치에는 도움이 되지만 느리고, VRAM을 늘려 주지는 않습니다.",
		"fix.more-ram.why-missing": "시스템 RAM {size}를 요청했지만 {free}만 비어 있어 {missing}가 부족했습니다. 스왑은 불러오는 동안의 최고치에는 도움이 되지만 느리고, VRAM을 늘려 주지는 않습니다.",
		"step.ram-look":            "여유 메모리와 많이 쓰는 프로세스를 확인합니다:",
		"step.ram-swap":            "부족한 만큼 스왑을 늘립니다:",
		"step.ram-container":       "컨테이너에서는 램이 아니라 컨테이너의 메모리 제한이 기준입니다. 제한을 올리세요(--memory, resources.limits.memory).",
		"step.ram-wsl":             "WSL에서는 램의 절반이 한계입니다. Windows 사용자 폴더의 {file}에서 {key} 값을 올리고 wsl --shutdown을 실행하세요.",

		"fix.wsl-memory":     "WSL에 시스템 RAM 더 주기",
		"fix.wsl-memory.why": "WSL의 Linux는 따로 정하지 않으면 시스템 RAM의 절반만 씁니다. Windows에 메모리가 남아 있어도 그 절반을 다 쓰면 강제 종료됩니다.",
		"step.wsl-file":      "Windows의 {file} 파일에서 {section} 아래에 적습니다. Windows 몫은 남겨 두세요: {memory}, {swap}",
		"step.wsl-restart":   "그다음 PowerShell에서 실행합니다. WSL이 모두 종료됩니다:",
		"step.wsl-look":      "다시 WSL에서 늘어났는지 확인합니다:",

		"fix.find-killer":       "누가 강제 종료했는지 찾기",
		"fix.find-killer.why":   "프로그램의 로그에는 강제 종료되었다는 말뿐입니다. 무엇이 부족했는지는 커널 로그에 있습니다. GPU는 프로세스를 강제 종료하지 않습니다.",
		"step.killer-look":      "프로그램이 돌던 시스템에서:",
		"step.killer-container": "컨테이너 런타임의 기록과 제한값:",
	}
}
