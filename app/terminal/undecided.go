package terminal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
)

// undecided says what could not be judged: first what detectors say about the existing evidence, then what is missing.
// One missing profile leaves a dozen kinds undecided: kinds with the same reason are grouped, and so are the reasons
// that the same capture would remove.
func (p *Printer) undecided(all []casefile.Undecided) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(p.W)
	p.Text("", "Not judged, for lack of evidence:")
	p.byNext(slices.Concat(split(all)))
}

// mostNamed kinds are named in the short form, of those that the evidence was there for.
const mostNamed = 2

// undecidedInShort says in one line what could not be judged. Where nothing was found, it says what to capture to get
// most of it judged, for that is then the next step.
func (p *Printer) undecidedInShort(d casefile.Diagnosis, more string) {
	if len(d.Undecided) == 0 {
		return
	}
	judged, missing := split(d.Undecided)
	line := ""
	for n := min(len(judged), mostNamed); n >= 0; n-- {
		line = "Not judged: " + namesOf(judged[:n], len(d.Undecided)) + "; why: " + more
		if Visible(line) <= p.Width {
			break
		}
	}
	fmt.Fprintln(p.W)
	p.Text("", line)
	if next := mostWanted(slices.Concat(judged[:min(len(judged), 1)], missing)); next != "" && len(d.Findings) == 0 {
		p.Text("next: ", next)
	}
}

// namesOf names some of so many kinds: "gc-cpu, mem-leak, 3 more kinds".
func namesOf(some []casefile.Undecided, all int) string {
	var parts []string
	for _, u := range some {
		parts = append(parts, u.Kind)
	}
	switch rest := all - len(some); {
	case len(parts) == 0:
		parts = append(parts, number.Things(rest, "kind"))
	case rest > 0:
		parts = append(parts, number.Things(rest, "more kind"))
	}
	return strings.Join(parts, ", ")
}

// mostWanted returns the capture that would decide most of them.
func mostWanted(all []casefile.Undecided) string {
	var best words.Open
	for _, o := range words.Undecided(all) {
		if o.Next != "" && len(o.Kinds()) > len(best.Kinds()) {
			best = o
		}
	}
	return best.Next
}

// split separates what detectors say about the existing evidence from what is missing.
func split(all []casefile.Undecided) (judged, missing []casefile.Undecided) {
	for _, u := range all {
		if len(u.Lacks) > 0 {
			u.Reason = cmp.Or(u.Brief, u.Reason) // the list says that this kind needs it
			missing = append(missing, u)
		} else {
			judged = append(judged, u)
		}
	}
	return judged, missing
}

// byNext prints them grouped by what to capture next.
func (p *Printer) byNext(all []casefile.Undecided) {
	for _, o := range words.Undecided(all) {
		for _, r := range o.Reasons {
			p.Text("  ", strings.Join(r.Kinds, ", ")+": "+r.Text)
		}
		if o.Next != "" {
			p.Text("    next: ", o.Next)
		}
	}
}

// fewJudged is below which share of all kinds it says nothing of a process that none of them was found. One profile
// of CPU, of the heap or of goroutines is enough for more.
const fewJudged = 0.1

// judgedKinds is how many of the detectors that need evidence had it. One that judges the evidence itself takes any:
// that it ran says nothing about the process.
func judgedKinds(all []casefile.Undecided) (ran, of int) {
	none := slices.ContainsFunc(all, func(u casefile.Undecided) bool { return u.ID == "" }) // it is about every kind
	for _, d := range diagnose.Detectors() {
		if len(d.Needs) == 0 || strings.HasPrefix(d.Kind, "evidence-") {
			continue
		}
		of++
		lacks := slices.ContainsFunc(all, func(u casefile.Undecided) bool { return u.ID == d.ID && len(u.Lacks) > 0 })
		if !none && !lacks {
			ran++
		}
	}
	return ran, of
}
