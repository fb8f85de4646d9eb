package report

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// Numbers are written with three significant digits and a unit a person would use. assets/js/format.js does the same in
// the browser; a test holds the two together.

const (
	nbsp   = "\u00a0"
	absent = "–"
)

// exactBelow is where counts stop being written in full: 1,204 goroutines, not 1.20 k.
const exactBelow = 10_000

// A step is one prefix of a unit.
type step struct {
	size   float64
	suffix string
}

// The prefixes of each unit, largest first.
var (
	byteSteps  = [...]step{{1 << 40, "TiB"}, {1 << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}, {1, "B"}}
	timeSteps  = [...]step{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}
	countSteps = [...]step{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}
)

// quantity writes v, which is in unit u, for people. Units that package vitals does not have are written behind the
// number as they are.
func quantity(v float64, u vitals.Unit) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return absent
	}
	if v < 0 {
		return "−" + quantity(-v, u)
	}
	switch u {
	case vitals.Bytes:
		return stepped(v, byteSteps[:])
	case vitals.BytesPerSecond:
		return stepped(v, byteSteps[:]) + "/s"
	case vitals.Seconds:
		return stepped(v, timeSteps[:])
	case vitals.Share:
		return percent(v)
	case vitals.Cores:
		return digits(v) + nbsp + "cores"
	case vitals.Count:
		return count(v)
	case vitals.PerSecond:
		return count(v) + "/s"
	case "":
		return count(v)
	}
	return count(v) + nbsp + string(u)
}

// stepped divides v ≥ 0 by the largest step it reaches once it is rounded, so that 1023.9 KiB is written as 1 MiB.
// Nothing is written in the unit without a prefix.
func stepped(v float64, steps []step) string {
	for _, s := range steps {
		if round3(v/s.size) >= 1 || v == 0 && s.size == 1 {
			return digits(v/s.size) + nbsp + s.suffix
		}
	}
	last := steps[len(steps)-1]
	return digits(v/last.size) + nbsp + last.suffix
}

func count(v float64) string {
	switch {
	case v < exactBelow && v == math.Trunc(v):
		return grouped(strconv.FormatFloat(v, 'f', 0, 64))
	case round3(v) < exactBelow:
		return digits(v)
	}
	return stepped(v, countSteps[:])
}

// percent writes a share as a percentage. What is there but too small to write is "<0.01 %". The rounding undoes what
// multiplying by 100 in binary adds: 0.29 is 29 %, not 29.0 %.
func percent(v float64) string {
	switch p := math.Round(v*1e11) / 1e9; {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return absent
	case p > 0 && p < 0.01:
		return "<0.01" + nbsp + "%"
	default:
		return digits(p) + nbsp + "%"
	}
}

// digits writes v ≥ 0 with three significant digits and without an exponent; whole numbers below 1,000 without a point.
func digits(v float64) string {
	if v < 1000 && v == math.Trunc(v) {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	r := round3(v)
	places := 2 - int(math.Floor(math.Log10(r)+1e-9))
	return grouped(strconv.FormatFloat(r, 'f', min(max(places, 0), 12), 64))
}

// round3 rounds to three significant digits.
func round3(v float64) float64 {
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'e', 2, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// grouped puts commas between the thousands of a decimal number.
func grouped(s string) string {
	whole, frac, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		return whole + "." + frac
	}
	return whole
}

// offset writes a duration relative to the trigger: "−1:30", "+0:05".
func offset(d time.Duration) string {
	sign := "+"
	if d < 0 {
		sign, d = "−", -d
	}
	s := int64(d.Round(time.Second) / time.Second)
	if s == 0 {
		return "0:00"
	}
	if s >= 3600 {
		return sign + strconv.FormatInt(s/3600, 10) + ":" + two(s/60%60) + ":" + two(s%60)
	}
	return sign + strconv.FormatInt(s/60, 10) + ":" + two(s%60)
}

func two(n int64) string {
	if n < 10 {
		return "0" + strconv.FormatInt(n, 10)
	}
	return strconv.FormatInt(n, 10)
}

// clock writes a time as UTC, without a date.
func clock(t time.Time) string { return t.UTC().Format("15:04:05") }

// moment writes a time as UTC, with its date.
func moment(t time.Time) string {
	if t.IsZero() {
		return absent
	}
	return t.UTC().Format("2 January 2006, 15:04:05") + " UTC"
}
