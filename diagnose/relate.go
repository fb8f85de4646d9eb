package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// relate joins findings: those that say the same about the same line become one, symptoms name their causes, and the
// order is causes before symptoms, then by falling score.
func (t relations) relate(fs []casefile.Finding) []casefile.Finding {
	slices.SortStableFunc(fs, byScore)
	fs = t.absorbParts(t.absorbGeneral(fs))
	t.note(fs)
	fs = t.merge(t.absorbWaits(fs))
	for i := range fs {
		t.nameCauses(&fs[i], fs)
	}
	return t.causesFirst(fs)
}

// nameCauses adds the causes of a symptom that are among fs: those that lead, then by kind. What a general finding left
// behind when it was replaced comes before them.
func (t relations) nameCauses(symptom *casefile.Finding, fs []casefile.Finding) {
	var causes []casefile.Finding
	leads := func(f casefile.Finding) bool { return to(symptom.Kind, t.kind(f.Kind).Explains).Leads }
	for _, g := range fs {
		if t.holds(to(symptom.Kind, t.kind(g.Kind).Explains), g, *symptom) {
			causes = append(causes, g)
		}
	}
	slices.SortStableFunc(causes, func(a, b casefile.Finding) int {
		switch {
		case leads(a) == leads(b):
			return cmp.Compare(a.Kind, b.Kind)
		case leads(a):
			return -1
		}
		return 1
	})
	for _, c := range causes {
		if !slices.Contains(symptom.CausedBy, c.ID) {
			symptom.CausedBy = append(symptom.CausedBy, c.ID)
		}
	}
}

// join adds what findings have to say because of all others. What it names as causes comes first in weighPurposes.
func (t relations) join(r *Reading, fs []casefile.Finding) {
	faults := slices.DeleteFunc(slices.Clone(fs), func(f casefile.Finding) bool { return t.kind(f.Kind).IsWork })
	for i := range fs {
		if joins := t.kind(fs[i].Kind).Joins; joins != nil {
			joins(r, &fs[i], fs, faults)
		}
	}
}

// note adds what findings have to say because of others.
func (t relations) note(fs []casefile.Finding) {
	for i := range fs {
		notes := t.kind(fs[i].Kind).Notes
		for _, g := range fs {
			n := slices.IndexFunc(notes, func(n Note) bool { return n.Kind == g.Kind && n.If.fits(fs[i], g) })
			if n >= 0 {
				notes[n].Add(&fs[i], g)
				break
			}
		}
	}
}

// merge folds two findings that blame the same line, one for its allocations and one for its CPU or for the objects it
// keeps alive, into one: one change cures both. The finding with the higher score stays. A structure's finding always
// stays: its allocations are the entries'.
func (t relations) merge(fs []casefile.Finding) []casefile.Finding {
	gone := make([]bool, len(fs))
	for i, f := range fs {
		for j, g := range fs {
			m := to(f.Kind, t.kind(g.Kind).Merges)
			if m == nil || gone[i] || gone[j] || !m.If.fits(g, f) {
				continue
			}
			keep, drop := j, i
			if f.Score > g.Score && !m.Leads {
				keep, drop = i, j
			}
			gone[drop] = true
			fs[keep].Summary += fmt.Sprintf(" %s %s.", placeBeside(fs[drop], fs[keep], "The same line"),
				t.quote(fs[drop]))
			absorb(&fs[keep], fs[drop])
		}
	}
	return without(fs, gone)
}

// absorb keeps of a finding that another one stands for what it was, and its evidence.
func absorb(keep *casefile.Finding, gone casefile.Finding) {
	a := casefile.Absorbed{ID: gone.ID, Kind: gone.Kind, Title: gone.Title, Score: gone.Score}
	if len(gone.Where) > 0 {
		a.Where = &gone.Where[0]
	}
	keep.Absorbed = append(append(keep.Absorbed, a), gone.Absorbed...)
	keep.Evidence = addBasis(keep.Evidence, gone.Evidence)
}

// without leaves out the findings that are gone, the i-th if gone[i].
func without(fs []casefile.Finding, gone []bool) []casefile.Finding {
	out := make([]casefile.Finding, 0, len(fs))
	for i, f := range fs {
		if !gone[i] {
			out = append(out, f)
		}
	}
	return out
}

// quote says what a finding's impact is, in a sentence of another.
func (t relations) quote(f casefile.Finding) string {
	return cmp.Or(t.kind(f.Kind).Quoted.Verb, "takes") + " " + f.Impact.Text
}

// addBasis appends what is not there yet.
func addBasis(to, more []casefile.Basis) []casefile.Basis {
	for _, b := range more {
		if !slices.Contains(to, b) {
			to = append(to, b)
		}
	}
	return to
}

// addPlaces appends the places that are not there yet.
func addPlaces(to []casefile.Frame, more ...casefile.Frame) []casefile.Frame {
	for _, p := range more {
		if !hasPlace(to, p) {
			to = append(to, p)
		}
	}
	return to
}

// causesFirst moves every finding behind the causes it names, except for minor ones; the order is by score otherwise.
func (t relations) causesFirst(fs []casefile.Finding) []casefile.Finding {
	out := make([]casefile.Finding, 0, len(fs))
	placed := make([]bool, len(fs))
	var place func(i int)
	place = func(i int) {
		if placed[i] {
			return
		}
		placed[i] = true
		for j := range fs {
			if slices.Contains(fs[i].CausedBy, fs[j].ID) && !t.minor(fs[i], fs[j]) {
				place(j)
			}
		}
		out = append(out, fs[i])
	}
	for i := range fs {
		place(i)
	}
	return out
}

// minor reports whether a cause is so small a part of a symptom that the symptom's own remedies do more: it scores less
// than half of the symptom.
func (t relations) minor(symptom, cause casefile.Finding) bool {
	if !t.kind(symptom.Kind).LeadsMinor || 2*cause.Score >= symptom.Score {
		return false
	}
	c := to(symptom.Kind, t.kind(cause.Kind).Explains)
	return c == nil || !c.Leads
}

// settle removes undecided answers that a finding decides: memory that stays is decided for the goroutines, timers or
// connections that are found to leak.
func (t relations) settle(us []casefile.Undecided, fs []casefile.Finding) []casefile.Undecided {
	return slices.DeleteFunc(us, func(u casefile.Undecided) bool {
		return slices.ContainsFunc(fs, func(f casefile.Finding) bool {
			return f.Score > capUnsure && slices.Contains(t.kind(f.Kind).Settles, u.Kind)
		})
	})
}
