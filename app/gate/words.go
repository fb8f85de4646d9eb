package gate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/gocasebook/casebook/app/stat"
	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/words"
	"github.com/gocasebook/casebook/vitals"
)

// value writes a figure in its unit, which is one of package vitals or of benchmarks.
func value(v float64, unit string) string {
	if u := vitals.Unit(unit); u.Known() {
		return u.Format(v)
	}
	text := benchunit.Scale(v, benchunit.ClassOf(unit))
	if rest, ok := strings.CutPrefix(unit, "sec"); ok {
		return text + "s" + rest
	}
	return text + " " + unit
}

func (b Blame) text(unit string) string {
	if b.Unit != "" {
		unit = b.Unit
	}
	text := words.Symbol(b.Function)
	switch {
	case b.Changed && b.In != "":
		text += ", which changed, in " + b.In
	case b.Changed:
		text += ", which changed"
	}
	return fmt.Sprintf("%s: %s → %s", text, value(b.Base, unit), value(b.Head, unit))
}

// move returns the change with its sign: "+10.3 %".
func (j *Judgement) move() string {
	if j.Base == 0 && j.Head != 0 {
		return "from 0"
	}
	return number.Change(1, 1+j.Change)
}

// headline is "time +10.3 % (limit +5 %)".
func (j *Judgement) headline() string {
	return fmt.Sprintf("%s %s (limit %s)", j.Figure, j.move(), j.Limit.percent())
}

// numbers returns what the judgement rests on.
func (j *Judgement) numbers() string {
	text := value(j.Base, j.Unit) + " → " + value(j.Head, j.Unit)
	if j.Exact {
		return text + fmt.Sprintf(", the same in each of %d rounds", j.Rounds)
	}
	text += fmt.Sprintf(", %s in %d rounds, noise ±%s", number.P(j.P), j.Rounds, number.Percent(j.Noise))
	if j.First != nil {
		text += fmt.Sprintf(" (%s in the first rounds)", number.Change(1, 1+*j.First))
	}
	return text
}

// Summary returns the result in a sentence.
func (r *Result) Summary() string {
	n := make(map[Outcome]int)
	for _, j := range r.Judgements {
		n[j.Outcome]++
	}
	figures := func(k int) string { return count(k, "figure", "figures") }
	var parts []string
	if k := n[Fail]; k > 0 {
		parts = append(parts, figures(k)+" beyond the limit")
	}
	if k := n[CannotTell]; k > 0 {
		parts = append(parts, figures(k)+" too noisy to tell")
	}
	if k := n[Pass]; k > 0 {
		parts = append(parts, figures(k)+" within the limit")
	}
	if k := len(r.Identical); k > 0 {
		parts = append(parts, count(k, "binary", "binaries")+" unchanged, byte for byte")
	}
	if r.Partial != "" {
		return "INCOMPLETE: " + strings.Join(parts, ", ")
	}
	return strings.ToUpper(string(r.Outcome)) + ": " + strings.Join(parts, ", ")
}

// noiseText returns the noise floor of each figure: the median over its subjects.
func (r *Result) noiseText() string {
	byFigure := make(map[string][]float64)
	var names []string
	for _, j := range r.Judgements {
		if j.Exact {
			continue
		}
		if byFigure[j.Figure] == nil {
			names = append(names, j.Figure)
		}
		byFigure[j.Figure] = append(byFigure[j.Figure], j.Noise)
	}
	slices.Sort(names)
	var parts []string
	for _, name := range names {
		text := name + " ±" + number.Percent(stat.Median(byFigure[name]))
		if len(byFigure[name]) > 1 {
			text += " (at most ±" + number.Percent(slices.Max(byFigure[name])) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// sorted puts failures first, then "cannot tell", each by falling excess.
func (r *Result) sorted() []Judgement {
	order := []Outcome{Fail, CannotTell, Pass}
	js := slices.Clone(r.Judgements)
	slices.SortStableFunc(js, func(a, b Judgement) int {
		if d := slices.Index(order, a.Outcome) - slices.Index(order, b.Outcome); d != 0 {
			return d
		}
		switch x, y := math.Abs(a.Change), math.Abs(b.Change); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return js
}
