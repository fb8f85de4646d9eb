package diagnose

import (
	"fmt"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// Causes stand before symptoms, and settings before what they do. So a finding may stand below a less severe one: what
// hurts most is then not what is read first. Each says why.

// sayOrder sets Order where a finding stands below a less severe one.
func (g *causeGraph) sayOrder() {
	for i := range g.fs {
		above := -1
		for k := range i {
			if band(g.fs[k]) < band(g.fs[i]) && (above < 0 || g.leads(k, i)) {
				above = k
			}
		}
		if above >= 0 {
			g.fs[i].Order = g.orderOf(above, i)
		}
	}
}

// band is the rank of a severity.
func band(f casefile.Finding) int {
	return slices.Index([]string{"", casefile.Notice, casefile.Warning, casefile.Critical}, f.Severity())
}

// orderOf says why a less severe finding stands above.
func (g *causeGraph) orderOf(above, i int) string {
	cause := fmt.Sprintf("%s %s", g.fs[above].ID, g.fs[above].Kind)
	if g.leads(above, i) {
		return cause + " above scores less and is its cause: change that first"
	}
	for k := above + 1; k < i; k++ {
		if g.leads(above, k) {
			return fmt.Sprintf("%s above scores less and is the cause of %s, which scores %d", cause, g.fs[k].ID,
				g.fs[k].Score)
		}
	}
	return cause + " above scores less: its change comes first, and may be all that is needed"
}
