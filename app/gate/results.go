package gate

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/gocasebook/casebook/app/stat"
)

// A benchResult is what a process printed of one benchmark.
type benchResult struct {
	name   string
	values map[string][]float64 // by unit, tidied; one value a run
}

// parseBenchmarks reads what a test binary prints; other lines are a test's own output.
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

// best returns one value for the runs of a process.
func best(unit string, vs []float64) float64 {
	switch unit {
	case "sec/op":
		return slices.Min(vs)
	case "B/s":
		return slices.Max(vs)
	}
	return stat.Median(vs)
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

// figures returns the pairs of everything that both sides have, sorted by subject.
func (m *measurements) figures() []Figure {
	keys := slices.Clone(m.order)
	slices.SortFunc(keys, func(a, b figureKey) int {
		return strings.Compare(a.subject+" "+a.unit,
			b.subject+" "+b.unit)
	})
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
		out = append(out, fmt.Sprintf("%s is %s, so there is nothing to compare it with", k.subject, where))
	}
	slices.Sort(out)
	return out
}
