package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/words"
)

// absorbGeneral folds a general finding into a specific one of the same place, if that explains half of it or more. The
// higher score stays: it is the same place and the same cost. fs are in falling order of score, and stay so.
func (t relations) absorbGeneral(fs []casefile.Finding) []casefile.Finding {
	gone := make([]bool, len(fs))
	type quoted struct{ id, verb string }
	said := map[quoted]bool{} // the general ones come in falling order: the same is said once
	for i, general := range fs {
		for j := range fs {
			if gone[i] || !t.refines(fs[j].Kind, general.Kind) || !explains(fs[j], general) {
				continue
			}
			gone[i] = true
			t.inherit(fs[j].ID, general.Kind, fs)
			if q := (quoted{fs[j].ID, t.kind(general.Kind).Quoted.Verb}); !said[q] && t.saysMore(general, fs[j]) {
				fs[j].Summary += " In all " + placeBeside(general, fs[j], "the line") + " " + t.quote(general) + "."
				said[q] = true
			}
			absorb(&fs[j], general)
			fs[j].Score = max(fs[j].Score, general.Score)
		}
	}
	out := without(fs, gone)
	slices.SortStableFunc(out, byScore)
	return out
}

// absorbParts folds a specific finding into a general one about the same line, if it explains less than half of it and
// is about that line alone: avoiding the line avoids its part. The part's first remedy is added to the whole's. fs are
// in falling order of score, and stay so.
func (t relations) absorbParts(fs []casefile.Finding) []casefile.Finding {
	gone := make([]bool, len(fs))
	for i := range fs {
		for j, part := range fs {
			if gone[i] || gone[j] || !t.refines(part.Kind, fs[i].Kind) || !partOf(part, fs[i]) {
				continue
			}
			gone[j] = true
			fs[i].Summary += fmt.Sprintf(" A part of that: %s (%s).", lowerFirst(cmp.Or(part.Brief, part.Title)), part.Kind)
			if len(part.Remedies) > 0 {
				fs[i].Remedies = append(fs[i].Remedies, part.Remedies[0])
			}
			absorb(&fs[i], part)
		}
	}
	return without(fs, gone)
}

// partOf reports whether a specific finding is about the very line of a general one, of which it explains a smaller
// part.
func partOf(part, general casefile.Finding) bool {
	if len(part.Where) == 0 || len(general.Where) == 0 || part.Score > general.Score ||
		part.Impact.Resource != general.Impact.Resource {
		return false
	}
	p, w := part.Where[0], general.Where[0]
	return p.Function == w.Function && p.Line == w.Line && p.Share >= 0.9*part.Impact.Share &&
		part.Impact.Share < general.Impact.Share
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// inherit makes a finding that replaces a general one a cause of what the general one explains anywhere: JSON or
// logging may make most of the garbage, too.
func (t relations) inherit(id, general string, fs []casefile.Finding) {
	for i := range fs {
		c := to(fs[i].Kind, t.kind(general).Explains)
		if c != nil && c.If == nil && t.applies(c) && !slices.Contains(fs[i].CausedBy, id) {
			fs[i].CausedBy = append(fs[i].CausedBy, id)
		}
	}
}

// saysMore reports whether a general finding adds something to the specific one about a place.
func (t relations) saysMore(general, specific casefile.Finding) bool {
	if of := t.kind(general.Kind).Quoted.Of; of != "" {
		return !namesCost(specific, of)
	}
	return general.Impact.Share > specific.Impact.Share
}

// placeBeside names the first place of a finding in the text of another one: as the same, if it is the first there,
// too.
func placeBeside(f, other casefile.Finding, same string) string {
	g, s := f.Where[0], other.Where[0]
	if g.Function == s.Function && g.Line == s.Line {
		return same
	}
	g.Function, g.File = short(g.Function), words.Base(g.File)
	return words.Place(g)
}

// callsBack reports whether a general finding is about a closure of the specific one's function, within its cost: the
// comparison that is given to a sort. The handlers of a main function are closures of it, too, and not within its cost.
func callsBack(specific, general casefile.Finding) bool {
	return strings.HasPrefix(general.Where[0].Function, specific.Where[0].Function+".func") &&
		specific.Impact.Resource == general.Impact.Resource && specific.Impact.Share >= general.Impact.Share
}

// explains reports whether a specific finding is about the place of a general one and about half of its cost or more.
func explains(specific, general casefile.Finding) bool {
	if len(general.Where) == 0 || specific.Impact.Resource == general.Impact.Resource &&
		specific.Impact.Share < general.Impact.Share/2 {
		return false
	}
	w := general.Where[0]
	if len(specific.Where) > 0 && callsBack(specific, general) {
		return true
	}
	for i, p := range specific.Where[:min(len(specific.Where), 3)] {
		if p.Function == w.Function && (p.Line == w.Line || i == 0 &&
			specific.Impact.Resource == general.Impact.Resource) {
			return true
		}
	}
	return false
}
