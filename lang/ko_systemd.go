package lang

import "github.com/oomdoc/oomdoc"

// koreanSystemd is englishSystemd in Korean.
func koreanSystemd() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"alert.with-command": "{summary}. 처방: {step} (자세히: oomdoc show {id})",
		"alert.with-step":    "{summary}. {step}. 자세히: oomdoc show {id}",
		"alert.alone":        "{summary}. 자세히: oomdoc show {id}",
		"alert.late":         "{time} 발생: {alert}",

		"alert.storm-kills":    "{span} 동안 {offender}에서 강제 종료가 {count|번} 더 일어났습니다. 모두 저장되어 있습니다: oomdoc list",
		"alert.storm-other":    "{span} 동안 {offender}에서 메모리 실패가 {count|번} 더 일어났습니다. 모두 저장되어 있습니다: oomdoc list",
		"alert.many-offenders": "여러 프로그램",
		"alert.this-machine":   "이 시스템",
		"alert.dropped":        "저널이 제때 받지 못해 알림 {count|개}를 쓰지 못했습니다. 사건은 모두 저장되어 있습니다: oomdoc list",
	}
}
