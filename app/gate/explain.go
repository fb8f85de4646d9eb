package gate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A Blame is a function that takes more, or less, than before: what it takes itself, with what it calls outside of the
// program's own code.
type Blame struct {
	Function string  `json:"function"`
	Base     float64 `json:"base"` // per operation, in the figure's unit
	Head     float64 `json:"head"`
	Unit     string  `json:"unit,omitempty"` // where it is not the figure's
}

// Bounds of what is told: a function counts when it moved by a tenth of the whole change.
const (
	maxBlames  = 3
	blameShare = 0.1
)

// explainAll profiles both sides of every failure once more. That it cannot be explained is no reason not to fail.
func (g *gate) explainAll(ctx context.Context, js []Judgement) error {
	for i := range js {
		if js[i].Outcome != Fail {
			continue
		}
		g.say("profiling %s", js[i].Subject)
		because, err := g.explain(ctx, &js[i])
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			js[i].Reason = "the profiles do not say why: " + err.Error()
		case len(because) == 0:
			js[i].Reason = "no function stands out in the profiles of both sides"
		}
		js[i].Because = because
	}
	return nil
}

// A profiling is how a figure is profiled.
type profiling struct {
	flags     func(file string) []string
	typ, unit string
	kind      string
}

// profilingOf is by memory for what is allocated and by CPU for everything else: what slows a figure of a benchmark's own is
// mostly CPU.
func profilingOf(figure string) profiling {
	memory := func(file string) []string {
		return []string{"-test.memprofile=" + file, "-test.memprofilerate=1", "-test.count=1"}
	}
	switch figure {
	case "allocs":
		return profiling{flags: memory, typ: "alloc_objects", unit: "count", kind: casefile.Heap}
	case "bytes":
		return profiling{flags: memory, typ: "alloc_space", unit: "bytes", kind: casefile.Heap}
	}
	return profiling{flags: func(file string) []string {
		return []string{"-test.cpuprofile=" + file, "-test.count=1", "-test.benchtime=1s"} // 100 samples; of flags the last holds
	}, typ: "cpu", unit: "nanoseconds", kind: casefile.CPU}
}

// explain says which functions changed. A profile gives shares; the medians that were measured give the level.
func (g *gate) explain(ctx context.Context, j *Judgement) ([]Blame, error) {
	pkg, name := splitSubject(j.Subject)
	at := slices.IndexFunc(g.programs, func(p program) bool { return p.pkg == pkg })
	if at < 0 {
		return nil, fmt.Errorf("there is no binary of %s", pkg)
	}
	how := profilingOf(j.Figure)
	var shares [2]map[string]float64
	for side := range shares {
		file := filepath.Join(g.tmp, "profile")
		_, err := g.runOnce(ctx, g.programs[at], side, benchPattern(name), how.flags(file)...)
		if err != nil {
			return nil, err
		}
		if shares[side], err = sharesOf(file, g.programs[at].module, how); err != nil {
			return nil, err
		}
	}
	return blames(shares[baseSide], shares[headSide], j.Base, j.Head), nil
}

// sharesOf sums a profile by function of the program.
func sharesOf(file, module string, how profiling) (map[string]float64, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	table := stacks.NewTable(module)
	set, err := table.Read(stacks.Source{Name: "profile", Kind: how.kind}, data)
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	value := set.Value(how.typ, how.unit)
	if value < 0 {
		return nil, fmt.Errorf("the profile has no values of %s", how.typ)
	}
	sums, total := make(map[string]float64), 0.0
	for i := range set.Samples {
		s := &set.Samples[i]
		v, place := float64(s.Values[value]), placeOf(table, s)
		if isFramework(place) {
			continue
		}
		sums[place] += v
		total += v
	}
	for name := range sums {
		sums[name] /= total
	}
	return sums, nil
}

// placeOf is the function of the program that a sample belongs to; of the runtime's own work what it is.
func placeOf(t *stacks.Table, s *stacks.Sample) string {
	if frame, at := t.UserFrame(s.Stack); at >= 0 {
		return t.Func(frame).Name
	}
	if s.Class != stacks.None {
		return "runtime: " + s.Class.String()
	}
	if len(s.Stack) == 0 {
		return "unknown"
	}
	return t.Func(s.Stack[0]).Name
}

// isFramework reports whether a function runs benchmarks: what it takes is no part of an operation.
func isFramework(name string) bool {
	return name == "main.main" || strings.HasPrefix(name, "testing.") || strings.HasPrefix(name, "runtime.main")
}

// blames are the functions that moved with the figure, the largest first.
func blames(baseShares, headShares map[string]float64, base, head float64) []Blame {
	whole := head - base
	var out []Blame
	add := func(name string) {
		b := Blame{Function: name, Base: baseShares[name] * base, Head: headShares[name] * head}
		if moved := b.Head - b.Base; moved*whole > 0 && math.Abs(moved) >= blameShare*math.Abs(whole) {
			out = append(out, b)
		}
	}
	for name := range headShares {
		add(name)
	}
	for name := range baseShares {
		if _, both := headShares[name]; !both {
			add(name)
		}
	}
	slices.SortFunc(out, func(a, b Blame) int {
		return cmp.Or(-cmp.Compare(math.Abs(a.Head-a.Base), math.Abs(b.Head-b.Base)), cmp.Compare(a.Function, b.Function))
	})
	return out[:min(len(out), maxBlames)]
}
