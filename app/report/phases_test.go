package report

import (
	"bytes"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A call is a function with its line in a made profile.
type call struct {
	name string
	line int64
	v    int64
}

// made is a profile of stacks main → f → leaf.
func made(t testing.TB, kind *profile.ValueType, seconds float64, leaf string, calls ...call) []byte {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{kind}, PeriodType: kind, Period: 10_000_000,
		DurationNanos: int64(seconds * 1e9), TimeNanos: 1}
	fn := func(name, file string) *profile.Function {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: file}
		p.Function = append(p.Function, f)
		return f
	}
	at := func(f *profile.Function, line int64) *profile.Location {
		l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: f, Line: line}}}
		p.Location = append(p.Location, l)
		return l
	}
	root, under := at(fn("main.main", "/src/shop/main.go"), 3), at(fn(leaf, "/usr/local/go/src/runtime/x.go"), 9)
	for _, c := range calls {
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{under,
			at(fn(c.name, "/src/shop/shop.go"), c.line), root}, Value: []int64{c.v}})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// phasesInput is a case whose CPU profile before ran 2 s and the one during it 10 s: list used 0.5 cores then and now,
// sum none before.
func phasesInput(t testing.TB) Input {
	t.Helper()
	cpu, count := &profile.ValueType{Type: "cpu", Unit: "nanoseconds"},
		&profile.ValueType{Type: "goroutine", Unit: "count"}
	in := Input{Case: casefile.Case{ID: "phases",
		Target:  casefile.Target{Build: casefile.Build{Module: "example.com/shop"}},
		Trigger: casefile.Trigger{Time: tripped}}}
	add := func(file, kind string, phase casefile.Phase, after, seconds float64, data []byte) {
		in.Case.Evidence = append(in.Case.Evidence, casefile.Evidence{File: file, Kind: kind, Phase: phase,
			Seconds: seconds,
			Taken:   tripped.Add(time.Duration(after * float64(time.Second)))})
		in.Profiles = append(in.Profiles, Profile{File: file, Kind: kind, Phase: string(phase), Data: data})
	}
	add("cpu-before-1.pb.gz", casefile.CPU, casefile.Before, -20, 2,
		made(t, cpu, 2, "runtime.memmove", call{"example.com/shop.list", 5, 1e9}))
	add("cpu-before-2.pb.gz", casefile.CPU, casefile.Before, -2, 2,
		made(t, cpu, 2, "runtime.memmove", call{"example.com/shop.other", 5, 3e9}))
	add("cpu.pb.gz", casefile.CPU, casefile.During, 1, 10, made(t, cpu, 10, "runtime.memmove",
		call{"example.com/shop.list", 5, 5e9}, call{"example.com/shop.sum", 7, 5e9}))
	add("goroutine-before.pb.gz", casefile.Goroutine, casefile.Before, -60, 0,
		made(t, count, 0, "runtime.gopark", call{"example.com/shop.list", 5, 10}))
	add("goroutine.pb.gz", casefile.Goroutine, casefile.During, 1, 0,
		made(t, count, 0, "runtime.gopark", call{"example.com/shop.list", 5, 40}))
	return in
}

func newPhases(t testing.TB, in Input) []*graph {
	t.Helper()
	return newDiffs(phasePairs(in), maxPhaseNodes, stacks.NewTable(in.Case.Target.Build.Module))
}

// The earliest before is compared with the first during. Without a before, during is compared with after. One phase
// alone is compared with nothing.
func TestPhasePairs(t *testing.T) {
	p := func(file, kind, phase string) Profile {
		return Profile{File: file, Kind: kind, Phase: phase, Data: []byte(file)}
	}
	pairs := phasePairs(Input{Profiles: []Profile{
		p("b1", "cpu", "before"), p("b2", "cpu", "before"), p("d", "cpu", "during"), p("a", "cpu", "after"),
		p("hd", "heap", "during"), p("ha", "heap", "after"), p("gd", "goroutine", "during"), p("gb", "goroutine", ""),
		p("m", "mutex", "before"), p("n", "mutex", "during"),
	}})
	var got []string
	for _, q := range pairs {
		got = append(got, q.Name+" "+string(q.Before)+" "+string(q.After))
	}
	if len(got) != 2 || got[0] != "cpu: before → during b1 d" || got[1] != "heap: during → after hd ha" {
		t.Errorf("pairs %q", got)
	}
}
