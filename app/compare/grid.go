package compare

import (
	"math"
	"slices"

	"golang.org/x/perf/benchmath"
	"golang.org/x/perf/benchproc"
	"golang.org/x/perf/benchunit"

	"github.com/gocasebook/casebook/app/prove"
)

// confidence of the medians' intervals, as benchstat's default.
const confidence = 0.95

// tables makes a table of each pair of columns: the first of a group of results against each later one.
func (g *grid) tables() []Table {
	var out []Table
	byTable := g.group()
	keys := make([]benchproc.Key, 0, len(byTable))
	for k := range byTable {
		keys = append(keys, k)
	}
	benchproc.SortKeys(keys)
	first := g.firstColumn()
	for _, k := range keys {
		s := byTable[k]
		cols := sorted(s.cols)
		if len(cols) == 1 {
			if cols[0] == first {
				out = append(out, g.pair(k, s, &cols[0], nil))
			} else {
				out = append(out, g.pair(k, s, nil, &cols[0]))
			}
		}
		for i := 1; i < len(cols); i++ {
			out = append(out, g.pair(k, s, &cols[0], &cols[i]))
		}
	}
	return out
}

// A section is the rows and columns of one table.
type section struct{ rows, cols map[benchproc.Key]bool }

func (g *grid) group() map[benchproc.Key]section {
	out := make(map[benchproc.Key]section)
	for at := range g.cells {
		s, ok := out[at.table]
		if !ok {
			s = section{make(map[benchproc.Key]bool), make(map[benchproc.Key]bool)}
			out[at.table] = s
		}
		s.rows[at.row], s.cols[at.col] = true, true
	}
	return out
}

func (g *grid) firstColumn() benchproc.Key {
	all := make(map[benchproc.Key]bool)
	for at := range g.cells {
		all[at.col] = true
	}
	return sorted(all)[0]
}

func sorted(set map[benchproc.Key]bool) []benchproc.Key {
	keys := make([]benchproc.Key, 0, len(set))
	for k := range set {
		keys = append(keys, k)
	}
	benchproc.SortKeys(keys)
	return keys
}

// pair compares two columns of a table; one may be missing.
func (g *grid) pair(key benchproc.Key, s section, old, latest *benchproc.Key) Table {
	t := Table{Unit: key.Get(g.unit), Config: g.config(key)}
	if old != nil {
		t.Old = old.StringValues()
	}
	if latest != nil {
		t.New = latest.StringValues()
	}
	at := func(row benchproc.Key, col *benchproc.Key) *cell {
		if col == nil {
			return nil
		}
		return g.cells[place{key, row, *col}]
	}
	for _, row := range sorted(s.rows) {
		a, b := at(row, old), at(row, latest)
		if a != nil || b != nil {
			t.Rows = append(t.Rows, g.measure(row.StringValues(), t.Unit, a, b))
		}
	}
	t.Geomean = geomean(&t)
	return t
}

// config returns what a table's results have in common, without the unit and what is empty.
func (g *grid) config(key benchproc.Key) []Setting {
	var out []Setting
	for _, f := range g.table.FlattenedFields() {
		if v := key.Get(f); v != "" && f != g.unit {
			out = append(out, Setting{f.Name, v})
		}
	}
	return out
}

// measure computes a row's statistics; one side may be nil.
func (g *grid) measure(name, unit string, old, latest *cell) Row {
	assume := g.units.GetAssumption(unit)
	row := Row{Name: name, Unit: unit, Better: direction(g.units.GetBetter(unit)),
		Change: nan, ChangeLow: nan, ChangeHigh: nan, P: nan, rounds: [2][]float64{old.list(), latest.list()}}
	var a, b *benchmath.Sample
	row.Old, a = row.side(assume, old, g.opt.Alpha)
	row.New, b = row.side(assume, latest, g.opt.Alpha)
	row.scale()
	if a == nil || b == nil {
		return row
	}
	row.compared = true
	before, after := float64(row.Old.Center), float64(row.New.Center)
	c := assume.Compare(a, b)
	row.delta, row.P = c.FormatDelta(before, after), Number(c.P)
	row.Change = ratio(before, after)
	row.Exact = assume == benchmath.AssumeExact || deterministic(unit, a.Values, b.Values)
	if row.Exact {
		row.ChangeLow, row.ChangeHigh = row.Change, row.Change
		return row
	}
	row.test = true
	row.warn(c.Warnings)
	_, low, high := prove.Ratio(a.Values, b.Values)
	row.ChangeLow, row.ChangeHigh = Number(low-1), Number(high-1)
	return row
}

// list returns a cell's values; none of a cell that is not there.
func (c *cell) list() []float64 {
	if c == nil {
		return nil
	}
	return c.values
}

var nan = Number(math.NaN())

// side summarises the values of one side.
func (row *Row) side(assume benchmath.Assumption, c *cell, alpha float64) (*Summary, *benchmath.Sample) {
	if c == nil {
		return nil, nil
	}
	s := benchmath.NewSample(slices.Clone(c.values), &benchmath.Thresholds{CompareAlpha: alpha})
	sum := assume.Summary(s, confidence)
	row.warn(sum.Warnings)
	if len(c.residues) > 1 {
		for _, f := range benchproc.NonSingularFields(sorted(c.residues)) {
			row.Warnings = append(row.Warnings, "benchmarks vary in "+f.Name)
		}
	}
	return &Summary{Center: Number(sum.Center), Low: Number(sum.Lo), High: Number(sum.Hi), N: len(c.values),
		about: sum.PctRangeString()}, s
}

func (row *Row) warn(errs []error) {
	for _, err := range errs {
		if text := err.Error(); !slices.Contains(row.Warnings, text) {
			row.Warnings = append(row.Warnings, text)
		}
	}
}

// scale writes both centers with one prefix, so that they can be read against each other.
func (row *Row) scale() {
	var centers []float64
	for _, s := range []*Summary{row.Old, row.New} {
		if s != nil {
			centers = append(centers, float64(s.Center))
		}
	}
	scaler := benchunit.CommonScale(centers, benchunit.ClassOf(row.Unit))
	for _, s := range []*Summary{row.Old, row.New} {
		if s != nil {
			s.text = scaler.Format(float64(s.Center))
		}
	}
}

func direction(better int) string {
	switch {
	case better < 0:
		return lower
	case better > 0:
		return higher
	}
	return ""
}

// ratio is after/before − 1. From 0 to 0 it is 0; from 0 to anything else it is not a number.
func ratio(before, after float64) Number {
	switch {
	case before == after:
		return 0
	case before == 0:
		return nan
	}
	return Number(after/before - 1)
}

// minRepeats is how many runs must agree before a figure that need not vary counts as one that does not.
const minRepeats = 2

// deterministic reports whether a figure of allocation does not vary: the compiler decides most of them, and testing.B
// rounds what a timer or another goroutine adds to the whole number below.
func deterministic(unit string, a, b []float64) bool {
	if unit != "allocs/op" && unit != "B/op" {
		return false
	}
	still := func(v []float64) bool { return len(v) >= minRepeats && v[0] == v[len(v)-1] } // they are sorted
	return still(a) && still(b)
}
