package prove

import (
	"fmt"

	"github.com/gocasebook/casebook/casefile"
)

// A ballot counts the verdicts of the figures other than the key figure; those that were not measured have no
// vote.
type ballot struct{ better, worse, open int }

func others(figs []casefile.Figure) ballot {
	var b ballot
	for _, f := range figs {
		switch {
		case f.Key || f.Before.N == 0 || f.After.N == 0:
		case f.Verdict == casefile.Better:
			b.better++
		case f.Verdict == casefile.Worse:
			b.worse++
		case f.Verdict == casefile.CannotTell:
			b.open++
		}
	}
	return b
}

// overall returns the verdict of the whole: the key figure's where that is better, worse or the same. Where the key
// figure cannot be told, one figure does not overturn the others: the verdict is theirs when all that changed changed
// in one direction, and they are more than those that cannot be told either. Without a key figure there is none.
func overall(figs []casefile.Figure, key string) casefile.Verdict {
	for _, f := range figs {
		if f.Key && f.Verdict != casefile.CannotTell {
			return f.Verdict
		}
	}
	b := others(figs)
	switch {
	case key == "":
	case b.worse == 0 && b.better > b.open:
		return casefile.Better
	case b.better == 0 && b.worse > b.open:
		return casefile.Worse
	}
	return casefile.CannotTell
}

// byOthers says that the verdict is not the key figure's; "" if it is.
func byOthers(p casefile.Proof) string {
	for _, f := range p.Figures {
		if f.Key && f.Verdict != casefile.CannotTell {
			return ""
		}
	}
	b := others(p.Figures)
	switch p.Verdict {
	case casefile.Better:
		return fmt.Sprintf("; the verdict comes from the others: %s better and none worse", figuresText(b.better))
	case casefile.Worse:
		return fmt.Sprintf("; the verdict comes from the others: %s worse and none better", figuresText(b.worse))
	}
	return ""
}

func figuresText(n int) string {
	if n == 1 {
		return "one figure is"
	}
	return fmt.Sprintf("%d figures are", n)
}
