package gate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// judge measures until every figure has its judgement.
func (g *gate) judge(ctx context.Context) (*Result, error) {
	res := &Result{Base: g.name(g.base), Head: g.name(g.head), Rounds: g.Rounds, Identical: g.identical,
		Method: g.method()}
	figures, err := g.measure(ctx, g.Rounds, nil)
	if err == nil {
		if err := g.checkFigures(figures); err != nil {
			return nil, err
		}
	}
	if err != nil && len(figures) == 0 {
		return nil, err
	}
	res.Judgements = Judge(figures, g.Limits)
	if err == nil {
		if suspects := suspected(res.Judgements); len(suspects) > 0 {
			err = g.confirm(ctx, res, suspects)
		}
	}
	res.Notes = g.notes
	if err != nil {
		res.cutShort(interrupted(ctx, err), g.Rounds)
	}
	res.Outcome = Worst(res.Judgements)
	g.locate(ctx, res)
	return res, err
}

// measure asks every source.
func (g *gate) measure(ctx context.Context, n int, only map[string]bool) ([]Figure, error) {
	var all []Figure
	for _, s := range g.sources {
		figures, err := s.measure(ctx, n, only)
		all = append(all, figures...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// confirm measures the suspects again, judges them only by that, as one family, and explains what failed.
func (g *gate) confirm(ctx context.Context, res *Result, suspects []int) error {
	subjects := make(map[string]bool)
	for _, i := range suspects {
		subjects[res.Judgements[i].Subject] = true
	}
	g.say("%s not clearly within the limit: measuring again, %d rounds",
		count(len(suspects), "figure is", "figures are"), g.Confirm)
	figures, err := g.measure(ctx, g.Confirm, subjects)
	if err != nil {
		return err
	}
	again, at := make([]Judgement, 0, len(suspects)), make([]int, 0, len(suspects))
	for _, i := range suspects {
		s := &res.Judgements[i]
		same := func(f Figure) bool { return f.Subject == s.Subject && f.Name == s.Figure }
		if k := slices.IndexFunc(figures, same); k >= 0 {
			again, at = append(again, newJudgement(figures[k], s.Limit)), append(at, i)
		}
	}
	decide(again)
	for k, i := range at {
		first := res.Judgements[i].Change
		again[k].First = &first
		res.Judgements[i] = again[k]
	}
	return g.explainAll(ctx, res.Judgements)
}

// cutShort turns unfinished judgements into "cannot tell". wanted is the number of first rounds.
func (r *Result) cutShort(why error, wanted int) {
	r.Partial, _, _ = strings.Cut(strings.TrimPrefix(why.Error(), "gate: "), "\n")
	if errors.Is(why, context.Canceled) {
		r.Partial = "interrupted"
	}
	r.Notes = append(r.Notes, "it ended early: "+r.Partial)
	for i := range r.Judgements {
		switch j := &r.Judgements[i]; {
		case j.First != nil: // it was confirmed; only profiles are missing
		case j.Rounds < wanted:
			j.Outcome = CannotTell
			j.Reason = fmt.Sprintf("it ended after %d of %d rounds", j.Rounds, wanted)
		case j.Outcome != Pass:
			j.Outcome = CannotTell
			j.Reason = "the gate ended before this was measured again"
		}
	}
}

// checkFigures checks that every limit has a figure. A package that passed without a measurement may have had it.
func (g *gate) checkFigures(figures []Figure) error {
	var names []string
	for _, f := range figures {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	for _, l := range g.Limits {
		switch {
		case slices.Contains(names, l.Figure), len(names) > 0 && slices.Contains(g.Optional, l.Figure):
		case len(g.identical) > 0:
			if len(figures) > 0 {
				g.notes = append(g.notes, fmt.Sprintf("nothing that was measured has the figure that %s limits; it "+
					"may belong to something unchanged", l))
			}
		case len(names) == 0:
			return fmt.Errorf("gate: no benchmark matches %q in both revisions", g.Bench)
		default:
			return fmt.Errorf("gate: nothing measures %q, which %s limits; there are %s%s",
				l.Figure, l, strings.Join(names, ", "), needs(l.Figure))
		}
	}
	return nil
}

// method says how it was judged.
func (g *gate) method() string {
	parts := make([]string, 0, len(g.sources)+1)
	for _, s := range g.sources {
		parts = append(parts, s.method())
	}
	return strings.Join(append(parts, fmt.Sprintf("Figures that were not clearly within their limit after %d rounds "+
		"were measured in %d more rounds and judged only by those (signed-rank test for a change above the limit, %g "+
		"%% level over all suspects).",
		g.Rounds, g.Confirm, 100*level)), " ")
}

// count is "1 figure is" or "3 figures are".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
