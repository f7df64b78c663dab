package systemd

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/oomdoc/oomdoc"
)

// isOwn tells an entry of oomdoc itself. It repeats the words of others, so that
// it must never be read as theirs. Who forges it hides nothing but their own line.
func isOwn(rec *oomdoc.Record) bool {
	j := rec.Journal
	return string(rec.Writer) == Identifier || slices.Contains(ownUnits(), string(j.WriterUnit)) ||
		len(j.MessageID) > 0 && slices.Contains(messageIDs(), string(j.MessageID))
}

func ownUnits() []string {
	return []string{"oomdoc.service", "oomdoc-helper.service", "oomdoc-report.service"}
}

func messageIDs() []string {
	return []string{
		MessageCgroupKill, MessageHostKill, MessageOtherKill, MessageFailed, MessageDegraded, MessagePanic,
		MessageStorm, MessageDropped,
	}
}

// journald says so when a unit writes more than it takes (RateLimitBurst= of
// journald.conf(5)): "Suppressed 1234 messages from job.service".
const (
	suppressedAnchor = "Suppressed "
	messageDropped   = "a596d6fe7bfa4994828e72309e95d61e" // SD_MESSAGE_JOURNAL_DROPPED, sd-messages.h
)

func isSuppressed(rec *oomdoc.Record) bool {
	return string(rec.Journal.MessageID) == messageDropped && string(rec.Journal.WriterUID) == "0"
}

// suppressed reads how many entries of whom journald did not take.
func suppressed(rec *oomdoc.Record) JournalGap {
	text, _ := bytes.CutPrefix(rec.Text, []byte(suppressedAnchor))
	count, unit, _ := bytes.Cut(text, []byte(" messages from "))
	n, err := strconv.ParseUint(string(count), 10, 32)
	return JournalGap{Lost: n, Exact: err == nil, Reason: "journald's rate limit of " + clean(string(unit), maxName)}
}
