package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/assess"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

func detectorsCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "detectors",
		Short: "List what can be found, and the evidence it needs",
		Long: `Detectors lists every kind of finding: its ID and kind, which never change, the
evidence that it needs, and what is wrong when it is found. A bar between kinds
of evidence means that any one of them is enough.
Run 'casebook explain KIND' for more about a kind.`,
		Example: `  casebook detectors
  casebook detectors --json`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asJSON {
				return writeDetectorsJSON(cmd.OutOrStdout())
			}
			printDetectors(cmd.OutOrStdout())
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// detectorsByID returns the detectors sorted by family and number.
func detectorsByID() []diagnose.Detector {
	all := diagnose.Detectors()
	slices.SortStableFunc(all, func(a, b diagnose.Detector) int { return strings.Compare(a.ID, b.ID) })
	return all
}

func printDetectors(w io.Writer) {
	p := terminal.New(w)
	all := detectorsByID()
	kind, needs := len("kind"), len("needs")
	for _, d := range all {
		kind, needs = max(kind, len(d.Kind)), max(needs, min(len(needsText(d)), maxNeedsColumn))
	}
	row := func(id, k, n string) string { return fmt.Sprintf("%-6s %-*s  %-*s  ", id, kind, k, needs, n) }
	p.Text(row("ID", "kind", "needs"), "what is wrong")
	for _, d := range all {
		n := needsText(d)
		if len(n) > needs { // the rest goes on the next lines
			first, rest := splitNeeds(n, needs)
			p.Text(row(d.ID, d.Kind, first), d.Title)
			for rest != "" {
				first, rest = splitNeeds(rest, needs)
				fmt.Fprintln(w, strings.TrimRight(row("", "", first), " "))
			}
			continue
		}
		p.Text(row(d.ID, d.Kind, n), d.Title)
	}
}

// maxNeedsColumn leaves the title a readable width on 80 columns.
const maxNeedsColumn = 16

// splitNeeds cuts a list of needs after a separator, so that the first part fits the column.
func splitNeeds(text string, width int) (first, rest string) {
	if len(text) <= width {
		return text, ""
	}
	at := strings.LastIndexAny(text[:width+1], " |")
	if at <= 0 {
		at = width
	}
	if text[at] == '|' {
		at++
	}
	return strings.TrimRight(text[:at], " "), strings.TrimLeft(text[at:], " ")
}

// needsText writes needs as "cpu, heap|allocs": each must be met, by any kind of it.
func needsText(d diagnose.Detector) string {
	var needs []string
	for _, n := range d.Needs {
		needs = append(needs, strings.Join(n.Kinds, "|"))
	}
	if len(needs) == 0 {
		return "any"
	}
	return strings.Join(needs, ", ")
}

func writeDetectorsJSON(w io.Writer) error {
	list := struct {
		Schema    int                `json:"schema"`
		Detectors []assess.Explained `json:"detectors"`
	}{Schema: casefile.Schema}
	for _, d := range detectorsByID() {
		list.Detectors = append(list.Detectors, assess.ExplanationOf(d))
	}
	return writeJSON(w, list)
}
