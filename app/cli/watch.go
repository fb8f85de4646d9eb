package cli

import (
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/command"
	"github.com/gocasebook/casebook/internal/settings"
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
	atEnd    bool
	json     bool

	configFile string

	kube  kubeFlags
	allow []string // of kube
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

` + engineText + `

SIGUSR1 opens a case for every target, whatever the rules say. At the end, watch
prints what it did, what the captures cost, and what was refused or not sent.

` + accessText + `

` + budgetText + `

` + keepText + `

` + configText + `

` + kubeText + `

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
  casebook watch --config /etc/casebook/watch.yaml
  casebook watch --kubernetes --namespace shop`,
		Args: func(cmd *cobra.Command, urls []string) error {
			if f.configFile != "" || f.kube.on {
				return nil
			}
			return command.NeedArgs("the URL of net/http/pprof, or --config, or --kubernetes",
				"casebook watch http://127.0.0.1:6060")(cmd, urls)
		},
		RunE: func(cmd *cobra.Command, urls []string) error {
			if err := f.kube.check(); err != nil {
				return err
			}
			if f.kube.on {
				return f.runKube(cmd, urls)
			}
			return f.run(cmd, urls)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.configFile, "config", "", "YAML or JSON `file` with targets and flags")
	flags.StringVar(&f.rules, "rules", "", "JSON `file` with rules that replace the built-in ones; see casebook rules")
	addSpan(flags, &f.interval, &settings.Interval)
	flags.DurationVar(&f.limit, "for", 0,
		"stop this long after the first target answers, once no case is being taken (default: run until Ctrl-C)")
	flags.BoolVar(&f.once, "once", false, "stop after the first case")
	flags.BoolVar(&f.atEnd, "capture-at-end", false,
		"before the end, also by Ctrl-C, take a case of each target that has none")
	flags.BoolVar(&f.json, "json", false, "print every event as one JSON object per line")
	command.Group(cmd, "Reaching the target", f.access.add)
	command.Group(cmd, "More signals", f.sources.add)
	command.Group(cmd, "Evidence", func(flags *pflag.FlagSet) {
		addSpan(flags, &f.profile, &settings.ProfileFor)
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
	command.Group(cmd, "Kubernetes", func(flags *pflag.FlagSet) {
		f.kube.add(flags)
		flags.StringSliceVar(&f.allow, "allow", nil, "`network` that pods may be in, such as 2001:db8::/32; any is all but "+
			"those that no service is in (default: private networks)")
	})
	return cmd
}

func (f *watchFlags) run(cmd *cobra.Command, urls []string) error {
	r, err := f.request(cmd, urls)
	if err != nil {
		return err
	}
	if err := f.report.sayAsked(cmd.ErrOrStderr()); err != nil {
		return err
	}
	fitCollector(len(r.Targets))
	v := newWatchView(cmd.OutOrStdout(), cmd.ErrOrStderr(), len(r.Targets) > 1)
	v.json, r.On = f.json, inOrder(cmd.Context(), v.see)
	done, err := casework.Watch(cmd.Context(), r)
	v.end()
	if err == nil || slices.ContainsFunc(done.Targets, func(s casework.Summary) bool { return s.Status.Ticks > 0 }) {
		v.summaries(done.Targets)
	}
	if unread := v.unread(); unread != nil {
		return errors.Join(unread, err)
	}
	switch {
	case err != nil:
		return err
	case f.once && done.Failed != nil:
		return done.Failed
	case f.once && done.Worst >= warningScore:
		return command.ErrFindings
	}
	return nil
}
