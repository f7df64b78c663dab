package lang

import "github.com/oomdoc/oomdoc"

// koreanHelp is englishHelp in Korean. The names of values stay as they are.
func koreanHelp() map[oomdoc.Key]string {
	return merge([]map[oomdoc.Key]string{
		koreanHelpPage(),
		koreanCommands(),
		koreanOptions(),
	})
}

func koreanHelpPage() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"help.usage":           "사용법:",
		"help.examples":        "예:",
		"help.commands":        "명령:",
		"help.options":         "옵션:",
		"help.global-options":  "공통 옵션:",
		"help.some-options":    "[옵션]",
		"help.some-command":    "[명령]",
		"help.default":         "{usage}(기본값 {value})",
		"help.more":            "명령마다 더 자세한 도움말은 \"{command} [명령] --help\"로 볼 수 있습니다.",
		"help.example.last":    "가장 최근에 무엇이 왜 죽었는지",
		"help.example.explain": "가지고 있는 로그로 같은 진단",
	}
}

func koreanCommands() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"command.oomdoc.short": "이 시스템에서 메모리 부족으로 무엇이 왜 죽었고 어떻게 해결하는지 알려 줍니다",
		"command.oomdoc.long": "oomdoc은 이 시스템에서 메모리 부족으로 죽는 프로그램을 감시하고, 무엇이 죽었는지, 어느 메모리가 부족했는지, 근거는 무엇인지, 어떻게 해결하는지 알려 줍니다.\n\n" +
			"종료 상태: 0 정상, 1 실패, 2 잘못된 사용법, 3 찾지 못함, 4 권한 없음, 130 중단됨.",

		"command.last.short": "가장 최근 사건 설명",
		"command.last.long":  "가장 최근 사건을 설명합니다. 무엇이 죽었는지, 어느 메모리가 부족했는지, 근거는 무엇인지, 어떻게 해결하는지 보여 줍니다. 강제 종료가 잇달아 일어났다면 그중 가장 나중 것을 설명합니다.",

		"command.list.short": "사건 목록(최신순)",
		"command.list.long":  "사건을 최신순으로 보여 줍니다. 잇달아 일어난 강제 종료는 한 줄로 묶습니다(--all이면 따로).",

		"command.show.short": "사건 하나를 로그 원문까지 모두 표시",
		"command.show.long":  "사건 하나를 근거가 된 로그까지 모두 보여 줍니다. ID는 앞의 몇 글자만 적어도 됩니다. --redact는 버그를 신고할 때 쓸 수 있게 이름을 바꾸고 명령줄을 뺍니다. 올리기 전에 꼭 확인하세요.",

		"command.explain.short": "가지고 있는 로그로 같은 진단",
		"command.explain.long":  "로그에서 메모리 부족으로 실패한 것을 찾아 설명합니다. 모든 형식의 dmesg, 저널 내보내기, syslog, 시리얼 콘솔 로그를 읽습니다. - 또는 파이프는 표준 입력입니다. 아무것도 저장하지 않습니다.",

		"command.status.short": "무엇을 감시하고, 무엇을 왜 감시하지 않는지",
		"command.status.long":  "무엇을 감시하고 무엇을 왜 감시하지 않는지, 어떻게 하면 바뀌는지 알려 줍니다. 데몬이 실행 중이고 본 것을 저장할 수 있으면 종료 상태가 0, 아니면 1입니다.",

		"command.selftest.short": "해롭지 않은 강제 종료를 일으켜 제대로 잡히는지 확인",
		"command.selftest.long":  "작은 메모리 cgroup을 만들고 그 안에서 oomdoc 자신의 프로세스를 커널이 강제 종료하게 한 뒤, 그것이 거쳐 가는 단계를 보여 줍니다. 다른 것은 건드리지 않습니다. 이 사건은 따로 표시되고 알림을 보내지 않으며, --all이 없으면 last와 list에 나오지 않습니다.",

		"command.daemon.short": "이 시스템 감시(서비스. 직접 실행할 수도 있음)",
		"command.daemon.long":  "커널 로그를 따라가며 모든 사건을 저장하고 알림을 보냅니다. 서비스로는 systemd가 시작하며, 직접 실행하면 사건이 일어날 때마다 출력합니다.",

		"command.helper.short": "root만 할 수 있는 일을 데몬 대신 수행",
		"command.helper.long":  "데몬의 요청에 응답합니다. systemctl status에 실패와 나란히 보이도록 root로 알림을 보내고, 컨테이너의 이름이 적힌 파일을 엽니다. systemd가 소켓으로 시작하며, 그 소켓의 소유자에게만 응답합니다.",

		"command.purge.short": "사건과 그 로그 지우기",
		"command.purge.long":  "사건과 근거가 된 로그를 완전히 지웁니다. ID, 지난 시간, 사용자로 고를 수 있고, 시간과 사용자를 함께 주면 둘 다 맞는 것만 지웁니다. 커널 로그와 저널에 있는 사본은 그대로 남습니다.",

		"command.import.short": "oomdoc을 설치하기 전에 쌓인 로그 읽기",
		"command.import.long":  "이 시스템의 로그에 남은 메모리 부족 실패를 저장합니다. 모든 부팅의 저널, 커널 링 버퍼, pstore, /var/log의 kern.log, syslog, messages(로테이트된 것 포함)를 읽거나 지정한 파일을 읽습니다. 알림은 보내지 않으며 이미 저장된 사건은 다시 저장하지 않습니다. 지난번에 멈춘 곳부터 이어서 읽고, --since를 주면 다시 읽습니다.",

		"command.run.short": "명령을 실행하고, 메모리 부족으로 죽으면 설명",
		"command.run.long":  "명령을 터미널 그대로 실행하면서 출력과 끝나는 모습을 지켜보다가, 메모리 부족으로 죽으면 표준 오류에 설명합니다. root 권한도 서비스도 필요 없습니다. 명령의 출력은 바뀌지 않고 바로 나가며, 메모리 부족으로 죽은 것이 없으면 아무것도 덧붙이지 않습니다. 종료 상태는 명령의 종료 상태이고, 시그널로 끝났으면 128에 그 번호를 더한 값, 명령이 없으면 127, 실행할 수 없으면 126입니다.",

		"command.version.short": "버전 출력",
		"command.help.short":    "명령 도움말",
	}
}

func koreanOptions() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"option.db":     "데이터베이스 `PATH`(기본값: 실행 중인 데몬의 것 또는 {database})",
		"option.config": "설정 `FILE`(기본값 {config})",
		"option.output": "출력 형식 `FORM`: text 또는 json",
		"option.color":  "색을 쓸 때 `WHEN`: auto, always, never. NO_COLOR를 따름",
		"option.lang":   "출력 언어 `LANGUAGE`: en 또는 ko(기본값: 로캘의 언어)",
		"option.help":   "{command} 도움말",

		"option.since":  "이 `TIME` 이후만: 7d, 2h, 2026-11-30, yesterday",
		"option.until":  "이 `TIME` 이전만",
		"option.class":  "이 분류(`CLASS`)만: vram, host-ram, fragmentation",
		"option.cause":  "이 원인(`CAUSE`)만, 예: cgroup-limit",
		"option.unit":   "이 systemd 유닛(`UNIT`)만",
		"option.engine": "이 엔진(`ENGINE`)만, 예: ollama",
		"option.all":    "selftest도 포함하고, 잇달아 일어난 강제 종료도 하나씩",

		"command.last.option.number": "최근 `N`건 설명",
		"command.list.option.number": "최대 `N`줄",
		"command.show.option.redact": "이름을 바꾸고 명령줄을 뺌",

		"command.run.option.report": "설명을 표준 오류 대신 이 `FILE`에 씀",

		"command.purge.option.older-than": "일어난 지 이 시간(`AGE`)이 넘은 것 모두: 30d, 2h",
		"command.purge.option.user":       "이 사용자(`USER`)의 프로세스 모두, 이름이나 번호로",
		"command.purge.option.all":        "모두",
		"command.purge.option.yes":        "묻지 않음",

		"command.import.option.since": "일어난 지 이 시간(`AGE`)이 안 된 것만 다시 읽음: 90d, 12h",

		"command.helper.option.docker-root":      "docker의 data-root 폴더(`FOLDER`)",
		"command.helper.option.containerd-state": "containerd의 state 폴더(`FOLDER`)",
		"command.helper.option.containers-root":  "podman과 CRI-O의 저장소 폴더(`FOLDER`)",
	}
}
