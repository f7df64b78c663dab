package lang

import "github.com/oomdoc/oomdoc"

// koreanClassify is englishClassify in Korean.
func koreanClassify() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		koreanSummaries(),
		koreanHostSummaries(),
		koreanVictims(),
		koreanGroupEvidence(),
		koreanHostEvidence(),
		koreanShares(),
		koreanHoldings(),
		koreanZones(),
		koreanMissing(),
		koreanKinds(),
	})
}

func koreanSummaries() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"summary.killed-undecided":        "{name}(PID {pid}){:이/가} 커널의 OOM Killer에 강제 종료되었습니다. 어느 메모리가 부족했는지는 로그만으로 알 수 없습니다.",
		"summary.killed-contradicted":     "{name}(PID {pid}){:이/가} 커널의 OOM Killer에 강제 종료되었지만, 페이지 하나는 얻을 수 있는 상태였습니다. 요청이 왜 실패했는지는 알 수 없습니다.",
		"summary.killed-elsewhere":        "요청이 쓸 수 있는 메모리가 바닥나 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 시스템의 다른 메모리에는 여유가 있었습니다.",
		"summary.killed-limit":            "{kind} {owner:이/가} 메모리 제한 {limit}에 도달해 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-limit-unit":       "{owner:이/가} 메모리 제한 {limit}에 도달해 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-limit-unmeasured": "{kind} {owner:이/가} 메모리 제한에 도달해 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-limit-unnamed":    "메모리 제한에 도달해 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 누구의 제한인지는 로그에 없습니다.",
		"summary.killed-host":             "시스템 전체의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-host-no-swap":     "시스템 전체의 램이 부족하고 스왑도 없어 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-host-swap-full":   "시스템 전체의 램이 부족하고 스왑도 가득 차 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-host-unproven":    "시스템의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료된 것으로 보입니다. 커널이 더 좁은 제한을 언급하지 않았기 때문이며, 여유가 얼마였는지는 로그에 없습니다.",
		"summary.killed-numa":             "쓸 수 있는 NUMA 노드의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-requested":        "누군가 커널에 종료를 요청해(SysRq-f) {name}(PID {pid}){:이/가} 강제 종료되었습니다. 메모리가 부족했다는 뜻은 아닙니다.",

		"summary.several-limit":            "{kind} {owner:이/가} 메모리 제한 {limit}에 도달해 {name}(PID {pid}){:과/와} 다른 프로세스 {n|개}가 강제 종료되었습니다.",
		"summary.several-limit-unit":       "{owner:이/가} 메모리 제한 {limit}에 도달해 {name}(PID {pid}){:과/와} 다른 프로세스 {n|개}가 강제 종료되었습니다.",
		"summary.several-limit-unmeasured": "{kind} {owner:이/가} 메모리 제한에 도달해 {name}(PID {pid}){:과/와} 다른 프로세스 {n|개}가 강제 종료되었습니다.",
		"summary.several-host":             "시스템 전체의 램이 부족해 {name}(PID {pid}){:과/와} 다른 프로세스 {n|개}가 강제 종료되었습니다.",

		"summary.nobody-limit":            "{kind} {owner:이/가} 메모리 제한 {limit}에 도달했지만, 그 안의 프로세스가 모두 보호되어 있어 아무것도 종료되지 않았습니다.",
		"summary.nobody-limit-unmeasured": "{kind} {owner:이/가} 메모리 제한에 도달했지만, 그 안의 프로세스가 모두 보호되어 있어 아무것도 종료되지 않았습니다.",
		"summary.nobody":                  "메모리가 바닥났지만 커널은 종료해도 되는 프로세스를 찾지 못했습니다.",

		"summary.panic-limit": "{kind} {owner:이/가} 메모리 제한 {limit}에 도달하자, 커널이 프로세스를 종료하는 대신 패닉을 일으켰습니다.",
		"summary.panic-host":  "시스템 전체의 램이 부족해 커널 패닉이 일어났습니다.",
		"summary.panic":       "메모리가 부족해 커널 패닉이 일어났습니다.",

		"summary.unseen-limit":  "{kind} {owner:이/가} 메모리 제한 {limit}에 도달해 프로세스 하나가 강제 종료되었습니다. 어느 프로세스인지는 로그에 없습니다.",
		"summary.unseen-host":   "시스템 전체의 램이 부족해 프로세스 하나가 강제 종료되었습니다. 어느 프로세스인지는 로그에 없습니다.",
		"summary.unseen-pieces": "연속된 {size}를 요청했지만 쓸 수 있는 메모리가 모두 더 작은 조각이라 프로세스 하나가 강제 종료되었습니다. 어느 프로세스인지는 로그에 없습니다.",
		"summary.unseen-part":   "요청이 쓸 수 있는 램 영역이 바닥나 프로세스 하나가 강제 종료되었습니다. 어느 프로세스인지는 로그에 없습니다.",
		"summary.unseen":        "커널의 OOM Killer가 작동했습니다. 어느 프로세스를 종료했는지, 어느 메모리가 부족했는지는 로그에 없습니다.",
	}
}

func koreanHostSummaries() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"summary.killed-numa-probably": "다른 노드에는 여유가 있었지만, 요청이 묶여 있었던 것으로 보이는 NUMA 노드의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-pieces":        "연속된 {size}를 요청했지만 쓸 수 있는 메모리가 모두 더 작은 조각이라 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-low-zone":      "메모리 존 {zone:이/가} 바닥나 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 이 요청이 쓸 수 없는 다른 존에는 {held}가 비어 있었습니다.",
		"summary.killed-withheld":      "비어 있던 메모리 중 {held}가 {what} 이 요청이 쓸 수 없었고, 그래서 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",

		"summary.killed-hugepages":        "아무도 쓰지 않는 {idle}가 huge page로 예약된 채 시스템의 램이 부족해져 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-slab":             "시스템의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 램의 {share:을/를} 커널이 되돌릴 수 없는 자체 메모리(slab)가 차지하고 있었습니다.",
		"summary.killed-slab-reclaimable": "시스템의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 램의 {share:을/를} 커널이 제때 비우지 못한 캐시(slab)가 차지하고 있었습니다.",
		"summary.killed-unaccounted":      "시스템의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 램의 {share:은/는} 어느 통계에도 잡히지 않으며, 프로세스가 아니라 드라이버, 파이프, 소켓이 쓰는 메모리입니다.",
		"summary.killed-gpu-driver":       "시스템의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 램의 {share:을/를} GPU 드라이버가 차지하고 있었습니다.",
		"summary.killed-page-tables":      "시스템의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 램의 {share:을/를} 페이지 테이블이 차지하고 있었습니다.",
		"summary.killed-kernel-stacks":    "스레드가 너무 많아 시스템의 램이 부족해졌고 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 스레드의 커널 스택만으로 램의 {share:을/를} 차지하고 있었습니다.",
		"summary.killed-shared":           "시스템의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 램의 {share:을/를} 공유 메모리가 차지하고 있었습니다.",
		"summary.killed-shared-left":      "시스템의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 램의 {share:을/를} 프로세스가 아니라 /dev/shm 같은 tmpfs의 파일이 차지하고 있었습니다.",
		"summary.killed-ramfs":            "시스템의 램이 부족해 {name}(PID {pid}){:이/가} 강제 종료되었습니다. 램의 {share:을/를} 아무도 비울 수 없는 메모리(ramfs의 파일이나 잠긴 공유 메모리)가 차지하고 있었습니다.",
		"summary.killed-balloon":          "하이퍼바이저가 {held}를 회수해 간 이 가상 머신의 램이 부족해져 {name}(PID {pid}){:이/가} 강제 종료되었습니다.",
		"summary.killed-follow-up":        "{first}(PID {first_pid}){:이/가} 종료되고 {gap} 뒤, 같은 메모리 부족으로 {name}(PID {pid})도 강제 종료되었습니다. 그때는 이미 부족이 풀린 상태였습니다.",

		"summary.refused":        "{name:이/가} 요청한 메모리 {size}의 할당이 실패했습니다. 이유를 알려 주는 수치는 로그에 없습니다.",
		"summary.refused-pieces": "{name:이/가} 연속된 {size}를 요청했지만 쓸 수 있는 메모리가 모두 더 작은 조각이라 할당이 실패했습니다. 강제 종료는 없었습니다.",
		"summary.refused-host":   "시스템에 남은 램이 없어 {name:이/가} 요청한 메모리 {size}의 할당이 실패했습니다. 강제 종료는 없었습니다.",
		"summary.refused-part":   "요청이 쓸 수 있는 램 영역이 바닥나 {name:이/가} 요청한 메모리 {size}의 할당이 실패했습니다. 강제 종료는 없었습니다.",
	}
}

func koreanVictims() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"victim.only-one":             "{held}를 쓰고 있었고, 프로세스 {n|개} 중 커널이 종료할 수 있는 것은 이것뿐이었습니다",
		"victim.only-listed":          "{held}를 쓰고 있었고, 목록에 있는 유일한 프로세스였습니다",
		"victim.largest":              "프로세스 {n|개} 중 가장 많은 {held}를 쓰고 있었습니다(다음은 {next}, {next_held})",
		"victim.larger-was-protected": "커널이 고를 수 있는 것 중 가장 많은 {held}를 쓰고 있었습니다. {other:은/는} {other_held}를 썼지만 oom_score_adj {other_adj:이/가} 보호합니다",
		"victim.score-raised":         "oom_score_adj가 {adj:이라/라}서 {held}를 쓰고도 먼저 선택되었습니다. 더 많이({other_held}) 쓴 {other}의 oom_score_adj는 {other_adj}입니다",
		"victim.allocating-task":      "vm.oom_kill_allocating_task가 켜져 있어, 그 순간 메모리를 요청한 프로세스를 커널이 종료합니다",
		"victim.oom-group":            "{cgroup}에 memory.oom.group이 켜져 있어 그 안의 프로세스 {n|개}가 한꺼번에 종료됩니다",

		"evidence.victim-held":          "{name}(PID {pid}){:은/는} 램 {rss}를 쓰고 있었습니다(익명 {anon}, 파일 {file}, 공유 {shmem})",
		"evidence.victim-held-no-shmem": "{name}(PID {pid}){:은/는} 램 {rss}를 쓰고 있었습니다(익명 {anon}, 파일과 공유 {file})",
		"evidence.victim-held-whole":    "{name}(PID {pid}){:은/는} 램 {rss}를 쓰고 있었습니다",
		"evidence.victim-died":          "{name}(PID {pid}){:이/가} 강제 종료되었습니다. 이 줄에는 크기가 없습니다",
		"evidence.victim-chosen":        "커널이 {name}(PID {pid}){:을/를} 골랐습니다",
		"evidence.oom-group":            "{cgroup}에 memory.oom.group이 켜져 있어 프로세스 {n|개}가 한 번에 강제 종료되었습니다",
		"evidence.nobody-to-kill":       "커널이 종료할 프로세스를 찾지 못했습니다",
		"evidence.no-killable":          "커널이 종료할 프로세스를 찾지 못했습니다. 목록에는 프로세스가 {n|개} 있으며, oom_score_adj -1000은 프로세스를 보호합니다",
		"evidence.panic":                "메모리가 부족하면 패닉을 일으키도록 설정되어 있거나(vm.panic_on_oom), 종료할 수 있는 프로세스가 남아 있지 않았습니다",
		"evidence.remains":              "커널의 OOM Killer가 남긴 보고서 중 이 줄만 남아 있습니다",
		"evidence.header":               "남은 메모리가 없을 때 {name:이/가} 메모리를 요청했습니다(order {order})",
	}
}

func koreanGroupEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.usage-at-limit":           "{kind} {owner:이/가} 메모리 제한 {limit} 중 {used}를 쓰고 있었습니다",
		"evidence.usage-at-limit-times":     "{kind} {owner:이/가} 메모리 제한 {limit} 중 {used}를 쓰고 있었고, 그동안 제한에 {n|번} 걸렸습니다",
		"evidence.usage-below-limit":        "요청이 실패한 직후 보고서가 출력될 때 {kind} {owner:은/는} 메모리 제한 {limit} 중 {used}를 쓰고 있었습니다",
		"evidence.usage-no-limit":           "{kind} {owner:이/가} {used}를 쓰고 있었습니다. 보고서에 제한은 나와 있지 않습니다",
		"evidence.memory-and-swap-at-limit": "{kind} {owner:이/가} 램과 스왑을 합친 제한 {limit} 중 {used}를 쓰고 있었습니다",
		"evidence.kernel-memory-at-limit":   "{kind} {owner:이/가} 커널 메모리 제한 {limit} 중 {used}를 쓰고 있었습니다",
		"evidence.swap-forbidden":           "이 cgroup은 스왑을 쓸 수 없습니다. 스왑 제한이 {limit}입니다",
		"evidence.swap-at-limit":            "이 cgroup의 스왑도 가득 찼습니다. 스왑 제한 {limit} 중 {used}를 쓰고 있었습니다",
		"evidence.limit-of":                 "커널이 {cgroup}의 메모리 제한에 도달했다고 밝혔습니다",
		"evidence.limit-of-parent":          "제한은 {kind} {owner}의 것으로, 그 아래가 모두 함께 씁니다. 종료된 프로세스는 {child_kind} {child}에 있었습니다",
		"evidence.memcg-kill-line":          "커널이 PID {pid:을/를} 종료한 이유로 cgroup의 메모리 제한을 들었습니다",
		"evidence.sampled-cgroup":           "마지막으로 확인했을 때 PID {pid:은/는} {cgroup}에 있었습니다",
		"evidence.not-in-processes":         "{used} 중 목록의 프로세스 {n|개}가 쓴 것은 {sum}뿐이며, 나머지는 프로세스의 메모리가 아닙니다",

		"evidence.part-anon":    "cgroup이 쓴 메모리의 {share}인 {size:은/는} 프로세스의 익명 메모리였습니다",
		"evidence.part-shmem":   "cgroup이 쓴 메모리의 {share}인 {size:은/는} 공유 메모리였습니다(/dev/shm 등 tmpfs의 파일, memfd, 공유 매핑)",
		"evidence.part-file":    "cgroup이 쓴 메모리의 {share}인 {size:은/는} 제때 비우지 못한 파일 캐시였습니다",
		"evidence.part-kernel":  "cgroup이 쓴 메모리의 {share}인 {size:은/는} 커널이 이 cgroup을 위해 쓴 메모리였습니다",
		"evidence.part-sockets": "cgroup이 쓴 메모리의 {share}인 {size:은/는} 네트워크 버퍼였습니다",
	}
}

func koreanHostEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.global":               "커널은 제한, cpuset, 메모리 정책을 이유로 들지 않았습니다({constraint})",
		"evidence.zone-below-min":       "노드 {node}의 {zone} 존은 여유가 {free_kib}KiB로, 최소 기준(min) {min_kib}KiB보다 적었습니다",
		"evidence.zone-below-high":      "노드 {node}의 {zone} 존은 여유가 {free_kib}KiB였습니다. 강제 종료 직전의 마지막 시도에는 {high_kib}KiB보다 많이 필요합니다",
		"evidence.zone-reserve":         "노드 {node}의 {zone} 존은 여유가 {free_kib}KiB였습니다. 일부는 다른 요청의 몫이라 이 요청에는 {need_kib}KiB보다 많이 필요합니다",
		"evidence.zone-nearly":          "노드 {node}의 {zone} 존은 여유가 {free_kib}KiB로, 이 요청에 필요한 양보다 {excess_kib}KiB 많았습니다. 이 정도는 요청이 실패한 뒤에 비워졌을 수 있습니다",
		"evidence.zone-enough":          "노드 {node}의 {zone} 존은 여유가 {free_kib}KiB로, 페이지 하나를 얻는 데 필요한 {need_kib}KiB보다 많았습니다",
		"evidence.more-zones":           "로그에 존이 {n|개} 더 있습니다",
		"evidence.order-also":           "연속된 {size}를 요청했지만(order {order}) 페이지 하나도 얻을 수 없었습니다",
		"evidence.table-fills-ram":      "목록의 프로세스 {n|개}가 램 {ram}의 {share}인 {held}를 쓰고 있었습니다",
		"evidence.largest-process":      "가장 큰 프로세스 {name}(PID {pid}){:이/가} 목록의 프로세스 {n|개}가 쓴 {sum} 중 {size}를 쓰고 있었습니다",
		"evidence.no-swap":              "스왑이 없습니다(전체 {total})",
		"evidence.swap-full":            "스왑이 가득 찼습니다. {total} 중 여유 {free}",
		"evidence.swap-low":             "스왑을 거의 다 썼습니다. {total} 중 여유 {free}({share})",
		"evidence.swap-free":            "스왑은 {total} 중 {free}({share})가 남아 있었습니다. 램을 채운 것은 스왑으로 옮길 수 없는 것이라 스왑을 늘려도 소용없었을 것입니다",
		"evidence.order-minus-one":      "요청의 order가 {order}입니다. 커널은 이 값을 SysRq-f에만 씁니다",
		"evidence.sysrq-f":              "바로 앞에 SysRq-f(Manual OOM execution) 요청이 있었습니다",
		"evidence.free-while-requested": "그때 램 {ram} 중 {free}({share})가 비어 있었습니다",

		"evidence.cpuset-bound":               "요청은 cpuset {cpuset} 때문에 다음 NUMA 노드에 묶여 있었습니다: {nodes}",
		"evidence.policy-bound":               "요청은 메모리 정책(numactl, mbind, set_mempolicy) 때문에 다음 NUMA 노드에 묶여 있었습니다: {nodes}",
		"evidence.free-on-other-nodes":        "다른 노드에는 램 {ram}의 {share}인 {free}가 비어 있었습니다",
		"evidence.little-free-on-other-nodes": "다른 노드에도 램 {ram}의 {share}인 {free}만 비어 있어, 시스템 전체가 거의 가득 찬 상태였습니다",
		"evidence.undecided-order":            "{name:이/가} 연속된 {size}를 요청했습니다(order {order})",
		"evidence.undecided-elsewhere":        "이 요청이 쓸 수 없는 존이나 노드에는 {free}가 비어 있었습니다",
	}
}

func koreanShares() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.share-anon":             "램 {whole}의 {share}인 {size:은/는} 프로세스의 익명 메모리였습니다",
		"evidence.share-shmem":            "램 {whole}의 {share}인 {size:은/는} 공유 메모리였습니다(/dev/shm 등 tmpfs의 파일, memfd, 공유 매핑)",
		"evidence.share-file":             "램 {whole}의 {share}인 {size:은/는} 파일 캐시였습니다",
		"evidence.share-unevictable":      "램 {whole}의 {share}인 {size:은/는} 잠겨 있거나(mlock) ramfs에 있어 스왑으로 옮길 수 없었습니다",
		"evidence.share-slab":             "램 {whole}의 {share}인 {size:은/는} 되돌릴 수 없는 커널 자체 메모리(slab)였습니다",
		"evidence.share-slab-reclaimable": "램 {whole}의 {share}인 {size:은/는} 커널 캐시(되돌릴 수 있는 slab)였습니다",
		"evidence.share-hugepages":        "램 {whole}의 {share}인 {size:이/가} huge page로 예약되어 있었고, 그중 {free:은/는} 비어 있었습니다",
		"evidence.share-page-tables":      "램 {whole}의 {share}인 {size:은/는} 페이지 테이블이었습니다",
		"evidence.share-kernel-stack":     "램 {whole}의 {share}인 {size:은/는} 스레드의 커널 스택이었습니다",
		"evidence.share-balloon":          "램 {whole}의 {share}인 {size:을/를} 하이퍼바이저가 회수해 갔습니다(벌룬)",
		"evidence.share-unaccounted":      "램 {whole}의 {share}인 {size:은/는} 보고서의 어느 통계에도 없습니다. 드라이버, 파이프, 소켓의 메모리입니다",
	}
}

func koreanHoldings() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.share-gpu":           "램 {whole}의 {share}인 {size:은/는} GPU 드라이버의 메모리였습니다",
		"evidence.slab-cache":          "커널의 {cache} 캐시가 {size}를 쓰고 있었습니다",
		"evidence.no-slab-table":       "커널의 어느 캐시가 커졌는지는 보고서에 없습니다. 4.15 이전 커널은 출력하지 않고, 이후 커널도 slab이 나머지 페이지 모두보다 많을 때만 출력합니다",
		"evidence.allocation-profile":  "커널의 할당 프로파일에서 메모리를 많이 쓴 것 중 하나: {row}",
		"evidence.shmem-left":          "공유 메모리 {size} 중 프로세스가 매핑한 것은 많아야 {mapped}입니다. 나머지는 /dev/shm 등 tmpfs의 파일이나 memfd입니다",
		"evidence.shmem-mapped":        "공유 메모리 {size} 중 최대 {mapped}를 프로세스가 매핑하고 있었습니다",
		"evidence.gpu-module":          "GPU 드라이버 {module:이/가} 올라와 있습니다. 프로그램이 GPU용으로 고정한 메모리(pinned)는 어느 통계에도 잡히지 않습니다",
		"evidence.guest-module":        "벌룬 드라이버 {module:이/가} 올라와 있습니다. 하이퍼바이저가 회수해 간 메모리는 커널 6.18 이전에는 통계에 잡히지 않습니다",
		"evidence.panic-set":           "커널이 메모리 부족 시 패닉을 일으키도록 설정되어 있습니다(vm.panic_on_oom)",
		"evidence.panic-nobody":        "메모리가 부족한데 강제 종료할 대상이 없으면 커널은 패닉을 일으킵니다",
		"evidence.many-alike":          "이름이 {name}(숫자 제외)인 프로세스 {n|개}가 모두 합쳐 {held}를 쓰고 있었으며, 하나하나는 크지 않습니다",
		"evidence.slow-writeback":      "파일 캐시 {file}의 {share}인 {size:이/가} 디스크에 쓰이기를 기다리고 있어 비울 수 없었습니다",
		"evidence.follows":             "{gap} 전에 {first}(PID {first_pid}){:이/가} 강제 종료되어 그 메모리가 막 비워지던 중이었습니다",
		"evidence.victim-still-listed": "{gap} 전에 강제 종료된 {first}(PID {first_pid}){:이/가} 아직 프로세스 목록에 있습니다",
		"evidence.grew-process":        "{name}(PID {pid}){:은/는} 앞선 보고서 이후 {over} 동안 {from}에서 {to}로 늘었습니다. 메모리 누수로 보입니다",
		"evidence.grew-slab":           "커널 자체 데이터(slab)가 앞선 보고서 이후 {over} 동안 {from}에서 {to}로 늘었습니다. 커널이나 드라이버의 메모리 누수로 보입니다",
		"evidence.grew-unaccounted":    "통계에 잡히지 않는 메모리가 앞선 보고서 이후 {over} 동안 {from}에서 {to}로 늘었습니다. 드라이버의 메모리 누수로 보입니다",
		"evidence.grew-shmem":          "공유 메모리가 앞선 보고서 이후 {over} 동안 {from}에서 {to}로 늘었습니다. 지우지 않은 파일이 쌓이고 있습니다",
		"evidence.grew-group-kernel":   "이 cgroup의 커널 메모리가 앞선 보고서 이후 {over} 동안 {from}에서 {to}로 늘었습니다. 메모리 누수로 보입니다",
		"evidence.grew-sampled":        "{name} (pid {pid}) 프로세스가 그 전 {over} 동안 {from}에서 {to}로 커졌고, 메모리를 돌려준 적이 없습니다",
		"evidence.percpu-pages":        "프로세서마다 {size}를 요청했지만 페이지를 얻지 못해 실패했습니다",
		"evidence.vmalloc-pages":       "커널 주소 공간 {size}를 요청했지만 페이지를 얻지 못해 실패했습니다",
	}
}

func koreanZones() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.zone-in-pieces":      "노드 {node}의 {zone} 존은 여유가 {free_kib}KiB(그중 {keep_kib}KiB는 남겨 두어야 함)였지만, {block_kib}KiB 이상인 조각은 합해서 {large_kib}KiB뿐이었습니다",
		"evidence.zone-too-little":     "노드 {node}의 {zone} 존은 여유가 {free_kib}KiB였고 그중 {keep_kib}KiB는 남겨 두어야 하므로, {block_kib}KiB를 주기에는 부족했습니다",
		"evidence.asked-for-stack":     "새 프로세스나 스레드의 커널 스택에 쓸 조각이었습니다(호출 추적에 {function:이/가} 있습니다)",
		"evidence.asked-for-network":   "네트워크 데이터에 쓸 조각이었습니다(호출 추적에 {function:이/가} 있습니다)",
		"evidence.asked-for-guest":     "가상 머신에 쓸 조각이었습니다(호출 추적에 {function:이/가} 있습니다)",
		"evidence.asked-for-gpu":       "GPU 드라이버에 쓸 조각이었습니다(호출 추적에 {function:이/가} 있습니다)",
		"evidence.free-above-zone":     "{zone} 위의 존에는 {free:이/가} 비어 있었지만 이 요청은 쓸 수 없습니다",
		"evidence.free-cma":            "비어 있던 {free} 중 {size:은/는} 장치용(CMA)이라, 옮길 수 있는 메모리만 들어갈 수 있습니다",
		"evidence.free-behind-reserve": "비어 있던 {free} 중 {size:은/는} 더 높은 존을 쓸 수 없는 요청의 몫이라 이 요청은 쓸 수 없습니다(lowmem_reserve)",
		"evidence.free-for-urgent":     "비어 있던 {free} 중 {size:은/는} 긴급 요청의 몫입니다(reserved_highatomic)",
		"evidence.slab-of-zone":        "커널이 자체 데이터에 쓸 수 있는 {whole}의 {share}인 {size:은/는} 커널 캐시(slab)였습니다",
		"evidence.printed-nodes-full":  "로그에 나온 NUMA 노드 {n|개}가 모두 부족합니다. 요청이 쓸 수 없는 노드는 로그에 나오지 않습니다",
		"evidence.nodemask":            "요청이 쓸 수 있던 NUMA 노드: {nodes}",
		"word.held-cma":                "장치용(CMA)으로 따로 잡혀 있어",
		"word.held-reserve":            "더 높은 존을 쓸 수 없는 요청의 몫이라",
		"word.held-urgent":             "긴급 요청의 몫이라",
	}
}

func koreanMissing() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"missing.report-suppressed": "강제 종료 줄 앞의 보고서: 커널은 5초에 10개까지만 출력합니다",
		"missing.neighbours":        "이번 강제 종료의 수치: 시스템의 램이 부족했다는 것은 그 전 {window} 안의 다른 강제 종료에서 알 수 있습니다",
		"missing.all-but-kill-line": "강제 종료 줄 앞의 보고서: 누가 메모리를 요청했고, 어떤 제한이 있었고, 여유가 얼마였는지 나옵니다",
		"missing.header":            "보고서의 첫 줄: 누가 얼마를 요청했는지 나옵니다",
		"missing.memory-numbers":    "존마다 남은 메모리",
		"missing.group-numbers":     "cgroup의 제한과 사용량",
		"missing.summary":           "제한의 종류와 cgroup을 알려 주는 줄",
		"missing.kill-line":         "선택된 프로세스를 종료했다는 줄",
		"missing.victim":            "어느 프로세스가 종료되었는지",
		"missing.table":             "프로세스 목록: 그래서 커널의 선택을 확인할 수 없습니다",
		"missing.lost-records":      "보고서 도중에 사라진 커널 로그 레코드 {n|개}",
		"missing.trust":             "누가 쓴 줄인지: 이 로그 형식에는 나오지 않으므로 위조되었을 수도 있습니다",
		"missing.page-size":         "페이지 크기: 4KiB로 보았습니다",
		"missing.cgroup":            "어느 cgroup이 제한에 도달했는지",
		"missing.cgroup-guessed":    "어느 cgroup이 제한에 도달했는지: {window} 안의 다른 강제 종료가 {cgroup}에서 일어났으므로 이번에도 그럴 것이라는 추측입니다",
		"missing.cgroup-cut":        "cgroup 경로의 끝부분: 경로가 커널 로그의 한 줄보다 깁니다",
	}
}

func koreanKinds() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"word.no-name":        "이름 없는 프로세스",
		"word.unnamed-cgroup": "(이름이 로그에 없음)",

		"word.kind-unit":      "유닛",
		"word.kind-user-unit": "사용자 유닛",
		"word.kind-session":   "로그인 세션",
		"word.kind-app":       "앱",
		"word.kind-container": "컨테이너",
		"word.kind-pod":       "Kubernetes 파드",
		"word.kind-lxc":       "LXC 컨테이너",
		"word.kind-vm":        "가상 머신",
		"word.kind-slurm-job": "Slurm 작업",
		"word.kind-slice":     "슬라이스",
		"word.kind-cgroup":    "cgroup",
	}
}
