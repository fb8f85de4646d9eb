package cli

import (
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

// rulesOf reads the rules file that args begin with, if any; otherwise it returns the built-in rules.
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
