package tables

import (
	"strings"

	"github.com/gocasebook/casebook/internal/number"
)

// near is how far apart two figures must be to differ in a sentence: on a shared machine those of one form are up to a
// sixth apart from run to run.
const near = 1.2

// timesAs says how the second of two times compares with the first: "2.1 times as fast", "as fast", "1.5 times slower".
func timesAs(first, second float64) string {
	switch {
	case second <= 0 || first <= 0:
		return "not measured"
	case first >= second*near:
		return number.Digits(first/second) + " times as fast"
	case second >= first*near:
		return number.Digits(second/first) + " times slower"
	}
	return "as fast"
}

// of is a form's result; the zero result if it was not measured.
func (rs results) of(subject, form string) result {
	for _, r := range rs {
		if r.subject == subject && r.form == form {
			return r
		}
	}
	return result{}
}

// compared is how a form did beside the first of its matchup: "2.1 times as fast".
func (r result) compared() string { return timesAs(r.first.median, r.cpu.median) }

// faster says whether a form clearly beats the first of its matchup.
func (r result) faster() bool { return r.cpu.median > 0 && r.first.median >= near*r.cpu.median }

// listed joins what is said of several: "a", "a and b", "a, b and c".
func listed(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// holding opens a sentence on what is said, by how many of several measurements it is true.
func holding(is, of int) string {
	switch is {
	case of:
		return "Still true"
	case 0:
		return "No longer true"
	}
	return "True in part"
}
