package diagnose

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// steadyHeap is a heap profile of so many live bytes, taken at noon.
func steadyHeap(t *testing.T, live int64) Evidence {
	t.Helper()
	return Evidence{Name: "heap.txt", Kind: casefile.Heap, Taken: noon, Data: fmt.Appendf(nil,
		"heap profile: 1: %d [20: %d] @ heap/1048576\n1: %d [20: %d] @ 0x1\n#\t0x1\tmain.fill+0x1\t/src/main.go:7\n\n",
		live, 20*live, live, 20*live)}
}

// TestPace: whatever evidence tells of GOGC, the goal or the limit is used; and nothing is taken for 100 that is not
// known.
func TestPace(t *testing.T) {
	const live = 100 << 20
	runtime := func(s string) Evidence {
		return Evidence{Name: "runtime.json", Kind: casefile.Runtime, Taken: noon, Data: []byte(s)}
	}
	metrics := func(s string) Evidence {
		return Evidence{Name: "vars.json", Kind: casefile.Metrics, Taken: noon, Data: []byte(s)}
	}
	page := func(s string) Evidence {
		return Evidence{Name: "page.txt", Kind: casefile.Prometheus, Taken: noon, Data: []byte("# HELP a b\n" + s)}
	}
	goal := func(f float64) Evidence { return metrics(fmt.Sprintf(`{"/gc/heap/goal:bytes": %.0f}`, f*live)) }
	for _, tt := range []struct {
		name string
		more []Evidence
		low  setting
		gogc float64 // as a factor
	}{
		{"nothing", nil, noSetting, 0},
		{"an environment without GOGC", []Evidence{runtime(`{"environment": {"GOMAXPROCS": "2"}}`)}, noSetting, 0},
		{"the environment", []Evidence{runtime(`{"environment": {"GOGC": "25"}}`)}, gogcIsLow, 0.25},
		{"the runtime", []Evidence{runtime(`{"effective": {"gogc": "10", "gomemlimit": "off"}}`)}, gogcIsLow, 0.1},
		{"runtime/metrics", []Evidence{metrics(`{"/gc/gogc:percent": 50}`)}, gogcIsLow, 0.5},
		{"a page of client_golang", []Evidence{page("go_gc_gogc_percent 20\n")}, gogcIsLow, 0.2},
		{"a page of OpenTelemetry", []Evidence{page("go_config_gogc_percent 20\n")}, gogcIsLow, 0.2},
		{"the goal alone", []Evidence{goal(1.2)}, eitherIsLow, 0.2},
		{"NextGC of a page", []Evidence{page("go_memstats_next_gc_bytes 1.2e+08\n")}, eitherIsLow, 0.15},
		{"NextGC of /debug/vars", []Evidence{metrics(`{"memstats": {"NextGC": 125829120}}`)}, eitherIsLow, 0.2},
		{"vitals", []Evidence{history(t, noon, map[vitals.ID]func(int) float64{vitals.HeapGoal: constant(1.3 * live),
			vitals.HeapLive: constant(live)})}, eitherIsLow, 0.3},
		{"a low GOGC far from the limit", []Evidence{goal(1.2), runtime(`{"environment": {"GOMEMLIMIT": "1GiB"}}`)},
			gogcIsLow, 0.2},
		{"a limit that is near", []Evidence{goal(1.1),
			runtime(`{"effective": {"gogc": "100", "gomemlimit": "120MiB"}}`)}, limitIsNear, 1},
		{"a limit that cannot be kept", []Evidence{goal(1.05),
			runtime(`{"environment": {"GOGC": "100", "GOMEMLIMIT": "90MiB"}}`)}, limitIsNear, 0.05},
		{"GOGC=off and a near limit", []Evidence{goal(1.1),
			runtime(`{"effective": {"gogc": "off", "gomemlimit": "120MiB"}}`)}, limitIsNear, gogcOff},

		{"the default", []Evidence{runtime(`{"effective": {"gogc": "100", "gomemlimit": "off"}}`)}, noSetting, 1},
		{"a goal as of the default", []Evidence{goal(2)}, noSetting, 1},
		{"GOGC=75, as of Prometheus", []Evidence{runtime(`{"effective": {"gogc": "75", "gomemlimit": "off"}}`)},
			noSetting, 0.75},
		{"an environment that the program overrides", []Evidence{goal(2), runtime(`{"environment": {"GOGC": "25"}}`)},
			noSetting, 1},
		{"GOGC=off and a roomy limit", []Evidence{goal(6),
			runtime(`{"effective": {"gogc": "off", "gomemlimit": "640MiB"}}`)}, noSetting, gogcOff},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, rep := read(t.Context(), Input{Evidence: append([]Evidence{steadyHeap(t, live)}, tt.more...)})
			if len(rep.Problems) > 0 {
				t.Fatalf("problems %v", rep.Problems)
			}
			p := r.pace()
			if p.live != live || p.low != tt.low || p.gogc < tt.gogc-0.001 || p.gogc > tt.gogc+0.001 {
				t.Errorf("live %v, setting %d, GOGC %v; want %d, %d, %v", p.live, p.low, p.gogc, live, tt.low, tt.gogc)
			}
		})
	}
}

// TestTinyHeap: the runtime's smallest goal is 4 MiB × GOGC. Cycles of a tiny heap are frequent, and no setting is low.
func TestTinyHeap(t *testing.T) {
	in := Input{Evidence: []Evidence{steadyHeap(t, 1<<20), {Name: "vars.json", Kind: casefile.Metrics, Taken: noon,
		Data: []byte(`{"/gc/heap/goal:bytes": 4194304}`)}}}
	r, _ := read(t.Context(), in)
	if p := r.pace(); p.low != noSetting || p.roomAt(1) != 4<<20-p.live {
		t.Errorf("%v live and a goal of 4 MiB: setting %d, room %v at GOGC=100; want none, and the rest of 4 MiB",
			p.live, p.low, p.roomAt(1))
	}
}

// TestMarkedTimes: two heap profiles and a CPU profile are enough to tell that cycles are far more frequent than
// GOGC=100 explains, and do not say so where it does.
func TestMarkedTimes(t *testing.T) {
	for dir, want := range map[string]setting{
		"foreign/prometheus-limit": eitherIsLow, "gc_death_spiral/faulty": eitherIsLow, "gc_cpu/faulty": noSetting,
		"real/pushgateway-check": noSetting, "regexp_compile/faulty": noSetting,
		"alloc_oversized/faulty": noSetting, "gc_pointer_heap/faulty": noSetting} {
		t.Run(dir, func(t *testing.T) {
			in := loadCase(t, dir)
			in.Evidence = slices.DeleteFunc(in.Evidence, func(e Evidence) bool {
				return e.Kind != casefile.CPU && e.Kind != casefile.Heap
			})
			r, _ := read(t.Context(), in)
			p := r.pace()
			if p.low != want || p.gogc != 0 || (p.atLeast > 0) != (want != noSetting) {
				t.Errorf("setting %d, GOGC %v, cycles %v times as often; want %d, and GOGC not known", p.low, p.gogc,
					p.atLeast, want)
			}
		})
	}
}

// TestWaitsForCalls: only the one setting of GODEBUG keeps loops from being stopped.
func TestWaitsForCalls(t *testing.T) {
	for debug, want := range map[string]bool{
		"": false, "asyncpreemptoff=1": true, "gctrace=1,asyncpreemptoff=1": true, "asyncpreemptoff=0": false,
		"asyncpreemptoff=10": false, "asynctimerchan=1": false,
	} {
		if got := (&settings{debug: debug}).waitsForCalls(); got != want {
			t.Errorf("GODEBUG=%s: %v, want %v", debug, got, want)
		}
	}
}
