// Package limit finds the highest rate at which a target meets an objective.
//
// The problem: a service may handle a rate for a moment but not for long, a measurement near the limit passes one time
// and fails the next, and a service that was just overloaded does not behave as before.
//
// The approach: the search makes steps, each with a warm-up that does not count and a time that does. The rate doubles
// until a step fails, then the gap is halved (geometrically) down to the resolution. A step that fails narrowly is
// tried once more, because a noisy neighbour can fail steps too. The rate that remains must pass once more, for twice
// the time; if it fails, it is the new upper bound and the search continues below it. Search runs this procedure over a
// measuring function and knows nothing about the network.
//
// The limits: it assumes that every rate above a failing rate fails. A limit that takes minutes to reach, such as a
// leak or a queue that fills slowly, needs steps of that length. The rate is constant within a step.
package limit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/internal/number"
)

// A Config says what to search and how.
type Config struct {
	Objective  Objective
	Start      float64 // requests a second of the first step
	Max        float64 // the highest rate tried
	Resolution float64 // stops when the lowest rate that fails is at most that share above the highest that passes
	Step       time.Duration
	// Measure loads the target at a rate for a time, after its own warm-up.
	Measure func(ctx context.Context, rate float64, d time.Duration) (Figures, error)
	// OnStep gets each step when it ends.
	OnStep func(Step)
}

// Figures are what a step measured.
type Figures struct {
	load.Counts
	Limited string // why the generator limited them
}

// The phases of a search.
const (
	Up      = "up"      // doubling
	Down    = "down"    // halving, because the first step failed
	Between = "between" // narrowing down
	Again   = "again"   // the step before failed narrowly
	Confirm = "confirm" // the result, for twice the time
)

// A Step is one measurement.
type Step struct {
	Rate    float64
	Phase   string
	Figures Figures
	Judgement
}

// A Report is what a search found.
type Report struct {
	Best  float64 // the highest rate that kept the objective and was confirmed; 0 if none did
	Fails float64 // the lowest rate that did not keep it; 0 if none failed
	Why   string  // why it ended without both; "" otherwise
	Steps []Step
}

const (
	narrow     = 2.0 // a value over its limit up to which a failed step is tried again
	maxSteps   = 60  // each of the phases is logarithmic: more is a target that changes its mind
	lowestRate = 0.1 // below it a step has hardly a request
	Finest     = 0.005
)

// check says which field is at fault.
func (c *Config) check() error {
	switch {
	case len(c.Objective) == 0 || c.Measure == nil:
		return errors.New("limit: Objective or Measure is missing")
	case !(c.Start > 0) || !(c.Max >= c.Start) || math.IsInf(c.Max, 1):
		return fmt.Errorf("limit: the search starts at %v and ends at %v requests a second: want a start above 0 and "+
			"an end not below it", c.Start, c.Max)
	case !(c.Resolution >= Finest && c.Resolution <= 1):
		return fmt.Errorf("limit: the resolution is %v: want a share from %v to 1", c.Resolution, Finest)
	case c.Step <= 0:
		return fmt.Errorf("limit: a step takes %v: want more than 0", c.Step)
	}
	return nil
}

// A search is one on its way.
type search struct {
	Config
	report Report
	passed []float64 // rates, unconfirmed
}

// Search finds the limit. When ctx ends or Measure fails it returns the steps so far and the error.
func Search(ctx context.Context, cfg Config) (Report, error) {
	if err := cfg.check(); err != nil {
		return Report{}, err
	}
	s := &search{Config: cfg}
	err := s.run(ctx)
	if errors.Is(err, errTooMany) {
		s.report.Why, err = err.Error(), nil
	}
	return s.report, err
}

// errTooMany ends a search that finds no end.
var errTooMany = fmt.Errorf("after %d steps no rate passes repeatedly: the target or the machine is not steady; try "+
	"longer steps", maxSteps)

func (s *search) run(ctx context.Context) error {
	if err := s.bracket(ctx); err != nil || len(s.passed) == 0 {
		return err
	}
	for {
		if err := s.bisect(ctx); err != nil {
			return err
		}
		best := s.best()
		if best == 0 {
			s.report.Why = "no rate passed twice"
			return nil
		}
		ok, err := s.step(ctx, best, Confirm, 2*s.Step)
		if err != nil {
			return err
		}
		if ok {
			s.report.Best = best
			return nil
		}
		s.fail(best)
		if s.best() == 0 { // nothing below was tried
			if err := s.descend(ctx, best/2); err != nil || len(s.passed) == 0 {
				return err
			}
		}
	}
}

// bracket finds a rate that passes and one that does not, as far as there are.
func (s *search) bracket(ctx context.Context) error {
	for rate := s.Start; ; rate = min(2*rate, s.Max) {
		ok, err := s.try(ctx, rate, Up)
		switch {
		case err != nil:
			return err
		case !ok && rate == s.Start:
			return s.descend(ctx, rate/2)
		case !ok:
			return nil
		case rate == s.Max:
			s.report.Why = fmt.Sprintf("the highest rate tried, %s a second, still meets it", number.Digits(s.Max))
			return nil
		}
	}
}

// descend halves the rate until a step passes.
func (s *search) descend(ctx context.Context, rate float64) error {
	for ; rate >= lowestRate; rate /= 2 {
		ok, err := s.try(ctx, rate, Down)
		if ok || err != nil {
			return err
		}
	}
	s.report.Why = fmt.Sprintf("even %s requests a second do not meet it", number.Digits(2*rate))
	return nil
}

// bisect narrows the gap between what passes and what fails.
func (s *search) bisect(ctx context.Context) error {
	for s.report.Fails > 0 && s.best() > 0 && s.report.Fails > s.best()*(1+s.Resolution) {
		if _, err := s.try(ctx, math.Sqrt(s.best()*s.report.Fails), Between); err != nil {
			return err
		}
	}
	return nil
}

// best returns the highest rate that passed.
func (s *search) best() float64 {
	if len(s.passed) == 0 {
		return 0
	}
	best := 0.0
	for _, r := range s.passed {
		best = max(best, r)
	}
	return best
}

// fail makes a rate the upper bound: what passed at or above it did so by chance, the highest rate of all too.
func (s *search) fail(rate float64) {
	s.report.Fails, s.report.Why = rate, ""
	kept := s.passed[:0]
	for _, r := range s.passed {
		if r < rate {
			kept = append(kept, r)
		}
	}
	s.passed = kept
}

// try judges a rate, by a second step when the first fails narrowly.
func (s *search) try(ctx context.Context, rate float64, phase string) (bool, error) {
	ok, err := s.step(ctx, rate, phase, s.Step)
	if err == nil && !ok && s.report.Steps[len(s.report.Steps)-1].Excess <= narrow {
		ok, err = s.step(ctx, rate, Again, s.Step)
	}
	switch {
	case err != nil:
		return false, err
	case ok:
		s.passed = append(s.passed, rate)
	default:
		s.fail(rate)
	}
	return ok, nil
}

// step measures once.
func (s *search) step(ctx context.Context, rate float64, phase string, d time.Duration) (bool, error) {
	if len(s.report.Steps) == maxSteps {
		return false, errTooMany
	}
	f, err := s.Measure(ctx, rate, d)
	if err != nil {
		return false, err
	}
	step := Step{Rate: rate, Phase: phase, Figures: f, Judgement: s.Objective.Judge(&f.Counts)}
	s.report.Steps = append(s.report.Steps, step)
	if s.OnStep != nil {
		s.OnStep(step)
	}
	return step.Kept, nil
}
