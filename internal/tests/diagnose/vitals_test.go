package diagnose_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/vitals"
)

// history writes 40 samples, one per second, that end at a given time. A signal's value is value(i).
func history(t *testing.T, end time.Time, values map[vitals.ID]func(i int) float64) diagnose.Evidence {
	t.Helper()
	var samples []vitals.Sample
	for i := range 40 {
		s := vitals.NewSample(end.Add(time.Duration(i-40) * time.Second))
		for id, value := range values {
			s.Set(id, value(i))
		}
		samples = append(samples, s)
	}
	var b bytes.Buffer
	if err := vitals.WriteJSONL(&b, samples, nil, nil); err != nil {
		t.Fatal(err)
	}
	return diagnose.Evidence{Name: "vitals.jsonl", Data: b.Bytes()}
}

func constant(v float64) func(int) float64 { return func(int) float64 { return v } }

// scoreOf is what a detector gives on its own. Among all others its finding may become part of a more exact one.
func scoreOf(t *testing.T, in diagnose.Input, kind string) (casefile.Finding, int) {
	t.Helper()
	alone := slices.DeleteFunc(diagnose.Detectors(), func(d diagnose.Detector) bool { return d.Kind != kind })
	if len(alone) != 1 {
		t.Fatalf("%d detectors of kind %s, want one", len(alone), kind)
	}
	for _, f := range diagnose.Run(t.Context(), in, diagnose.Options{Detectors: alone}).Findings {
		if f.Kind == kind {
			return f, f.Score
		}
	}
	return casefile.Finding{}, 0
}

// goroutines is a debug=1 goroutine profile of n goroutines at one line.
func goroutines(n int, at string) []byte {
	return fmt.Appendf(nil, "goroutine profile: total %d\n%d @ 0x1\n#\t0x1\t%s+0x1\t/src/app/main.go:7\n\n", n, n, at)
}

// TestVitalsLiftTheCap: the signals' history can show what one capture cannot.
func TestVitalsLiftTheCap(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	surge := diagnose.Evidence{Name: "goroutine.txt", Taken: at, Data: goroutines(20_000, "main.wait")}
	if _, got := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{surge}}, "goroutine-surge"); got != capUnsure {
		t.Errorf("20,000 goroutines in one capture: %d, want the cap of %d", got, capUnsure)
	}
	rising := history(t, at,
		map[vitals.ID]func(int) float64{vitals.Goroutines: func(i int) float64 { return 500 * float64(i) }})
	f, got := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{surge, rising}}, "goroutine-surge")
	if got <= capUnsure || !strings.Contains(f.Summary, "rose by") {
		t.Errorf("with a rising number in the vitals: %d, %q; want more than %d and the rise in the summary", got,
			f.Summary, capUnsure)
	}

	checkout.Need(t)
	heap := checkout.File(t, "gc_pointer_heap/fault/heap.pb.gz")
	objects := diagnose.Evidence{Name: "heap.pb.gz", Data: heap}
	for gc, want := range map[float64]func(int) bool{
		0.01: func(score int) bool { return score > 0 && score <= capNotice },
		0.07: func(score int) bool { return score == capUnsure },
		0.30: func(score int) bool { return score > capUnsure },
	} {
		v := history(t, at, map[vitals.ID]func(int) float64{vitals.GCCPU: constant(gc)})
		if _, got := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{objects, v}}, "gc-pointer-heap"); !want(got) {
			t.Errorf("15 million objects with the collector at %v of the CPU: %d", gc, got)
		}
	}
}

// TestSteadyPool: a constant number of goroutines is a pool, however much time is between the captures.
func TestSteadyPool(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		before, after int
		low, high     int
	}{
		{3000, 3000, 25, capNotice}, {3000, 3100, 25, capUnsure}, // over a minute, a slow leak looks like this
		{3000, 3400, 25, 49}, // it grows
		{15_000, 15_000, 25, capNotice}, {2000, 9000, 75, lookAheadCap}, {2000, 50_000, 75, 100},
	} {
		in := diagnose.Input{Evidence: []diagnose.Evidence{
			{Name: "1.txt", Taken: at, Data: goroutines(tt.before, "main.work")},
			{Name: "2.txt", Taken: at.Add(time.Minute), Data: goroutines(tt.after, "main.work")},
		}}
		if _, got := scoreOf(t, in, "goroutine-surge"); got < tt.low || got > tt.high {
			t.Errorf("%d, a minute later %d: %d, want %d to %d", tt.before, tt.after, got, tt.low, tt.high)
		}
	}
}

// A number that stays nearly the same for long is a pool. After a few seconds nobody can tell.
func TestPoolOverTime(t *testing.T) {
	at := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for apart, want := range map[time.Duration]int{10 * time.Minute: 0, 10 * time.Second: 36} {
		in := diagnose.Input{Evidence: []diagnose.Evidence{
			{Name: "1.txt", Taken: at, Data: goroutines(3000, "main.work")},
			{Name: "2.txt", Taken: at.Add(apart), Data: goroutines(3000, "main.work")},
		}}
		if _, got := scoreOf(t, in, "goroutine-surge"); got != want {
			t.Errorf("3,000, %s later 3,000: %d, want %d", apart, got, want)
		}
	}
}

// TestStuckSenders: goroutines that are in a channel send for minutes are not a pool. One dump is enough.
func TestStuckSenders(t *testing.T) {
	dump := func(state string) diagnose.Evidence {
		var b bytes.Buffer
		for i := range 12_000 {
			fmt.Fprintf(&b,
				"goroutine %d [%s, %d minutes]:\nmain.answer(0x1)\n\t/src/app/main.go:7 +0x1\ncreated by main.ask in "+
					"goroutine 1\n\t/src/app/main.go:5 +0x2\n\n",
				i+1, state, 1+i%30)
		}
		return diagnose.Evidence{Name: "goroutines.txt", Data: b.Bytes()}
	}
	f, got := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{dump("chan send")}}, "goroutine-surge")
	if got < 75 || len(f.Where) < 2 || f.Where[1].Function != "main.ask" || f.Where[1].Line != 5 {
		t.Errorf("senders: %d at %v; want 75 or more, and where they were started", got, f.Where)
	}
	if _, got := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{dump("chan receive")}},
		"goroutine-surge"); got != capUnsure {
		t.Errorf("receivers, which may be a pool: %d, want %d", got, capUnsure)
	}
	if _, got := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{dump("sync.Mutex.Lock")}},
		"goroutine-surge"); got != 0 {
		t.Errorf("waiters for a lock: %d, want them left to lock-contention", got)
	}
	if _, got := scoreOf(t, diagnose.Input{Evidence: []diagnose.Evidence{dump("sync.Mutex.Lock")}},
		"lock-contention"); got < 75 {
		t.Errorf("12,000 waiters for a lock for minutes: %d, want 75 or more", got)
	}
}

// TestIdleConnections: idle keep-alive connections are not a surge.
func TestIdleConnections(t *testing.T) {
	idle := func(n int) diagnose.Input {
		text := fmt.Sprintf("goroutine profile: total %d\n%d @ 0x1 "+
			"0x2\n#\t0x1\tinternal/poll.runtime_pollWait+0x1\t/go/src/runtime/netpoll.go:351\n#\t0x2\tnet/http.(*conn).serve+0x1\t/go/src/net/http/server.go:2027\n\n",
			n, n)
		return diagnose.Input{Evidence: []diagnose.Evidence{{Name: "g.txt", Data: []byte(text)}}}
	}
	if _, got := scoreOf(t, idle(5000), "goroutine-surge"); got != 0 {
		t.Errorf("5,000 idle connections: %d, want no finding", got)
	}
	if f, got := scoreOf(t, idle(40_000), "goroutine-surge"); got != capNotice ||
		!strings.Contains(f.Summary, "idle between requests") {
		t.Errorf("40,000 idle connections: %d, %q; want a notice that says what they are", got, f.Summary)
	}
}
