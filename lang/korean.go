package lang

import "github.com/oomdoc/oomdoc"

// koreanParts are the parts of the Korean catalogue, as the English ones. It has
// every key; the words are those that its users write (강제 종료, 시스템 RAM,
// 메모리 제한). What comes from outside stands before a noun of ours ("{name}
// 프로세스가"), so that no particle depends on how a name ends; a size ends in a
// vowel ("GiB를").
func koreanParts() []map[oomdoc.Key]string {
	return []map[oomdoc.Key]string{
		koreanCommon(),
		koreanView(),
		koreanClassify(),
		koreanKillers(),
		koreanPrograms(),
		koreanPlaybook(),
		koreanProgramFixes(),
		koreanCmd(),
		koreanDaemon(),
		koreanSystemd(),
	}
}

func koreanCatalogue() map[oomdoc.Key]string { return merge(koreanParts()) }
