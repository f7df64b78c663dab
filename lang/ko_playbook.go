package lang

import "github.com/oomdoc/oomdoc"

func koreanPlaybook() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		koreanLimitFixes(),
		koreanLimitSteps(),
		koreanHostFixes(),
		koreanSharedFixes(),
		koreanKernelFixes(),
		koreanZoneFixes(),
	})
}

func koreanLimitFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.find-limit":                 "어디의 메모리 제한인지 찾아서 올리기",
		"fix.find-limit.why":             "어떤 프로세스 그룹이 제한을 다 채웠습니다. 로그에는 어느 그룹인지 나오지 않으니 제한에 가장 가까운 것을 찾으세요.",
		"step.find-limit-unit":           "유닛이라면: sudo systemctl set-property UNIT MemoryMax=SIZE",
		"step.find-limit-container":      "컨테이너라면: docker update --memory SIZE --memory-swap SIZE NAME",
		"fix.raise-limit":                "{kind} {owner}의 메모리 제한 올리기",
		"fix.raise-limit-unit":           "{owner}의 메모리 제한 올리기",
		"fix.raise-limit.why":            "제한 {limit}를 다 채우고 더 요청했습니다. 얼마나 더 필요했는지는 로그에 없으므로 우선 {try}로 올려 보세요.",
		"fix.raise-limit.why-ram":        "제한 {limit}를 다 채우고 더 요청했습니다. 얼마나 더 필요했는지는 로그에 없으므로 우선 {try}로 올려 보세요. 이 시스템의 RAM은 {ram}입니다.",
		"fix.raise-limit.why-swap":       "제한 {limit}를 다 채우고 스왑에도 {swapped}가 있는 상태에서 더 요청했습니다. 얼마나 더 필요했는지는 로그에 없으므로 우선 {try}로 올려 보세요.",
		"fix.raise-limit.why-beyond-ram": "제한 {limit}를 다 채우고 더 요청했습니다. 우선 올려 볼 {try}는 이 시스템의 RAM {ram}보다 큽니다. 나머지를 스왑이 감당하거나 프로그램이 덜 써야 합니다.",
		"fix.raise-limit.why-unknown":    "제한을 다 채우고 더 요청했습니다. 제한이 얼마인지 이 로그에는 없으니 확인한 뒤 우선 1.5배로 올려 보세요.",
		"fix.raise-limit.or-swap":        "또는 지금은 막혀 있는 스왑을 허용합니다. 느려지지만 종료되지는 않습니다:",
	}
}

func koreanLimitSteps() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"step.show-limit":     "현재 제한을 확인하고 set-property와 MemoryMax=로 더 크게 정합니다:",
		"step.restart-unit":   "바로 적용되며 재부팅 후에도 유지됩니다. 그다음 유닛을 다시 시작합니다:",
		"step.transient-unit": "실행 중일 때만 유지됩니다. 다음에 시작할 때 {setting} 설정을 주세요. 예: systemd-run -p.",
		"step.as-user":        "uid {uid} 사용자로:",

		"step.container-kept":  "컨테이너를 새로 만들 때까지 유지됩니다. 컨테이너 정의에도 {memory} 값을 넣으세요(compose 파일의 mem_limit, run의 --memory).",
		"step.container-show":  "현재의 메모리 제한과 스왑 포함 제한을 확인합니다:",
		"step.container-other": "컨테이너 정의에서 메모리 제한을 {try}로 올리세요.",

		"step.pod-find":      "uid로 파드의 네임스페이스와 이름을 찾습니다:",
		"step.pod-container": "워크로드(Deployment, StatefulSet, Job) 정의에서 ID가 {container}인 컨테이너의 resources.limits.memory를 {size}로 바꾸고 적용하세요.",
		"step.pod-whole":     "컨테이너 제한을 모두 더한 파드 전체의 제한입니다. 워크로드 정의에서 컨테이너들의 resources.limits.memory를 합계 {size}가 되도록 올리고 적용하세요.",
		"step.pod-unknown":   "워크로드(Deployment, StatefulSet, Job) 정의에서 컨테이너의 resources.limits.memory를 올리고 적용하세요.",

		"step.lxc-keep":   "계속 유지하려면 컨테이너 설정에 lxc.cgroup2.memory.max = {size} 줄을 넣으세요(Incus와 LXD: limits.memory, Proxmox: pct set).",
		"step.slurm":      "작업을 {option} 옵션으로 다시 제출하세요.",
		"step.slurm-look": "요청한 양과 실제로 쓴 양:",

		"step.cgroup-show":    "현재 제한을 확인합니다:",
		"step.cgroup-manager": "이 cgroup을 만든 쪽에서 되돌릴 수 있습니다. 그러면 거기에서 제한을 바꾸세요.",
	}
}

func koreanHostFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.add-swap":          "스왑 추가하기",
		"fix.add-swap.why":      "스왑이 없으면 오래 쓰지 않은 메모리도 자리를 비켜 줄 수 없습니다. 우선 {size}를 추가해 보세요. 일시적인 최고치에는 도움이 되지만 메모리 누수에는 소용없습니다.",
		"fix.add-more-swap":     "스왑 늘리기",
		"fix.add-more-swap.why": "스왑 {total}를 모두 썼습니다. 우선 {size}를 더해 보세요. 일시적인 최고치에는 도움이 되지만 메모리 누수에는 소용없습니다.",
		"step.swap-keep":        "재부팅 후에도 유지하려면:",
		"step.swap-file-system": "Btrfs에서는 btrfs filesystem mkswapfile로 파일을 만드세요.",

		"fix.cap-largest":      "{kind} {owner}에 메모리 제한을 따로 걸어 혼자만 실패하게 하기",
		"fix.cap-largest-unit": "{owner}에 메모리 제한을 따로 걸어 혼자만 실패하게 하기",
		"fix.cap-largest.why":  "나머지를 모두 합친 것보다 많이 쓰고 있었습니다. RAM {ram} 중 {size}로 제한하면 나머지 시스템에 여유가 남습니다.",

		"fix.score":        "커널이 다시 크기 순으로 고르게 하기",
		"fix.score.why":    "{held}를 쓰던 {name} 프로세스는 종료되고 {other_held}를 쓰던 {other} 프로세스는 살아남았습니다. oom_score_adj가 각각 {adj}, {other_adj}입니다.",
		"step.score":       "유닛의 [Service] 부분에 {setting}{adj} 설정을 넣고 다시 시작합니다:",
		"step.score-other": "{setting}{adj} 설정으로 시작하거나(systemd), /proc 아래 oom_score_adj에 {adj} 값을 쓰세요.",

		"fix.run-less":     "한 번에 덜 실행하거나 가장 큰 것을 줄이기",
		"fix.run-less.why": "목록에 있는 프로세스 {n|개}가 RAM {ram} 중 모두 {sum}를 쓰고 있었습니다. 가장 큰 것:",
		"step.process":     "{name} (pid {pid}): {held}",
		"word.nameless":    "이름 없는 프로세스",

		"fix.allow-nodes":              "다른 NUMA 노드도 쓰게 하기",
		"fix.allow-nodes.why":          "가득 찬 노드에 묶여 있었습니다.",
		"fix.allow-nodes.why-probably": "가득 찬 노드에 묶여 있었던 것으로 보입니다. 무엇으로 묶였는지 이 커널은 알려 주지 않습니다.",
		"step.nodes-unit":              "목록을 비우면 모든 노드가 허용됩니다:",
		"step.nodes-cpuset":            "cgroup의 {file} 파일에 노드를 더하세요. 값을 정한 곳에서 바꿉니다(컨테이너 옵션 --cpuset-mems 또는 작업 설정).",
		"step.nodes-policy":            "{hard} 대신 {soft} 또는 {all} 옵션으로 시작하면 다른 노드도 쓸 수 있습니다.",
	}
}

func koreanSharedFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.free-shared":     "/dev/shm과 다른 tmpfs에서 필요 없는 파일 지우기",
		"fix.free-shared.why": "RAM {ram} 중 {size}가 그런 파일이나 다른 공유 메모리였습니다. 만든 프로그램이 끝나도 지울 때까지 RAM에 남습니다.",
		"step.shared-find":    "각각 얼마나 찼는지, 가장 큰 파일은 무엇인지 확인합니다:",
		"step.shared-delete":  "어느 프로그램도 쓰지 않는 파일은 sudo rm과 경로로 지우세요. sudo fuser -v와 경로를 쓰면 아직 쓰는 프로세스가 보입니다.",
		"step.shared-sysv":    "아무도 붙지 않은(nattch 0) 세그먼트는 sudo ipcrm -m과 shmid로 지웁니다:",
		"step.shared-memfd":   "이름 없는 메모리 파일은 쥐고 있는 프로세스가 끝나면 비워집니다. 아래 경로의 숫자가 pid입니다:",
		"fix.cap-tmpfs":       "/dev/shm 크기 제한하기",
		"fix.cap-tmpfs.why":   "따로 정하지 않으면 RAM의 절반까지 커집니다. {size}로 제한하면 시스템 메모리가 바닥나기 전에 채우는 쪽이 오류(no space left)를 받습니다. 프로그램이 한 번에 쓰는 만큼은 들어가야 합니다.",
		"step.cap-tmpfs-keep": "재부팅 후에도 유지하려면:",

		"fix.free-hugepages":     "쓰지 않는 huge page 돌려주기",
		"fix.free-hugepages.why": "{total}가 다른 용도로 쓸 수 없는 huge page로 예약되어 있었고, 그중 {idle}가 비어 있었습니다.",
		"step.hugepages-keep":    "부팅할 때 정하는 곳이 있으니 거기에서도 바꾸세요:",

		"fix.guest-memory":     "이 가상 머신에 메모리 돌려주기",
		"fix.guest-memory.why": "하이퍼바이저가 {size}를 회수해 {left}만 남아 있었습니다.",
		"step.guest-where":     "하이퍼바이저에서 libvirt를 쓴다면 virsh list로 이름을 확인하고, virsh setmem에 그 이름과 {whole}, --live를 주면 모두 돌려받습니다.",
		"step.guest-others":    "그 밖에는 최소 메모리를 올리세요(Proxmox: 최소 메모리 또는 벌룬 장치 제거, Hyper-V: 최소 RAM, VMware: 메모리 예약).",

		"fix.cap-tasks":     "시작할 수 있는 프로세스 수 제한하기",
		"fix.cap-tasks.why": "이름이 같은 프로세스가 {n|개} 있었고, 큰 것은 하나도 없었습니다. 우선 그 절반으로 제한해 보세요.",
		"step.cap-tasks":    "유닛에는 {unit}, 컨테이너에는 {container}, 로그인 셸에서는 {user} 설정을 쓰세요.",
	}
}

func koreanKernelFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.kernel-caches":     "커널 캐시(slab)를 채우는 것 찾기",
		"fix.kernel-caches.why": "RAM {ram} 중 {size}를 차지하고 있었습니다. 프로그램을 종료해도 비워지지 않고 스왑도 도움이 되지 않습니다.",
		"step.slab-look":        "가장 큰 캐시를 확인합니다:",
		"step.slab-test":        "해결이 아니라 시험 삼아, 커널이 버릴 수 있는 것을 버리게 합니다. 그래도 SUnreclaim이 크면 나머지는 쓰이고 있거나 누수된 것입니다:",
		"step.slab-leak":        "이유 없이 날마다 늘어난다면 드라이버나 모듈의 누수입니다. {version}보다 새 커널에서 고쳐졌을 수 있으며, 재부팅하면 비워집니다.",
		"step.cache-tmpfs":      "{cache}: {size}. tmpfs에 파일이 매우 많습니다. 빈 파일도 메모리를 씁니다. find /dev/shm /tmp /run -xdev로 세어 보고 지우세요.",
		"step.cache-files":      "{cache}: {size}. 아주 많은 파일의 이름과 inode입니다. 파일 시스템을 훑거나 파일을 열어 두는 프로그램 때문입니다.",
		"step.cache-open":       "{cache}: {size}. 열린 파일이 매우 많습니다. ls /proc/PID/fd로 어느 프로세스인지 확인하세요.",
		"step.cache-tasks":      "{cache}: {size}. 프로세스나 스레드가 매우 많습니다. ps -eo nlwp,pid,comm --sort=-nlwp로 확인하세요.",
		"step.cache-net":        "{cache}: {size}. 연결이나 대기 중인 패킷이 매우 많습니다. ss -s로 확인하세요.",

		"fix.driver-memory":     "어느 드라이버, 파이프, 소켓이 메모리를 쓰는지 찾기",
		"fix.driver-memory.why": "커널 보고의 어느 카운터에도 없으므로 프로세스, 파일, 캐시가 아닙니다. 프로그램을 종료해도 그 프로그램이 요청한 것일 때만 비워집니다.",
		"step.driver-look":      "사용량이 높을 때 소켓과 다른 용도의 사용량을 확인합니다(sockstat은 페이지 수):",
		"step.driver-profile":   "커널 6.10부터, 할당 프로파일링을 켜고 빌드했다면 모든 사용처가 나옵니다:",
		"step.driver-gpu":       "GPU로 복사하는 프로그램은 호스트 메모리를 고정(pin)합니다. 로더 워커를 줄이거나 {setting} 설정을 쓰고, 오프로드를 줄이세요.",
		"step.driver-pipes":     "한 사용자의 파이프는 {setting} 설정으로 제한됩니다. 파이프를 읽지 않는 프로그램이 많으면 RAM이 가득 찰 수 있습니다.",

		"fix.page-tables":       "그렇게 많이 매핑하는 프로세스 찾기",
		"fix.page-tables.why":   "RAM {ram} 중 {size}가 페이지 테이블이었습니다.",
		"step.page-tables-look": "가장 큰 프로세스를 확인합니다:",
		"step.page-tables-huge": "데이터베이스처럼 큰 메모리 하나를 여러 프로세스가 공유한다면, 거기에 huge page를 쓰면 훨씬 줄어듭니다.",

		"fix.threads":       "스레드를 그렇게 많이 만드는 것 찾기",
		"fix.threads.why":   "커널 스택만 RAM {ram} 중 {size}였습니다.",
		"step.threads-look": "스레드가 가장 많은 프로세스를 확인합니다:",
		"step.threads-cap":  "유닛의 {setting} 설정으로 제한하세요.",
	}
}

func koreanZoneFixes() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"fix.compact":             "커널이 빈 메모리를 더 큰 조각으로 모으게 하기",
		"fix.compact.why":         "{free}가 비어 있었지만 이 요청이 쓸 수 있는 {size} 크기의 조각은 없었습니다.",
		"step.compact-now":        "지금 모으기. 이어서 나오는 숫자는 빈 조각의 수이며 오른쪽이 더 큰 조각입니다:",
		"step.compact-keep":       "앞으로 여유를 더 남기고 미리 모아 두게 합니다:",
		"step.compact-after-boot": "오른쪽 숫자가 계속 작으면 옮길 수 없는 메모리가 사이에 있는 것입니다. 그것을 쓰는 프로그램을 끝내거나 재부팅하세요. 큰 조각이 필요한 것은 일찍 요청해야 합니다: huge page는 부팅할 때, 드라이버와 가상 머신은 맨 먼저.",

		"fix.64-bit":     "64비트 커널 쓰기",
		"fix.64-bit.why": "32비트 커널은 자신의 데이터를 RAM의 가장 낮은 부분에만 둡니다. {ram} 중 {high}는 쓸 수 없으므로 RAM을 늘려도 소용없습니다.",
		"step.64-bit":    "lm이 나오면 64비트 커널을 쓸 수 있는 프로세서입니다:",

		"fix.smaller-cma":     "장치용으로 따로 잡는 메모리(CMA) 줄이기",
		"fix.smaller-cma.why": "거기에 {free}가 비어 있었지만 커널 자신의 데이터에는 쓸 수 없었습니다.",
		"step.cma-look":       "크기와 정한 곳을 확인합니다:",
		"step.cma-set":        "커널 명령줄에서 {setting} 값을 줄이고(Raspberry Pi: /boot/firmware/cmdline.txt) 재부팅하세요.",

		"fix.reserve-ratio":     "낮은 존의 예비분을 기본값으로 되돌리기",
		"fix.reserve-ratio.why": "예비분 때문에 이 요청은 빈 메모리를 쓸 수 없었습니다. 숫자가 작을수록 더 많이 남겨 둡니다.",
	}
}
