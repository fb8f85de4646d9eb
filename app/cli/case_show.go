package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/vitals"
)

func caseShow(dir *string) *cobra.Command {
	var asJSON, verbose bool
	var sourceDir string
	cmd := &cobra.Command{
		Use:   "show [ID]",
		Short: "Show a case: what tripped, the findings, the proof",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := openCase(*dir, args)
			if err != nil {
				return err
			}
			note, err := "", error(nil)
			if sourceDir != "" || !asJSON {
				note, err = sourceOfCase(cmd.Context(), sourceDir, f).add(cmd.Context(), &f.Case.Diagnosis)
			}
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), f.Case)
			}
			return printCase(cmd.OutOrStdout(), f, verbose, note)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print case.json")
	addVerbose(cmd.Flags(), &verbose,
		"print findings in full, all evidence files and all kinds that could not be judged")
	addSourceFlag(cmd.Flags(), &sourceDir)
	return cmd
}

// printCase shows what tripped and the findings first: that is why somebody opens a case at night.
func printCase(w io.Writer, f *casefile.Folder, verbose bool, sourceText string) error {
	c := f.Case
	p := terminal.New(w)
	p.Text("Case     ", c.ID)
	p.Text("Opened   ", c.Opened.Local().Format(time.DateTime+" MST"))
	p.Text("Target   ", describe(c.Target)+terminal.Tail("  ", c.Target.URL))
	if len(c.Target.Labels) > 0 {
		p.Text("Labels   ", labelText(c.Target.Labels))
	}
	p.Text("Tripped  ", c.Trigger.Rule+": "+c.Trigger.Text+terminal.Tail("; ", heldText(c.Trigger, c.Closed)))
	for _, t := range c.Also {
		p.Text("     too ", t.Rule+": "+t.Text+terminal.Tail("; ", heldText(t, c.Closed)))
	}
	for _, err := range f.Verify() {
		p.Text("DAMAGED  ", err.Error())
	}
	fmt.Fprintln(w)
	terminal.CaseDiagnosis(w, &c, inFullBy(verbose))
	terminal.Opinions(w, c.Opinions, inFullBy(verbose))
	sourceNote(p, sourceText)
	if c.Proof != nil {
		fmt.Fprintln(w)
		if err := terminal.Proof(w, *c.Proof); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	if verbose {
		printEvidence(p, c.Evidence)
		printMissing(p, c.Missing)
	} else {
		printEvidenceInShort(p, c)
	}
	p.Text("Folder   ", f.Path)
	if casework.HasPage(f.Path) {
		p.Text("Report   ", casework.PagePath(f.Path))
	}
	return nil
}

// caseInFull is the command that prints what a diagnosis says in short, if the case is on disk.
const caseInFull = "casebook case show --verbose"

func labelText(labels map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		parts = append(parts, name+"="+labels[name])
	}
	return strings.Join(parts, ", ")
}

// heldText says until when a rule's condition held; "" if there was no condition or the case is not closed.
func heldText(t casefile.Trigger, closed time.Time) string {
	switch {
	case !t.Ended.IsZero():
		return fmt.Sprintf("held until %s, %s later", t.Ended.Local().Format(time.TimeOnly),
			vitals.Seconds.Format(t.Ended.Sub(t.Time).Seconds()))
	case t.Signal == "" || closed.IsZero() || !closed.After(t.Time) || t.Rule == blackbox.Killed:
		return ""
	}
	return "still held when the case was closed"
}
