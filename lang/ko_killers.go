package lang

import "github.com/oomdoc/oomdoc"

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
		"summary.user-pressure":  "{name} (pid {pid}) 프로세스를 {killer} 프로그램이 강제 종료했습니다. 메모리가 부족해 프로그램들이 너무 오래 멈춰 있었습니다(메모리 압박).",
		"summary.user-swap":      "{name} (pid {pid}) 프로세스를 {killer} 프로그램이 강제 종료했습니다. RAM과 스왑을 거의 다 쓴 상태였습니다.",
		"summary.user-available": "{name} (pid {pid}) 프로세스를 {killer} 프로그램이 강제 종료했습니다. 시스템에 남은 메모리가 너무 적었습니다.",
		"summary.user-usage":     "{name} (pid {pid}) 프로세스를 {killer} 프로그램이 강제 종료했습니다. 시스템의 메모리 사용량이 임계치를 넘었습니다.",
		"summary.user-rule":      "{name} (pid {pid}) 프로세스를 {killer} 프로그램이 규칙에 따라 강제 종료했습니다.",
		"summary.user-unknown":   "{name} (pid {pid}) 프로세스를 {killer} 프로그램이 메모리 부족으로 강제 종료했습니다. 무엇이 부족했는지는 로그에 없습니다.",

		"summary.user-owner-pressure":  "{killer} 프로그램이 {kind} {owner} 전체를 강제 종료했습니다. 메모리가 부족해 프로그램들이 너무 오래 멈춰 있었습니다(메모리 압박).",
		"summary.user-owner-swap":      "{killer} 프로그램이 {kind} {owner} 전체를 강제 종료했습니다. RAM과 스왑을 거의 다 쓴 상태였습니다.",
		"summary.user-owner-available": "{killer} 프로그램이 {kind} {owner} 전체를 강제 종료했습니다. 시스템에 남은 메모리가 너무 적었습니다.",
		"summary.user-owner-usage":     "{killer} 프로그램이 {kind} {owner} 전체를 강제 종료했습니다. 시스템의 메모리 사용량이 임계치를 넘었습니다.",
		"summary.user-owner-rule":      "{killer} 프로그램이 규칙에 따라 {kind} {owner} 전체를 강제 종료했습니다.",
		"summary.user-owner-unknown":   "{killer} 프로그램이 메모리 부족으로 {kind} {owner} 전체를 강제 종료했습니다. 무엇이 부족했는지는 로그에 없습니다.",

		"summary.user-unseen":   "{killer} 프로그램이 메모리 부족으로 무언가를 강제 종료했습니다. 무엇인지는 로그에 없습니다.",
		"summary.user-eviction": "{killer} 프로그램이 {kind} {owner} 항목을 내보냈습니다(eviction). 노드에 남은 메모리가 너무 적었습니다.",
		"summary.user-asked":    "시스템에 남은 메모리가 너무 적어 {killer} 프로그램이 커널에 강제 종료를 요청했습니다(SysRq-f). 무엇이 종료되었는지는 로그에 없습니다.",

		"summary.user-forgeable":       "{name} (pid {pid}) 프로세스를 {killer} 프로그램이 강제 종료했을 수 있습니다. 커널 로그에 그런 줄이 있지만, 커널 로그에는 다른 프로그램도 쓸 수 있습니다.",
		"summary.user-owner-forgeable": "{killer} 프로그램이 {kind} {owner} 전체를 강제 종료했을 수 있습니다. 커널 로그에 그런 줄이 있지만, 커널 로그에는 다른 프로그램도 쓸 수 있습니다.",

		"summary.told-process":    "{name} (pid {pid}) 프로세스를 커널의 OOM Killer가 강제 종료했다고 kubelet이 알렸습니다. 이유가 적힌 커널 로그는 여기에 없습니다.",
		"summary.told-counter":    "{name} (pid {pid}) 프로세스가 강제 종료되었고, 커널이 센 그 cgroup의 OOM 강제 종료 횟수가 늘었습니다. 이유가 적힌 커널 로그는 여기서 읽을 수 없습니다.",
		"summary.told-owner":      "{kind} {owner}의 프로세스를 커널의 OOM Killer가 강제 종료했다고 {teller} 프로그램이 알렸습니다. 이유가 적힌 커널 로그는 여기에 없습니다.",
		"summary.told-owner-open": "{kind} {owner}의 프로세스가 메모리 부족으로 강제 종료되었다고 systemd가 알렸습니다. 누가 왜 했는지는 이 로그에 없습니다.",
	}
}

func koreanKillerEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.killer-pressure":             "{cgroup}의 메모리 압박이 {pressure}로 한계 {limit}를 넘었습니다",
		"evidence.killer-pressure-for":         "{cgroup}의 메모리 압박이 {pressure}로, {span} 넘게 한계 {limit}를 넘었습니다",
		"evidence.killer-pressure-rule":        "{cgroup}의 메모리 압박이 최근 10초 동안 {pressure}였습니다",
		"evidence.killer-pressure-host":        "메모리 압박이 {pressure}로 한계 {limit}를 넘었습니다",
		"evidence.killer-pressure-limit":       "{cgroup}의 메모리 압박이 {span} 넘게 한계 {limit}를 넘었습니다",
		"evidence.killer-swap":                 "스왑 {total} 중 {used}를 써서 한계 {limit}를 넘었습니다",
		"evidence.killer-memory-and-swap":      "RAM {ram} 중 {ram_used}, 스왑 {total} 중 {used}를 써서 둘 다 한계 {limit}를 넘었습니다",
		"evidence.killer-state":                "RAM {ram} 중 {available}를 쓸 수 있었고({share}), 스왑 {total} 중 {free}가 비어 있었습니다",
		"evidence.killer-state-no-swap":        "RAM {ram} 중 {available}를 쓸 수 있었습니다({share})",
		"evidence.killer-state-swapless":       "RAM {ram} 중 {available}를 쓸 수 있었고({share}), 스왑은 없습니다",
		"evidence.killer-limits":               "{killer}의 동작 기준: 쓸 수 있는 RAM {memory} 이하, 빈 스왑 {swap} 이하",
		"evidence.killer-minimum":              "쓸 수 있는 RAM이 {available}였습니다. {killer}의 동작 기준은 {limit} 미만입니다",
		"evidence.killer-threshold":            "쓸 수 있는 메모리가 {available}로 임계치 {limit}보다 적었습니다",
		"evidence.killer-container":            "컨테이너 {container}: 사용 {used}, 요청(requests) {request}",
		"evidence.killer-container-no-request": "컨테이너 {container}: 사용 {used}",
		"evidence.killer-usage":                "메모리 {ram} 중 {used}를 써서({share}) 임계치 {limit}를 넘었습니다",
		"evidence.killer-usage-no-limit":       "메모리 {ram} 중 {used}를 쓰고 있었습니다({share})",
		"evidence.killer-held":                 "{name} (pid {pid}): RAM {rss} 점유",
		"evidence.killer-group-held":           "{cgroup}: 메모리 {rss} 사용",
		"evidence.killer-signal":               "{killer} 프로그램이 {name} (pid {pid}) 프로세스에 {signal} 시그널을 보냈습니다",
		"evidence.killer-unit":                 "서비스 관리자가 센 {unit}의 강제 종료된 프로세스: {n|개}",
		"evidence.killer-unit-some":            "서비스 관리자에 따르면 {killer} 프로그램이 {unit}의 프로세스를 강제 종료했습니다",
		"evidence.killer-rule":                 "{killer} 프로그램이 규칙 {rule}에 따라 동작했습니다({action})",
		"evidence.killer-asked":                "{killer} 프로그램이 SysRq-f로 커널에 희생 프로세스를 고르게 했습니다",
		"evidence.killer-line":                 "{killer}에 관해 로그에 남은 것은 이 줄뿐입니다",
		"evidence.told-unit":                   "커널의 OOM Killer가 {unit}의 프로세스를 강제 종료했다고 systemd가 알렸습니다",
		"evidence.told-result":                 "systemd가 {unit}의 실패 이유로 메모리 부족을 들었습니다",
		"evidence.told-counter":                "명령이 실행되는 동안 커널이 센 {cgroup}의 OOM 강제 종료 횟수가 {n}만큼 늘었습니다",
		"evidence.told-slurm":                  "Slurm이 작업 {job}의 스텝 {step}에서 커널 OOM Killer의 강제 종료 {n|건}을 셌습니다",
		"evidence.told-system":                 "시스템 메모리가 부족할 때 커널이 {name} (pid {pid}) 프로세스를 강제 종료했다고 kubelet이 알렸습니다",
	}
}

func koreanKillerMissing() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"missing.killer-writer":    "이 줄을 쓴 프로그램: 이런 형식의 로그에는 쓴 쪽이 나오지 않습니다",
		"missing.killer-forgeable": "믿을 수 있는 출처: 커널 로그에 있지만 커널이 쓴 줄이 아닙니다",
		"missing.killer-why":       "동작하게 만든 수치",
		"missing.killer-who":       "어느 프로세스가 강제 종료되었는지",
		"missing.kernel-log":       "강제 종료에 관한 커널 로그: 어떤 메모리가 부족했는지 나옵니다",
	}
}

func koreanKillerFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.oomd-spare":       "이 작업을 꼭 살려야 한다면 systemd-oomd가 다른 것을 먼저 고르게 하기",
		"fix.oomd-spare.why":   "그러면 systemd-oomd가 이 작업을 맨 나중에 고릅니다. 메모리가 부족한 것은 그대로이므로 다른 것이 대신 종료됩니다. 시스템 유닛에 통하며, 사용자 유닛은 감시하는 그룹이 같은 사용자의 것일 때만 통합니다.",
		"fix.oomd-limits":      "systemd-oomd가 더 기다리게 하기",
		"fix.oomd-limits.why":  "메모리 압박이 {limit}를 넘으면 사람이 느낄 만큼 멈춥니다. 한계를 올리면 강제 종료는 줄지만 더 오래 멈춥니다.",
		"fix.killer-swap.why":  "{killer} 프로그램이 동작했을 때 스왑 {total} 중 {free}만 비어 있었습니다. 스왑을 늘리면 늦춰집니다. 일시적인 최고치에는 도움이 되지만 메모리 누수에는 소용없습니다.",
		"step.oomd-status":     "systemd-oomd가 무엇을 감시하고 한계가 얼마인지 확인합니다:",
		"step.oomd-monitored":  "{cgroup}의 한계는 따로 정해져 있으니 거기에서 바꿉니다:",
		"fix.early-limits":     "{killer} 프로그램이 더 늦게 동작하게 하기",
		"fix.early-limits.why": "{killer}의 동작 기준은 쓸 수 있는 RAM {memory} 이하, 빈 스왑 {swap} 이하입니다. RAM이 큰 시스템에서는 그래도 꽤 많은 양입니다.",
		"fix.early-why":        "{killer} 프로그램은 시스템이 멈추지 않도록 메모리가 조금 남아 있을 때 미리 동작합니다. RAM이 큰 시스템에서는 기본값이 꽤 많은 메모리를 남깁니다.",
		"step.early-options":   "/etc/default/earlyoom의 EARLYOOM_ARGS에 {option} 옵션을 더하고(첫 번째 수는 SIGTERM, 두 번째는 SIGKILL 기준) 다시 시작합니다:",
		"step.early-avoid":     "이 작업을 꼭 살려야 한다면 {option} 옵션도 더하세요. earlyoom이 다른 프로세스를 먼저 고릅니다.",
		"step.nohang-options":  "/etc/nohang/nohang.conf(데스크톱이면 nohang-desktop.conf)에서 {option} 설정으로 바꾸고 다시 시작합니다:",
		"step.nohang-avoid":    "이 작업을 꼭 살려야 한다면 거기에서 badness를 낮추세요: {option}",
		"step.oomd-start":      "다음에 시작할 때 {setting} 설정을 주세요. 예: systemd-run -p (사용자 작업이면 --user도).",
		"fix.oomd-rules":       "oomd의 규칙을 바꾸거나 이 작업을 빼 주기",
		"step.oomd-rules":      "규칙은 /etc/oomd.json에 있습니다. {rule} 감지기의 임계치를 올리거나, 꼭 살려야 하는 작업의 cgroup에 확장 속성 trusted.oomd_avoid를 두세요.",

		"fix.evict-requests":       "파드가 쓰는 만큼 메모리를 요청(requests)하기",
		"fix.evict-requests.why":   "kubelet은 요청보다 많이 쓰는 파드를 먼저 내보냅니다. 컨테이너 {container}: 사용 {used}, 요청 {request}.",
		"fix.evict-requests.plain": "kubelet은 요청보다 많이 쓰는 파드를 먼저 내보냅니다.",
		"step.evict-request":       "워크로드(Deployment, StatefulSet, Job) 정의에서 컨테이너 {container}의 resources.requests.memory를 {size}로 바꾸고 적용하세요. 그만큼 비어 있는 노드에만 배치됩니다.",
		"step.evict-request-some":  "워크로드(Deployment, StatefulSet, Job) 정의에서 컨테이너들의 resources.requests.memory를 실제 사용량만큼 올리고 적용하세요.",
		"step.evict-threshold":     "임계치 아래에서도 노드에 메모리가 남는다면 kubelet 설정의 evictionHard에서 memory.available을 낮추세요. 시스템 몫은 충분히 남겨야 합니다. 그렇지 않으면 커널이 대신 강제 종료합니다.",
		"step.evict-usage":         "컨테이너별 사용량을 확인합니다:",

		"fix.ray-less":       "한 노드에서 동시에 돌리는 작업 수 줄이기",
		"fix.ray-less.why":   "노드의 메모리를 거의 다 써서 Ray의 모니터가 가장 나중에 시작된 작업을 강제 종료했습니다.",
		"step.ray-memory":    "작업에 필요한 메모리를 Ray에 알려 주면 동시에 덜 배치합니다: {option}",
		"step.ray-threshold": "RAM이 큰 노드라면 임계치를 올려도 됩니다. Ray를 {option} 설정으로 시작하세요.",
	}
}
