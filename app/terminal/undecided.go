package terminal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// undecided says what could not be judged: first what detectors say of the evidence that there is, then what is
// missing. One profile that is missing leaves a dozen kinds undecided: kinds with the same reason are grouped, and so
// are the reasons that the same capture would remove.
func (p *Printer) undecided(all []casefile.Undecided) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(p.W)
	p.Text("", "Not judged, for lack of evidence:")
	p.byNext(slices.Concat(split(all)))
}

// mostReasons bounds how many reasons the short form prints for evidence that is there but does not give an answer.
const mostReasons = 2

// undecidedInShort says in a line or two what could not be judged, and what to capture to get most of it judged.
func (p *Printer) undecidedInShort(all []casefile.Undecided, more string) {
	if len(all) == 0 {
		return
	}
	judged, missing := split(all)
	var parts []string
	for _, u := range judged[:min(len(judged), mostReasons)] {
		parts = append(parts, u.Kind+", because "+u.Reason)
	}
	if rest := len(all) - len(parts); len(parts) > 0 && rest > 0 {
		parts = append(parts, Plural(rest, "more kind"))
	} else if rest > 0 {
		parts = append(parts, Plural(rest, "kind")+", for lack of evidence")
	}
	fmt.Fprintln(p.W)
	p.Text("Not judged: ", strings.Join(parts, "; ")+"; "+more+" lists all.")
	if next := mostWanted(slices.Concat(judged[:min(len(judged), 1)], missing)); next != "" {
		p.Text("      next: ", next)
	}
}

// mostWanted returns the capture that would decide most of them.
func mostWanted(all []casefile.Undecided) string {
	wanted, best := make(map[string]int), ""
	for _, u := range all {
		if wanted[u.CaptureNext]++; u.CaptureNext != "" && wanted[u.CaptureNext] > wanted[best] {
			best = u.CaptureNext
		}
	}
	return best
}

// split separates what detectors say about the existing evidence from what is missing.
func split(all []casefile.Undecided) (judged, missing []casefile.Undecided) {
	lacking := lackingReasons()
	for _, u := range all {
		if lacking[u.Reason] {
			// what follows says why this kind needs it; the list says that it does
			u.Reason, _, _ = strings.Cut(u.Reason, ": ")
			missing = append(missing, u)
		} else {
			judged = append(judged, u)
		}
	}
	return judged, missing
}

// byNext prints them grouped by what to capture next, in the order in which each next step first appears.
func (p *Printer) byNext(all []casefile.Undecided) {
	var nexts []string
	reasons := make(map[string][]string) // by what to capture next
	kinds := make(map[[2]string]string)  // by that and the reason
	for _, u := range all {
		key := [2]string{u.CaptureNext, u.Reason}
		if reasons[u.CaptureNext] == nil {
			nexts = append(nexts, u.CaptureNext)
		}
		if kinds[key] == "" {
			reasons[u.CaptureNext] = append(reasons[u.CaptureNext], u.Reason)
			kinds[key] = u.Kind
			continue
		}
		kinds[key] += ", " + u.Kind
	}
	for _, next := range nexts {
		for _, reason := range reasons[next] {
			p.Text("  ", kinds[[2]string{next, reason}]+": "+reason)
		}
		if next != "" {
			p.Text("    next: ", next)
		}
	}
}

// lackingReasons returns the reasons of detectors that did not run, because their evidence was not given.
func lackingReasons() map[string]bool {
	out := make(map[string]bool)
	for _, d := range diagnose.Detectors() {
		for _, n := range d.Needs {
			out[n.Reason] = true
		}
	}
	return out
}

// nothingJudged reports whether no detector that needs anything has run.
func nothingJudged(all []casefile.Undecided) bool {
	if slices.ContainsFunc(all, func(u casefile.Undecided) bool { return u.ID == "" }) {
		return true // it is about every kind
	}
	for _, d := range diagnose.Detectors() {
		ran := !slices.ContainsFunc(all, func(u casefile.Undecided) bool {
			return u.ID == d.ID && slices.ContainsFunc(d.Needs,
				func(n diagnose.Need) bool { return n.Reason == u.Reason })
		})
		if ran && len(d.Needs) > 0 {
			// A detector that judges the evidence itself takes any: that it ran says nothing about the process.
			if !strings.HasPrefix(d.Kind, "evidence-") {
				return false
			}
		}
	}
	return true
}
