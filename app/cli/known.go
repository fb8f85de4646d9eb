package cli

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

func knownCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "known [MODULE|FUNCTION|go.mod]",
		Short: "What experts know of the modules people use",
		Long: `Known prints what is known of a module, or of a function as profiles name it:
defaults that bite, what must be closed, what is made once, what grows, calls
that cost more than they look, faults of releases; each with what to change and
where it was read. A diagnosis says so only where a fact of the case stands at
one of the functions: CPU, a wait, memory or goroutines.
Without an argument it lists the modules; of a go.mod, or a folder with one, those
that are required there, and which of their releases have known faults.`,
		Example: `  casebook known
  casebook known database/sql
  casebook known github.com/segmentio/kafka-go
  casebook known 'net/http.(*Client).Do'
  casebook known ./go.mod`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && isGoMod(args[0]) {
				of, err := assess.KnownOfModules(args[0])
				if err != nil {
					return err
				}
				if asJSON {
					return writeJSON(cmd.OutOrStdout(), of)
				}
				printKnownModules(terminal.New(cmd.OutOrStdout()), of)
				return nil
			}
			rows, err := assess.Known(strings.Join(args, ""))
			if err != nil {
				return fmt.Errorf("%w; 'casebook known' lists the modules", err)
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), assess.KnownOf(rows))
			}
			p := terminal.New(cmd.OutOrStdout())
			if len(args) == 0 {
				printModules(p, rows)
				return nil
			}
			for _, a := range rows {
				printKnown(p, a)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// isGoMod reports whether an argument is a go.mod, or a folder with one.
func isGoMod(name string) bool {
	if filepath.Base(name) == "go.mod" {
		return true
	}
	_, err := os.Stat(filepath.Join(name, "go.mod"))
	return err == nil
}

// printKnownModules prints the modules of a go.mod, and first what their releases do badly.
func printKnownModules(p *terminal.Printer, of assess.KnownModules) {
	faults, rows := 0, 0
	for _, m := range of.Modules {
		rows += m.Rows
		for _, f := range m.Faults {
			faults++
			p.Text("fault  ", fmt.Sprintf("%s %s: %s. %s", m.Path, m.Version, f.Says, f.Do[0]))
		}
	}
	for _, m := range of.Modules {
		fmt.Fprintf(p.W, "%4d  %s %s\n", m.Rows, m.Path, m.Version)
	}
	p.Text("", fmt.Sprintf("%d things are known of %d modules of %s, %d of them faults of the releases there. None is a "+
		"finding: that takes a fact of the running service. A module's: casebook known MODULE", rows, len(of.Modules),
		of.File, faults))
}

// moduleOf is the module of a row, or the package of the standard library.
func moduleOf(a *known.Advice) string {
	if m := a.Modules[0].Path; m != known.Std || len(a.At) == 0 {
		return m
	}
	return stacks.FuncOf(a.At[0], "", "").Package
}

func printModules(p *terminal.Printer, rows []*known.Advice) {
	number := map[string]int{}
	for _, a := range rows {
		number[moduleOf(a)]++
	}
	modules := make([]string, 0, len(number))
	for m := range number {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b string) int { return cmp.Or(number[b]-number[a], cmp.Compare(a, b)) })
	for _, m := range modules {
		fmt.Fprintf(p.W, "%4d  %s\n", number[m], m)
	}
	fmt.Fprintf(p.W, "%4d  rows of %d modules; a module's: casebook known MODULE\n", len(rows), len(modules))
}

// knownSorts are the words for a row's sort.
var knownSorts = map[known.About]string{known.AboutDefault: "default", known.AboutEnd: "ended by",
	known.AboutOnce: "made once", known.AboutGrowth: "grows", known.AboutCost: "costs", known.AboutFault: "releases"}

func printKnown(p *terminal.Printer, a *known.Advice) {
	line := func(label, text string) { p.Text(fmt.Sprintf("  %-10s", label), text) }
	p.Text("", strings.ToUpper(a.Says[:1])+a.Says[1:]+".")
	line(knownSorts[a.About], a.Subject)
	line("why", a.Why)
	for _, do := range a.Do {
		line("change", do)
	}
	if a.Cost != "" {
		line("price", a.Cost)
	}
	line("seen at", strings.Join(append(slices.Clone(a.At), a.Stays...), ", "))
	m := a.Modules[0]
	line("read in", m.Path+" "+m.Version+", "+a.Source)
	fmt.Fprintln(p.W)
}
