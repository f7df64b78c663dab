package lang

import "github.com/oomdoc/oomdoc"

// koreanParts are the parts of the Korean catalogue, as the English ones. It has
// every key; the words are those that its users write (강제 종료, 램, 메모리 제한).
// A name or a number that a particle follows asks for it ("{name:이/가}"); a size
// always ends in a vowel ("{size}를").
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
		koreanHelp(),
		koreanDaemon(),
		koreanSystemd(),
	}
}

func koreanCatalogue() map[oomdoc.Key]string { return merge(koreanParts()) }
