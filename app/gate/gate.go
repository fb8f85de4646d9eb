// Package gate says in CI whether a change made a program slower than its limits allow.
//
// The problem: a gate that compares one run with another fails changes because of noise, and is switched off within a
// week. A gate that only looks at large changes lets 2 % a month through.
//
// The approach: the gate builds both revisions and measures fresh processes of both in turns. So a round is a pair of
// measurements under the same conditions: for benchmarks a run of both test binaries (ABBA), for a server a block of
// package trial, under load. A figure that exceeds its limit in the first rounds is only a suspect: the gate measures
// it again, more often, and judges it only by those rounds, which the suspicion did not select (Judge). It fails if the
// exact signed-rank test says that the change is above the limit, at 1 % over all suspects together, and if the change
// is larger than the base revision's difference from itself. Figures that do not vary are judged by their value. A
// limit below the base's difference from itself never fails a change, and the gate says so. Profiles of both sides
// explain a failure: which function takes more than before.
//
// Limits: a figure that varies between processes by more than its limit cannot be judged, and the gate says so instead
// of passing or failing it. Binaries are built with -trimpath: a program that uses runtime.Caller to look for files
// next to its source does not find them. The working directory of benchmarks is their package's folder, as in go test;
// the working directory of servers is Config.Dir in their revision.
package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gocasebook/casebook/app/revision"
)

// A Result is what a gate found.
type Result struct {
	Base    string  `json:"base"` // the revision and its commit
	Head    string  `json:"head"`
	Outcome Outcome `json:"outcome"` // the worst of the judgements
	// why it ended early; it cannot tell what had not been judged by then
	Partial    string      `json:"partial,omitempty"`
	Judgements []Judgement `json:"judgements"`
	Identical  []string    `json:"identical,omitempty"` // what is the same on both sides, to the byte
	Notes      []string    `json:"notes,omitempty"`     // benchmarks on one side only, and the like
	Method     string      `json:"method"`
	Rounds     int         `json:"rounds"`
	Seconds    float64     `json:"seconds"` // it took
	Root       string      `json:"-"`       // the top of the repository on this disk; "" where nothing was located
}

// Run measures and judges. Whatever happens it leaves no process, no folder and no worktree behind. When it is cut
// short, by the context or by a server that dies, the result has what was measured until then, if that was anything,
// beside the error. What could not be stopped or removed is part of the error.
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
	defer func() { err = errors.Join(err, errors.Join(g.left...), g.cleanUp()) }()
	if err := g.prepare(ctx); err != nil {
		return nil, interrupted(ctx, err)
	}
	res, err = g.judge(ctx)
	if res != nil {
		res.Seconds = time.Since(began).Seconds()
	}
	return res, interrupted(ctx, err)
}

// interrupted prefers the reason to what it caused.
func interrupted(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// A gate is a run of one.
type gate struct {
	Config
	tmp        string // for test binaries and profiles
	base, head *revision.Tree
	sources    []source
	identical  []string
	notes      []string
	changes    changes // nil until asked for
	left       []error // servers that could not be stopped whole
}

// A source measures figures of both revisions.
type source interface {
	build(ctx context.Context) error
	// measure gives the figures of n rounds; with an error, those of the rounds until then. only names the subjects to
	// measure; nil means all.
	measure(ctx context.Context, n int, only map[string]bool) ([]Figure, error)
	has(subject string) bool
	// explain says by profiles what made a figure fail.
	explain(ctx context.Context, j *Judgement) ([]Blame, error)
	method() string
}

func (g *gate) say(format string, args ...any) {
	fmt.Fprintf(g.Progress, format+"\n", args...) // progress only: nothing waits for it
}

// name returns a side for people. It stands in the logs and comments of a CI: they have no folder of the machine.
func (g *gate) name(t *revision.Tree) string {
	if t.Revision == revision.Here {
		return "the working tree"
	}
	return t.Label()
}

// prepare checks both revisions out and builds them.
func (g *gate) prepare(ctx context.Context) error {
	var err error
	if g.base, err = revision.CheckOut(ctx, g.Dir, g.Against); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	if g.head, err = revision.CheckOut(ctx, g.Dir, g.Head); err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	if len(g.Packages) > 0 {
		g.sources = append(g.sources, &benchmarks{gate: g})
	}
	if g.Service != nil {
		g.sources = append(g.sources, &service{gate: g, Service: *g.Service})
	}
	for _, s := range g.sources {
		if err := s.build(ctx); err != nil {
			return err
		}
	}
	return nil
}

// cleanUp removes the worktrees and what was built, also when the context is over.
func (g *gate) cleanUp() error {
	var errs []error
	for _, t := range []*revision.Tree{g.base, g.head} {
		if t != nil {
			errs = append(errs, t.Close())
		}
	}
	if err := os.RemoveAll(g.tmp); err != nil {
		errs = append(errs, fmt.Errorf("removing %s: %w", g.tmp, err))
	}
	return errors.Join(errs...)
}
