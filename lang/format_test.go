package lang_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc"
	"github.com/oomdoc/oomdoc/lang"
)

func english(t testing.TB) *lang.Language {
	t.Helper()
	language, err := lang.New("en")
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return language.In(time.UTC)
}

func TestBytesAreBinaryUnits(t *testing.T) {
	l := english(t)
	for _, test := range []struct {
		n    int64
		want string
	}{
		{0, "0 bytes"},
		{1, "1 byte"},
		{17, "17 bytes"},
		{1023, "1023 bytes"},
		{1024, "1.0 KiB"},
		{40 << 10, "40 KiB"},
		{1536, "1.5 KiB"},
		{512 << 20, "512 MiB"},
		{1023<<20 + 400<<10, "1023 MiB"},
		{1023<<20 + 512<<10, "1.0 GiB"}, // 1023.5 MiB would round to 1024 MiB
		{8 << 30, "8.0 GiB"},
		{8<<30 - 4096, "8.0 GiB"},
		{31<<30 + 430<<20, "31.4 GiB"},
		{128 << 30, "128 GiB"},
		{3 << 40, "3.0 TiB"},
		{math.MaxInt64, "8.0 EiB"},
		{-512 << 20, "-512 MiB"},
		{math.MinInt64, "-8.0 EiB"},
	} {
		if got := l.Bytes(test.n); got != test.want {
			t.Errorf("Bytes(%d) = %q, want %q", test.n, got, test.want)
		}
	}
}

func TestPercentNeverRoundsToNothingOrAll(t *testing.T) {
	l := english(t)
	for _, test := range []struct {
		p    float64
		want string
	}{
		{0, "0%"}, {0.01, "under 0.1%"}, {3.46, "3.5%"}, {9.97, "10%"}, {42.4, "42%"},
		{99.4, "99.4%"}, {99.97, "99.9%"}, {100, "100%"}, {104.25, "104.2%"},
		{math.NaN(), "unknown"}, {math.Inf(1), "unknown"},
	} {
		if got := l.Percent(test.p); got != test.want {
			t.Errorf("Percent(%v) = %q, want %q", test.p, got, test.want)
		}
	}
}

func TestDurationIsWhatAPersonWouldSay(t *testing.T) {
	l := english(t)
	for _, test := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0 µs"},
		{12 * time.Microsecond, "12 µs"},
		{350 * time.Millisecond, "350 ms"},
		{999900 * time.Microsecond, "1 s"},
		{2500 * time.Millisecond, "2.5 s"},
		{9960 * time.Millisecond, "10 s"},
		{12 * time.Second, "12 s"},
		{59700 * time.Millisecond, "1 min"},
		{12 * time.Minute, "12 min"},
		{59*time.Minute + 45*time.Second, "1 h"},
		{80 * time.Minute, "1 h 20 min"},
		{25 * time.Hour, "25 h"},
		{26*time.Hour + 3*time.Minute, "26 h"},
		{9*time.Hour + 59*time.Minute, "9 h 59 min"},
		{47*time.Hour + 40*time.Minute, "2 days"},
		{100 * 24 * time.Hour, "100 days"},
		{-12 * time.Second, "-12 s"},
		{math.MaxInt64, "106,752 days"},
		{math.MinInt64, "-106,752 days"},
	} {
		if got := l.Duration(test.d); got != test.want {
			t.Errorf("Duration(%v) = %q, want %q", test.d, got, test.want)
		}
	}
}

func TestAgeCountsFromNow(t *testing.T) {
	l := english(t)
	now := time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		age  time.Duration
		want string
	}{
		{0, "just now"},
		{-30 * time.Second, "just now"},
		{12 * time.Second, "12 s ago"},
		{3 * time.Minute, "3 min ago"},
		{50 * 24 * time.Hour, "50 days ago"},
		{-2 * time.Hour, "2 h ahead of this machine's clock"},
	} {
		if got := l.Age(now.Add(-test.age), now); got != test.want {
			t.Errorf("Age(%v) = %q, want %q", test.age, got, test.want)
		}
	}
}

func TestTimeHasItsZone(t *testing.T) {
	seoul := time.FixedZone("KST", 9*3600)
	at := time.Date(2026, 12, 1, 3, 4, 5, 0, time.UTC)
	if got, want := english(t).In(seoul).Time(at), "2026-12-01 12:04:05 +09:00"; got != want {
		t.Errorf("Time = %q, want %q", got, want)
	}
	sentence := oomdoc.Say("command", oomdoc.Args{"command": oomdoc.Instant(at)})
	if got, want := english(t).In(seoul).Text(sentence), "2026-12-01 12:04:05 +09:00"; got != want {
		t.Errorf("Text = %q, want %q", got, want)
	}
}

func TestGroupedSetsThousandsApart(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 9999: "9999", 10000: "10,000", 1234567: "1,234,567", -100000: "-100,000",
		math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := lang.Grouped(n); got != want {
			t.Errorf("Grouped(%d) = %q, want %q", n, got, want)
		}
	}
}

func FuzzBytesHasOneUnitAndAtMostFiveDigits(f *testing.F) {
	for _, n := range []int64{0, 1, 1023, 1024, 1<<20 - 1, 1<<40 - 1, math.MaxInt64, math.MinInt64} {
		f.Add(n)
	}
	l := english(f)
	f.Fuzz(func(t *testing.T, n int64) {
		got := l.Bytes(n)
		number, unit, _ := strings.Cut(strings.TrimPrefix(got, "-"), " ")
		if len(number) > 4 || unit == "" {
			t.Errorf("Bytes(%d) = %q", n, got)
		}
	})
}
