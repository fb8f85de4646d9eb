package gate

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// measure runs both sides n times in turns, base first in rounds 0, 3, 4, 7, 8 … (ABBA), so that neither a slow drift of the
// machine nor the first place favours one. only names the subjects to run; nil stands for all.
func (g *gate) measure(ctx context.Context, m *measurements, n int, only map[string]bool) error {
	for round := range n {
		for _, p := range g.programs {
			pattern, ok := p.pattern(g.Bench, only)
			if !ok {
				continue
			}
			sides := []int{baseSide, headSide}
			if round%4 == 1 || round%4 == 2 {
				sides = []int{headSide, baseSide}
			}
			for _, side := range sides {
				results, err := g.runOnce(ctx, p, side, pattern)
				if err != nil {
					return err
				}
				m.add(p.pkg, side, round, results)
			}
		}
		g.say("round %d of %d", round+1, n)
	}
	return nil
}

// The sides of a pair.
const (
	baseSide = iota
	headSide
)

func (p program) side(side int) binary {
	if side == baseSide {
		return p.base
	}
	return p.head
}

// pattern is what -test.bench takes to run the subjects of a package: all benchmarks they belong to. false when it has none.
func (p program) pattern(bench string, only map[string]bool) (string, bool) {
	if only == nil {
		return bench, true
	}
	var names []string
	for subject := range only {
		if pkg, name := splitSubject(subject); pkg == p.pkg {
			if top := regexp.QuoteMeta(topName(name)); !slices.Contains(names, top) {
				names = append(names, top)
			}
		}
	}
	slices.Sort(names)
	return "^(" + strings.Join(names, "|") + ")$", len(names) > 0
}

// topName is the function of a benchmark: "BenchmarkA" of "BenchmarkA/size=1-8".
func topName(name string) string {
	base, _ := benchfmt.Name(strings.TrimPrefix(name, "Benchmark")).Parts()
	return "Benchmark" + string(base)
}

func subjectOf(pkg, name string) string { return pkg + " " + name }

func splitSubject(subject string) (pkg, name string) {
	pkg, name, _ = strings.Cut(subject, " ")
	return pkg, name
}

// runOnce runs one side's benchmarks in a fresh process.
func (g *gate) runOnce(ctx context.Context, p program, side int, pattern string, more ...string) ([]benchResult, error) {
	b := p.side(side)
	args := append([]string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchmem", "-test.count=" + strconv.Itoa(g.Runs), "-test.benchtime=" + g.Benchtime}, more...)
	out, err := output(command(ctx, b.dir, b.path, args...))
	if err != nil {
		name := g.base.name
		if side == headSide {
			name = g.head.name
		}
		return nil, fmt.Errorf("gate: running the benchmarks of %s in %s: %w", p.pkg, name, err)
	}
	return parseBenchmarks(out), nil
}

// A benchResult is what a process printed of one benchmark.
type benchResult struct {
	name   string
	values map[string][]float64 // by unit, tidied; one value a run
}

// parseBenchmarks reads what a test binary prints; what is no result is a test's own output.
func parseBenchmarks(out []byte) []benchResult {
	var results []benchResult
	at := make(map[string]int)
	r := benchfmt.NewReader(bytes.NewReader(out), "benchmark")
	for r.Scan() {
		res, ok := r.Result().(*benchfmt.Result)
		if !ok {
			continue
		}
		name := "Benchmark" + res.Name.String()
		i, seen := at[name]
		if !seen {
			i, at[name] = len(results), len(results)
			results = append(results, benchResult{name, make(map[string][]float64)})
		}
		for _, v := range res.Values {
			if !math.IsNaN(v.Value) && !math.IsInf(v.Value, 0) {
				results[i].values[v.Unit] = append(results[i].values[v.Unit], v.Value)
			}
		}
	}
	return results
}

// measurements are the values by subject and unit, round by round.
type measurements struct {
	order  []figureKey // as first seen
	values map[figureKey]*[2][]float64
}

type figureKey struct{ subject, unit string }

func newMeasurements() *measurements {
	return &measurements{values: make(map[figureKey]*[2][]float64)}
}

// add takes a run's results. A benchmark that was not run in an earlier round has NaN there.
func (m *measurements) add(pkg string, side, round int, results []benchResult) {
	for _, r := range results {
		for unit, v := range r.values {
			key := figureKey{subjectOf(pkg, r.name), unit}
			rounds := m.values[key]
			if rounds == nil {
				rounds = new([2][]float64)
				m.values[key] = rounds
				m.order = append(m.order, key)
			}
			for len(rounds[side]) < round {
				rounds[side] = append(rounds[side], math.NaN())
			}
			if len(rounds[side]) == round {
				rounds[side] = append(rounds[side], best(unit, v))
			}
		}
	}
}

// best is one value for the runs of a process.
func best(unit string, vs []float64) float64 {
	switch unit {
	case "sec/op":
		return slices.Min(vs)
	case "B/s":
		return slices.Max(vs)
	}
	return median(vs)
}

// figures are the pairs of everything that both sides have, sorted by subject.
func (m *measurements) figures() []Figure {
	keys := slices.Clone(m.order)
	slices.SortFunc(keys, func(a, b figureKey) int { return strings.Compare(a.subject+" "+a.unit, b.subject+" "+b.unit) })
	var out []Figure
	for _, k := range keys {
		if f := m.pairs(k); len(f.Pairs) > 0 {
			out = append(out, f)
		}
	}
	return out
}

func (m *measurements) pairs(k figureKey) Figure {
	f := Figure{Subject: k.subject, Name: nameOf(k.unit), Unit: k.unit}
	v := m.values[k]
	for i := range min(len(v[baseSide]), len(v[headSide])) {
		if p := (Pair{v[baseSide][i], v[headSide][i]}); !math.IsNaN(p.Base) && !math.IsNaN(p.Head) {
			f.Pairs = append(f.Pairs, p)
		}
	}
	return f
}

func (m *measurements) figure(subject, name string) (Figure, bool) {
	for _, k := range m.order {
		if k.subject == subject && nameOf(k.unit) == name {
			f := m.pairs(k)
			return f, len(f.Pairs) > 0
		}
	}
	return Figure{}, false
}

// oneSided names the benchmarks that only one side has.
func (m *measurements) oneSided() []string {
	var out []string
	seen := make(map[string]bool)
	for _, k := range m.order {
		v := m.values[k]
		if seen[k.subject] || len(v[baseSide]) > 0 && len(v[headSide]) > 0 {
			continue
		}
		seen[k.subject] = true
		where := "new"
		if len(v[headSide]) == 0 {
			where = "gone"
		}
		out = append(out, fmt.Sprintf("%s is %s: there is nothing to compare it with", k.subject, where))
	}
	slices.Sort(out)
	return out
}

// checkFigures wants that every limit has something to bound, and that there was something to measure.
func (g *gate) checkFigures(m *measurements) error {
	figures := m.figures()
	if len(figures) == 0 && len(g.identical) > 0 {
		return nil
	}
	var names []string
	for _, f := range figures {
		if !slices.Contains(names, f.Name) {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return fmt.Errorf("gate: no benchmark matches %q in both revisions", g.Bench)
	}
	for _, l := range g.Limits {
		if !slices.Contains(names, l.Figure) {
			return fmt.Errorf("gate: no benchmark measures %q, which %s bounds; they measure %s", l.Figure, l, strings.Join(names, ", "))
		}
	}
	return nil
}

// benchPattern matches one benchmark with its sub-benchmark, element by element, without the number of CPUs at its end.
func benchPattern(name string) string {
	base, parts := benchfmt.Name(strings.TrimPrefix(name, "Benchmark")).Parts()
	pattern := "^Benchmark" + regexp.QuoteMeta(string(base)) + "$"
	for _, p := range parts {
		if sub, ok := strings.CutPrefix(string(p), "/"); ok {
			pattern += "/^" + regexp.QuoteMeta(sub) + "$"
		}
	}
	return pattern
}
