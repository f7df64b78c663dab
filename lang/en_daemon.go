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
	}
}
