package profiletest

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"
)

// A Stack is one record of a profile: addresses, the size of its objects if not 0, and its values.
type Stack struct {
	PCs    []uint64
	Size   int64
	Values []int64
}

// Record is a Stack.
func Record(pcs []uint64, size int64, values ...int64) Stack { return Stack{pcs, size, values} }

// Of is a profile, gzipped, of sample types and stacks.
func Of(tb testing.TB, types []string, stacks ...Stack) []byte {
	tb.Helper()
	p := &profile.Profile{TimeNanos: time.Unix(2000, 0).UnixNano()}
	for _, name := range types {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: name, Unit: "count"})
	}
	locations := make(map[uint64]*profile.Location)
	for _, s := range stacks {
		sample := &profile.Sample{Value: append([]int64(nil), s.Values...)}
		if s.Size != 0 {
			sample.NumLabel = map[string][]int64{"bytes": {s.Size}}
		}
		for _, pc := range s.PCs {
			if locations[pc] == nil {
				locations[pc] = &profile.Location{ID: uint64(len(locations) + 1), Address: pc}
				p.Location = append(p.Location, locations[pc])
			}
			sample.Location = append(sample.Location, locations[pc])
		}
		p.Sample = append(p.Sample, sample)
	}
	return Encode(tb, p)
}

// Labelled is a CPU profile, gzipped, whose samples all have the stack main.work, main.main and one second each.
func Labelled(tb testing.TB, change func(p *profile.Profile), labels ...profile.Sample) []byte {
	tb.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"},
		{Type: "cpu", Unit: "nanoseconds"}}, Period: 1e7}
	var stack []*profile.Location
	for i, name := range []string{"main.work", "main.main"} {
		fn := &profile.Function{ID: uint64(i + 1), Name: name, Filename: "/src/main.go"}
		p.Function = append(p.Function, fn)
		line := []profile.Line{{Function: fn, Line: int64(i + 1)}}
		stack = append(stack, &profile.Location{ID: uint64(i + 1), Line: line})
	}
	p.Location = stack
	for _, s := range labels {
		s.Location = stack
		if s.Value == nil {
			s.Value = []int64{100, 1e9}
		}
		p.Sample = append(p.Sample, &s)
	}
	if change != nil {
		change(p)
	}
	return Encode(tb, p)
}

// Label is a sample of Labelled with the values of a key.
func Label(key string, values ...string) profile.Sample {
	return profile.Sample{Label: map[string][]string{key: values}}
}

// Encode is a profile, gzipped.
func Encode(tb testing.TB, p *profile.Profile) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// Samples counts the samples of a profile with a function on their stack, by the end of its name.
func Samples(tb testing.TB, data []byte, function string) (n int) {
	tb.Helper()
	p, err := profile.ParseData(data)
	if err != nil {
		tb.Fatal(err)
	}
	named := func(l profile.Line) bool { return strings.HasSuffix(l.Function.Name, function) }
	for _, s := range p.Sample {
		if slices.ContainsFunc(s.Location, func(l *profile.Location) bool { return slices.ContainsFunc(l.Line, named) }) {
			n += int(s.Value[0])
		}
	}
	return n
}
