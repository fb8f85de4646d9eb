package diagnose

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// A heapLine is one line of a heap profile: objects and bytes, live and in all.
type heapLine struct {
	stack       string // the leaf first; "name:line"
	live, bytes int64
	made        int64 // objects in all; 0: as many as live
}

// liveHeap is a heap profile at the default rate.
func liveHeap(t *testing.T, lines ...heapLine) []byte {
	t.Helper()
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "alloc_objects", Unit: "count"}, {Type: "alloc_space", Unit: "bytes"},
			{Type: "inuse_objects", Unit: "count"}, {Type: "inuse_space", Unit: "bytes"}},
		PeriodType: &profile.ValueType{Type: "space", Unit: "bytes"}, Period: stacks.DefaultRate,
	}
	locations := make(map[string]*profile.Location)
	for _, a := range lines {
		made := max(a.made, a.live)
		each := a.bytes / max(a.live, 1)
		if a.live == 0 {
			each = a.bytes / max(made, 1)
			a.bytes = 0
		}
		s := &profile.Sample{Value: []int64{made, made * each, a.live, a.bytes}}
		for _, f := range strings.Fields(a.stack) {
			if locations[f] == nil {
				name, line, _ := strings.Cut(f, ":")
				var n int64
				fmt.Sscan(line, &n)
				fn := &profile.Function{ID: uint64(len(locations) + 1), Name: name, Filename: goFile(name)}
				locations[f] = &profile.Location{ID: fn.ID, Line: []profile.Line{{Function: fn, Line: n}}}
				p.Function, p.Location = append(p.Function, fn), append(p.Location, locations[f])
			}
			s.Location = append(s.Location, locations[f])
		}
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const (
	mib      = 1 << 20
	mapStack = "internal/runtime/maps.newarray internal/runtime/maps.(*table).rehash runtime.mapassign_faststr " +
		"main.(*Sessions).add:20 main.serve:9"
)

// TestNumbers: metrics, expvar and settings give the same values under the same names.
func TestNumbers(t *testing.T) {
	for name, data := range map[string]string{
		"runtime/metrics": `{"/gc/heap/live:bytes": 5, "/gc/cycles/forced:gc-cycles": 40, "/memory/classes/heap/unused:bytes": 300, "/memory/classes/heap/objects:bytes": 100, "/gc/gogc:percent": 50, "/x": null}`,
		"expvar":          `{"memstats": {"NumGC": 90, "NumForcedGC": 40, "HeapAlloc": 100, "HeapInuse": 400, "BySize": [1]}, "build": "x"}`,
	} {
		r, rep := read(t.Context(), Input{Evidence: []Evidence{{Name: "metrics.json", Kind: casefile.Metrics,
			Taken: noon, Data: []byte(data)},
			{Name: "runtime.json", Kind: casefile.Runtime,
				Data: []byte(`{"environment": {"GOGC": "50", "GOMEMLIMIT": "512MiB"}, "rlimits": {}}`)}}})
		if len(rep.Problems) != 0 {
			t.Fatalf("%s: problems %v", name, rep.Problems)
		}
		forced, _ := metricOf(r, metricForced)
		unused, _ := metricOf(r, metricUnused)
		if forced != 40 || unused != 300 || r.settings.gogc != 50 || r.settings.memLimit != 512<<20 ||
			r.settings.sure != (name == "runtime/metrics") {
			t.Errorf("%s: forced %v, unused %v, settings %+v; want 40, 300, GOGC 50 and GOMEMLIMIT 512 MiB", name,
				forced, unused, r.settings)
		}
	}
	for _, bad := range []string{"", "{", `{"a": 1}`, `[1]`, `{"memstats": 4}`} {
		_, rep := read(t.Context(), Input{Evidence: []Evidence{{Name: "metrics.json", Kind: casefile.Metrics,
			Data: []byte(bad)}}})
		if len(rep.Problems) != 1 {
			t.Errorf("%q: problems %v, want one", bad, rep.Problems)
		}
	}
}

// TestMemorySize: the format of GOMEMLIMIT.
func TestMemorySize(t *testing.T) {
	for text, want := range map[string]float64{"512MiB": 512 << 20, "1GiB": 1 << 30, "1000": 1000, "8KiB": 8192,
		"64B": 64} {
		if got, ok := memorySize(text); got != want || !ok {
			t.Errorf("%s is %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "off", "1.5e300GiB", "-4MiB", "MiB"} {
		if got, ok := memorySize(text); ok {
			t.Errorf("%q is %v, want no size", text, got)
		}
	}
}

// TestTrendOfLows: a straight rise is a rise, a curve that flattens is slowing, and a sawtooth without a rise is
// neither.
func TestTrendOfLows(t *testing.T) {
	for name, tt := range map[string]struct {
		low  func(i int) float64
		want lowsTrend
	}{
		"straight": {func(i int) float64 { return float64(100+i) * mib }, steady},
		"filling":  {func(i int) float64 { return float64(100+min(3*i, 90)) * mib }, slowing},
		"flat":     {constant(100 * mib), unknownTrend},
	} {
		r := &Reading{}
		for i := range 90 {
			s := vitals.NewSample(noon.Add(time.Duration(i) * time.Second))
			s.Set(vitals.HeapAlloc, tt.low(i)+float64(i%5)*20*mib) // collected every fifth second
			r.Vitals = append(r.Vitals, s)
		}
		if got := trendOfLows(r); got != tt.want {
			t.Errorf("%s: trend %v, want %v", name, got, tt.want)
		}
		for i := range r.Vitals { // the low points are random, what collections left is not
			r.Vitals[i].Set(vitals.HeapAlloc, 500*mib-float64(i)*mib)
			if slices.Contains([]int{2, 5, 9, 15, 22, 31, 44, 60, 85}, i) {
				r.Vitals[i].Set(vitals.HeapLive, tt.low(i))
			}
		}
		if got := trendOfLows(r); got != tt.want {
			t.Errorf("%s, by heap_live: trend %v, want %v", name, got, tt.want)
		}
	}
}
