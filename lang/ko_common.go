package lang

import "github.com/oomdoc/oomdoc"

// koreanCommon: a number and its counter are written without a space.
func koreanCommon() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		oomdoc.KeyCommand: "{command}",

		keyBytes:        "{n|바이트}",
		keyMicroseconds: "{n}µs",
		keyMilliseconds: "{n}ms",
		keySeconds:      "{n}초",
		keyMinutes:      "{n}분",
		keyHours:        "{n}시간",
		keyHoursMinutes: "{hours}시간 {minutes}분",
		keyDays:         "{n|일}",
		keyUnderPercent: "{limit} 미만",

		keyJustNow: "방금",
		keyAgo:     "{duration} 전",
		keyAhead:   "이 시스템의 시계보다 {duration} 앞선 시각",
		keyUnknown: "알 수 없음",
	}
}
