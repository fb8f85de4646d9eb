package gate

import (
	"fmt"
	"math"
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// shares are what each function of the program has of a profile, and how many samples it rests on.
type shares struct {
	of      map[string]float64
	samples float64
}

// sharesOf sums a profile by function of the program; module is its path, "" when it is to be learnt from main.main.
func sharesOf(data []byte, module string, how profiling) (shares, error) {
	table := stacks.NewTable(module)
	set, err := table.Read(stacks.Source{Name: "profile", Kind: how.kind}, data)
	if err != nil {
		return shares{}, fmt.Errorf("reading a profile: %w", err)
	}
	value := set.Value(how.typ, how.unit)
	if value < 0 {
		return shares{}, fmt.Errorf("the profile has no values of %s", how.typ)
	}
	sums, total, count := make(map[string]float64), 0.0, 0.0
	counted := set.Value("samples", "count")
	for i := range set.Samples {
		s := &set.Samples[i]
		v, place := float64(s.Values[value]), placeOf(table, s)
		if isFramework(place) {
			continue
		}
		sums[place] += v
		total += v
		if counted >= 0 {
			count += float64(s.Values[counted])
		}
	}
	if total == 0 {
		return shares{}, fmt.Errorf("the profile has no samples of %s", how.typ)
	}
	for name := range sums {
		sums[name] /= total
	}
	if bytes := set.Value("alloc_space", "bytes"); bytes >= 0 && how.rate > 0 {
		count = float64(set.Total(stacks.ByValue(bytes))) / how.rate
	}
	return shares{sums, count}, nil
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

// deviation is the standard deviation of a function's share, by the binomial distribution of the samples, one more counted on
// either side, so that what has none of few is not taken for certain (Agresti and Coull 1998); 0 for profiles that do not count
// samples, such as those of every allocation.
func (s shares) deviation(name string) float64 {
	if s.samples == 0 {
		return 0
	}
	n := s.samples + 2
	p := (s.of[name]*s.samples + 1) / n
	return math.Sqrt(p * (1 - p) / n)
}
