package trace

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"runtime/trace"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/diagnose/traces"
)

// The programs here measure their own delays. A table is right if it says the same within 5 %.

// record traces a program in this process, and reads the trace.
func record(t testing.TB, program func()) *traces.Summary {
	t.Helper()
	var buf bytes.Buffer
	if err := trace.Start(&buf); err != nil {
		t.Fatal(err)
	}
	program()
	trace.Stop()
	got, err := Read(t.Context(), t.Name(), &buf)
	if err != nil {
		t.Fatal(err)
	}
	s := got.Summary()
	if len(s.Warnings) > 0 {
		t.Errorf("warnings: %q", s.Warnings)
	}
	return s
}

// near fails if a figure is not within 5 % of what the program measured. slack is what lies between the two moments at
// which program and trace look at the clock, on a machine on which others run, too.
func near(t testing.TB, what string, got, want, slack time.Duration) {
	t.Helper()
	if diff := (got - want).Abs(); diff > max(want/20, slack) {
		t.Errorf("%s: the table says %v, the program measured %v", what, got, want)
	}
}

// onceOf runs a program up to ten times, until the table says what the program measured: between its reading of the
// clock and the event in the trace a busy machine may run something else, but not every time.
func onceOf(t *testing.T, program func(testing.TB)) {
	t.Helper()
	for range 9 {
		try := &attempt{TB: t}
		if program(try); !try.failed {
			return
		}
	}
	program(t)
}

// An attempt notes a failure and goes on.
type attempt struct {
	testing.TB
	failed bool
}

func (a *attempt) Error(args ...any) { a.failed = true; a.Log(args...) }

func (a *attempt) Errorf(format string, args ...any) { a.failed = true; a.Logf(format, args...) }

func has(s traces.Stack, function string) bool {
	for _, f := range s {
		if strings.HasSuffix(f.Function, function) {
			return true
		}
	}
	return false
}

//go:noinline
func plantedWaiter(mu *sync.Mutex) time.Duration {
	start := time.Now()
	mu.Lock()
	took := time.Since(start)
	mu.Unlock()
	return took
}

//go:noinline
func plantedHolder(mu *sync.Mutex, d time.Duration) {
	mu.Lock()
	time.Sleep(d)
	mu.Unlock()
}

func TestPlantedLock(t *testing.T) { onceOf(t, lockIsKnown) }

func lockIsKnown(t testing.TB) {
	var want time.Duration
	s := record(t, func() {
		var mu sync.Mutex
		var all sync.WaitGroup
		all.Go(func() { plantedHolder(&mu, 50*time.Millisecond) })
		time.Sleep(10 * time.Millisecond)
		want = plantedWaiter(&mu)
		all.Wait()
	})
	for _, w := range s.Blocking {
		if has(w.Stack, ".plantedWaiter") {
			near(t, "waiting for the lock", w.Times.Max, want, 2*time.Millisecond)
			if w.Reason != "lock" || len(w.Wakers) != 1 || !has(w.Wakers[0].Stack, ".plantedHolder") {
				t.Errorf("%s, woken by %v: want the lock's holder", w.Reason, w.Wakers)
			}
			return
		}
	}
	t.Errorf("no wait in plantedWaiter: %v", s.Blocking)
}

//go:noinline
func plantedSpin(d time.Duration) (n int) {
	for start := time.Now(); time.Since(start) < d; n++ {
	}
	return n
}

// TestPlantedQueue: with one P a goroutine that was woken waits until the one that runs lets it. On a busy machine that
// may be at once: several are woken, one after the other, and the longest wait counts.
func TestPlantedQueue(t *testing.T) { onceOf(t, queueIsKnown) }

func queueIsKnown(t testing.TB) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var want time.Duration
	s := record(t, func() {
		wake, done := make(chan time.Time), make(chan time.Duration)
		for range 8 {
			go plantedWoken(wake, done)
			time.Sleep(20 * time.Millisecond) // it is in its receive
			wake <- time.Now()
			plantedSpin(6 * time.Millisecond) // less than the scheduler lets run, 10 ms
			want = max(want, <-done)
		}
	})
	for _, g := range s.Goroutines {
		if strings.HasSuffix(g.Name, ".plantedWoken") {
			near(t, "waiting for a P", g.Latency.Max, want, time.Millisecond)
			if g.Latency.Max < 3*time.Millisecond {
				t.Errorf("latency %v: the program was planted with 6 ms", g.Latency.Max)
			}
			return
		}
	}
	t.Errorf("no goroutine type of plantedWoken: %+v", s.Goroutines)
}

func plantedWoken(wake chan time.Time, done chan time.Duration) {
	at := <-wake
	done <- time.Since(at)
}

// TestVoluntary: waiting after Gosched is not latency.
func TestVoluntary(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	s := record(t, func() {
		var all sync.WaitGroup
		for range 2 {
			all.Go(plantedYields)
		}
		all.Wait()
	})
	for _, g := range s.Goroutines {
		if strings.HasSuffix(g.Name, ".plantedYields") && g.Spent.Runnable > 20*time.Millisecond {
			if g.Latency.Total > g.Spent.Runnable/2 {
				t.Errorf("%v of the %v in the queue count as latency", g.Latency.Total, g.Spent.Runnable)
			}
			return
		}
	}
	t.Errorf("no goroutines of the test that waited: %+v", s.Goroutines)
}

func plantedYields() {
	for range 50 {
		plantedSpin(time.Millisecond)
		runtime.Gosched()
	}
}

func TestPlantedSyscall(t *testing.T) { onceOf(t, syscallIsKnown) }

func syscallIsKnown(t testing.TB) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var want time.Duration
	fd := int(r.Fd()) // Fd makes it blocking
	s := record(t, func() {
		time.AfterFunc(40*time.Millisecond, func() { w.Close() })
		want = plantedRead(t, fd)
	})
	for _, site := range s.Syscalls {
		if has(site.Stack, ".plantedRead") {
			near(t, "the system call", site.Times.Max, want, 2*time.Millisecond)
			return
		}
	}
	t.Errorf("no system call in plantedRead: %v", s.Syscalls)
}

//go:noinline
func plantedRead(t testing.TB, fd int) time.Duration {
	start := time.Now()
	if _, err := syscall.Read(fd, make([]byte, 1)); err != nil {
		t.Error(err)
	}
	return time.Since(start)
}

// TestPlantedLateStop: a goroutine in memmove cannot be preempted, and the world waits for it.
func TestPlantedLateStop(t *testing.T) { onceOf(t, lateStopIsKnown) }

func lateStopIsKnown(t testing.TB) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("needs two Ps")
	}
	from, to := make([]byte, 512<<20), make([]byte, 512<<20)
	copy(to, from) // its pages are there
	var want, wantStopping time.Duration
	s := record(t, func() {
		started, ended := make(chan bool), time.Time{}
		var all sync.WaitGroup
		all.Go(func() { ended = plantedCopy(started, to, from) })
		<-started
		start := time.Now()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		want = time.Since(start)
		all.Wait()
		wantStopping = ended.Sub(start)
	})
	for _, stop := range s.Stops {
		if stop.Reason != "read mem stats" {
			continue
		}
		near(t, "the stop of the world", stop.Times.Max, want, 2*time.Millisecond)
		if stop.Times.Max < 10*time.Millisecond {
			t.Skipf("the stop took %v: the copy was over before it began", stop.Times.Max)
		}
		if len(stop.By) != 1 || !has(stop.By[0].Stack, ".lateStopIsKnown.func1") {
			t.Errorf("asked for by %v, want the test", stop.By)
		}
		if len(stop.Late) == 0 || !has(stop.Late[0].Stack, ".plantedCopy") {
			t.Errorf("late: %v, want plantedCopy", stop.Late)
		}
		near(t, "stopping", stop.Stopping.Max, wantStopping, 2*time.Millisecond)
		return
	}
	t.Errorf("no stop to read mem stats: %v", s.Stops)
}

//go:noinline
func plantedCopy(started chan bool, to, from []byte) (ended time.Time) {
	close(started)
	copy(to, from)
	return time.Now()
}

// TestPlantedAssist: the runtime counts the CPU of assists, too, and with it the end of marking, which the last assist
// of each cycle does: the trace does not show where that begins. It takes milliseconds, more on a busy machine, so the
// table may have half of it; and both clocks go on while the machine runs something else.
func TestPlantedAssist(t *testing.T) { onceOf(t, assistIsKnown) }

func assistIsKnown(t testing.TB) {
	defer debug.SetGCPercent(debug.SetGCPercent(60))
	before := assistCPU()
	s := record(t, func() {
		var all sync.WaitGroup
		for range 4 {
			all.Go(plantedAllocates)
		}
		all.Wait()
	})
	want := assistCPU() - before
	if got := s.GC.AssistCPU; got > want+want/4 || got < want/2 {
		t.Errorf("CPU of assists: the table says %v, the runtime %v", got, want)
	}
	t.Logf("the table says %v, the runtime %v, in %d cycles", s.GC.AssistCPU, want, s.GC.Marks.Count)
	var phases, delay time.Duration
	for _, c := range s.GC.Cycles {
		phases, delay = phases+c.Took, delay+c.Delay
		if c.Longest > c.Delay || (c.Assisting > 0) != (c.Delay > 0) || c.At < 0 || c.At+c.Took > s.Span {
			t.Errorf("a mark phase %+v within %v", c, s.Span)
		}
	}
	if int64(len(s.GC.Cycles)) != s.GC.Marks.Count || phases != s.GC.Marks.Total || delay > s.GC.AssistDelay.Total ||
		delay < s.GC.AssistDelay.Total/2 {
		t.Errorf("%d phases of %v, in which goroutines were delayed by %v; the tables have %d of %v and %v",
			len(s.GC.Cycles), phases, delay, s.GC.Marks.Count, s.GC.Marks.Total, s.GC.AssistDelay.Total)
	}
	if len(s.GC.Assists) == 0 || !has(s.GC.Assists[0].Stack, ".plantedAllocates") {
		t.Errorf("assists at %v, want plantedAllocates", s.GC.Assists)
	}
}

// assistCPU is what the runtime counted up to now.
func assistCPU() time.Duration {
	runtime.GC() // the counter moves when a cycle ends
	m := []metrics.Sample{{Name: "/cpu/classes/gc/mark/assist:cpu-seconds"}}
	metrics.Read(m)
	return time.Duration(m[0].Value.Float64() * 1e9)
}

//go:noinline
func plantedAllocates() {
	type node struct{ other *node }
	all := []*node{{}}
	for i := range 1_000_000 {
		all = append(all, &node{all[i/2]})
	}
	runtime.KeepAlive(all)
}

// TestPlantedRequests: requests to a real server, of which one waits for a lock that another goroutine holds.
func TestPlantedRequests(t *testing.T) { onceOf(t, requestsAreKnown) }

func requestsAreKnown(t testing.TB) {
	const number, pause = 60, 10 * time.Millisecond
	var slowestSeen time.Duration
	var mu sync.Mutex
	s := record(t, func() {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			plantedHandler(&mu, pause)
			io.WriteString(w, "done")
		}))
		defer srv.Close()
		for i := range number {
			if i == number/2 {
				go plantedHolder(&mu, time.Second) // longer than what a busy machine does to the others
				time.Sleep(time.Millisecond)
			}
			start := time.Now()
			resp, err := srv.Client().Get(srv.URL)
			if err != nil {
				t.Error(err)
				return
			}
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			slowestSeen = max(slowestSeen, time.Since(start))
		}
	})
	for _, name := range []string{"net/http server", "net/http client"} {
		k := kindNamed(s, name)
		if k == nil || k.Times.Count+k.Open != number {
			t.Errorf("%s: %+v, want %d requests", name, k, number)
			continue
		}
		near(t, name+", the slowest", k.Times.Max, slowestSeen, 2*time.Millisecond)
		if k.Times.P50 < pause {
			t.Errorf("%s: p50 %v, want at least %v", name, k.Times.P50, pause)
		}
		near(t, name+", where the time went", k.Spent.Sum(), k.Times.Total, time.Millisecond)
	}
	for _, w := range s.Blocking {
		if w.Reason == "sleep" && has(w.Stack, ".plantedHandler") && (w.Times.Count != 2*number || w.Requests != number) {
			t.Errorf("%d waits of %d requests, want two of each of %d", w.Times.Count, w.Requests, number)
		}
	}
	checkPath(t, s)
}

// TestPlantedServed: requests that wait in the kernel.
func TestPlantedServed(t *testing.T) { onceOf(t, servedIsKnown) }

func servedIsKnown(t testing.TB) {
	const number = 10
	var want time.Duration
	s := record(t, func() {
		srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			r, w, err := os.Pipe()
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Close()
			time.AfterFunc(15*time.Millisecond, func() { w.Close() })
			want += plantedRead(t, int(r.Fd()))
		}))
		defer srv.Close()
		for range number {
			resp, err := srv.Client().Get(srv.URL)
			if err != nil {
				t.Error(err)
				return
			}
			resp.Body.Close()
		}
	})
	for _, c := range s.Served {
		if has(c.Stack, ".plantedRead") {
			near(t, "system calls of requests", c.Took.Total, want, number*time.Millisecond)
			if c.Took.Count != number || c.Requests < c.Took.Total {
				t.Errorf("%d requests of %v spent %v in the call", c.Took.Count, c.Requests, c.Took.Total)
			}
			return
		}
	}
	t.Errorf("no system call of requests in plantedRead: %v", s.Served)
}

func kindNamed(s *traces.Summary, name string) *traces.Kind {
	for i := range s.Kinds {
		if s.Kinds[i].Name == name {
			return &s.Kinds[i]
		}
	}
	return nil
}

// checkPath wants one of the slowest requests to have waited for plantedHolder, which slept meanwhile.
func checkPath(t testing.TB, s *traces.Summary) {
	t.Helper()
	for _, r := range s.Slowest {
		if r.Kind != "net/http server" {
			continue
		}
		for _, step := range r.Path {
			if step.Depth == 1 && step.State == "sleep" && has(step.Stack, ".plantedHolder") {
				return
			}
		}
	}
	t.Errorf("no path of a slow request leads to the holder: %+v", s.Slowest)
}

//go:noinline
func plantedHandler(mu *sync.Mutex, d time.Duration) {
	for range 2 {
		time.Sleep(d / 2)
	}
	mu.Lock()
	defer mu.Unlock()
}

// TestUserRegions: the user's own tasks and regions are exact.
func TestUserRegions(t *testing.T) { onceOf(t, regionsAreKnown) }

func regionsAreKnown(t testing.TB) {
	var want time.Duration
	s := record(t, func() {
		start := time.Now()
		ctx, task := trace.NewTask(context.Background(), "checkout")
		trace.WithRegion(ctx, "pay", func() { time.Sleep(30 * time.Millisecond) })
		task.End()
		want = time.Since(start)
	})
	for _, name := range []string{"task checkout", "region pay"} {
		k := kindNamed(s, name)
		if k == nil {
			t.Errorf("no %s in %+v", name, s.Kinds)
			continue
		}
		near(t, name, k.Times.Max, want, time.Millisecond)
	}
}

// TestSnippet: a flight recorder's snapshot has no beginning.
func TestSnippet(t *testing.T) {
	rec := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: 200 * time.Millisecond})
	if err := rec.Start(); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	for range 30 {
		var all sync.WaitGroup
		all.Go(func() { plantedHolder(&mu, 50*time.Millisecond) })
		plantedWaiter(&mu)
		all.Wait()
	}
	var buf bytes.Buffer
	if _, err := rec.WriteTo(&buf); err != nil {
		t.Fatal(err)
	}
	rec.Stop()
	got, err := Read(t.Context(), "snippet", &buf)
	if err != nil {
		t.Fatal(err)
	}
	s := got.Summary()
	if s.Span > 4*time.Second || s.Span < 100*time.Millisecond || len(s.Warnings) > 0 {
		t.Errorf("%v, warnings %q", s, s.Warnings)
	}
	for _, w := range s.Blocking {
		if w.Reason == "sleep" && has(w.Stack, ".plantedHolder") {
			return
		}
	}
	t.Errorf("no sleep in plantedHolder: %v", s.Blocking)
}
