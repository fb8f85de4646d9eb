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
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/app/report"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/target"
	"github.com/gocasebook/casebook/vitals"
)

// watchFlags are the flags of `casebook watch`.
type watchFlags struct {
	rules    string
	dir      string
	interval time.Duration
	profile  time.Duration
	limit    time.Duration
	rolling  bool
	access   accessFlags
	about    aboutFlags
	keep     keepFlags
	budget   budgetValue
	sources  sourceFlags
	report   reportFlags
	links    linkFlags
	once     bool
	json     bool

	configFile string
}

func watchCommand() *cobra.Command { return new(watchFlags).command() }

// command returns the command that these flags belong to.
func (f *watchFlags) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "watch URL…",
		Short: "Watch services through net/http/pprof; open a case when a rule trips",
		Long: `Watch samples each target's signals at every interval. When a rule trips, it
takes goroutine, heap, CPU, mutex and block profiles, writes them into a case,
and says what is wrong. URL is the address of net/http/pprof, such as
http://127.0.0.1:6060, https://shop.internal/admin/pprof/ or
unix:///run/shop.sock. Watch tries it as given, then with /debug/pprof/.

If the target runs on this machine, watch also reads /proc and its cgroup: CPU
used, throttling, limits. If it runs on another machine, watch only sees what
net/http/pprof reports, plus the pages given by --prometheus and --expvar.

SIGUSR1 opens a case for every target, whatever the rules say. At the end, watch
prints what it did, what the captures cost, and what was refused or not sent.

` + accessText + `

` + budgetText + `

` + keepText + `

` + configText + `

` + linksHelp() + `

Exit codes: 0 nothing found, 1 findings at warning or above (with --once),
2 wrong usage, or a target never answered. If there are several targets and one
does not answer at the start, watch tries it again every 15 s.`,
		Example: `  casebook watch http://127.0.0.1:6060
  casebook watch --once --for 10m http://127.0.0.1:6060 http://127.0.0.1:6061
  casebook watch --rules rules.json --dir /var/lib/casebook localhost:6060
  casebook watch --prometheus localhost:9090/metrics localhost:6060
  casebook watch --bearer-file token https://shop.internal/admin/pprof/
  casebook watch --webhook https://hooks.example.com/casebook localhost:6060
  casebook watch --config /etc/casebook/watch.yaml`,
		Args: func(cmd *cobra.Command, urls []string) error {
			if f.configFile != "" {
				return nil
			}
			return command.NeedArgs("the URL of net/http/pprof, or --config", "casebook watch http://127.0.0.1:6060")(cmd, urls)
		},
		RunE: func(cmd *cobra.Command, urls []string) error { return f.run(cmd, urls) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.configFile, "config", "", "YAML or JSON `file` with targets and flags")
	flags.StringVar(&f.rules, "rules", "", "JSON `file` with rules that replace the built-in ones; see casebook rules")
	flags.DurationVar(&f.interval, "interval", casebook.DefaultInterval, "time between samples, 100ms to 1m")
	flags.DurationVar(&f.limit, "for", 0,
		"stop this long after the first target answers, once no case is being taken (default: run until Ctrl-C)")
	flags.BoolVar(&f.once, "once", false, "stop after the first case")
	flags.BoolVar(&f.json, "json", false, "print every event as one JSON object per line")
	command.Group(cmd, "Reaching the target", f.access.add)
	command.Group(cmd, "More signals", func(flags *pflag.FlagSet) {
		f.sources.add(flags)
		f.sources.addRequests(flags)
	})
	command.Group(cmd, "Evidence", func(flags *pflag.FlagSet) {
		flags.DurationVar(&f.profile, "profile", casebook.DefaultProfileFor,
			"how long CPU, mutex and block profiles run, 1s to 5m")
		flags.BoolVar(&f.rolling, "rolling", false, "take CPU profiles all the time, so that even a spike of 200 ms "+
			"is in one; this occupies the target's only CPU profiler")
		f.budget.add(flags)
	})
	command.Group(cmd, "Cases", func(flags *pflag.FlagSet) {
		flags.StringVar(&f.dir, "dir", casebook.DefaultDir, "`folder` with the cases")
		f.about.add(flags)
		f.keep.add(flags)
		f.links.add(flags)
	})
	command.Group(cmd, "Reports", f.report.add)
	return cmd
}

func (f *watchFlags) run(cmd *cobra.Command, urls []string) error {
	targets, err := f.watched(cmd, urls)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	fitMemory()
	v := newWatchView(cmd.OutOrStdout(), cmd.ErrOrStderr(), len(targets) > 1)
	v.json = f.json
	end := newEnding(cancel, f.once, f.limit, len(targets))
	defer end.end()
	watches, processes, err := f.watches(ctx, targets, v, end)
	if err != nil {
		return err
	}
	err = runAll(ctx, watches, func(i int, err error) {
		url := processes[i].URL()
		v.show(url, nil, casebook.Event{Kind: casebook.Lost, Time: time.Now(), Err: fmt.Errorf("%w; tried again every %s", err, askAgain)})
		end.saw(url, casebook.Lost)
	})
	v.end()
	if err == nil || slices.ContainsFunc(watches, func(w *casebook.Watch) bool { return w.Status().Ticks > 0 }) {
		v.summaries(slices.DeleteFunc(watches, func(w *casebook.Watch) bool { return w.Status().Target.URL == "" })) // never answered
	}
	if unread := v.unread(); unread != nil {
		return errors.Join(unread, err)
	}
	switch {
	case err != nil:
		return err
	case f.once && v.failed != nil:
		return v.failed
	case f.once && v.worst >= warningScore:
		return command.ErrFindings
	}
	return nil
}

// watches creates the watch of each target. All of them share the same reporters, so that a collector has one spool.
func (f *watchFlags) watches(ctx context.Context, targets []watched, v *watchView, end *ending) (
	watches []*casebook.Watch, processes []*target.HTTP, err error) {
	reporters, err := f.report.reporters(f.dir)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range targets {
		process, err := t.flags.access.open(t.url)
		if err != nil {
			return nil, nil, t.fault(err, len(targets))
		}
		cfg, err := t.flags.config(ctx, process)
		if err != nil {
			return nil, nil, t.fault(err, len(targets))
		}
		cfg.Reporters = reporters
		catalog, err := catalogOf(cfg.Sources)
		if err != nil {
			return nil, nil, t.fault(err, len(targets))
		}
		links, err := t.flags.links.links()
		if err != nil {
			return nil, nil, t.fault(err, len(targets))
		}
		w, err := newWatch(cfg, process, links, func(u string, e casebook.Event) {
			v.show(u, catalog, e)
			end.saw(u, e.Kind)
		})
		if err != nil {
			return nil, nil, t.fault(err, len(targets))
		}
		watches, processes = append(watches, w), append(processes, process)
	}
	return watches, processes, nil
}

// fault adds the target's URL to an error when there are several targets.
func (t *watched) fault(err error, of int) error {
	if of < 2 {
		return err
	}
	return fmt.Errorf("target %s: %w", t.url, err)
}

// check refuses a zero that a person typed: casebook.New would treat it as "the default".
func (f *watchFlags) check() error {
	switch {
	case f.interval <= 0:
		return fmt.Errorf("--interval is %s; it must be from 100ms to 1m", f.interval)
	case f.profile <= 0:
		return fmt.Errorf("--profile is %s; it must be from 1s to 5m", f.profile)
	case f.limit < 0:
		return fmt.Errorf("--for is %s; it must be positive; without it, watch runs until Ctrl-C", f.limit)
	}
	_, err := f.keep.retention()
	return errors.Join(f.about.check(), f.sources.check(1), err)
}

// warningScore is where severity warning begins.
const warningScore = 50

// config returns what the flags say about one target, except its reporters.
func (f *watchFlags) config(ctx context.Context, t *target.HTTP) (cfg casebook.Config, err error) {
	if err := f.check(); err != nil {
		return cfg, err
	}
	cfg = casebook.Config{
		Dir: f.dir, Interval: f.interval, ProfileFor: f.profile, Service: f.about.service, Labels: f.about.labels,
		Budget: casebook.Budget(f.budget.limits), Signals: captureSignals(), Tool: command.Tool(),
	}
	if f.rolling {
		cfg.Windows = casebook.DefaultWindows
	}
	if cfg.Retention, err = f.keep.retention(); err != nil {
		return cfg, err
	}
	if cfg.Sources, cfg.Attachments, err = f.sources.sources(ctx, t); err != nil {
		return cfg, err
	}
	catalog, err := catalogOf(cfg.Sources)
	if err != nil {
		return cfg, err
	}
	cfg.Rules, err = readRules(f.rules, catalog)
	return cfg, err
}

// newWatch creates the watch of one target.
func newWatch(cfg casebook.Config, t *target.HTTP, links report.Links, on func(string, casebook.Event)) (
	*casebook.Watch, error) {
	cfg.Target = t
	cfg.OnEvent = func(e casebook.Event) { on(t.URL(), e) }
	cfg.Draw = func(_ context.Context, f *casefile.Folder) error { return casework.WritePage(f.Path, links) }
	return casebook.New(cfg)
}

func readRules(file string, catalog *vitals.Catalog) ([]rule.Rule, error) {
	if file == "" {
		return rule.Default(), nil
	}
	data, err := casework.ReadSmall(file)
	if err != nil {
		return nil, fmt.Errorf("reading the rules: %w", err)
	}
	rules, err := rule.Parse(data, catalog)
	if err != nil {
		return nil, fmt.Errorf("rules file %s: %w", file, err)
	}
	return rules, nil
}

// worstScore returns the highest score among the findings.
func worstScore(d casefile.Diagnosis) int {
	worst := 0
	for _, f := range d.Findings {
		worst = max(worst, f.Score)
	}
	return worst
}
