package report

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A comparisonPage is what the templates see.
type comparisonPage struct {
	Comparison
	Verdicts []verdictCount
	Key      []comparedFigure // what the first lines say
	Rows     []comparedFigure
	Axis     []tick
	Courses  []coursePlot
	Latency  *latencies
	Graphs   []*graph
	Drawn    int
	Again    bool // a second start of the first side was measured
	Data     template.JS
}

// A verdictCount is how many figures have a verdict.
type verdictCount struct {
	Verdict casefile.Verdict
	N       int
}

// A comparedFigure is one figure with its numbers written out and its charts.
type comparedFigure struct {
	Measured
	Sides    [2]side
	Change   effectRow
	Lanes    []lane
	Dist     *plot
	Order    *plot
	Constant string // what every round had; there is nothing to draw then
	Table    []roundRow
	Left     int // rounds that the table leaves out
}

// A roundRow is one line of the table behind a figure's charts.
type roundRow struct {
	N      int
	Values []string // of the lanes
}

// maxRows bounds the table of a figure's rounds.
const maxRows = 200

// Bounds on what is read from outside. What exceeds them is left out, with a warning.
const (
	maxFigures = 120
	maxCurve   = 2000
	maxValues  = 100_000
)

func newComparisonPage(c Comparison) (*comparisonPage, error) {
	c = trimmed(c)
	p := &comparisonPage{Comparison: c, Latency: newLatencies(&c), Courses: coursePlots(c.Course)}
	axis := newEffectAxis(c.Figures)
	p.Axis = axis.ticks()
	for i := range c.Figures {
		f := newComparedFigure(&c.Figures[i], &c, axis)
		p.Again = p.Again || slices.ContainsFunc(f.Lanes, func(l lane) bool { return l.Class == "again" })
		p.Rows = append(p.Rows, f)
	}
	p.Key = keyFigures(p.Rows)
	p.Verdicts = countVerdicts(c.Figures)
	table := stacks.NewTable("")
	p.Graphs = newDiffs(c.Profiles, maxPageNodes, table)
	enc := newEncoder(table)
	for _, g := range p.Graphs {
		if g.tree != nil {
			enc.add(g)
			p.Drawn++
		}
	}
	data, err := json.Marshal(comparisonData{enc.out})
	if err != nil {
		return nil, fmt.Errorf("encoding the data of the flame graph: %w", err)
	}
	p.Data = template.JS(data) // json.Marshal escapes <, > and &, so no value can end the script element
	return p, nil
}

// trimmed cuts what is too much for a page and puts the key figures first. The caller's lists stay as they are.
func trimmed(c Comparison) Comparison {
	c.Warnings = slices.Clone(c.Warnings)
	c.Figures = slices.Clone(c.Figures)
	slices.SortStableFunc(c.Figures, func(a, b Measured) int { return btoi(b.Key) - btoi(a.Key) })
	if n := len(c.Figures); n > maxFigures {
		c.Warnings = append(c.Warnings, fmt.Sprintf("The page shows the first %d of %d figures.", maxFigures, n))
		c.Figures = c.Figures[:maxFigures]
	}
	for i := range c.Figures {
		r := &c.Figures[i].Rounds
		for _, list := range [...]*[]float64{&r.Before, &r.Again, &r.After} {
			if n := len(*list); n > maxValues {
				c.Warnings = append(c.Warnings, fmt.Sprintf("For %s the page shows the first %d of %d rounds.",
					c.Figures[i].Name, maxValues, n))
				*list = (*list)[:maxValues]
			}
		}
	}
	c.Latency = slices.Clone(c.Latency)
	for i := range c.Latency {
		c.Latency[i] = c.Latency[i][:min(len(c.Latency[i]), maxCurve)]
	}
	c.Noise = c.Noise[:min(len(c.Noise), maxCurve)]
	return c
}

func newComparedFigure(m *Measured, c *Comparison, axis effectAxis) comparedFigure {
	top := max(extent(m.Before), extent(m.After))
	f := comparedFigure{Measured: *m, Change: axis.row(m), Lanes: m.lanes(c.Sides),
		Sides: [2]side{newSide("before", m.Before, m.Unit, top), newSide("after", m.After, m.Unit, top)}}
	longest := 0
	for _, l := range f.Lanes {
		longest = max(longest, len(l.Values))
	}
	if longest < 2 { // one value has no distribution
		return f
	}
	if v, ok := constant(f.Lanes); ok {
		f.Constant = quantity(v, vitals.Unit(m.Unit))
		return f
	}
	f.Dist = m.strip(f.Lanes)
	if longest > maxMarks {
		f.Dist = m.cumulative(f.Lanes)
	}
	f.Order = m.timeline(f.Lanes)
	f.Left = max(longest-maxRows, 0)
	for i := range min(longest, maxRows) {
		row := roundRow{N: i + 1}
		for _, l := range f.Lanes {
			text := absent
			if i < len(l.Values) {
				text = quantity(l.Values[i], vitals.Unit(m.Unit))
			}
			row.Values = append(row.Values, text)
		}
		f.Table = append(f.Table, row)
	}
	return f
}

// keyFigures returns those that were asked for; without any, those that changed.
func keyFigures(rows []comparedFigure) []comparedFigure {
	const most = 3
	var out []comparedFigure
	for _, want := range []func(*comparedFigure) bool{
		func(f *comparedFigure) bool { return f.Key },
		func(f *comparedFigure) bool {
			return !f.Key && (f.Verdict == casefile.Better || f.Verdict == casefile.Worse)
		},
		func(f *comparedFigure) bool { return !f.Key && f.Verdict == "" },
	} {
		for i := range rows {
			if len(out) < most && want(&rows[i]) {
				out = append(out, rows[i])
			}
		}
	}
	return out
}

func countVerdicts(figures []Measured) []verdictCount {
	var out []verdictCount
	for _, v := range []casefile.Verdict{casefile.Worse, casefile.Better, casefile.Same, casefile.CannotTell} {
		n := 0
		for i := range figures {
			n += btoi(figures[i].Verdict == v)
		}
		if n > 0 {
			out = append(out, verdictCount{v, n})
		}
	}
	return out
}

// comparisonData is what web/comparison.ts reads.
type comparisonData struct {
	Flame flameData `json:"flame"`
}
