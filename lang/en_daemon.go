package lang

import "github.com/oomdoc/oomdoc"

// englishDaemon holds the English sentences of package daemon.
func englishDaemon() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"daemon.status.watching":       "watching {path}",
		"daemon.status.reload-refused": "watching with the configuration of before; the new one is wrong: {error}",
		"daemon.status.reload-failed":  "watching with the configuration of before; with the new one nothing could be watched: {error}",
		"daemon.status.stored":         "watching {path}; {n|incident|incidents} stored, the newest of {time}",
		"daemon.status.failing":        "watching, but the database cannot be written: {error}",

		"daemon.limit.helper":   "The helper does not answer: alerts do not show in systemctl status of the unit that failed (journalctl -t oomdoc has them), and containers whose files are closed go by their ids.",
		"daemon.limit.hidepid":  "Other users' processes are hidden from the daemon: their command lines are not remembered.",
		"daemon.limit.socket":   "Nobody can ask the daemon, so that only who may read the database sees incidents: {error}",
		"daemon.limit.inside":   "{n|program|programs} of other users may not be looked into: what they have open, or which variables they were started with, is told only as far as their unit or container tells it",
		"daemon.limit.models":   "The files that name Ollama's models may not be read: models are told by the hash of their file",
		"daemon.limit.textfile": "The counters cannot be written: {error}",
	}
}
