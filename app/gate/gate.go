// Package gate says in CI whether a change made a program slower than its limits allow.
//
// The problem: a gate that compares one run with another fails people for the machine's mood, and is switched off within a
// week; one that only looks at large changes lets 2 % a month through.
//
// The approach: both revisions are built, and fresh processes of them run in turns (ABBA), so that a round is a pair of
// measurements that the machine treated alike. What exceeds a limit in the first rounds is only suspected: it is measured again,
// more often, and judged on those rounds alone, which the suspicion has not chosen (Judge). It fails when the exact signed-rank
// test says, at 1 % over all suspects together, that the change is above the limit, and when the change is larger than what the
// base revision shows against itself. Figures that do not vary are judged by their value. A failure is explained by a
// profile of both sides: which function takes more than before.
//
// Limits: a benchmark that varies between processes by more than its limit cannot be judged, and the gate says so rather than
// passing or failing it. Binaries are built with -trimpath: a benchmark that looks for files beside its source by
// runtime.Caller does not find them; its package's folder is the working directory, as in go test.
package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Config of a gate. Limits and Against are needed.
type Config struct {
	Dir      string   // where the packages are named from. Default: the working directory
	Against  string   // the base: a git revision
	Head     string   // the revision to judge. Default: the files as they lie in Dir
	Packages []string // patterns as of go list. Default "./..."
	Limits   []Limit  // ParseLimits
	Bench    string   // which benchmarks, as go test -bench. Default "."
	// Benchtime is how long a run of a benchmark takes, as go test -benchtime. Default "20ms".
	Benchtime string
	// Runs is how often a benchmark runs in each process. Of times the least counts, since whatever else the machine does
	// only adds; of throughput the most, of anything else the median. Default 5.
	Runs    int
	Rounds  int // pairs of runs before anything is suspected. Default 6, at least 3
	Confirm int // pairs of runs of what is suspected. Default 14, at least 10
	// MeasureIdentical measures packages whose binaries are the same on both sides, which need no measuring: it is for
	// testing the gate itself.
	MeasureIdentical bool
	Progress         io.Writer // a line a step; nil discards
}

// Least numbers of rounds: three show whether a figure varies, ten can carry a verdict among up to ten suspects
// (the smallest p of the signed-rank test is 2⁻ⁿ).
const (
	minRounds  = 3
	minConfirm = 10
	maxRounds  = 200
)

func (c Config) checked() (Config, error) {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	set(&c.Dir, ".")
	set(&c.Bench, ".")
	set(&c.Benchtime, "5ms")
	if len(c.Packages) == 0 {
		c.Packages = []string{"./..."}
	}
	if c.Rounds == 0 {
		c.Rounds = 6
	}
	if c.Confirm == 0 {
		c.Confirm = 14
	}
	if c.Runs == 0 {
		c.Runs = 20
	}
	if c.Progress == nil {
		c.Progress = io.Discard
	}
	switch {
	case c.Against == "":
		return c, errors.New("no revision to compare with: name one, such as main")
	case len(c.Limits) == 0:
		return c, errors.New("no limits: name one, such as time:+5%")
	case c.Runs < 1 || c.Runs > maxRounds:
		return c, fmt.Errorf("%d runs in a process: want 1 to %d", c.Runs, maxRounds)
	case c.Rounds < minRounds || c.Rounds > maxRounds:
		return c, fmt.Errorf("%d rounds: want %d to %d", c.Rounds, minRounds, maxRounds)
	case c.Confirm < minConfirm || c.Confirm > maxRounds:
		return c, fmt.Errorf("%d rounds to confirm: want %d to %d", c.Confirm, minConfirm, maxRounds)
	}
	dir, err := filepath.Abs(c.Dir)
	c.Dir = dir
	return c, err
}

// A Result is what a gate found.
type Result struct {
	Base       string      `json:"base"` // the revision and its commit
	Head       string      `json:"head"`
	Outcome    Outcome     `json:"outcome"` // the worst of the judgements
	Judgements []Judgement `json:"judgements"`
	Identical  []string    `json:"identical,omitempty"` // packages whose binaries are the same on both sides
	Notes      []string    `json:"notes,omitempty"`     // benchmarks on one side only, and the like
	Method     string      `json:"method"`
	Rounds     int         `json:"rounds"`
	Seconds    float64     `json:"seconds"` // it took
}

// Run measures and judges. Whatever happens it leaves no process, no folder and no worktree behind.
func Run(ctx context.Context, cfg Config) (res *Result, err error) {
	cfg, err = cfg.checked()
	if err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	began := time.Now()
	tmp, err := os.MkdirTemp("", "casebook-gate-")
	if err != nil {
		return nil, fmt.Errorf("gate: %w", err)
	}
	g := &gate{Config: cfg, tmp: tmp}
	defer func() { err = errors.Join(err, g.cleanUp()) }()
	if err := g.prepare(ctx); err != nil {
		return nil, interrupted(ctx, err)
	}
	res, err = g.judge(ctx)
	if err != nil {
		return nil, interrupted(ctx, err)
	}
	res.Seconds = time.Since(began).Seconds()
	return res, nil
}

// interrupted prefers the reason to what it caused.
func interrupted(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// A gate is a run of one.
type gate struct {
	Config
	tmp        string
	trees      []string // worktrees that were made
	base, head revision
	programs   []program
	identical  []string
	notes      []string
}

func (g *gate) say(format string, args ...any) {
	fmt.Fprintf(g.Progress, format+"\n", args...) // progress only: nobody waits for it
}

// prepare checks both revisions out and builds them.
func (g *gate) prepare(ctx context.Context) error {
	var err error
	if g.base, err = g.checkOut(ctx, "base", g.Against); err != nil {
		return err
	}
	if g.head, err = g.checkOut(ctx, "head", g.Head); err != nil {
		return err
	}
	return g.build(ctx)
}

// judge measures until every figure has its judgement.
func (g *gate) judge(ctx context.Context) (*Result, error) {
	res := &Result{Base: g.base.name, Head: g.head.name, Method: g.method(), Rounds: g.Rounds, Identical: g.identical}
	m := newMeasurements()
	if err := g.measure(ctx, m, g.Rounds, nil); err != nil {
		return nil, err
	}
	if err := g.checkFigures(m); err != nil {
		return nil, err
	}
	res.Judgements = Judge(m.figures(), g.Limits)
	if suspects := exceeding(res.Judgements); len(suspects) > 0 {
		if err := g.confirm(ctx, res, suspects); err != nil {
			return nil, err
		}
	}
	res.Notes = append(g.notes, m.oneSided()...)
	res.Outcome = Worst(res.Judgements)
	return res, nil
}

// confirm measures the suspects anew and judges them by that alone.
func (g *gate) confirm(ctx context.Context, res *Result, suspects []int) error {
	subjects := make(map[string]bool)
	for _, i := range suspects {
		subjects[res.Judgements[i].Subject] = true
	}
	g.say("%d figures seem to exceed their limit; measuring %d benchmarks again", len(suspects), len(subjects))
	m := newMeasurements()
	if err := g.measure(ctx, m, g.Confirm, subjects); err != nil {
		return err
	}
	again := make([]Judgement, 0, len(suspects))
	for _, i := range suspects {
		s := res.Judgements[i]
		if f, ok := m.figure(s.Subject, s.Figure); ok {
			again = append(again, newJudgement(f, s.Limit))
		}
	}
	decide(again)
	for _, a := range again {
		for _, i := range suspects {
			if s := &res.Judgements[i]; s.Subject == a.Subject && s.Limit == a.Limit {
				first := s.Change
				*s = a
				s.First = &first
			}
		}
	}
	return g.explainAll(ctx, res.Judgements)
}
