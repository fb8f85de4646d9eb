package play

import (
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/lab"
	"github.com/gocasebook/casebook/vitals"
)

// beside is the article's ratios beside ours, of a row for which several are reported: "throttled 62.0 % → 5.0 %, ÷12
// (reported ÷8); errors …". "" for other rows.
func (r *Result) beside() string {
	if len(r.Also) == 0 || r.Proof == nil {
		return ""
	}
	var all []lab.Reported
	if key := r.key(); key != nil && r.Reported > 0 {
		all = append(all, lab.Reported{Figure: key.Name, Ratio: r.Reported})
	}
	all = append(all, r.Also...)
	words := make([]string, 0, len(all))
	for _, a := range all {
		if f := r.figure(a.Figure); f != nil && f.Before.N > 0 && f.After.N > 0 {
			u := vitals.Unit(f.Unit)
			words = append(words, f.Name+" "+u.Format(f.Before.Value)+" → "+u.Format(f.After.Value)+", "+
				times(f.Before.Value, f.After.Value)+" (reported "+times(1, a.Ratio)+")")
		}
	}
	return strings.Join(words, "; ")
}

// figure is one of the proof's by its name; nil if it has none.
func (r *Result) figure(name string) *casefile.Figure {
	for i := range r.Proof.Figures {
		if r.Proof.Figures[i].Name == name {
			return &r.Proof.Figures[i]
		}
	}
	return nil
}

// times is a change as a factor: "÷8", "×1.2"; in words where one of them is 0.
func times(before, after float64) string {
	switch {
	case before == 0 && after == 0:
		return "none before or after"
	case after == 0:
		return "none left"
	case before == 0:
		return "none before"
	case after > before:
		return "×" + number.Digits(after/before)
	}
	return "÷" + number.Digits(before/after)
}
