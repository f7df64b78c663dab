package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/view"
)

// The words of every help page.
const (
	keyHelpUsage       oomdoc.Key = "help.usage"
	keyHelpExamples    oomdoc.Key = "help.examples"
	keyHelpCommands    oomdoc.Key = "help.commands"
	keyHelpOptions     oomdoc.Key = "help.options"
	keyHelpGlobal      oomdoc.Key = "help.global-options"
	keyHelpSomeOptions oomdoc.Key = "help.some-options"
	keyHelpSomeCommand oomdoc.Key = "help.some-command"
	keyHelpDefault     oomdoc.Key = "help.default"
	keyHelpMore        oomdoc.Key = "help.more"
	keyHelpLast        oomdoc.Key = "help.example.last"
	keyHelpExplain     oomdoc.Key = "help.example.explain"
)

// describe writes the texts of all commands and options in a language. The
// commands themselves have none: lang finds them by their names.
func describe(root *cobra.Command, l *lang.Language) {
	root.Example = fmt.Sprintf("  %-30s %s\n  %-30s %s",
		"oomdoc last", l.Text(oomdoc.Say(keyHelpLast, nil)), "dmesg | oomdoc explain -", l.Text(oomdoc.Say(keyHelpExplain, nil)))
	for _, c := range append(root.Commands(), root) {
		if c.Hidden {
			continue
		}
		c.InitDefaultHelpFlag()
		name := "command." + c.Name()
		c.Short, c.Long = l.Help(name+".short", nil), l.Help(name+".long", nil)
		c.LocalFlags().VisitAll(func(flag *pflag.Flag) { flag.Usage = optionUsage(l, c, flag.Name) })
	}
}

// optionUsage is the text of an option: the command's own, or that of all
// commands with an option of this name.
func optionUsage(l *lang.Language, c *cobra.Command, option string) string {
	if own := l.Help("command."+c.Name()+".option."+option, nil); own != "" {
		return own
	}
	return l.Help("option."+option, oomdoc.Args{
		"command":  oomdoc.Text(c.Name()),
		"database": oomdoc.Text(daemon.DefaultDatabase),
		"config":   oomdoc.Text(daemon.DefaultConfigPath),
	})
}

// helpCommand is `oomdoc help`, in place of cobra's own, which is English.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err == nil {
				err = unknownCommand(c.Root(), rest)
			}
			if err != nil {
				return usage(c.Root(), err)
			}
			a.help(about, nil)
			return nil
		},
	}
}

// help prints the help page of a command. --lang is known only now.
func (a *app) help(c *cobra.Command, _ []string) {
	l, err := a.language()
	if err != nil {
		a.report(err)
		return
	}
	describe(c.Root(), l)
	p := helpPage{app: a, l: l}
	if text := c.Long; text != "" {
		p.paragraphs(text)
	} else {
		p.paragraphs(c.Short)
	}
	p.usage(c)
	p.commands(c)
	p.options(keyHelpOptions, c.LocalFlags())
	p.options(keyHelpGlobal, c.InheritedFlags())
	if c.HasAvailableSubCommands() {
		fmt.Fprintln(a.Out)
		p.paragraphs(p.say(keyHelpMore, oomdoc.Args{"command": oomdoc.Text(c.CommandPath())}))
	}
}

// A helpPage is the help of one command being printed.
type helpPage struct {
	app *app
	l   *lang.Language
}

func (p helpPage) say(key oomdoc.Key, args oomdoc.Args) string {
	return p.l.Text(oomdoc.Say(key, args))
}

func (p helpPage) line(text string) { fmt.Fprintln(p.app.Out, text) }

func (p helpPage) heading(key oomdoc.Key) {
	p.line("")
	p.line(p.say(key, nil))
}

// paragraphs writes a text of a paragraph a line.
func (p helpPage) paragraphs(text string) {
	for paragraph := range strings.SplitSeq(text, "\n") {
		for _, line := range view.Wrap(paragraph, p.app.width()) {
			p.line(line)
		}
	}
}

// usage writes how the command is typed, and examples.
func (p helpPage) usage(c *cobra.Command) {
	p.heading(keyHelpUsage)
	line := strings.Replace(c.UseLine(), "[flags]", p.say(keyHelpSomeOptions, nil), 1)
	p.line("  " + line)
	if c.HasAvailableSubCommands() {
		p.line("  " + c.CommandPath() + " " + p.say(keyHelpSomeCommand, nil))
	}
	if c.HasExample() {
		p.heading(keyHelpExamples)
		p.line(c.Example)
	}
}

func (p helpPage) commands(c *cobra.Command) {
	var rows [][2]string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			rows = append(rows, [2]string{"  " + sub.Name(), sub.Short})
		}
	}
	p.table(keyHelpCommands, rows)
}

func (p helpPage) options(heading oomdoc.Key, flags *pflag.FlagSet) {
	var rows [][2]string
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden {
			return
		}
		name := "      --" + flag.Name
		if flag.Shorthand != "" {
			name = "  -" + flag.Shorthand + ", --" + flag.Name
		}
		value, usage := pflag.UnquoteUsage(flag)
		if value != "" {
			name += " " + value
		}
		if flag.DefValue != "" && flag.DefValue != "false" {
			usage = p.say(keyHelpDefault, oomdoc.Args{"usage": oomdoc.Text(usage), "value": oomdoc.Text(flag.DefValue)})
		}
		rows = append(rows, [2]string{name, usage})
	})
	p.table(heading, rows)
}

// table writes names and what they mean, in two columns. Names are ASCII.
func (p helpPage) table(heading oomdoc.Key, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	p.heading(heading)
	width := 0
	for _, row := range rows {
		width = max(width, len(row[0]))
	}
	for _, row := range rows {
		name := row[0]
		for _, text := range view.Wrap(row[1], p.app.width()-width-3) {
			p.line(fmt.Sprintf("%-*s   %s", width, name, text))
			name = ""
		}
	}
}
