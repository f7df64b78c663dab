package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
	"github.com/oomdoc/oomdoc/lang"
	"github.com/oomdoc/oomdoc/store"
)

// An app is what the subcommands share: streams, environment, global flags.
type app struct {
	Streams
	environ map[string]string
	raw     []string

	database   string
	configPath string
	output     string
	color      string
	tag        string // of the language that was asked for

	now func() time.Time
}

func newApp(streams Streams, environ []string) *app {
	a := &app{Streams: streams, raw: environ, environ: make(map[string]string), now: time.Now}
	for _, entry := range environ {
		if name, value, found := strings.Cut(entry, "="); found {
			a.environ[name] = value
		}
	}
	return a
}

// command builds the command tree: a file per subcommand.
func (a *app) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "oomdoc",
		Args:          cobra.NoArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(c *cobra.Command, _ []string) error { return a.overview(c) },
	}
	root.SuggestionsMinimumDistance = 2
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage(c, err) })

	flags := root.PersistentFlags()
	flags.StringVar(&a.database, "db", "", "")
	flags.StringVar(&a.configPath, "config", "", "")
	flags.StringVarP(&a.output, "output", "o", "text", "")
	flags.StringVar(&a.color, "color", "auto", "")
	flags.Func("lang", "", a.setLanguage)

	root.AddCommand(
		a.lastCommand(), a.listCommand(), a.showCommand(), a.explainCommand(), a.runCommand(), a.statusCommand(),
		a.selftestCommand(), a.daemonCommand(), a.helperCommand(), a.purgeCommand(), a.importCommand(), a.versionCommand(), a.hogCommand(), a.leaderCommand(), a.nvmlWorkerCommand(),
	)
	for _, sub := range root.Commands() {
		if sub.Args != nil {
			sub.Args = usageArgs(sub.Args)
		}
	}
	root.Args = usageArgs(unknownCommand)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) error { return a.checkFlags(c) }
	root.SetHelpFunc(a.help)
	help := a.helpCommand()
	root.SetHelpCommand(help)
	root.AddCommand(help)
	if language, err := a.language(); err == nil { // for the shell's completions; help itself knows --lang
		describe(root, language)
	}
	return root
}

// unknownCommand is cobra's own check of the root's arguments, with its
// suggestions.
func unknownCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q", args[0])
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %s?", strings.Join(near, " or "))
	}
	return errors.New(text)
}

func usage(c *cobra.Command, err error) error {
	return &oomdoc.Error{Code: oomdoc.CodeUsage, Err: err, Hint: c.CommandPath() + " --help"}
}

func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usage(c, err)
		}
		return nil
	}
}

func (a *app) checkFlags(c *cobra.Command) error {
	if a.output != "text" && a.output != "json" {
		return usage(c, fmt.Errorf("unknown output %q: want text or json", a.output))
	}
	if a.color != "auto" && a.color != "always" && a.color != "never" {
		return usage(c, fmt.Errorf("unknown colour %q: want auto, always or never", a.color))
	}
	return nil
}

func (a *app) json() bool { return a.output == "json" }

// config reads the configuration; --db wins over everything.
func (a *app) config() (daemon.Config, error) {
	path, required := a.configPath, a.configPath != ""
	if !required {
		if path = a.environ["OOMDOC_CONFIG"]; path != "" {
			required = true
		} else {
			path = daemon.DefaultConfigPath
		}
	}
	config, err := daemon.LoadConfig(path, required, a.raw)
	if err == nil && a.database != "" {
		config.Store.Path = a.database
	}
	return config, err
}

// databasePath finds the database to read: the one that was asked for, else
// that of a daemon that runs here, else the packaged one.
func (a *app) databasePath() (string, error) {
	config, err := a.config()
	if err != nil {
		return "", err
	}
	if config.Store.Path != daemon.DefaultDatabase {
		return config.Store.Path, nil
	}
	if running, ok := daemon.FindRunning(a.runDir()); ok {
		return running.Database, nil
	}
	return config.Store.Path, nil
}

// runDir is where a daemon announces itself.
func (a *app) runDir() string {
	if dir := a.environ["OOMDOC_RUN_DIR"]; dir != "" {
		return dir
	}
	return daemon.DefaultRunDir
}

func (a *app) openReader() (*store.Reader, error) {
	path, err := a.databasePath()
	if err != nil {
		return nil, err
	}
	reader, err := store.OpenReader(path)
	if err != nil && oomdoc.ErrorCode(err) == oomdoc.CodeNotPermitted && os.Geteuid() != 0 {
		if self, e := filepath.Abs(os.Args[0]); e == nil && filepath.Dir(self) != "/usr/bin" {
			// A build in a work tree is not on root's path.
			return nil, &oomdoc.Error{Code: oomdoc.CodeNotPermitted, Op: "open database", Path: path, Err: os.ErrPermission,
				Hint: "sudo " + os.Args[0] + " " + strings.Join(os.Args[1:], " ")}
		}
	}
	return reader, err
}

// language is the one asked for, else that of the user's locale.
func (a *app) language() (*lang.Language, error) {
	if a.tag != "" {
		return lang.New(a.tag)
	}
	return lang.New(lang.Pick(a.environ))
}

// setLanguage is --lang.
func (a *app) setLanguage(tag string) error {
	_, err := lang.New(tag)
	if err == nil {
		a.tag = tag
	}
	return err
}

// width is the terminal's, COLUMNS, or 80; never so wide that lines become
// hard to read.
func (a *app) width() int {
	const narrow, normal, wide = 40, 80, 100
	if n, err := strconv.Atoi(a.environ["COLUMNS"]); err == nil && n > 0 {
		return min(max(n, narrow), wide)
	}
	if size, err := unix.IoctlGetWinsize(int(a.Out.Fd()), unix.TIOCGWINSZ); err == nil && size.Col > 0 {
		return min(max(int(size.Col), narrow), wide)
	}
	return normal
}

// colored tells whether the output may hold colour.
func (a *app) colored() bool { return a.coloredOn(a.Out) }

func (a *app) coloredOn(f *os.File) bool {
	switch {
	case a.color == "always":
		return true
	case a.color == "never", a.environ["NO_COLOR"] != "", a.environ["TERM"] == "dumb":
		return false
	}
	return isTerminal(f)
}

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
