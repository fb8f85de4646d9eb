package report

import (
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// Numbers are written as everywhere (internal/number), with spaces that do not break. web/format.ts does the same
// in the browser; a test holds the two together.

const (
	nbsp   = "\u00a0"
	absent = number.Absent
)

func unbroken(text string) string { return strings.ReplaceAll(text, " ", nbsp) }

func quantity(v float64, u vitals.Unit) string { return unbroken(u.Format(v)) }

func percent(share float64) string { return unbroken(number.Share(share)) }

func count(n float64) string { return unbroken(number.Count(n)) }

func change(before, after float64) string { return unbroken(number.Change(before, after)) }

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
