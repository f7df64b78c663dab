package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/kmsg"
)

// The places that a packaged oomdoc uses.
const (
	DefaultConfigPath = "/etc/oomdoc/oomdoc.toml"
	DefaultDatabase   = "/var/lib/oomdoc/oomdoc.db"
	DefaultRunDir     = "/run/oomdoc"
)

// A Config is everything that can be set. Its zero value is not usable: start
// from DefaultConfig.
type Config struct {
	Store   StoreConfig   `toml:"store"`
	Kmsg    KmsgConfig    `toml:"kmsg"`
	Journal JournalConfig `toml:"journal"`
	Alert   AlertConfig   `toml:"alert"`
	Process ProcessConfig `toml:"process"`
}

// StoreConfig says where incidents are kept and how long.
type StoreConfig struct {
	Path string `toml:"path"`
	// RawDays and RawSize bound the raw records, the lower bound counts.
	RawDays int  `toml:"raw_days"`
	RawSize Size `toml:"raw_size"`
	// IncidentDays is how long the incidents themselves stay.
	IncidentDays int `toml:"incident_days"`
}

// KmsgConfig says how the kernel log is read.
type KmsgConfig struct {
	Path   string          `toml:"path"`
	Reader kmsg.ReaderKind `toml:"reader"`
	// QueueSize bounds what waits between the reader and the parser.
	QueueSize Size `toml:"queue_size"`
}

// JournalConfig says how the journal is read.
type JournalConfig struct {
	Enabled bool `toml:"enabled"`
	// Directory holds the journal files; empty: the machine's own journal.
	Directory string `toml:"directory"`
	// Command is the journalctl that reads it.
	Command string `toml:"command"`
	// MarkEvery is how often the place is noted while nothing is found.
	MarkEvery Span `toml:"mark_every"`
	// History is how far back the first start looks for kernel kills; 0: not at all.
	History Span `toml:"history"`
}

// AlertConfig says when the journal is told.
type AlertConfig struct {
	Journal bool `toml:"journal"`
	// StormQuiet is the silence that ends a storm of one offender, StormLongest
	// the longest time until its summary.
	StormQuiet   Span `toml:"storm_quiet"`
	StormLongest Span `toml:"storm_longest"`
}

// ProcessConfig says how often command lines are remembered.
type ProcessConfig struct {
	Snapshot bool `toml:"snapshot"`
	Interval Span `toml:"interval"`
	Entries  int  `toml:"entries"`
}

// DefaultConfig is right for most machines.
func DefaultConfig() Config {
	return Config{
		Store: StoreConfig{Path: DefaultDatabase, RawDays: 180, RawSize: 256 << 20, IncidentDays: 730},
		Kmsg:  KmsgConfig{Path: "/dev/kmsg", Reader: kmsg.ReaderOwn, QueueSize: 4 << 20},
		Journal: JournalConfig{
			Enabled: true, Command: "journalctl", MarkEvery: Span(10 * time.Minute), History: Span(30 * 24 * time.Hour),
		},
		Alert: AlertConfig{Journal: true, StormQuiet: Span(10 * time.Second), StormLongest: Span(time.Minute)},
		Process: ProcessConfig{
			Snapshot: true, Interval: Span(10 * time.Second), Entries: 256,
		},
	}
}

// LoadConfig reads the defaults, then the file, then the environment
// (OOMDOC_STORE_PATH for store.path). An absent file is not an error unless
// required; an unknown key is.
func LoadConfig(path string, required bool, environ []string) (Config, error) {
	config := DefaultConfig()
	if err := config.readFile(path, required); err != nil {
		return Config{}, err
	}
	if err := config.readEnvironment(environ); err != nil {
		return Config{}, err
	}
	return config, config.check()
}

func (c *Config) readFile(path string, required bool) error {
	meta, err := toml.DecodeFile(path, c)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !required:
		return nil
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return &oomdoc.Error{Op: "read configuration", Err: err}
	case err != nil:
		return &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "read configuration", Path: path, Err: err,
			Hint: "correct the file, or move it away to use the defaults"}
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "read configuration", Path: path,
			Err:  fmt.Errorf("unknown key %s", unknown[0]),
			Hint: "remove the key; the known ones are " + strings.Join(settingNames(), ", ")}
	}
	return nil
}

// A setting is one key that the environment may set.
type setting struct {
	name string
	set  func(*Config, string) error
}

func settings() []setting {
	return []setting{
		{"store.path", func(c *Config, s string) error { c.Store.Path = s; return nil }},
		{"store.raw_days", func(c *Config, s string) error { return parseInt(s, &c.Store.RawDays) }},
		{"store.raw_size", func(c *Config, s string) error { return c.Store.RawSize.UnmarshalText([]byte(s)) }},
		{"store.incident_days", func(c *Config, s string) error { return parseInt(s, &c.Store.IncidentDays) }},
		{"kmsg.path", func(c *Config, s string) error { c.Kmsg.Path = s; return nil }},
		{"kmsg.reader", func(c *Config, s string) error { c.Kmsg.Reader = kmsg.ReaderKind(s); return nil }},
		{"kmsg.queue_size", func(c *Config, s string) error { return c.Kmsg.QueueSize.UnmarshalText([]byte(s)) }},
		{"journal.enabled", func(c *Config, s string) error { return parseBool(s, &c.Journal.Enabled) }},
		{"journal.directory", func(c *Config, s string) error { c.Journal.Directory = s; return nil }},
		{"journal.command", func(c *Config, s string) error { c.Journal.Command = s; return nil }},
		{"journal.mark_every", func(c *Config, s string) error { return c.Journal.MarkEvery.UnmarshalText([]byte(s)) }},
		{"journal.history", func(c *Config, s string) error { return c.Journal.History.UnmarshalText([]byte(s)) }},
		{"alert.journal", func(c *Config, s string) error { return parseBool(s, &c.Alert.Journal) }},
		{"alert.storm_quiet", func(c *Config, s string) error { return c.Alert.StormQuiet.UnmarshalText([]byte(s)) }},
		{"alert.storm_longest", func(c *Config, s string) error { return c.Alert.StormLongest.UnmarshalText([]byte(s)) }},
		{"process.snapshot", func(c *Config, s string) error { return parseBool(s, &c.Process.Snapshot) }},
		{"process.interval", func(c *Config, s string) error { return c.Process.Interval.UnmarshalText([]byte(s)) }},
		{"process.entries", func(c *Config, s string) error { return parseInt(s, &c.Process.Entries) }},
	}
}

func settingNames() []string {
	var names []string
	for _, s := range settings() {
		names = append(names, s.name)
	}
	return names
}

// environmentName is the variable of a setting: store.path is OOMDOC_STORE_PATH.
func environmentName(setting string) string {
	return "OOMDOC_" + strings.ToUpper(strings.ReplaceAll(setting, ".", "_"))
}

func (c *Config) readEnvironment(environ []string) error {
	given := make(map[string]string)
	for _, entry := range environ {
		if name, value, found := strings.Cut(entry, "="); found && strings.HasPrefix(name, "OOMDOC_") {
			given[name] = value
		}
	}
	for _, s := range settings() {
		name := environmentName(s.name)
		value, found := given[name]
		if !found {
			continue
		}
		if err := s.set(c, value); err != nil {
			return &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "read environment", Path: name, Err: err,
				Hint: "unset " + name + " to use the default"}
		}
	}
	return nil
}

func (c *Config) check() error {
	rules := []struct {
		key  string
		ok   bool
		want string
	}{
		{"store.path", c.Store.Path != "", "must not be empty"},
		{"store.raw_days", c.Store.RawDays > 0, "must be at least 1"},
		{"store.raw_size", c.Store.RawSize >= 1<<20, "must be at least 1MiB"},
		{"store.incident_days", c.Store.IncidentDays > 0, "must be at least 1"},
		{"kmsg.path", c.Kmsg.Path != "", "must not be empty"},
		{"kmsg.reader", c.Kmsg.Reader == kmsg.ReaderOwn || c.Kmsg.Reader == kmsg.ReaderLibrary,
			fmt.Sprintf("must be %q or %q", kmsg.ReaderOwn, kmsg.ReaderLibrary)},
		{"kmsg.queue_size", c.Kmsg.QueueSize >= 64<<10 && c.Kmsg.QueueSize <= 64<<20, "must be between 64KiB and 64MiB"},
		{"journal.command", c.Journal.Command != "", "must not be empty"},
		{"journal.mark_every", c.Journal.MarkEvery >= Span(time.Second), "must be at least 1s"},
		{"journal.history", c.Journal.History >= 0, "must not be below 0s"},
		{"alert.storm_quiet", c.Alert.StormQuiet > 0, "must be above 0s"},
		{"alert.storm_longest", c.Alert.StormLongest >= c.Alert.StormQuiet, "must not be below alert.storm_quiet"},
		{"process.interval", c.Process.Interval >= Span(time.Second), "must be at least 1s"},
		{"process.entries", c.Process.Entries >= 16 && c.Process.Entries <= 4096, "must be between 16 and 4096"},
	}
	for _, rule := range rules {
		if !rule.ok {
			return &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "check configuration", Path: rule.key, Err: errors.New(rule.want),
				Hint: "set it in " + DefaultConfigPath + " or by " + environmentName(rule.key)}
		}
	}
	return nil
}
