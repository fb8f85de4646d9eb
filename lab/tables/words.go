package tables

import (
	"math"
	"strconv"

	"github.com/gocasebook/casebook/internal/number"
)

// duration is a figure in ns.
func duration(ns float64) string { return number.Seconds(ns / 1e9) }

// timed is a duration with its spread in whole per cent, for the spread of a few turns is not known better:
// "1.23 ns ±4 %".
func (m middle) timed() string {
	return duration(m.median) + " ±" + number.Share(math.Round(100*m.spread)/100)
}

// ratio is how many times of b a is: "3.4×"; "" where b is nothing.
func ratio(a, b middle) string {
	if b.median == 0 {
		return ""
	}
	return number.Digits(a.median/b.median) + "×"
}

// whole is a count.
func whole(n int) string { return strconv.Itoa(n) }
