package prove

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// TestValuesAndChangeAgreeOfBlocks: the two values of a figure and its change come from one estimate. Dividing one
// value by the other gives the printed change, also for skewed blocks and for blocks whose level moves.
func TestValuesAndChangeAgreeOfBlocks(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 300 {
		blocks := make([]Block, 2+rng.IntN(12))
		level, ratio := math.Exp(3*rng.NormFloat64()-7), math.Exp(rng.NormFloat64())
		zero := rng.IntN(4) == 0
		for i := range blocks {
			value := func() float64 { return level * math.Exp(0.3*rng.ExpFloat64()) }
			blocks[i] = Block{A: Round{P99: value()}, A2: Round{P99: value()}, B: Round{P99: value() * ratio}}
			level *= math.Exp(0.4 * rng.NormFloat64())
			if zero && i == 0 {
				blocks[i].A[P99] = 0
			}
		}
		proof, err := JudgeTurns(Turns{Blocks: blocks}, "in turns", Options{Key: P99, Taken: time.Unix(0, 0)})
		if err != nil {
			t.Fatal(err)
		}
		f := proof.Figures[0]
		got := f.After.Value/f.Before.Value - 1
		if f.Effect.Absolute {
			got = f.After.Value - f.Before.Value
		}
		if f.Effect.Absolute != zero || math.Abs(got-f.Effect.Value) > 1e-9*(1+math.Abs(got)) {
			t.Fatalf("%+v with the effect %+v: the values say %v", f, *f.Effect, got)
		}
		if !(f.Before.Low <= f.Before.Value && f.Before.Value <= f.Before.High && f.After.Low <= f.After.Value &&
			f.After.Value <= f.After.High) {
			t.Fatalf("a value is outside its interval: %+v", f)
		}
		checkSentence(t, proof, f)
	}
}

// checkSentence wants the summary and the table to print the figure's own numbers.
func checkSentence(t *testing.T, p casefile.Proof, f casefile.Figure) {
	t.Helper()
	u := vitals.Unit(f.Unit)
	want := u.Format(f.Before.Value) + " to " + u.Format(f.After.Value) + " (" + ChangeText(f) + ")"
	if !strings.Contains(p.Summary, want) {
		t.Errorf("the summary has no %q: %s", want, p.Summary)
	}
	var b strings.Builder
	if err := Format(&b, p, Layout{}); err != nil {
		t.Fatal(err)
	}
	for _, cell := range []string{u.Format(f.Before.Value), u.Format(f.After.Value), ChangeText(f)} {
		if !strings.Contains(b.String(), cell) {
			t.Errorf("the table has no %q:\n%s", cell, b.String())
		}
	}
}
