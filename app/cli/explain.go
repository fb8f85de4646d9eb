package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/diagnose"
)

func explainCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain ID|KIND",
		Short: "Explain a kind of finding: how it is judged, the fault, the fix",
		Long: `Explain says what a detector looks for, its thresholds and where they come from,
and what evidence it needs. It says what to do, what that costs, and which
packages help, and shows the fault and the fix as a few lines of Go.
'casebook detectors' lists all detectors.`,
		Example: `  casebook explain gc-pointer-heap
  casebook explain GC003`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("casebook explain takes one ID or kind, for instance: casebook explain gc-cpu; " +
					"'casebook detectors' lists them")
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return kinds(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := assess.DetectorNamed(args[0])
			if err != nil {
				return fmt.Errorf("%w; 'casebook detectors' lists them", err)
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), assess.ExplanationOf(d))
			}
			explain(cmd.OutOrStdout(), d)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func kinds() []string {
	var out []string
	for _, d := range diagnose.Detectors() {
		out = append(out, d.Kind)
	}
	return out
}

// explain prints a detector's documentation.
func explain(w io.Writer, d diagnose.Detector) {
	p := terminal.New(w)
	p.Text(d.ID+" "+d.Kind+"  ", d.Title)
	if len(d.OtherNames) > 0 {
		p.Text("Also called  ", strings.Join(d.OtherNames, ", "))
	}
	for _, paragraph := range strings.Split(strings.TrimSpace(d.Text), "\n\n") {
		fmt.Fprintln(w)
		p.Text("", paragraph)
	}
	if len(d.Needs) > 0 {
		fmt.Fprintln(w)
	}
	for _, n := range d.Needs {
		p.Text("Needs   ", strings.Join(n.Kinds, " or ")+terminal.Tail("; without it: ", n.Text()))
		p.Text("        ", n.Capture)
	}
	printRemedies(p, d)
	printPackages(p, d)
	printCode(p, "Before", d.Before)
	printCode(p, "After", d.After)
}

// printCode prints lines of Go as they are: a wrapped line of code is not code any more.
func printCode(p *terminal.Printer, title, code string) {
	if code == "" {
		return
	}
	fmt.Fprintf(p.W, "\n%s\n", title)
	for line := range strings.Lines(strings.Trim(code, "\n")) {
		line = strings.ReplaceAll(strings.TrimRight(line, "\n"), "\t", "    ")
		fmt.Fprintln(p.W, strings.TrimRight("    "+line, " "))
	}
}
