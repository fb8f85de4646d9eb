package diagnose_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/vitals"
)

// tripEvidence is the evidence that a case of any rule has: 80 goroutines of 92 at a line, most of the heap at another,
// and a third that computes.
func tripEvidence(t *testing.T, tripped time.Time, signals map[vitals.ID]func(int) float64) []diagnose.Evidence {
	t.Helper()
	return []diagnose.Evidence{
		{Name: "goroutine", Data: dumpOf(crowd{80, "chan receive", "main.leak:30 main.consume:9", ""},
			crowd{12, "select", "main.other:4", ""})},
		{Name: "heap", Data: liveHeap(t, heapLine{"main.(*Cache).put:9 main.serve:4", 1_000_000, 80 << 20, 0})},
		cpuProfile(t, 3, map[string]int64{workStack: 250, otherStack: 20}),
		history(t, tripped, signals),
	}
}

// TestTripText: the numbers and the lines of trips whose cause no detector knows.
func TestTripText(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	step := func(from, to float64) func(int) float64 {
		return func(i int) float64 {
			if i < 35 {
				return from
			}
			return to
		}
	}
	giant := liveHeap(t, heapLine{"main.make1gb:52 net/http.(*conn).serve:1", 0, 1 << 30, 1},
		heapLine{"main.load:3 main.main:9", 200, 4 << 20, 0})
	for _, tt := range []struct {
		name    string
		trigger casefile.Trigger
		values  map[vitals.ID]func(int) float64
		heap    []byte
		want    string
	}{
		{"80 of 92 goroutines", casefile.Trigger{Signal: "goroutines", Value: 92, Unit: "count",
			Signals: []string{"goroutines"}},
			map[vitals.ID]func(int) float64{vitals.Goroutines: step(12, 92)}, nil,
			"goroutines 92 at the trip, 12 at first; the profile has 92: 80 wait to receive at main.go:30 leak, 12 " +
				"wait in a select at main.go:4 other"},
		{"a slice of a request", casefile.Trigger{Signal: "memory_share", Value: 0.5, Unit: "share"},
			map[vitals.ID]func(int) float64{vitals.MemoryShare: step(0.01, 0.5),
				vitals.HeapAlloc: step(4<<20, 1028<<20), vitals.HeapLive: step(4<<20, 4<<20)}, giant,
			"memory_share 50 % at the trip, 1 % at first; heap 1 GiB, of that live after a collection 4 " +
				"MiB; 1 GiB allocated since the process started: 99.6 % main.go:52 make1gb"},
		{"a limit is no group", casefile.Trigger{Signal: "cpu_share", Value: 0.95, Unit: "share",
			Signals: []string{"cpu_share", "cpu", "gomaxprocs"}},
			map[vitals.ID]func(int) float64{vitals.CPUShare: step(0.2, 0.95), vitals.CPU: step(0.4, 1.9),
				vitals.GoMaxProcs: step(2, 2)}, nil,
			"cpu_share 95 % at the trip, 20 % at first; cpu 1.9 cores, 0.4 cores at first; gomaxprocs 2; " +
				"0.9 cores: 92.6 % main.go:1 work, 7.4 % main.go:1 other"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := diagnose.Input{Evidence: tripEvidence(t, at, tt.values), Triggers: []casefile.Trigger{tt.trigger}}
			in.Triggers[0].Time = at
			if tt.heap != nil {
				in.Evidence[1].Data = tt.heap
			}
			got := diagnose.Run(t.Context(), in, diagnose.Options{}).Picture.Tripped
			if len(got) != 1 || got[0].Text != tt.want {
				t.Errorf("got %+v, want %q", got, tt.want)
			}
		})
	}
}

// TestNoTrip: of what a person, the clock or the end of the process asked for, nothing tripped.
func TestNoTrip(t *testing.T) {
	at := time.Date(2026, 11, 23, 8, 0, 0, 0, time.UTC)
	for _, trigger := range []casefile.Trigger{{Rule: "manual", Time: at}, {Rule: "every-hour", Time: at}, {}} {
		in := diagnose.Input{Evidence: tripEvidence(t, at, map[vitals.ID]func(int) float64{}),
			Triggers: []casefile.Trigger{trigger}}
		if p := diagnose.Run(t.Context(), in, diagnose.Options{}).Picture; p == nil || len(p.Tripped) > 0 {
			t.Errorf("%q: the picture is %+v, want one without a trip", trigger.Rule, p)
		}
	}
}
