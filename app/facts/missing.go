package facts

import (
	"cmp"
	"slices"
	"strings"
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
			t.say("The %s of the time %s was not taken: %s", clean(m.Kind), clean(string(m.Phase)), prose(m.Reason))
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
		key := strings.Join(u.Lacks, " or ")
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
		t.say("There is no evidence of the kind %s: not judged are %s", clean(l.lacks),
			clean(strings.Join(kinds, ", ")))
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
