package lang

import "github.com/oomdoc/oomdoc"

func koreanSystemd() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"alert.with-command": "{summary}. 처방: {step} (자세히: oomdoc show {id})",
		"alert.with-step":    "{summary}. {step}. 자세히: oomdoc show {id}",
		"alert.alone":        "{summary}. 자세히: oomdoc show {id}",
		"alert.late":         "{time}에 발생: {alert}",

		"alert.storm-kills":    "{offender}: {span} 안에 강제 종료 {count|건}이 더 있었습니다. 모두 저장되어 있습니다: oomdoc list",
		"alert.storm-other":    "{offender}: {span} 안에 메모리 부족 {count|건}이 더 있었습니다. 모두 저장되어 있습니다: oomdoc list",
		"alert.many-offenders": "여러 프로그램",
		"alert.this-machine":   "이 시스템",
		"alert.dropped":        "저널이 제때 받지 못해 알림 {count|건}을 쓰지 못했습니다. 기록은 모두 남아 있습니다: oomdoc list",
	}
}
