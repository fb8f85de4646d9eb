package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/target"
)

// captureFlags are the flags of `casebook capture`.
type captureFlags struct {
	reason  string
	dir     string
	before  time.Duration
	profile time.Duration
	kinds   []string
	access  accessFlags
	about   aboutFlags
	budget  budgetValue
	sources sourceFlags
	links   linkFlags
	json    bool
}

func captureCommand() *cobra.Command {
	var f captureFlags
	cmd := &cobra.Command{
		Use:   "capture URL",
		Short: "Open a case now and say what is wrong",
		Long: `Capture samples a service's signals for a moment, so that the case has rates. It
then takes profiles through net/http/pprof, writes them into a case, and says
what is wrong. It does not remove old cases. Ctrl-C ends it early: the case
keeps what was taken so far.

` + accessText + `

` + budgetText + `
Capture shares this budget with a watch that uses the same folder.

` + linksHelp() + `

Exit codes: 0 nothing found, 1 findings at warning or above, 2 wrong usage, the
target did not answer or ended meanwhile, or interrupted with nothing found so
far.`,
		Example: `  casebook capture http://127.0.0.1:6060
  casebook capture --reason "checkout is slow" --profile 30s localhost:6060
  casebook capture --kinds goroutine,heap --before 0s localhost:6060`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errors.New("casebook capture takes one URL: a case is about one process")
			}
			return command.NeedArgs("the URL of net/http/pprof", "casebook capture http://127.0.0.1:6060")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.reason, "reason", "a person asked for it", "why: a `text` for whoever reads the case")
	flags.BoolVar(&f.json, "json", false, "print every event as one JSON object per line")
	command.Group(cmd, "Reaching the target", f.access.add)
	command.Group(cmd, "More signals", f.sources.add)
	command.Group(cmd, "Evidence", func(flags *pflag.FlagSet) {
		flags.DurationVar(&f.before, "before", 3*time.Second, "how long to sample the signals first, 0s to 10m")
		flags.DurationVar(&f.profile, "profile", casebook.DefaultProfileFor,
			"how long CPU, mutex and block profiles run, 1s to 5m")
		flags.StringSliceVar(&f.kinds, "kinds", rule.DefaultCapture(), "`kinds` of evidence to take")
		f.budget.add(flags)
	})
	command.Group(cmd, "Cases", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` with the cases")
		f.about.add(flags)
		f.links.add(flags)
	})
	return cmd
}

// rules returns one rule, because a Watch needs one. It never trips: its warm-up outlasts any capture. Validating it
// validates the kinds.
func (f *captureFlags) rules() ([]rule.Rule, error) {
	if len(f.kinds) == 0 {
		return nil, errors.New("--kinds is empty; for instance: --kinds cpu,heap")
	}
	var kinds []string
	for _, kind := range f.kinds {
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	f.kinds = kinds
	rules := []rule.Rule{{
		Name: "manual", When: rule.Default()[0].When, Capture: kinds, Warmup: rule.Duration(24 * time.Hour),
	}}
	if err := rule.Validate(rules, nil); err != nil {
		return nil, fmt.Errorf("--kinds: %w", err)
	}
	return rules, nil
}

func (f *captureFlags) check() error {
	switch {
	case f.before < 0 || f.before > casebook.DefaultHistory:
		return fmt.Errorf("--before is %s; it must be from 0s to %s", f.before, casebook.DefaultHistory)
	case f.profile <= 0:
		return fmt.Errorf("--profile is %s; it must be from 1s to 5m", f.profile)
	}
	return errors.Join(f.about.check(), f.sources.check(1))
}

// captureInterval is the time between samples: a few seconds should hold more than a few of them.
const captureInterval = 500 * time.Millisecond

func (f *captureFlags) run(cmd *cobra.Command, url string) error {
	t, err := f.access.open(url)
	if err != nil {
		return err
	}
	cfg, err := f.config(cmd.Context(), t)
	if err != nil {
		return err
	}
	links, err := f.links.links()
	if err != nil {
		return err
	}
	v := newWatchView(cmd.OutOrStdout(), cmd.ErrOrStderr(), false)
	v.json = f.json
	catalog, err := catalogOf(cfg.Sources)
	if err != nil {
		return err
	}
	started := make(chan struct{})
	w, err := newWatch(cfg, t, links, func(u string, e casebook.Event) {
		if e.Kind == casebook.Started {
			close(started) // once: a Watch that runs once starts once
		}
		v.show(u, catalog, e)
	})
	if err != nil {
		return err
	}
	folder, err := f.capture(cmd.Context(), w, started)
	v.end()
	switch {
	case err != nil:
		return err
	case endedError(folder) != nil:
		return endedError(folder)
	case worstScore(folder.Case.Diagnosis) >= warningScore:
		return command.ErrFindings
	case cmd.Context().Err() != nil:
		return errors.New("interrupted; the case has what was taken so far")
	}
	return nil
}

// config returns what the flags say. It removes no old cases: that is up to the watch that owns the folder.
func (f *captureFlags) config(ctx context.Context, t *target.HTTP) (cfg casebook.Config, err error) {
	cfg = casebook.Config{
		Dir: f.dir, Retention: casefile.KeepAll(), Interval: captureInterval, ProfileFor: f.profile,
		Service: f.about.service, Labels: f.about.labels, Budget: casebook.Budget(f.budget.limits), Tool: command.Tool(),
	}
	if err := f.check(); err != nil {
		return cfg, err
	}
	if cfg.Rules, err = f.rules(); err != nil {
		return cfg, err
	}
	cfg.Sources, cfg.Attachments, err = f.sources.sources(ctx, t)
	return cfg, err
}

// capture runs w until it has taken one case.
func (f *captureFlags) capture(ctx context.Context, w *casebook.Watch, started <-chan struct{}) (*casefile.Folder, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- w.Run(ctx) }()
	select {
	case err := <-ended: // the target does not answer, or the folder cannot hold cases
		if ctx.Err() != nil {
			err = errInterrupted
		}
		return nil, err
	case <-started:
	}
	folder, err := f.afterSamples(ctx, w)
	cancel()
	return folder, errors.Join(err, <-ended)
}

var errInterrupted = errors.New("interrupted before a case was opened")

// afterSamples opens the case after the signals have been sampled for a while, and waits for it. An interrupt from then
// on ends the capture, not the waiting: the Watch writes what it has and returns the case.
func (f *captureFlags) afterSamples(ctx context.Context, w *casebook.Watch) (*casefile.Folder, error) {
	timer := time.NewTimer(f.before)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return nil, errInterrupted
	case <-timer.C:
	}
	folder, err := w.Capture(context.WithoutCancel(ctx), f.reason, f.kinds...)
	if errors.Is(err, casebook.ErrStopped) {
		err = errInterrupted
	}
	return folder, err
}
