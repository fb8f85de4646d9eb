package cli

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/limit"
	"github.com/gocasebook/casebook/app/terminal"
)

// limitFlags say what --find-limit searches.
type limitFlags struct {
	objective  string
	step       time.Duration
	warmup     time.Duration
	resolution string
	maxRate    float64
}

func (f *limitFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.objective, "find-limit", "", "find the highest rate that meets an `objective`, starting at --rate "+
		"(default 100), for instance: p99 < 50ms, errors < 0.1%")
	fs.DurationVar(&f.step, "step", 10*time.Second, "how long to try a rate; the result is tried for twice as long")
	fs.DurationVar(&f.warmup, "warmup", 2*time.Second, "how long to send at each step before it counts")
	fs.StringVar(&f.resolution, "resolution", "5%",
		"how close the result must be to a rate that fails, as a `share`")
	fs.Float64Var(&f.maxRate, "max-rate", 100_000, "the highest `rate` to try")
}

// config returns the search for a job that says everything but the rate.
func (f *limitFlags) config(flags *loadFlags, job *loadJob) (limit.Config, error) {
	objective, err := limit.ParseObjective(f.objective)
	if err != nil {
		return limit.Config{}, fmt.Errorf("--find-limit: %w", err)
	}
	percent, ok := strings.CutSuffix(f.resolution, "%")
	share, err := strconv.ParseFloat(percent, 64)
	if !ok || err != nil || !(share >= 100*limit.Finest && share <= 100) {
		return limit.Config{}, fmt.Errorf("--resolution: %q is not a share from %g%% to 100%%", f.resolution,
			100*limit.Finest)
	}
	if f.step < time.Second || f.warmup < 0 || f.warmup > 0 && f.warmup < 100*time.Millisecond {
		return limit.Config{}, fmt.Errorf("--step %v and --warmup %v: want steps of 1s or more, "+
			"and a warm-up of 100ms or more, or 0", f.step, f.warmup)
	}
	arrivals, _ := flags.arrivals()
	start, err := load.ParseRate(flags.rate)
	if err != nil {
		return limit.Config{}, fmt.Errorf("--rate: %w", err)
	}
	if start <= 0 || f.maxRate < start || f.maxRate > load.MaxRate {
		return limit.Config{}, fmt.Errorf("--max-rate %g: want it from --rate (%g), above 0, to %.0f",
			f.maxRate, start, load.MaxRate)
	}
	return limit.Config{Objective: objective, Start: start, Max: f.maxRate, Resolution: share / 100, Step: f.step,
		Measure: limit.Measure(job.config, arrivals, flags.seed, f.warmup)}, nil
}

// check refuses what a search decides itself.
func (f *limitFlags) check(flags *loadFlags) error {
	if _, pace := flags.arrivals(); pace != "" || flags.duration != 0 || flags.count != 0 || flags.maxErrors != "" {
		return errors.New("--find-limit sets pace and duration itself: leave out --pace (except poisson and " +
			"constant), --duration, --count and --max-errors; --rate is where it starts, --step how long it tries " +
			"each rate")
	}
	if flags.rate == "" {
		flags.rate = "100"
	}
	return nil
}

// findLimit searches, and prints each step and the result, also if it was interrupted.
func findLimit(ctx context.Context, f *limitFlags, flags *loadFlags, job *loadJob, out *loadOutput) error {
	if err := out.check(); err != nil {
		return err
	}
	job.config.OnWindow = func(w load.Window) { out.progress(w, 0) }
	cfg, err := f.config(flags, job)
	if err != nil {
		return err
	}
	p := terminal.New(out.stdout)
	if !out.json {
		p.Text("", fmt.Sprintf("%s: the highest rate that meets %s, %s arrivals",
			job.plan.Targets[0], cfg.Objective, job.plan.Arrivals))
		limitHead(p, cfg.Objective)
	}
	cfg.OnStep = func(s limit.Step) {
		out.endProgress()
		if !out.json {
			limitRow(p, cfg.Objective, s)
		}
	}
	command.InOrder(ctx)
	report, err := limit.Search(ctx, cfg)
	out.endProgress()
	interrupted := errors.Is(err, context.Canceled) && ctx.Err() != nil
	if interrupted {
		report.Why = "interrupted"
	}
	if err != nil && !interrupted {
		return loadError(err)
	}
	if err := writeLimit(out, newLimitJSON(f, job, cfg, report)); err != nil {
		return err
	}
	if !out.json {
		p.Text("", limitFound(cfg, report))
	}
	switch {
	case interrupted:
		return command.ExitError(command.ExitInterrupted)
	case report.Best == 0:
		return command.ErrFindings
	}
	return nil
}
