package lang

import (
	"slices"

	"github.com/oomdoc/oomdoc"
)

// Render gives a copy of an incident with the text of every sentence written.
// The incident that it is given is not touched.
func (l *Language) Render(inc oomdoc.Incident) oomdoc.Incident {
	inc.Summary = l.rendered(inc.Summary)
	inc.VictimReason = l.rendered(inc.VictimReason)
	inc.Missing = l.all(inc.Missing)
	inc.Evidence = slices.Clone(inc.Evidence)
	for i := range inc.Evidence {
		inc.Evidence[i].Sentence = l.rendered(inc.Evidence[i].Sentence)
	}
	inc.Fixes = slices.Clone(inc.Fixes)
	for i := range inc.Fixes {
		fix := &inc.Fixes[i]
		fix.Title = l.rendered(fix.Title)
		fix.Why = l.rendered(fix.Why)
		fix.Steps = l.all(fix.Steps)
	}
	return inc
}

func (l *Language) rendered(s oomdoc.Sentence) oomdoc.Sentence {
	s.Text = l.Text(s)
	return s
}

func (l *Language) all(sentences []oomdoc.Sentence) []oomdoc.Sentence {
	sentences = slices.Clone(sentences)
	for i := range sentences {
		sentences[i] = l.rendered(sentences[i])
	}
	return sentences
}
