package kmsg

import (
	"strings"

	"github.com/oomdoc/oomdoc"
)

// mendPageTables corrects the kill line of 5.4.0 to 5.4.11, which prints the
// page tables in bytes and says kB (mm/oom_kill.c; mended in 5.4.12). A
// distribution's "5.4.0-42-generic" can be any 5.4, and a kill line that stands
// alone has no version: then the number itself decides.
func mendPageTables(kill *oomdoc.Kill, version string) {
	if kill.PageTables == nil {
		return
	}
	rest, is54 := strings.CutPrefix(version, "5.4.")
	if version != "" && !is54 {
		return
	}
	patch, _, _ := number([]byte(rest))
	if is54 && patch >= 1 && patch <= 11 || patch == 0 && areBytes(kill) {
		kill.PageTables = new(*kill.PageTables / 1024)
	}
}

// areBytes tells a number of page tables that is too large to be kB: one page
// of them maps 512, so they take a 512th of the address space and a little for
// the upper levels. Eight times that is out of reach.
func areBytes(kill *oomdoc.Kill) bool {
	const upperLevels = 512 << 10
	return kill.TotalVM != nil && *kill.PageTables > *kill.TotalVM/64+upperLevels
}
