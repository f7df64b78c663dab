package lang

import "github.com/oomdoc/oomdoc"

// englishSystemd holds the English sentences of package systemd: the alerts.
func englishSystemd() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"alert.with-command": "{summary}. Try: {step} (details: oomdoc show {id})",
		"alert.with-step":    "{summary}. {step}. Details: oomdoc show {id}",
		"alert.alone":        "{summary}. Details: oomdoc show {id}",
		"alert.late":         "At {time}: {alert}",

		"alert.storm-kills":    "{count|more kill|more kills} of {offender} within {span}; all are stored: oomdoc list",
		"alert.storm-other":    "{count|more memory failure|more memory failures} of {offender} within {span}; all are stored: oomdoc list",
		"alert.many-offenders": "many different programs",
		"alert.this-machine":   "this machine",
		"alert.dropped":        "{count|alert was|alerts were} not written because the journal did not take them in time; nothing is lost: oomdoc list",
	}
}
