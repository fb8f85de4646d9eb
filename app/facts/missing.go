package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// mostMissing is how many pieces of evidence that are not there are facts.
const mostMissing = 6

// mostLacking is how many sorts of evidence are named, those first that most detectors lack.
const mostLacking = 4

// Harm of what is missing: what would settle an undecided case comes before what nobody asked for.
const (
	settlesHarm = 0.3
	lackHarm    = 0.04
)

// addMissing adds what evidence is not there, and how to get it.
func (b *builder) addMissing() {
	if v := b.report.Verdict; v != nil && v.Settle != "" {
		var t text
		t.say("What would settle it: %s", prose(v.Settle))
		t.end()
		b.add(Missing, &t, settlesHarm)
	}
	if b.o.Case != nil {
		for i, m := range b.o.Case.Missing {
			if i == mostMissing {
				break
			}
			var t text
			t.say("No %s was taken%s: %s", clean(evidenceName(m.Kind)), when(m.Phase), prose(m.Reason))
			t.end()
			b.add(Missing, &t, lackHarm)
		}
	}
	b.addLacking()
	for _, err := range b.o.Unread[:min(len(b.o.Unread), mostMissing)] {
		var t text
		t.say("Not read: %s", prose(err.Error()))
		t.end()
		b.add(Missing, &t, 2*lackHarm)
	}
	for _, p := range b.report.Problems[:min(len(b.report.Problems), mostMissing)] {
		var t text
		t.say("%s could not be read: %s", clean(p.File), prose(p.Reason))
		if p.Next != "" {
			t.say("; %s", prose(p.Next))
		}
		t.end()
		b.add(Missing, &t, 2*lackHarm)
	}
}

// A lacking is a sort of evidence that detectors did not have.
type lacking struct {
	lacks   string
	reason  string
	capture string
	kinds   []string
}

// addLacking adds what detectors lack, each sort of evidence once.
func (b *builder) addLacking() {
	var all []*lacking
	for _, u := range b.report.Undecided {
		if len(u.Lacks) == 0 {
			continue
		}
		key := evidenceNames(u.Lacks)
		i := slices.IndexFunc(all, func(l *lacking) bool { return l.lacks == key })
		if i < 0 {
			i = len(all)
			all = append(all, &lacking{lacks: key, reason: u.Brief, capture: u.CaptureNext})
		}
		all[i].kinds = append(all[i].kinds, u.Kind)
	}
	slices.SortStableFunc(all, func(x, y *lacking) int { return cmp.Compare(len(y.kinds), len(x.kinds)) })
	for _, l := range all[:min(len(all), mostLacking)] {
		const named = 4
		var t text
		kinds := l.kinds[:min(len(l.kinds), named)]
		t.say("Without %s these are not judged: %s", clean(l.lacks), clean(strings.Join(kinds, ", ")))
		if more := len(l.kinds) - named; more > 0 {
			t.say(" and %s more", count("more kinds", more))
		}
		t.end()
		if l.capture != "" {
			t.say(" To get it: %s", prose(l.capture))
			t.end()
		}
		b.add(Missing, &t, lackHarm)
	}
}

// evidenceNames are kinds of evidence of which any one would do.
func evidenceNames(kinds []string) string {
	var all []string
	for _, k := range kinds {
		if name := article(evidenceName(k)); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return strings.Join(all, " or ")
}

func article(name string) string {
	if strings.HasPrefix(name, "execution") || strings.HasPrefix(name, "account") {
		return "an " + name
	}
	return "a " + name
}

// evidenceName is what people call evidence of a kind.
func evidenceName(kind string) string {
	switch kind {
	case casefile.CPU:
		return "CPU profile"
	case casefile.Heap, casefile.Allocs, casefile.Goroutine, casefile.Mutex, casefile.Block, casefile.GoroutineLeak:
		return kind + " profile"
	case casefile.GoroutineDump:
		return "goroutine dump"
	case casefile.Trace, traces.KindSummary:
		return "execution trace"
	case casefile.Metrics:
		return "page of metrics"
	case casefile.Vitals:
		return "history of the signals"
	case casefile.Neighbours:
		return "account of the machine's CPUs"
	}
	return kind
}

// when is the phase of evidence in a sentence; what is taken during the trouble is the rule.
func when(p casefile.Phase) string {
	switch p {
	case casefile.Before:
		return " before it began"
	case casefile.After:
		return " afterwards"
	}
	return ""
}
