package budget

import (
	"io"
	"math"
	"runtime/metrics"
	"runtime/pprof"
	"sync"
	"testing"
	"time"
)

var kinds = []string{"cpu", "heap", "allocs", "goroutine", "mutex", "block", "threadcreate", "goroutineleak", "gc",
	"goroutine-dump",
	"trace", "metrics", "runtime", "prometheus", "vitals"}

// TestPredictBounds: whatever a target answers, a prediction is a cost that can be summed.
func TestPredictBounds(t *testing.T) {
	huge := Facts{math.MaxInt, math.Inf(1), math.MaxInt, math.MaxInt64, math.MaxInt64, math.MaxInt, math.Inf(1), false}
	for name, f := range map[string]Facts{
		"nothing": {}, "huge": huge, "NaN": {CPUs: math.NaN(), Frames: math.NaN()},
		"negative": {-1, -1, -1, -1, -1, -1, -1, true},
	} {
		for _, kind := range append(kinds, "unheard of") {
			for _, span := range []time.Duration{math.MinInt64, 0, 10 * time.Second, math.MaxInt64} {
				c := Predict(kind, span, f)
				if c != c.sane() || c.CPU <= 0 || c.CPU > ceiling || c.Bytes <= 0 && kind != "gc" ||
					c.Bytes > ceiling || c.Pause > ceiling {
					t.Errorf("%s of %s, %s: %+v", kind, name, span, c)
				}
			}
		}
	}
}

// TestPredictGrows: a bigger process never costs less.
func TestPredictGrows(t *testing.T) {
	small := Facts{1000, 10, 1000, 1 << 20, 1000, 10, 1, true}
	big := Facts{2000, 20, 2000, 1 << 21, 2000, 20, 2, true}
	for _, kind := range kinds {
		a, b := Predict(kind, 5*time.Second, small), Predict(kind, 10*time.Second, big)
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
		cost := Predict(c.kind, 5*time.Second, Facts{Goroutines: c.goroutines})
		_, err := New(Limits{}, State{}, start).Ask(start, c.kind, cost)
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
	want := Predict(kind, 0, Facts{Goroutines: n, Frames: 20})
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

var _ io.Writer = new(counter)

func BenchmarkAsk(b *testing.B) {
	l := New(Limits{CPU: -1, Bytes: -1, Pause: -1}, State{}, start)
	b.ReportAllocs()
	for b.Loop() {
		g, err := l.Ask(start, "cpu", Cost{CPU: time.Millisecond})
		if err != nil {
			b.Fatal(err)
		}
		g.Settle(start, Cost{})
	}
}
