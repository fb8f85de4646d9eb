package report

import (
	"slices"
	"strings"
)

// RoundName returns what a round is.
func (c *Comparison) RoundName() string {
	if c.Round == "" {
		return "round"
	}
	return c.Round
}

// Heading returns the page's first line: the verdict first.
func (p *comparisonPage) Heading() string {
	if p.Title != "" {
		return p.Title
	}
	var labels []string
	for i := range p.Comparison.Sides {
		labels = append(labels, sideLabel(p.Comparison.Sides, i))
	}
	slices.Reverse(labels)
	return strings.Join(labels, " against ")
}

// Two reports whether there are two sides.
func (p *comparisonPage) Two() bool { return len(p.Comparison.Sides) > 1 }

// Charts returns the figures that have rounds to show.
func (p *comparisonPage) Charts() []comparedFigure {
	return slices.DeleteFunc(slices.Clone(p.Rows), func(f comparedFigure) bool { return f.Dist == nil })
}

// Constants returns the figures that are the same in every round.
func (p *comparisonPage) Constants() []comparedFigure {
	return slices.DeleteFunc(slices.Clone(p.Rows), func(f comparedFigure) bool { return f.Constant == "" })
}

// About returns what a figure is, and which way is better.
func (f comparedFigure) About() string {
	var parts []string
	if f.Measured.Text != "" {
		parts = append(parts, f.Measured.Text)
	}
	if f.Better != "" {
		parts = append(parts, f.Better+" is better")
	}
	return strings.Join(parts, "; ")
}

// Judged reports whether any figure has a verdict, or a reason for having none.
func (p *comparisonPage) Judged() bool {
	return slices.ContainsFunc(p.Rows, func(f comparedFigure) bool { return f.Verdict != "" || f.Note != "" })
}

// DiffSummary returns the sentence above a difference.
func (g *graph) DiffSummary() string { return g.diffSummary() }

// Bounded reports whether the sides of a figure have intervals.
func (p *comparisonPage) Bounded() bool {
	return slices.ContainsFunc(p.Rows, func(f comparedFigure) bool { return bounded(f.Before) || bounded(f.After) })
}

// Sized reports whether the changes have intervals.
func (p *comparisonPage) Sized() bool {
	return slices.ContainsFunc(p.Rows, func(f comparedFigure) bool { return f.Effect != nil })
}

// Floored reports whether a noise floor is known.
func (p *comparisonPage) Floored() bool {
	return slices.ContainsFunc(p.Rows, func(f comparedFigure) bool { _, _, ok := f.floor(); return ok })
}
