package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/casefile"
)

// A pair is one finding in two diagnoses; one side may be nil.
type pair struct {
	base, now *casefile.Finding
	note      string
}

// A matchRule is a way in which two findings may be the same, with the note for the pair.
type matchRule struct {
	note string
	is   func(base, now casefile.Finding) bool
}

// matchRules go from the most certain to the loosest. Findings that one rule has paired are not paired again.
func (t relations) matchRules() []matchRule {
	return []matchRule{
		{"", func(b, n casefile.Finding) bool { return b.Kind == n.Kind && spotOf(b) == spotOf(n) }},
		{"", func(b, n casefile.Finding) bool { return b.Kind == n.Kind && spotOf(b).Function == spotOf(n).Function }},
		{"", func(b, n casefile.Finding) bool {
			return b.Kind == n.Kind && closure(spotOf(b).Function) == closure(spotOf(n).Function)
		}},
		{"of the whole process: another place leads now",
			func(b, n casefile.Finding) bool { return b.Kind == n.Kind && t.kind(b.Kind).IsWholeProcess }},
		{"the same place, named by a more or less specific kind", func(b, n casefile.Finding) bool {
			return spotOf(b).Function != "" && spotOf(b).Function == spotOf(n).Function &&
				(t.refines(n.Kind, b.Kind) || t.refines(b.Kind, n.Kind))
		}},
	}
}

// pairUp matches findings, each once.
func pairUp(base, now []casefile.Finding) []pair {
	var pairs []pair
	baseDone, nowDone := make([]bool, len(base)), make([]bool, len(now))
	for _, s := range builtIn().matchRules() {
		for i := range base {
			for j := range now {
				if !baseDone[i] && !nowDone[j] && s.is(base[i], now[j]) {
					baseDone[i], nowDone[j] = true, true
					pairs = append(pairs, pair{&base[i], &now[j], s.note})
				}
			}
		}
	}
	for i := range base {
		if !baseDone[i] {
			pairs = append(pairs, pair{base: &base[i]})
		}
	}
	for j := range now {
		if !nowDone[j] {
			pairs = append(pairs, pair{now: &now[j]})
		}
	}
	return pairs
}

// A spot is where a finding is: its first place. The file is not part of it: builds are in different folders.
type spot struct {
	Function string
	Line     int
}

func spotOf(f casefile.Finding) spot {
	if len(f.Where) == 0 {
		return spot{}
	}
	return spot{f.Where[0].Function, f.Where[0].Line}
}

// closure cuts the compiler's numbers from the name of a function literal: a new literal above it changes the numbers
// of all that follow.
func closure(name string) string {
	for _, mark := range []string{".func", ".gowrap", ".deferwrap", "-range"} {
		if i := strings.Index(name, mark); i > 0 && strings.Trim(name[i+len(mark):],
			"0123456789") != name[i+len(mark):] {
			return name[:i+len(mark)]
		}
	}
	return name
}

// Identity identifies a finding across diagnoses: its kind and its first function, without lines, files
// and the compiler's numbers.
func Identity(f casefile.Finding) string {
	if builtIn().kind(f.Kind).IsWholeProcess {
		return f.Kind
	}
	return f.Kind + " " + closure(spotOf(f).Function)
}
