package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A rule trips by a number. Whether or not a detector knows the fault behind it, the picture says of each signal of the
// rule what it was, what it was before, and which lines of the program it is made of.

// Bounds of what is said of a trip.
const (
	tripTriggers = 3 // of rules that tripped at one time, the first ones
)

// tripped is what is known of the signals by which rules tripped.
func tripped(r *Reading) []casefile.Tripped {
	var out []casefile.Tripped
	for _, t := range r.Triggers[:min(len(r.Triggers), tripTriggers)] {
		for _, g := range tripGroups(r, t) {
			out = append(out, g.line(r))
		}
	}
	return out
}

// A tripGroup is signals of a rule that the same evidence explains.
type tripGroup struct {
	trip    casefile.Trigger
	class   tripClass
	signals []casefile.TrippedSignal
}

// tripGroups sorts the signals of a trigger by what explains them. Limits are named with the first group.
func tripGroups(r *Reading, t casefile.Trigger) []*tripGroup {
	var groups []*tripGroup
	for _, name := range tripSignals(t) {
		s, known := tripSignal(r, t, name)
		if !known {
			continue
		}
		class := classOf(name)
		i := slices.IndexFunc(groups, func(g *tripGroup) bool { return g.class == class })
		if class == ofLimit && len(groups) > 0 {
			i = 0
		}
		if i < 0 {
			groups = append(groups, &tripGroup{trip: t, class: class})
			i = len(groups) - 1
		}
		groups[i].signals = append(groups[i].signals, s)
	}
	return groups
}

// stuckGoroutines is what a trip is called in which no signal decided but goroutines that wait.
const stuckGoroutines = "waiting goroutines"

// tripSignals are the signals of a trigger, the one that decided first. What a person asked for, or the clock, has
// none.
func tripSignals(t casefile.Trigger) []string {
	first := t.Signal
	if first == "" && t.Value > 0 {
		first = stuckGoroutines
	}
	if first == "" {
		return nil
	}
	return append([]string{first}, slices.DeleteFunc(slices.Clone(t.Signals), func(name string) bool {
		return name == first
	})...)
}

// tripSignal is what a signal was at the trip and before. A signal that decided nothing and is not in the vitals is not
// known.
func tripSignal(r *Reading, t casefile.Trigger, name string) (s casefile.TrippedSignal, known bool) {
	s = casefile.TrippedSignal{Name: name, Unit: string(vitals.Count)}
	id, ok := r.catalog.Lookup(name)
	if ok {
		s.Unit = string(r.catalog.Signal(id).Unit)
		s.Value, s.Earlier = r.ValueAt(id, t.Time), r.Earlier(id, t.Time)
	}
	if name != t.Signal && name != stuckGoroutines {
		return s, s.Value != nil
	}
	if value := t.Value; name != t.Signal || s.Value == nil || value != 0 {
		s.Value = &value
	}
	if t.Unit != "" {
		s.Unit = t.Unit
	}
	return s, true
}

// line writes a group: its numbers, and the places that make them.
func (g *tripGroup) line(r *Reading) casefile.Tripped {
	texts := make([]string, 0, len(g.signals)+1)
	for i, s := range g.signals {
		texts = append(texts, tripText(s, i == 0))
	}
	texts = append(texts, ledBy(r, g.signals[0].Name)...)
	out := casefile.Tripped{Signals: g.signals}
	by, whence := g.class.explain(r, g)
	texts = append(texts, whence...)
	if by != nil {
		out.PictureLine = *by
		texts = append(texts, byText(by))
	}
	if by == nil || len(by.Places) == 0 && !by.Few {
		texts = append(texts, "this evidence does not show where in the program")
	}
	out.Text = strings.Join(texts, "; ")
	if out.Places == nil {
		out.Places = []casefile.PicturePlace{}
	}
	return out
}

// byText is the text of a line after the numbers of a trip.
func byText(l *casefile.PictureLine) string {
	if l.Unit == string(vitals.Count) { // "92: 80 wait …"
		return "the profile has " + l.Text
	}
	return l.Text
}

// tripText writes a signal: "goroutines 92 at the trip, 12 at first".
func tripText(s casefile.TrippedSignal, first bool) string {
	if s.Value == nil {
		return s.Name + " not known"
	}
	text := s.Name + " " + inUnit(s.Unit, *s.Value)
	if first {
		text += " at the trip"
	}
	if s.Earlier != nil && inUnit(s.Unit, *s.Earlier) != inUnit(s.Unit, *s.Value) {
		text += fmt.Sprintf(", %s at first", inUnit(s.Unit, *s.Earlier))
	}
	return text
}

func inUnit(unit string, v float64) string {
	switch u := vitals.Unit(unit); {
	case u == vitals.Cores:
		return cores(v)
	case u == vitals.Count && v == math.Trunc(v):
		return count(v)
	default:
		return u.Format(v)
	}
}
