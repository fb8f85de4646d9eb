package stacks

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A labelUnit is a unit that pprof knows, and how much of the smallest of its kind it is.
type labelUnit struct {
	name   string
	factor float64
	words  []string // singular
}

// labelUnits are the kinds of units of google/pprof (internal/measurement/measurement.go) that labels have: memory and
// time. Units rise. TestLabelUnitsAsPprof of app/report compares them with pprof's.
var labelUnits = [][]labelUnit{
	{{"B", 1, []string{"b", "byte"}}, {"kB", 1 << 10, []string{"kb", "kbyte", "kilobyte"}},
		{"MB", 1 << 20, []string{"mb", "mbyte", "megabyte"}}, {"GB", 1 << 30, []string{"gb", "gbyte", "gigabyte"}},
		{"TB", 1 << 40, []string{"tb", "tbyte", "terabyte"}}, {"PB", 1 << 50, []string{"pb", "pbyte", "petabyte"}}},
	{{"ns", 1, []string{"ns", "nanosecond"}}, {"us", 1e3, []string{"μs", "us", "microsecond"}},
		{"ms", 1e6, []string{"ms", "millisecond"}}, {"s", 1e9, []string{"s", "sec", "second"}},
		{"hrs", 3600e9, []string{"hour", "hr"}}},
}

// scaled is a number in the largest unit of its kind in which it is 1 or more, as measurement.ScaledLabel of pprof
// writes it. A number in a unit that pprof does not know stands alone.
func scaled(number int64, unit string) string {
	v, name := float64(number), ""
	unit = strings.ToLower(unit)
	if utf8.RuneCountInString(unit) > 2 {
		unit = strings.TrimSuffix(unit, "s")
	}
	for _, kind := range labelUnits {
		at := slices.IndexFunc(kind, func(u labelUnit) bool { return slices.Contains(u.words, unit) })
		if at < 0 {
			continue
		}
		v *= kind[at].factor
		to := kind[0]
		for _, u := range kind {
			if max(v, -v) >= u.factor {
				to = u
			}
		}
		v, name = v/to.factor, to.name
		break
	}
	text := strings.TrimSuffix(fmt.Sprintf("%.2f", v), ".00")
	if text == "0" || text == "-0" {
		return "0"
	}
	return text + name
}
