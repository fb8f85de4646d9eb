package diagnose

import (
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A cpuBelow is CPU below functions that a predicate names, by the user's line that calls them.
type cpuBelow struct {
	share float64 // of the CPU used
	lines []stacks.Entry[stacks.FrameID]
	ns    float64
}

// below adds up the CPU of samples that have a function for which match is true, between the leaf and the first line of
// the user's code. A sample without a user's line above counts only for the share.
func (v *cpuView) below(r *Reading, match func(*stacks.Func) bool) cpuBelow {
	var c cpuBelow
	sums := make(map[stacks.FrameID]int64)
	set := r.Funcs(match)
	for s, w := range v.set.Counted(v.weight) {
		line, hit := set.BelowUser(r.Table, s.Stack)
		if !hit {
			continue
		}
		c.ns += float64(w)
		if line != stacks.NoFrame {
			sums[line] += w
		}
	}
	c.lines = entries(sums)
	if v.total > 0 {
		c.share = c.ns / v.total
	}
	return c
}

// where names the lines with most of the cost.
func (c cpuBelow) where(r *Reading, role string, n int) []casefile.Frame {
	var out []casefile.Frame
	for _, e := range top(c.lines, n) {
		out = append(out, r.Frame(e.Key, c.share*float64(e.Value)/max(c.ns, 1), role))
	}
	return out
}
