package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func rulesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Check rules, say them in words, try them on recorded vitals",
		Long: `Rules say when a watch opens a case: a JSON file, given to
casebook watch --rules. A condition tests one signal,

  {"signal": "gc_cpu", "above": 0.15, "for": "5s"}              or "below"
  {"signal": "goroutines", "rise": 100, "over": "1m", "min": 1000}
  {"signal": "rss", "trend": {"reach": "memory_limit", "within": "30m"}}
  {"signal": "cpu", "periodic": {"period": "1m", "times": 3, "rise": 100}}

or is made of others: {"all": […]}, {"any": […]}, {"recovered": {…}}.`,
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
	return &cobra.Command{
		Use:     "check FILE",
		Short:   "Check a rules file; tell all its faults",
		Long:    "Check reads a rules file as watch would. Exit codes: 0 fine, 2 faults.",
		Example: "  casebook rules check rules.json",
		Args:    oneRulesFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			rules, err := readRules(args[0])
			if err != nil {
				return faultList(args[0], err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, fine\n", args[0], plural(len(rules), "rule"))
			return err
		},
	}
}

func oneRulesFile(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%s wants one rules file, for instance: %s rules.json", cmd.CommandPath(), cmd.CommandPath())
	}
	return nil
}

// faultList puts several faults of a rules file one below the other.
func faultList(file string, err error) error {
	var list interface{ Unwrap() []error }
	if !errors.As(err, &list) || len(list.Unwrap()) < 2 {
		return err
	}
	var text strings.Builder
	fmt.Fprintf(&text, "rules file %s has %d faults:", file, len(list.Unwrap()))
	for _, fault := range list.Unwrap() {
		text.WriteString("\n  " + fault.Error())
	}
	return errors.New(text.String())
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func rulesExplain() *cobra.Command {
	return &cobra.Command{
		Use:   "explain [FILE]",
		Short: "Say every rule in words",
		Long:  "Explain says every rule of a file in words; without FILE the built-in rules.",
		Example: `  casebook rules explain
  casebook rules explain rules.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			rules, err := rulesOf(args)
			if err != nil {
				return err
			}
			explainRules(cmd.OutOrStdout(), rules)
			return nil
		},
	}
}

// rulesOf reads the rules file that args begin with, if any; else it returns the built-in rules.
func rulesOf(args []string) ([]rule.Rule, error) {
	if len(args) == 0 {
		return rule.Default(), nil
	}
	rules, err := readRules(args[0])
	if err != nil {
		return nil, faultList(args[0], err)
	}
	return rules, nil
}

func explainRules(w io.Writer, rules []rule.Rule) {
	p := newPrinter(w)
	var signals []string
	for i := range rules {
		r := &rules[i]
		fmt.Fprintln(w, r.Name)
		if r.Text != "" {
			p.text("  ", r.Text)
		}
		p.text("  when   ", r.When.String())
		p.text("  takes  ", strings.Join(r.Captures(), ", "))
		p.text("  pace   ", r.Pace())
		fmt.Fprintln(w)
		signals = append(signals, r.When.Signals()...)
	}
	slices.Sort(signals)
	fmt.Fprintln(w, "Signals")
	for _, name := range slices.Compact(signals) {
		id, _ := vitals.Lookup(name)
		p.text(fmt.Sprintf("  %-19s ", name), fmt.Sprintf("%s (%s)", id.Signal().Text, id.Signal().Unit))
	}
}
