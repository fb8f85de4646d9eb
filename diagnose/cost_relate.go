package diagnose

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// specificOver lists the kinds that say more exactly what a general one says about a line: that it takes CPU, that it
// allocates, or that it hands work over.
func specificOver() map[string][]string {
	var kinds []string
	for _, d := range costDetectors() {
		if d.Kind != "cpu-runtime" {
			kinds = append(kinds, d.Kind)
		}
	}
	return map[string][]string{"cpu-hot-function": kinds, "alloc-site": kinds, "cpu-runtime": {"goroutine-churn", "goroutine-busy-poll", "cpu-spin"}}
}

// garbageCauses are the kinds whose garbage explains the collector's CPU.
func garbageCauses() []cause {
	var out []cause
	for _, k := range costKinds() {
		if strings.HasPrefix(k.id, "AL") {
			out = append(out, cause{"gc-cpu", k.kind, anywhere})
		}
	}
	return out
}

// absorbGeneral folds a general finding into a specific one of the same place, if that explains half of it or more. The higher
// score stays: it is the same place and the same cost. fs are in falling order of score, and stay in it.
func absorbGeneral(fs []casefile.Finding) []casefile.Finding {
	over := specificOver()
	gone := make([]bool, len(fs))
	for i, general := range fs {
		for j := range fs {
			if gone[i] || !slices.Contains(over[general.Kind], fs[j].Kind) || !explains(fs[j], general) {
				continue
			}
			gone[i] = true
			if general.Kind == "alloc-site" {
				explainCollector(fs, fs[j].ID)
			}
			fs[j].Score = max(fs[j].Score, general.Score)
			if more := " In all the line " + verb(general); saysMore(general, fs[j]) && !strings.Contains(fs[j].Summary, more) {
				fs[j].Summary += more + " " + general.Impact.Text + "." // only once: the general ones come in falling order
			}
			fs[j].Evidence = addBasis(fs[j].Evidence, general.Evidence)
		}
	}
	out := without(fs, gone)
	slices.SortStableFunc(out, byScore)
	return out
}

// absorbParts folds a specific finding into a general one of the same line, if it explains less than half of it and is
// about that line alone: avoiding the line avoids its part. The part's first remedy is one more for the whole. fs are
// in falling order of score, and stay in it.
func absorbParts(fs []casefile.Finding) []casefile.Finding {
	over := specificOver()
	gone := make([]bool, len(fs))
	for i := range fs {
		for j, part := range fs {
			if gone[i] || gone[j] || !slices.Contains(over[fs[i].Kind], part.Kind) || !partOf(part, fs[i]) {
				continue
			}
			gone[j] = true
			what, _, _ := strings.Cut(part.Title, ", most at ")
			fs[i].Summary += fmt.Sprintf(" A part of that: %s (%s).", lowerFirst(what), part.Kind)
			if len(part.Remedies) > 0 {
				fs[i].Remedies = append(fs[i].Remedies, part.Remedies[0])
			}
			fs[i].Evidence = addBasis(fs[i].Evidence, part.Evidence)
		}
	}
	return without(fs, gone)
}

// partOf reports whether a specific finding is about the very line of a general one, of which it explains a smaller part.
func partOf(part, general casefile.Finding) bool {
	if len(part.Where) == 0 || len(general.Where) == 0 || part.Score > general.Score || part.Impact.Resource != general.Impact.Resource {
		return false
	}
	p, w := part.Where[0], general.Where[0]
	return p.Function == w.Function && p.Line == w.Line && p.Share >= 0.9*part.Impact.Share && part.Impact.Share < general.Impact.Share
}

func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// explainCollector names a finding that replaced alloc-site as a cause of the collector's work: JSON or logging may
// make most of the garbage, too.
func explainCollector(fs []casefile.Finding, id string) {
	for i := range fs {
		if slices.Contains([]string{"gc-cpu", "gc-frequency", "gc-assist"}, fs[i].Kind) && !slices.Contains(fs[i].CausedBy, id) {
			fs[i].CausedBy = append(fs[i].CausedBy, id)
		}
	}
}

// saysMore reports whether a general finding adds something to the specific one about a place.
func saysMore(general, specific casefile.Finding) bool {
	if general.Kind == "alloc-site" {
		return !strings.Contains(specific.Summary, "garbage")
	}
	return general.Impact.Share > specific.Impact.Share
}

// explains reports whether a specific finding is about the place of a general one and about half of its cost or more.
func explains(specific, general casefile.Finding) bool {
	if len(general.Where) == 0 || specific.Impact.Resource == general.Impact.Resource && specific.Impact.Share < general.Impact.Share/2 {
		return false
	}
	w := general.Where[0]
	for i, p := range specific.Where[:min(len(specific.Where), 3)] {
		if p.Function == w.Function && (p.Line == w.Line || i == 0 && specific.Impact.Resource == general.Impact.Resource) {
			return true
		}
	}
	return false
}
