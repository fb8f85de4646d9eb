package gate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/revision"
)

// A Snapshot is what the benchmarks of one revision take, and which functions take it.
type Snapshot struct {
	Commit     string // abbreviated
	Benchmarks []Benchmark
	Notes      []string // profiles that could not be read
}

// A Benchmark is one of a snapshot.
type Benchmark struct {
	Subject string // package and name, without the number of CPUs
	Figures []Level
}

// A Level is a figure of a benchmark: the best time of all rounds, as it is of the runs of a process; of what is not time
// the median.
type Level struct {
	Name, Unit string // as a Limit names it
	Value      float64
	Functions  []Part // by falling share; none of a figure that is not profiled
}

// A Part is what a function has of a figure, with what it calls outside of the program's own code.
type Part struct {
	Function, File string
	Share          float64
}

// Bounds of what is kept of a profile: the rest is noise of single samples.
const (
	maxParts     = 30
	minPartShare = 0.005
)

// Take measures the benchmarks of the revision cfg.Head in cfg.Rounds processes each, and profiles them. Limits, Against
// and Service do not count. Whatever happens it leaves no process, no folder and no worktree behind.
func Take(ctx context.Context, cfg Config) (s *Snapshot, err error) {
	cfg.setDefaults()
	tmp, err := os.MkdirTemp("", "casebook-history-")
	if err != nil {
		return nil, fmt.Errorf("measuring a revision: %w", err)
	}
	g := &gate{Config: cfg, tmp: tmp}
	defer func() { err = errors.Join(err, g.cleanUp()) }()
	if g.base, err = revision.CheckOut(ctx, cfg.Dir, cfg.Head); err != nil {
		return nil, fmt.Errorf("measuring a revision: %w", err)
	}
	b := &benchmarks{gate: g}
	if err := b.buildBase(ctx); err != nil {
		return nil, interrupted(ctx, err)
	}
	s, err = b.snapshot(ctx)
	return s, interrupted(ctx, err)
}

// buildBase makes the test binaries of one side.
func (g *benchmarks) buildBase(ctx context.Context) error {
	packages, err := g.packages(ctx, g.base)
	if err != nil {
		return err
	}
	for i, p := range packages {
		g.say("building %s", p.path)
		one := program{pkg: p.path, module: p.module, base: binary{filepath.Join(g.tmp, fmt.Sprintf("%d.test", i)), p.dir}}
		if err := g.compile(ctx, one.pkg, one.base, g.base); err != nil {
			return err
		}
		g.programs = append(g.programs, one)
	}
	if len(g.programs) == 0 {
		return fmt.Errorf("no package of %s has benchmarks", strings.Join(g.Packages, " "))
	}
	return nil
}

// snapshot measures what was built.
func (g *benchmarks) snapshot(ctx context.Context) (*Snapshot, error) {
	s := &Snapshot{Commit: g.base.Commit}
	m := newMeasurements()
	for round := range g.Rounds {
		g.say("round %d of %d", round+1, g.Rounds)
		for _, p := range g.programs {
			results, err := g.runOnce(ctx, p, baseSide, g.Bench)
			if err != nil {
				return nil, err
			}
			m.add(p.pkg, baseSide, round, results)
		}
	}
	at := make(map[string]int)
	for _, k := range m.order {
		i, seen := at[k.subject]
		if !seen {
			i, at[k.subject] = len(s.Benchmarks), len(s.Benchmarks)
			s.Benchmarks = append(s.Benchmarks, Benchmark{Subject: withoutProcs(k.subject)})
			g.say("profiling %s", k.subject)
		}
		s.Benchmarks[i].Figures = append(s.Benchmarks[i].Figures, Level{Name: nameOf(k.unit), Unit: k.unit,
			Value: best(k.unit, m.values[k][baseSide])})
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("no benchmark matches %q", g.Bench)
	}
	for subject, i := range at {
		if err := g.addParts(ctx, subject, &s.Benchmarks[i], s); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(s.Benchmarks, func(a, b Benchmark) int { return strings.Compare(a.Subject, b.Subject) })
	return s, nil
}

// addParts profiles a benchmark: CPU for its time, every allocation for allocs and bytes. Without a profile the figures
// stand as they are.
func (g *benchmarks) addParts(ctx context.Context, subject string, b *Benchmark, s *Snapshot) error {
	for i := range b.Figures {
		l := &b.Figures[i]
		if l.Name != "time" && l.Name != "allocs" && l.Name != "bytes" || l.Value == 0 {
			continue
		}
		parts, err := g.parts(ctx, subject, profilingOf(l.Name))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.Notes = append(s.Notes, fmt.Sprintf("%s, %s: no profile: %v", subject, l.Name, err))
		}
		l.Functions = parts
	}
	return nil
}

func (g *benchmarks) parts(ctx context.Context, subject string, how profiling) ([]Part, error) {
	pkg, name := splitSubject(subject)
	p := g.programs[slices.IndexFunc(g.programs, func(p program) bool { return p.pkg == pkg })]
	file := filepath.Join(g.tmp, "profile")
	if _, err := g.runOnce(ctx, p, baseSide, benchPattern(name), how.flags(file)...); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading a profile: %w", err)
	}
	sums, err := sharesOf(data, p.module, how, nil)
	if err != nil {
		return nil, err
	}
	var out []Part
	for _, function := range slices.Sorted(maps.Keys(sums.of)) {
		if share := sums.of[function]; share >= minPartShare {
			out = append(out, Part{function, sums.files[function], share})
		}
	}
	slices.SortStableFunc(out, func(a, b Part) int { return cmp.Compare(b.Share, a.Share) })
	return out[:min(len(out), maxParts)], nil
}
