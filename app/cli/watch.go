package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/target"
)

// watchFlags are the flags of `casebook watch`.
type watchFlags struct {
	rules    string
	dir      string
	interval time.Duration
	profile  time.Duration
	limit    time.Duration
	keep     keepFlags
	once     bool
	json     bool
}

func watchCommand() *cobra.Command {
	var f watchFlags
	cmd := &cobra.Command{
		Use:   "watch URL…",
		Short: "Watch services through net/http/pprof; open a case when a rule trips",
		Long: `Watch samples each target's signals every interval. When a rule trips, it takes
goroutine, heap, CPU, mutex and block profiles, writes them into a case, and
says what is wrong. URL is the address of net/http/pprof, such as
http://127.0.0.1:6060 or http://10.0.0.7:6060/debug/pprof/.

A target on this machine is also read through /proc and its cgroup: CPU used,
throttling, limits. Without that, from another machine, only what
net/http/pprof tells is watched.

` + keepText + `

Exit codes: 0 nothing found, 1 findings at warning or above (with --once),
2 wrong usage, or a target that does not answer at the start.`,
		Example: `  casebook watch http://127.0.0.1:6060
  casebook watch --once --for 10m http://127.0.0.1:6060 http://127.0.0.1:6061
  casebook watch --rules rules.json --dir /var/lib/casebook --json localhost:6060`,
		Args: needArgs("the URL of net/http/pprof", "casebook watch http://127.0.0.1:6060"),
		RunE: func(cmd *cobra.Command, urls []string) error { return f.run(cmd, urls) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.rules, "rules", "", "rules `file` (JSON; default: the built-in rules)")
	flags.StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` that keeps the cases")
	flags.DurationVar(&f.interval, "interval", casebook.DefaultInterval, "time between samples, 100ms to 1m")
	flags.DurationVar(&f.profile, "profile", casebook.DefaultProfileFor, "how long CPU, mutex and block profiles run")
	flags.DurationVar(&f.limit, "for", 0, "stop after this long, when no case is being taken (default: at Ctrl-C)")
	f.keep.add(cmd)
	flags.BoolVar(&f.once, "once", false, "stop after the first case")
	flags.BoolVar(&f.json, "json", false, "print one JSON object a line for everything that happens")
	return cmd
}

func (f *watchFlags) run(cmd *cobra.Command, urls []string) error {
	rules, err := readRules(f.rules)
	if err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	v := newWatchView(cmd.OutOrStdout(), cmd.ErrOrStderr(), len(urls) > 1)
	v.json = f.json
	end := ending{stop: cancel, once: f.once}
	if f.limit > 0 {
		timer := time.AfterFunc(f.limit, end.timeUp)
		defer timer.Stop()
	}

	var watches []*casebook.Watch
	for _, u := range urls {
		w, err := f.watch(u, rules, func(u string, e casebook.Event) {
			v.show(u, e)
			end.saw(e.Kind)
		})
		if err != nil {
			return err
		}
		watches = append(watches, w)
	}
	err = runAll(ctx, cancel, watches)
	v.end()
	switch {
	case err != nil:
		return err
	case f.once && v.failed != nil:
		return v.failed
	case f.once && v.worst >= warningScore:
		return errFindings
	}
	return nil
}

// An ending decides when a watch of --once or --for stops: never in the middle of a case.
type ending struct {
	stop func()
	once bool

	mu     sync.Mutex // guards what follows
	taking int        // cases being taken
	up     bool       // the time of --for is up
}

func (e *ending) timeUp() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.up = true
	if e.taking == 0 {
		e.stop()
	}
}

func (e *ending) saw(kind casebook.EventKind) {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch kind {
	case casebook.Tripped:
		e.taking++
	case casebook.Closed, casebook.Failed:
		e.taking = max(e.taking-1, 0)
		if e.once || e.up && e.taking == 0 {
			e.stop()
		}
	}
}

// check refuses what casebook.New would take for "the default": a zero that a person typed.
func (f *watchFlags) check() error {
	switch {
	case f.interval <= 0:
		return fmt.Errorf("--interval is %s; it must be from 100ms to 1m", f.interval)
	case f.profile <= 0:
		return fmt.Errorf("--profile is %s; it must be from 1s to 5m", f.profile)
	case f.limit < 0:
		return fmt.Errorf("--for is %s; it must be positive, or left out to watch until Ctrl-C", f.limit)
	}
	_, err := f.keep.retention()
	return err
}

// warningScore is where severity warning begins.
const warningScore = 50

// watch makes the watch of one target.
func (f *watchFlags) watch(u string, rules []rule.Rule, on func(string, casebook.Event)) (*casebook.Watch, error) {
	t, err := target.NewHTTP(u)
	if err != nil {
		return nil, err
	}
	keep, err := f.keep.retention()
	if err != nil {
		return nil, err
	}
	return casebook.New(casebook.Config{
		Target: t, Dir: f.dir, Retention: keep, Rules: rules, Interval: f.interval, ProfileFor: f.profile,
		Tool:    tool(),
		OnEvent: func(e casebook.Event) { on(t.URL(), withReport(e)) },
	})
}

// withReport writes the report of a case that was closed; the event carries what went wrong.
func withReport(e casebook.Event) casebook.Event {
	if e.Kind == casebook.Closed {
		e.Err = writeReport(e.Path)
	}
	return e
}

// runAll runs the watches until all have ended. The first that fails ends the others.
func runAll(ctx context.Context, cancel context.CancelFunc, watches []*casebook.Watch) error {
	errs := make([]error, len(watches))
	var group sync.WaitGroup
	for i, w := range watches {
		group.Go(func() {
			if errs[i] = w.Run(ctx); errs[i] != nil {
				cancel()
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}

func readRules(file string) ([]rule.Rule, error) {
	if file == "" {
		return rule.Default(), nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the rules: %w", err)
	}
	rules, err := rule.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("rules file %s: %w", file, err)
	}
	return rules, nil
}

// worstScore is the highest score among findings.
func worstScore(d casefile.Diagnosis) int {
	worst := 0
	for _, f := range d.Findings {
		worst = max(worst, f.Score)
	}
	return worst
}
