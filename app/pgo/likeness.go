package pgo

import "time"

// A Likeness says how well the profiles represent the service: whether those of one time are like those of another.
type Likeness struct {
	// Overlap is the share of the calls' weight that both times have in common, from 0 to 1.
	Overlap float64 `json:"overlap"`
	// Ceiling is the overlap of two halves of the same samples, drawn at random: as much as profiles of these sizes can
	// have in common.
	Ceiling float64   `json:"ceiling"`
	Until   time.Time `json:"until"` // where the earlier time ends
	Reason  string    `json:"reason,omitempty"`
}

// Known reports whether there was something to compare.
func (l *Likeness) Known() bool { return l.Ceiling > 0 }

// Share is the overlap as a share of what is possible.
func (l *Likeness) Share() float64 { return min(l.Overlap/l.Ceiling, 1) }

// week is how long the later time is if the profiles cover more.
const week = 7 * 24 * time.Hour

// minSpan is how far apart profiles must be for a comparison: load changes with the hour.
const minSpan = 6 * time.Hour

// likeness compares the last week with what was before, or the later half of a shorter time with the earlier.
func (m *Merged) likeness() Likeness {
	span := m.To.Sub(m.From)
	if span < minSpan {
		return Likeness{Reason: "the profiles are of one time; take more at other hours and on other days"}
	}
	l := Likeness{Until: m.From.Add(span / 2)}
	if span > week+minSpan {
		l.Until = m.To.Add(-week)
	}
	var earlier, later []Input
	for _, in := range m.inputs {
		switch {
		case in.Taken.Unix() <= 0:
		case in.Taken.After(l.Until):
			later = append(later, in)
		default:
			earlier = append(earlier, in)
		}
	}
	all := func(in *Input) Calls { return in.calls }
	before, _ := weighed(earlier, all)
	after, _ := weighed(later, all)
	l.Overlap, l.Ceiling = Overlap(before, after), ceiling(m.inputs)
	return l
}

// ceiling is the overlap of two random halves of the samples.
func ceiling(inputs []Input) float64 {
	one, _ := weighed(inputs, func(in *Input) Calls { return in.halves[0] })
	other, _ := weighed(inputs, func(in *Input) Calls { return in.halves[1] })
	return Overlap(one, other)
}
