package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/oomdoc/oomdoc/lang"
)

// Every command and option has a text in every language, and every text is of a
// command or option.
func TestHelpIsWholeInEveryLanguage(t *testing.T) {
	root := newApp(Streams{}, nil).command()
	commands := append(root.Commands(), root)
	for _, tag := range []string{lang.English, lang.Korean} {
		language, err := lang.New(tag)
		if err != nil {
			t.Fatal(err)
		}
		describe(root, language)
		for _, c := range commands {
			if c.Hidden {
				continue
			}
			if c.Short == "" || c.Long == "" && c.Name() != "version" && c.Name() != "help" {
				t.Errorf("%s: command.%s.short and .long are to be in lang", tag, c.Name())
			}
			c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
				if flag.Usage == "" {
					t.Errorf("%s: option.%s or command.%s.option.%s is to be in lang", tag, flag.Name, c.Name(), flag.Name)
				}
			})
			if tag == lang.Korean && !hangul.MatchString(c.Short) {
				t.Errorf("the Korean help of %s is %q", c.Name(), c.Short)
			}
		}
	}
	known := helpNames(commands)
	for _, file := range []string{"../../lang/en_help.go", "../../lang/ko_help.go"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		keys := helpKey.FindAllStringSubmatch(string(text), -1)
		if len(keys) < 40 {
			t.Fatalf("%s: found %d keys", file, len(keys))
		}
		for _, key := range keys {
			if !known[key[1]] {
				t.Errorf("%s: %s is of no command or option", file, key[1])
			}
		}
	}
}

var (
	hangul  = regexp.MustCompile(`\p{Hangul}`)
	helpKey = regexp.MustCompile(`"((?:command|option)\.[a-z.-]+)":`)
)

// helpNames are the names that a text of the help may have.
func helpNames(commands []*cobra.Command) map[string]bool {
	names := make(map[string]bool)
	for _, c := range commands {
		if c.Hidden {
			continue
		}
		own := "command." + c.Name()
		names[own+".short"], names[own+".long"] = true, true
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			names["option."+flag.Name], names[own+".option."+flag.Name] = true, true
		})
	}
	return names
}
