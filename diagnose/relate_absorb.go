package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// sureEnough is the confidence below which a specific finding is added to the general one instead of replacing it.
const sureEnough = 0.65

// absorbWaits folds a general finding into a specific one that names the same function among its first places. The
// collector has no place of its own. The higher score stays, and the absorbed finding's numbers are added.
func (t relations) absorbWaits(fs []casefile.Finding) []casefile.Finding {
	gone := make([]bool, len(fs))
	for i, general := range fs {
		for j := range fs {
			a := t.replaces(fs[j].Kind, general.Kind)
			if a == nil || gone[i] || gone[j] || !t.applies(a) {
				continue
			}
			unsure, same := fs[j].Confidence < sureEnough, a.Same != nil && a.Same(fs[j], general)
			switch {
			case unsure && same && general.Score > capNotice:
				gone[j] = true
				takeOver(&fs[i], fs[j])
			case unsure && !same, !a.If.fits(fs[j], general):
			default:
				gone[i] = true
				replace(&fs[j], general, a.Quiet)
			}
		}
	}
	out := without(fs, gone)
	slices.SortStableFunc(out, byScore)
	return out
}

// takeOver gives a general finding the first remedy of a specific one that is not certain. When memory stays, it is
// certain that it grows, but not that parts keep the whole: limit it first, and copy parts if there are any.
func takeOver(general *casefile.Finding, specific casefile.Finding) {
	absorb(general, specific)
	general.Score = max(general.Score, specific.Score)
	general.Remedies = slices.Insert(slices.Clone(general.Remedies), min(1, len(general.Remedies)),
		specific.Remedies[0])
}

// replace puts a specific finding in the place of a general one. Quiet leaves out the general one's title.
func replace(specific *casefile.Finding, general casefile.Finding, quiet bool) {
	if !quiet {
		specific.Summary += fmt.Sprintf(" %s (%s).", general.Title, general.Kind)
	}
	absorb(specific, general)
	specific.Score = max(specific.Score, general.Score)
}
