package prove_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/race"
)

// A machine makes blocks of servers. Their figures differ between starts by noise (the standard deviation of a
// logarithm), and between blocks by drift, which is the same for all three servers. One start in fifty is far off. With
// 0.038 a block's change has a standard deviation of 4.7 %, as measured on 2 busy cores.
type machine struct {
	r            *rand.Rand
	noise, drift float64
}

func (m machine) block(slower float64) prove.Block {
	b := prove.Block{A: prove.Round{}, A2: prove.Round{}, B: prove.Round{}, Seconds: 5}
	for _, f := range levels {
		drift := m.drift * m.r.NormFloat64()
		for _, r := range []prove.Round{b.A, b.A2, b.B} {
			noise := m.noise
			if m.r.IntN(50) == 0 {
				noise *= 3
			}
			r[f.name] = f.level * math.Exp(drift+noise*m.r.NormFloat64())
		}
		// Nobody fails in a healthy service: no noise at all.
		b.A[prove.ErrorShare], b.A2[prove.ErrorShare], b.B[prove.ErrorShare] = 0, 0, 0
	}
	b.B[prove.CPUPerRequest] *= slower
	return b
}

// trial runs a sequence to its end, and returns how many blocks it took.
func (m machine) trial(t *testing.T, slower float64) (casefile.Proof, int) {
	t.Helper()
	s := prove.NewSequence(prove.Options{}, 180)
	var blocks []prove.Block
	for {
		blocks = append(blocks, m.block(slower))
		elapsed := 5 * float64(len(blocks))
		if elapsed > 180 {
			t.Fatal("the sequence continues beyond its bound")
		}
		if s.Step(blocks, elapsed) {
			return s.End(blocks), len(blocks)
		}
	}
}

// TestSequenceNull compares servers with themselves: at most 1 % of the comparisons may name a change in any figure,
// plus at most three standard errors of the simulation.
func TestSequenceNull(t *testing.T) {
	race.Skip(t)
	const runs = 200
	m := machine{rand.New(rand.NewPCG(3, 1)), 0.038, 0.10}
	changed := 0
	for range runs {
		proof, _ := m.trial(t, 1)
		for _, f := range proof.Figures {
			if f.Verdict == casefile.Better || f.Verdict == casefile.Worse {
				changed++
				break
			}
		}
	}
	t.Logf("%d of %d comparisons named a change", changed, runs)
	if limit := 0.01*runs + 3*math.Sqrt(0.01*runs); float64(changed) > limit {
		t.Errorf("%d of %d comparisons named a change, want at most %.0f", changed, runs, limit)
	}
}

// TestSequencePower plants slow-downs.
func TestSequencePower(t *testing.T) {
	race.Skip(t)
	for _, c := range []struct {
		slower, least float64
		blocks        float64 // at most, on average
	}{{1.05, 0.80, 33}, {1.10, 0.95, 20}, {1.30, 1, 8}} {
		const runs = 60
		m := machine{rand.New(rand.NewPCG(5, 1)), 0.038, 0.10}
		found, blocks := 0, 0
		for range runs {
			proof, n := m.trial(t, c.slower)
			blocks += n
			if proof.Verdict == casefile.Worse {
				found++
			}
		}
		mean := float64(blocks) / runs
		t.Logf("×%.2f: found in %d of %d, after %.1f blocks in the mean", c.slower, found, runs, mean)
		if float64(found) < c.least*runs {
			t.Errorf("×%.2f was found in %d of %d, want %.0f %%", c.slower, found, runs, 100*c.least)
		}
		if mean > c.blocks {
			t.Errorf("×%.2f took %.1f blocks in the mean, want at most %.0f", c.slower, mean, c.blocks)
		}
	}
}

// exactly makes blocks of one figure.
func exactly(name string, a, a2, b []float64) []prove.Block {
	blocks := make([]prove.Block, len(a))
	for i := range a {
		blocks[i] = prove.Block{A: prove.Round{name: a[i]}, A2: prove.Round{name: a2[i]}, B: prove.Round{name: b[i]}}
	}
	return blocks
}

func TestSequenceVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, figure string
		a, a2, b     []float64
		want         casefile.Verdict
		note         string
	}{
		{"a constant", prove.ErrorShare, repeated(0, 6), repeated(0, 6), repeated(0, 6), casefile.Same, ""},
		{"one allocation more in 1000", prove.Allocs, repeated(1000, 6), repeated(1000, 6), repeated(1001, 6),
			casefile.Same, ""},
		{"six allocations more in 1000", prove.Allocs, repeated(1000, 6), repeated(1000, 6), repeated(1006, 6),
			casefile.Worse, ""},
		{"errors appear", prove.ErrorShare, repeated(0, 6), repeated(0, 6),
			[]float64{0.02, 0.021, 0.02, 0.019, 0.02, 0.02}, casefile.Worse, ""},
		{"errors below the floor", prove.ErrorShare, repeated(0, 6), repeated(0, 6),
			[]float64{0, 0.0001, 0, 0, 0.0001, 0}, casefile.Same, ""},
		{"too few", prove.Throughput, repeated(100, 3), repeated(101, 3), repeated(50, 3), casefile.CannotTell,
			"3 blocks are too few"},
		{"more throughput is better", prove.Throughput, repeated(100, 6), repeated(100, 6),
			[]float64{150, 151, 150, 149, 150, 150}, casefile.Better, ""},
		{"as A and A'", prove.CPUPerRequest, repeated(1, 6), repeated(1.2, 6),
			[]float64{1.18, 1.181, 1.18, 1.179, 1.18, 1.18}, casefile.CannotTell, "A differed from itself by 20 %"},
		{"wide", prove.P99, repeated(1, 6), repeated(1, 6), []float64{0.5, 2, 1, 1.5, 0.7, 1}, casefile.CannotTell,
			"more blocks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := prove.NewSequence(prove.Options{Key: c.figure}, 60)
			blocks := exactly(c.figure, c.a, c.a2, c.b)
			for n := range blocks {
				s.Step(blocks[:n+1], 10*float64(n+1))
			}
			p := s.End(blocks)
			if len(p.Figures) != 1 {
				t.Fatalf("there are %d figures, want 1", len(p.Figures))
			}
			f := p.Figures[0]
			if f.Verdict != c.want || !strings.Contains(f.Note, c.note) {
				t.Errorf("the verdict is %q (p %.2g, %+v, %q), want %q with %q", f.Verdict, f.P, f.Effect, f.Note,
					c.want, c.note)
			}
			if !f.Key || p.Verdict != f.Verdict {
				t.Errorf("the proof says %q, want the key figure's %q", p.Verdict, f.Verdict)
			}
		})
	}
}

func repeated(v float64, n int) []float64 {
	vs := make([]float64, n)
	for i := range vs {
		vs[i] = v
	}
	return vs
}

// TestJudgeTurns: blocks whose number was fixed in advance are judged once, with all of the allowed error, and say how
// they were measured. A key that does not exist is the caller's error.
func TestJudgeTurns(t *testing.T) {
	blocks := exactly(prove.CPUPerRequest, repeated(1, 5), []float64{1.02, 0.99, 1, 1.01, 0.98},
		[]float64{0.80, 0.82, 0.79, 0.81, 0.80})
	const how = "each with a turn of B between two of A"
	p, err := prove.JudgeTurns(prove.Turns{Blocks: blocks}, how, prove.Options{Key: prove.CPUPerRequest})
	if err != nil {
		t.Fatal(err)
	}
	if p.Verdict != casefile.Better || !strings.Contains(p.Method, "5 blocks, "+how) ||
		!strings.Contains(p.Method, "one look") {
		t.Errorf("%s: %s", p.Verdict, p.Method)
	}
	few, err := prove.JudgeTurns(prove.Turns{Blocks: blocks[:3]}, how, prove.Options{Key: prove.CPUPerRequest})
	if err != nil || few.Verdict != casefile.CannotTell || strings.Contains(few.Figures[0].Note, "--max-time") {
		t.Errorf("3 blocks: %s, %q, %v", few.Verdict, few.Figures[0].Note, err)
	}
	if _, err := prove.JudgeTurns(prove.Turns{Blocks: blocks}, how, prove.Options{Key: "speed"}); err == nil ||
		!strings.Contains(err.Error(), `"speed" is unknown`) {
		t.Errorf("the error is %v", err)
	}
}

// TestJudgeTurnsNull: of servers compared with themselves at most 1 % are called changed in any figure, whatever drift
// both have.
func TestJudgeTurnsNull(t *testing.T) {
	const runs = 400
	m := machine{rand.New(rand.NewPCG(3, 2)), 0.05, 0.2}
	wrong := 0
	for range runs {
		var blocks []prove.Block
		for range 5 {
			blocks = append(blocks, m.block(1))
		}
		p, err := prove.JudgeTurns(prove.Turns{Blocks: blocks}, "each in turns",
			prove.Options{Key: prove.CPUPerRequest})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range p.Figures {
			if f.Verdict == casefile.Better || f.Verdict == casefile.Worse {
				wrong++
				break
			}
		}
	}
	if limit := 0.01*runs + 3*math.Sqrt(0.01*runs); float64(wrong) > limit {
		t.Errorf("%d of %d comparisons of a server with itself name a change, want at most %.0f", wrong, runs, limit)
	}
}
