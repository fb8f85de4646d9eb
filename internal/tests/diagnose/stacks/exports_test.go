package stacks_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/internal/profiletest"
)

// exported is a profile as an engine exports it: values of a function of Go's.
func exported(t *testing.T, typ, unit string, period, duration int64, values ...int64) []byte {
	t.Helper()
	f := &profile.Function{ID: 1, Name: "main.work", Filename: "/srv/app/main.go"}
	l := &profile.Location{ID: 1, Line: []profile.Line{{Function: f, Line: 7}}}
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: typ, Unit: unit}}, Period: period,
		PeriodType: &profile.ValueType{Type: typ, Unit: unit}, DurationNanos: duration,
		Function: []*profile.Function{f}, Location: []*profile.Location{l}}
	for _, v := range values {
		p.Sample = append(p.Sample, &profile.Sample{Location: []*profile.Location{l}, Value: []int64{v}})
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestExports: engines export one value a file, and merge; the period of what they merged is no tick.
func TestExports(t *testing.T) {
	s := mustRead(t, "cpu.pb.gz", exported(t, "cpu", "nanoseconds", 1e9, 60e9, 10e6, 30e6, 2e9))
	if n := s.Total(stacks.ByValue(s.Value("samples", "count"))); s.Kind != casefile.CPU || n != 204 {
		t.Errorf("a merged CPU profile is %q of %d samples, want 204 of 10 ms", s.Kind, n)
	}
	s = mustRead(t, "heap.pb.gz", exported(t, "inuse_space", "bytes", 512<<10, 0, 1<<20))
	if s.Kind != casefile.Heap || s.Value("inuse_space", "bytes") != 0 {
		t.Errorf("a heap of one value is %q", s.Kind)
	}
	if s = mustRead(t, "allocs.pb.gz", exported(t, "alloc_space", "bytes", 512<<10, 60e9,
		1<<20)); s.Kind != casefile.Allocs {
		t.Errorf("allocations of one value are %q", s.Kind)
	}
	refuses(t, exported(t, "inuse_space", "bytes", 512<<10, 3600e9, 1<<40), "added up over 60 min")
}

// TestBehindTheEnd: a profile that was written over a longer file is read, and says so.
func TestBehindTheEnd(t *testing.T) {
	packed := profiletest.CPU(t, 10, 5)
	s := mustRead(t, "cpu.pb.gz", append(bytes.Clone(packed), bytes.Repeat([]byte{7}, 100)...))
	if len(s.Samples) == 0 || !strings.Contains(s.Remark, "behind the end") {
		t.Errorf("%d samples, remark %q", len(s.Samples), s.Remark)
	}
	if s = mustRead(t, "cpu.pb.gz", append(bytes.Clone(packed), packed[:0]...)); strings.Contains(s.Remark, "behind") {
		t.Errorf("a whole file: %q", s.Remark)
	}
}

// TestOthersNamed: what another language wrote is called so.
func TestOthersNamed(t *testing.T) {
	for text, want := range map[string]string{
		"<?xml version=\"1.0\"?>\n<!DOCTYPE svg><svg width=\"1200\">":                        "flame graph",
		"main (app.py:3);work (app/views.py:9) 12\nmain (app.py:3);idle (app.py:7) 2\n":      "Python",
		"start_thread;org/apache/kafka/Log.append 12\njava/lang/Thread.run;org/x/Y.poll 3\n": "JVM",
		"_start;jl_apply;julia_solve_12 4\n_start;jl_apply;julia_step_3 9\n":                 "Julia",
	} {
		refuses(t, []byte(text), want)
	}
}
