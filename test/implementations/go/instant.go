package main

import "fmt"

const (
	secondsPerDay = 86400
	lastInstant   = 253402300799999 // 9999-12-31T23:59:59.999Z
)

// daysFromCivil is the number of days from 1970-01-01 in the proleptic Gregorian calendar.
func daysFromCivil(y, m, d int64) int64 {
	if m <= 2 {
		y--
		m += 12
	}
	era := floorDiv(y, 400)
	yearOfEra := y - era*400
	dayOfYear := (153*(m-3)+2)/5 + d - 1
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}

func civilFromDays(days int64) (y, m, d int64) {
	days += 719468
	era := floorDiv(days, 146097)
	doe := days - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	y, m, d = yoe+era*400, mp+3, doy-(153*mp+2)/5+1
	if m > 12 {
		y, m = y+1, m-12
	}
	return
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// parseInstant returns the milliseconds since 1970 of a string that is an instant (L17).
func parseInstant(s Str) (int64, bool) {
	i, ok := 0, true
	digits := func(count int) (n int64) {
		for ; count > 0; count-- {
			if i >= s.Len() || s.Unit(i) < '0' || s.Unit(i) > '9' {
				ok = false
				return 0
			}
			n = n*10 + int64(s.Unit(i)-'0')
			i++
		}
		return n
	}
	at := func(chars string) bool { // takes one of the characters
		for _, c := range chars {
			if i < s.Len() && s.Unit(i) == c {
				i++
				return true
			}
		}
		return false
	}
	need := func(chars string) {
		if !at(chars) {
			ok = false
		}
	}
	year := digits(4)
	need("-")
	month := digits(2)
	need("-")
	day := digits(2)
	if !ok || month < 1 || month > 12 {
		return 0, false
	}
	days := daysFromCivil(year, month, day)
	if y, m, d := civilFromDays(days); y != year || m != month || d != day {
		return 0, false
	}
	if i == s.Len() {
		return days * secondsPerDay * 1000, true
	}
	need("Tt")
	hour := digits(2)
	need(":")
	minute := digits(2)
	need(":")
	second := digits(2)
	var millis int64
	if ok && at(".") {
		start := i
		scale := int64(100)
		for i < s.Len() && s.Unit(i) >= '0' && s.Unit(i) <= '9' {
			millis += scale * int64(s.Unit(i)-'0')
			scale /= 10
			i++
		}
		ok = i > start
	}
	var offset int64
	if !at("Zz") {
		sign := int64(1)
		if !at("+") {
			need("-")
			sign = -1
		}
		h := digits(2)
		need(":")
		m := digits(2)
		if h > 23 || m > 59 {
			ok = false
		}
		offset = sign * (h*3600 + m*60)
	}
	if !ok || i != s.Len() || hour > 23 || minute > 59 || second > 60 {
		return 0, false
	}
	seconds := days*secondsPerDay + hour*3600 + minute*60 + second - offset
	if second == 60 {
		if seconds != floorDiv(seconds, secondsPerDay)*secondsPerDay {
			return 0, false
		}
		if _, _, d := civilFromDays(floorDiv(seconds, secondsPerDay)); d != 1 {
			return 0, false
		}
		millis = 0
	}
	return seconds*1000 + millis, true
}

func formatInstant(t int64) string {
	if t > lastInstant {
		t = lastInstant
	}
	days := floorDiv(t, secondsPerDay*1000)
	rest := t - days*secondsPerDay*1000
	y, m, d := civilFromDays(days)
	return fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", y, m, d, rest/3600000, rest/60000%60, rest/1000%60, rest%1000)
}
