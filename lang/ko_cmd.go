package lang

import "github.com/oomdoc/oomdoc"

// koreanCmd is englishCmd in Korean.
func koreanCmd() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"cmd.nothing-stored": "보여 줄 사건이 없습니다. oomdoc이 감시를 시작한 뒤로 메모리 부족으로 죽은 것이 없거나, 조건에 맞는 것이 없습니다.",
		"cmd.nothing-found":  "메모리 부족으로 실패한 기록을 찾지 못했습니다. 커널의 강제 종료는 커널 로그에 있습니다: sudo dmesg | oomdoc explain -",
		"cmd.nothing-read":   "읽을 줄이 하나도 없습니다. 이번 부팅의 커널 로그를 보려면: sudo dmesg | oomdoc explain -",

		"cmd.try":     "해 볼 것: {hint}",
		"cmd.reading": "{name:을/를} 읽는 중: {far}",

		"cmd.watching":      "{path:을/를} 감시합니다. 사건은 {database}에 저장합니다.",
		"cmd.watching-how":  "다른 터미널에서 root로 {command} selftest를 실행한 뒤 {command} last --all을 실행해 보세요.",
		"cmd.watching-stop": "끝내려면 Ctrl-C.",
		"cmd.burst-more":    "함께 일어난 사건: {summary} ({id})",

		"cmd.status.running":       "데몬이 실행 중이며(PID {pid}, {age} 시작) 이 시스템을 감시하고 있습니다.",
		"cmd.status.stopped":       "데몬이 실행되고 있지 않습니다. 지금은 아무것도 감시하지 않습니다.",
		"cmd.status.never":         "이 시스템에서 데몬을 실행한 적이 없습니다. 아직 데이터베이스가 없습니다.",
		"cmd.status.failing":       "데몬은 실행 중이지만 데이터베이스에 쓸 수 없습니다: {error}",
		"cmd.status.incidents":     "{n}건 저장, 최근 {age}",
		"cmd.status.no-incidents":  "저장된 것 없음",
		"cmd.status.database":      "{path}, {size}",
		"cmd.status.kmsg":          "감시 중: {path}, 레코드 {records|개} 읽음(리더 {reader})",
		"cmd.status.kmsg-off":      "감시하지 않음: 데몬이 실행되고 있지 않습니다",
		"cmd.status.lost":          "지난 30일 동안 {times|곳}에서 레코드 {records|개}. 그 안에 있던 사건은 빠져 있습니다",
		"cmd.status.lost-none":     "지난 30일 동안 없음",
		"cmd.status.journal-off":   "감시하지 않음: 데몬이 실행되고 있지 않습니다",
		"cmd.status.gpu-off":       "감시하지 않음: 이 버전은 로그만 읽습니다",
		"cmd.status.alerts":        "저널에 {sent}건 보냄: journalctl -t oomdoc",
		"cmd.status.alerts-stderr": "아직 알림을 받은 저널이 없습니다. 저널이 없으면 데몬의 표준 오류로 나갑니다",

		"cmd.status.journal":          "감시 중: 항목 {records|개} 읽음",
		"cmd.status.journal-disabled": "감시하지 않음: 설정의 [journal]에 enabled = false가 있습니다",
		"cmd.status.journal-none":     "감시하지 않음: 이 시스템에는 저널이 없습니다",
		"cmd.status.journal-waits":    "지금은 감시하지 않음: {why}",
		"cmd.status.journal-limited":  "한 프로그램이 너무 많이 알려 실패 {limited|건}은 받지 않았습니다",

		"cmd.status.since":            "{time}부터",
		"cmd.status.last":             "마지막 레코드 {age}. 시작한 뒤 놓친 레코드 {lost|개}",
		"cmd.status.database-written": "마지막 기록 {age}",
		"cmd.status.helper-root":      "필요 없음: 데몬이 root로 실행 중입니다",
		"cmd.status.helper":           "{socket}에서 응답함",
		"cmd.status.helper-none":      "{socket}에서 응답 없음",
		"cmd.status.names":            "명령줄 {processes|개}를 기억하고, 컨테이너·파드 {names|개}의 이름을 압니다",
		"cmd.status.version":          "{version}",
		"cmd.status.other-version":    "데몬은 {daemon}, 이 명령은 {command}",
		"cmd.status.limit":            "{what}",

		"cmd.run.stored":     "{path}에 저장했습니다.",
		"cmd.run.not-stored": "저장하지 못했습니다: {error}",
		"cmd.run.missed":     "출력이 너무 빨라 {size}는 살펴보지 못했습니다. 그 부분에 나온 내용은 빠져 있습니다.",
		"cmd.own":            "사용자 자신의 데이터베이스 {path}에서 읽었습니다. 시스템의 데이터베이스: {error}",

		"cmd.hidden":         "{n|건}은 다른 사용자의 사건이라 명령줄, 경로, 로그를 보여 주지 않습니다. 모두 보려면 sudo usermod -aG systemd-journal {user:을/를} 실행한 뒤 다시 로그인하세요.",
		"cmd.import.done":    "레코드 {records|개}를 읽었습니다. 새 사건 {new|건}, 이미 저장된 사건 {known|건}.",
		"cmd.import.journal": "저널",
		"cmd.import.reached": "{name}, {time}: 새 사건 {new|건}",

		"cmd.purge.ask":  "사건 {n|건}을 완전히 지울까요? [y/N]",
		"cmd.purge.done": "사건 {n|건}을 지웠습니다.",
		"cmd.purge.none": "조건에 맞는 사건이 없습니다.",

		"cmd.status.label.kernel-log": "커널 로그",
		"cmd.status.label.journal":    "저널",
		"cmd.status.label.gpus":       "GPU",
		"cmd.status.label.alerts":     "알림",
		"cmd.status.label.helper":     "헬퍼",
		"cmd.status.label.processes":  "프로세스",
		"cmd.status.label.lost":       "놓친 로그",
		"cmd.status.label.database":   "DB",
		"cmd.status.label.incidents":  "사건",
		"cmd.status.label.version":    "버전",
		"cmd.status.label.limited":    "제약",

		"cmd.selftest.label.daemon":  "데몬",
		"cmd.selftest.label.cgroup":  "cgroup",
		"cmd.selftest.label.hog":     "시작",
		"cmd.selftest.label.read":    "감지",
		"cmd.selftest.label.stored":  "저장",
		"cmd.selftest.label.alert":   "알림",
		"cmd.selftest.label.verdict": "진단",

		"cmd.selftest.daemon":       "PID {pid}의 데몬이 감시 중이며 데이터베이스는 {database}입니다",
		"cmd.selftest.own":          "실행 중인 데몬이 없어 selftest가 직접 커널 로그를 감시합니다",
		"cmd.selftest.cgroup":       "{path:을/를} 만들고 메모리를 {limit:으로/로} 제한했습니다",
		"cmd.selftest.hog":          "그 안에서 제한보다 많은 메모리를 쓰는 프로세스를 시작했습니다",
		"cmd.selftest.read":         "커널이 그 프로세스를 강제 종료했고, 데몬이 커널 로그를 읽었습니다",
		"cmd.selftest.stored":       "읽은 지 {after} 만에 {id:으로/로} 저장했습니다",
		"cmd.selftest.alert":        "selftest라서 보내지 않았습니다. 이 시스템의 저널은 알림을 받습니다",
		"cmd.selftest.alert-stderr": "selftest라서 보내지 않았습니다. 이 시스템에는 저널이 없어 알림이 표준 오류로 나갑니다",
		"cmd.selftest.verdict":      "{class}, {cause}, {confidence}: {summary}",
		"cmd.selftest.good":         "강제 종료가 제대로 잡힙니다. 방금 것을 보려면: {command} last --all",
		"cmd.selftest.good-own":     "강제 종료를 볼 수는 있지만 지금은 아무것도 감시하지 않으며, 방금 것도 저장되지 않았습니다. 데몬을 시작하려면: sudo {command} daemon",

		"cmd.status.files":          "감시 중: 파일 {files|개}, 읽은 줄 {records|개}",
		"cmd.status.files-none":     "감시할 것이 없음: 컨테이너 로그도, [files]에 지정된 파일도 없습니다",
		"cmd.status.files-disabled": "감시 안 함: 설정의 [files]에서 아무것도 지정하지 않았습니다",
		"cmd.status.files-missing":  "감시 안 함: {path}: {why}",
		"cmd.status.files-others":   "지정된 파일이 {others|개} 더 있습니다. 가장 최근에 쓰인 것만 감시합니다",
	}
}
