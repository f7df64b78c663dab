package lang

import "github.com/oomdoc/oomdoc"

// koreanDaemon is englishDaemon in Korean.
func koreanDaemon() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"daemon.status.watching":       "{path} 감시 중",
		"daemon.status.reload-refused": "이전 설정으로 감시 중. 새 설정이 잘못되었습니다: {error}",
		"daemon.status.reload-failed":  "이전 설정으로 감시 중. 새 설정으로는 감시할 수 없었습니다: {error}",
		"daemon.status.stored":         "{path} 감시 중. 사건 {n|건} 저장, 최근 {time}",
		"daemon.status.failing":        "감시 중이지만 데이터베이스에 쓸 수 없음: {error}",

		"daemon.limit.helper":   "헬퍼가 응답하지 않습니다. 그래서 실패한 유닛의 systemctl status에 알림이 나타나지 않고(journalctl -t oomdoc에는 있습니다), 파일을 읽을 수 없는 컨테이너는 이름 대신 ID로 표시됩니다.",
		"daemon.limit.hidepid":  "다른 사용자의 프로세스가 데몬에게 보이지 않아 그 명령줄을 기억하지 못합니다.",
		"daemon.limit.socket":   "데몬에 물어볼 수 있는 길이 없어, 데이터베이스를 읽을 수 있는 사용자만 사건을 봅니다: {error}",
		"daemon.limit.textfile": "카운터 파일에 쓸 수 없습니다: {error}",
		"daemon.limit.inside":   "다른 사용자의 프로그램 {n}개는 안을 들여다볼 수 없습니다. 어떤 파일을 열었는지, 어떤 환경 변수로 시작했는지는 유닛이나 컨테이너 설정에 있는 만큼만 알 수 있습니다",
		"daemon.limit.models":   "Ollama 모델의 이름이 적힌 파일을 읽을 수 없어 모델을 파일 해시로만 표시합니다",
	}
}
