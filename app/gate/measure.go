package gate

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/tool"
)

// benchmarks are those of the packages of a gate.
type benchmarks struct {
	*gate
	programs []program
}

func (g *benchmarks) has(subject string) bool { return !strings.HasPrefix(subject, servicePrefix) }

// method says how benchmarks were measured.
func (g *benchmarks) method() string {
	return fmt.Sprintf("Benchmarks ran in rounds, both sides in turns (ABBA), each in a fresh process; the best of "+
		"its %d runs counts.", g.Runs)
}

// measure runs both sides n times.
func (g *benchmarks) measure(ctx context.Context, n int, only map[string]bool) ([]Figure, error) {
	m := newMeasurements()
	err := g.rounds(ctx, m, n, only)
	if only == nil && err == nil {
		g.notes = append(g.notes, m.oneSided()...)
	}
	return m.figures(), err
}

// rounds runs both sides n times in turns, base first in rounds 0, 3, 4, 7, 8 … (ABBA), so that neither a slow drift of
// the machine nor the first place favours one. only names the subjects to run; nil means all.
func (g *benchmarks) rounds(ctx context.Context, m *measurements, n int, only map[string]bool) error {
	for round := range n {
		ran := false
		for _, p := range g.programs {
			pattern, ok := p.pattern(g.Bench, only)
			if !ok {
				continue
			}
			ran = true
			sides := []int{baseSide, headSide}
			if round%4 == 1 || round%4 == 2 {
				sides = []int{headSide, baseSide}
			}
			for _, side := range sides {
				results, err := g.runOnce(ctx, p, side, pattern)
				if err != nil {
					return err
				}
				m.add(p.pkg, side, round, results)
			}
		}
		if ran {
			g.say("round %d of %d", round+1, n)
		}
	}
	return nil
}

// The sides of a pair.
const (
	baseSide = iota
	headSide
)

func (p program) side(side int) binary {
	if side == baseSide {
		return p.base
	}
	return p.head
}

// runOnce runs one side's benchmarks in a fresh process.
func (g *benchmarks) runOnce(ctx context.Context, p program, side int, pattern string, more ...string) ([]benchResult,
	error) {
	b := p.side(side)
	args := append([]string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchmem",
		"-test.count=" + strconv.Itoa(g.Runs), "-test.benchtime=" + g.Benchtime}, more...)
	out, err := tool.Run(ctx, b.dir, b.path, args...)
	if err != nil {
		tree := g.base
		if side == headSide {
			tree = g.head
		}
		return nil, fmt.Errorf("gate: running the benchmarks of %s in %s: %w", p.pkg, g.name(tree), err)
	}
	return parseBenchmarks(out), nil
}
