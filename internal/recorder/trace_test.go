package recorder

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/internal/filetest"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/google/pprof/profile"
)

// fakeFlight is a flight recorder that does nothing. Its fields are read in a bubble, when nothing else runs.
type fakeFlight struct {
	started, stopped int
	on               bool
	err              error         // of Start
	hang             chan struct{} // WriteTo waits for it, unless nil
}

func (f *fakeFlight) Start() error {
	f.started++
	f.on = f.err == nil
	return f.err
}

func (f *fakeFlight) Stop() { f.stopped++; f.on = false }

func (f *fakeFlight) WriteTo(w io.Writer) (int64, error) {
	if f.hang != nil {
		<-f.hang
	}
	n, err := w.Write([]byte("go 1.26 trace\x00\x00\x00"))
	return int64(n), err
}

// runTrace runs a Trace with a fake recorder in a bubble until the test ends.
func runTrace(t *testing.T, f *fakeFlight, cfg TraceConfig) *Trace {
	t.Helper()
	tr, err := NewTrace(cfg)
	if err != nil {
		t.Fatal(err)
	}
	tr.open = func(trace.FlightRecorderConfig) flight { return f }
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- tr.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run ended with %v", err)
		}
		if f.on {
			t.Error("the recorder runs on after Run has ended")
		}
	})
	synctest.Wait()
	return tr
}

// observe lets tr see an estimate each second for d.
func observe(tr *Trace, d time.Duration, e estimate) {
	for range d / time.Second {
		tr.mu.Lock()
		tr.gov.step(time.Now(), e)
		tr.signal()
		tr.mu.Unlock()
		time.Sleep(time.Second)
	}
	synctest.Wait()
}

func wantStatus(t *testing.T, tr *Trace, mode Mode, why string) {
	t.Helper()
	if s := tr.Status(); s.Mode != mode || !strings.Contains(s.Why, why) {
		t.Errorf("status %s, %q; want %s, with %q", s.Mode, s.Why, mode, why)
	}
}

func TestTraceModes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFlight{}
		tr := runTrace(t, f, TraceConfig{})
		wantStatus(t, tr, Off, "off: its cost is not known yet")
		observe(tr, 5*time.Second, saturated(0.003, 0))
		wantStatus(t, tr, Off,
			"its cost, now estimated at 0.3 % of the process's CPU, must stay below the limit of 1 % for 10s first")
		observe(tr, 8*time.Second, saturated(0.003, 0))
		wantStatus(t, tr, On, "on: estimated cost 0.3 % of the process's CPU")
		_, note, err := tr.Snapshot(t.Context())
		if want := "flight recorder on: estimated cost 0.3 % of the process's CPU; it had run for 3 s only"; err != nil ||
			note != want {
			t.Errorf("note %q, error %v, want %q", note, err, want)
		}
		observe(tr, 15*time.Second, saturated(0.041, 0))
		wantStatus(t, tr, Off, "off: it would cost an estimated 4.1 % of the process's CPU, above the limit of 1 %")
		if _, _, err := tr.Snapshot(t.Context()); err == nil ||
			!strings.Contains(err.Error(), "above the limit of 1 %") {
			t.Errorf("Snapshot gave %v, want an error that says why", err)
		}
		tr.Warn(time.Now(), "rule gc-cpu")
		observe(tr, 12*time.Second, saturated(0.041, 0))
		wantStatus(t, tr, Armed, "armed 12 s before by rule gc-cpu: estimated cost 4.1 % of the process's CPU")
		observe(tr, 10*time.Second, saturated(0.2, 0))
		wantStatus(t, tr, Off, "above the limit of 5 % for an armed one")
		observe(tr, 20*time.Second, saturated(0.002, 40e6))
		wantStatus(t, tr, Off, "it would hold an estimated 108 MiB of memory, above the limit of 64 MiB")
		if f.started != 2 || f.stopped != 2 {
			t.Errorf("%d starts and %d stops, want 2 each", f.started, f.stopped)
		}
	})
}

func TestTraceThatIsForbidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFlight{}
		tr := runTrace(t, f, TraceConfig{MaxCost: -1})
		tr.Warn(time.Now(), "rule gc-cpu")
		for range 30 {
			tr.Observe(time.Now())
			time.Sleep(time.Second)
		}
		synctest.Wait()
		wantStatus(t, tr, Off, "off: a negative MaxCost forbids it")
		if f.started != 0 {
			t.Error("it was started")
		}
	})
}

// Another recorder in the process: it is tried once a minute, and never touched.
func TestTraceThatIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFlight{err: errors.New("flight recorder already enabled")}
		tr := runTrace(t, f, TraceConfig{})
		observe(tr, 9*time.Minute+30*time.Second, saturated(0.001, 0)) // attempts at 10 s and each full minute
		wantStatus(t, tr, Taken, "taken: somebody else uses the runtime's flight recorder (flight recorder already "+
			"enabled)")
		if f.started != 10 || f.stopped != 0 {
			t.Errorf("%d tries and %d stops in 9.5 min, want 10 and none", f.started, f.stopped)
		}
		if _, _, err := tr.Snapshot(t.Context()); err == nil || !strings.Contains(err.Error(), "somebody else uses") {
			t.Errorf("Snapshot gave %v, want an error that says why", err)
		}
		f.err = nil
		observe(tr, time.Minute, saturated(0.001, 0))
		wantStatus(t, tr, On, "")
	})
}

func TestSnapshotThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeFlight{hang: make(chan struct{})}
		tr := runTrace(t, f, TraceConfig{})
		observe(tr, 12*time.Second, saturated(0.001, 0))
		began := time.Now()
		for range 2 { // the running one, and one that waits for it
			if _, _, err := tr.Snapshot(t.Context()); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Snapshot gave %v, want the deadline", err)
			}
		}
		if d := time.Since(began); d != 2*snapshotTimeout {
			t.Errorf("they took %s, want %s", d, 2*snapshotTimeout)
		}
		observe(tr, time.Minute, saturated(0.2, 0)) // Observe does not wait for it
		close(f.hang)
		synctest.Wait()
		wantStatus(t, tr, Off, "off")
	})
}

func TestTraceRunTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr := runTrace(t, &fakeFlight{}, TraceConfig{})
		if err := tr.Run(t.Context()); !errors.Is(err, ErrRunning) {
			t.Errorf("a second Run beside the first gave %v, want ErrRunning", err)
		}
	})
	tr, err := NewTrace(TraceConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := tr.Run(ctx); err != nil {
			t.Error(err)
		}
		tr.Observe(time.Now())
		if _, _, err := tr.Snapshot(t.Context()); err == nil ||
			!strings.Contains(err.Error(), "off: it is not running") {
			t.Errorf("Snapshot after Run gave %v", err)
		}
	}
}

// realTrace runs the runtime's flight recorder until stop is called. It is armed, whatever the load of the tests.
func realTrace(t testing.TB) (tr *Trace, stop func()) {
	t.Helper()
	tr, err := NewTrace(TraceConfig{MaxCost: 1})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- tr.Run(ctx) }()
	for tr.Status().Why == "off: it is not running" {
		runtime.Gosched()
	}
	now := time.Now()
	tr.Warn(now, "the test")
	tr.Observe(now)
	tr.Observe(now.Add(time.Second)) // a cost is known
	for tr.Status().Mode == Off {
		runtime.Gosched()
	}
	return tr, func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkObserve(b *testing.B) {
	b.Run("part=all", func(b *testing.B) {
		tr, stop := realTrace(b)
		defer stop()
		b.ReportAllocs()
		for now := time.Now(); b.Loop(); now = now.Add(time.Second) {
			tr.Observe(now)
		}
	})
	b.Run("part=proc-io", func(b *testing.B) {
		c := newIOCounter()
		defer c.close()
		b.ReportAllocs()
		for b.Loop() {
			c.count()
		}
	})
}

// A testLoad is something that a service does again and again. start prepares it, and the func that start returns does
// it once. A load that idles does so for a stretch of time.
type testLoad struct {
	name  string
	start func(tb testing.TB) func()
}

// testLoads are pure loads, with one kind of event each, and loads like those of applications.
var testLoads = []testLoad{
	{"idle", func(testing.TB) func() { return func() { time.Sleep(100 * time.Millisecond) } }},
	{"parked=20k", parked(20_000)},
	{"pingpong", pingPong},
	{"fanout", fanOut},
	{"read", reads},
	{"allocate", allocate},
	{"timers", timers},
	{"hello", serving(hello)},
	{"json", serving(jsonHandler)},
}

// parked has n goroutines that wait for nothing.
func parked(n int) func(testing.TB) func() {
	return func(tb testing.TB) func() {
		var all sync.WaitGroup
		release := make(chan struct{})
		for range n {
			all.Go(func() { <-release })
		}
		tb.Cleanup(func() { close(release); all.Wait() })
		return func() { time.Sleep(100 * time.Millisecond) }
	}
}

// pingPong hands a token to another goroutine and back.
func pingPong(tb testing.TB) func() {
	ping, pong := make(chan struct{}), make(chan struct{})
	var other sync.WaitGroup
	other.Go(func() {
		for range ping {
			pong <- struct{}{}
		}
	})
	tb.Cleanup(func() { close(ping); other.Wait() })
	return func() { ping <- struct{}{}; <-pong }
}

// spawn starts a goroutine and waits until it ends.
func spawn(testing.TB) func() {
	return func() {
		var one sync.WaitGroup
		one.Go(func() {})
		one.Wait()
	}
}

// fanOut does a little work in each of ten goroutines.
func fanOut(testing.TB) func() {
	return func() {
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { runtime.KeepAlive(victimtest.Burn(1000)) })
		}
		all.Wait()
	}
}

func reads(tb testing.TB) func() {
	name := filepath.Join(tb.TempDir(), "file")
	if err := os.WriteFile(name, make([]byte, 4096), 0o600); err != nil {
		tb.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { f.Close() })
	buf := make([]byte, 512)
	return func() { f.ReadAt(buf, 0) }
}

// allocate makes garbage of all sizes up to 2 KB.
func allocate(testing.TB) func() {
	var keep [512][]byte
	i := 0
	return func() { i++; keep[i%512] = make([]byte, i%2048) }
}

// timers has 100 goroutines that sleep.
func timers(testing.TB) func() {
	return func() {
		var all sync.WaitGroup
		for range 100 {
			all.Go(func() {
				for range 10 {
					time.Sleep(time.Millisecond)
				}
			})
		}
		all.Wait()
	}
}

// serving asks a handler over a real keep-alive connection.
func serving(h http.HandlerFunc) func(testing.TB) func() {
	return func(tb testing.TB) func() {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		srv := &http.Server{Handler: h}
		var serving sync.WaitGroup
		serving.Go(func() { srv.Serve(l) })
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { conn.Close(); srv.Shutdown(context.Background()); serving.Wait() })
		in := bufio.NewReader(conn)
		return func() {
			fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			resp, err := http.ReadResponse(in, nil)
			if err != nil {
				tb.Error(err)
				runtime.Goexit()
			}
			io.Copy(io.Discard, resp.Body)
		}
	}
}

func hello(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }

// jsonHandler decodes and encodes 2 KB.
func jsonHandler(w http.ResponseWriter, _ *http.Request) {
	type item struct {
		Name  string
		Price float64
		Tags  []string
	}
	items := make([]item, 20)
	for i := range items {
		items[i] = item{fmt.Sprint("item ", i), float64(i) * 1.1, []string{"a", "b"}}
	}
	data, _ := json.Marshal(items)
	items = nil
	json.Unmarshal(data, &items)
	json.NewEncoder(w).Encode(items)
}

// profileTake gives windows that are real profiles: one sample a second, of value 1.
func profileTake(ctx context.Context, cut <-chan struct{}, d time.Duration) (Window, error) {
	w, err := (&fakeTake{}).take(ctx, cut, d)
	if err != nil {
		return w, err
	}
	fn := &profile.Function{ID: 1, Name: "main.work"}
	loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn}}}
	p := &profile.Profile{
		SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}},
		Sample: []*profile.Sample{{Location: []*profile.Location{loc},
			Value: []int64{int64(w.Ended.Sub(w.Began).Seconds())}}},
		Location: []*profile.Location{loc}, Function: []*profile.Function{fn},
		DurationNanos: int64(w.Ended.Sub(w.Began)),
	}
	var b bytes.Buffer
	err = p.Write(&b)
	w.Data = b.Bytes()
	return w, err
}

func TestNextWhileSomebodyElseHoldsTheProfiler(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fails := make([]error, 1000)
		for i := range fails {
			fails[i] = errInUse
		}
		f := &fakeTake{fails: fails}
		c := runCPU(t, CPUConfig{Take: f.take})
		time.Sleep(5 * time.Minute) // by now the attempts are 30 s apart
		go func() {
			time.Sleep(5 * time.Second)
			f.mu.Lock()
			defer f.mu.Unlock()
			f.fails = nil
		}()
		began := time.Now()
		if _, err := c.Next(t.Context(), time.Second); err != nil {
			t.Error(err)
		}
		if d := time.Since(began); d > 7*time.Second {
			t.Errorf("Next took %s: it must try each second while somebody waits", d)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		f := &fakeTake{fails: make([]error, 1000)}
		for i := range f.fails {
			f.fails[i] = errInUse
		}
		c := runCPU(t, CPUConfig{Take: f.take})
		began := time.Now()
		_, err := c.Next(t.Context(), time.Second)
		if err == nil || !strings.Contains(err.Error(), "somebody else holds the CPU profiler") {
			t.Errorf("Next gave %v, want an error that says why", err)
		}
		if d := time.Since(began); d > time.Second+patience+DefaultWindow {
			t.Errorf("it gave up after %s", d)
		}
	})
}

func TestJoinRefusesGarbage(t *testing.T) {
	good, err := profileTake(t.Context(), nil, 20*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"empty": nil, "not a profile": filetest.Gzip("garbage"), "cut": good.Data[:len(good.Data)/2],
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := joinWindows([]Window{good, {Data: data}}); err == nil {
				t.Error("it was joined")
			}
		})
	}
	if _, err := parse(filetest.Gzip(strings.Repeat("x", 1001)), 1000); err == nil ||
		!strings.Contains(err.Error(), "too large") {
		t.Errorf("a bomb gave %v", err)
	}
}

// batch is a batch of a generation in the trace's format: a type, the generation, and the rest.
func batch(gen byte, text string) []byte { return append([]byte{1, gen}, text...) }

func TestCollector(t *testing.T) {
	header, end := []byte("go 1.26 trace\x00\x00\x00"), []byte{9}
	for _, tt := range []struct {
		name    string
		writes  [][]byte
		want    string // after the header
		dropped int
		err     error
	}{
		{"nothing", nil, "", 0, nil},
		{"fits", [][]byte{batch(1, "aa"), end, batch(2, "bb"), end}, "\x01\x01aa\x09\x01\x02bb\x09", 0, nil},
		{"oldest left out", [][]byte{batch(1, "aaaaaaa"), end, batch(2, "bbbbbbb"), end, batch(3, "c"), end},
			"\x01\x02bbbbbbb\x09\x01\x03c\x09", 10, nil},
		{"too large", [][]byte{batch(1, "a"), batch(2, "bbbbbbbbbbbbbbbbbbbbbbbbb")}, "", 0, errTooLarge},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := collector{ctx: t.Context(), limit: 20}
			_, err := c.Write(header)
			for _, w := range tt.writes {
				if err == nil {
					_, err = c.Write(w)
				}
			}
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if got := fmt.Sprintf("%q", c.bytes()[len(header):]); err == nil &&
				(got != fmt.Sprintf("%q", tt.want) || c.dropped != tt.dropped) {
				t.Errorf("%s and %d bytes dropped, want %q and %d", got, c.dropped, tt.want, tt.dropped)
			}
		})
	}
}

func TestCollectorStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := collector{ctx: ctx, limit: 100}
	if _, err := c.Write([]byte("header")); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := c.Write(batch(1, "a")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}
