package record

import (
	"bytes"
	"time"
)

// maxNameBytes bounds the name of a month or weekday in UTF-8.
const maxNameBytes = 16

// monthOf finds a month by its abbreviated name (nl_langinfo, ABMON_1 to
// ABMON_12), or by its number with a word for "month" after it ("12월", "12月").
func monthOf(name []byte) (time.Month, bool) {
	if n, size := number(name); size > 0 {
		return time.Month(n), n >= 1 && n <= 12 && size <= 2 && size < len(name) && name[size] >= 0x80
	}
	month := monthNamed(bytes.TrimSuffix(name, []byte(".")))
	return month, month != 0
}

// monthNamed knows the abbreviations of glibc's locales for English, German,
// French, Spanish, Italian, Portuguese, Dutch, the Nordic languages, Polish,
// Czech, Hungarian, Romanian, Turkish, Russian and Ukrainian; 0 for any other.
func monthNamed(name []byte) time.Month {
	switch string(name) {
	case "Jan", "jan", "Jän", "janv", "ene", "gen", "tammi", "sty", "led", "ian", "Oca", "янв", "січ":
		return time.January
	case "Feb", "feb", "febr", "févr", "fev", "helmi", "lut", "úno", "Şub", "фев", "лют":
		return time.February
	case "Mar", "mar", "Mär", "Mrz", "mars", "mrt", "maalis", "bře", "márc", "мар", "бер":
		return time.March
	case "Apr", "apr", "avril", "avr", "abr", "april", "huhti", "kwi", "dub", "ápr", "Nis", "апр", "кві":
		return time.April
	case "May", "may", "Mai", "mai", "mag", "mei", "maj", "touko", "kvě", "máj", "мая", "май", "тра":
		return time.May
	case "Jun", "jun", "Juni", "juni", "juin", "giu", "kesä", "cze", "čen", "jún", "iun", "Haz", "июн", "чер":
		return time.June
	case "Jul", "jul", "Juli", "juli", "juil", "lug", "heinä", "lip", "čec", "júl", "iul", "Tem", "июл", "лип":
		return time.July
	case "Aug", "aug", "août", "ago", "elo", "sie", "srp", "Ağu", "авг", "сер":
		return time.August
	case "Sep", "sep", "Sept", "sept", "set", "syys", "wrz", "zář", "szept", "Eyl", "сен", "вер":
		return time.September
	case "Oct", "oct", "Okt", "okt", "ott", "out", "loka", "paź", "říj", "Eki", "окт", "жов":
		return time.October
	case "Nov", "nov", "marras", "lis", "Kas", "ноя", "лис":
		return time.November
	case "Dec", "dec", "Dez", "dez", "déc", "dic", "des", "joulu", "gru", "pro", "Ara", "дек", "гру":
		return time.December
	}
	return 0
}
