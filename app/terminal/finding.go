package terminal

import (
	"fmt"
	"io"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/blackbox"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// Diagnosis prints findings for a person, wrapped to the terminal's width, at most 100 columns. They are printed in
// short and what could not be judged is counted; more names the command that prints all of it. With "" all is printed
// here.
func Diagnosis(w io.Writer, d casefile.Diagnosis, more string) {
	printJudged(w, d, judged{nothingFound, more, false})
}

// CaseDiagnosis prints a case's diagnosis. "Nothing found" says little about a process that ended meanwhile.
func CaseDiagnosis(w io.Writer, c *casefile.Case, more string) {
	if blackbox.Ended(c) != "" || c.Trigger.Rule == blackbox.Killed {
		printJudged(w, c.Diagnosis, judged{"No fault shows in the evidence from before the process ended.", more, true})
		return
	}
	printJudged(w, c.Diagnosis, judged{nothingFound, more, true})
}

const nothingFound = "Nothing found that is worth changing."

// A judged says how a diagnosis is printed.
type judged struct {
	nothing string // what to print without findings
	more    string // the command that prints all of it; "" where all is printed here
	memory  bool   // with the table of the memory, also in short
}

// printJudged prints a diagnosis.
func printJudged(w io.Writer, d casefile.Diagnosis, how judged) {
	p, more := New(w), how.more
	table := how.memory || more == ""
	p.verdict(d.Verdict)
	p.causes(d.Causes, more)
	p.picture(d.Picture, table)
	if d.Picture != nil && table {
		p.memory(d.Picture.Memory, more == "")
	}
	if d.Picture != nil && more == "" {
		p.ages(d.Picture.Ages)
	}
	ran, of := judgedKinds(d.Undecided)
	switch {
	case len(d.Findings) > 0:
	case ran == 0:
		p.Text("", "Nothing could be judged: no detector can use this evidence.")
	case d.Picture != nil && len(d.Picture.Tripped) > 0:
		p.Text("", "No detector knows a fault behind this. What is known of the trip is above.")
	case d.Unexplained() != "":
		p.Text("", "No findings: the evidence does not decide it.")
	case float64(ran) < fewJudged*float64(of):
		p.Text("", fmt.Sprintf("Hardly anything could be judged: for %s of %s kinds of findings evidence is missing.",
			number.Count(float64(of-ran)), number.Count(float64(of))))
	default:
		p.Text("", how.nothing)
	}
	for i, f := range d.Findings {
		if i > 0 {
			fmt.Fprintln(w)
		}
		p.Finding(f, more)
	}
	if more == "" {
		p.undecided(d.Undecided)
		return
	}
	if len(d.Findings) > 0 {
		p.More(more)
	}
	p.undecidedInShort(d, more)
}

// Finding prints a finding in short when more names the command that prints all of it, and otherwise in full.
func (p *Printer) Finding(f casefile.Finding, more string) {
	if more == "" {
		p.inFull(f)
	} else {
		p.inShort(f)
	}
}

// More says which command prints findings in full; with "" they are.
func (p *Printer) More(command string) {
	if command == "" {
		return
	}
	fmt.Fprintln(p.W)
	p.Text("More: ", command+" (all places and remedies, prices, evidence)")
}

func (p *Printer) inFull(f casefile.Finding) {
	t := words.Of(f)
	p.Text(p.Paint(f.Severity(), t.Head)+"  ", t.Title)
	p.Text("  ", t.Summary)
	for i, w := range t.Where {
		p.place(label("where", i), w)
		p.source(w, false)
	}
	for i, said := range t.Said {
		p.Text(label("source", i), said)
	}
	for i, by := range t.By {
		p.Text(label("held", i), by)
	}
	if t.Cost != "" {
		p.Text(label("cost", 0), t.Cost)
	}
	if t.Gain != "" {
		p.Text(label("gain", 0), t.Gain+Tail(": ", t.How))
	}
	for i, r := range t.Remedies {
		p.Text(fmt.Sprintf("%s%d. ", label("remedy", i), i+1), r.Title+"."+Tail(" ", r.Text))
		if r.Price != "" {
			p.Text("            price: ", r.Price)
		}
	}
	for i, b := range t.Basis {
		p.Text(label("basis", i), b.File+": "+b.Text)
	}
	p.order(f)
	p.Text(label("id", 0), t.ID+" "+t.Kind+", "+t.Sure)
}

// order says why a finding stands below one that is less severe.
func (p *Printer) order(f casefile.Finding) {
	if f.Order != "" {
		p.Text(label("order", 0), f.Order)
	}
}

// label is what stands before the i-th line of a kind; only the first has its name.
func label(name string, i int) string {
	if i > 0 {
		name = ""
	}
	return fmt.Sprintf("  %-7s", name)
}

// place prints a function with its share, and file:line below it.
func (p *Printer) place(label string, f casefile.Frame) {
	p.Text(label, words.Symbol(f.Function)+Tail("  ", words.Part(f)))
	if at := words.Line(f); at != "" {
		p.Text("           ", shorten(at, p.Width-11))
	}
}

// source prints the lines around a place; in short only the one that the finding names.
func (p *Printer) source(f casefile.Frame, short bool) {
	for _, l := range words.Source(f) {
		mark := " "
		if l.Here && !short {
			mark = ">"
		}
		if l.Here || !short {
			line := Clip(fmt.Sprintf("         %s %4d  %s", mark, l.Number, l.Text), p.Width)
			fmt.Fprintln(p.W, strings.TrimRight(line, " "))
		}
	}
}
