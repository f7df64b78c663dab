package lang

import "github.com/oomdoc/oomdoc"

func koreanCmd() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"cmd.nothing-stored": "해당하는 기록이 없습니다. oomdoc이 감시를 시작한 뒤로 메모리 부족으로 종료된 것이 없거나, 필터에 맞는 것이 없습니다.",
		"cmd.nothing-found":  "이 로그에는 메모리 부족이 없습니다. 커널의 강제 종료는 커널 로그에 있습니다: sudo dmesg | oomdoc explain -",
		"cmd.nothing-read":   "설명할 로그가 한 줄도 없습니다. 이번 부팅의 커널 로그: sudo dmesg | oomdoc explain -",

		"cmd.watching":      "{path} 감시를 시작합니다. 기록은 {database}에 저장됩니다.",
		"cmd.watching-how":  "다른 터미널에서 root로: {command} selftest, 그다음 {command} last --all",
		"cmd.watching-stop": "Ctrl-C를 누르면 멈춥니다.",
		"cmd.burst-more":    "같은 시각에 함께: {summary} ({id})",

		"cmd.status.running":        "데몬이 이 시스템을 감시하고 있습니다(pid {pid}, {age} 시작).",
		"cmd.status.stopped":        "데몬이 실행 중이 아닙니다. 지금은 아무것도 감시하지 않습니다.",
		"cmd.status.never":          "데몬이 한 번도 실행된 적이 없습니다. 아직 데이터베이스가 없습니다.",
		"cmd.status.failing":        "데몬이 실행 중이지만 데이터베이스에 쓸 수 없습니다: {error}",
		"cmd.status.incidents":      "{n}건 저장됨, 가장 최근은 {age}",
		"cmd.status.no-incidents":   "저장된 것 없음",
		"cmd.status.database":       "{path}, {size}",
		"cmd.status.kmsg":           "감시 중: {path}, {records|줄} 읽음(리더 {reader})",
		"cmd.status.kmsg-off":       "감시 안 함: 데몬이 실행 중이 아닙니다",
		"cmd.status.lost":           "최근 30일 동안 로그 {records|줄}이 {times|번}에 걸쳐 유실됨: 그 사이의 실패는 빠져 있습니다",
		"cmd.status.lost-none":      "최근 30일 동안 유실된 로그 없음",
		"cmd.status.journal-off":    "감시 안 함: 데몬이 실행 중이 아닙니다",
		"cmd.status.gpu-off":        "감시 안 함: 데몬이 실행 중이 아닙니다",
		"cmd.status.gpu-disabled":   "감시 안 함: 설정의 [gpu]에 enabled = false가 있습니다",
		"cmd.status.gpu-none":       "없음: NVIDIA 드라이버가 올라와 있지 않고, /sys에 메모리 정보를 내는 그래픽카드도 없습니다",
		"cmd.status.gpu-why":        "지금은 감시 안 함: {why}",
		"cmd.status.gpu-asleep":     "절전 중: 전원이 내려가 있어 깨우지 않습니다",
		"cmd.status.gpu-released":   "드라이버를 다시 올릴 수 있도록 놓아둔 상태입니다",
		"cmd.status.gpu":            "감시 중: 장치 {devices|개}, 드라이버 {driver}",
		"cmd.status.gpu-lacking":    "드라이버 라이브러리에 없는 함수 {n|개}: {first} ...",
		"cmd.status.device":         "{index}: {name}, {total}, 마지막 확인 {age}",
		"cmd.status.device-fault":   "{index}: {name}: {fault}",
		"cmd.status.device-asleep":  "{index}: {name}: 절전 중",
		"cmd.status.device-unified": "{index}: {name}: 시스템 램을 함께 씀, 마지막 확인 {age}",
		"cmd.status.alerts":         "저널에 {sent}건 보냄: journalctl -t oomdoc",
		"cmd.status.alerts-stderr":  "아직 저널이 받은 것 없음. 저널이 없으면 데몬의 표준 오류로 나갑니다",

		"cmd.status.journal":          "감시 중: 읽을 만한 항목 {records|개}",
		"cmd.status.journal-disabled": "감시 안 함: 설정의 [journal]에 enabled = false가 있습니다",
		"cmd.status.journal-waits":    "지금은 감시 안 함: {why}",
		"cmd.status.journal-limited":  "{limited|건}을 받지 않음: 한 곳에서 너무 많이 알려 왔습니다",

		"cmd.status.since":            "{time}부터",
		"cmd.status.last":             "마지막 줄 {age}, 시작 후 {lost|줄} 유실",
		"cmd.status.database-written": "마지막으로 쓴 때 {age}",
		"cmd.status.helper-root":      "필요 없음: 데몬이 root로 실행 중입니다",
		"cmd.status.helper":           "{socket}에서 응답함",
		"cmd.status.helper-none":      "{socket}에서 응답 없음",
		"cmd.status.names":            "명령줄 {processes|개}를 기억하고, 컨테이너와 파드 {names|개}의 이름을 압니다",
		"cmd.status.version":          "{version}",
		"cmd.status.other-version":    "데몬은 {daemon}, 이 명령은 {command}",
		"cmd.status.limit":            "{what}",

		"cmd.hidden":         "{n|건}은 다른 사용자의 것이라 명령줄, 경로, 로그 줄을 보여 주지 않습니다. 모두 보려면 sudo usermod -aG systemd-journal {user} 실행 후 다시 로그인하세요.",
		"cmd.import.done":    "{records|줄}을 읽음: 새 기록 {new|건}, 이미 있던 기록 {known}건.",
		"cmd.import.reached": "{name}, {time}: 새 기록 {new|건}",

		"cmd.run.stored":     "{path}에 저장했습니다.",
		"cmd.run.not-stored": "저장하지 못했습니다: {error}",
		"cmd.run.missed":     "출력이 너무 빨라 {size}만큼은 살펴보지 못했습니다. 그 부분의 내용은 빠져 있습니다.",
		"cmd.own":            "사용자 자신의 데이터베이스({path})에서 읽었습니다. 시스템 데이터베이스: {error}",

		"cmd.purge.ask":  "기록 {n|건}을 완전히 지울까요? [y/N]",
		"cmd.purge.done": "기록 {n|건}을 지웠습니다.",
		"cmd.purge.none": "해당하는 기록이 없습니다.",

		"cmd.selftest.daemon":       "pid {pid} 데몬이 감시 중이며 데이터베이스는 {database}입니다",
		"cmd.selftest.own":          "실행 중인 데몬이 없어 자가 진단이 커널 로그를 직접 감시합니다",
		"cmd.selftest.cgroup":       "{path} 생성, 메모리 제한 {limit}",
		"cmd.selftest.hog":          "그 안에서 제한보다 많이 쓰는 프로세스를 시작했습니다",
		"cmd.selftest.read":         "커널이 강제 종료했고, 데몬이 그 커널 로그를 읽었습니다",
		"cmd.selftest.stored":       "저장됨: {id}, 읽은 뒤 {after}",
		"cmd.selftest.alert":        "자가 진단에는 보내지 않음. 이 시스템의 저널은 알림을 받습니다",
		"cmd.selftest.alert-stderr": "자가 진단에는 보내지 않음. 저널이 없어 알림은 표준 오류로 나갑니다",
		"cmd.selftest.verdict":      "{class}, {cause}, {confidence}: {summary}",
		"cmd.selftest.good":         "강제 종료가 제대로 잡힙니다. 확인해 보세요: {command} last --all",
		"cmd.selftest.good-own":     "강제 종료를 볼 수 있지만 지금은 아무것도 감시하지 않으며, 이번 것은 저장하지 않았습니다. 데몬을 시작하세요: sudo {command} daemon",
	}
}
