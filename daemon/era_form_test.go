package daemon_test

import (
	"fmt"
	"strings"
)

// kmsgForm writes texts as a read of /dev/kmsg gives them.
func kmsgForm(texts []string) []byte { return kmsgFrom(1000, texts) }

func kmsgFrom(seq int, texts []string) []byte {
	var log strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&log, "4,%d,%d,-;", seq+i, 7_000_000+40*(seq+i))
		for _, c := range []byte(text) {
			if c < 0x20 || c >= 0x7f || c == '\\' {
				fmt.Fprintf(&log, `\x%02x`, c)
			} else {
				log.WriteByte(c)
			}
		}
		log.WriteByte('\n')
	}
	return []byte(log.String())
}
