package diagnose

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// TestWithinCost: the engine bounds what any detector promises.
func TestWithinCost(t *testing.T) {
	var rep Report
	f := casefile.Finding{Score: 60, Impact: casefile.Impact{Resource: "cpu", Share: 0.44,
		Gain: casefile.Gain{Low: 0.308, High: 0.528, Arithmetic: "x"}}}
	rep.add(Detector{ID: "X1"}, outcome{answer: found(f)})
	if g := rep.Findings[0].Impact.Gain; g.Low != 0.308 || g.High != 0.44 || !g.Capped {
		t.Errorf("30.8–52.8 %% of what costs 44 %% became %+v, want 0.308 to 0.44 and that it was capped", g)
	}
	f.Impact.Gain = casefile.Gain{Low: 0.1, High: 0.2, Arithmetic: "x"}
	rep.add(Detector{ID: "X1"}, outcome{answer: found(f)})
	if g := rep.Findings[1].Impact.Gain; g != f.Impact.Gain {
		t.Errorf("a gain within the cost became %+v", g)
	}
}

// TestCured: less garbage saves all that the collector does for it, on idle CPUs and in the scheduler, too.
func TestCured(t *testing.T) {
	v := &cpuView{total: 100, idle: 25, yields: 4}
	v.class[stacks.GCMark], v.class[stacks.GCSweep], v.class[stacks.Scavenge] = 10, 5, 1
	for _, c := range []struct{ cpu, garbage, want float64 }{
		{0, 0, 0}, {0.5, 0, 50. / 125}, {0, 1, 45. / 125}, {0.5, 0.8, 86. / 125},
	} {
		if got := v.cured(c.cpu, c.garbage); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("calls of %v that make %v of the garbage: %v, want %v", c.cpu, c.garbage, got, c.want)
		}
	}
}

// TestPromised: no promise is wider than a factor of three, or all of the CPU.
func TestPromised(t *testing.T) {
	for _, c := range []struct{ least, most, low, high float64 }{
		{0.2, 0.4, 0.2, 0.4}, {0.1, 0.8, 0.1, 0.3}, {0.6, 1, 0.6, 0.95}, {0.97, 1, 0.95, 0.95}, {0, 0.5, 0, 0},
	} {
		if low, high := promised(c.least, c.most); low != c.low || high != c.high {
			t.Errorf("%v to %v became %v to %v, want %v to %v", c.least, c.most, low, high, c.low, c.high)
		}
	}
}

// readingOf is the reading of one piece of evidence.
func readingOf(t *testing.T, e Evidence) *Reading {
	t.Helper()
	r, rep := read(context.Background(), Input{Evidence: []Evidence{e}})
	if len(rep.Problems) > 0 {
		t.Fatal(rep.Problems)
	}
	return r
}

// TestRest: what the functions do beside the calls, of which none is counted twice.
func TestRest(t *testing.T) {
	const own, calls = "main.fill main.main", "runtime.growslice main.fill main.main"
	r := readingOf(t, cpuProfile(t, 10, map[string]int64{own: 300, calls: 200, "main.other main.main": 500}))
	c := r.costs()
	if lines := c.lines["alloc-grow"]; len(lines) != 1 {
		t.Fatalf("%d lines grow slices, want 1", len(lines))
	} else if got := c.rest(lines); math.Abs(got.cpu-0.3) > 1e-9 {
		t.Errorf("beside growing, main.fill takes %v, want 0.3", got.cpu)
	} else if l := lines[0]; math.Abs(l.own-0.2) > 1e-9 {
		t.Errorf("%v of the growing is in the function itself, want 0.2", l.own)
	}
}

// TestSweeperYields: the scheduler's work for the sweeper, which looks like that for Gosched, is the collector's only
// if there is a sweeper and no Gosched.
func TestSweeperYields(t *testing.T) {
	const yield, sweep = "runtime.schedule runtime.goschedImpl runtime.gosched_m runtime.mcall",
		"runtime.sweepone runtime.bgsweep"
	for _, c := range []struct {
		name  string
		ticks map[string]int64
		want  float64
	}{
		{"of a sweeper", map[string]int64{yield: 200, sweep: 100, workStack: 700}, 0.2},
		{"more than a sweeper's", map[string]int64{yield: 300, sweep: 10, workStack: 690}, 0},
		{"the program yields", map[string]int64{yield: 200, sweep: 100, workStack: 690,
			"runtime.Gosched main.await main.main": 10}, 0},
	} {
		v := readingOf(t, cpuProfile(t, 10, c.ticks)).cpu()
		if got := v.yields / v.total; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v are the collector's, want %v", c.name, got, c.want)
		}
	}
}

// TestUnknownGains: a promise that is right whatever comes is none; what it rested on stays readable.
func TestUnknownGains(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		known     bool
	}{{0.1, 0.3, true}, {0.0333, 0.1001, true}, {0.1, 0.31, false}, {0, 0.2, false}, {0, 0, true}, {0.4, 0.4, true}} {
		given := casefile.Gain{Low: c.low, High: c.high, Arithmetic: "x"}
		fs := []casefile.Finding{{Impact: casefile.Impact{Gain: given}}}
		sayGains(fs)
		g := fs[0].Impact.Gain
		if known := g.Arithmetic == "x"; known != c.known || known && (g.Low != c.low || g.High != c.high) ||
			!known && (g.Low != 0 || g.High != 0 || !strings.HasSuffix(g.Arithmetic, ": x")) {
			t.Errorf("%v to %v became %+v, want it known: %v", c.low, c.high, g, c.known)
		}
	}
}
