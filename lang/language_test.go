package lang_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

func TestTextOfEveryKindOfValue(t *testing.T) {
	l := english(t)
	for _, test := range []struct {
		name string
		s    oomdoc.Sentence
		want string
	}{
		{"a number with its word, one", count(1), "1 byte"},
		{"a number with its word, many", count(12000), "12,000 bytes"},
		{"a word of the catalogue", command(oomdoc.Word("age.just-now")), "just now"},
		{"a word that nobody knows", command(oomdoc.Word("no.such")), "[no.such]"},
		{"a word cannot call itself without end", command(oomdoc.Word("command")), "{command?}"},
		{"a size", command(oomdoc.Bytes(8 << 30)), "8.0 GiB"},
		{"a plain number is not grouped", command(oomdoc.Count(3804874)), "3804874"},
		{"a share", command(oomdoc.Percent(50)), "50%"},
		{"a name stays as it came", command(oomdoc.Text("a {b} \x1b[1m")), "a {b} \x1b[1m"},
		{"a kind that nobody knows", command(oomdoc.Value{Kind: "x"}), "[x?]"},
		{"a fact that is not there", oomdoc.Say("command", nil), "{command?}"},
		{"a sentence without key", oomdoc.Sentence{Text: "as it was"}, "as it was"},
		{"nothing", oomdoc.Sentence{}, ""},
		{"a key that nobody knows", oomdoc.Say("no.such", oomdoc.Args{
			"used": oomdoc.Bytes(1 << 30), "limit": oomdoc.Bytes(2 << 30),
		}), "[no.such limit=2.0 GiB used=1.0 GiB]"},
	} {
		if got := l.Text(test.s); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func count(n int64) oomdoc.Sentence {
	return oomdoc.Say("unit.bytes", oomdoc.Args{"n": oomdoc.Count(n)})
}

func command(v oomdoc.Value) oomdoc.Sentence {
	return oomdoc.Say(oomdoc.KeyCommand, oomdoc.Args{"command": v})
}

func TestNewRefusesALanguageThatItDoesNotHave(t *testing.T) {
	_, err := lang.New("tlh")
	if got := oomdoc.ErrorCode(err); got != oomdoc.CodeUsage {
		t.Errorf("code = %v, want %v (error %v)", got, oomdoc.CodeUsage, err)
	}
	if hint := oomdoc.ErrorHint(err); !strings.Contains(hint, "en and ko") {
		t.Errorf("hint = %q, want the languages named", hint)
	}
}

func TestKoreanFallsBackToEnglishAndSaysSo(t *testing.T) {
	korean, err := lang.New("ko")
	if err != nil {
		t.Fatal(err)
	}
	missing := map[oomdoc.Key]bool{}
	for _, key := range korean.Missing() {
		missing[key] = true
	}
	s := oomdoc.Say("age.just-now", nil)
	same := korean.Text(s) == english(t).Text(s)
	if missing[s.Key] != same {
		t.Errorf("%s: missing %v, written in English %v; want both or neither", s.Key, missing[s.Key], same)
	}
	if got := english(t).Missing(); len(got) != 0 {
		t.Errorf("English lacks %v", got)
	}
}

func TestRenderWritesEverySentenceAndLeavesItsInputAlone(t *testing.T) {
	word := func() oomdoc.Sentence { return command(oomdoc.Text("said")) }
	bare := func() oomdoc.Incident {
		return oomdoc.Incident{
			Summary:      word(),
			Missing:      []oomdoc.Sentence{word()},
			VictimReason: word(),
			Evidence:     []oomdoc.Evidence{{Sentence: word(), Record: "line"}},
			Fixes:        []oomdoc.Fix{{Title: word(), Why: word(), Steps: []oomdoc.Sentence{word(), word()}}},
		}
	}
	inc := bare()
	rendered := english(t).Render(inc)
	if diff := cmp.Diff(bare(), inc); diff != "" {
		t.Errorf("Render changed its input (-want +got):\n%s", diff)
	}
	text, err := json.Marshal(rendered)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(string(text), `"said"`), 8; got != want || strings.Contains(string(text), `"key"`) {
		t.Errorf("%d of %d sentences are rendered: %s", got, want, text)
	}
	if got := english(t).Render(oomdoc.Incident{}).VictimReason; !got.IsZero() {
		t.Errorf("a sentence that was never set became %+v", got)
	}
}

func TestPickFollowsGettext(t *testing.T) {
	for _, test := range []struct {
		environment map[string]string
		want        string
	}{
		{nil, "en"},
		{map[string]string{"LANG": "ko_KR.UTF-8"}, "ko"},
		{map[string]string{"LANG": "ko"}, "ko"},
		{map[string]string{"LANG": "de_DE.UTF-8"}, "en"},
		{map[string]string{"LANG": "ko_KR.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"},
		{map[string]string{"LC_ALL": "ko_KR@x", "LC_MESSAGES": "en_US.UTF-8"}, "ko"},
		{map[string]string{"LC_ALL": "", "LANG": "ko_KR"}, "ko"},
		{map[string]string{"LANG": "en_US.UTF-8", "LANGUAGE": "de:ko:en"}, "ko"},
		{map[string]string{"LANG": "de_DE.UTF-8", "LANGUAGE": "fr"}, "en"},
		{map[string]string{"LC_ALL": "C.UTF-8", "LANGUAGE": "ko"}, "en"},
		{map[string]string{"LANG": "POSIX", "LANGUAGE": "ko"}, "en"},
		{map[string]string{"LANGUAGE": "ko"}, "en"},
	} {
		if got := lang.Pick(test.environment); got != test.want {
			t.Errorf("Pick(%v) = %q, want %q", test.environment, got, test.want)
		}
	}
}

func BenchmarkNewAndOneSentence(b *testing.B) {
	for b.Loop() {
		language, err := lang.New("en")
		if err != nil {
			b.Fatal(err)
		}
		if language.Bytes(8<<30) != "8.0 GiB" {
			b.Fatal("wrong text")
		}
	}
}
