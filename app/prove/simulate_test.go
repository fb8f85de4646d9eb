package prove_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/race"
)

// A process makes the rounds of one side: every figure log-normal around its level, consecutive rounds correlated by
// rho.
type process struct {
	r       *rand.Rand
	rho     float64
	outlier bool // on each side one round, in which the machine stood still
}

// levels are the figures' values in a healthy service, and the standard deviation of their rounds' logarithms.
var levels = []struct {
	name         string
	level, noise float64
}{
	{prove.P50, 0.005, 0.05}, {prove.P99, 0.040, 0.15}, {prove.P999, 0.120, 0.30}, {prove.Throughput, 1500, 0.01},
	{prove.CPUPerRequest, 200e-6, 0.05}, {prove.CPU, 0.3, 0.05}, {prove.GCCPU, 0.05, 0.10},
	{prove.HeapObjects, 1e6, 0.05}, {prove.RSS, 1e9, 0.02},
}

// stall is the factor for a round's figures in the outlier; where more is better they are divided by it.
const stall = 5

// side makes n rounds, with all figures larger by a factor.
func (p process) side(n int, factor float64) prove.Side {
	var s prove.Side
	state := make([]float64, len(levels))
	for i := range state {
		state[i] = p.r.NormFloat64()
	}
	odd := p.r.IntN(n)
	for i := range n {
		round := prove.Round{}
		for k, f := range levels {
			state[k] = p.rho*state[k] + math.Sqrt(1-p.rho*p.rho)*p.r.NormFloat64()
			v := f.level * factor * math.Exp(f.noise*state[k])
			switch {
			case !p.outlier || i != odd:
			case f.name == prove.Throughput:
				v /= stall
			default:
				v *= stall
			}
			round[f.name] = v
		}
		s.Rounds = append(s.Rounds, round)
	}
	return s
}

// A tally counts comparisons.
type tally struct {
	runs, changed int            // changed: any figure was reported as better or worse
	found         map[string]int // by name: the figure was reported as changed
}

// simulate compares sides of n rounds, all figures of the second larger by a factor.
func simulate(t testing.TB, runs, n int, p process, factor float64) tally {
	t.Helper()
	out := tally{runs: runs, found: make(map[string]int)}
	for range runs {
		proof, err := prove.Compare(p.side(n, 1), p.side(n, factor), prove.Options{Key: prove.CPUPerRequest})
		if err != nil {
			t.Fatal(err)
		}
		changed := false
		for _, f := range proof.Figures {
			if f.Verdict == casefile.Better || f.Verdict == casefile.Worse {
				changed = true
				out.found[f.Name]++
			}
		}
		if changed {
			out.changed++
		}
	}
	return out
}

// conditions are the autocorrelations and outliers that are simulated.
func conditions() []process {
	var out []process
	for _, outlier := range []bool{false, true} {
		for _, rho := range []float64{0, 0.3, 0.6, 0.9} {
			out = append(out, process{rho: rho, outlier: outlier})
		}
	}
	return out
}

func (p process) String() string {
	text := fmt.Sprintf("%.1f", p.rho)
	if p.outlier {
		text += ", an outlier"
	}
	return text
}

// seeded is the process with a random source of its own.
func (p process) seeded(seed uint64) process {
	p.r = rand.New(rand.NewPCG(seed, uint64(1000*p.rho)))
	return p
}

// TestNullComparisons: at most 1 % of the comparisons of a service with itself may name any change, over all
// autocorrelations and with an outlier. The limit is above this by two standard errors of the simulation. make
// bench-rounds prints each.
func TestNullComparisons(t *testing.T) {
	race.Skip(t)
	const runs, want = 150, 0.01
	for _, n := range []int{8, 20} {
		all := tally{}
		for _, p := range conditions() {
			got := simulate(t, runs, n, p.seeded(7), 1)
			all.runs, all.changed = all.runs+got.runs, all.changed+got.changed
		}
		t.Logf("%d rounds: %d of %d comparisons named a change", n, all.changed, all.runs)
		if limit := want +
			2*math.Sqrt(want*(1-want)/float64(all.runs)); float64(all.changed) > limit*float64(all.runs) {
			t.Errorf("%d rounds: %d of %d comparisons of nothing named a change, want at most %.1f %%", n, all.changed,
				all.runs, 100*limit)
		}
	}
}

// TestPlantedChanges: a figure that doubled or halved is found whatever the autocorrelation, and small changes are
// found where rounds are independent.
func TestPlantedChanges(t *testing.T) {
	race.Skip(t)
	for _, c := range []struct {
		n      int
		factor float64
		least  float64
		only   float64 // the autocorrelation; negative: each
	}{{20, 2, 0.99, -1}, {20, 0.5, 0.99, -1}, {12, 2, 0.7, -1}, {60, 1.1, 0.9, 0}, {60, 1.05, 0.3, 0}} {
		for _, p := range conditions() {
			if c.only >= 0 && (p.rho != c.only || p.outlier) {
				continue
			}
			got := simulate(t, 50, c.n, p.seeded(11), c.factor).share(prove.CPUPerRequest)
			t.Logf("×%g in %d rounds, autocorrelation %s: found in %.0f %%", c.factor, c.n, p, 100*got)
			if got < c.least {
				t.Errorf("×%g in %d rounds, autocorrelation %s: found in %.0f %%, want %.0f %%", c.factor, c.n, p,
					100*got, 100*c.least)
			}
		}
	}
}

// replicatesEnv makes TestBenchRounds print the table of docs/evidence/prove.md, with so many comparisons per cell.
const replicatesEnv = "CASEBOOK_BENCH_ROUNDS"

// TestBenchRounds prints how often a comparison of rounds is wrong and what it finds: make bench-rounds.
func TestBenchRounds(t *testing.T) {
	runs, err := strconv.Atoi(os.Getenv(replicatesEnv))
	if err != nil {
		t.Skip("prints the table of docs/evidence/prove.md: make bench-rounds")
	}
	factors := []float64{1.05, 1.10, 1.5, 2}
	var b strings.Builder
	b.WriteString("| rounds a side | autocorrelation | false |")
	for _, f := range factors {
		fmt.Fprintf(&b, " cpu_per_request ×%g |", f)
	}
	b.WriteString(" p99 ×1.5 | p99 ×2 | p99.9 ×2 | rss ×1.1 |\n|---|---|---|" + strings.Repeat("---|", len(factors)+4) +
		"\n")
	for _, n := range []int{8, 12, 20, 30, 60} {
		rows := make([]string, len(conditions()))
		var wait sync.WaitGroup
		for i, p := range conditions() {
			wait.Go(func() { rows[i] = row(t, runs, n, p, factors) })
		}
		wait.Wait()
		b.WriteString(strings.Join(rows, ""))
	}
	t.Log("\n" + b.String())
}

func row(t testing.TB, runs, n int, p process, factors []float64) string {
	null := simulate(t, runs, n, p.seeded(1), 1)
	by := map[float64]tally{}
	text := fmt.Sprintf("| %d | %s | %.2f %% |", n, p, 100*float64(null.changed)/float64(runs))
	for i, f := range factors {
		by[f] = simulate(t, runs/10, n, p.seeded(uint64(2+i)), f)
		text += fmt.Sprintf(" %.0f %% |", 100*by[f].share(prove.CPUPerRequest))
	}
	return text + fmt.Sprintf(" %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n", 100*by[1.5].share(prove.P99),
		100*by[2].share(prove.P99), 100*by[2].share(prove.P999), 100*by[1.10].share(prove.RSS))
}

func (t tally) share(figure string) float64 { return float64(t.found[figure]) / float64(t.runs) }
