package profiletest

import (
	"strings"
	"testing"

	"github.com/google/pprof/profile"
)

// Ticks is a CPU profile at 100 Hz with the given ticks per stack, the leaf first. With 0 seconds its duration is
// unknown.
func Ticks(tb testing.TB, seconds float64, ticks map[string]int64) []byte {
	tb.Helper()
	p := &profile.Profile{
		SampleType:    []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
		PeriodType:    &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		Period:        1e7,
		DurationNanos: int64(seconds * 1e9),
	}
	locations := make(map[string]*profile.Location)
	for stack, n := range ticks {
		s := &profile.Sample{Value: []int64{n, n * 1e7}}
		for _, name := range strings.Fields(stack) {
			l := locations[name]
			if l == nil {
				fn := &profile.Function{ID: uint64(len(locations) + 1), Name: name, Filename: File(name)}
				l = &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: 1}}}
				locations[name], p.Function, p.Location = l, append(p.Function, fn), append(p.Location, l)
			}
			s.Location = append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	return Encode(tb, p)
}

// File is the file of a function in a build with -trimpath.
func File(function string) string {
	slash := strings.LastIndexByte(function, '/') + 1
	pkg := function[:slash] + function[slash:][:strings.IndexByte(function[slash:], '.')]
	switch {
	case pkg == "main":
		return "example.com/app/main.go"
	case strings.Contains(pkg, "."):
		parts := strings.Split(pkg, "/")
		parts[min(len(parts), 3)-1] += "@v1.0.0"
		return strings.Join(parts, "/") + "/x.go"
	}
	return pkg + "/x.go"
}
