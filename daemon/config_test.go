package daemon_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/daemon"
)

func load(t *testing.T, file string, environ ...string) (daemon.Config, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "oomdoc.toml")
	if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	return daemon.LoadConfig(path, true, environ)
}

func TestConfigEnvironmentWinsOverFileWinsOverDefault(t *testing.T) {
	config, err := load(t, "[store]\nraw_days = 7\nraw_size = \"1GiB\"\n[alert]\nstorm_quiet = \"3s\"\n", "OOMDOC_STORE_RAW_DAYS=9", "PATH=/bin")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := config.Store.RawDays, 9; got != want {
		t.Errorf("raw_days=%d, want %d from the environment", got, want)
	}
	if got, want := config.Store.RawSize, daemon.Size(1<<30); got != want {
		t.Errorf("raw_size=%d, want %d from the file", got, want)
	}
	if got, want := config.Alert.StormQuiet.Std(), 3*time.Second; got != want {
		t.Errorf("storm_quiet=%s, want %s from the file", got, want)
	}
	if got, want := config.Store.IncidentDays, 730; got != want {
		t.Errorf("incident_days=%d, want the default %d", got, want)
	}
}

func TestConfigRefusesWhatItDoesNotUnderstand(t *testing.T) {
	for _, row := range []struct{ name, file, environ, want string }{
		{"unknown key", "[store]\npaht = \"x\"\n", "", "unknown key store.paht"},
		{"unknown table", "[gpu]\nx = 1\n", "", "unknown key gpu"},
		{"not TOML", "store: x\n", "", "read configuration"},
		{"bad size", "[store]\nraw_size = \"much\"\n", "", "parse size"},
		{"size too large", "[store]\nraw_size = \"9999999999GiB\"\n", "", "parse size"},
		{"bad span", "[alert]\nstorm_quiet = \"soon\"\n", "", "parse duration"},
		{"unknown reader", "[kmsg]\nreader = \"dmesg\"\n", "", "kmsg.reader"},
		{"queue too small", "[kmsg]\nqueue_size = \"1KiB\"\n", "", "kmsg.queue_size"},
		{"longest below quiet", "[alert]\nstorm_longest = \"1s\"\n", "", "alert.storm_longest"},
		{"bad number in the environment", "", "OOMDOC_PROCESS_ENTRIES=many", "OOMDOC_PROCESS_ENTRIES"},
		{"bad switch in the environment", "", "OOMDOC_ALERT_JOURNAL=perhaps", "OOMDOC_ALERT_JOURNAL"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := load(t, row.file, row.environ)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Fatalf("error=%v, want one that names %q", err, row.want)
			}
			if oomdoc.ErrorCode(err) != oomdoc.CodeUsage || oomdoc.ErrorHint(err) == "" {
				t.Errorf("code=%d hint=%q, want a usage error with a hint", oomdoc.ErrorCode(err), oomdoc.ErrorHint(err))
			}
		})
	}
}

func TestConfigFileMayBeAbsentUnlessItWasNamed(t *testing.T) {
	absent := filepath.Join(t.TempDir(), "absent.toml")
	if config, err := daemon.LoadConfig(absent, false, nil); err != nil || !reflect.DeepEqual(config, daemon.DefaultConfig()) {
		t.Errorf("absent file: %+v, %v; want the defaults", config, err)
	}
	if _, err := daemon.LoadConfig(absent, true, nil); err == nil {
		t.Error("a named file that is absent is no error")
	}
}

func TestSizesAreBinary(t *testing.T) {
	for text, want := range map[string]daemon.Size{"4MiB": 4 << 20, "256 MiB": 256 << 20, "65536": 65536, "1g": 1 << 30, "12 B": 12, "2kb": 2048} {
		var got daemon.Size
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q=%d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1.5GiB", "1TB", "0x10"} {
		var got daemon.Size
		if err := got.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q was read as %d, want an error", text, got)
		}
	}
}

// Every key of docs/configuration.md exists with its default, and every key
// that exists stands there.
func TestConfigurationIsDocumented(t *testing.T) {
	text, err := os.ReadFile("../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	_, err = load(t, "[nothing]\nx = 1\n")
	known := strings.Split(oomdoc.ErrorHint(err)[strings.Index(oomdoc.ErrorHint(err), "are ")+4:], ", ")
	if len(known) < 5 {
		t.Fatalf("the hint of an unknown key names %d keys", len(known))
	}
	for _, key := range known {
		if !strings.Contains(string(text), "| `"+key+"` |") {
			t.Errorf("docs/configuration.md does not tell of %s", key)
		}
	}
	for line := range strings.Lines(string(text)) {
		key, found := strings.CutPrefix(line, "| `")
		if !found {
			continue
		}
		key, _, _ = strings.Cut(key, "`")
		if strings.Contains(key, ".") && !strings.Contains(strings.Join(known, " "), key) {
			t.Errorf("docs/configuration.md tells of %s, which does not exist", key)
		}
	}
}
