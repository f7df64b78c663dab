package record_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/oomdoc/oomdoc/record"
)

// The names and their order are util-linux's (sys-utils/dmesg.c, level_names
// and facility_names).
func TestEveryLevelAndFacilityOfDmesgIsKnown(t *testing.T) {
	levels := strings.Fields("emerg alert crit err warn notice info debug")
	facilities := strings.Fields("kern user mail daemon auth syslog lpr news uucp cron authpriv ftp - - - - " +
		"local0 local1 local2 local3 local4 local5 local6 local7")
	for facility, facilityName := range facilities {
		if facilityName == "-" {
			continue // 12 to 15 have no name
		}
		for level, levelName := range levels {
			rec := decodeOne(t, fmt.Sprintf("%-6s:%-6s: [    1.000000] x\n", facilityName, levelName))
			if rec.Facility != facility || rec.Priority != level || string(rec.Text) != "x" {
				t.Errorf("%s %s: facility %d, priority %d, text %q", facilityName, levelName, rec.Facility, rec.Priority, rec.Text)
			}
		}
	}
}

// The names are what glibc's locales give for `date +%b`.
func TestMonthsOfEveryLanguageAreKnown(t *testing.T) {
	languages := map[string]string{
		"English":    "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec",
		"German":     "Jan Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
		"Austrian":   "Jän Feb Mär Apr Mai Jun Jul Aug Sep Okt Nov Dez",
		"French":     "janv. févr. mars avril mai juin juil. août sept. oct. nov. déc.",
		"Spanish":    "ene feb mar abr may jun jul ago sep oct nov dic",
		"Italian":    "gen feb mar apr mag giu lug ago set ott nov dic",
		"Portuguese": "jan fev mar abr mai jun jul ago set out nov dez",
		"Dutch":      "jan feb mrt apr mei jun jul aug sep okt nov dec",
		"Swedish":    "jan feb mar apr maj jun jul aug sep okt nov dec",
		"Norwegian":  "jan. feb. mars april mai juni juli aug. sep. okt. nov. des.",
		"Finnish":    "tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu",
		"Polish":     "sty lut mar kwi maj cze lip sie wrz paź lis gru",
		"Czech":      "led úno bře dub kvě čen čec srp zář říj lis pro",
		"Hungarian":  "jan febr márc ápr máj jún júl aug szept okt nov dec",
		"Romanian":   "ian feb mar apr mai iun iul aug sep oct nov dec",
		"Turkish":    "Oca Şub Mar Nis May Haz Tem Ağu Eyl Eki Kas Ara",
		"Russian":    "янв фев мар апр мая июн июл авг сен окт ноя дек",
		"Ukrainian":  "січ лют бер кві тра чер лип сер вер жов лис гру",
		"Korean":     "1월 2월 3월 4월 5월 6월 7월 8월 9월 10월 11월 12월",
		"Japanese":   "1月 2月 3月 4月 5月 6月 7月 8月 9月 10月 11月 12月",
	}
	for language, names := range languages {
		for i, name := range strings.Fields(names) {
			rec := decodeOne(t, "[X "+name+"  5 01:02:03 2020] x\n")
			if got, want := rec.Time.Month(), time.Month(i+1); got != want || string(rec.Text) != "x" {
				t.Errorf("%s %s: month %v, want %v", language, name, got, want)
			}
		}
	}
}

func TestFormsHaveDistinctNames(t *testing.T) {
	seen := make(map[string]record.Form)
	for i := range len(record.Stats{}.Forms) {
		form := record.Form(i)
		if other, taken := seen[form.String()]; taken || form.String() == "" {
			t.Errorf("forms %d and %d are both %q", other, form, form)
		}
		seen[form.String()] = form
	}
}

// A logger's level behind the time is no machine's name: the word behind it is a
// module, of which one program has many, and no writer.
func TestALoggersLevelIsNoHost(t *testing.T) {
	log := "2026-01-08T15:02:48.900Z ERROR launcher: Method Warmup failed\n2026-01-08T15:02:49.123Z ERROR router: Server error\n2026-01-08T15:02:50.123Z WARN01 router: started\n"
	all := decodeAll(t, record.NewDecoder(strings.NewReader(log), options()))
	if len(all) != 3 || len(all[0].Writer) > 0 || len(all[1].Writer) > 0 || string(all[2].Writer) != "router" {
		t.Errorf("%+v", all)
	}
}
