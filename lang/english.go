package lang

import "github.com/oomdoc/oomdoc"

// englishParts are the parts of the English catalogue, one per file.
func englishParts() []map[oomdoc.Key]string {
	return []map[oomdoc.Key]string{
		englishCommon(),
		englishView(),
		englishClassify(),
		englishKillers(),
		englishPrograms(),
		englishPlaybook(),
		englishProgramFixes(),
		englishCmd(),
		englishDaemon(),
		englishSystemd(),
	}
}

func englishCatalogue() map[oomdoc.Key]string { return merge(englishParts()) }

// merge joins the parts of a catalogue. That no key stands in two of them is
// tested.
func merge(parts []map[oomdoc.Key]string) map[oomdoc.Key]string {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	all := make(map[oomdoc.Key]string, size)
	for _, part := range parts {
		for key, template := range part {
			all[key] = template
		}
	}
	return all
}
