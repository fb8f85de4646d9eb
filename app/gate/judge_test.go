package gate

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// figure makes n rounds of a benchmark whose sides vary by a share (the standard deviation of the logarithm). The head
// is ratio times the base.
func figure(rng *rand.Rand, n int, ratio, noise float64) Figure {
	f := Figure{Subject: "p BenchmarkA", Name: "time", Unit: "sec/op"}
	for range n {
		f.Pairs = append(f.Pairs, Pair{math.Exp(noise * rng.NormFloat64()), ratio * math.Exp(noise*rng.NormFloat64())})
	}
	return f
}

func constant(name string, n int, base, head float64) Figure {
	f := Figure{Subject: "p BenchmarkA", Name: name, Unit: "allocs/op"}
	for range n {
		f.Pairs = append(f.Pairs, Pair{base, head})
	}
	return f
}

func TestJudge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name  string
		fig   Figure
		limit Limit
		want  Outcome
		why   string
	}{
		{"no change", figure(rng, 14, 1, 0.01), Limit{"time", true, 0.05}, Pass, ""},
		{"below the limit", figure(rng, 14, 1.03, 0.01), Limit{"time", true, 0.05}, Pass, ""},
		{"beyond the limit", figure(rng, 14, 1.10, 0.01), Limit{"time", true, 0.05}, Fail, ""},
		{"beyond, in noise", figure(rng, 14, 1.12, 0.3), Limit{"time", true, 0.05}, CannotTell,
			"cannot tell at this limit: noise floor ±"},
		{"just beyond", figure(rng, 14, 1.055, 0.02), Limit{"time", true, 0.05}, CannotTell,
			"rounds are not enough to be sure"},
		{"no change under a limit below the noise", figure(rng, 14, 1, 0.1), Limit{"time", true, 0.01}, CannotTell,
			"cannot tell at this limit"},
		{"far beyond a limit below the noise", figure(rng, 14, 1.5, 0.05), Limit{"time", true, 0.005}, Fail, ""},
		{"much faster under a limit below the noise", figure(rng, 14, 0.5, 0.05), Limit{"time", true, 0}, Pass, ""},
		{"beyond, in few rounds", figure(rng, 6, 1.5, 0.01), Limit{"time", true, 0.05}, CannotTell,
			"6 rounds are not enough to be sure"},
		{"faster", figure(rng, 14, 0.5, 0.01), Limit{"time", true, 0.05}, Pass, ""},
		{"a fall beyond its limit", figure(rng, 14, 0.8, 0.01), Limit{"time", false, 0.05}, Fail, ""},
		{"an allocation more", constant("allocs", 3, 3, 4), Limit{"allocs", true, 0.01}, Fail, ""},
		{"an allocation more within the limit", constant("allocs", 3, 300, 301), Limit{"allocs", true, 0.01}, Pass, ""},
		{"the first allocation", constant("allocs", 3, 0, 1), Limit{"allocs", true, 0.01}, Fail, ""},
		{"none then and now", constant("allocs", 3, 0, 0), Limit{"allocs", true, 0}, Pass, ""},
		{"the same number under a limit of nothing", constant("allocs", 3, 7, 7), Limit{"allocs", true, 0}, Pass, ""},
		{"two rounds do not show that it never varies", constant("allocs", 2, 3, 4), Limit{"allocs", true, 0},
			CannotTell, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			js := Judge([]Figure{c.fig}, []Limit{c.limit})
			if len(js) != 1 || js[0].Outcome != c.want || !strings.Contains(js[0].Reason, c.why) {
				t.Errorf("%+v, want %s (…%s…)", js, c.want, c.why)
			}
		})
	}
}

// TestNoiseOfBlocks: when a service is compared with itself in 14 blocks, 95 of 100 changes are within the noise floor.
// Of 500, that should be 475 ± 10, and a few more may be outside, because the floor is estimated from 14 ratios, too.
func TestNoiseOfBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	server := func() float64 { return math.Exp(0.03 * rng.NormFloat64()) }
	within := 0
	for range 500 {
		f := Figure{Subject: "service x", Name: "p50"}
		for range 14 {
			a, a2 := server(), server()
			f.Again = append(f.Again, Pair{a, a2})
			f.Pairs = append(f.Pairs, Pair{middle(a, a2), server()})
		}
		if j := newJudgement(f, Limit{"p50", true, 0.05}); math.Abs(math.Log1p(j.Change)) <= j.Noise {
			within++
		}
	}
	if within < 430 || within > 485 {
		t.Errorf("%d of 500 changes of nothing lie within the noise floor, want about 460", within)
	}
	t.Logf("%d of 500", within)
}

// TestSuspected measures everything again that did not certainly pass.
func TestSuspected(t *testing.T) {
	judgement := func(over, noise float64, o Outcome) Judgement {
		return Judgement{Limit: Limit{"time", true, 0.05}, Rounds: 6, Outcome: o, Noise: noise, over: over}
	}
	js := []Judgement{
		judgement(-0.05, 0.01, Pass), judgement(0.01, 0.2, CannotTell), judgement(0.5, 0.01, Fail),
		judgement(-0.05, 0.06, CannotTell), judgement(-0.05, 0.8, CannotTell),
	}
	if got := suspected(js); !slices.Equal(got, []int{1, 2, 3, 4}) {
		t.Errorf("suspected are %v, want all but the first", got)
	}
}

// TestJudgeAtTheLimit checks the level: figures exactly at their limit, 20 at a time, fail in at most 1 % of gates (600
// gates; at 1 %, 13 or more failures happen once in 100 times).
func TestJudgeAtTheLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	failed := 0
	for range 600 {
		figs := make([]Figure, 20)
		for i := range figs {
			figs[i] = figure(rng, 14, 1.05, 0.02)
		}
		if Worst(Judge(figs, []Limit{{"time", true, 0.05}})) == Fail {
			failed++
		}
	}
	if failed > 12 {
		t.Errorf("%d of 600 gates failed, want at most 12", failed)
	}
	t.Logf("%d of 600 gates failed", failed)
}

// TestJudgeFinds: a change of 10 % above a limit of 5 % is found in 14 rounds at a noise of 2 %.
func TestJudgeFinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	found := 0
	for range 300 {
		if Judge([]Figure{figure(rng, 14, 1.10, 0.02)}, []Limit{{"time", true, 0.05}})[0].Outcome == Fail {
			found++
		}
	}
	if found < 285 {
		t.Errorf("%d of 300 found, want 285", found)
	}
	t.Logf("%d of 300 found", found)
}

func TestSignedRank(t *testing.T) {
	for _, c := range []struct {
		name string
		vs   []float64
		want float64
	}{
		{"all above", []float64{1, 2, 3, 4, 5}, 1.0 / 32},
		{"all below", []float64{-1, -2, -3, -4, -5}, 1},
		{"nothing", nil, 1},
		{"zeros", []float64{0, 0}, 1},
		// Of 8 orders of signs of ranks 1, 2, 3, those with a sum of 5 or more: 5 (2+3), 6.
		{"the smallest below", []float64{-1, 2, 3}, 2.0 / 8},
		// Ranks 1.5, 1.5, 3; a sum of 4.5 or more: 1.5+3 twice, 6.
		{"a tie", []float64{-1, 1, 2}, 3.0 / 8},
		{"infinite", []float64{math.Inf(1), 1, 2, 3}, 1.0 / 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := signedRank(c.vs); math.Abs(got-c.want) > 1e-12 {
				t.Errorf("p = %v, want %v", got, c.want)
			}
		})
	}
	many := make([]float64, 0, exactRanks+1)
	for i := range exactRanks {
		many = append(many, float64(i%7)-2.5)
	}
	exact := signedRank(many)
	many = append(many, 0.001) // the smallest rank changes little; the other method counts it
	if normal := signedRank(many); math.Abs(exact-normal) > 0.01 {
		t.Errorf("exact p of %d values is %v, the normal approximation's of one more %v", exactRanks, exact, normal)
	}
}

func TestNoise(t *testing.T) {
	if n := noise([]Pair{{1, 1}, {1, 1}}, 4, ofPairs); n != 0 {
		t.Errorf("noise of a constant is %v", n)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	f := figure(rng, 200, 1, 0.02)
	base := make([]float64, len(f.Pairs))
	for i, p := range f.Pairs {
		base[i] = p.Base
	}
	// The difference of two values with 2 % each has 2 % · √2; 1.96 of these over √200 are 0.39 %.
	if n := noise(twoByTwo(base), len(base), ofPairs); n < 0.0025 || n > 0.0055 {
		t.Errorf("noise = %v, want about 0.0039", n)
	}
}

// TestOptionalLimit: a limit of what nothing measures is an error, unless it holds only where that is measured.
func TestOptionalLimit(t *testing.T) {
	figures := []Figure{{Name: "cpu_per_request"}}
	g := gate{Config: Config{Limits: []Limit{{"allocs", true, 0.02}}}}
	if err := g.checkFigures(figures); err == nil {
		t.Error("a limit of allocs, which nothing measures, is accepted")
	}
	g.Optional = []string{"allocs"}
	if err := g.checkFigures(figures); err != nil {
		t.Error(err)
	}
	if err := g.checkFigures(nil); err == nil {
		t.Error("nothing was measured at all, and that is accepted")
	}
}
