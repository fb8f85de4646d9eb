package prove

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/vitals"
)

// signed writes a change in its unit, with its sign.
func signed(v float64, u vitals.Unit) string {
	return number.Signed(func(v float64) string { return amount(v, u) }, v)
}

// amount writes how much a figure changed by, in its unit.
func amount(v float64, u vitals.Unit) string {
	if u == vitals.Share {
		return number.Points(v)
	}
	return u.Format(v)
}

// ChangeText writes how a figure changed, for people: "−92.4 %", "×3.1", "÷250"; as measured in pairs where it was,
// else from the two sides' values.
func ChangeText(f casefile.Figure) string {
	switch e := f.Effect; {
	case e == nil:
		return number.Change(f.Before.Value, f.After.Value)
	case e.Absolute && e.Value == 0:
		return "0"
	case e.Absolute:
		return signed(e.Value, vitals.Unit(f.Unit))
	default:
		return number.Change(1, 1+e.Value)
	}
}

func roundsText(n, m int) string {
	switch {
	case n == 1 && m == 1:
		return "one round per side"
	case n == m:
		return fmt.Sprintf("%d rounds per side", n)
	}
	return fmt.Sprintf("%d rounds before and %d after", n, m)
}

// method says how the verdicts were reached.
func method(cs []*contrast, margin float64) string {
	if len(cs) == 0 {
		return "Nothing was measured."
	}
	tested, n, m, rho, bound := 0, 0, 0, 0.0, 0.0
	for _, c := range cs {
		if c.tested {
			tested++
			rho, bound = max(rho, c.seen), max(bound, c.rho)
		}
		n, m = max(n, len(c.before)), max(m, len(c.after))
	}
	text := fmt.Sprintf("Medians of %s with 95 %% intervals; t test of the log ratio of trimmed means, p corrected "+
		"for %d figures (Holm), %g %% level overall; changes below %g %% do not count.",
		roundsText(n, m), tested, 100*familyAlpha, math.Round(1e4*margin)/100)
	if rho >= alike {
		text += " Neighbouring rounds resemble each other, so they count as fewer: for some figures as " +
			fmt.Sprintf("%.0f.", math.Ceil(independent(min(n, m), bound)))
	}
	if slices.ContainsFunc(cs, func(c *contrast) bool { return c.collected != nil }) {
		text += collectorText
	}
	return text + " Latencies are quantiles of a round's requests."
}

const collectorText = " The garbage collector is judged by its cycles."

// summary returns the proof in a sentence: the key figure, then what else moved.
func summary(p casefile.Proof, key string) string {
	var s strings.Builder
	found := false
	for _, f := range p.Figures {
		if f.Key {
			s.WriteString(sentence(f))
			found = true
		}
	}
	switch {
	case key == "":
		s.WriteString("No key figure was named, so there is no overall verdict")
	case !found:
		fmt.Fprintf(&s, "%s, the key figure, was measured on neither side", key)
	}
	s.WriteString(byOthers(p))
	better := "also better"
	if p.Verdict != casefile.Better {
		better = "better"
	}
	for _, group := range []struct {
		verdict casefile.Verdict
		lead    string
	}{{casefile.Better, better}, {casefile.Worse, "worse"}, {casefile.Same, "the same"},
		{casefile.CannotTell, "cannot tell"}} {
		if list := listed(p.Figures, group.verdict); list != "" {
			s.WriteString("; " + group.lead + ": " + list)
		}
	}
	s.WriteString(".")
	return s.String()
}

// listed returns the figures of a verdict, the key figure left out: real changes with their size.
func listed(figs []casefile.Figure, v casefile.Verdict) string {
	var list []string
	for _, f := range figs {
		if f.Key || f.Verdict != v {
			continue
		}
		text := f.Name
		if v == casefile.Better || v == casefile.Worse {
			text += " " + ChangeText(f)
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// sentence says what became of one figure.
func sentence(f casefile.Figure) string {
	if f.Before.N == 0 || f.After.N == 0 {
		return fmt.Sprintf("%s cannot be compared (%s)", f.Name, f.Note)
	}
	u := vitals.Unit(f.Unit)
	text := fmt.Sprintf("%s went from %s to %s (%s)", f.Name, u.Format(f.Before.Value), u.Format(f.After.Value),
		ChangeText(f))
	switch {
	case f.Verdict == casefile.CannotTell:
		return fmt.Sprintf("%s, which cannot be told from noise: %s", text, f.Note)
	// not by the test: see contrast.separated
	case f.P > familyAlpha && f.Note != "" && (f.Verdict == casefile.Better || f.Verdict == casefile.Worse):
		return fmt.Sprintf("%s: %s (%s)", text, f.Verdict, f.Note)
	case f.P == 0 || f.P >= 1:
		return fmt.Sprintf("%s: %s", text, f.Verdict)
	case f.P < 0.001:
		return fmt.Sprintf("%s: %s, p < 0.001", text, f.Verdict)
	}
	return fmt.Sprintf("%s: %s, %s", text, f.Verdict, number.P(f.P))
}
