package compare

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/difference"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

func written(t *testing.T, c report.Comparison) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.WriteComparison(&b, c); err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("\u00a0", " ", "&#39;", "'", "&#43;", "+").Replace(b.String())
}

// TestPageOfBenchmarks: each row is a figure with all of its runs, in the order in which they were made.
func TestPageOfBenchmarks(t *testing.T) {
	old := bench("ns/op", map[string][]float64{"A": spread(100, 0.02, 10), "B": spread(5, 0.3, 10)}, "A", "B")
	latest := bench("ns/op", map[string][]float64{"A": spread(150, 0.02, 10), "B": spread(5, 0.3, 10)}, "A", "B")
	c := reportOf(t, old, latest, Options{}).Page()
	if len(c.Figures) != 3 {
		t.Fatalf("%d figures, want A, B and the geomean", len(c.Figures))
	}
	a := c.Figures[0]
	if a.Name != "A, sec/op" || a.Verdict != casefile.Worse || a.Effect == nil || math.Abs(a.Effect.Value-0.5) > 0.01 ||
		a.Unit != string(vitals.Seconds) {
		t.Errorf("the first figure is %+v, want A with 50 %% more", a)
	}
	for i, v := range spread(100, 0.02, 10) {
		if got := a.Rounds.Before[i] * 1e9; math.Abs(got-v) > 1e-6 {
			t.Errorf("run %d is %v ns, want %v: the runs in their order", i, got, v)
		}
	}
	if g := c.Figures[2]; g.Name != "geomean, sec/op" || g.Effect == nil || g.Verdict != "" {
		t.Errorf("the last figure is %+v, want the geomean", g)
	}
	page := written(t, c)
	for _, want := range []string{"new against old", "1 worse", "A, sec/op in numbers", "one run after the other",
		"Mann–Whitney", "example.com/shop"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// TestPageEscapes: names of benchmarks and findings come from others.
func TestPageEscapes(t *testing.T) {
	finding := casefile.Finding{Title: hostile, Score: 60, Where: []casefile.Frame{{Function: "main.<b>"}}}
	c := hostileReport(t).Page()
	c.Findings = pageChanges(&difference.Difference{Against: []difference.BasisPair{{Kind: "cpu", Now: hostile}},
		Totals: []difference.Total{{Name: hostile}}, Places: []difference.Place{{Function: hostile}},
		Changes: []difference.Change{{Change: diagnose.Change{State: diagnose.StateNew, Now: &finding}}}})
	page := written(t, c)
	if strings.Contains(page, "<script>alert") || strings.Contains(page, "main.<b>") {
		t.Error("a name of the input became part of the page")
	}
	for _, want := range []string{"&lt;script&gt;", `class="verdict worse">new`, "– → 60"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// TestPageOfSeveralColumns: each pair says which side is its "after".
func TestPageOfSeveralColumns(t *testing.T) {
	text := func(v float64) string { return bench("ns/op", map[string][]float64{"A": spread(v, 0.02, 6)}, "A") }
	r, err := OfBenchmarks([]Input{{"x", strings.NewReader(text(10))}, {"y", strings.NewReader(text(12))},
		{"z", strings.NewReader(text(9))}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := r.Page()
	if len(c.Figures) != 2 || c.Figures[0].Text != "after: y" || c.Figures[1].Text != "" {
		t.Errorf("figures %+v, want one after y and one after z, which the page is of", c.Figures)
	}
}

func TestPageOfProofs(t *testing.T) {
	proof := func(p99 float64) *casefile.Proof {
		return &casefile.Proof{Figures: []casefile.Figure{{Name: prove.P99, Unit: string(vitals.Seconds), Better: lower,
			After: casefile.Stat{Value: p99, Low: 0.99 * p99, High: 1.01 * p99, N: 8}}}}
	}
	r, err := OfProofs("a", proof(0.1), "b", proof(0.2), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.AddBlocks([]prove.Block{{B: prove.Round{prove.P99: 0.1}}, {}},
		[]prove.Block{{B: prove.Round{prove.P99: 0.19}}, {B: prove.Round{prove.P99: 0.21}}})
	f := r.Page().Figures[0]
	if f.Verdict != casefile.Worse || f.Text == "" || len(f.Rounds.Before) != 1 || len(f.Rounds.After) != 2 ||
		f.Rounds.After[1] != 0.21 {
		t.Errorf("the figure is %+v, want it worse, with its text and the blocks that have it", f)
	}
}

// TestPageOfEvidence: the vitals during the trouble beside those of the other side, and the profiles that both have.
func TestPageOfEvidence(t *testing.T) {
	history := func(goroutines ...float64) []byte {
		var samples []vitals.Sample
		for i, v := range goroutines {
			s := vitals.NewSample(time.Unix(int64(i), 0))
			s.Set(vitals.Goroutines, v)
			samples = append(samples, s)
		}
		var b bytes.Buffer
		if err := vitals.WriteJSONL(&b, samples, &vitals.Catalog{}, nil); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	read := func(name, kind string, n int) diagnose.Artefact {
		return diagnose.Artefact{Name: name, Kind: kind, Samples: n}
	}
	a := Capture{
		Evidence: []diagnose.Evidence{{Name: "v", Data: history(10, 12, 11)},
			{Name: "g", Data: []byte("goroutine profile: total 3")}},
		Read: []diagnose.Artefact{read("v", casefile.Vitals, 3), read("g", casefile.Goroutine, 3)},
	}
	b := Capture{
		Evidence: []diagnose.Evidence{{Name: "before", Phase: casefile.Before, Data: history(1, 2, 3, 4)},
			{Name: "during", Phase: casefile.During, Data: history(500, 700)},
			{Name: "g", Data: []byte{0x1f, 0x8b}}, {Name: "lost"}},
		Read: []diagnose.Artefact{read("before", casefile.Vitals, 4), read("during", casefile.Vitals, 2),
			read("g", casefile.Goroutine, 3), read("gone", casefile.CPU, 3)},
	}
	c := OfEvidence("healthy.zip", "dir/incident.zip", a, b, &difference.Difference{})
	if len(c.Figures) != 1 || c.Figures[0].Before.Value != 11 || c.Figures[0].After.Value != 600 ||
		c.Figures[0].Verdict != "" {
		t.Errorf("the figures are %+v, want goroutines from 11 to 600, without a verdict", c.Figures)
	}
	for i := range b.Evidence { // a folder that knows no phases: the latest, which is not the longest
		b.Evidence[i].Phase = ""
	}
	b.Evidence[1].Data = history(500, 700, 700, 800, 900)
	if f := OfEvidence("a", "b", a, b, &difference.Difference{}).Figures[0]; f.After.Value != 700 {
		t.Errorf("without phases it is %g, want 700, the median of the latest vitals", f.After.Value)
	}
	if len(c.Profiles) != 0 {
		t.Errorf("%d profiles are compared, want none: one is text", len(c.Profiles))
	}
	page := written(t, c)
	for _, want := range []string{"incident.zip against healthy.zip", "No findings",
		"goroutines in numbers"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
