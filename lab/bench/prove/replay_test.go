package main

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/casefile"
)

// recorded makes n blocks with a slow-down, with a noise of 3 % between servers.
func recorded(n int, slower float64, r *rand.Rand) []prove.Block {
	server := func(level float64) prove.Round {
		return prove.Round{prove.CPUPerRequest: level * math.Exp(0.03*r.NormFloat64())}
	}
	blocks := make([]prove.Block, n)
	for i := range blocks {
		blocks[i] = prove.Block{A: server(1e-3), A2: server(1e-3), B: server(1e-3 * slower), Seconds: 5}
	}
	return blocks
}

func TestPlay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		slower float64
		null   bool
		want   casefile.Verdict
	}{{1, true, casefile.Same}, {1.3, false, casefile.Worse}, {0.7, false, casefile.Better}} {
		p := play(recorded(40, c.slower, r), c.null, r)
		if p.proof.Verdict != c.want {
			t.Errorf("×%g: the replay says %q, want %q", c.slower, p.proof.Verdict, c.want)
		}
		if p.seconds > bound.Seconds() || p.blocks < 4 {
			t.Errorf("×%g: the replay took %g s and %d blocks, want at most %v and at least 4", c.slower, p.seconds,
				p.blocks, bound)
		}
	}
}

// TestPermuted: blocks that say "slower" in every block say nothing once the roles are drawn at random.
func TestPermuted(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	biased := recorded(40, 1.3, r)
	alarms := 0
	for range 50 {
		if p := play(biased, true, r); p.proof.Verdict == casefile.Worse || p.proof.Verdict == casefile.Better {
			alarms++
		}
	}
	if alarms > 3 {
		t.Errorf("%d of 50 replays named a change between servers whose roles are random", alarms)
	}
}
