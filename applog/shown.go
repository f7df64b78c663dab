package applog

import "bytes"

// hiddenFrom are the marks behind which a line has a process's command line or
// other text that may hold secrets: a line is kept for show only up to there.
func hiddenFrom() []string {
	return []string{
		`, cmdline "`,   // earlyoom 1.8
		"  cmdline:   ", // nohang
	}
}

// shown is the record as it came, as far as it is kept.
func (l *line) shown(limit int) string {
	if len(l.rec.Raw) == 0 {
		return l.proof()
	}
	return withoutSecrets(l.rec.Raw, limit)
}

// proof is the line as evidence: its text alone.
func (l *line) proof() string { return withoutSecrets(l.text, defaultMaxRecordBytes) }

func withoutSecrets(text []byte, limit int) string {
	text = bytes.TrimRight(text, "\r\n")
	for _, mark := range hiddenFrom() {
		if at := bytes.Index(text, []byte(mark)); at >= 0 {
			text = append(bytes.Clone(text[:at+len(mark)]), "..."...)
		}
	}
	return string(text[:min(len(text), limit)])
}
