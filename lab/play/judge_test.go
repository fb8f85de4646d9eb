package play

import (
	"math"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/lab"
)

func finding(kind string, score int, function string) casefile.Finding {
	return casefile.Finding{ID: "GC003", Kind: kind, Score: score,
		Where: []casefile.Frame{{Function: "main.main"}, {Function: function}}}
}

func proof(v casefile.Verdict) *casefile.Proof {
	return &casefile.Proof{Verdict: v, Figures: []casefile.Figure{
		{Name: "cpu", Key: true, Before: casefile.Stat{Value: 2, N: 12}, After: casefile.Stat{Value: 1, N: 12},
			Verdict: v},
	}}
}

func TestJudge(t *testing.T) {
	d := lab.Disease{Key: "cpu", Want: lab.Want{Kinds: []string{"cpu-json", "cpu-reflect"}, Function: "decode"}}
	still, needs := d, d
	still.Want.Still = []string{"gc-cpu"}
	needs.Want.Needs = "Diagnose II"
	right := []casefile.Finding{finding("cpu-reflect", 80, "worker.decode"), finding("gc-cpu", 60, "")}
	tripped := &Opened{Rule: "cpu-saturated"}
	for _, c := range []struct {
		name   string
		d      lab.Disease
		found  []casefile.Finding
		cured  []Finding
		opened *Opened
		proof  *casefile.Proof
		want   string // parts of what fails, in order; "": nothing
	}{
		{"all right", d, right, []Finding{{Kind: "gc-cpu", Score: 49}}, tripped, proof(casefile.Better), ""},
		{"by hand", d, right, nil, &Opened{}, proof(casefile.Better), "no default rule tripped"},
		{"nothing found", d, nil, nil, tripped, proof(casefile.Better),
			"nothing was found, want cpu-json or cpu-reflect"},
		{"another at the top", d, []casefile.Finding{right[1], right[0]}, nil, tripped, proof(casefile.Better),
			"gc-cpu 60 is at the top"},
		{"another function", d, []casefile.Finding{finding("cpu-json", 80, "other")}, nil, tripped,
			proof(casefile.Better), "cpu-json does not name decode"},
		{"not cured", d, right, []Finding{{Kind: "gc-cpu", Score: 50}}, tripped, proof(casefile.Better),
			"the cured form has gc-cpu 50"},
		{"known not to be cured", still, right, []Finding{{Kind: "gc-cpu", Score: 50}}, tripped,
			proof(casefile.CannotTell), ""},
		{"not better", d, right, nil, tripped, proof(casefile.CannotTell), "cpu is not better: cannot tell"},
		{"not to be seen yet", needs, nil, nil, &Opened{}, proof(casefile.Better), ""},
		{"not to be seen yet, and not cured", needs, nil, []Finding{{Kind: "gc-cpu", Score: 80}}, &Opened{},
			proof(casefile.Better), "the cured form has"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Result{Cured: c.cured, Opened: c.opened, Proof: c.proof}
			r.judge(c.d, c.found, nil)
			got := strings.Join(r.Fails, "; ")
			if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("fails: %q, want %q", got, c.want)
			}
		})
	}
}

// TestJudgeCapacity: where both forms' limits are searched the cured one must do more, and below the sick one's limit
// the finding must be the same.
func TestJudgeCapacity(t *testing.T) {
	d := lab.Disease{Key: "cpu", Want: lab.Want{Kinds: []string{"net-round-trips"}, Function: "set"}}
	right := []casefile.Finding{finding("net-round-trips", 60, "ads.set")}
	for _, c := range []struct {
		name        string
		sick, cured float64
		below       []casefile.Finding
		want        string
	}{
		{"all right", 800, 1600, right, ""},
		{"no more than before", 800, 800, right, "the cured form's limit, 800 req/s, is not above"},
		{"nothing below", 800, 1600, nil, "at 400 req/s: nothing was found"},
		{"another below", 800, 1600, []casefile.Finding{finding("gc-cpu", 60, "ads.set")}, "at 400 req/s: gc-cpu 60"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &Result{Opened: &Opened{Rule: "cpu-saturated"}, Proof: proof(casefile.Better),
				Capacity: &Capacity{"p90 < 100ms", c.sick, c.cured}, Below: &Below{Rate: 400}}
			r.judge(d, right, c.below)
			if got := strings.Join(r.Fails, "; "); (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
				t.Errorf("fails: %q, want %q", got, c.want)
			}
		})
	}
}

// The promise that counts is that of the wanted finding, at the top or not.
func TestKeep(t *testing.T) {
	d := lab.Disease{Want: lab.Want{Kinds: []string{"cpu-json"}}}
	other, wanted := finding("gc-cpu", 90, ""), finding("cpu-json", 60, "")
	other.Impact = casefile.Impact{Resource: "cpu", Gain: casefile.Gain{Low: 0.1, High: 0.1}}
	wanted.ID = "CPU001"
	wanted.Impact = casefile.Impact{Resource: "cpu", Gain: casefile.Gain{Low: 0.2, High: 0.6}}
	r := &Result{Proof: proof(casefile.Better)}
	r.keep(d, []casefile.Finding{other, wanted})
	if r.Kept == nil || r.Kept.ID != "CPU001" || math.Abs(r.Kept.Ratio()-0.5/0.4) > 1e-9 {
		t.Errorf("kept %+v", r.Kept)
	}
	wanted.Impact.Gain = casefile.Gain{}
	r.Kept = nil
	if r.keep(d, []casefile.Finding{other, wanted}); r.Kept != nil {
		t.Errorf("kept %+v of a finding that promises nothing", r.Kept)
	}
}
