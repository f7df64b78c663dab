package lang

import "github.com/oomdoc/oomdoc"

// koreanKillers is englishKillers in Korean.
func koreanKillers() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		koreanKillerSummaries(),
		koreanKillerEvidence(),
		koreanKillerMissing(),
		koreanKillerFixes(),
	})
}

func koreanKillerSummaries() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"summary.user-pressure":  "메모리 압박으로 프로그램들이 너무 오래 멈춰 있어 {killer:이/가} {name}(PID {pid}){:을/를} 강제 종료했습니다.",
		"summary.user-swap":      "시스템의 램과 스왑을 거의 다 써서 {killer:이/가} {name}(PID {pid}){:을/를} 강제 종료했습니다.",
		"summary.user-available": "시스템에 남은 메모리가 너무 적어 {killer:이/가} {name}(PID {pid}){:을/를} 강제 종료했습니다.",
		"summary.user-usage":     "시스템의 메모리 사용량이 임계치를 넘어 {killer:이/가} {name}(PID {pid}){:을/를} 강제 종료했습니다.",
		"summary.user-rule":      "{killer:이/가} 자체 규칙에 따라 {name}(PID {pid}){:을/를} 강제 종료했습니다.",
		"summary.user-unknown":   "메모리가 부족해 {killer:이/가} {name}(PID {pid}){:을/를} 강제 종료했습니다. 무엇이 부족했는지는 로그에 없습니다.",

		"summary.user-owner-pressure":  "메모리 압박으로 프로그램들이 너무 오래 멈춰 있어 {killer:이/가} {kind} {owner:을/를} 강제 종료했습니다.",
		"summary.user-owner-swap":      "시스템의 램과 스왑을 거의 다 써서 {killer:이/가} {kind} {owner:을/를} 강제 종료했습니다.",
		"summary.user-owner-available": "시스템에 남은 메모리가 너무 적어 {killer:이/가} {kind} {owner:을/를} 강제 종료했습니다.",
		"summary.user-owner-usage":     "시스템의 메모리 사용량이 임계치를 넘어 {killer:이/가} {kind} {owner:을/를} 강제 종료했습니다.",
		"summary.user-owner-rule":      "{killer:이/가} 자체 규칙에 따라 {kind} {owner:을/를} 강제 종료했습니다.",
		"summary.user-owner-unknown":   "메모리가 부족해 {killer:이/가} {kind} {owner:을/를} 강제 종료했습니다. 무엇이 부족했는지는 로그에 없습니다.",

		"summary.user-unseen":   "메모리가 부족해 {killer:이/가} 무언가를 강제 종료했습니다. 무엇인지는 로그에 없습니다.",
		"summary.user-eviction": "노드에 남은 메모리가 너무 적어 {killer:이/가} {kind} {owner:을/를} 축출(evict)했습니다.",
		"summary.user-asked":    "시스템에 남은 메모리가 너무 적어 {killer:이/가} 커널에 강제 종료를 요청했습니다(SysRq-f). 무엇이 종료되었는지는 로그에 없습니다.",

		"summary.user-forgeable":       "{killer:이/가} {name}(PID {pid}){:을/를} 강제 종료했을 수 있습니다. 커널 로그에 그런 줄이 있지만, 커널 로그에는 다른 프로그램도 쓸 수 있습니다.",
		"summary.user-owner-forgeable": "{killer:이/가} {kind} {owner:을/를} 강제 종료했을 수 있습니다. 커널 로그에 그런 줄이 있지만, 커널 로그에는 다른 프로그램도 쓸 수 있습니다.",

		"summary.told-process":    "kubelet에 따르면 {name}(PID {pid}){:이/가} 커널의 OOM Killer에 강제 종료되었습니다. 이유를 알려 주는 커널의 기록은 이 로그에 없습니다.",
		"summary.told-counter":    "{name}(PID {pid}){:이/가} 강제 종료되었고, 커널이 그 cgroup에서 OOM 강제 종료를 세었습니다. 이유를 알려 주는 커널의 기록은 여기서 읽을 수 없습니다.",
		"summary.told-owner":      "{teller}에 따르면 {kind} {owner}의 프로세스가 커널의 OOM Killer에 강제 종료되었습니다. 이유를 알려 주는 커널의 기록은 이 로그에 없습니다.",
		"summary.told-job":        "Slurm에 따르면 {kind} {owner}의 프로세스가 커널의 OOM Killer에 강제 종료되었습니다. 작업에 주어진 메모리 한도에 걸렸을 가능성이 가장 큽니다. 이를 확인해 줄 커널의 기록은 이 로그에 없습니다.",
		"summary.told-owner-open": "systemd에 따르면 {kind} {owner}의 프로세스가 메모리 부족으로 강제 종료되었습니다. 누가 왜 종료했는지는 이 로그에 없습니다.",
	}
}

func koreanKillerEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.killer-pressure":             "{cgroup}의 메모리 압박이 {pressure:으로/로} 기준 {limit:을/를} 넘었습니다",
		"evidence.killer-pressure-for":         "{cgroup}의 메모리 압박이 {pressure:으로/로} {span} 넘게 기준 {limit:을/를} 넘었습니다",
		"evidence.killer-pressure-rule":        "{cgroup}의 메모리 압박은 최근 10초 동안 {pressure:이었/였}습니다",
		"evidence.killer-pressure-host":        "메모리 압박이 {pressure:으로/로} 기준 {limit:을/를} 넘었습니다",
		"evidence.killer-pressure-limit":       "{cgroup}의 메모리 압박이 {span} 넘게 기준 {limit:을/를} 넘었습니다",
		"evidence.killer-swap":                 "스왑을 {total} 중 {used} 써서 기준 {limit:을/를} 넘었습니다",
		"evidence.killer-memory-and-swap":      "램은 {ram} 중 {ram_used}, 스왑은 {total} 중 {used}를 써서 둘 다 기준 {limit:을/를} 넘었습니다",
		"evidence.killer-state":                "램은 {ram} 중 {available}({share})를 쓸 수 있었고, 스왑은 {total} 중 {free}가 남아 있었습니다",
		"evidence.killer-state-no-swap":        "램은 {ram} 중 {available}({share})를 쓸 수 있었습니다",
		"evidence.killer-state-swapless":       "램은 {ram} 중 {available}({share})를 쓸 수 있었고, 스왑은 없습니다",
		"evidence.killer-limits":               "{killer:은/는} 쓸 수 있는 램이 {memory} 이하이고 남은 스왑이 {swap} 이하일 때 나섭니다",
		"evidence.killer-minimum":              "쓸 수 있는 램이 {available}였고, {killer:은/는} {limit} 미만이면 나섭니다",
		"evidence.killer-threshold":            "쓸 수 있는 메모리가 {available}로 임계치 {limit}보다 적었습니다",
		"evidence.killer-container":            "컨테이너 {container:은/는} {used}를 쓰고 있었고, 요청(requests)은 {request}였습니다",
		"evidence.killer-container-no-request": "컨테이너 {container:이/가} {used}를 쓰고 있었습니다",
		"evidence.killer-usage":                "메모리를 {ram} 중 {used}({share}) 써서 임계치 {limit:을/를} 넘었습니다",
		"evidence.killer-usage-no-limit":       "메모리를 {ram} 중 {used}({share}) 쓰고 있었습니다",
		"evidence.killer-held":                 "{name}(PID {pid}){:은/는} 램 {rss}를 쓰고 있었습니다",
		"evidence.killer-group-held":           "{cgroup:이/가} 메모리 {rss}를 쓰고 있었습니다",
		"evidence.killer-signal":               "{killer:이/가} {name}(PID {pid})에 {signal:을/를} 보냈습니다",
		"evidence.killer-unit":                 "서비스 관리자에 따르면 {unit}의 프로세스 {n|개}가 강제 종료되었습니다",
		"evidence.killer-unit-some":            "서비스 관리자에 따르면 {killer:이/가} {unit}의 프로세스를 강제 종료했습니다",
		"evidence.killer-rule":                 "{killer:이/가} 규칙 {rule}에 따라 움직였습니다({action})",
		"evidence.killer-asked":                "{killer:이/가} SysRq-f로 커널에 종료할 프로세스를 고르게 했습니다",
		"evidence.killer-line":                 "{killer:이/가} 로그에 남긴 것은 이 줄뿐입니다",
		"evidence.told-unit":                   "systemd에 따르면 커널의 OOM Killer가 {unit}의 프로세스를 강제 종료했습니다",
		"evidence.told-result":                 "systemd는 {unit:이/가} 실패한 이유로 메모리 부족을 들었습니다",
		"evidence.told-counter":                "명령이 실행되는 동안 커널이 센 {cgroup}의 OOM 강제 종료 횟수가 {n}만큼 늘었습니다",
		"evidence.told-slurm":                  "Slurm은 작업 {job}의 단계 {step}에서 커널의 OOM Killer에 의한 강제 종료를 {n|번} 기록했습니다",
		"evidence.told-system":                 "kubelet에 따르면 시스템의 메모리가 부족해 커널이 {name}(PID {pid}){:을/를} 강제 종료했습니다",
	}
}

func koreanKillerMissing() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"missing.killer-writer":    "누가 쓴 줄인지: 이 로그에는 나오지 않습니다",
		"missing.killer-forgeable": "믿을 수 있는 출처: 이 줄은 커널 로그에 있지만 커널이 쓴 것이 아닙니다",
		"missing.killer-why":       "왜 나섰는지 알려 주는 수치",
		"missing.killer-who":       "어느 프로세스가 종료되었는지",
		"missing.kernel-log":       "강제 종료에 대한 커널의 보고서: 어느 메모리가 부족했는지 나옵니다",
	}
}

func koreanKillerFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.oomd-spare":       "살아남아야 하는 작업이라면 systemd-oomd가 다른 것을 먼저 고르게 하기",
		"fix.oomd-spare.why":   "systemd-oomd가 이 작업을 가장 나중에 종료합니다. 메모리는 그대로 부족하므로 대신 다른 것이 죽습니다. 시스템 유닛, 그리고 감시 대상 cgroup과 소유자가 같은 사용자 유닛에 적용됩니다.",
		"fix.oomd-limits":      "systemd-oomd가 더 오래 기다리게 하기",
		"fix.oomd-limits.why":  "압박이 {limit:을/를} 넘으면 사람이 느낄 만큼 멈춥니다. 기준을 올리면 강제 종료는 줄지만 더 오래 멈춥니다.",
		"fix.killer-swap.why":  "{killer:이/가} 나섰을 때 스왑은 {total} 중 {free}만 남아 있었습니다. 스왑을 늘리면 그만큼 늦춰집니다. 순간적인 최고치에는 도움이 되지만 메모리 누수에는 소용없습니다.",
		"step.oomd-status":     "systemd-oomd가 무엇을 감시하고 기준이 얼마인지 확인합니다:",
		"step.oomd-monitored":  "{cgroup}에는 기준이 따로 있으므로 거기에서 정합니다:",
		"fix.early-limits":     "{killer:이/가} 더 늦게 나서게 하기",
		"fix.early-limits.why": "{killer:은/는} 쓸 수 있는 램이 {memory} 이하이고 남은 스왑이 {swap} 이하일 때 나섭니다. 램이 큰 시스템에서는 그래도 많이 남아 있는 것일 수 있습니다.",
		"fix.early-why":        "{killer:은/는} 시스템이 멈추지 않도록 메모리가 조금 남아 있을 때 나섭니다. 램이 큰 시스템에서는 기본값이면 많은 양이 남습니다.",
		"step.early-options":   "/etc/default/earlyoom의 EARLYOOM_ARGS에 {option:을/를} 추가하고 다시 시작합니다(첫 번째 숫자는 SIGTERM, 두 번째는 SIGKILL 기준):",
		"step.early-avoid":     "살아남아야 하는 작업이라면 같은 곳에 {option:을/를} 추가하세요. earlyoom이 다른 프로세스를 먼저 고릅니다.",
		"step.nohang-options":  "/etc/nohang/nohang.conf(데스크톱이면 nohang-desktop.conf)에서 {option:으로/로} 바꾸고 다시 시작합니다:",
		"step.nohang-avoid":    "살아남아야 하는 작업이라면 같은 곳에서 badness를 낮추세요: {option}",
		"step.oomd-start":      "다음에는 {setting} 설정으로 시작하세요. 예: systemd-run -p(사용자 작업이면 --user 추가).",
		"fix.oomd-rules":       "oomd의 규칙을 바꾸거나 이 작업을 제외하기",
		"step.oomd-rules":      "규칙은 /etc/oomd.json에 있습니다. {rule}의 detector 임계치를 올리거나, 살아남아야 하는 작업의 cgroup에 확장 속성 trusted.oomd_avoid를 지정하세요.",

		"fix.evict-requests":       "파드가 실제로 쓰는 만큼 메모리 요청하기",
		"fix.evict-requests.why":   "kubelet은 요청한 것보다 많이 쓰는 파드를 먼저 축출합니다. 컨테이너 {container:은/는} {used}를 쓰고 있었고 요청은 {request}였습니다.",
		"fix.evict-requests.plain": "kubelet은 요청한 것보다 많이 쓰는 파드를 먼저 축출합니다.",
		"step.evict-request":       "워크로드(Deployment, StatefulSet, Job) 정의에서 컨테이너 {container}의 resources.requests.memory를 {size}로 정하고 적용하세요. 그만큼 여유가 있는 노드에만 배치됩니다.",
		"step.evict-request-some":  "워크로드(Deployment, StatefulSet, Job) 정의에서 각 컨테이너의 resources.requests.memory를 실제 사용량만큼 올리고 적용하세요.",
		"step.evict-threshold":     "임계치 아래로 더 써도 되는 노드라면 kubelet 설정의 evictionHard에서 memory.available을 낮추세요. 시스템이 쓸 만큼은 남겨야 합니다. 그러지 않으면 커널이 대신 강제 종료합니다.",
		"step.evict-usage":         "컨테이너가 얼마나 쓰는지 확인합니다:",

		"fix.ray-less":       "노드 하나에서 동시에 실행하는 작업 줄이기",
		"fix.ray-less.why":   "노드의 메모리를 거의 다 써서 Ray의 모니터가 가장 나중에 시작한 작업을 강제 종료했습니다.",
		"step.ray-memory":    "작업에 필요한 메모리를 Ray에 알려 주면 동시에 배치하는 수를 줄입니다: {option}",
		"step.ray-threshold": "램이 큰 노드라면 임계치를 올려도 됩니다. Ray를 {option:으로/로} 시작하세요.",
	}
}
