package settle

import (
	"testing"

	"github.com/gocasebook/casebook/app/facts"
)

// TestGainOfSuspects: what the source alone confirms promises a share of what is spent at its line, no more than may be
// promised of any work, and nothing where the share says only how much waits or is held.
func TestGainOfSuspects(t *testing.T) {
	for _, c := range []struct {
		sort      facts.Sort
		resource  string
		share     float64
		low, high float64
	}{
		{facts.Cost, "cpu", 0.57, 0.19, 0.57},
		{facts.Cost, "cpu", 0.12, 0.04, 0.12},
		{facts.Cost, "cpu", 1, 0.3333, 0.95}, // some cost always remains
		{facts.Wait, "latency", 1, 0, 0},
		{facts.Hold, "memory", 0.57, 0, 0},
	} {
		f := facts.Fact{Sort: c.sort, Harm: 0.5, Bounds: []facts.Bound{{Resource: c.resource, High: c.share}},
			Stacks: []facts.Stack{{Frames: []facts.Frame{{Function: "main.f", File: "/a.go", Line: 3, Owner: facts.User}}}}}
		got := suspected(&f, "cpu-hot-function", framesOf(&f))
		if g := got.Impact.Gain; g.Low != c.low || g.High != c.high || got.Impact.Share != c.share {
			t.Errorf("%g of %s: %g–%g of %g, want %g–%g", c.share, c.resource, g.Low, g.High, got.Impact.Share, c.low, c.high)
		}
	}
}
