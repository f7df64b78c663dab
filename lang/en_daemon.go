package lang

import "github.com/oomdoc/oomdoc"

// englishDaemon holds the English sentences of package daemon.
func englishDaemon() map[oomdoc.Key]string {
	return map[oomdoc.Key]string{
		"daemon.status.watching": "watching {path}",
		"daemon.status.failing":  "watching, but the database cannot be written: {error}",
	}
}
