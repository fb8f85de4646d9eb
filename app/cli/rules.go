package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/rule"
)

func rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Check rules, explain them in words, test them on recorded vitals",
		Long: `Rules say when a watch opens a case. They are in a JSON file; use it with
casebook watch --rules. A condition tests one signal,

  {"signal": "gc_cpu", "above": 0.15, "for": "5s"}              or "below"
  {"signal": "goroutines", "rise": 100, "over": "1m", "min": 1000}
  {"signal": "cpu_share", "above": 0.8, "mean": "30s"}
  {"signal": "rss", "trend": {"reach": "memory_limit", "within": "30m"}}
  {"signal": "goroutines", "growth": {"times": 2, "within": "10m"}}
  {"signal": "goroutines", "grown": {"times": 4, "first": "10m"}}
  {"signal": "cpu", "periodic": {"period": "1m", "times": 3, "rise": 100}}
  {"signal": "cpu_share", "bursts": {"above": 0.75, "late": ["probe_time"]}}
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
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, fine\n", args[0], number.Things(len(rules), "rule"))
			return err
		},
	}
	signalFlag(cmd, &declared)
	return cmd
}

func oneRulesFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s takes one rules file, for instance: %s rules.json", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}
