package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/internal/settings"
)

// captureFlags are the flags of `casebook capture`.
type captureFlags struct {
	reason  string
	dir     string
	before  time.Duration
	again   time.Duration
	profile time.Duration
	kinds   []string
	access  accessFlags
	about   aboutFlags
	budget  budgetValue
	sources sourceFlags
	links   linkFlags
	holders holderFlags
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
keeps what was taken so far. A process of this machine that does not answer for
15 s is captured from outside: what the kernel knows of it, and its neighbours.

` + engineText + `

With --heap-refs it also takes a heap dump, from which a finding about memory
names who holds it. That needs a service that serves dumps, and stops it for
seconds per GiB of its heap: the price is printed, and --yes accepts it.

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
		addSpan(flags, &f.before, &settings.Before)
		addSpan(flags, &f.profile, &settings.ProfileFor)
		flags.DurationVar(&f.again, "for", 0,
			"`time` after which the heap and the goroutines are taken once more: minutes show what grows")
		flags.StringSliceVar(&f.kinds, "kinds", casework.DefaultKinds(), "`kinds` of evidence to take")
		f.budget.add(flags)
		f.holders.add(flags)
	})
	command.Group(cmd, "Cases", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` with the cases")
		f.about.add(flags)
		f.links.add(flags)
	})
	return cmd
}

func (f *captureFlags) check() error {
	if err := settings.Before.CheckFlag(f.before); err != nil {
		return err
	}
	switch {
	case f.profile <= 0: // New checks the rest
		return settings.ProfileFor.CheckFlag(f.profile)
	case f.again < 0 || f.again > time.Hour:
		return fmt.Errorf("--for is %s; it must be from 0s to 1h", f.again)
	case len(f.kinds) == 0:
		return errors.New("--kinds is empty; for instance: --kinds cpu,heap")
	}
	return errors.Join(f.about.check(), f.sources.check(1), f.holders.check())
}

func (f *captureFlags) run(cmd *cobra.Command, url string) error {
	r, err := f.request(url)
	if err != nil {
		return err
	}
	v := newWatchView(cmd.OutOrStdout(), cmd.ErrOrStderr(), false)
	v.json = f.json
	r.On = inOrder(cmd.Context(), v.see)
	got, err := casework.Capture(cmd.Context(), r)
	v.end()
	switch {
	case err != nil:
		return err
	case got.Ended != nil:
		return got.Ended
	case got.Silent != nil:
		return got.Silent
	case worstScore(got.Folder.Case.Diagnosis) >= warningScore:
		return command.ErrFindings
	case cmd.Context().Err() != nil:
		return errors.New("interrupted; the case has what was taken so far")
	}
	return nil
}

// request returns what the flags say.
func (f *captureFlags) request(url string) (r casework.CaptureRequest, err error) {
	if err := f.check(); err != nil {
		return r, err
	}
	r = casework.CaptureRequest{Dir: f.dir, Reason: f.reason, Before: f.before, Again: f.again, Profile: f.profile, Kinds: f.kinds,
		Budget: casebook.Budget(f.budget.limits), Tool: command.Tool(), Holders: f.holders.request()}
	r.Target, err = targetOf(url, &f.access, &f.about, &f.sources, &f.links)
	return r, err
}

// targetOf returns a target with what the flags say of it.
func targetOf(url string, access *accessFlags, about *aboutFlags, sources *sourceFlags, links *linkFlags) (
	t casework.Target, err error) {
	t = casework.Target{URL: url, Service: about.service, Labels: about.labels, Signals: sources.signals()}
	if t.Access, err = access.options(); err != nil {
		return t, err
	}
	t.Links, err = links.links()
	return t, err
}
