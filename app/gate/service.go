package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/child"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/prove/trial"
	"github.com/gocasebook/casebook/app/revision"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// A Service is a server that is built at both revisions and measured under load.
type Service struct {
	Package string   // of its main function, as go build takes it: ./cmd/server
	Args    []string // its arguments, with child.PortPlace where its port goes
	Env     []string // NAME=value, likewise
	// Trial says how it is loaded: Load and Rate are needed. The servers and the number of blocks are the gate's.
	// Profile is how long the CPU profile of a side takes when a failure is explained; if not given, long enough for
	// its shares.
	Trial trial.Config
}

// servicePrefix begins the subject of a service; a package's path has no space.
const servicePrefix = "service "

// A service is one that is measured: a round is a block, in which the base is started twice and the head once.
type service struct {
	*gate
	Service
	binary  [2]string
	runs    uint64 // so far, for other seeds
	limited bool   // a note says that the load generator was
	// overloaded says that a note names the side that did not keep up.
	overloaded bool
	profiles   *trial.Profiles
	median     [2]float64 // CPU per request as measured last
}

func (s *service) has(subject string) bool { return subject == servicePrefix+s.Package }

func (s *service) method() string {
	return fmt.Sprintf("A round of a service is a block of fresh processes under the same load (%g requests a "+
		"second), in turns: the base twice, for the noise floor, and the head.", s.Trial.Rate)
}

// build builds both revisions. The same bytes with the same files need no measuring.
func (s *service) build(ctx context.Context) error {
	for side, tree := range s.trees() {
		s.say("building %s of %s", s.Package, s.name(tree))
		var err error
		if s.binary[side], err = tree.Build(ctx, s.Package, reproducible()...); err != nil {
			return fmt.Errorf("gate: %w", err)
		}
	}
	same, err := sameFile(s.binary[baseSide], s.binary[headSide])
	if err != nil {
		return fmt.Errorf("gate: comparing binaries: %w", err)
	}
	if !same || s.MeasureIdentical {
		return nil
	}
	files, err := revision.Changed(ctx, s.base, s.head)
	if err != nil {
		return fmt.Errorf("gate: %w", err)
	}
	if at := slices.IndexFunc(files, readByServers); at >= 0 {
		s.notes = append(s.notes, fmt.Sprintf("%s is the same binary on both sides, but it was measured because %s "+
			"differs, which it may read", s.Package, files[at]))
		return nil
	}
	s.binary = [2]string{}
	s.identical = append(s.identical, servicePrefix+s.Package)
	return nil
}

func (s *service) trees() [2]*revision.Tree { return [2]*revision.Tree{s.base, s.head} }

// readByServers reports whether a server may read a file when it runs; Go's own are in its binary.
func readByServers(file string) bool {
	for _, ext := range []string{".go", ".mod", ".sum", ".work", ".md"} {
		if strings.HasSuffix(file, ext) {
			return false
		}
	}
	return true
}

// measure takes n blocks.
func (s *service) measure(ctx context.Context, n int, only map[string]bool) ([]Figure, error) {
	subject := servicePrefix + s.Package
	if s.binary[baseSide] == "" || only != nil && !only[subject] {
		return nil, nil
	}
	res, err := s.trial(ctx, n, 0)
	figures := blockFigures(subject, res.Blocks)
	for _, f := range figures {
		if f.Name == prove.CPUPerRequest {
			s.median = f.medians()
		}
	}
	if res.Limited != "" && !s.limited {
		s.limited = true
		s.notes = append(s.notes, "the load generator was at its limit: "+res.Limited)
	}
	if !s.overloaded { // the suspects' blocks would say it with other figures
		s.overloaded = len(res.Overloads) > 0
		s.notes = append(s.notes, res.Overloads...)
	}
	if err == nil {
		err = s.checkErrors(&res)
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("gate: measuring %s: %w", s.Package, err)
	}
	return figures, err
}

// trial runs blocks, with profiles at the end when profile is above 0.
func (s *service) trial(ctx context.Context, blocks int, profile time.Duration) (trial.Result, error) {
	s.runs++
	cfg := s.Trial
	cfg.A, cfg.B = s.spec("the base", baseSide), s.spec("the head", headSide)
	cfg.Blocks, cfg.Profile, cfg.Seed = blocks, profile, cfg.Seed+s.runs
	cfg.View = trial.View{Block: func(n int, elapsed time.Duration, b prove.Block) {
		s.say("block %d of %d after %s: %s", n, blocks, number.Duration(elapsed), blockText(b))
	}}
	res, err := trial.Run(ctx, cfg)
	s.left = append(s.left, res.Left...)
	return res, err
}

func (s *service) spec(name string, side int) child.Spec {
	return child.Spec{Name: name, Args: append([]string{s.binary[side]}, s.Args...), Env: s.Env,
		Dir: s.trees()[side].Dir}
}

// blockText returns a block for the progress.
func blockText(b prove.Block) string {
	text := func(r prove.Round) string {
		if v, ok := r[prove.CPUPerRequest]; ok {
			return vitals.Seconds.Format(v)
		}
		return "–"
	}
	return fmt.Sprintf("cpu_per_request %s and %s, head %s", text(b.A), text(b.A2), text(b.B))
}

// tooManyErrors is how much larger the head's share of failed requests may be: what fails costs less than what is
// answered, so that a head that fails its requests would pass.
const tooManyErrors = 0.01

// checkErrors fails if the head's errors differ from the base's, unless there is a limit on errors.
func (s *service) checkErrors(res *trial.Result) error {
	if slices.ContainsFunc(s.Limits, func(l Limit) bool { return l.Figure == prove.ErrorShare }) {
		return nil
	}
	base, head := refused(res.Totals[0]), refused(res.Totals[2])
	if head <= base+tooManyErrors {
		return nil
	}
	return fmt.Errorf("the head answers %s of its requests with errors, the base %s: they do not do the same work. "+
		"Look at what it answers, or set a limit in --fail-on, such as errors:+5%%, to judge it anyway",
		vitals.Share.Format(head), vitals.Share.Format(base))
}

// refused returns the share of the requests that were answered with an error. Those that were late or never sent do not
// count: a busy machine makes them.
func refused(c load.Counts) float64 {
	e := c.Errors
	all := float64(c.OK + e.Total())
	return float64(e.Connection+e.Status5xx+e.Status4xx+e.GRPC+e.Other) / max(all, 1)
}
