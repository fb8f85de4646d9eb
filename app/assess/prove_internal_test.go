package assess

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/casefile"
)

func TestSidesAreNamedByWhatDiffers(t *testing.T) {
	spec := func(env []string, args ...string) child.Spec { return child.Spec{Env: env, Args: args} }
	for _, c := range []struct {
		name  string
		sides Sides
		want  [2]string
		same  bool
	}{
		{"commands", Sides{A: spec(nil, "./old", "-p", "{port}"), B: spec(nil, "./new", "-p", "{port}")},
			[2]string{"./old", "./new"}, false},
		{"environments", Sides{A: spec(nil, "./s"), B: spec([]string{"GOGC=400"}, "./s")}, [2]string{"A", "GOGC=400"},
			false},
		{"nothing", Sides{A: spec(nil, "./s"), B: spec(nil, "./s")}, [2]string{"A", "B"}, true},
		{"named", Sides{A: spec(nil, "./s"), B: spec(nil, "./s"), Names: [2]string{"then", "now"}},
			[2]string{"then", "now"}, true},
	} {
		if got := c.sides.Same(); got != c.same {
			t.Errorf("%s: the same: %v, want %v", c.name, got, c.same)
		}
		remove, err := c.sides.build(t.Context(), func(text string) { t.Errorf("%s: it says %q", c.name, text) })
		if err != nil || remove() != nil || c.sides.Names != c.want {
			t.Errorf("%s: names %q, %v; want %q", c.name, c.sides.Names, err, c.want)
		}
		if v := c.sides.variant(1); v.Label != c.want[1] || v.Command != c.sides.B.Command() {
			t.Errorf("%s: the proof has %+v for B", c.name, v)
		}
	}
}

func TestLoadText(t *testing.T) {
	ramp, err := load.ParseSchedule("ramp 50..800 60s")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		trial trial.Config
		want  string
	}{
		{trial.Config{Rate: 300, Arrivals: load.RandomArrivals},
			"300/s to /items, poisson arrivals, open model, in turns of 250ms, the same for A and B"},
		{trial.Config{Pace: ramp},
			ramp.Text +
				" to /items, poisson arrivals, open model, in turns of 250ms from all over it, the same for A and B"},
	} {
		r := ProveRequest{URL: "/items", Trial: c.trial}
		if got := r.loadText(250 * time.Millisecond); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A proof of an opinion's change is about the finding at its place, and about none where there is none, though the case
// has a finding whose promise is measured.
func TestProofOfAnOpinion(t *testing.T) {
	hot := casefile.Finding{ID: "CPU001", Kind: "cpu-json", Where: []casefile.Frame{{Function: "main.(*shop).list"}},
		Impact: casefile.Impact{Resource: "cpu", Gain: casefile.Gain{Low: 0.1, High: 0.2}}}
	f := &casefile.Folder{Case: casefile.Case{ID: "x", Diagnosis: casefile.Diagnosis{Findings: []casefile.Finding{hot}},
		Opinions: []casefile.Opinion{{ID: "O1", Where: []casefile.At{{Function: "(*shop).list"}}},
			{ID: "O2", Where: []casefile.At{{Function: "main.save"}}}}}}
	measured := casefile.Stat{Value: 1, N: 6}
	for id, want := range map[string]*casefile.Treated{"o1": prove.Treated(&hot), "O2": nil} {
		p := &Proved{Case: f, Proof: casefile.Proof{Verdict: casefile.Better,
			Figures: []casefile.Figure{{Name: prove.CPUPerRequest, Before: measured, After: measured}}}}
		if err := p.ofOpinion(id); err != nil {
			t.Fatal(err)
		}
		p.putBeside()
		if got := p.Proof.Finding; (got == nil) != (want == nil) || got != nil && *got != *want {
			t.Errorf("of %s the proof is about %+v, want %+v", id, got, want)
		}
		if p.Proof.Opinion != strings.ToUpper(id) || (p.Proof.Promise != "") != (want != nil) {
			t.Errorf("of %s the proof is %+v", id, p.Proof)
		}
	}
	p := &Proved{Case: f}
	if err := p.ofOpinion("O3"); err == nil || !strings.Contains(err.Error(), "it has O1, O2") {
		t.Errorf("of an opinion that is not there: %v", err)
	}
	f.Case.Opinions = nil
	if err := p.ofOpinion("O1"); err == nil || !strings.Contains(err.Error(), "casebook answer") {
		t.Errorf("of a case without opinions: %v", err)
	}
}
