package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// bench is benchmark output: a line for every value.
func bench(unit string, byName map[string][]float64, order ...string) string {
	var b strings.Builder
	b.WriteString("pkg: example.com/shop\n")
	for _, name := range order {
		for _, v := range byName[name] {
			fmt.Fprintf(&b, "Benchmark%s 100 %v %s\n", name, v, unit)
		}
	}
	return b.String()
}

func reportOf(t *testing.T, old, latest string, opt Options) *Report {
	t.Helper()
	r, err := OfBenchmarks([]Input{{"old", strings.NewReader(old)}, {"new", strings.NewReader(latest)}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// spread are n values around centre, up to a share apart.
func spread(centre, share float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = centre * (1 + share*(float64(i*7%n)/float64(n)-0.5))
	}
	return out
}

func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name     string
		unit     string
		old, new []float64
		want     casefile.Verdict
		reason   string
	}{
		{"faster", "ns/op", spread(100, 0.02, 10), spread(80, 0.02, 10), casefile.Better, ""},
		{"slower", "ns/op", spread(100, 0.02, 10), spread(120, 0.02, 10), casefile.Worse, ""},
		{"more throughput", "MB/s", spread(100, 0.02, 10), spread(120, 0.02, 10), casefile.Better, ""},
		{"the same within the margin", "ns/op", spread(100, 0.01, 10), spread(100.1, 0.01, 10), casefile.Same, ""},
		{"a real change below the margin", "ns/op", spread(100, 0.001, 10), spread(100.5, 0.001, 10), casefile.Same,
			""},
		{"noise", "ns/op", spread(100, 0.2, 10), spread(102, 0.2, 10), casefile.CannotTell,
			"more runs would narrow it"},
		{"one run a side", "ns/op", []float64{100}, []float64{150}, casefile.CannotTell, "too few runs (1 per side)"},
		{"one allocation more", "allocs/op", []float64{3, 3}, []float64{4, 4}, casefile.Worse, ""},
		{"one allocation of a million more", "allocs/op", []float64{1e6, 1e6}, []float64{1e6 + 1, 1e6 + 1},
			casefile.Worse, ""},
		{"no allocation any more", "allocs/op", []float64{3, 3}, []float64{0, 0}, casefile.Better, ""},
		{"the first allocation", "allocs/op", []float64{0, 0}, []float64{2, 2}, casefile.Worse, ""},
		{"no allocation then and now", "allocs/op", []float64{0, 0}, []float64{0, 0}, casefile.Same, ""},
		{"allocations seen once are not known to be constant", "allocs/op", []float64{3}, []float64{4},
			casefile.CannotTell, "too few"},
		{"allocations that vary", "allocs/op", []float64{3, 4, 3, 4, 3, 4}, []float64{4, 3, 4, 3, 4, 3},
			casefile.CannotTell, ""},
		{"a unit of its own", "widgets", spread(100, 0.02, 10), spread(120, 0.02, 10), casefile.CannotTell,
			"Unit widgets better=lower"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := reportOf(t, bench(c.unit, map[string][]float64{"A": c.old}, "A"),
				bench(c.unit, map[string][]float64{"A": c.new}, "A"), Options{})
			row := r.Tables[0].Rows[0]
			if row.Verdict != c.want || !strings.Contains(row.Reason, c.reason) {
				t.Errorf("%s (%s), want %s (…%s…); change %v to %v, p %v", row.Verdict, row.Reason, c.want, c.reason,
					row.ChangeLow, row.ChangeHigh, row.P)
			}
		})
	}
}

func TestUnitMetadataDecides(t *testing.T) {
	meta := "Unit widgets better=higher assume=exact\n"
	r := reportOf(t, meta+bench("widgets", map[string][]float64{"A": {5}}, "A"),
		bench("widgets", map[string][]float64{"A": {6}}, "A"), Options{})
	if row := r.Tables[0].Rows[0]; row.Verdict != casefile.Better || !row.Exact {
		t.Errorf("%s, exact %v, want better and exact", row.Verdict, row.Exact)
	}
}

func TestOneSidedRows(t *testing.T) {
	old := bench("ns/op", map[string][]float64{"A": spread(1, 0.1, 6), "B": spread(2, 0.1, 6)}, "A", "B")
	latest := bench("ns/op", map[string][]float64{"A": spread(1, 0.1, 6), "C": spread(2, 0.1, 6)}, "A", "C")
	r := reportOf(t, old, latest, Options{})
	reasons := make(map[string]string)
	for _, row := range r.Tables[0].Rows {
		reasons[row.Name] = row.Reason
	}
	if reasons["B"] != "only in OLD" || reasons["C"] != "only in NEW" {
		t.Errorf("reasons = %q, want that B is only in OLD and C only in NEW", reasons)
	}
	if g := r.Tables[0].Geomean; len(g.Warnings) != 0 {
		t.Logf("warned: %q", g.Warnings)
	} else {
		t.Error("no warning that the geomeans are of different benchmarks")
	}
}

// TestFalseDiscovery: one p of 0.03 among twenty is not reported as a change, and it is when it is the only one.
func TestFalseDiscovery(t *testing.T) {
	report := func(ps ...float64) *Report {
		r := &Report{Tables: []Table{{}}}
		for _, p := range ps {
			r.Tables[0].Rows = append(r.Tables[0].Rows, Row{test: true, P: Number(p)})
		}
		return r
	}
	twenty := make([]float64, 20)
	for i := range twenty {
		twenty[i] = 0.03 + float64(i)/25
	}
	for _, c := range []struct {
		name string
		ps   []float64
		want float64
	}{
		{"alone", []float64{0.03}, 0.03},
		{"among twenty", twenty, -1},
		{"all of five", []float64{0.04, 0.03, 0.02, 0.045, 0.05}, 0.05},
		{"Benjamini and Hochberg's own example", []float64{0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298,
			0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1}, 0.0095},
		{"none", nil, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if limit, n := falseDiscovery(report(c.ps...), 0.05); limit != c.want || n != len(c.ps) {
				t.Errorf("limit %v of %d, want %v of %d", limit, n, c.want, len(c.ps))
			}
		})
	}
}

func TestOptionsRefused(t *testing.T) {
	for _, c := range []struct {
		name, want string
		opt        Options
	}{
		{"margin", "margin is 2", Options{Margin: 2}},
		{"alpha", "alpha is -1", Options{Alpha: -1}},
		{"filter", `filter "(("`, Options{Filter: "(("}},
		{"col", `col "@"`, Options{Col: "@"}},
		{"a filter that leaves nothing", "leaves none of 1 results", Options{Filter: ".name:Other"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := OfBenchmarks([]Input{{"old", strings.NewReader("BenchmarkA 1 2 ns/op\n")}}, c.opt)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error = %v, want it to name %s", err, c.want)
			}
		})
	}
}

func TestSplitTablesAreExplained(t *testing.T) {
	values := map[string][]float64{"A": spread(1, 0.1, 6)}
	r := reportOf(t, "commit: 1\n"+bench("ns/op", values, "A"), "commit: 2\n"+bench("ns/op", values, "A"), Options{})
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "--ignore") ||
		!strings.Contains(r.Warnings[0], "commit") {
		t.Errorf("warnings = %q, want one that names --ignore and commit", r.Warnings)
	}
}
