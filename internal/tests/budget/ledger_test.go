package budget_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime/metrics"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/budget"
)

// What the package does not export, and promises.
const ceiling = 1 << 62

var start = time.Date(2026, 11, 21, 13, 30, 20, 0, time.UTC)

func at(minutes float64) time.Time {
	return start.Add(time.Duration(minutes * float64(time.Minute)))
}

// mustAsk fails unless the capture is granted.
func mustAsk(t *testing.T, l *budget.Ledger, now time.Time, c budget.Cost) *budget.Grant {
	t.Helper()
	g, err := l.Ask(now, "cpu", c)
	if err != nil {
		t.Fatalf("at %s: %v", now.Sub(start), err)
	}
	return g
}

func TestRefusalsSayWhy(t *testing.T) {
	second := budget.Cost{CPU: time.Second}
	for _, c := range []struct {
		name   string
		limits budget.Limits
		spent  budget.Cost
		ask    budget.Cost
		want   string
	}{
		{"stop", budget.Limits{}, budget.Cost{}, budget.Cost{Pause: 1200 * time.Millisecond,
			Longest: 1200 * time.Millisecond},
			"goroutine-dump refused: it would stop the world for about 1.2 s, the limit is 10 ms"},
		{"spent", budget.Limits{CPU: 40 * time.Second}, budget.Cost{CPU: 39500 * time.Millisecond}, second,
			"goroutine-dump refused: it would cost about 1 s of CPU time; 39.5 s of the 40 s for an hour are spent; " +
				"again from 14:31"},
		{"last quarter", budget.Limits{}, budget.Cost{CPU: 27 * time.Second}, second,
			"goroutine-dump refused: it would cost about 1 s of CPU time; 27 s of the 36 s for an hour are spent, " +
				"and the last quarter is reserved for cheap evidence; again from 14:31"},
		{"never", budget.Limits{Bytes: 1 << 20}, budget.Cost{}, budget.Cost{Bytes: 3 << 20},
			"goroutine-dump refused: it would cost about 3 MiB of disk space; 0 B of the 1 MiB for an hour are " +
				"spent; waiting does not help: raise the budget's limit to get it"},
		{"pauses", budget.Limits{}, budget.Cost{Pause: 499 * time.Millisecond}, budget.Cost{Pause: 3 * time.Millisecond},
			"goroutine-dump refused: it would cost about 3 ms of stopped world; 499 ms of the 500 ms for an hour are " +
				"spent; again from 14:31"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := budget.New(c.limits, budget.State{}, start)
			mustAsk(t, l, start, budget.Cost{}).Settle(start, c.spent)
			_, err := l.Ask(at(0.1), "goroutine-dump", c.ask)
			if err == nil || err.Error() != c.want {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			var e *budget.RefusedError
			if !errors.As(err, &e) || !budget.Refused(fmt.Errorf("taking a case: %w", err)) {
				t.Fatalf("the error is a %T", err)
			}
			if !e.Again.IsZero() {
				if _, err := l.Ask(e.Again, "goroutine-dump", c.ask); err != nil {
					t.Errorf("at %s, when it should do: %v", e.Again, err)
				}
			}
			if r := l.Status(at(0.2)).Refused["goroutine-dump"]; r.Count != 1 || r.Why != c.want {
				t.Errorf("the status counts %+v", r)
			}
		})
	}
}

func TestCheapEvidenceHasTheLastQuarter(t *testing.T) {
	l := budget.New(budget.Limits{}, budget.State{}, start)
	mustAsk(t, l, start, budget.Cost{CPU: 27 * time.Second})
	if _, err := l.Ask(start, "trace", budget.Cost{CPU: time.Second}); !budget.Refused(err) {
		t.Errorf("an expensive capture in the last quarter: %v", err)
	}
	for range 60 {
		mustAsk(t, l, start, budget.Cost{CPU: 150 * time.Millisecond})
	}
	if _, err := l.Ask(start, "cpu", budget.Cost{CPU: 150 * time.Millisecond}); !budget.Refused(err) {
		t.Errorf("a cheap capture beyond the limit: %v", err)
	}
	mustAsk(t, l, start, budget.Cost{Bytes: 1 << 20}) // of a resource that is not scarce
}

func TestSettle(t *testing.T) {
	l := budget.New(budget.Limits{}, budget.State{}, start)
	g := mustAsk(t, l, start, budget.Cost{CPU: 20 * time.Second, Bytes: 9, Pause: 5 * time.Millisecond,
		Longest: 5 * time.Millisecond})
	if got, want := l.Status(start).Spent, (budget.Cost{CPU: 20 * time.Second, Bytes: 9,
		Pause: 5 * time.Millisecond}); got != want {
		t.Errorf("before it is settled: %+v, want %+v", got, want)
	}
	actual := budget.Cost{CPU: time.Second, Bytes: 7, Pause: 2 * time.Millisecond, Longest: time.Millisecond}
	g.Settle(at(1), actual)
	g.Settle(at(2), actual)
	if got := l.Status(at(2)).Spent; got != actual {
		t.Errorf("settled twice: %+v, want %+v", got, actual)
	}
	g.Settle(at(90), budget.Cost{CPU: time.Hour})
	(*budget.Grant)(nil).Settle(start, actual)
	if got := l.Status(at(90)).Spent; got != (budget.Cost{}) {
		t.Errorf("an hour later: %+v, want nothing", got)
	}
}

// restart is a new process that continues from the old one's file.
func restart(t *testing.T, l *budget.Ledger, limits budget.Limits, now time.Time) *budget.Ledger {
	t.Helper()
	data, err := json.Marshal(l.State())
	if err != nil {
		t.Fatal(err)
	}
	var st budget.State
	if err := json.Unmarshal(data, &st); err != nil {
		t.Fatal(err)
	}
	return budget.New(limits, st, now)
}

// TestRestarts: a restart forgives nothing, and many quick restarts do not keep an hour from passing.
func TestRestarts(t *testing.T) {
	l := budget.New(budget.Limits{}, budget.State{}, start)
	mustAsk(t, l, start, budget.Cost{CPU: 27 * time.Second})
	expensive := budget.Cost{CPU: time.Second}
	for s := 0; s < 3600; s += 10 {
		now := start.Add(time.Duration(s) * time.Second)
		l = restart(t, l, budget.Limits{}, now)
		if _, err := l.Ask(now, "trace", expensive); !budget.Refused(err) {
			t.Fatalf("after %d s of restarts an expensive capture was granted: %v", s, err)
		}
	}
	now := at(61)
	mustAsk(t, restart(t, l, budget.Limits{}, now), now, expensive)
}

func TestClockJumps(t *testing.T) {
	full, expensive := budget.Cost{CPU: 27 * time.Second}, budget.Cost{CPU: time.Second}
	for name, jump := range map[string]time.Duration{
		"a minute back": -time.Minute, "a day back": -24 * time.Hour, "ten years back": -87600 * time.Hour,
		"to the past": math.MinInt64,
	} {
		t.Run(name, func(t *testing.T) {
			l := budget.New(budget.Limits{}, budget.State{}, start)
			mustAsk(t, l, at(30), full)
			back := at(30).Add(jump)
			wantHour := func(l *budget.Ledger, after string) {
				t.Helper()
				for _, m := range []float64{0, 1, 59} {
					if _, err := l.Ask(back.Add(time.Duration(m)*time.Minute), "trace", expensive); !budget.Refused(err) {
						t.Errorf("%s, %g minutes after the jump an expensive capture was granted: %v", after, m, err)
					}
				}
				mustAsk(t, l, back.Add(62*time.Minute), expensive)
			}
			wantHour(budget.New(budget.Limits{}, l.State(), back), "restarted")
			wantHour(l, "running on")
		})
	}
	t.Run("callers out of order", func(t *testing.T) {
		l := budget.New(budget.Limits{}, budget.State{}, start)
		mustAsk(t, l, start, full)
		for range 200 {
			l.Status(at(1))
			if _, err := l.Ask(start, "trace", expensive); !budget.Refused(err) {
				t.Fatalf("an expensive capture was granted: %v", err)
			}
		}
	})
	t.Run("back in each minute", func(t *testing.T) {
		l, spent := budget.New(budget.Limits{}, budget.State{}, start), time.Duration(0)
		for i := range 1000 {
			if _, err := l.Ask(start.Add(-time.Duration(i)*time.Minute), "trace", expensive); err == nil {
				spent += expensive.CPU
			}
		}
		if spent > budget.DefaultCPU {
			t.Errorf("%s were granted while the clock only went back", spent)
		}
	})
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		in   budget.Limits
		ask  budget.Cost
		ok   bool
	}{
		{"default", budget.Limits{}, budget.Cost{Longest: 10 * time.Millisecond}, true},
		{"default stop", budget.Limits{}, budget.Cost{Longest: 11 * time.Millisecond}, false},
		{"unlimited", budget.Limits{CPU: -1, Bytes: -1, Pause: -1, Longest: -1},
			budget.Cost{CPU: 1 << 62, Bytes: 1 << 62, Pause: 1 << 62, Longest: 1 << 62}, true},
		{"long stops allowed", budget.Limits{Longest: 2 * time.Second}, budget.Cost{Longest: time.Second}, true},
		{"few stops allowed", budget.Limits{Pause: 5 * time.Millisecond}, budget.Cost{Longest: 6 * time.Millisecond}, false},
		{"negative costs", budget.Limits{}, budget.Cost{CPU: -1, Bytes: -1, Pause: -1, Longest: -1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.in.Validate(); err != nil {
				t.Errorf("Validate: %v", err)
			}
			if _, err := budget.New(c.in, budget.State{}, start).Ask(start, "heap", c.ask); (err == nil) != c.ok {
				t.Errorf("Ask: %v, want granted %v", err, c.ok)
			}
		})
	}
	err := budget.Limits{Pause: time.Second, Longest: 2 * time.Second}.Validate()
	if err == nil || !strings.Contains(err.Error(), "field Longest is 2s, more than field Pause, 1s") {
		t.Errorf("Validate of a contradiction: %v", err)
	}
}

// TestConcurrentAsks lets many goroutines ask at once, for -race.
func TestConcurrentAsks(t *testing.T) {
	l := budget.New(budget.Limits{Bytes: 1000}, budget.State{}, start)
	var granted sync.Map
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for range 40 {
				if g, err := l.Ask(at(1), fmt.Sprint("kind", i), budget.Cost{Bytes: 1}); err == nil {
					granted.Store(g, true)
					g.Settle(at(2), budget.Cost{Bytes: 1})
				}
				l.State()
				l.Status(at(2))
			}
		})
	}
	wg.Wait()
	n := 0
	granted.Range(func(any, any) bool { n++; return true })
	if n != 1000 {
		t.Errorf("%d captures of a byte were granted, the limit is 1000", n)
	}
}

var kinds = []string{"cpu", "heap", "allocs", "goroutine", "mutex", "block", "threadcreate", "goroutineleak", "gc",
	"goroutine-dump",
	"trace", "metrics", "runtime", "prometheus", "vitals"}

// TestPredictGrows: a bigger process never costs less.
func TestPredictGrows(t *testing.T) {
	small := budget.Facts{Goroutines: 1000, Frames: 10, HeapRecords: 1000, HeapBytes: 1 << 20, HeapObjects: 1000,
		Threads: 10, CPUs: 1, Outside: true}
	big := budget.Facts{Goroutines: 2000, Frames: 20, HeapRecords: 2000, HeapBytes: 1 << 21, HeapObjects: 2000,
		Threads: 20, CPUs: 2, Outside: true}
	for _, kind := range kinds {
		a, b := budget.Predict(kind, 5*time.Second, small), budget.Predict(kind, 10*time.Second, big)
		if b.CPU < a.CPU || b.Bytes < a.Bytes || b.Pause < a.Pause || b.Longest < a.Longest {
			t.Errorf("%s: %+v, and for a bigger process %+v", kind, a, b)
		}
	}
}

// TestDefaultLimitsRefuseLongStops: at 100,000 goroutines a profile is granted and a dump refused.
func TestDefaultLimitsRefuseLongStops(t *testing.T) {
	for _, c := range []struct {
		kind       string
		goroutines int
		granted    bool
	}{
		{"goroutine", 100_000, true}, {"goroutine", 500_000, true}, {"goroutine", 1_000_000, false},
		{"goroutine-dump", 500, true}, {"goroutine-dump", 1000, false}, {"goroutine-dump", 100_000, false},
		{"goroutineleak", 20_000, true}, {"goroutineleak", 100_000, false},
		{"trace", 100_000, true}, {"heap", 100_000, true}, {"cpu", 100_000, true},
	} {
		cost := budget.Predict(c.kind, 5*time.Second, budget.Facts{Goroutines: c.goroutines})
		_, err := budget.New(budget.Limits{}, budget.State{}, start).Ask(start, c.kind, cost)
		if (err == nil) != c.granted {
			t.Errorf("%s of %d goroutines: %v, want granted %v", c.kind, c.goroutines, err, c.granted)
		}
	}
}

// stops is how long the world was stopped for reasons other than GC, and the longest of these stops. The runtime keeps
// a histogram, so both are upper bounds.
type stops struct{ histogram metrics.Float64Histogram }

func readStops() stops {
	s := []metrics.Sample{{Name: "/sched/pauses/total/other:seconds"}}
	metrics.Read(s)
	h := s[0].Value.Float64Histogram()
	return stops{metrics.Float64Histogram{Counts: append([]uint64(nil), h.Counts...), Buckets: h.Buckets}}
}

func (s stops) since(before stops) (all, longest time.Duration) {
	for i, n := range s.histogram.Counts {
		if n -= before.histogram.Counts[i]; n > 0 {
			longest = time.Duration(s.histogram.Buckets[i+1] * 1e9)
			all += time.Duration(n) * longest
		}
	}
	return all, longest
}

// park keeps n goroutines with stacks of depth calls until the test ends.
func park(tb testing.TB, n, depth int) {
	stop := make(chan struct{})
	var parked, done sync.WaitGroup
	parked.Add(n)
	for range n {
		done.Go(func() { descend(depth, &parked, stop) })
	}
	parked.Wait()
	tb.Cleanup(func() { close(stop); done.Wait() })
}

//go:noinline
func descend(depth int, parked *sync.WaitGroup, stop chan struct{}) int {
	if depth == 0 {
		parked.Done()
		<-stop
		return 0
	}
	return descend(depth-1, parked, stop) + 1
}

// TestPredicted prints predictions beside measurements: go test -run TestPredicted -v ./internal/budget. Measurements
// on a busy machine prove nothing about the formulas, so no duration makes it fail. With 100 goroutines it measures ten
// times: if even the shortest stop is a hundred times what was predicted, the machine is not the cause.
func TestPredicted(t *testing.T) {
	counts := []int{100, 1000, 10_000, 100_000}
	if !testing.Verbose() {
		counts = counts[:2] // the others are for people who read the figures
	}
	t.Logf("%-14s %10s   %-27s %-27s %-21s", "", "goroutines", "work predicted, measured", "longest stop", "bytes")
	for _, n := range counts {
		t.Run("", func(t *testing.T) {
			const depth = 17 // and three calls above it
			park(t, n, depth)
			comparePrediction(t, "goroutine", 0, n)
			if n <= 10_000 {
				comparePrediction(t, "goroutine-dump", 2, n)
			}
		})
	}
}

func comparePrediction(t *testing.T, kind string, debug, n int) {
	want := budget.Predict(kind, 0, budget.Facts{Goroutines: n, Frames: 20})
	var size counter
	work, longest := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
	// The least of several: a process that does not get CPU while it stops the world shows how busy the machine is.
	for range max(1, 1000/n) {
		size = 0
		before, began := readStops(), time.Now()
		if err := pprof.Lookup("goroutine").WriteTo(&size, debug); err != nil {
			t.Fatal(err)
		}
		work = min(work, time.Since(began))
		_, l := readStops().since(before)
		longest = min(longest, l)
	}
	t.Logf("%-14s %10d   %-13s %-13s %-13s %-13s %-10d %-10d", kind, n, want.CPU.Round(time.Microsecond),
		work.Round(time.Microsecond),
		want.Longest.Round(time.Microsecond), longest.Round(time.Microsecond), want.Bytes, int64(size))
	if n <= 100 && longest > 100*want.Longest {
		t.Errorf("%s of %d goroutines stopped the world for %s, predicted were %s", kind, n, longest, want.Longest)
	}
	if int64(size) > 3*want.Bytes {
		t.Errorf("%s of %d goroutines has %d bytes, predicted were %d", kind, n, size, want.Bytes)
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func BenchmarkAsk(b *testing.B) {
	l := budget.New(budget.Limits{CPU: -1, Bytes: -1, Pause: -1}, budget.State{}, start)
	b.ReportAllocs()
	for b.Loop() {
		g, err := l.Ask(start, "cpu", budget.Cost{CPU: time.Millisecond})
		if err != nil {
			b.Fatal(err)
		}
		g.Settle(start, budget.Cost{})
	}
}

// One stop a case may be longer than the default, but not than what somebody has set, and only if the hour can pay.
func TestDearStop(t *testing.T) {
	stop := func(d time.Duration) budget.Cost { return budget.Cost{Pause: d, Longest: d} }
	for _, c := range []struct {
		name    string
		limits  budget.Limits
		ask     time.Duration
		granted bool
	}{
		{"a dump of 3,000", budget.Limits{}, 45 * time.Millisecond, true},
		{"a dump of 10,000", budget.Limits{}, 150 * time.Millisecond, false},
		{"a limit that is set", budget.Limits{Longest: 10 * time.Millisecond}, 45 * time.Millisecond, false},
		{"a longer one", budget.Limits{Longest: 200 * time.Millisecond}, 150 * time.Millisecond, true},
		{"few pauses an hour", budget.Limits{Pause: 8 * time.Millisecond}, 45 * time.Millisecond, false},
	} {
		l := budget.New(c.limits, budget.State{}, start)
		if _, err := l.AskDear(start, "goroutine-dump", stop(c.ask)); (err == nil) != c.granted {
			t.Errorf("%s: %v, granted should be %v", c.name, err, c.granted)
		}
	}
}
