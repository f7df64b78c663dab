package lang

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oomdoc/oomdoc"
)

// A use is a place in the source that names a key.
type use struct {
	key oomdoc.Key
	at  string
}

// keyUses finds every constant key that the source says, and every key that is
// put together at run time, which no test could hold against a catalogue.
// Declarations of constants are no use, nor are the catalogues themselves.
func keyUses(s *source) (constant []use, built []string) {
	for importPath, c := range s.packages {
		mayConvert := importPath == module || importPath == module+"/lang"
		for _, file := range c.files {
			ast.Inspect(file, func(node ast.Node) bool {
				switch n := node.(type) {
				case *ast.GenDecl:
					return n.Tok != token.CONST
				case *ast.CompositeLit:
					return importPath != module+"/lang" || !isCatalogue(c, n)
				case ast.Expr:
					if !c.isKey(n) {
						return true
					}
					if key, is := c.constant(n); is {
						constant = append(constant, use{oomdoc.Key(key), s.fset.Position(n.Pos()).String()})
						return false
					}
					if isBuilt(n) && !mayConvert {
						built = append(built, s.fset.Position(n.Pos()).String())
					}
				}
				return true
			})
		}
	}
	return constant, built
}

// isCatalogue tells a map from keys to templates.
func isCatalogue(c *checked, literal *ast.CompositeLit) bool {
	is, ok := literal.Type.(*ast.MapType)
	if !ok {
		return false
	}
	value, ok := is.Value.(*ast.Ident)
	return ok && value.Name == "string" && isOurs(c.info.TypeOf(is.Key), "Key")
}

// isBuilt tells a conversion or a concatenation, as against a variable or a
// function's answer.
func isBuilt(e ast.Expr) bool {
	switch n := e.(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.CallExpr:
		selector, is := n.Fun.(*ast.SelectorExpr)
		return is && selector.Sel.Name == "Key"
	}
	return false
}

func TestEveryKeyOfTheSourceIsInTheEnglishCatalogue(t *testing.T) {
	uses, built := keyUses(readSource(t))
	catalogue := englishCatalogue()
	if len(uses) == 0 {
		t.Fatal("found no key in the source")
	}
	for _, u := range uses {
		if _, has := catalogue[u.key]; !has && u.key != "" {
			t.Errorf("%s: no template for %q", u.at, u.key)
		}
	}
	for _, at := range built {
		t.Errorf("%s: a key put together at run time; name each in a table", at)
	}
}

func TestEveryKeyOfACatalogueIsUsed(t *testing.T) {
	uses, _ := keyUses(readSource(t))
	used := map[oomdoc.Key]bool{}
	for _, u := range uses {
		used[u.key] = true
	}
	for key := range englishCatalogue() {
		if !used[key] {
			t.Errorf("nothing says %q", key)
		}
	}
	for key := range koreanCatalogue() {
		if !used[key] {
			t.Errorf("nothing says %q (Korean)", key)
		}
	}
}

func TestNoKeyStandsInTwoParts(t *testing.T) {
	for tag, parts := range map[string][]map[oomdoc.Key]string{English: englishParts(), Korean: koreanParts()} {
		seen := map[oomdoc.Key]bool{}
		for _, part := range parts {
			for key := range part {
				if seen[key] {
					t.Errorf("%s: %q stands in two parts of the catalogue", tag, key)
				}
				seen[key] = true
			}
		}
	}
}

// TestNoTranslationIsMissing holds the Korean catalogue against the English: each
// key, and in each sentence the same facts. A sentence whose English has words is
// written in Hangul.
func TestNoTranslationIsMissing(t *testing.T) {
	korean := koreanCatalogue()
	letters := regexp.MustCompile(`\pL`)
	for key, template := range englishCatalogue() {
		translated, has := korean[key]
		if !has {
			t.Errorf("%s has no Korean", key)
			continue
		}
		want, got := names(template), names(translated)
		slices.Sort(want)
		slices.Sort(got)
		if want, got = slices.Compact(want), slices.Compact(got); !slices.Equal(want, got) {
			t.Errorf("%s: the facts %q are %q in Korean", key, want, got)
		}
		words := ""
		for p := range pieces(template) {
			words += p.words
		}
		if translated == template && letters.MatchString(words) && !slices.Contains(sameInKorean(), key) {
			t.Errorf("%s is not translated: %q", key, template)
		}
	}
}

// sameInKorean are written as in English: names and units.
func sameInKorean() []oomdoc.Key {
	return []oomdoc.Key{
		"view.pid", "view.uid", "view.pod-uid", "view.qos", "view.order", "view.victim", "view.victim-rss", "view.label.gpu", "view.list.id",
		"view.owner.cgroup",
	}
}

func TestEveryTemplateIsWellFormed(t *testing.T) {
	for tag, catalogue := range map[string]map[oomdoc.Key]string{English: englishCatalogue(), Korean: koreanCatalogue()} {
		for key, template := range catalogue {
			if !keyPattern.MatchString(string(key)) {
				t.Errorf("%s: key %q is not lower-case words with dots and hyphens", tag, key)
			}
			for _, fault := range faults(template, formsOf(tag)) {
				t.Errorf("%s: %s: %s in %q", tag, key, fault, template)
			}
		}
	}
}

var (
	keyPattern  = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`)
	namePattern = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
)

// formsOf is how many forms a counted word has in a language.
func formsOf(tag string) int {
	if tag == Korean {
		return 1
	}
	return 2
}

// faults lists what is wrong with a template.
func faults(template string, forms int) (found []string) {
	if template == "" || strings.TrimRight(template, " \n") != template {
		found = append(found, "nothing at its end")
	}
	braces := strings.Contains(template, "{{")
	for p := range pieces(template) {
		switch {
		case p.name == "" && p.words == "":
			found = append(found, "a fact without name")
		case p.name == "" && p.words != "{" && strings.ContainsRune(p.words, '{'):
			found = append(found, "a brace that is not closed")
		case p.name == "" && strings.ContainsRune(p.words, '}') && !braces:
			found = append(found, "a brace that was not opened")
		case p.name != "" && !namePattern.MatchString(p.name):
			found = append(found, "the name "+p.name)
		case len(p.forms) != 0 && (len(p.forms) != forms || slices.Contains(p.forms, "")):
			found = append(found, "not one word for each form")
		}
	}
	return found
}

func TestFaultsFindsEachKindOfFault(t *testing.T) {
	for template, want := range map[string]int{
		"plain": 0, "{a} and {b|one|many}": 0, "{{x}": 0,
		"": 1, "a ": 1, "a\n": 1, "{}": 1, "{a": 1, "a}": 1, "{A b}": 1, "{a|one}": 1, "{a|one|}": 1, "{a|b|c|d}": 1,
	} {
		if got := faults(template, 2); len(got) != want {
			t.Errorf("faults(%q) = %q, want %d", template, got, want)
		}
	}
}

// TestEverySentenceIsGivenTheFactsOfItsTemplate looks at each call that has a
// constant key beside a literal of facts.
func TestEverySentenceIsGivenTheFactsOfItsTemplate(t *testing.T) {
	s := readSource(t)
	catalogue := englishCatalogue()
	looked := 0
	for _, c := range s.packages {
		for _, file := range c.files {
			ast.Inspect(file, func(node ast.Node) bool {
				call, is := node.(*ast.CallExpr)
				if !is {
					return true
				}
				key, given, is := sentence(c, call)
				if !is {
					return true
				}
				looked++
				for _, name := range names(catalogue[key]) {
					if !slices.Contains(given, name) {
						t.Errorf("%s: %s needs {%s}", s.fset.Position(call.Pos()), key, name)
					}
				}
				return true
			})
		}
	}
	if looked == 0 {
		t.Error("found no sentence in the source")
	}
}

// sentence takes a call apart that says a constant key with a literal of facts,
// with nil, or as a word, which has no facts.
func sentence(c *checked, call *ast.CallExpr) (key oomdoc.Key, given []string, is bool) {
	for i, argument := range call.Args {
		text, constant := c.constant(argument)
		if !constant || !c.isKey(argument) {
			continue
		}
		if c.calls(call, "Word") {
			return oomdoc.Key(text), nil, true
		}
		if i+1 == len(call.Args) {
			return "", nil, false
		}
		given, is := factNames(c, call.Args[i+1])
		return oomdoc.Key(text), given, is
	}
	return "", nil, false
}

// factNames lists the names in a literal of oomdoc.Args; nil has none.
func factNames(c *checked, e ast.Expr) (given []string, is bool) {
	if name, ok := e.(*ast.Ident); ok && name.Name == "nil" {
		return nil, true
	}
	literal, ok := e.(*ast.CompositeLit)
	if !ok || !isOurs(c.info.TypeOf(literal), "Args") {
		return nil, false
	}
	for _, element := range literal.Elts {
		pair, ok := element.(*ast.KeyValueExpr)
		if !ok {
			return nil, false
		}
		name, constant := c.constant(pair.Key)
		if !constant {
			return nil, false
		}
		given = append(given, name)
	}
	return given, true
}

// names lists the facts of a template.
func names(template string) (all []string) {
	for p := range pieces(template) {
		if p.name != "" {
			all = append(all, p.name)
		}
	}
	return all
}

// TestNoProseOutsideTheCatalogues finds words of ours that are handed on as a
// name from outside, which no language could translate.
func TestNoProseOutsideTheCatalogues(t *testing.T) {
	s := readSource(t)
	prose := regexp.MustCompile(`\pL \pL`)
	for importPath, c := range s.packages {
		if importPath == module+"/lang" {
			continue
		}
		for _, file := range c.files {
			ast.Inspect(file, func(node ast.Node) bool {
				call, is := node.(*ast.CallExpr)
				if !is || !c.calls(call, "Text") || len(call.Args) != 1 {
					return true
				}
				ast.Inspect(call.Args[0], func(part ast.Node) bool {
					literal, is := part.(*ast.BasicLit)
					if is && prose.MatchString(literal.Value) {
						t.Errorf("%s: prose in %s; a sentence has a key, a command is oomdoc.Command",
							s.fset.Position(literal.Pos()), literal.Value)
					}
					return true
				})
				return true
			})
		}
	}
}

// TestKoreanLeavesNoParticleOpen: "이(가)" is how a form letter writes.
func TestKoreanLeavesNoParticleOpen(t *testing.T) {
	open := regexp.MustCompile(`이\(가\)|은\(는\)|을\(를\)|와\(과\)|\(으\)로`)
	for key, template := range koreanCatalogue() {
		if found := open.FindString(template); found != "" {
			t.Errorf("%s: %s in %q", key, found, template)
		}
	}
}
