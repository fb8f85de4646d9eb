package tables

import (
	"fmt"
	"math"
	"strconv"
)

// duration is a figure in ns: "1.23 ns", "45.6 µs".
func duration(ns float64) string {
	for _, unit := range []string{"ns", "µs", "ms"} {
		if math.Abs(ns) < 1000 {
			return digits(ns) + " " + unit
		}
		ns /= 1000
	}
	return digits(ns) + " s"
}

// size is a number of bytes: "96 B", "2 kB" (1 kB is 1024 B).
func size(bytes float64) string {
	for _, unit := range []string{"B", "kB", "MB"} {
		if math.Abs(bytes) < 1024 {
			return digits(bytes) + " " + unit
		}
		bytes /= 1024
	}
	return digits(bytes) + " GB"
}

// digits shows three digits that count, as many as the measurements have at the best, and whole numbers as they are.
func digits(v float64) string {
	switch a := math.Abs(v); {
	case v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a < 0.005:
		return "0"
	case a < 9.995:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case a < 99.95:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 0, 64)
}

// timed is a duration with its spread: "1.23 ns ±4 %".
func (m middle) timed() string {
	return fmt.Sprintf("%s ±%.0f %%", duration(m.median), 100*m.spread)
}

// ratio is how many times of b a is: "3.4×"; "" where b is nothing.
func ratio(a, b middle) string {
	if b.median == 0 {
		return ""
	}
	return digits(a.median/b.median) + "×"
}

// whole is a count.
func whole(n int) string { return strconv.Itoa(n) }
