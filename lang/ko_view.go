package lang

import "github.com/oomdoc/oomdoc"

// koreanView is englishView in Korean.
func koreanView() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		koreanLabels(),
		koreanFacts(),
		koreanVerdicts(),
		koreanOwners(),
		koreanList(),
	})
}

func koreanLabels() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"view.label.when":       "발생 시각",
		"view.label.memory":     "진단",
		"view.label.outcome":    "결과",
		"view.label.killer":     "종료 주체",
		"view.label.process":    "프로세스",
		"view.label.command":    "명령줄",
		"view.label.starter":    "시작한 명령",
		"view.label.settings":   "환경 변수",
		"view.label.owner":      "소속",
		"view.label.pod":        "파드",
		"view.label.cgroup":     "cgroup 경로",
		"view.label.victims":    "함께 종료",
		"view.label.reason":     "선택 이유",
		"view.label.request":    "요청",
		"view.label.limited":    "제한 대상",
		"view.label.source":     "출처",
		"view.label.count":      "횟수",
		"view.label.note":       "참고",
		"view.label.gpu":        "GPU",
		"view.heading.evidence": "근거",
		"view.heading.picture":  "그 전 {over}",
		"view.picture.gpu":      "GPU 전체",
		"view.picture.own":      "그중 이 프로세스",
		"view.picture.ram":      "프로세스의 램",
		"view.picture.end":      "{value}",
		"view.picture.of":       "{whole} 중 {value}",
		"view.heading.missing":  "알 수 없는 것",
		"view.heading.fixes":    "처방",
		"view.heading.records":  "로그 원문",
	}
}

func koreanFacts() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"view.time-unknown":    "알 수 없음(로그에 시각이 없음)",
		"view.time-since-boot": "부팅 후 {since}(로그에 날짜와 시각이 없음)",
		"view.time-about":      "{time} 무렵",
		"view.time-age":        "{time}, {age}",
		"view.verdict":         "{class}: {cause}({confidence})",
		"view.pid":             "PID {pid}",
		"view.gpu-index":       "GPU {n}(프로그램이 매긴 번호)",
		"view.gpu-number":      "{n}번",
		"view.gpu-total":       "전체 {total}",
		"view.gpu-free":        "여유 {free}",
		"view.uid":             "UID {uid}",
		"view.engine":          "엔진 {engine}",
		"view.model":           "모델 {model}",
		"view.no-name":         "(이름 없음)",
		"view.named":           "이름 {name}",
		"view.image":           "이미지 {image}",
		"view.pod-uid":         "UID {uid}",
		"view.qos":             "QoS {qos}",
		"view.in-container":    "컨테이너 {id}",
		"view.victim":          "{name}(PID {pid})",
		"view.victim-rss":      "{name}(PID {pid}, {rss})",
		"view.more-victims":    "그 밖에 프로세스 {n|개}",
		"view.invoker":         "요청한 프로세스 {name}",
		"view.order":           "order {order}",
		"view.boot":            "부팅 {id}",
		"view.times":           "몇 초 사이에 {n|번}",
		"view.selftest":        "oomdoc selftest가 일부러 일으킨 종료입니다. 실제로 죽은 프로그램은 없습니다",
		"view.burst":           "몇 초 사이에 잇달아 일어난 사건 중 하나(첫 사건: {id})",
		"view.saves":           "약 {bytes}를 아낄 수 있습니다.",
		"view.saves-enough":    "약 {bytes}를 아낄 수 있고, 그것으로 충분했을 것입니다.",
		"view.saves-short":     "약 {bytes}를 아낄 수 있지만, 그것만으로는 부족했을 것입니다.",
		"view.not-to-copy":     "(이 명령의 이름에는 보이지 않는 문자나 제어 문자가 있어 \\x1b, \\u202e처럼 적었습니다. 그대로 복사하지 마세요)",
		"view.incident":        "사건 {id}",
		"view.show":            "사건 {id}. 로그까지 모두 보기: oomdoc show {id}",
	}
}

func koreanVerdicts() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"view.class.vram":          "GPU 메모리(VRAM)",
		"view.class.host-ram":      "시스템 RAM",
		"view.class.fragmentation": "메모리 파편화",

		"view.cause.cgroup-limit":       "메모리 제한에 도달함",
		"view.cause.host-exhausted":     "전체가 바닥남",
		"view.cause.numa-bound":         "허용된 NUMA 노드의 메모리만 부족함",
		"view.cause.requested":          "사람이 직접 종료를 요청함",
		"view.cause.pressure-kill":      "커널보다 먼저 다른 프로그램이 종료함",
		"view.cause.zone-exhausted":     "램의 일부 영역(존)만 부족함",
		"view.cause.kernel-memory":      "커널 자체 메모리가 램을 채움",
		"view.cause.shared-memory":      "공유 메모리가 램을 채움",
		"view.cause.hugepages-reserved": "예약된 huge page가 램을 묶어 둠",
		"view.cause.balloon":            "하이퍼바이저가 램을 회수해 감",
		"view.cause.kernel-buddy":       "충분히 큰 연속 메모리가 없음",
		"view.cause.allocation-refused": "프로그램의 메모리 할당이 거부됨",
		"view.cause.shm-too-small":      "공유 메모리(/dev/shm)가 너무 작음",
		"view.cause.weights":            "모델 가중치가 들어가지 않음",
		"view.cause.kv-cache":           "KV 캐시가 들어가지 않음",
		"view.cause.activations":        "계산에 쓸 공간이 부족함",
		"view.cause.other-process":      "다른 프로세스가 GPU를 점유함",
		"view.cause.leak":               "프로그램의 사용량이 계속 늘어남",
		"view.cause.single-allocation":  "한 번의 요청이 그래픽카드보다 큼",
		"view.cause.reservation":        "설정된 상한선에 걸림",
		"view.cause.exhausted":          "그래픽카드 메모리가 가득 참",
		"view.cause.cuda-allocator":     "여유는 있지만 조각나 있음",
		"view.cause.undecided":          "근거만으로는 원인을 정할 수 없음",

		"view.confidence.certain":  "확실함",
		"view.confidence.likely":   "가능성 높음",
		"view.confidence.possible": "가능성 있음, 확인되지 않음",

		"view.outcome.failed":   "프로그램이 오류를 받고 끝났습니다",
		"view.outcome.degraded": "강제 종료는 없었고, 실패한 작업은 계속되거나 멈춰 있었습니다",
		"view.outcome.panic":    "커널 패닉으로 시스템이 멈췄습니다",
	}
}

func koreanOwners() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"view.owner.unit":      "유닛 {name}",
		"view.owner.user-unit": "사용자 유닛 {name}",
		"view.owner.session":   "로그인 세션 {name}",
		"view.owner.app":       "앱 {name}",
		"view.owner.container": "컨테이너 {name}",
		"view.owner.pod":       "Kubernetes 파드 {name}",
		"view.owner.lxc":       "LXC 컨테이너 {name}",
		"view.owner.vm":        "가상 머신 {name}",
		"view.owner.slurm-job": "Slurm 작업 {name}",
		"view.owner.slice":     "슬라이스 {name}",
		"view.owner.host":      "없음(최상위 cgroup에서 실행됨)",
		"view.owner.cgroup":    "cgroup {name}",
	}
}

func koreanList() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"view.list.time":     "시각",
		"view.list.what":     "죽은 프로그램",
		"view.list.owner":    "소속",
		"view.list.why":      "원인",
		"view.list.id":       "ID",
		"view.list.kills":    "강제 종료 {n|건}",
		"view.list.failures": "실패 {n|건}",
		"view.list.within":   "{duration} 동안 {what}",
		"view.list.more":     "{name} 외 {n|개}",
		"view.list.nobody":   "(종료 없음)",
		"view.list.unseen":   "(알 수 없음)",
		"view.list.several":  "(여럿)",
		"view.list.limit":    "제한 {limit}",
		"view.list.selftest": "selftest",
		"view.list.folded":   "같은 메모리에서 몇 초 사이에 난 사건은 한 줄로 묶었습니다. 모두 보려면 --all.",

		"view.list.cause.cgroup-limit":       "메모리 제한",
		"view.list.cause.host-exhausted":     "램 부족",
		"view.list.cause.numa-bound":         "NUMA 노드 부족",
		"view.list.cause.requested":          "수동 요청",
		"view.list.cause.pressure-kill":      "조기 종료",
		"view.list.cause.zone-exhausted":     "메모리 존 부족",
		"view.list.cause.kernel-memory":      "커널 메모리",
		"view.list.cause.shared-memory":      "공유 메모리",
		"view.list.cause.hugepages-reserved": "huge page",
		"view.list.cause.balloon":            "VM 벌룬",
		"view.list.cause.kernel-buddy":       "파편화",
		"view.list.cause.allocation-refused": "할당 거부",
		"view.list.cause.shm-too-small":      "/dev/shm 부족",
		"view.list.cause.weights":            "VRAM: 가중치",
		"view.list.cause.kv-cache":           "VRAM: KV 캐시",
		"view.list.cause.activations":        "VRAM: 계산 공간",
		"view.list.cause.other-process":      "VRAM: 다른 점유",
		"view.list.cause.leak":               "VRAM: 누수",
		"view.list.cause.single-allocation":  "VRAM: 과대 요청",
		"view.list.cause.reservation":        "VRAM: 상한선",
		"view.list.cause.exhausted":          "VRAM 부족",
		"view.list.cause.cuda-allocator":     "VRAM 파편화",
		"view.list.cause.undecided":          "원인 불명",
	}
}
