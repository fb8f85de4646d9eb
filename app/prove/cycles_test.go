package prove

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// cycles are n stretches with one cycle each of the given length and cost, both with noise.
func cycles(r *rand.Rand, n int, seconds, cost, noise float64) []Cycle {
	var out []Cycle
	for range n {
		out = append(out, Cycle{Seconds: seconds * math.Exp(noise*r.NormFloat64()),
			Spent: cost * math.Exp(noise*r.NormFloat64()), Count: 1})
	}
	return out
}

// rounded is a side whose rounds are interpolated between cycles, as a stage does: equal within a cycle.
func rounded(cs []Cycle, n int) Side {
	s := Side{Cycles: cs}
	for i := range n {
		c := cs[i*len(cs)/n]
		s.Rounds = append(s.Rounds, Round{GCCPU: c.Spent / c.Seconds, GCRate: c.Count / c.Seconds})
	}
	return s
}

func TestCollectorIsJudgedByItsCycles(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 14))
	sick := func(n int) []Cycle { return cycles(r, n, 40/float64(n), 0.27*40/float64(n), 0.2) }
	for _, c := range []struct {
		name          string
		before, after []Cycle
		cpu, rate     casefile.Verdict
	}{
		{"the demo: ten cycles, then none but the one that was forced", sick(10), cycles(r, 1, 40, 0.002, 0),
			casefile.Better, casefile.CannotTell},
		{"ten, then two", sick(10), cycles(r, 2, 20, 0.002, 0), casefile.Better, casefile.CannotTell},
		{"many, then half of them", cycles(r, 80, 0.5, 0.1, 0.2), cycles(r, 40, 1, 0.1, 0.2), casefile.Better,
			casefile.Better},
		{"the other way round", cycles(r, 1, 40, 0.002, 0), sick(10), casefile.Worse, casefile.CannotTell},
		{"the same cycles", cycles(r, 40, 1, 0.1, 0.2), cycles(r, 40, 1, 0.1, 0.2), casefile.CannotTell,
			casefile.CannotTell},
		{"three and one", cycles(r, 3, 13, 1, 0.1), cycles(r, 1, 40, 1, 0), casefile.CannotTell, casefile.CannotTell},
		{"one and one, nearly equal", cycles(r, 1, 40, 1, 0), cycles(r, 1, 40, 0.9, 0), casefile.CannotTell,
			casefile.CannotTell},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Compare(rounded(c.before, 20), rounded(c.after, 20), Options{Key: GCCPU})
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range []casefile.Verdict{c.cpu, c.rate} {
				if f := p.Figures[i]; f.Verdict != want {
					t.Errorf("%s: %s, p %v, %q, %+v → %+v; want %s", f.Name, f.Verdict, f.P, f.Note, f.Before, f.After,
						want)
				}
			}
		})
	}
}

// TestCyclesOfOneService: two runs of one service differ in hardly any comparison, whatever the number of cycles, and
// even though each cycle costs nearly as much as the one before.
func TestCyclesOfOneService(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 14))
	for _, n := range []int{1, 2, 3, 5, 6, 8, 12, 40} {
		const runs = 500
		wrong := 0
		side := func() Side {
			cs := cycles(r, max(n+r.IntN(3)-1, 1), 40/float64(n), 0.1*40/float64(n), 0.1)
			cost := r.NormFloat64()
			for i := range cs {
				cost = 0.6*cost + 0.8*r.NormFloat64()
				cs[i].Spent *= math.Exp(0.2 * cost)
			}
			return rounded(cs, 20)
		}
		for range runs {
			p, err := Compare(side(), side(), Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range p.Figures {
				if f.Verdict == casefile.Better || f.Verdict == casefile.Worse {
					wrong++
				}
			}
		}
		t.Logf("%d cycles: %d of %d", n, wrong, runs)
		if wrong > runs/100 {
			t.Errorf("%d cycles: a change was named %d times in %d comparisons of nothing", n, wrong, runs)
		}
	}
}

// TestTurnsWithinOneCycle: blocks within one GC cycle are one measurement of it, not as many as there are blocks.
func TestTurnsWithinOneCycle(t *testing.T) {
	turns := func(before, after []Cycle) Turns {
		out := Turns{Before: before, After: after}
		a, b := rounded(before, 6), rounded(after, 6)
		for i := range a.Rounds {
			out.Blocks = append(out.Blocks, Block{A: a.Rounds[i], A2: a.Rounds[i], B: b.Rounds[i], Seconds: 5})
		}
		return out
	}
	r := rand.New(rand.NewPCG(3, 14))
	for _, c := range []struct {
		name  string
		turns Turns
		want  casefile.Verdict
	}{
		{"one each, nearly equal", turns(cycles(r, 1, 40, 4, 0), cycles(r, 1, 40, 3.6, 0)), casefile.CannotTell},
		{"many, then the forced one", turns(cycles(r, 20, 2, 0.5, 0.2), cycles(r, 1, 40, 0.002, 0)), casefile.Better},
	} {
		p, err := JudgeTurns(c.turns, "in turns", Options{Key: GCCPU})
		if err != nil {
			t.Fatal(err)
		}
		if f := p.Figures[0]; f.Verdict != c.want {
			t.Errorf("%s: %s, p %v, %q; want %s", c.name, f.Verdict, f.P, f.Note, c.want)
		}
	}
}

// TestFewCyclesOfBothSides is the demo on a busy machine: five cycles of three seconds of CPU and the forced one,
// against a forced one of a tenth of a second.
func TestFewCyclesOfBothSides(t *testing.T) {
	before := append(cycles(rand.New(rand.NewPCG(4, 14)), 4, 7, 3.3, 0.1), Cycle{Seconds: 7, Spent: 5, Count: 2})
	got, ok := compareCycles(GCCPU, before, []Cycle{{Seconds: 18, Spent: 0.095, Count: 1}})
	if !ok || !got.bounded() || got.effect.p() != 0 || got.effect.centre > math.Log(0.2) {
		t.Errorf("%+v, want it bounded to less than a fifth", got)
	}
	if _, low, high := got.change(); low > high || high != got.effect.centre {
		t.Errorf("from %v to %v, want the bound %v at its upper end", low, high, got.effect.centre)
	}
}
