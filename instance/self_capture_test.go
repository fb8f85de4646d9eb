package instance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
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

func TestSelfDump(t *testing.T) {
	gate := make(chan struct{})
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { <-gate })
	}
	for len(waitingFor("instance.TestSelfDump.func1")) < 20 {
		runtime.Gosched()
	}
	p := capture(t, casefile.GoroutineDump, 0)
	if n := bytes.Count(p.Data, []byte("[chan receive")); n < 20 {
		t.Errorf("%d goroutines receive, want 20 at least, in\n%s", n, p.Data)
	}
	if p.Pause <= 0 {
		t.Error("a dump stops the world, and the capture does not say so")
	}
	for range maxDumped {
		group.Go(func() { <-gate })
	}
	refused, err := NewSelf().Capture(t.Context(), casefile.GoroutineDump, 0)
	wantEmpty(t, refused, err, "at most 1000 are dumped")
	close(gate)
	group.Wait()
}

// The reader of the Go toolchain reads the trace, also one that was ended because enough had come.
func TestSelfTrace(t *testing.T) {
	whole := capture(t, casefile.Trace, 50*time.Millisecond)
	cut := Profile{Kind: casefile.Trace}
	stop := makeEvents()
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

// makeEvents lets two goroutines wake each other all the time.
func makeEvents() (stop func()) {
	ping, pong := make(chan int), make(chan int)
	var group sync.WaitGroup
	group.Go(func() {
		defer close(pong)
		for v := range ping {
			pong <- v
		}
	})
	end := make(chan struct{})
	group.Go(func() {
		defer close(ping)
		for {
			select {
			case <-end:
				return
			case ping <- 1:
				<-pong
			}
		}
	})
	return func() { close(end); group.Wait() }
}

func TestSelfTraceBusy(t *testing.T) {
	var other bytes.Buffer
	if err := trace.Start(&other); err != nil {
		t.Skip("somebody else traces this test: ", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := NewSelf().Capture(ctx, casefile.Trace, time.Hour)
	if err == nil || !strings.Contains(err.Error(), "waiting for the execution tracer, which somebody else holds") {
		t.Errorf("error is %v", err)
	}
	go func() {
		for len(waitingFor("instance.(*Profile).acquire")) == 0 || len(waitingFor("instance.sleep")) == 0 {
			runtime.Gosched()
		}
		trace.Stop()
	}()
	p := capture(t, casefile.Trace, 20*time.Millisecond)
	if !strings.Contains(p.Note, "got it at attempt ") {
		t.Errorf("the note is %q, want it to say that somebody else traced", p.Note)
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

func TestSelfPrometheus(t *testing.T) {
	p, err := NewSelf().Capture(t.Context(), casefile.Prometheus, 0)
	wantEmpty(t, p, err, "no page of Prometheus metrics is configured")
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		fmt.Fprint(w, "go_goroutines 7\n")
	}))
	defer srv.Close()
	self := NewSelf()
	self.PrometheusURL = srv.URL + "/metrics"
	if p, err = self.Capture(t.Context(), casefile.Prometheus, 0); err != nil || string(p.Data) != "go_goroutines 7" {
		t.Errorf("%q, %v", p.Data, err)
	}
	self.PrometheusURL = "/metrics"
	if _, err := self.Capture(t.Context(), casefile.Prometheus, 0); err == nil ||
		!strings.Contains(err.Error(), "not an http or https URL") {
		t.Errorf("error of a path without a host is %v", err)
	}
}
