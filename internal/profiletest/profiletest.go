// Package profiletest makes profiles for tests: large ones for benchmarks, and those of a few stacks. Only tests import
// it.
package profiletest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/pprof/profile"
)

// CPU is a CPU profile, gzipped, with n random stacks of the given depth over 20,000 locations: worse than real ones,
// whose stacks share their outer frames.
func CPU(tb testing.TB, n, depth int) []byte {
	tb.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	p := &profile.Profile{
		SampleType:    []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType:    &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:        1e7,
		DurationNanos: 60e9,
	}
	packages := []string{"runtime", "net/http", "example.com/app/store", "github.com/x/y", "main"}
	for i := range 20_000 {
		pkg := packages[i%len(packages)]
		fn := &profile.Function{ID: uint64(i + 1), Name: fmt.Sprintf("%s.f%d", pkg, i/4), Filename: pkg + "/f.go"}
		p.Function = append(p.Function, fn)
		p.Location = append(p.Location, &profile.Location{ID: uint64(i + 1), Address: uint64(i + 0x400000),
			Line: []profile.Line{{Function: fn, Line: int64(i % 1000)}}})
	}
	for range n {
		s := &profile.Sample{Value: []int64{1, 1e7}}
		for range depth {
			s.Location = append(s.Location, p.Location[rng.IntN(len(p.Location))])
		}
		p.Sample = append(p.Sample, s)
	}
	return Encode(tb, p)
}
