package gate

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// shares are what each function of the program has of a profile, and how many samples it rests on. A function that was
// changed has what unchanged ones below it take, too: in says what each of these has of it.
type shares struct {
	of      map[string]float64
	in      map[string]map[string]float64
	changed map[string]bool
	files   map[string]string // of the program's functions, as the build named them
	samples float64
}

// sharesOf sums a profile by function of the program; module is its path, "" when it is to be learnt from main.main.
func sharesOf(data []byte, module string, how profiling, changed changes) (shares, error) {
	table := stacks.NewTable(module)
	set, err := table.Read(stacks.Source{Name: "profile", Kind: how.kind}, data)
	if err != nil {
		return shares{}, fmt.Errorf("reading a profile: %w", err)
	}
	value := set.Value(how.typ, how.unit)
	if value < 0 {
		return shares{}, fmt.Errorf("the profile has no %s values", how.typ)
	}
	out := shares{of: make(map[string]float64), in: make(map[string]map[string]float64), changed: make(map[string]bool),
		files: make(map[string]string)}
	total, count := 0.0, 0.0
	counted := set.Value("samples", "count")
	for i := range set.Samples {
		s := &set.Samples[i]
		v, place := float64(s.Values[value]), placeOf(table, s)
		if frame, at := table.UserFrame(s.Stack); at >= 0 {
			out.files[place] = table.Func(frame).File
		}
		if isFramework(place) || forFramework(table, s, how.kind) {
			continue
		}
		total += v
		blamed, ok := changedAbove(table, s, changed)
		if !ok {
			blamed = place
		}
		out.of[blamed] += v
		if out.changed[blamed] = ok; out.in[blamed] == nil {
			out.in[blamed] = make(map[string]float64)
		}
		out.in[blamed][place] += v
		if counted >= 0 {
			count += float64(s.Values[counted])
		}
	}
	if total == 0 {
		return shares{}, fmt.Errorf("the profile has no %s samples", how.typ)
	}
	for name := range out.of {
		out.of[name] /= total
		for place := range out.in[name] {
			out.in[name][place] /= total
		}
	}
	if bytes := set.Value("alloc_space", "bytes"); bytes >= 0 && how.rate > 0 {
		count = float64(set.Total(stacks.ByValue(bytes))) / how.rate
	}
	out.samples = count
	return out, nil
}

// changedAbove returns the changed function at or above the program's innermost one on a stack, the innermost of them.
func changedAbove(t *stacks.Table, s *stacks.Sample, changed changes) (string, bool) {
	_, at := t.UserFrame(s.Stack)
	if at < 0 {
		return "", false
	}
	for _, frame := range s.Stack[at:] {
		if f := t.Func(frame); changed.has(f) {
			return f.Name, true
		}
	}
	return "", false
}

// placeOf returns the function of the program that a sample belongs to; for the runtime's own work, its kind.
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

// forFramework reports whether package testing does it for the program's function, or the runtime allocates for itself:
// what b.Run and the start of the collector's workers allocate is no part of an operation, and most of a heap profile
// where one is run once, as on a busy machine. What the runtime takes of the CPU is an operation's.
func forFramework(t *stacks.Table, s *stacks.Sample, kind string) bool {
	_, at := t.UserFrame(s.Stack)
	if at < 0 {
		return kind == casefile.Heap && s.Class != stacks.None
	}
	return t.Has(s.Stack[:at], func(f *stacks.Func) bool { return strings.HasPrefix(f.Name, "testing.") })
}

// deviation returns the standard deviation of a function's share, by the binomial distribution of the samples, one more
// counted on either side, so that what has none of few is not taken for certain (Agresti and Coull 1998); 0 for
// profiles that do not count samples, such as those of every allocation.
func (s shares) deviation(name string) float64 {
	if s.samples == 0 {
		return 0
	}
	n := s.samples + 2
	p := (s.of[name]*s.samples + 1) / n
	return math.Sqrt(p * (1 - p) / n)
}
