package diagnose

import (
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// TestGainWithinCost: no finding in all recorded evidence promises to save more than it costs, or anything between a
// little and a lot.
func TestGainWithinCost(t *testing.T) {
	gains := 0
	for _, dir := range caseFolders(t) {
		for _, f := range judged(t, dir).Findings {
			g := f.Impact.Gain
			if g.Low < 0 || g.Low > g.High || g.High > f.Impact.Share {
				t.Errorf("%s: %s costs %v of %s and gives %v to %v back", dir, f.Kind, f.Impact.Share,
					f.Impact.Resource, g.Low, g.High)
			}
			if g.High > widestGain*g.Low+gainStep {
				t.Errorf("%s: %s promises %v to %v", dir, f.Kind, g.Low, g.High)
			}
			if g.High > 0 {
				gains++
			}
		}
	}
	if gains < 50 {
		t.Errorf("%d findings promise a gain, want 50 or more to judge", gains)
	}
}

// TestWithinCost: the engine bounds what any detector promises.
func TestWithinCost(t *testing.T) {
	var rep Report
	f := casefile.Finding{Score: 60, Impact: casefile.Impact{Resource: "cpu", Share: 0.44,
		Gain: casefile.Gain{Low: 0.308, High: 0.528, Arithmetic: "x"}}}
	rep.add(Detector{ID: "X1"}, outcome{answer: found(f)})
	if g := rep.Findings[0].Impact.Gain; g.Low != 0.308 || g.High != 0.44 || !strings.HasPrefix(g.Arithmetic, "x; ") {
		t.Errorf("30.8–52.8 %% of what costs 44 %% became %+v, want 0.308 to 0.44", g)
	}
	f.Impact.Gain = casefile.Gain{Low: 0.1, High: 0.2, Arithmetic: "x"}
	rep.add(Detector{ID: "X1"}, outcome{answer: found(f)})
	if g := rep.Findings[1].Impact.Gain; g != f.Impact.Gain {
		t.Errorf("a gain within the cost became %+v", g)
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
		unknownGains(fs)
		g := fs[0].Impact.Gain
		if known := g.Arithmetic == "x"; known != c.known || known && (g.Low != c.low || g.High != c.high) ||
			!known && (g.Low != 0 || g.High != 0 || !strings.HasSuffix(g.Arithmetic, ": x")) {
			t.Errorf("%v to %v became %+v, want it known: %v", c.low, c.high, g, c.known)
		}
	}
}
