package lang

import "github.com/oomdoc/oomdoc"

func koreanDaemon() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"daemon.status.watching":       "{path} 감시 중",
		"daemon.status.reload-refused": "이전 설정으로 감시 중. 새 설정에 오류가 있습니다: {error}",
		"daemon.status.reload-failed":  "이전 설정으로 감시 중. 새 설정으로는 아무것도 감시할 수 없습니다: {error}",
		"daemon.status.stored":         "{path} 감시 중. {n|건} 저장됨, 가장 최근은 {time}",
		"daemon.status.failing":        "감시 중이지만 데이터베이스에 쓸 수 없습니다: {error}",

		"daemon.limit.helper":   "도우미 프로세스가 응답하지 않습니다. 실패한 유닛의 systemctl status에는 알림이 나타나지 않고(journalctl -t oomdoc에는 있습니다), 파일을 열 수 없는 컨테이너는 ID로만 표시됩니다.",
		"daemon.limit.hidepid":  "데몬에는 다른 사용자의 프로세스가 보이지 않아 명령줄을 기억해 둘 수 없습니다.",
		"daemon.limit.socket":   "데몬에 물어볼 수 없는 상태라서 데이터베이스를 읽을 수 있는 사용자만 기록을 볼 수 있습니다: {error}",
		"daemon.limit.textfile": "카운터 파일을 쓸 수 없습니다: {error}",
	}
}
