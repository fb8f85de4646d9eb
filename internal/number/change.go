package number

import (
	"math"
	"strconv"
	"strings"
)

// Change is how a figure moved, relative to what it was: "−92.4 %", "×3.1" from twice on, "÷250" where a percentage
// would only say 99.6, "from 0" where there is no relation, and "0 %". Percentages have one digit after the point, for
// a column of them is compared by eye.
func Change(before, after float64) string {
	r := after/before - 1
	switch {
	case before == after:
		return "0 %"
	case before == 0:
		return "from 0"
	case math.IsNaN(r):
		return Absent
	case after > 0 && r < -0.99:
		return "÷" + Digits(before/after)
	case r >= 1:
		return "×" + Digits(r+1)
	}
	return Signed(Percent, r)
}

// Percent is the size of a change: "0.3 %", "92.4 %".
func Percent(share float64) string { return Share(math.Round(1000*share) / 1000) }

// Signed is a figure with its sign, but for what reads as nothing, which has none.
func Signed(text func(float64) string, v float64) string {
	s := text(math.Abs(v))
	switch {
	case math.IsNaN(v), s == text(0):
		return s
	case v < 0:
		return "−" + s
	}
	return "+" + s
}

// P is the p of a test: "p = 0.032", "p < 0.001".
func P(p float64) string {
	switch {
	case math.IsNaN(p):
		return "p " + Absent
	case p < 0.001:
		return "p < 0.001"
	}
	return "p = " + strconv.FormatFloat(p, 'f', 3, 64)
}

// Range is "20–26 %", from two figures: their unit stands once if it is the same one.
func Range(low, high string) string {
	if low == high {
		return high
	}
	a, unit, _ := strings.Cut(low, " ")
	if _, other, _ := strings.Cut(high, " "); unit == other {
		low = a
	}
	return low + "–" + high
}

// Estimate is a range of shares that is known to two digits: "20–26 %", "4.2–6 %".
func Estimate(low, high float64) string { return Range(Share(round(low, 2)), Share(round(high, 2))) }

// Things is how many there are of something: "1 sample", "1,204 samples".
func Things[N int | int32 | int64 | uint32 | uint64 | float64](n N, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(float64(n)) + " " + noun + "s"
}
