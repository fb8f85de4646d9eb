// Package number writes figures for people: one way for the terminal, the page of a case, findings, rules and reports.
//
// The problem: the same figure read "1204", "1,204" and "1.20 k", "90 s" and "1m30s", "31 %" and "31.2 %" on its way
// from a signal to a finding. The rule here: three significant digits at most, no zeros at the end, and what stands
// before the point is never rounded; shares have tenths of a per cent at most; a unit that a person would choose, after
// a space. Bytes have binary prefixes. web/format.ts of app/report does the same in the browser, and a test holds
// the two together.
//
// Limits: who knows a figure less exactly than to three digits rounds it before (a promise of 20–25 %); a setting is
// written as its program reads it (GOMEMLIMIT=1700MiB), not as here, but for Setting; and tables of benchmarks have
// the format of benchstat.
package number

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Absent is written for what is not known: NaN.
const Absent = "–"

const (
	tiny   = 5e-7   // below it a number has no digits worth reading
	huge   = 1e15   // from it on a number has an exponent
	inFull = 10_000 // where counts stop being written in full: 1,204 goroutines, not 1.2 k
)

// Digits is a number without a unit: "31.2", "7", "0.00421", "1,204".
func Digits(v float64) string {
	switch {
	case math.IsNaN(v):
		return Absent
	case v < 0:
		return negative(Digits, v)
	case math.IsInf(v, 0):
		return "∞"
	case v == 0:
		return "0"
	case v < tiny:
		return "<0.000001"
	case v >= huge:
		return trimmed(strconv.FormatFloat(v, 'e', 2, 64))
	case v >= 99.95:
		return grouped(strconv.FormatFloat(v, 'f', 0, 64))
	}
	places := 2 - int(math.Floor(math.Log10(round(v, 3))+1e-9))
	return trimmed(strconv.FormatFloat(v, 'f', min(places, 6), 64))
}

// Count is how many there are: "1,204", "35 M".
func Count(v float64) string {
	switch {
	case v < 0:
		return negative(Count, v)
	case math.Round(v) < inFull:
		return Digits(v)
	}
	return stepped(v, countSteps[:])
}

// Rate is how many there are in a second: "1,204/s".
func Rate(v float64) string { return known(Count(v), "/s") }

// Bytes is a size: "1.34 GiB".
func Bytes(v float64) string { return stepped(v, byteSteps[:]) }

// Seconds is a time: "2.1 ms", "90 s", "12.5 min", "3 days". Minutes are used from ten of them on, hours and days from
// two, for "1.08 min" reads worse than "65 s".
func Seconds(v float64) string { return stepped(v, timeSteps[:]) }

// Duration is a time, as Seconds writes it.
func Duration(d time.Duration) string { return Seconds(d.Seconds()) }

// Share is a part of a whole, which is 1: "31.2 %", "8.5 %", "0.042 %". Most are estimated from samples, so it has
// tenths of a per cent at most, and below one per cent two digits.
func Share(v float64) string { return known(Digits(tenths(100*v)), " %") }

func tenths(v float64) float64 {
	if math.Abs(v) < 1 {
		return round(v, 2)
	}
	return math.Round(10*v) / 10
}

// Points is how much a share changed by. One that fell from 40 % to 10 % fell by 30 percentage points, "30 pp": "30 %"
// would read as if it had fallen to 28 %.
func Points(v float64) string { return known(Digits(tenths(100*v)), " pp") }

// Cores is a level of CPU use: "1 core", "1.4 cores".
func Cores(v float64) string {
	text := Digits(v)
	if text == "1" {
		return "1 core"
	}
	return known(text, " cores")
}

// A step is a unit and its size in the one without a prefix. It is used from least of it on.
type step struct {
	size   float64
	suffix string
	least  float64
}

// The steps of each unit, largest first; the last is used for all below it.
var (
	byteSteps = [...]step{{1 << 40, " TiB", 1}, {1 << 30, " GiB", 1}, {1 << 20, " MiB", 1}, {1 << 10, " KiB", 1},
		{1, " B", 0}}
	timeSteps = [...]step{{86400, " days", 2}, {3600, " h", 2}, {60, " min", 10}, {1, " s", 1}, {1e-3, " ms", 1},
		{1e-6, " µs", 1}, {1e-9, " ns", 0}}
	countSteps = [...]step{{1e12, " T", 1}, {1e9, " G", 1}, {1e6, " M", 1}, {1e3, " k", 0}}
)

// stepped writes v in the largest step that it reaches once it is rounded, so that 1023.9 KiB is 1 MiB. Nothing has the
// unit without a prefix.
func stepped(v float64, steps []step) string {
	switch {
	case math.IsNaN(v):
		return Absent
	case v < 0:
		return negative(func(v float64) string { return stepped(v, steps) }, v)
	}
	for _, s := range steps {
		if n := v / s.size; v > 0 && round(n, 3) >= s.least || v == 0 && s.size == 1 {
			return Digits(n) + s.suffix
		}
	}
	return Digits(v)
}

// round rounds to significant digits.
func round(v float64, digits int) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// known adds a unit to a number if there is one.
func known(text, unit string) string {
	if text == Absent {
		return text
	}
	return text + unit
}

// negative writes −v with the sign that people write, which is as wide as a plus.
func negative(text func(float64) string, v float64) string { return "−" + text(-v) }

// trimmed is a decimal number without zeros at its end: "1.5", "2e+15".
func trimmed(s string) string {
	s, exponent, exponential := strings.Cut(s, "e")
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if exponential {
		s += "e" + exponent
	}
	return s
}

// grouped puts commas between the thousands of a whole number.
func grouped(s string) string {
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
