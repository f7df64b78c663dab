package lang

import "github.com/oomdoc/oomdoc"

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
		"summary.killed-undecided":        "{name} (pid {pid}) 프로세스를 커널의 OOM Killer가 강제 종료했습니다. 어떤 메모리가 부족했는지는 로그만으로 정할 수 없습니다.",
		"summary.killed-contradicted":     "{name} (pid {pid}) 프로세스를 커널의 OOM Killer가 강제 종료했지만, 그때 한 페이지는 아직 얻을 수 있었습니다. 요청이 왜 실패했는지는 정할 수 없습니다.",
		"summary.killed-elsewhere":        "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 그 요청이 쓸 수 있는 메모리는 바닥났지만 시스템의 다른 메모리는 비어 있었습니다.",
		"summary.killed-limit":            "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. {kind} {owner}의 메모리 제한 {limit}에 도달했습니다.",
		"summary.killed-limit-unit":       "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. {owner}의 메모리 제한 {limit}에 도달했습니다.",
		"summary.killed-limit-unmeasured": "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. {kind} {owner}의 메모리 제한에 도달했습니다.",
		"summary.killed-limit-unnamed":    "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 메모리 제한에 도달했는데, 어디의 제한인지는 로그에 없습니다.",
		"summary.killed-host":             "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템 전체의 RAM이 바닥났습니다.",
		"summary.killed-host-no-swap":     "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템 전체의 RAM이 바닥났고 스왑은 없습니다.",
		"summary.killed-host-swap-full":   "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템 전체의 RAM이 바닥났고 스왑도 가득 찼습니다.",
		"summary.killed-host-unproven":    "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 커널이 더 좁은 제한을 들지 않았으므로 시스템의 RAM이 바닥난 것입니다. 얼마나 비어 있었는지는 로그에 없습니다.",
		"summary.killed-numa":             "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 쓸 수 있게 허용된 NUMA 노드의 RAM이 바닥났습니다.",
		"summary.killed-requested":        "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 누군가 커널에 직접 요청했습니다(SysRq-f). 메모리가 부족했다는 뜻은 아닙니다.",

		"summary.several-limit":            "{name} (pid {pid}) 외 {n|개} 프로세스가 강제 종료되었습니다. {kind} {owner}의 메모리 제한 {limit}에 도달했습니다.",
		"summary.several-limit-unit":       "{name} (pid {pid}) 외 {n|개} 프로세스가 강제 종료되었습니다. {owner}의 메모리 제한 {limit}에 도달했습니다.",
		"summary.several-limit-unmeasured": "{name} (pid {pid}) 외 {n|개} 프로세스가 강제 종료되었습니다. {kind} {owner}의 메모리 제한에 도달했습니다.",
		"summary.several-host":             "{name} (pid {pid}) 외 {n|개} 프로세스가 강제 종료되었습니다. 시스템 전체의 RAM이 바닥났습니다.",

		"summary.nobody-limit":            "강제 종료할 프로세스가 없었습니다. {kind} {owner}의 메모리 제한 {limit}에 도달했지만 그 안의 프로세스가 모두 보호되어 있습니다.",
		"summary.nobody-limit-unmeasured": "강제 종료할 프로세스가 없었습니다. {kind} {owner}의 메모리 제한에 도달했지만 그 안의 프로세스가 모두 보호되어 있습니다.",
		"summary.nobody":                  "메모리가 바닥났지만 커널이 강제 종료해도 되는 프로세스를 찾지 못했습니다.",

		"summary.panic-limit": "커널이 프로세스를 강제 종료하는 대신 패닉을 일으켰습니다. {kind} {owner}의 메모리 제한 {limit}에 도달했습니다.",
		"summary.panic-host":  "시스템 전체의 RAM이 바닥나 커널이 패닉을 일으켰습니다.",
		"summary.panic":       "메모리가 바닥나 커널이 패닉을 일으켰습니다.",

		"summary.unseen-limit":  "프로세스 하나가 강제 종료되었는데, 어느 것인지는 로그에 없습니다. {kind} {owner}의 메모리 제한 {limit}에 도달했습니다.",
		"summary.unseen-host":   "프로세스 하나가 강제 종료되었는데, 어느 것인지는 로그에 없습니다. 시스템 전체의 RAM이 바닥났습니다.",
		"summary.unseen-pieces": "프로세스 하나가 강제 종료되었는데, 어느 것인지는 로그에 없습니다. 이어진 {size}를 요청했지만 쓸 수 있는 빈 메모리는 모두 더 작은 조각이었습니다.",
		"summary.unseen-part":   "프로세스 하나가 강제 종료되었는데, 어느 것인지는 로그에 없습니다. 그 요청이 쓸 수 있는 RAM 영역이 바닥났습니다.",
		"summary.unseen":        "커널의 OOM Killer가 동작했습니다. 어느 프로세스를 강제 종료했는지, 어떤 메모리가 부족했는지는 로그에 없습니다.",
	}
}

func koreanHostSummaries() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"summary.killed-numa-probably": "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 그 요청이 묶여 있던 것으로 보이는 NUMA 노드의 RAM이 바닥났고, 다른 노드에는 여유가 있었습니다.",
		"summary.killed-pieces":        "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 이어진 {size}를 요청했지만 쓸 수 있는 빈 메모리는 모두 더 작은 조각이었습니다.",
		"summary.killed-low-zone":      "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 메모리 존 {zone} 영역이 바닥났고, 이 요청이 쓸 수 없는 존에는 {held}가 비어 있었습니다.",
		"summary.killed-withheld":      "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 빈 메모리 중 {held}는 {what}이어서 이 요청이 쓸 수 없었습니다.",

		"summary.killed-hugepages":        "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 아무도 쓰지 않는 huge page로 {idle}가 예약된 채 시스템의 RAM이 바닥났습니다.",
		"summary.killed-slab":             "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템의 RAM이 바닥났고, 그중 {share}는 돌려줄 수 없는 커널 자체의 메모리(slab)였습니다.",
		"summary.killed-slab-reclaimable": "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템의 RAM이 바닥났고, 그중 {share}는 제때 돌려주지 못한 커널 캐시(slab)였습니다.",
		"summary.killed-unaccounted":      "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템의 RAM이 바닥났고, 그중 {share}는 어느 카운터에도 없는 메모리였습니다. 프로세스가 아니라 드라이버, 파이프, 소켓의 메모리입니다.",
		"summary.killed-gpu-driver":       "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템의 RAM이 바닥났고, 그중 {share}를 GPU 드라이버가 쓰고 있었습니다.",
		"summary.killed-page-tables":      "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템의 RAM이 바닥났고, 그중 {share}는 페이지 테이블이었습니다.",
		"summary.killed-kernel-stacks":    "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 스레드가 너무 많아 시스템의 RAM이 바닥났습니다. 커널 스택만 {share}였습니다.",
		"summary.killed-shared":           "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템의 RAM이 바닥났고, 그중 {share}는 공유 메모리였습니다.",
		"summary.killed-shared-left":      "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템의 RAM이 바닥났고, 그중 {share}는 프로세스가 아니라 /dev/shm이나 다른 tmpfs의 파일이었습니다.",
		"summary.killed-ramfs":            "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 시스템의 RAM이 바닥났고, 그중 {share}는 회수할 수 없는 메모리였습니다(ramfs의 파일이나 잠긴 공유 메모리).",
		"summary.killed-balloon":          "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 하이퍼바이저가 {held}를 회수한 이 가상 머신의 RAM이 바닥났습니다.",
		"summary.killed-follow-up":        "{name} (pid {pid}) 프로세스가 {first} (pid {first_pid}) 프로세스보다 {gap} 뒤에 같은 메모리 부족으로 강제 종료되었습니다. 그때는 이미 부족이 풀린 뒤였습니다.",

		"summary.refused":        "{name} 프로세스의 메모리 {size} 할당이 거부되었습니다. 이유를 알려 주는 수치가 로그에 없습니다.",
		"summary.refused-pieces": "{name} 프로세스의 이어진 {size} 할당이 거부되었습니다. 쓸 수 있는 빈 메모리는 모두 더 작은 조각이었습니다. 강제 종료된 것은 없습니다.",
		"summary.refused-host":   "{name} 프로세스의 메모리 {size} 할당이 거부되었습니다. 시스템에 줄 수 있는 RAM이 없었습니다. 강제 종료된 것은 없습니다.",
		"summary.refused-part":   "{name} 프로세스의 메모리 {size} 할당이 거부되었습니다. 그 요청이 쓸 수 있는 RAM 영역이 바닥났습니다. 강제 종료된 것은 없습니다.",
	}
}

func koreanVictims() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"victim.only-one":             "{held}를 쓰고 있었고, 프로세스 {n|개} 중 커널이 강제 종료할 수 있는 유일한 것이었습니다",
		"victim.only-listed":          "{held}를 쓰고 있었고, 목록에 있는 유일한 프로세스였습니다",
		"victim.largest":              "{held}로, 프로세스 {n|개} 중 가장 많이 쓰고 있었습니다(다음: {next} {next_held})",
		"victim.larger-was-protected": "커널이 고를 수 있는 것 중 가장 많은 {held}를 쓰고 있었습니다. {other} 프로세스가 {other_held}를 썼지만 oom_score_adj {other_adj} 값이 보호합니다",
		"victim.score-raised":         "{held}를 썼지만 oom_score_adj {adj} 값 때문에 먼저 골라졌습니다. {other} 프로세스가 더 많이({other_held}) 썼고 oom_score_adj는 {other_adj}입니다",
		"victim.allocating-task":      "vm.oom_kill_allocating_task가 켜져 있어 그 순간 메모리를 요청한 프로세스가 강제 종료됩니다",
		"victim.oom-group":            "{cgroup}에 memory.oom.group이 켜져 있어 그 안의 프로세스 {n|개}가 모두 함께 종료됩니다",

		"evidence.victim-held":          "{name} (pid {pid}): RAM {rss} 점유(익명 {anon}, 파일 {file}, 공유 {shmem})",
		"evidence.victim-held-no-shmem": "{name} (pid {pid}): RAM {rss} 점유(익명 {anon}, 파일과 공유 {file})",
		"evidence.victim-died":          "{name} (pid {pid}) 프로세스가 강제 종료되었습니다. 이 줄에는 크기가 없습니다",
		"evidence.victim-chosen":        "커널이 {name} (pid {pid}) 프로세스를 골랐습니다",
		"evidence.oom-group":            "{cgroup}에 memory.oom.group이 켜져 있어 프로세스 {n|개}가 한 번의 결정으로 강제 종료되었습니다",
		"evidence.no-killable":          "커널이 강제 종료할 것을 찾지 못했습니다. 목록에 프로세스 {n|개}가 있고, oom_score_adj -1000은 프로세스를 보호합니다",
		"evidence.panic":                "메모리가 바닥나면 패닉을 일으키도록 설정되어 있거나(vm.panic_on_oom) 강제 종료할 프로세스가 남지 않았습니다",
		"evidence.remains":              "커널 OOM Killer의 보고 중 남아 있는 것은 이 줄뿐입니다",
		"evidence.header":               "남은 메모리가 없을 때 {name} 프로세스가 메모리를 요청했습니다(order {order})",
	}
}

func koreanGroupEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.usage-at-limit":           "{kind} {owner}: 메모리 제한 {limit} 중 {used} 사용",
		"evidence.usage-at-limit-times":     "{kind} {owner}: 메모리 제한 {limit} 중 {used} 사용, 제한에 {n|번} 걸림",
		"evidence.usage-below-limit":        "{kind} {owner}: 요청이 실패한 직후 보고가 출력될 때 메모리 제한 {limit} 중 {used} 사용",
		"evidence.usage-no-limit":           "{kind} {owner}: {used} 사용, 보고에 제한이 나오지 않습니다",
		"evidence.memory-and-swap-at-limit": "{kind} {owner}: RAM과 스왑을 합친 제한 {limit} 중 {used} 사용",
		"evidence.kernel-memory-at-limit":   "{kind} {owner}: 커널 메모리 제한 {limit} 중 {used} 사용",
		"evidence.swap-forbidden":           "이 그룹은 스왑을 쓸 수 없습니다. 스왑 제한이 {limit}입니다",
		"evidence.swap-at-limit":            "그룹의 스왑도 가득 찼습니다. 스왑 제한 {limit} 중 {used} 사용",
		"evidence.limit-of":                 "커널이 도달한 제한으로 {cgroup}의 메모리 제한을 들었습니다",
		"evidence.limit-of-parent":          "아래의 모든 그룹이 함께 쓰는 {kind} {owner}의 제한입니다. 강제 종료된 프로세스는 {child_kind} {child} 안에서 실행되었습니다",
		"evidence.memcg-kill-line":          "pid {pid}의 강제 종료 이유로 커널이 cgroup의 메모리 제한을 들었습니다",
		"evidence.sampled-cgroup":           "pid {pid}는 마지막으로 확인했을 때 {cgroup}에서 실행 중이었습니다",
		"evidence.not-in-processes":         "목록에 있는 프로세스 {n|개}의 합은 {used} 중 {sum}뿐입니다. 나머지는 프로세스의 메모리가 아닙니다",

		"evidence.part-anon":    "그룹 사용량의 {share}인 {size}는 프로세스의 익명 메모리였습니다",
		"evidence.part-shmem":   "그룹 사용량의 {share}인 {size}는 공유 메모리였습니다(/dev/shm과 다른 tmpfs의 파일, memfd, 공유 매핑)",
		"evidence.part-file":    "그룹 사용량의 {share}인 {size}는 제때 비우지 못한 파일 캐시였습니다",
		"evidence.part-kernel":  "그룹 사용량의 {share}인 {size}는 그룹을 위해 커널이 쓴 메모리였습니다",
		"evidence.part-sockets": "그룹 사용량의 {share}인 {size}는 네트워크 버퍼였습니다",
	}
}

func koreanHostEvidence() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.global":               "커널이 이유로 제한, cpuset, 메모리 정책을 들지 않았습니다({constraint})",
		"evidence.zone-below-min":       "노드 {node}의 존 {zone}: 여유 {free_kib}KiB, 최솟값 {min_kib}KiB보다 적습니다",
		"evidence.zone-below-high":      "노드 {node}의 존 {zone}: 여유 {free_kib}KiB, 강제 종료 직전의 마지막 시도에는 {high_kib}KiB가 넘게 필요합니다",
		"evidence.zone-reserve":         "노드 {node}의 존 {zone}: 여유 {free_kib}KiB, 일부를 다른 용도로 남겨 두므로 이 요청에는 {need_kib}KiB가 넘게 필요합니다",
		"evidence.zone-nearly":          "노드 {node}의 존 {zone}: 여유 {free_kib}KiB, 이 요청에 필요한 것보다 {excess_kib}KiB 많습니다. 이 정도는 실패한 뒤에 비워진 것일 수 있습니다",
		"evidence.zone-enough":          "노드 {node}의 존 {zone}: 여유 {free_kib}KiB, 한 페이지 요청에 필요한 {need_kib}KiB보다 많습니다",
		"evidence.more-zones":           "로그 원문에 존이 {n|개} 더 있습니다",
		"evidence.order-also":           "이어진 {size}를 요청했지만(order {order}) 한 페이지도 얻을 수 없었습니다",
		"evidence.table-fills-ram":      "목록에 있는 프로세스 {n|개}가 RAM {ram} 중 {held}({share})를 쓰고 있었습니다",
		"evidence.largest-process":      "가장 큰 프로세스 {name} (pid {pid}): 목록에 있는 프로세스 {n|개}의 합 {sum} 중 {size}",
		"evidence.no-swap":              "스왑이 없습니다: 전체 {total}",
		"evidence.swap-full":            "스왑이 가득 찼습니다: {total} 중 여유 {free}",
		"evidence.swap-low":             "스왑을 거의 다 썼습니다: {total} 중 여유 {free}({share})",
		"evidence.swap-free":            "스왑 {total} 중 {free}({share})가 비어 있었습니다. RAM을 채운 것은 스왑으로 갈 수 없는 것이므로 스왑을 늘려도 소용없었습니다",
		"evidence.order-minus-one":      "요청의 order가 {order}입니다. 커널이 SysRq-f에만 쓰는 값입니다",
		"evidence.sysrq-f":              "바로 앞에서 SysRq-f(Manual OOM execution)가 요청되었습니다",
		"evidence.free-while-requested": "그때 RAM {ram} 중 {free}({share})가 비어 있었습니다",

		"evidence.cpuset-bound":               "요청이 cpuset {cpuset} 때문에 다음 NUMA 노드에 묶여 있었습니다: {nodes}",
		"evidence.policy-bound":               "요청이 메모리 정책(numactl, mbind, set_mempolicy) 때문에 다음 NUMA 노드에 묶여 있었습니다: {nodes}",
		"evidence.free-on-other-nodes":        "다른 노드에는 RAM {ram} 중 {free}({share})가 비어 있었습니다",
		"evidence.little-free-on-other-nodes": "다른 노드에도 RAM {ram} 중 {free}({share})만 비어 있었습니다. 시스템 전체도 거의 가득 찼습니다",
		"evidence.undecided-order":            "{name} 프로세스가 이어진 {size}를 요청했습니다(order {order})",
		"evidence.undecided-elsewhere":        "이 요청이 쓸 수 없는 존이나 노드에 {free}가 비어 있었습니다",
	}
}

func koreanShares() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.share-anon":             "RAM {whole} 중 {size}({share})는 프로세스의 익명 메모리였습니다",
		"evidence.share-shmem":            "RAM {whole} 중 {size}({share})는 공유 메모리였습니다(/dev/shm과 다른 tmpfs의 파일, memfd, 공유 매핑)",
		"evidence.share-file":             "RAM {whole} 중 {size}({share})는 파일 캐시였습니다",
		"evidence.share-unevictable":      "RAM {whole} 중 {size}({share})는 잠겨 있거나(mlock) ramfs에 있어 스왑으로 내보낼 수 없었습니다",
		"evidence.share-slab":             "RAM {whole} 중 {size}({share})는 돌려줄 수 없는 커널 메모리(slab)였습니다",
		"evidence.share-slab-reclaimable": "RAM {whole} 중 {size}({share})는 커널 캐시(돌려줄 수 있는 slab)였습니다",
		"evidence.share-hugepages":        "RAM {whole} 중 {size}({share})는 huge page로 예약되어 있었고, 그중 {free}가 비어 있었습니다",
		"evidence.share-page-tables":      "RAM {whole} 중 {size}({share})는 페이지 테이블이었습니다",
		"evidence.share-kernel-stack":     "RAM {whole} 중 {size}({share})는 스레드의 커널 스택이었습니다",
		"evidence.share-balloon":          "RAM {whole} 중 {size}({share})는 하이퍼바이저가 회수했습니다(벌룬)",
		"evidence.share-unaccounted":      "RAM {whole} 중 {size}({share})는 보고의 어느 카운터에도 없습니다. 드라이버, 파이프, 소켓의 메모리입니다",
	}
}

func koreanHoldings() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.share-gpu":           "RAM {whole} 중 {size}({share})는 GPU 드라이버의 메모리였습니다",
		"evidence.slab-cache":          "커널 캐시 {cache}: {size}",
		"evidence.no-slab-table":       "커널의 어느 캐시가 커졌는지는 보고에 없습니다. 4.15 이전 커널은 출력하지 않고, 그 뒤로는 slab이 다른 페이지를 모두 합친 것보다 클 때만 출력합니다",
		"evidence.allocation-profile":  "커널 자체의 프로파일에서 메모리를 가장 많이 쓰는 곳 중 하나: {row}",
		"evidence.shmem-left":          "공유 메모리 {size} 중 프로세스가 매핑한 것은 많아야 {mapped}입니다. 나머지는 /dev/shm이나 다른 tmpfs의 파일, 또는 memfd입니다",
		"evidence.shmem-mapped":        "공유 메모리 {size} 중 최대 {mapped}를 프로세스가 매핑하고 있었습니다",
		"evidence.gpu-module":          "GPU 드라이버 {module} 모듈이 올라와 있습니다. 프로그램이 GPU용으로 고정한 호스트 메모리는 어느 카운터에도 없습니다",
		"evidence.guest-module":        "벌룬 드라이버 {module} 모듈이 올라와 있습니다. 하이퍼바이저가 회수한 양은 커널 6.18 전까지 어느 카운터에도 없습니다",
		"evidence.many-alike":          "이름이 {name}인 프로세스 {n|개}(숫자 제외)가 모두 {held}를 쓰고 있었고, 하나하나는 크지 않았습니다",
		"evidence.slow-writeback":      "파일 캐시 {file} 중 {size}({share})는 디스크에 쓰기를 기다리느라 비울 수 없었습니다",
		"evidence.follows":             "{gap} 전에 {first} (pid {first_pid}) 프로세스가 강제 종료되어 그 메모리가 막 비워지는 중이었습니다",
		"evidence.victim-still-listed": "{gap} 전에 강제 종료된 {first} (pid {first_pid}) 프로세스가 아직 목록에 있습니다",
		"evidence.grew-process":        "{name} (pid {pid}) 프로세스가 앞선 보고 이후 {over} 동안 {from}에서 {to}로 커졌습니다. 메모리 누수로 보입니다",
		"evidence.grew-slab":           "커널 자체의 데이터(slab)가 앞선 보고 이후 {over} 동안 {from}에서 {to}로 커졌습니다. 커널이나 드라이버의 누수로 보입니다",
		"evidence.grew-unaccounted":    "어느 카운터에도 없는 메모리가 앞선 보고 이후 {over} 동안 {from}에서 {to}로 커졌습니다. 드라이버의 누수로 보입니다",
		"evidence.grew-shmem":          "공유 메모리가 앞선 보고 이후 {over} 동안 {from}에서 {to}로 커졌습니다. 파일이 남아 쌓이고 있습니다",
		"evidence.grew-group-kernel":   "그룹의 커널 메모리가 앞선 보고 이후 {over} 동안 {from}에서 {to}로 커졌습니다. 누수로 보입니다",
		"evidence.percpu-pages":        "프로세서마다 {size}를 요청했지만 페이지를 얻지 못해 실패했습니다",
		"evidence.vmalloc-pages":       "커널 주소 공간 {size}를 요청했지만 페이지를 얻지 못해 실패했습니다",
	}
}

func koreanZones() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"evidence.zone-in-pieces":      "노드 {node}의 존 {zone}: 여유 {free_kib}KiB, 그중 {keep_kib}KiB는 남겨야 하며, {block_kib}KiB 이상의 조각은 {large_kib}KiB였습니다",
		"evidence.zone-too-little":     "노드 {node}의 존 {zone}: 여유 {free_kib}KiB, 그중 {keep_kib}KiB는 남겨야 하므로 {block_kib}KiB를 줄 수 없습니다",
		"evidence.asked-for-stack":     "새 프로세스나 스레드의 커널 스택에 쓸 조각이었습니다(호출 추적에 {function} 함수가 있습니다)",
		"evidence.asked-for-network":   "네트워크 데이터에 쓸 조각이었습니다(호출 추적에 {function} 함수가 있습니다)",
		"evidence.asked-for-guest":     "가상 머신에 쓸 조각이었습니다(호출 추적에 {function} 함수가 있습니다)",
		"evidence.asked-for-gpu":       "GPU 드라이버에 쓸 조각이었습니다(호출 추적에 {function} 함수가 있습니다)",
		"evidence.free-above-zone":     "이 요청이 쓸 수 없는 {zone} 위쪽 존에 {free}가 비어 있었습니다",
		"evidence.free-cma":            "비어 있던 {free} 중 {size}는 장치용(CMA)이라 옮길 수 있는 메모리만 들어갈 수 있습니다",
		"evidence.free-behind-reserve": "비어 있던 {free} 중 {size}는 더 높은 존을 쓸 수 없는 요청을 위해 남겨 둔 것이라 이 요청이 쓸 수 없습니다(lowmem_reserve)",
		"evidence.free-for-urgent":     "비어 있던 {free} 중 {size}는 급한 요청을 위해 남겨 둔 것입니다(reserved_highatomic)",
		"evidence.slab-of-zone":        "커널이 자신의 데이터에 쓸 수 있는 {whole} 중 {size}({share})가 캐시(slab)였습니다",
		"evidence.printed-nodes-full":  "로그에는 NUMA 노드가 {n|개} 나오고 모두 부족합니다. 요청이 쓸 수 없는 노드는 출력되지 않습니다",
		"evidence.nodemask":            "요청이 쓸 수 있는 NUMA 노드: {nodes}",
		"word.held-cma":                "장치용으로 따로 잡아 둔 것(CMA)",
		"word.held-reserve":            "더 높은 존을 쓸 수 없는 요청을 위해 남겨 둔 것",
		"word.held-urgent":             "급한 요청을 위해 남겨 둔 것",
	}
}

func koreanMissing() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"missing.report-suppressed": "강제 종료 줄 앞의 보고: 커널은 5초에 10건까지만 출력합니다",
		"missing.neighbours":        "바로 이 강제 종료의 수치: 시스템의 RAM이 바닥난 것은 앞선 {window} 안의 강제 종료로 압니다",
		"missing.all-but-kill-line": "강제 종료 줄 앞의 보고: 누가 메모리를 요청했는지, 제한은 얼마인지, 얼마나 비어 있었는지",
		"missing.header":            "보고의 첫 줄: 누가 얼마를 요청했는지",
		"missing.memory-numbers":    "존별 빈 메모리",
		"missing.group-numbers":     "그룹의 제한과 사용량",
		"missing.summary":           "제약 조건과 cgroup이 적힌 줄",
		"missing.kill-line":         "고른 프로세스가 강제 종료되었다는 줄",
		"missing.victim":            "어느 프로세스가 강제 종료되었는지",
		"missing.table":             "프로세스 목록: 없으므로 커널의 선택을 확인할 수 없습니다",
		"missing.lost-records":      "이 보고 중간에서 유실된 커널 로그 {n|줄}",
		"missing.trust":             "이런 형식의 로그에는 누가 쓴 줄인지 나오지 않으므로 위조되었을 수 있습니다",
		"missing.page-size":         "페이지 크기: 4KiB로 가정합니다",
		"missing.cgroup":            "어느 cgroup이 제한에 도달했는지",
		"missing.cgroup-guessed":    "어느 cgroup이 제한에 도달했는지: {window} 안의 다른 강제 종료가 {cgroup}에서 일어났으므로 이번에도 그럴 것으로 짐작합니다",
		"missing.cgroup-cut":        "커널 로그 한 줄보다 긴 cgroup 경로의 끝부분",
	}
}

func koreanKinds() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"word.no-name":        "이름 없는 프로세스",
		"word.unnamed-cgroup": "(로그에 이름이 없음)",

		"word.kind-unit":      "유닛",
		"word.kind-user-unit": "사용자 유닛",
		"word.kind-session":   "로그인 세션",
		"word.kind-app":       "애플리케이션",
		"word.kind-container": "컨테이너",
		"word.kind-pod":       "Kubernetes 파드",
		"word.kind-lxc":       "LXC 컨테이너",
		"word.kind-vm":        "가상 머신",
		"word.kind-slurm-job": "Slurm 작업",
		"word.kind-slice":     "슬라이스",
		"word.kind-cgroup":    "cgroup",
	}
}
