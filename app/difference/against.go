package difference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// A BasisPair is the evidence of both sides of a comparison, for one kind: "1,204 samples over 10.0 s" and "3,611
// samples over 30.0 s". A side without evidence has "".
type BasisPair struct {
	Kind string `json:"kind"`
	Base string `json:"base"`
	Now  string `json:"now"`
}

// against states the evidence of both sides, kind by kind.
func against(base, now []diagnose.Artefact) (out []BasisPair) {
	var kinds []string
	for _, a := range slices.Concat(base, now) {
		if !slices.Contains(kinds, a.Kind) {
			kinds = append(kinds, a.Kind)
			out = append(out, BasisPair{a.Kind, basisText(base, a.Kind), basisText(now, a.Kind)})
		}
	}
	return out
}

// doubt withdraws that a finding is gone if the evidence it was based on was not captured again. Its detector may have
// looked at other evidence, which does not show the fault.
func (c *Change) doubt(now []diagnose.Artefact) {
	if c.State != diagnose.StateGone {
		return
	}
	var missing []string
	there := false
	for _, e := range c.Base.Evidence {
		switch has := slices.ContainsFunc(now, func(a diagnose.Artefact) bool { return sameKind(a.Kind, e.Kind) }); {
		case has:
			there = true
		case !slices.Contains(missing, e.Kind):
			missing = append(missing, e.Kind)
		}
	}
	if len(missing) == 0 {
		return
	}
	c.Note = "it was based on evidence that is missing now: " + strings.Join(missing, ", ")
	if !there {
		c.State, c.Score, c.Share = diagnose.StateUnjudged, 0, 0
	}
}

// sameKind reports whether two kinds contain the same: an allocs profile is a heap profile with another default.
func sameKind(a, b string) bool {
	plain := func(kind string) string {
		switch kind {
		case casefile.Allocs:
			return casefile.Heap
		case casefile.GoroutineDump:
			return casefile.Goroutine
		}
		return kind
	}
	return plain(a) == plain(b)
}

// basisText describes the evidence of one kind.
func basisText(read []diagnose.Artefact, kind string) string {
	var texts []string
	for _, a := range read {
		if a.Kind == kind {
			texts = append(texts, a.Text)
		}
	}
	if len(texts) > 2 {
		return fmt.Sprintf("%d files: %s; …; %s", len(texts), texts[0], texts[len(texts)-1])
	}
	return strings.Join(texts, "; ")
}
