package instance

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/vitals"
)

func capture(t *testing.T, kind string, d time.Duration) Profile {
	t.Helper()
	p, err := NewSelf().Capture(t.Context(), kind, d)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	if p.Kind != kind || p.Taken.IsZero() {
		t.Errorf("%s: it is called %q, taken at %s", kind, p.Kind, p.Taken)
	}
	return p
}

// wantEmpty wants an EmptyError and no data.
func wantEmpty(t *testing.T, p Profile, err error, reason string) {
	t.Helper()
	var empty *EmptyError
	if !errors.As(err, &empty) || !strings.Contains(err.Error(), reason) || len(p.Data) > 0 {
		t.Errorf("error is %v with %d bytes, want an EmptyError with %q in it and no data", err, len(p.Data), reason)
	}
}

func TestSelfSnapshots(t *testing.T) {
	for _, kind := range []string{casefile.CPU, casefile.Heap, casefile.Goroutine, casefile.ThreadCreate} {
		parse(t, capture(t, kind, 50*time.Millisecond).Data)
	}
	if p := parse(t, capture(t, casefile.Allocs, 0).Data); len(p.SampleType) != 4 {
		t.Errorf("allocs without a span has %d sample types, want the four of the heap", len(p.SampleType))
	}
	if _, err := NewSelf().Capture(t.Context(), "cup", 0); err == nil {
		t.Error("an unknown kind was captured")
	}
}

// recordMutexes makes the runtime record every wait for a lock until the test ends.
func recordMutexes(t *testing.T) {
	t.Helper()
	before := runtime.SetMutexProfileFraction(1)
	t.Cleanup(func() { runtime.SetMutexProfileFraction(before) })
}

// fightBefore and fightMeanwhile make goroutines wait for a lock, each at its own place.
func fightBefore()    { fight(func(mu *sync.Mutex) { mu.Lock(); defer mu.Unlock() }) }
func fightMeanwhile() { fight(func(mu *sync.Mutex) { mu.Lock(); defer mu.Unlock() }) }

func fight(use func(*sync.Mutex)) {
	var mu sync.Mutex
	var group sync.WaitGroup
	mu.Lock()
	for range 8 {
		group.Go(func() { use(&mu) })
	}
	for len(waitingFor("sync.(*Mutex).Lock")) < 8 {
		runtime.Gosched()
	}
	mu.Unlock()
	group.Wait()
}

// waitingFor lists the goroutines that have a function on their stacks.
func waitingFor(function string) []string {
	buf := make([]byte, 1<<20)
	var found []string
	for _, g := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		if strings.Contains(g, function+"(") {
			found = append(found, g)
		}
	}
	return found
}

// functions are the names in a profile.
func functions(t *testing.T, data []byte) string {
	t.Helper()
	var names []string
	for _, f := range parse(t, data).Function {
		names = append(names, f.Name)
	}
	return strings.Join(names, " ")
}

// A profile over a time span has only what happened in that time.
func TestSelfMutexDelta(t *testing.T) {
	recordMutexes(t)
	fightBefore()
	p := Profile{Kind: casefile.Mutex, Taken: time.Now()}
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			fightMeanwhile()
		}
	}()
	defer func() { cancel(); <-done }()
	if err := p.profileWaits(t.Context(), 300*time.Millisecond, maxDeltaRecords); err != nil {
		t.Fatal(err)
	}
	names := functions(t, p.Data)
	if !strings.Contains(names, "fightMeanwhile") || strings.Contains(names, "fightBefore") {
		t.Errorf("the functions are %s; want fightMeanwhile, and not fightBefore", names)
	}
	if p.Seconds < 0.3 || p.Note != "" {
		t.Errorf("it spans %g s, with the note %q; want 0.3 s and none", p.Seconds, p.Note)
	}
}

func TestSelfDeltaIsEmpty(t *testing.T) {
	if runtime.SetMutexProfileFraction(-1) == 0 && pprof.Lookup(casefile.Mutex).Count() == 0 {
		p, err := NewSelf().Capture(t.Context(), casefile.Mutex, time.Hour)
		wantEmpty(t, p, err, "SetMutexProfileFraction")
	}
	p, err := NewSelf().Capture(t.Context(), casefile.Block, time.Hour)
	wantEmpty(t, p, err, "SetBlockProfileRate")
	recordMutexes(t)
	fightBefore()
	for kind, reason := range map[string]string{casefile.Mutex: "no goroutine waited in the 3 s",
		casefile.Allocs: "only when a GC cycle ends"} {
		p := Profile{Kind: kind}
		if p.Data, err = snapshot(kind); err != nil {
			t.Fatal(err)
		}
		base, err := newBaseline(t.Context(), nil, p.Data)
		if err != nil {
			t.Fatal(err)
		}
		err = p.subtract(t.Context(), base, 3*time.Second)
		var empty *EmptyError
		if !errors.As(err, &empty) || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: error is %v, want an EmptyError with %q in it", kind, err, reason)
		}
	}
}

// A profile that is too big to subtract is given as it is, with a note.
func TestSelfDeltaTooBig(t *testing.T) {
	recordMutexes(t)
	fightBefore()
	p := Profile{Kind: casefile.Mutex}
	if err := p.profileWaits(t.Context(), time.Hour, 0); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(functions(t, p.Data), "fightBefore") || p.Seconds != 0 ||
		!strings.Contains(p.Note, "the total since") {
		t.Errorf("it spans %g s with the note %q; want the total, and a note that says so", p.Seconds, p.Note)
	}
}

// sink keeps what the tests allocate.
var sink [][]byte

func allocateMeanwhile() {
	sink = nil
	for range 64 {
		sink = append(sink, make([]byte, 1<<20)) // twice the profile's rate: nearly every one is sampled
	}
}

func TestSelfAllocsDelta(t *testing.T) {
	type result struct {
		p   Profile
		err error
	}
	done := make(chan result)
	runtime.GC()
	runtime.GC() // publishes what was allocated until now
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		p := Profile{Kind: casefile.Allocs}
		err := p.profileGrowth(ctx, time.Hour, maxDeltaRecords)
		done <- result{p, err}
	}()
	for len(waitingFor("instance.(*Profile).span")) == 0 {
		runtime.Gosched()
	}
	allocateMeanwhile()
	runtime.GC()
	runtime.GC()
	cancel()
	r := <-done
	sink = nil
	if r.err != nil {
		t.Fatal(r.err)
	}
	prof := parse(t, r.p.Data)
	if len(prof.SampleType) != 2 || prof.SampleType[0].Type != "alloc_objects" ||
		prof.SampleType[1].Type != "alloc_space" {
		t.Errorf("the sample types are %v", prof.SampleType)
	}
	if !strings.Contains(functions(t, r.p.Data), "allocateMeanwhile") || !strings.Contains(r.p.Note, "GC cycle") {
		t.Errorf("the functions are %s, the note is %q", functions(t, r.p.Data), r.p.Note)
	}
}

func TestSelfLeak(t *testing.T) {
	p, err := NewSelf().Capture(t.Context(), casefile.GoroutineLeak, 0)
	if pprof.Lookup(casefile.GoroutineLeak) == nil {
		wantEmpty(t, p, err, "without the goroutine leak profile")
	} else if err != nil && !errors.Is(err, errNoLeak) {
		t.Error(err)
	}
}

// The reader of the Go toolchain reads the trace, also one that was ended because enough had come.
func TestSelfTrace(t *testing.T) {
	whole := capture(t, casefile.Trace, 50*time.Millisecond)
	cut := Profile{Kind: casefile.Trace}
	stop := victimtest.MakeEvents()
	defer stop()
	const limit = 8 << 20 // as much again may come before a starved machine has stopped it
	if err := cut.traceExecution(t.Context(), time.Hour, limit); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(cut.Note, "8 MiB had arrived") || cut.Seconds <= 0 || len(cut.Data) < limit {
		t.Errorf("%d bytes of %g s with the note %q; want it stopped after 8 MiB", len(cut.Data), cut.Seconds, cut.Note)
	}
	for name, p := range map[string]Profile{"whole": whole, "cut": cut} {
		path := filepath.Join(t.TempDir(), "trace")
		if err := os.WriteFile(path, p.Data, 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "tool", "trace", "-d=footprint", path).CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("EventBatch")) {
			t.Errorf("go tool trace of the %s: %v\n%.500s", name, err, out)
		}
	}
}

func TestTraceBuffer(t *testing.T) {
	b := newTraceBuffer(100)
	write := func(n int, want bool) {
		t.Helper()
		if m, err := b.Write(make([]byte, n)); m != n || err != nil {
			t.Errorf("%d of %d bytes written, %v", m, n, err)
		}
		select {
		case <-b.full:
			if !want {
				t.Errorf("full after %d bytes", b.size)
			}
		default:
			if want {
				t.Errorf("not full after %d bytes", b.size)
			}
		}
	}
	write(99, false)
	write(1, true)
	write(100, true)
	if data, err := b.bytes(); err != nil || len(data) != 200 {
		t.Errorf("%d bytes, %v; want 200: what comes while it stops is kept", len(data), err)
	}
	write(1, true)
	if data, err := b.bytes(); err == nil || len(data) > 0 || b.pieces != nil {
		t.Errorf("%d bytes, %v; want an error: the end of the trace is lost", len(data), err)
	}
}

func TestParseStat(t *testing.T) {
	line := "4242 (a) b (c) S 1 1 1 0 -1 4194560 1 0 0 0 321 123 0 0 20 0 9 0 5555 1000000 777 18446744073709551615\n"
	got, err := parseStat([]byte(line))
	if want := (procStat{user: 321, system: 123, threads: 9, start: 5555, rss: 777}); err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for _, bad := range []string{"", "1 (x", "1 (x) S 1 2", "1 (x) S 1 1 1 0 -1 4194560 1 0 0 0 321 123 0 0 20 0 9 0 " +
		"5555 1000000 "} {
		if _, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestParseThrottling(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       throttling
	}{
		{"v1", "nr_periods 10\nnr_throttled 4\nthrottled_time 5\n", throttling{10, 4, 5e-9}},
		{
			"v2 of Linux 6.18",
			"usage_usec 5\nuser_usec 3\nsystem_usec 2\nnice_usec 0\ncore_sched.force_idle_usec 0\nnr_periods " +
				"200\nnr_throttled 50\nthrottled_usec 7\nnr_bursts 0\nburst_usec 0\n", throttling{200, 50, 7e-6},
		},
		{"v2 without a quota", "usage_usec 5\nuser_usec 3\nsystem_usec 2\n", throttling{}},
		{"no newline at the end", "nr_periods 7\nnr_throttled 3", throttling{7, 3, 0}},
		{"no numbers", "nr_periods\nnr_throttled x\n", throttling{}},
		{"empty", "", throttling{}},
	} {
		if got := parseThrottling([]byte(c.text)); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestIO(t *testing.T) {
	const text = "rchar: 7558\nwchar: 12\nsyscr: 18\nsyscw: 3\nread_bytes: 4096\nwrite_bytes: 8192\n"
	if got, err := parseIO([]byte(text)); err != nil || got != (ioCalls{18, 3, 7558, 12, 8192, true}) {
		t.Errorf("parseIO gives %+v and %v", got, err)
	}
	for _, text := range []string{"", "rchar: 7558\nwchar: 12\n", "read_bytes: 4096\nwrite_bytes: 0\n"} {
		if got, err := parseIO([]byte(text)); err == nil {
			t.Errorf("parseIO of %q gives %+v, want an error: not all four are there", text, got)
		}
	}
}

func TestParsePressure(t *testing.T) {
	const full = "full avg10=0.00 avg60=0.00 avg300=0.00 total=0\n"
	for _, c := range []struct {
		text string
		want float64
		ok   bool
	}{
		{"some avg10=3.25 avg60=3.03 avg300=10.47 total=1677875722\n" + full, 0.0325, true},
		{"some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n" + full, 0, true},
		{"some avg10=100.00 avg60=90.00 avg300=80.00 total=9\n", 1, true}, // cpu before Linux 5.13: no full line
		{full, 0, false},
		{"some avg60=3.03\n", 0, false},
		{"some avg10=\n", 0, false},
		{"some avg10=NaN avg60=0.00\n", 0, false},
		{"some avg10=1e9 avg60=0.00\n", 0, false},
		{"some avg10=-1 avg60=0.00\n", 0, false},
		{"", 0, false},
	} {
		got, err := parsePressure([]byte(c.text))
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%q is %g, %v; want %g, ok %v", c.text, got, err, c.want, c.ok)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("4242 (a) S 1 1 1 0 -1 4194560 1 0 0 0 321 123 0 0 20 0 9 0 5555 1000000 777 1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if st, err := parseStat(data); err != nil && st != (procStat{}) {
			t.Errorf("%+v with the error %v; want nothing", st, err)
		}
	})
}

func FuzzParseThrottling(f *testing.F) {
	f.Add([]byte("usage_usec 5\nnr_periods 200\nnr_throttled 50\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got := parseThrottling(data); got.periods < 0 || got.throttled < 0 {
			t.Errorf("negative counts: %+v", got)
		}
	})
}

func FuzzParsePressure(f *testing.F) {
	f.Add([]byte("some avg10=3.25 avg60=3.03 avg300=10.47 total=1677875722\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if got, err := parsePressure(data); !(got >= 0 && got <= 1) || err != nil && got != 0 {
			t.Errorf("%g, %v; want a share", got, err)
		}
	})
}

// has reports whether this Go version has a metric.
func has(metric string) bool {
	return slices.ContainsFunc(metrics.All(), func(d metrics.Description) bool { return d.Name == metric })
}

// The limiter's metric is the GC cycle in which it last ran: only a change means that it came on.
func TestGCLimiter(t *testing.T) {
	var absent reasons
	r := newRuntimeReader(&absent)
	r.at = time.Unix(1000, 0)
	for _, c := range []struct{ last, now, want float64 }{{0, 0, 0}, {0, 17, 1}, {17, 17, 0}, {17, 18, 1}} {
		r.last[mGCLimiter], r.now[mGCLimiter] = c.last, c.now
		s := vitals.NewSample(time.Unix(1001, 0))
		r.since(&s)
		if got, ok := s.Get(vitals.GCLimiter); !ok || got != c.want {
			t.Errorf("last enabled in cycle %g, then %g: %g (present: %v), want %g", c.last, c.now, got, ok, c.want)
		}
	}
}

// A metric that this Go version lacks makes its own signal absent, with a reason, and nothing else.
func TestMissingMetric(t *testing.T) {
	var absent reasons
	r := newRuntimeReader(&absent)
	for _, m := range []int{mGoroutinesWaiting, mGoroutinesCreated, mThreads} {
		r.samples[m].Name = "/unknown:" + metricNames[m]
	}
	for i := range 2 {
		s := vitals.NewSample(time.Unix(int64(1000+i), 0))
		r.sample(&s, &absent)
		for _, id := range []vitals.ID{vitals.GoroutinesWaiting, vitals.GoroutinesCreated, vitals.Threads} {
			if v, ok := s.Get(id); ok {
				t.Errorf("sample %d: %s is %g without its metric", i, id, v)
			}
		}
		if _, ok := s.Get(vitals.Goroutines); !ok {
			t.Errorf("sample %d: goroutines are absent too", i)
		}
	}
	for id, metric := range map[vitals.ID]string{
		vitals.GoroutinesWaiting: "/sched/goroutines/waiting:goroutines",
		vitals.GoroutinesCreated: "/sched/goroutines-created:goroutines",
		vitals.Threads:           "/sched/threads/total:threads",
	} {
		if why := absent.all()[id.String()]; strings.Contains(why, metric) == has(metric) {
			t.Errorf("this Go has %s: %v; the reason of %s's absence is %q", metric, has(metric), id, why)
		}
	}
}

// tree writes files below a folder, as a recorded /sys/fs/cgroup.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
