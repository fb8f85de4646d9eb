package trace

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// A view is a profile that can be made of a trace.
type view struct {
	name string
	has  func(bucket) bool
}

// views are the profiles by name. Off-CPU is all waiting: for others, for the kernel and for a P.
func views() []view {
	is := func(wanted bucket) func(bucket) bool { return func(b bucket) bool { return b == wanted } }
	return []view{
		{"wall", func(bucket) bool { return true }},
		{"offcpu", func(b bucket) bool { return b.waits() || b == runnable || b == syscalling }},
		{"sched", is(runnable)},
		{"assist", is(assisting)},
		{"syscall", is(syscalling)},
		{"net", is(network)},
	}
}

// Profiles are the names that Profile knows.
func Profiles() []string {
	var names []string
	for _, v := range views() {
		names = append(names, v.name)
	}
	return names
}

// Profile is the time that goroutines spent in some states, by stack: count and delay in nanoseconds, with the state as
// the innermost frame, "[lock]". Time on a P stands where that stretch ended, because a trace shows no other stack.
func (t *Trace) Profile(name string) (*profile.Profile, error) {
	i := slices.IndexFunc(views(), func(v view) bool { return v.name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no profile %q of a trace: want %s", name, strings.Join(Profiles(), ", "))
	}
	v := views()[i]
	p := newProfile(t.tables.start(), t.tables.elapsed())
	t.tables.places.all(func(at *place) {
		for _, s := range at.sites {
			if v.has(s.bucket) && s.times.count > 0 && !(v.name == "wall" && s.bucket == assisting) {
				p.add(at.frames, s.bucket, s.times.count, s.times.total)
			}
		}
		if v.name == "wall" && at.runs > 0 {
			p.add(at.frames, running, at.runs, at.ran)
		}
	})
	return p.Profile, p.CheckValid()
}

// A profiled is a profile that is being made.
type profiled struct {
	*profile.Profile
	functions map[[2]string]*profile.Function
	locations map[traces.Frame]*profile.Location
}

func newProfile(start time.Time, span time.Duration) *profiled {
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}},
		PeriodType: &profile.ValueType{Type: "delay", Unit: "nanoseconds"}, Period: 1,
		DurationNanos: int64(span),
	}
	if !start.IsZero() {
		p.TimeNanos = start.UnixNano()
	}
	return &profiled{p, make(map[[2]string]*profile.Function), make(map[traces.Frame]*profile.Location)}
}

func (p *profiled) add(stack traces.Stack, b bucket, count, ns int64) {
	s := &profile.Sample{Value: []int64{count, ns}}
	s.Location = append(s.Location, p.location(traces.Frame{Function: "[" + b.String() + "]"}))
	for _, f := range stack {
		s.Location = append(s.Location, p.location(f))
	}
	p.Sample = append(p.Sample, s)
}

func (p *profiled) location(f traces.Frame) *profile.Location {
	if l := p.locations[f]; l != nil {
		return l
	}
	key := [2]string{f.Function, f.File}
	fn := p.functions[key]
	if fn == nil {
		fn = &profile.Function{ID: uint64(len(p.Function) + 1), Name: f.Function, SystemName: f.Function,
			Filename: f.File}
		p.functions[key] = fn
		p.Function = append(p.Function, fn)
	}
	l := &profile.Location{ID: uint64(len(p.Location) + 1),
		Line: []profile.Line{{Function: fn, Line: int64(f.Line)}}}
	p.locations[f] = l
	p.Location = append(p.Location, l)
	return l
}
