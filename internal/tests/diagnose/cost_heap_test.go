package diagnose_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/profiletest"
)

// made is what a stack allocated and dropped.
type made struct{ objects, bytes int64 }

// heapProfile is a heap profile with garbage only. The first frame of a stack is what called the runtime.
func heapProfile(t *testing.T, garbage map[string]made) diagnose.Evidence {
	t.Helper()
	p := &profile.Profile{PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: 512 << 10,
		DefaultSampleType: "inuse_space"}
	for _, vt := range [][2]string{{"alloc_objects", "count"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"},
		{"inuse_space", "bytes"}} {
		p.SampleType = append(p.SampleType, &profile.ValueType{Type: vt[0], Unit: vt[1]})
	}
	for stack, m := range garbage {
		s := &profile.Sample{Value: []int64{m.objects, m.bytes, 0, 0}}
		for _, name := range strings.Fields(stack) {
			fn := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: profiletest.File(name)}
			l := &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: 1}}}
			p.Function, p.Location, s.Location = append(p.Function, fn), append(p.Location, l), append(s.Location, l)
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "heap.pb.gz", Data: b.Bytes()}
}

const gib = 1 << 30

func TestCostOfGarbage(t *testing.T) {
	gc := map[string]int64{gcStack: 200, "main.rest main.main": 700}
	with := func(stack string, n int64) map[string]int64 {
		out := map[string]int64{stack: n}
		for s, w := range gc {
			out[s] = w
		}
		return out
	}
	const makes = "runtime.memclrNoHeapPointers runtime.mallocgc runtime.makeslice main.handle main.main"
	const news = "runtime.nextFreeFast runtime.mallocgc runtime.newobject main.handle main.main"
	const rest = "main.rest main.main"
	for _, tt := range []struct {
		name    string
		cpu     map[string]int64
		garbage map[string]made
		kind    string
		share   float64 // of the CPU
	}{
		{"the collector's work is attributed to garbage", with("strconv.AppendInt fmt.Sprintf main.handle main.main",
			100),
			map[string]made{"fmt.Sprintf main.handle main.main": {1e7, gib / 2}, rest: {1e6, gib / 2}}, "alloc-fmt",
			0.2},
		{"by what the line allocates, where the runtime does it",
			with("runtime.mallocgc runtime.concatstrings main.handle main.main", 100),
			map[string]made{"main.handle main.main": {1e7, gib / 2}, rest: {1e6, gib / 2}}, "alloc-string-concat", 0.2},
		{"large objects", with(makes, 100), map[string]made{"main.handle main.main": {5_000, gib / 2},
			rest: {1e6, gib / 2}}, "alloc-oversized", 0.2},
		{"objects of some KiB", with(makes, 100), map[string]made{"main.handle main.main": {1e5, gib / 2},
			rest: {1e6, gib / 2}}, "alloc-poolable", 0.2},
		{"small objects are left to alloc-site", with(makes, 200), map[string]made{"main.handle main.main": {1e7, gib}},
			"alloc-site", 0},
		{"small objects where a literal begins", func() map[string]int64 {
			out := with(news, 90)
			out["main.handle.func1 main.each main.main"] = 10
			return out
		}(), map[string]made{"main.handle main.main": {2e7, gib}}, "alloc-closure", 0.29},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{cpuProfile(t, 10, tt.cpu), heapProfile(t, tt.garbage)},
				Build: casefile.Build{Module: "example.com/app"}}
			f, score := scoreOf(t, in, tt.kind)
			if score < worthKnowing || f.Where[0].Function != "main.handle" {
				t.Fatalf("%s scores %d at %v, want a finding at main.handle", tt.kind, score, f.Where)
			}
			if d := f.Impact.Share - tt.share; tt.share > 0 && (d < -0.005 || d > 0.005) {
				t.Errorf("it takes %v of the CPU, want %v: %s", f.Impact.Share, tt.share, f.Summary)
			}
		})
	}
}

// TestCostOfHeapAlone: calls of libraries and sizes of objects are seen without a CPU profile, too.
func TestCostOfHeapAlone(t *testing.T) {
	for _, tt := range []struct{ stack, kind string }{
		{"fmt.Sprintf main.handle main.main", "alloc-fmt"},
		{"regexp/syntax.(*compiler).inst regexp.compile regexp.MustCompile main.handle main.main", "regexp-compile"},
		{"strings.(*Builder).WriteString main.handle main.main", "alloc-grow"},
		{"compress/flate.NewWriter compress/gzip.(*Writer).Write main.handle main.main", "alloc-buffer-per-call"},
	} {
		t.Run(tt.kind, func(t *testing.T) {
			in := diagnose.Input{Evidence: []diagnose.Evidence{heapProfile(t, map[string]made{tt.stack: {1e7, 2 * gib}})},
				Build: casefile.Build{Module: "example.com/app"}}
			f, score := scoreOf(t, in, tt.kind)
			if score < worthKnowing || score > capUnsure || f.Where[0].Function != "main.handle" {
				t.Errorf("scores %d at %v, want 25–74 at main.handle", score, f.Where)
			}
			if got := diagnose.Run(t.Context(), in, diagnose.Options{}).Findings; len(got) != 1 {
				t.Errorf("%d findings, want one: the same stack must not be reported twice", len(got))
			}
		})
	}
}
