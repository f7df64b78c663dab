package lang

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/oomdoc/oomdoc"
)

// The tags of the languages, as BCP 47 writes them.
const (
	English = "en"
	Korean  = "ko"
)

// A Language writes sentences. It is not changed after New or In, so any
// number of goroutines may use it.
type Language struct {
	tag      string
	own      map[oomdoc.Key]string // its own catalogue; may lack keys
	fallback map[oomdoc.Key]string // English, which has every key
	location *time.Location
}

// New gives the language of a tag ("en", "ko"; "" is English). It fails with an
// *oomdoc.Error for any other tag. Times are written in the local zone, see In.
func New(tag string) (*Language, error) {
	if tag == "" {
		tag = English
	}
	catalogues := map[string]func() map[oomdoc.Key]string{
		English: englishCatalogue,
		Korean:  koreanCatalogue,
	}
	own, known := catalogues[tag]
	if !known {
		return nil, &oomdoc.Error{
			Code: oomdoc.CodeUsage,
			Op:   "choose language",
			Path: tag,
			Err:  errors.New("no such language"),
			Hint: "the languages are " + strings.Join(slices.Sorted(maps.Keys(catalogues)), " and "),
		}
	}
	language := &Language{tag: tag, own: own(), location: time.Local}
	if language.fallback = language.own; tag != English {
		language.fallback = englishCatalogue()
	}
	return language, nil
}

// In gives the same language with times written in that zone.
func (l *Language) In(location *time.Location) *Language {
	moved := *l
	moved.location = location
	return &moved
}

// Tag is the tag of the language, "en" or "ko".
func (l *Language) Tag() string { return l.tag }

// Missing lists, sorted, the keys that this language does not have and writes
// in English instead.
func (l *Language) Missing() []oomdoc.Key {
	var missing []oomdoc.Key
	for key := range l.fallback {
		if _, has := l.own[key]; !has {
			missing = append(missing, key)
		}
	}
	slices.Sort(missing)
	return missing
}

// Text writes a sentence. A sentence without a key keeps the text that it has.
// A key that no catalogue knows is written as itself with its facts: a fault of
// ours must not hide the numbers.
//
// Names from outside stand in the text as they came; the edge where it leaves
// (terminal, HTML) escapes them.
func (l *Language) Text(s oomdoc.Sentence) string {
	if s.Key == "" {
		return s.Text
	}
	template, known := l.template(s.Key)
	if !known {
		return l.unknown(s)
	}
	return l.fill(template, s.Args)
}

// template finds a key in the language, or else in English.
func (l *Language) template(key oomdoc.Key) (string, bool) {
	if template, has := l.own[key]; has {
		return template, true
	}
	template, has := l.fallback[key]
	return template, has
}

// unknown writes a sentence that has no template: "[some.key limit=8.0 GiB]".
func (l *Language) unknown(s oomdoc.Sentence) string {
	var text strings.Builder
	text.WriteString("[" + string(s.Key))
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		text.WriteString(" " + name + "=" + l.value(s.Args[name]))
	}
	text.WriteString("]")
	return text.String()
}

// say writes a sentence of lang's own.
func (l *Language) say(key oomdoc.Key, args oomdoc.Args) string {
	return l.Text(oomdoc.Say(key, args))
}
