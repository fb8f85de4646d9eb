package prove_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// rounds makes rounds of one figure.
func rounds(name string, vs ...float64) []prove.Round {
	var rs []prove.Round
	for _, v := range vs {
		rs = append(rs, prove.Round{name: v})
	}
	return rs
}

// repeat makes n rounds with the same value.
func repeat(name string, v float64, n int) []prove.Round {
	vs := make([]float64, n)
	for i := range vs {
		vs[i] = v
	}
	return rounds(name, vs...)
}

// around makes n rounds that spread evenly over v ± spread, in an order without a trend.
func around(name string, v, spread float64, n int) []prove.Round {
	vs := make([]float64, n)
	for i := range vs {
		vs[i] = v + spread*(2*float64(i)/float64(n-1)-1)
	}
	r := rand.New(rand.NewPCG(1, uint64(n)))
	r.Shuffle(n, func(i, j int) { vs[i], vs[j] = vs[j], vs[i] })
	return rounds(name, vs...)
}

// climb makes n rounds that rise by one step each.
func climb(figure string, from, step float64, n int) []prove.Round {
	out := make([]prove.Round, n)
	for i := range out {
		out[i] = prove.Round{figure: from + step*float64(i)}
	}
	return out
}

func TestCompareVerdicts(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name          string
		figure        string
		before, after []prove.Round
		want          casefile.Verdict
		note          string
	}{
		{"far lower", prove.GCCPU, around(prove.GCCPU, 0.41, 0.03, 20), around(prove.GCCPU, 0.03, 0.01, 20),
			casefile.Better, ""},
		{"far higher", prove.P99, around(prove.P99, 0.010, 0.001, 20), around(prove.P99, 0.020, 0.001, 20),
			casefile.Worse, ""},
		{"higher is better", prove.Throughput, around(prove.Throughput, 800, 20, 10),
			around(prove.Throughput, 1500, 20, 10), casefile.Better, ""},
		{"lower is worse", prove.Throughput, around(prove.Throughput, 1500, 20, 10),
			around(prove.Throughput, 800, 20, 10), casefile.Worse, ""},
		{"the same, little noise", prove.RSS, around(prove.RSS, 1e9, 1e6, 20), around(prove.RSS, 1.001e9, 1e6, 20),
			casefile.Same, ""},
		{"real, but below the margin", prove.RSS, around(prove.RSS, 1e9, 1e6, 20), around(prove.RSS, 1.01e9, 1e6, 20),
			casefile.Same, ""},
		{"real, and the margin within its interval", prove.RSS, around(prove.RSS, 1e9, 2e7, 90),
			around(prove.RSS, 1.019e9, 2e7, 90), casefile.CannotTell, "too small to matter"},
		{"noise", prove.P99, around(prove.P99, 0.010, 0.005, 20), around(prove.P99, 0.0105, 0.005, 20),
			casefile.CannotTell, "the change is between −"},
		{"three rounds", prove.P99, rounds(prove.P99, 0.010, 0.011, 0.012), rounds(prove.P99, 0.020, 0.021, 0.022),
			casefile.CannotTell, "take at least 4 per side"},
		{"one round", prove.P99, rounds(prove.P99, 0.010), rounds(prove.P99, 0.020), casefile.CannotTell,
			"one round per side cannot show a change: take at least 4 per side"},
		{"climbing, far apart", prove.HeapObjects, climb(prove.HeapObjects, 35.3e6, 5e3, 20),
			climb(prove.HeapObjects, 1.7e6, 9e4, 20), casefile.Better, "differ by more than either varies"},
		{"climbing, not so far apart", prove.HeapObjects, climb(prove.HeapObjects, 6e6, 9e4, 20),
			climb(prove.HeapObjects, 1.7e6, 9e4, 20), casefile.CannotTell, ""},
		{"constants that differ", prove.HeapObjects, repeat(prove.HeapObjects, 35e6, 3),
			repeat(prove.HeapObjects, 17e3, 3), casefile.Better, ""},
		{"constants that are equal", prove.ErrorShare, repeat(prove.ErrorShare, 0, 30), repeat(prove.ErrorShare, 0, 30),
			casefile.Same, ""},
		{"two equal rounds are no constant", prove.HeapObjects, repeat(prove.HeapObjects, 35e6, 2),
			repeat(prove.HeapObjects, 17e3, 2), casefile.CannotTell, "take at least"},
		{"from nothing to something", prove.ErrorShare, repeat(prove.ErrorShare, 0, 20),
			around(prove.ErrorShare, 0.05, 0.01, 20), casefile.Worse, ""},
		{"from nothing to next to nothing", prove.ErrorShare, repeat(prove.ErrorShare, 0, 20),
			around(prove.ErrorShare, 0.0002, 0.0001, 20), casefile.Same, ""},
		{"NaN and infinite rounds are dropped", prove.P99,
			append(around(prove.P99, 0.01, 0.001, 20), rounds(prove.P99, nan, inf)...),
			around(prove.P99, 0.02, 0.001, 20), casefile.Worse, ""},
		{"one side not measured", prove.P99, nil, around(prove.P99, 0.02, 0.001, 20), casefile.CannotTell,
			"before: not measured"},
		{"one side only NaN", prove.P99, around(prove.P99, 0.02, 0.001, 20), rounds(prove.P99, nan, nan),
			casefile.CannotTell, "after: not measured"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := prove.Compare(prove.Side{Rounds: c.before}, prove.Side{Rounds: c.after},
				prove.Options{Key: c.figure})
			if err != nil {
				t.Fatal(err)
			}
			if len(p.Figures) != 1 {
				t.Fatalf("%d figures, want 1", len(p.Figures))
			}
			f := p.Figures[0]
			if f.Verdict != c.want || p.Verdict != c.want || !strings.Contains(f.Note, c.note) {
				t.Errorf("verdict %q (proof %q), note %q, p %v; want %q and %q in the note", f.Verdict, p.Verdict,
					f.Note, f.P, c.want, c.note)
			}
			for _, x := range []float64{f.P, f.Before.Value, f.Before.Low, f.Before.High, f.After.Value, f.After.Low,
				f.After.High} {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("the figure has a number that JSON does not: %+v", f)
				}
			}
		})
	}
}

// TestSummaryOfSidesFarApart: where the gap between the sides decides and not the test, a p without meaning is not
// shown.
func TestSummaryOfSidesFarApart(t *testing.T) {
	p, err := prove.Compare(prove.Side{Rounds: climb(prove.HeapObjects, 35.3e6, 5e3, 20)},
		prove.Side{Rounds: climb(prove.HeapObjects, 1.7e6, 9e4, 20)}, prove.Options{Key: prove.HeapObjects})
	if err != nil {
		t.Fatal(err)
	}
	if p.Verdict != casefile.Better || strings.Contains(p.Summary, "p =") ||
		!strings.Contains(p.Summary, "differ by more than either varies") {
		t.Errorf("%s: %q, want better because the sides lie far apart, without a p", p.Verdict, p.Summary)
	}
}

// TestCompareWithoutKey keeps medians with their intervals, and has no verdict for the whole.
func TestCompareWithoutKey(t *testing.T) {
	before := rounds(prove.P50, 0.0100, 0.0103, 0.0101, 0.0105, 0.0102, 0.0104, 0.0102, 0.0103)
	after := rounds(prove.P50, 0.020, 0.0203, 0.0201, 0.0205, 0.0202, 0.0204, 0.0203, 0.0202)
	p, err := prove.Compare(prove.Side{Rounds: before}, prove.Side{Rounds: after}, prove.Options{})
	if err != nil {
		t.Fatal(err)
	}
	f := p.Figures[0]
	want := casefile.Stat{Value: 0.01025, Low: 0.0100, High: 0.0104, N: 8}
	if math.Abs(f.Before.Value-want.Value) > 1e-12 || f.Before.Low != want.Low || f.Before.High != want.High ||
		f.Before.N != 8 || f.Verdict != casefile.Worse {
		t.Errorf("before %+v, %s; want %+v, worse", f.Before, f.Verdict, want)
	}
	if p.Verdict != casefile.CannotTell || !strings.Contains(p.Summary, "No key figure was named") {
		t.Errorf("without a key figure the proof says %q: %s", p.Verdict, p.Summary)
	}
}

func TestCompareAbsent(t *testing.T) {
	before := prove.Side{Rounds: around(prove.P99, 0.01, 0.001, 10),
		Absent: map[string]string{prove.Throttled: "no CPU quota"}}
	after := prove.Side{Rounds: around(prove.P99, 0.01, 0.001, 10),
		Absent: map[string]string{prove.Throttled: "no CPU quota"}}
	p, err := prove.Compare(before, after, prove.Options{Key: prove.GCCPU})
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Figures) != 2 || p.Figures[1].Name != prove.Throttled || p.Figures[1].Note != "no CPU quota" ||
		p.Figures[1].Before.N != 0 {
		t.Errorf("figures %+v, want p99 and throttled, which is absent with its reason", p.Figures)
	}
	if p.Verdict != casefile.CannotTell || !strings.Contains(p.Summary,
		"gc_cpu, the key figure, was measured on neither side") {
		t.Errorf("proof %q, %s; want that the key figure is missing", p.Verdict, p.Summary)
	}
}

// TestCompareWholeRun has windows that became faster while a few of them contain a stall.
func TestCompareWholeRun(t *testing.T) {
	for _, c := range []struct {
		name  string
		whole float64
		want  casefile.Verdict
		note  string
	}{
		{"agrees", 0.011, casefile.Better, "over the whole run 20 ms → 11 ms"},
		{"contradicts", 0.300, casefile.CannotTell,
			"a few hold most of the slow requests; over the whole run 20 ms → 300 ms"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := prove.Side{Rounds: around(prove.P99, 0.02, 0.001, 20), Whole: prove.Round{prove.P99: 0.020}}
			after := prove.Side{Rounds: around(prove.P99, 0.01, 0.001, 20), Whole: prove.Round{prove.P99: c.whole}}
			p, err := prove.Compare(before, after, prove.Options{Key: prove.P99})
			if err != nil {
				t.Fatal(err)
			}
			if f := p.Figures[0]; f.Verdict != c.want || !strings.Contains(f.Note, c.note) {
				t.Errorf("verdict %q, note %q; want %q and %q", f.Verdict, f.Note, c.want, c.note)
			}
		})
	}
}

func TestCompareRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		side prove.Side
		opt  prove.Options
		want string
	}{
		{"unknown figure", prove.Side{Rounds: rounds("p98", 1)}, prove.Options{}, `figure "p98" is unknown`},
		{"unknown key", prove.Side{}, prove.Options{Key: "gc"}, `key figure "gc" is unknown`},
		{"negative margin", prove.Side{}, prove.Options{Margin: -0.1}, "Margin is -0.1"},
		{"percent as margin", prove.Side{}, prove.Options{Margin: 2}, "Margin is 2"},
		{"NaN as margin", prove.Side{}, prove.Options{Margin: math.NaN()}, "Margin is NaN"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := prove.Compare(prove.Side{}, c.side, c.opt)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
}
