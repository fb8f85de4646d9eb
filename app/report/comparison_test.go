package report

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// What the reader must find without JavaScript.
func TestComparisonSays(t *testing.T) {
	page := text(renderComparison(t, sampleComparison(t)))
	for _, want := range []string{
		"after against before", "GC003 had promised", "cpu_per_request key",
		"CPU time per good answer; lower is better",
		"95 % interval", "noise floor", "p99.99", "Percentiles in numbers", "cpu_per_request in numbers",
		"again a second start",
		"functions whose own cost changed most", "hash/ crc32.simpleUpdate", "The flame graph needs JavaScript",
		"Two runs of the same program never give the same figures", "Linux 6.12", "record -serve before",
		"Constant in every round: errors 0 %",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}

// For two captures the page says what is wrong with each, and no figure has a verdict.
func TestCapturesSay(t *testing.T) {
	html := renderComparison(t, sampleCaptures(t))
	page := text(html)
	for _, want := range []string{"new", "– → 75", "Goroutines wait for a lock", "the capture was shorter",
		"What was judged", "642,099 live objects", "none", "one sample after the other", "cores before"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(html, `scope="col">Verdict<`) {
		t.Error("the page has a column for verdicts that nobody gave")
	}
}

// The charts' numbers are in tables: every round of every figure, and the percentiles.
func TestChartsHaveTables(t *testing.T) {
	c := sampleComparison(t)
	p, err := newComparisonPage(c)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range p.Charts() {
		if f.Constant != "" || (f.Dist == nil || f.Order == nil || len(f.Table) != 10 || len(f.Table[0].Values) != 3) {
			t.Errorf("%s: %d rows in the table, want 10 of three starts, and both charts", f.Name, len(f.Table))
		}
	}
	if n := len(p.Latency.Rows); n < 8 {
		t.Errorf("%d percentiles are in the table, want 8 or more", n)
	}
}

func TestComparisonIsDeterministic(t *testing.T) {
	if first, second := renderComparison(t, sampleComparison(t)),
		renderComparison(t, sampleComparison(t)); first != second {
		t.Error("the same input gives two different pages")
	}
}

func TestComparisonWeight(t *testing.T) {
	const limit = 400_000
	page := renderComparison(t, sampleComparison(t))
	t.Logf("the page has %d bytes", len(page))
	if len(page) > limit {
		t.Errorf("the page has %d bytes, want at most %d", len(page), limit)
	}
}

func TestEmptyComparison(t *testing.T) {
	page := text(renderComparison(t, Comparison{}))
	for _, want := range []string{"The method is not recorded", "The machine is not recorded",
		"The commands are not recorded"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page of nothing does not say %q:\n%s", want, page)
		}
	}
}

func TestComparisonWriteError(t *testing.T) {
	if err := WriteComparison(fullDisk{}, Comparison{Title: "c1"}); !errors.Is(err, errFull) ||
		!strings.Contains(err.Error(), `"c1"`) {
		t.Errorf("got %v, want the writer's error and the title", err)
	}
}

// A day of windows is drawn as lines and curves, and the page says what its tables leave out.
func TestManyRounds(t *testing.T) {
	c := sampleComparison(t)
	values := make([]float64, 86_400)
	for i := range values {
		values[i] = 1 + float64(i%1000)/1000
	}
	c.Figures = c.Figures[:1]
	c.Figures[0].Rounds = Rounds{Before: values, After: values[:500]}
	c.Profiles, c.Latency = nil, nil
	page := renderComparison(t, c)
	if len(page) > 300_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
	if !strings.Contains(text(page), "86200 more are not listed") ||
		strings.Contains(page, "<use href=\"#sign-before\" x=") {
		t.Error("the page does not say what its table leaves out, or draws every round")
	}
}

func TestOfLoad(t *testing.T) {
	f := sampleLoad(t, "b.json")
	f.Limited, f.Ended = "it used 99 % of its CPU", "interrupted"
	c, err := OfLoad(f)
	if err != nil {
		t.Fatal(err)
	}
	page := text(renderComparison(t, c))
	for _, want := range []string{"requests were sent", "The generator limited these figures: it used 99 %",
		"The run ended early: interrupted", "window of 401", "p99.99"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	f.Total.Latency.HDR = "broken"
	if _, err := OfLoad(f); err == nil {
		t.Error("a damaged histogram is drawn")
	}
}

func TestOfLoads(t *testing.T) {
	a, b := sampleLoad(t, "a.json"), sampleLoad(t, "b.json")
	side := func(label string, f *load.File) prove.Side {
		var known []prove.Round
		for _, r := range windowRounds(f) {
			known = append(known, prove.Round{prove.P50: r[prove.P50], prove.P99: r[prove.P99],
				prove.Throughput: r[prove.Throughput]})
		}
		return prove.Side{Variant: casefile.Variant{Label: label}, Rounds: known}
	}
	proof, err := prove.Compare(side("old", a), side("new", b), prove.Options{Key: prove.P50})
	if err != nil {
		t.Fatal(err)
	}
	c := OfLoads(a, b, proof)
	page := text(renderComparison(t, c))
	for _, want := range []string{"new against old", "one after the other", "Percentiles in numbers",
		"p50 in numbers"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	b.Total.Latency.HDR = "broken"
	if c := OfLoads(a, b, proof); len(c.Latency) != 0 || len(c.Warnings) == 0 {
		t.Errorf("with a damaged histogram there are %d curves and the warnings %q", len(c.Latency), c.Warnings)
	}
	if n := len(c.figure(prove.P50).Rounds.After); n != len(b.Windows) {
		t.Errorf("%d rounds, want one of each of the %d windows", n, len(b.Windows))
	}
}

// The curve of a histogram ends where one request alone makes up the percentile, and it rises.
func TestLatencyCurve(t *testing.T) {
	l, err := sampleLoad(t, "a.json").Total.Latency.Latency()
	if err != nil {
		t.Fatal(err)
	}
	c := LatencyCurve(l)
	if last := c[len(c)-1]; last.Q != 1 || last.Seconds != l.Max().Seconds() {
		t.Errorf("the curve ends at %+v, want the maximum", last)
	}
	if before := c[len(c)-2].Q; 1/(1-before) > 1.001*float64(l.Count()) {
		t.Errorf("of %d requests the curve has percentile %v", l.Count(), before)
	}
	if !slices.IsSortedFunc(c, func(a, b CurvePoint) int { return int(math.Copysign(1, a.Q-b.Q)) }) {
		t.Error("the percentiles do not rise")
	}
	for i := range c[1:] {
		if c[i+1].Seconds < c[i].Seconds {
			t.Fatalf("the latency falls from %+v to %+v", c[i], c[i+1])
		}
	}
	for _, q := range []float64{0.5, 0.99} {
		if v, ok := c.at(q); !ok || v != l.Quantile(q).Seconds() {
			t.Errorf("at %v the curve has %v, want %v", q, v, l.Quantile(q).Seconds())
		}
	}
}

func hostileComparison(t testing.TB) Comparison {
	t.Helper()
	var c Comparison
	poison(reflect.ValueOf(&c).Elem())
	c.Served = "" // a server says it, no evidence
	evil := hostileProfile(t)
	c.Profiles = []ProfilePair{{Name: attack, Before: evil, After: evil, Unit: attack},
		{Name: attack, Before: []byte(attack), After: evil}}
	return c
}

func TestHostileComparisonExecutesNothing(t *testing.T) {
	b := browse(t)
	b.openComparison(hostileComparison(t), 1280)
	b.harmless()
	b.quiet()
}

func FuzzWriteComparison(f *testing.F) {
	f.Add([]byte{}, "", 0.0, 1.0, 2)
	f.Add(hostileProfile(f), attack, -1e300, math.Inf(1), 100)
	f.Add([]byte{0x1f, 0x8b}, "bytes", math.NaN(), 1e-310, 70)
	f.Add([]byte{}, "", 0.0, 1.0, 3)       // three sides
	f.Add([]byte{}, "s", 1e308, 1.0, 2)    // a scale that ends at infinity
	f.Add([]byte{}, "s", 1.0, 5e-324, 2)   // and one that begins at nothing
	f.Add([]byte{}, "", -1e308, 1e308, 60) // wider than a number can hold
	f.Fuzz(func(t *testing.T, data []byte, text string, v, w float64, n int) {
		values := slices.Repeat([]float64{v, w}, max(0, min(n, 200)))
		stat := casefile.Stat{Value: v, Low: w, High: v, N: n}
		figure := Measured{Figure: casefile.Figure{Name: text, Unit: text, Before: stat, After: stat,
			Effect: &casefile.Effect{Value: v, Low: w, High: v, Noise: w, Absolute: n%2 == 0}},
			Rounds: Rounds{values, values, values}}
		c := Comparison{Title: text, Sides: make([]Side, max(0, min(n, 3))), Figures: []Measured{figure},
			Latency: []Curve{{{v, w}, {w, v}}, {{0.5, w}, {0.9, v}}}, Noise: []CurveBand{{v, w, v}},
			Profiles: []ProfilePair{{Name: text, Before: data, After: data, LevelBefore: v, LevelAfter: w, Noise: v}}}
		if page := renderComparison(t, c); !strings.Contains(page, "</html>") || strings.Contains(page, "NaN") &&
			!strings.Contains(text, "NaN") {
			t.Error("the page is incomplete, or has a coordinate that is not a number")
		}
	})
}
