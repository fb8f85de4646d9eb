package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Check rules, explain them in words, test them on recorded vitals",
		Long: `Rules say when a watch opens a case. They are in a JSON file; use it with
casebook watch --rules. A condition tests one signal,

  {"signal": "gc_cpu", "above": 0.15, "for": "5s"}              or "below"
  {"signal": "goroutines", "rise": 100, "over": "1m", "min": 1000}
  {"signal": "rss", "trend": {"reach": "memory_limit", "within": "30m"}}
  {"signal": "goroutines", "growth": {"times": 2, "within": "10m"}}
  {"signal": "goroutines", "grown": {"times": 4, "first": "10m"}}
  {"signal": "cpu", "periodic": {"period": "1m", "times": 3, "rise": 100}}
  {"signal": "go_memory", "above": 0.95, "of": "go_memory_limit"}

or asks for more than one,

  {"stuck": {"for": "5m", "in": "shop/billing"}}      goroutines that wait there
  {"polling": {"for": "1m"}}                          one that should wait
  {"every": "1h"}                                     a schedule

or combines other conditions: {"all": […]}, {"any": […]}, {"recovered": {…}}. A
rule has "cooldown", "per_hour", "once" and "warmup" to limit how often it
fires.`,
		Example: `  casebook rules print > rules.json             the built-in rules to start from
  casebook rules check rules.json
  casebook rules explain rules.json
  casebook rules test rules.json --on casebook-cases/20261121T132512Z-…`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(rulesPrint(), rulesCheck(), rulesExplain(), rulesTest())
	return cmd
}

func rulesPrint() *cobra.Command {
	return &cobra.Command{
		Use:   "print",
		Short: "Print the built-in rules as JSON, to start from",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return writeJSON(cmd.OutOrStdout(), rule.File{Schema: 1, Rules: rule.Default()})
		},
	}
}

func rulesCheck() *cobra.Command {
	var declared []string
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a rules file and list all its faults",
		Long: `Check reads a rules file as watch would. A signal that is not built in (a gauge
of the service, a metric on its Prometheus page) must be declared with --signal.

Exit codes: 0 fine, 2 faults.`,
		Example: `  casebook rules check rules.json
  casebook rules check rules.json --signal queue_length:count`,
		Args: oneRulesFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			catalog, err := declaredSignals(declared)
			if err != nil {
				return err
			}
			rules, err := casework.ReadRules(args[0], catalog)
			if err != nil {
				return rulesFault(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, fine\n", args[0], terminal.Plural(len(rules), "rule"))
			return err
		},
	}
	signalFlag(cmd, &declared)
	return cmd
}

func signalFlag(cmd *cobra.Command, declared *[]string) {
	cmd.Flags().StringArrayVar(declared, "signal", nil, "`name:unit` of a signal that is not built in; repeatable")
}

// declaredSignals reads values of --signal.
func declaredSignals(declared []string) (*vitals.Catalog, error) {
	var extra []vitals.Signal
	for _, d := range declared {
		name, unit, ok := strings.Cut(d, ":")
		if !ok {
			return nil, fmt.Errorf("--signal %s has no unit; for instance: --signal %s:count", d, d)
		}
		extra = append(extra, vitals.Signal{Name: name, Unit: vitals.Unit(unit), Text: "declared with --signal"})
	}
	catalog, err := vitals.NewCatalog(extra...)
	if err != nil {
		return nil, fmt.Errorf("--signal: %w", err)
	}
	return catalog, nil
}

func oneRulesFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one rules file, for instance: %s rules.json", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

// rulesFault puts each fault of a rules file on its own line.
func rulesFault(err error) error {
	var wrong *casework.RulesError
	var list interface{ Unwrap() []error }
	if !errors.As(err, &wrong) || !errors.As(wrong.Err, &list) || len(list.Unwrap()) < 2 {
		return withSignalHint(err)
	}
	var text strings.Builder
	fmt.Fprintf(&text, "rules file %s has %d faults:", wrong.File, len(list.Unwrap()))
	for _, fault := range list.Unwrap() {
		text.WriteString("\n  " + render.Plain(fault.Error()))
	}
	return withSignalHint(errors.New(text.String()))
}

// withSignalHint says how to declare a signal.
func withSignalHint(err error) error {
	if !strings.Contains(err.Error(), "unknown signal") {
		return err
	}
	return fmt.Errorf("%w\n(check and explain learn signals that are not built in from --signal name:unit, "+
		"test from the recording)", err)
}

func rulesExplain() *cobra.Command {
	var declared []string
	cmd := &cobra.Command{
		Use:   "explain [FILE]",
		Short: "Explain every rule in words",
		Long: `Explain prints every rule of a file in words; without FILE, the built-in rules.
A signal that is not built in must be declared with --signal.`,
		Example: `  casebook rules explain
  casebook rules explain rules.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			catalog, err := declaredSignals(declared)
			if err != nil {
				return err
			}
			rules, err := rulesOf(args, catalog)
			if err != nil {
				return err
			}
			explainRules(cmd.OutOrStdout(), rules, catalog)
			return nil
		},
	}
	signalFlag(cmd, &declared)
	return cmd
}

// rulesOf reads the rules file that args begin with, if any; else it returns the built-in rules.
func rulesOf(args []string, catalog *vitals.Catalog) ([]rule.Rule, error) {
	if len(args) == 0 {
		return rule.Default(), nil
	}
	rules, err := casework.ReadRules(args[0], catalog)
	if err != nil {
		return nil, rulesFault(err)
	}
	return rules, nil
}

func explainRules(w io.Writer, rules []rule.Rule, catalog *vitals.Catalog) {
	p := terminal.New(w)
	var signals []string
	for i := range rules {
		r := &rules[i]
		fmt.Fprintln(w, render.Plain(r.Name))
		if r.Text != "" {
			p.Text("  ", r.Text)
		}
		p.Text("  when   ", r.When.Words(catalog))
		p.Text("  takes  ", strings.Join(r.Captures(), ", "))
		p.Text("  pace   ", r.Pace())
		fmt.Fprintln(w)
		signals = append(signals, r.When.Signals()...)
	}
	slices.Sort(signals)
	fmt.Fprintln(w, "Signals")
	for _, name := range slices.Compact(signals) {
		id, _ := catalog.Lookup(name)
		s := catalog.Signal(id)
		p.Text(fmt.Sprintf("  %-19s ", render.Plain(name)), fmt.Sprintf("%s (%s)", s.Text, s.Unit))
	}
}
