package difference

import (
	"slices"
	"strings"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/plain"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// Text is "0.45 → 2.85 cores, ×6.3".
func (a *Amount) Text() string {
	if a.Base == nil || a.Now == nil {
		return a.side(a.Base) + " → " + a.side(a.Now)
	}
	before, after := a.side(a.Base), a.side(a.Now)
	if before == after {
		return after
	}
	text := fromTo(before, after)
	if change := number.Change(*a.Base, *a.Now); *a.Base > 0 && *a.Now > 0 {
		text += ", " + change
	}
	return text
}

// Text is that of the amount; one that chance explains has no relation.
func (t *Total) Text() string {
	if t.Chance {
		return fromTo(t.side(t.Base), t.side(t.Now)) + ", within chance"
	}
	text := t.Amount.Text()
	switch {
	case t.Unloaded:
		text += ": worse, unless more was asked for (no requests were counted)"
	case t.Worse:
		text += ": worse"
	}
	return text
}

func (a *Amount) side(v *float64) string {
	if v == nil {
		return "not measured"
	}
	return a.Unit.Format(*v)
}

// fromTo writes two figures, whose unit stands once if it is the same one.
func fromTo(before, after string) string {
	n, unit, _ := strings.Cut(before, " ")
	if _, other, ok := strings.Cut(after, " "); ok && unit == other {
		before = n
	}
	return before + " → " + after
}

// Text is "0 → 0.31 cores, 0 → 11 % of the CPU", behind the state and the function.
func (p *Place) Text() string {
	a := p.Amount()
	text := fromTo(a.side(a.Base), a.side(a.Now))
	if of := wholes[p.Resource]; of != "" {
		text += ", " + fromTo(vitals.Share.Format(p.BaseShare), vitals.Share.Format(p.NowShare)) + " of " + of
	}
	return text
}

var wholes = map[string]string{CPU: "the CPU", Memory: "the heap", Goroutines: "all goroutines"}

// Name is the place for prose.
func (p *Place) Name() string { return plain.Text(words.Function(p.Function)) }

// Said is what is known of a change beside its scores: how the cost changed, and what to keep in mind.
func (c *Change) Said() string {
	return strings.Join(slices.DeleteFunc([]string{c.Text(), c.Note}, func(s string) bool { return s == "" }), "; ")
}

// Text says how the cost changed: "cpu 20 % → 31 %; 0.3 → 0.9 cores, ×3"; "" where it is not known on both sides.
func (c *Change) Text() string {
	var parts []string
	if c.Base != nil && c.Now != nil && c.Share != 0 {
		parts = append(parts, c.Now.Impact.Resource+" "+fromTo(vitals.Share.Format(c.Base.Impact.Share),
			vitals.Share.Format(c.Now.Impact.Share)))
	}
	if c.Amount != nil {
		text := c.Amount.Text()
		if c.Resource == Goroutines {
			text = "goroutines there " + text
		} else if c.Resource == Memory {
			text = "held there " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}
