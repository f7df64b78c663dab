package playbook

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// processName is a process's name for a sentence; a name may be empty or blank,
// and bytes that are not UTF-8 are replaced.
func processName(comm string) oomdoc.Value {
	if strings.TrimSpace(comm) == "" {
		return oomdoc.Word(keyNoName)
	}
	return oomdoc.Text(strings.ToValidUTF8(comm, "\uFFFD"))
}
