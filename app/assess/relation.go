package assess

import (
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/difference"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/plain"
)

// relation says how two sides of a comparison belong together, as far as their evidence shows it.
func relation(base, now *side) (r difference.Relation) {
	revision := base.build.Revision
	r.OneBuild = revision != "" && revision == now.build.Revision && !base.build.Modified && !now.build.Modified
	var said []string
	if a, b := firstProfile(base.evidence), firstProfile(now.evidence); a != nil && b != nil {
		id := a.Mapping[0].BuildID
		r.OneBuild = r.OneBuild || id != "" && id == b.Mapping[0].BuildID
		if why := apart(a, b); why != "" {
			said = append(said, why)
		}
		if b.TimeNanos > 0 && a.TimeNanos > b.TimeNanos {
			said = append(said, "the base is the later one")
		}
	}
	one, two := runs(base.reading, now.reading)
	switch {
	case one != "":
		r.Text = one
	case two && len(said) == 0:
		r.Text = "two runs of the program: it was started anew, or these are two replicas"
	default:
		r.Text = plain.Text(strings.Join(said, "; "))
	}
	return r
}

// runs says whether the heap profiles of both sides are of one run of a process, or of two; neither where they do not
// show it.
func runs(base, now *diagnose.Reading) (one string, two bool) {
	if base == nil || now == nil || base.Holds() == nil || now.Holds() == nil {
		return "", false
	}
	if g, ok := now.Growth(); ok && slices.Contains(now.EarlierSets, g.First) {
		return "one process, " + number.Duration(g.Last.Taken.Sub(g.First.Taken)) + " later", false
	}
	before, after := base.Holds().Last.Taken, now.Holds().Last.Taken
	return "", !before.IsZero() && after.After(before)
}

// firstProfile is the first profile that says which program it is of.
func firstProfile(evidence []diagnose.Evidence) *profile.Profile {
	for _, e := range evidence[:min(len(evidence), mostOfBuild)] {
		if e.Value == nil && stacks.IsGzip(e.Data) {
			if p := smallProfile(e.Data); p != nil && len(p.Mapping) > 0 && p.Mapping[0].File != "" {
				return p
			}
		}
	}
	return nil
}
