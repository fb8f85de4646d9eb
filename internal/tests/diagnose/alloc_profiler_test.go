package diagnose_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// A heapSite is a stack and all the garbage that it made.
type heapSite struct {
	stack string // the leaf first
	bytes int64
}

// heapOf is a heap profile of sites, none of which holds anything.
func heapOf(t *testing.T, sites ...heapSite) []byte {
	t.Helper()
	p := &profile.Profile{PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 512 << 10,
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}}}
	locs := make(map[string]*profile.Location)
	for _, s := range sites {
		sample := &profile.Sample{Value: []int64{s.bytes >> 10, s.bytes, 0, 0}}
		for name := range strings.FieldsSeq(s.stack) {
			if locs[name] == nil {
				file := "/src/main.go"
				if !strings.HasPrefix(name, "main.") {
					file = "/usr/local/go/src/" + name[:strings.LastIndexByte(name, '/')+1] + "x/x.go"
				}
				if host, _, path := strings.Cut(name, "/"); path && strings.Contains(host, ".") {
					file = "/root/go/pkg/mod/" + strings.SplitN(name, ".(", 2)[0] + "@v1.0.0/x.go"
				}
				f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: file}
				p.Function = append(p.Function, f)
				locs[name] = &profile.Location{ID: uint64(len(p.Location) + 1),
					Line: []profile.Line{{Function: f, Line: int64(10 * len(p.Function))}}}
				p.Location = append(p.Location, locs[name])
			}
			sample.Location = append(sample.Location, locs[name])
		}
		p.Sample = append(p.Sample, sample)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Stacks of code that takes profiles, and of a service's own work.
const (
	byHandler = "compress/flate.NewWriter compress/gzip.(*Writer).Write runtime/pprof.(*profileBuilder).flush " +
		"net/http/pprof.handler.ServeHTTP net/http.(*conn).serve"
	byOwnLoop = "compress/flate.NewWriter compress/gzip.(*Writer).Write runtime/pprof.writeHeapInternal " +
		"main.(*telemetry).send main.main"
	byPyroscope = "compress/flate.NewWriter runtime/pprof.StartCPUProfile " +
		"github.com/grafana/pyroscope-go.(*Session).takeSnapshots"
	byWatch = "compress/flate.NewWriter runtime/pprof.writeHeapInternal " +
		"github.com/gocasebook/casebook/internal/recorder.(*CPU).cut"
	byOldWatch = "compress/flate.NewWriter runtime/pprof.writeHeapInternal " +
		"github.com/gocasebook/casebook/recorder.(*CPU).cut"
	byWork = "encoding/json.Marshal main.handler net/http.(*conn).serve"
)

// TestAllocProfiler: code that takes profiles is found where it makes most of the garbage, and a lot of it, and nowhere
// else.
func TestAllocProfiler(t *testing.T) {
	const mib = 1 << 20
	for _, tt := range []struct {
		name  string
		first []heapSite
		last  []heapSite // 10 s later; nil: one profile
		where string     // "": nothing found
	}{
		{"its own loop, ten a second", []heapSite{{byOwnLoop, 100 * mib}, {byWork, 10 * mib}},
			[]heapSite{{byOwnLoop, 600 * mib}, {byWork, 90 * mib}}, "main.(*telemetry).send"},
		{"somebody fetches all the time", []heapSite{{byHandler, 100 * mib}},
			[]heapSite{{byHandler, 900 * mib}, {byWork, 90 * mib}}, "net/http/pprof.handler.ServeHTTP"},
		{"a profiler in the process", []heapSite{{byPyroscope, 1}},
			[]heapSite{{byPyroscope, 400 * mib}, {byWork, 90 * mib}},
			"github.com/grafana/pyroscope-go.(*Session).takeSnapshots"},
		{"one heap profile, since the start", []heapSite{{byHandler, 5000 * mib}, {byWork, 90 * mib}}, nil,
			"net/http/pprof.handler.ServeHTTP"},
		{"a capture", []heapSite{{byHandler, 10 * mib}}, []heapSite{{byHandler, 30 * mib}, {byWork, 1 * mib}}, ""},
		{"less than the work", []heapSite{{byHandler, 10 * mib}},
			[]heapSite{{byHandler, 510 * mib}, {byWork, 900 * mib}}, ""},
		{"a watch of ours", []heapSite{{byWatch, 10 * mib}}, []heapSite{{byWatch, 910 * mib}, {byWork, 10 * mib}}, ""},
		{"a watch of ours, recorded when its packages were public", []heapSite{{byOldWatch, 10 * mib}},
			[]heapSite{{byOldWatch, 910 * mib}, {byWork, 10 * mib}}, ""},
		{"a young process", []heapSite{{byHandler, 500 * mib}, {byWork, 90 * mib}}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
			in := diagnose.Input{Evidence: []diagnose.Evidence{{Name: "heap.pb.gz", Kind: casefile.Heap, Taken: at,
				Data: heapOf(t, tt.first...)}}}
			if tt.last != nil {
				in.Evidence = append(in.Evidence, diagnose.Evidence{Name: "heap.2.pb.gz", Kind: casefile.Heap,
					Taken: at.Add(10 * time.Second), Data: heapOf(t, tt.last...)})
			}
			rep := diagnose.Run(t.Context(), in, diagnose.Options{})
			i := slices.IndexFunc(rep.Findings, func(f casefile.Finding) bool { return f.Kind == "alloc-profiler" })
			switch {
			case tt.where == "" && i >= 0:
				t.Errorf("found %q, want nothing", rep.Findings[i].Summary)
			case tt.where != "" && i < 0:
				t.Errorf("not found among %v", kinds(rep.Findings))
			case tt.where != "" && rep.Findings[i].Where[0].Function != tt.where:
				t.Errorf("blames %s, want %s", rep.Findings[i].Where[0].Function, tt.where)
			}
		})
	}
}

func kinds(fs []casefile.Finding) (out []string) {
	for _, f := range fs {
		out = append(out, f.Kind)
	}
	return out
}

// TestNothingRecorded: when a time span has no sample, the answer says so.
func TestNothingRecorded(t *testing.T) {
	for _, e := range []diagnose.Evidence{
		{Name: "delta.pb.gz", Kind: casefile.Heap, Seconds: 10, Data: heapOf(t)},
		{Name: "mutex.pb.gz", Kind: casefile.Mutex, Seconds: 10, Data: emptyContention(t)},
	} {
		rep := diagnose.Run(t.Context(), diagnose.Input{Evidence: []diagnose.Evidence{e}}, diagnose.Options{})
		if len(rep.Problems) > 0 || len(rep.Read) != 1 ||
			!strings.Contains(rep.Read[0].Text, "nothing was recorded in 10 s") {
			t.Errorf("%s: read %v, problems %v; want that nothing was recorded in 10 s", e.Name, rep.Read,
				rep.Problems)
		}
		if i := slices.IndexFunc(rep.Undecided, func(u casefile.Undecided) bool {
			return strings.Contains(u.Reason,
				"nothing was recorded")
		}); i < 0 {
			t.Errorf("%s: no detector says that nothing was recorded", e.Name)
		}
	}
}

func emptyContention(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"},
		{Type: "delay", Unit: "nanoseconds"}}}
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
