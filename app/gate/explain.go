package gate

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/gocasebook/casebook/casefile"
)

// A Blame is a function that takes more, or less, than before: what it takes itself, with what it calls outside of the
// program's own code. One that differs between the revisions has what it calls of the program's unchanged functions,
// too.
type Blame struct {
	Function string `json:"function"`
	Changed  bool   `json:"changed,omitempty"` // it differs between the revisions
	// the function below it, not changed itself, that has most of the difference
	In    string  `json:"in,omitempty"`
	Base  float64 `json:"base"` // per operation, in the figure's unit
	Head  float64 `json:"head"`
	Unit  string  `json:"unit,omitempty"`  // where it is not the figure's
	Place *Place  `json:"place,omitempty"` // nil where the repository does not have it
}

// Bounds of the explanation: a function counts when it moved by a tenth of the whole change.
const (
	maxBlames  = 3
	blameShare = 0.1
)

// within returns the function below a changed one that has most of its difference; "" if that is the function itself.
func within(name string, before, after shares, base, head float64) string {
	whole := after.of[name]*head - before.of[name]*base
	most, in := 0.0, ""
	for _, side := range []shares{before, after} {
		for place := range side.in[name] {
			moved := after.in[name][place]*head - before.in[name][place]*base
			if whole < 0 {
				moved = -moved
			}
			if moved > most || moved == most && place < in {
				most, in = moved, place
			}
		}
	}
	if in == name {
		return ""
	}
	return in
}

// explainAll profiles both sides of every failure once more. A failure without an explanation is still a failure.
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
			js[i].Reason = "the profiles do not show why: " + err.Error()
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
	rate      float64 // bytes that a sample of a heap profile represents; 0: every allocation is in it
}

// profilingOf profiles memory for what is allocated, and CPU for everything else: what slows a figure of a benchmark's
// own is mostly CPU.
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
		// 100 samples; of flags the last holds
		return []string{"-test.cpuprofile=" + file, "-test.count=1", "-test.benchtime=1s"}
	}, typ: "cpu", unit: "nanoseconds", kind: casefile.CPU}
}

// explain says which functions changed, by the source that measured the figure.
func (g *gate) explain(ctx context.Context, j *Judgement) ([]Blame, error) {
	for _, s := range g.sources {
		if s.has(j.Subject) {
			return s.explain(ctx, j)
		}
	}
	return nil, fmt.Errorf("nothing measures %s", j.Subject)
}

// explain profiles both sides of a benchmark. A profile gives shares; the medians that were measured give the level.
func (g *benchmarks) explain(ctx context.Context, j *Judgement) ([]Blame, error) {
	pkg, name := splitSubject(j.Subject)
	at := slices.IndexFunc(g.programs, func(p program) bool { return p.pkg == pkg })
	if at < 0 {
		return nil, fmt.Errorf("there is no binary of %s", pkg)
	}
	how := profilingOf(j.Figure)
	changed := g.changed(ctx)
	var both [2]shares
	for side := range both {
		file := filepath.Join(g.tmp, "profile")
		if _, err := g.runOnce(ctx, g.programs[at], side, benchPattern(name), how.flags(file)...); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading a profile: %w", err)
		}
		if both[side], err = sharesOf(data, g.programs[at].module, how, changed); err != nil {
			return nil, err
		}
	}
	return blames(both[baseSide], both[headSide], j.Base, j.Head), nil
}

// weight is by how much a function moved. One that differs between the revisions counts twice: what did not change moved
// because of what did, or because of the machine.
func (b *Blame) weight() float64 {
	moved := math.Abs(b.Head - b.Base)
	if b.Changed {
		return 2 * moved
	}
	return moved
}

// blames returns the functions that moved with the figure, the largest first: by a tenth of its change or more, and by
// more than twice what chance does to shares of so many samples.
func blames(before, after shares, base, head float64) []Blame {
	whole := head - base
	var out []Blame
	add := func(name string) {
		b := Blame{Function: name, Changed: before.changed[name] || after.changed[name], Base: before.of[name] * base,
			Head: after.of[name] * head}
		moved := b.Head - b.Base
		chance := 2 * math.Hypot(before.deviation(name)*base, after.deviation(name)*head)
		if moved*whole > 0 && math.Abs(moved) >= max(blameShare*math.Abs(whole), chance) {
			b.In = within(name, before, after, base, head)
			out = append(out, b)
		}
	}
	for name := range after.of {
		add(name)
	}
	for name := range before.of {
		if _, both := after.of[name]; !both {
			add(name)
		}
	}
	slices.SortFunc(out, func(a, b Blame) int {
		return cmp.Or(-cmp.Compare(a.weight(), b.weight()), cmp.Compare(a.Function, b.Function))
	})
	return out[:min(len(out), maxBlames)]
}
