package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/gocasebook/casebook/app/prove"
	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/blackbox"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

func caseShow(dir *string) *cobra.Command {
	var asJSON, all bool
	cmd := &cobra.Command{
		Use:   "show [ID]",
		Short: "Show a case: what tripped, the findings, the proof",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := openCase(*dir, args)
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), f.Case)
			}
			return printCase(cmd.OutOrStdout(), f, all)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print case.json")
	cmd.Flags().BoolVar(&all, "all", false, "list every file of evidence and every kind that could not be judged")
	return cmd
}

// printCase shows what tripped and the findings first: they are what somebody opens a case for at night.
func printCase(w io.Writer, f *casefile.Folder, all bool) error {
	c := f.Case
	p := newPrinter(w)
	p.text("Case     ", c.ID)
	p.text("Opened   ", c.Opened.Local().Format(time.DateTime+" MST"))
	p.text("Target   ", describe(c.Target)+tail("  ", c.Target.URL))
	if len(c.Target.Labels) > 0 {
		p.text("Labels   ", labelText(c.Target.Labels))
	}
	p.text("Tripped  ", c.Trigger.Rule+": "+c.Trigger.Text+tail("; ", heldText(c.Trigger, c.Closed)))
	for _, t := range c.Also {
		p.text("     too ", t.Rule+": "+t.Text+tail("; ", heldText(t, c.Closed)))
	}
	for _, err := range f.Verify() {
		p.text("DAMAGED  ", err.Error())
	}
	fmt.Fprintln(w)
	printCaseDiagnosis(w, &c, listedBy("--all", all))
	if c.Proof != nil {
		fmt.Fprintln(w)
		if err := prove.Format(w, *c.Proof, proofLayout(w)); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	if all {
		p.evidence(c.Evidence)
		p.missing(c.Missing)
	} else {
		p.evidenceInShort(c)
	}
	p.text("Folder   ", f.Path)
	if path := reportPath(f.Path); exists(path) {
		p.text("Report   ", path)
	}
	return nil
}

// caseShowAll lists what a diagnosis counts, where the case is on disk.
const caseShowAll = "casebook case show --all"

// listedBy is the hint for what is counted and not listed: nothing when all is listed.
func listedBy(hint string, all bool) string {
	if all {
		return ""
	}
	return hint
}

// evidenceInShort counts the files of evidence, and what is missing.
func (p *printer) evidenceInShort(c casefile.Case) {
	var bytes int64
	for _, e := range c.Evidence {
		bytes += e.Bytes
	}
	text := plural(len(c.Evidence), "file") + ", " + size(bytes)
	if n := len(c.Missing); n > 0 {
		text += fmt.Sprintf("; %d not taken", n)
	}
	p.text("Evidence ", text+" (--all lists them)")
}

func labelText(labels map[string]string) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		parts = append(parts, name+"="+labels[name])
	}
	return strings.Join(parts, ", ")
}

// heldText says until when a rule's condition held; "" of what is no condition, and of a case that is not closed.
func heldText(t casefile.Trigger, closed time.Time) string {
	switch {
	case !t.Ended.IsZero():
		return fmt.Sprintf("held until %s, %s later", t.Ended.Local().Format(time.TimeOnly), vitals.Seconds.Format(t.Ended.Sub(t.Time).Seconds()))
	case t.Signal == "" || closed.IsZero() || !closed.After(t.Time) || t.Rule == blackbox.Killed:
		return ""
	}
	return "still held when the case was closed"
}

// evidence lists the files by phase, and within one as they were taken.
func (p *printer) evidence(all []casefile.Evidence) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b casefile.Evidence) int {
		return phaseOrder(a.Phase) - phaseOrder(b.Phase)
	})
	width := 0
	for _, e := range all {
		width = max(width, visible(render.Plain(e.File)))
	}
	label := "Evidence "
	for _, e := range all {
		head := fmt.Sprintf("%s%-*s %-6s %9s", label, width, render.Plain(e.File), render.Plain(string(e.Phase)), size(e.Bytes))
		p.noted(head, evidenceNote(e))
		label = "         "
	}
}

// noted prints a row and, behind it where there is room, else below it, a note.
func (p *printer) noted(head, note string) {
	switch {
	case note == "":
		fmt.Fprintln(p.w, head)
	case visible(head)+2+visible(note) <= p.width:
		p.text(head+"  ", note)
	default:
		fmt.Fprintln(p.w, head)
		p.text("             ", note)
	}
}

// missing tells what was wanted and could not be had. What has the same reason stands together.
func (p *printer) missing(all []casefile.Missing) {
	var reasons []string
	kinds := make(map[string][]string)
	for _, m := range all {
		if kinds[m.Reason] == nil {
			reasons = append(reasons, m.Reason)
		}
		kinds[m.Reason] = append(kinds[m.Reason], fmt.Sprintf("%s (%s)", m.Kind, m.Phase))
	}
	for _, r := range reasons {
		p.text("Missing  ", strings.Join(kinds[r], ", ")+": "+r)
	}
}

func phaseOrder(p casefile.Phase) int {
	return slices.Index([]casefile.Phase{casefile.Before, casefile.During, casefile.After}, p)
}

// evidenceNote is what a reader should know of a file: how long the world stood still for it, above all.
func evidenceNote(e casefile.Evidence) string {
	return strings.TrimSuffix(strings.TrimPrefix(pauseText(e)+"; "+e.Note, "; "), "; ")
}

// pauseText says for how long a capture stopped the target at a stretch; "" where that was not measured.
func pauseText(e casefile.Evidence) string {
	if e.Pause <= 0 {
		return ""
	}
	return "stopped the world for " + vitals.Seconds.Format(e.Pause) + " at most"
}
