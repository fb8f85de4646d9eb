package compare

import (
	"fmt"
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchproc"
)

// Options of a comparison. The zero value compares as benchstat does by default.
type Options struct {
	// Table, Row, Col, Ignore and Filter are benchstat's flags of these names, in its syntax
	// (https://pkg.go.dev/golang.org/x/perf/benchproc/syntax). Defaults ".config", ".fullname", ".file", "", "*".
	Table, Row, Col, Ignore, Filter string
	// Alpha is the level of the tests, 0–1. Default 0.05.
	Alpha float64
	// Margin is the relative change that is too small to matter, 0–1. Default 0.01.
	Margin float64
}

// Defaults of Options.
const (
	DefaultAlpha  = 0.05
	DefaultMargin = 0.01
)

func (o Options) checked() (Options, error) {
	set := func(field *string, value string) {
		if *field == "" {
			*field = value
		}
	}
	set(&o.Table, ".config")
	set(&o.Row, ".fullname")
	set(&o.Col, ".file")
	set(&o.Filter, "*")
	if o.Alpha == 0 {
		o.Alpha = DefaultAlpha
	}
	if o.Margin == 0 {
		o.Margin = DefaultMargin
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"alpha", o.Alpha}, {"margin", o.Margin}} {
		if !(f.value > 0 && f.value < 1) {
			return o, fmt.Errorf("%s is %v: want a share above 0 and below 1, such as 0.01", f.name, f.value)
		}
	}
	return o, nil
}

// An Input is one file of benchmark output.
type Input struct {
	Label string // as the user calls it
	Data  io.Reader
}

// maxWarnings bounds the warnings about lines that are not benchmark results.
const maxWarnings = 20

// OfBenchmarks compares benchmark output. With the default of Options.Col there is one column an input, and the later
// ones are compared with the first; one input is enough where Col names something else.
func OfBenchmarks(inputs []Input, opt Options) (*Report, error) {
	opt, err := opt.checked()
	if err != nil {
		return nil, err
	}
	g, err := newGrid(opt)
	if err != nil {
		return nil, err
	}
	if err := g.read(inputs); err != nil {
		return nil, err
	}
	if len(g.cells) == 0 {
		return nil, g.nothing()
	}
	r := &Report{Schema: Schema, Kind: ReportKind, Of: Benchmarks, Tables: g.tables(), Warnings: g.warnings}
	r.Old, r.New = labels(inputs)
	judgeAll(r, opt)
	r.Method = method(opt)
	r.Warnings = append(r.Warnings, splitWarning(r)...)
	return r, nil
}

func labels(inputs []Input) (old, latest string) {
	if len(inputs) == 0 {
		return "", ""
	}
	return inputs[0].Label, inputs[len(inputs)-1].Label
}

func method(opt Options) string {
	return fmt.Sprintf("Medians with 95 %% intervals and Mann–Whitney U tests, as in benchstat; a change counts if "+
		"it passes Benjamini–Hochberg at %g among all tests; below %g %% it counts as the same.",
		opt.Alpha, 100*opt.Margin)
}

// A grid is the values by table, row and column.
type grid struct {
	opt                      Options
	filter                   *benchproc.Filter
	table, row, col, residue *benchproc.Projection
	unit                     *benchproc.Field
	cells                    map[place]*cell
	units                    benchfmt.UnitMetadataMap
	warnings                 []string
	unreadable, filtered     int
}

// A place is where in the grid a value belongs.
type place struct{ table, row, col benchproc.Key }

// A cell is the values of one place, and the configurations they come from beyond what the projections name.
type cell struct {
	values   []float64
	residues map[benchproc.Key]bool
}

func newGrid(opt Options) (*grid, error) {
	g := &grid{opt: opt, cells: make(map[place]*cell)}
	var err error
	if g.filter, err = benchproc.NewFilter(opt.Filter); err != nil {
		return nil, fmt.Errorf("filter %q: %w", opt.Filter, err)
	}
	var parser benchproc.ProjectionParser
	if g.table, g.unit, err = parser.ParseWithUnit(opt.Table, g.filter); err != nil {
		return nil, fmt.Errorf("table %q: %w", opt.Table, err)
	}
	if g.row, err = parser.Parse(opt.Row, g.filter); err != nil {
		return nil, fmt.Errorf("row %q: %w", opt.Row, err)
	}
	if g.col, err = parser.Parse(opt.Col, g.filter); err != nil {
		return nil, fmt.Errorf("col %q: %w", opt.Col, err)
	}
	if _, err = parser.Parse(opt.Ignore, g.filter); err != nil {
		return nil, fmt.Errorf("ignore %q: %w", opt.Ignore, err)
	}
	g.residue = parser.Residue()
	return g, nil
}

// read takes the results of all inputs. Units' metadata of one holds for the next, as in benchstat.
func (g *grid) read(inputs []Input) error {
	var r benchfmt.Reader
	for _, in := range inputs {
		r.Reset(in.Data, in.Label, ".file", in.Label)
		for r.Scan() {
			g.record(r.Result())
		}
		if err := r.Err(); err != nil {
			return fmt.Errorf("reading %s: %w; want the output of go test -bench", in.Label, err)
		}
	}
	g.units = r.Units()
	if more := g.unreadable - maxWarnings; more > 0 {
		g.warnings = append(g.warnings, fmt.Sprintf("and %d more lines without benchmark results", more))
	}
	return nil
}

func (g *grid) record(rec benchfmt.Record) {
	switch rec := rec.(type) {
	case *benchfmt.SyntaxError:
		g.warn(rec.Error())
	case *benchfmt.Result:
		if ok, _ := g.filter.Apply(rec); !ok { // the error says why it was left out
			g.filtered++
			return
		}
		g.add(rec)
	}
}

// warn keeps the first warnings and counts the rest.
func (g *grid) warn(text string) {
	if g.unreadable++; g.unreadable <= maxWarnings {
		g.warnings = append(g.warnings, text)
	}
}

func (g *grid) add(res *benchfmt.Result) {
	tables, row, col, residue := g.table.ProjectValues(res), g.row.Project(res), g.col.Project(res),
		g.residue.Project(res)
	for i, table := range tables {
		// The U test of the library never ends on a NaN, and no median of infinite values says anything.
		if v := res.Values[i].Value; math.IsNaN(v) || math.IsInf(v, 0) {
			file, line := res.Pos()
			g.warn(fmt.Sprintf("%s:%d: %v %s cannot be compared; it was left out", file, line, v, res.Values[i].Unit))
			continue
		}
		at := place{table, row, col}
		c := g.cells[at]
		if c == nil {
			c = &cell{residues: make(map[benchproc.Key]bool)}
			g.cells[at] = c
		}
		c.values = append(c.values, res.Values[i].Value)
		c.residues[residue] = true
	}
}

// nothing says why there is nothing to compare.
func (g *grid) nothing() error {
	switch {
	case g.filtered > 0:
		return fmt.Errorf("the filter %q leaves none of %d results", g.opt.Filter, g.filtered)
	case g.unreadable > 0:
		return fmt.Errorf("no benchmark results: %s", g.warnings[0])
	}
	return fmt.Errorf("no benchmark results; want the output of go test -bench")
}

// splitWarning reports results that are in tables of one side only, although both sides have the rows: their
// configuration differs.
func splitWarning(r *Report) []string {
	var only []string
	for _, t := range r.Tables {
		if t.Old != "" && t.New != "" {
			return nil
		}
		for _, s := range t.Config {
			only = append(only, s.Key)
		}
	}
	if len(r.Tables) < 2 {
		return nil
	}
	return []string{"no table has both sides, because their configurations differ: --ignore KEY compares them " +
		"anyway; the keys are " + strings.Join(unique(only), ", ")}
}

func unique(list []string) []string {
	seen := make(map[string]bool)
	var out []string
	for _, s := range list {
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}
