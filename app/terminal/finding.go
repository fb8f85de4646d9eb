package terminal

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/gocasebook/casebook/app/render"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/vitals"
)

// Diagnosis prints findings for a person, wrapped to the terminal's width, at most 100 columns. more says what
// lists all that could not be judged, which is counted then; "" lists it here.
func Diagnosis(w io.Writer, d casefile.Diagnosis, more string) {
	printJudged(w, d, "Nothing found that is worth changing.", more)
}

// CaseDiagnosis prints a case's diagnosis. "Nothing found" says little about a process that ended meanwhile.
func CaseDiagnosis(w io.Writer, c *casefile.Case, more string) {
	if blackbox.Ended(c) != "" || c.Trigger.Rule == blackbox.Killed {
		printJudged(w, c.Diagnosis, "No fault shows in the evidence from before the process ended.", more)
		return
	}
	Diagnosis(w, c.Diagnosis, more)
}

// printJudged prints a diagnosis; without findings it prints the text nothing.
func printJudged(w io.Writer, d casefile.Diagnosis, nothing, more string) {
	p := New(w)
	p.picture(d.Picture)
	switch {
	case len(d.Findings) > 0:
	case nothingJudged(d.Undecided):
		p.Text("", "Nothing could be judged: no detector can use this evidence.")
	default:
		p.Text("", nothing)
	}
	for i, f := range d.Findings {
		if i > 0 {
			fmt.Fprintln(w)
		}
		p.Finding(f)
	}
	if more == "" {
		p.undecided(d.Undecided)
	} else {
		p.undecidedInShort(d.Undecided, more)
	}
}

// Finding prints one finding.
func (p *Printer) Finding(f casefile.Finding) {
	head := fmt.Sprintf("%s %d", strings.ToUpper(f.Severity()), f.Score)
	p.Text(p.Paint(f.Severity(), head)+"  ", f.Title)
	p.Text("  ", f.Summary)
	for i, w := range f.Where {
		label := "         "
		if i == 0 {
			label = "  where  "
		}
		p.place(label, w)
	}
	if cost := render.Cost(f); cost != "" {
		p.Text("  cost   ", cost)
	}
	if g := f.Impact.Gain; g.High > 0 {
		p.Text("  gain   ", gainText(f.Impact)+arithmetic(g))
	}
	for i, r := range f.Remedies {
		label := "         "
		if i == 0 {
			label = "  remedy "
		}
		p.Text(fmt.Sprintf("%s%d. ", label, i+1), r.Title+". "+r.Text)
		if r.Price != "" {
			p.Text("            price: ", r.Price)
		}
	}
	for i, b := range f.Evidence {
		label := "         "
		if i == 0 {
			label = "  basis  "
		}
		p.Text(label, filepath.Base(b.File)+": "+b.Text)
	}
	confidence := fmt.Sprintf("%s, confidence %.0f %%", f.ID+" "+f.Kind, f.Confidence*100)
	if len(f.CausedBy) > 0 {
		confidence += ", caused by " + strings.Join(f.CausedBy, ", ")
	}
	p.Text("  id     ", confidence)
}

// place prints a function with its share, and file:line below it.
func (p *Printer) place(label string, f casefile.Frame) {
	share := ""
	if f.Share > 0 {
		share = vitals.Share.Format(f.Share)
	}
	if f.Role != "" {
		share = strings.TrimSpace(share + " " + f.Role)
	}
	p.Text(label, f.Function+Tail("  ", share))
	if f.File != "" {
		at := f.File
		if f.Line > 0 {
			at = fmt.Sprintf("%s:%d", at, f.Line)
		}
		p.Text("           ", shorten(at, p.Width-11))
	}
}

func gainText(i casefile.Impact) string {
	g := i.Gain
	low, high := strings.TrimSuffix(vitals.Share.Format(g.Low), " %"), vitals.Share.Format(g.High)
	if g.Low == g.High {
		return high + " of " + i.Resource
	}
	return low + "–" + high + " of " + i.Resource
}

func arithmetic(g casefile.Gain) string {
	if g.Arithmetic == "" {
		return ""
	}
	return ": " + g.Arithmetic
}
