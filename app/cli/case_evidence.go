package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/app/terminal"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// printEvidenceInShort prints how many evidence files there are and how many are missing.
func printEvidenceInShort(p *terminal.Printer, c casefile.Case) {
	var bytes int64
	for _, e := range c.Evidence {
		bytes += e.Bytes
	}
	text := number.Things(len(c.Evidence), "file") + ", " + number.Bytes(float64(bytes))
	if n := len(c.Missing); n > 0 {
		text += fmt.Sprintf("; %d not taken", n)
	}
	p.Text("Evidence ", text+" (--verbose lists them)")
}

// printEvidence lists the files by phase, and within a phase in the order they were taken.
func printEvidence(p *terminal.Printer, all []casefile.Evidence) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b casefile.Evidence) int {
		return phaseOrder(a.Phase) - phaseOrder(b.Phase)
	})
	width := 0
	for _, e := range all {
		width = max(width, terminal.Visible(render.Plain(e.File)))
	}
	label := "Evidence "
	for _, e := range all {
		head := fmt.Sprintf("%s%-*s %-6s %9s", label, width, render.Plain(e.File), render.Plain(string(e.Phase)),
			number.Bytes(float64(e.Bytes)))
		printNoted(p, head, evidenceNote(e))
		label = "         "
	}
}

// printNoted prints a row and a note: on the same line if there is room, otherwise below it.
func printNoted(p *terminal.Printer, head, note string) {
	switch {
	case note == "":
		fmt.Fprintln(p.W, head)
	case terminal.Visible(head)+2+terminal.Visible(note) <= p.Width:
		p.Text(head+"  ", note)
	default:
		fmt.Fprintln(p.W, head)
		p.Text("             ", note)
	}
}

// printMissing prints which evidence could not be taken, grouped by reason.
func printMissing(p *terminal.Printer, all []casefile.Missing) {
	var reasons []string
	kinds := make(map[string][]string)
	for _, m := range all {
		if kinds[m.Reason] == nil {
			reasons = append(reasons, m.Reason)
		}
		kinds[m.Reason] = append(kinds[m.Reason], fmt.Sprintf("%s (%s)", m.Kind, m.Phase))
	}
	for _, r := range reasons {
		p.Text("Missing  ", strings.Join(kinds[r], ", ")+": "+r)
	}
}

func phaseOrder(p casefile.Phase) int {
	return slices.Index([]casefile.Phase{casefile.Before, casefile.During, casefile.After}, p)
}

// evidenceNote returns what a reader should know about a file: above all, how long the world was stopped for it.
func evidenceNote(e casefile.Evidence) string {
	return strings.TrimSuffix(strings.TrimPrefix(pauseText(e)+"; "+e.Note, "; "), "; ")
}

// pauseText returns the longest time a capture stopped the target without a break; "" if that was not measured.
func pauseText(e casefile.Evidence) string {
	if e.Pause <= 0 {
		return ""
	}
	return "stopped the world for " + vitals.Seconds.Format(e.Pause) + " at most"
}
