package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/helper"
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
	Files   FilesConfig   `toml:"files"`
	Alert   AlertConfig   `toml:"alert"`
	Process ProcessConfig `toml:"process"`
	Pstore  PstoreConfig  `toml:"pstore"`
	Access  AccessConfig  `toml:"access"`
	Metrics MetricsConfig `toml:"metrics"`
	Helper  HelperConfig  `toml:"helper"`
	Names   NamesConfig   `toml:"names"`
	GPU     GPUConfig     `toml:"gpu"`
}

// GPUConfig says how GPUs are sampled.
type GPUConfig struct {
	Enabled bool `toml:"enabled"`
	// Library is NVIDIA's management library; empty: where the linker finds it.
	Library string `toml:"library"`
}

// PstoreConfig says where dumps of boots that panicked are looked for.
type PstoreConfig struct {
	// Folders are separated by a colon; empty: nowhere.
	Folders string `toml:"folders"`
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
	// HistoryDays is how far back the first start looks for kernel kills; 0: not at all.
	HistoryDays int `toml:"history_days"`
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

// AccessConfig says who may read everything.
type AccessConfig struct {
	// Group is the name or number of a group whose members see the incidents of
	// every user, beside root, adm, systemd-journal and wheel.
	Group string `toml:"group"`
}

// MetricsConfig says where the counters are written.
type MetricsConfig struct {
	// Textfile is a file for node_exporter's textfile collector; empty: none.
	Textfile string `toml:"textfile"`
}

// HelperConfig says where the helper is asked.
type HelperConfig struct {
	Socket string `toml:"socket"`
}

// NamesConfig says where runtimes keep the names of their containers.
type NamesConfig struct {
	DockerRoot      string `toml:"docker_root"`
	ContainersRoot  string `toml:"containers_root"`
	ContainerdState string `toml:"containerd_state"`
}

// DefaultConfig is right for most machines.
func DefaultConfig() Config {
	roots := helper.DefaultRoots()
	return Config{
		Store: StoreConfig{Path: DefaultDatabase, RawDays: 180, RawSize: 256 << 20, IncidentDays: 730},
		Kmsg:  KmsgConfig{Path: "/dev/kmsg", Reader: kmsg.ReaderOwn, QueueSize: 4 << 20},
		Journal: JournalConfig{
			Enabled: true, Command: "journalctl", MarkEvery: Span(10 * time.Minute), HistoryDays: 30,
		},
		Files: FilesConfig{Containers: true, Paths: []string{}},
		Alert: AlertConfig{Journal: true, StormQuiet: Span(10 * time.Second), StormLongest: Span(time.Minute)},
		Process: ProcessConfig{
			Snapshot: true, Interval: Span(10 * time.Second), Entries: 256,
		},
		Pstore: PstoreConfig{Folders: "/sys/fs/pstore:/var/lib/systemd/pstore"},
		Access: AccessConfig{Group: "oomdoc"},
		Helper: HelperConfig{Socket: helper.DefaultSocket},
		GPU:    GPUConfig{Enabled: true},
		Names:  NamesConfig{DockerRoot: roots.Docker, ContainersRoot: roots.Containers, ContainerdState: roots.Containerd},
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
		{"journal.history_days", func(c *Config, s string) error { return parseInt(s, &c.Journal.HistoryDays) }},
		{"files.containers", func(c *Config, s string) error { return parseBool(s, &c.Files.Containers) }},
		{"files.paths", func(c *Config, s string) error { c.Files.Paths = filepath.SplitList(s); return nil }},
		{"alert.journal", func(c *Config, s string) error { return parseBool(s, &c.Alert.Journal) }},
		{"alert.storm_quiet", func(c *Config, s string) error { return c.Alert.StormQuiet.UnmarshalText([]byte(s)) }},
		{"alert.storm_longest", func(c *Config, s string) error { return c.Alert.StormLongest.UnmarshalText([]byte(s)) }},
		{"process.snapshot", func(c *Config, s string) error { return parseBool(s, &c.Process.Snapshot) }},
		{"process.interval", func(c *Config, s string) error { return c.Process.Interval.UnmarshalText([]byte(s)) }},
		{"process.entries", func(c *Config, s string) error { return parseInt(s, &c.Process.Entries) }},
		{"pstore.folders", func(c *Config, s string) error { c.Pstore.Folders = s; return nil }},
		{"access.group", func(c *Config, s string) error { c.Access.Group = s; return nil }},
		{"metrics.textfile", func(c *Config, s string) error { c.Metrics.Textfile = s; return nil }},
		{"helper.socket", func(c *Config, s string) error { c.Helper.Socket = s; return nil }},
		{"names.docker_root", func(c *Config, s string) error { c.Names.DockerRoot = s; return nil }},
		{"names.containers_root", func(c *Config, s string) error { c.Names.ContainersRoot = s; return nil }},
		{"names.containerd_state", func(c *Config, s string) error { c.Names.ContainerdState = s; return nil }},
		{"gpu.enabled", func(c *Config, s string) error { return parseBool(s, &c.GPU.Enabled) }},
		{"gpu.library", func(c *Config, s string) error { c.GPU.Library = s; return nil }},
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
		{"journal.history_days", c.Journal.HistoryDays >= 0, "must not be below 0"},
		{"files.paths", areGlobs(c.Files.Paths), "must be absolute paths, in which *, ? and [...] stand for others"},
		{"alert.storm_quiet", c.Alert.StormQuiet > 0, "must be above 0s"},
		{"alert.storm_longest", c.Alert.StormLongest >= c.Alert.StormQuiet, "must not be below alert.storm_quiet"},
		{"process.interval", c.Process.Interval >= Span(time.Second), "must be at least 1s"},
		{"process.entries", c.Process.Entries >= 16 && c.Process.Entries <= 4096, "must be between 16 and 4096"},
		{"metrics.textfile", c.Metrics.Textfile == "" || filepath.IsAbs(c.Metrics.Textfile) && strings.HasSuffix(c.Metrics.Textfile, ".prom"),
			"must be an absolute path that ends in .prom"},
	}
	for _, rule := range rules {
		if !rule.ok {
			return &oomdoc.Error{Code: oomdoc.CodeUsage, Op: "check configuration", Path: rule.key, Err: errors.New(rule.want),
				Hint: "set it in " + DefaultConfigPath + " or by " + environmentName(rule.key)}
		}
	}
	return nil
}

// areGlobs tells absolute paths that filepath.Match understands.
func areGlobs(paths []string) bool {
	for _, path := range paths {
		if _, err := filepath.Match(path, ""); err != nil || !filepath.IsAbs(path) {
			return false
		}
	}
	return true
}
