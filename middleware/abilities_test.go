package middleware

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"
)

// Fake abilities that note when they are used.
type (
	plain     struct{ http.ResponseWriter }
	flusher   struct{ asked *string }
	hijacker  struct{ asked *string }
	readFrom  struct{ asked *string }
	pusher    struct{ asked *string }
	abilityOf = abilities
)

func (x flusher) Flush() { *x.asked += "f" }
func (x hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	*x.asked += "h"
	return nil, nil, nil
}
func (x readFrom) ReadFrom(io.Reader) (int64, error)  { *x.asked += "r"; return 7, nil }
func (x pusher) Push(string, *http.PushOptions) error { *x.asked += "p"; return nil }
func (a abilities) String() string {
	return fmt.Sprintf("%+v", struct{ flush, hijack, read, push bool }(a))
}

// writerWith is a writer with exactly these abilities.
func writerWith(a abilityOf, asked *string) http.ResponseWriter {
	w, f, h, r, p := plain{httptest.NewRecorder()}, flusher{asked}, hijacker{asked}, readFrom{asked}, pusher{asked}
	switch a {
	case abilities{flush: true}:
		return struct {
			plain
			flusher
		}{w, f}
	case abilities{hijack: true}:
		return struct {
			plain
			hijacker
		}{w, h}
	case abilities{read: true}:
		return struct {
			plain
			readFrom
		}{w, r}
	case abilities{push: true}:
		return struct {
			plain
			pusher
		}{w, p}
	case abilities{flush: true, hijack: true}:
		return struct {
			plain
			flusher
			hijacker
		}{w, f, h}
	case abilities{flush: true, read: true}:
		return struct {
			plain
			flusher
			readFrom
		}{w, f, r}
	case abilities{flush: true, push: true}:
		return struct {
			plain
			flusher
			pusher
		}{w, f, p}
	case abilities{hijack: true, read: true}:
		return struct {
			plain
			hijacker
			readFrom
		}{w, h, r}
	case abilities{hijack: true, push: true}:
		return struct {
			plain
			hijacker
			pusher
		}{w, h, p}
	case abilities{read: true, push: true}:
		return struct {
			plain
			readFrom
			pusher
		}{w, r, p}
	case abilities{flush: true, hijack: true, read: true}:
		return struct {
			plain
			flusher
			hijacker
			readFrom
		}{w, f, h, r}
	case abilities{flush: true, hijack: true, push: true}:
		return struct {
			plain
			flusher
			hijacker
			pusher
		}{w, f, h, p}
	case abilities{flush: true, read: true, push: true}:
		return struct {
			plain
			flusher
			readFrom
			pusher
		}{w, f, r, p}
	case abilities{hijack: true, read: true, push: true}:
		return struct {
			plain
			hijacker
			readFrom
			pusher
		}{w, h, r, p}
	case abilities{flush: true, hijack: true, read: true, push: true}:
		return struct {
			plain
			flusher
			hijacker
			readFrom
			pusher
		}{w, f, h, r, p}
	}
	return w
}

// A handler sees exactly the abilities of the server's writer, and using them reaches that writer.
func TestAbilitiesAreKept(t *testing.T) {
	for bits := range 16 {
		want := abilities{flush: bits&1 != 0, hijack: bits&2 != 0, read: bits&4 != 0, push: bits&8 != 0}
		t.Run(want.String(), func(t *testing.T) {
			asked := ""
			server := writerWith(want, &asked)
			if got := abilitiesOf(server); got != want {
				t.Fatalf("the fake has %v", got)
			}
			h := New().Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if got := abilitiesOf(w); got != want {
					t.Errorf("the handler sees %v", got)
				}
				if wantAsked := useAll(w); asked != wantAsked {
					t.Errorf("the server's writer was asked %q, want %q", asked, wantAsked)
				}
			}))
			h.ServeHTTP(server, httptest.NewRequest(http.MethodGet, "/", nil))
		})
	}
}

// useAll uses every ability of w, and returns their letters.
func useAll(w http.ResponseWriter) (used string) {
	if w, ok := w.(http.Flusher); ok {
		w.Flush()
		used += "f"
	}
	if w, ok := w.(http.Hijacker); ok {
		_, _, _ = w.Hijack()
		used += "h"
	}
	if w, ok := w.(io.ReaderFrom); ok {
		_, _ = w.ReadFrom(nil)
		used += "r"
	}
	if w, ok := w.(http.Pusher); ok {
		_ = w.Push("/x", nil)
		used += "p"
	}
	return used
}

// A handler can do what net/http's own writers can, over both protocols.
func TestRealWriters(t *testing.T) {
	protocols(t, func(t *testing.T, h2 bool) {
		want := abilities{flush: true, hijack: true, read: true}
		if h2 {
			want = abilities{flush: true, push: true}
		}
		m, s, counted := serve(t, h2, func(w http.ResponseWriter, r *http.Request) {
			if got := abilitiesOf(w); got != want {
				t.Errorf("over %s the handler sees %v, want %v", r.Proto, got, want)
			}
			c := http.NewResponseController(w)
			if err := c.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Errorf("read deadline: %v", err)
			}
			if err := c.SetWriteDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Errorf("write deadline: %v", err)
			}
			if err := c.EnableFullDuplex(); err != nil {
				t.Errorf("full duplex: %v", err)
			}
			if w, ok := w.(http.Pusher); ok {
				if err := w.Push("/pushed", nil); err != http.ErrNotSupported {
					t.Errorf("Push to Go's client, which refuses it: %v, want %v", err, http.ErrNotSupported)
				}
			}
			w.Header().Set("X-Test", "1")
			w.WriteHeader(http.StatusTeapot)
			_, _ = io.WriteString(w, "a")
			_, _ = w.Write([]byte("b"))
			_ = c.Flush()
			_, _ = io.Copy(w, io.LimitReader(repeated('c'), 3))
		})
		resp, err := s.Client().Get(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || string(body) != "abccc" || resp.StatusCode != http.StatusTeapot ||
			resp.Header.Get("X-Test") != "1" {
			t.Errorf("the answer is %d %q %v", resp.StatusCode, body, err)
		}
		<-counted
		wantOne(t, m)
	})
}

type repeated byte

func (r repeated) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(r)
	}
	return len(b), nil
}

// When a handler's goroutine continues after the handler has returned, it gets errors and changes no count.
func TestUseAfterReturn(t *testing.T) {
	m := New()
	var kept http.ResponseWriter
	h := m.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { kept = w }))
	server := writerWith(abilities{flush: true, hijack: true, read: true, push: true}, new(string))
	h.ServeHTTP(server, httptest.NewRequest(http.MethodGet, "/", nil))
	_, writeErr := kept.Write([]byte("x"))
	_, stringErr := io.WriteString(kept, "x")
	_, _, hijackErr := kept.(http.Hijacker).Hijack()
	_, readErr := kept.(io.ReaderFrom).ReadFrom(nil)
	for name, err := range map[string]error{
		"Write": writeErr, "WriteString": stringErr, "Hijack": hijackErr, "ReadFrom": readErr,
		"Push": kept.(http.Pusher).Push("/", nil), "Flush": http.NewResponseController(kept).Flush(),
	} {
		if err == nil {
			t.Errorf("%s after the handler returned is no error", name)
		}
	}
	kept.Header().Set("a", "b")
	kept.WriteHeader(http.StatusInternalServerError)
	kept.(http.Flusher).Flush()
	Stream(kept)
	wantOne(t, m)
}

// BenchmarkRead is what a sample costs, by the number of requests in flight.
func BenchmarkRead(b *testing.B) {
	for _, n := range []int{0, 1_000, 100_000} {
		b.Run(fmt.Sprintf("inflight=%d", n), func(b *testing.B) {
			m := New()
			for range n {
				m.inflight.take().Store(1) // since the epoch: all are older than an interval
			}
			s := m.Source()
			values := make([]float64, numValues)
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Read(b.Context(), values); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestBucketError(t *testing.T) {
	const limit = 1.0 / 32
	rng := rand.New(rand.NewPCG(1, 2))
	worst := 0.0
	for range 200_000 {
		ns := math.Exp(rng.Float64()*math.Log(float64(time.Hour)/1e3)) * 1e3 // 1 µs to 1 h, evenly on a log scale
		got := middle(bucketOf(int64(ns))) * 1e9
		worst = max(worst, math.Abs(got-ns)/ns)
	}
	// Values are cut to whole nanoseconds, which is 0.1 % of 1 µs.
	if worst > limit+0.001 {
		t.Errorf("the worst relative error is %.4f, want at most %.4f", worst, limit)
	}
	t.Logf("worst relative error %.4f", worst)
}

func TestBucketOfEdges(t *testing.T) {
	for _, c := range []struct {
		ns   int64
		want int
	}{
		{math.MinInt64, 0}, {0, 0}, {511, 0}, {512, 0}, {544, 1}, {1023, 15}, {1024, 16},
		{1<<42 - 1, numBuckets - 1}, {1 << 42, numBuckets - 1}, {math.MaxInt64, numBuckets - 1},
	} {
		if got := bucketOf(c.ns); got != c.want {
			t.Errorf("bucketOf(%d) = %d, want %d", c.ns, got, c.want)
		}
	}
}

func TestQuantile(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 99, 100, 101, 5000} {
		var counts [numBuckets]uint64
		values := make([]float64, n)
		for i := range values {
			ns := int64(1e6 * math.Exp(rng.NormFloat64()*2))
			values[i] = float64(ns) / 1e9
			counts[bucketOf(ns)]++
		}
		slices.Sort(values)
		for _, q := range []float64{0, 0.5, 0.99, 1} {
			want := values[max(int(math.Ceil(q*float64(n))), 1)-1]
			if got := quantile(&counts, q); math.Abs(got-want)/want > 0.033 {
				t.Errorf("quantile %g of %d = %g, want %g to 3.3 %%", q, n, got, want)
			}
		}
	}
	if got := quantile(new([numBuckets]uint64), 0.99); !math.IsNaN(got) {
		t.Errorf("quantile of nothing = %g, want NaN", got)
	}
}

func TestTableGivesEachSlotOnce(t *testing.T) {
	var tab table
	const workers, each = 8, 300 // more than four chunks
	taken := make(chan *slot, workers*each)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range each {
				s := tab.take()
				s.Store(int64(i) + 1)
				taken <- s
			}
		})
	}
	wg.Wait()
	close(taken)
	seen := make(map[*slot]bool)
	for s := range taken {
		if seen[s] {
			t.Fatal("a slot was given out twice")
		}
		seen[s] = true
	}
	if n := tab.each(func(int64) {}); n != workers*each {
		t.Errorf("%d are under way, want %d", n, workers*each)
	}
	for s := range seen {
		tab.give(s)
	}
	before := len(*tab.chunks.Load())
	for range workers * each {
		tab.take()
	}
	if after := len(*tab.chunks.Load()); after != before {
		t.Errorf("slots given back were not used again: %d chunks became %d", before, after)
	}
}

func TestNewSlotsShareNoCacheLine(t *testing.T) {
	var tab table
	const line = slotsPerLine * unsafe.Sizeof(slot{})
	seen := make(map[uintptr]bool)
	for range linesInChunk {
		at := uintptr(unsafe.Pointer(tab.take())) / line
		if seen[at] {
			t.Fatal("two of the first slots lie in one cache line")
		}
		seen[at] = true
	}
}

// A request that the pool loses returns its slot. Those of hijacked connections are lost on purpose.
func TestSlotsOfLostRequestsComeBack(t *testing.T) {
	m := New()
	boom := m.Handler(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	const chunkful = linesInChunk * slotsPerLine
	for range 10 {
		for range chunkful {
			call(t, boom)
		}
		for range 100 { // cleanups run some time after the collection
			runtime.GC()
			m.inflight.mu.Lock()
			free := len(m.inflight.free)
			m.inflight.mu.Unlock()
			if free >= chunkful-1 {
				break
			}
			runtime.Gosched()
		}
	}
	if n := len(*m.inflight.chunks.Load()); n > 3 {
		t.Errorf("10 times %d lost requests left %d chunks of slots, want their slots used again", chunkful, n)
	}
}

// call sends one request to a handler and swallows its panic.
func call(t testing.TB, h http.Handler) *httptest.ResponseRecorder {
	t.Helper()
	return callContext(t.Context(), h)
}

func callContext(ctx context.Context, h http.Handler) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	defer func() { _ = recover() }() // as net/http's server does
	h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
	return w
}

// While many goroutines serve and a reader reads, the reader sees in total exactly what was served.
func TestTotalsAreExact(t *testing.T) {
	const workers, each = 8, 4000
	m := New()
	codes := []int{200, 500, 404, 503}
	h := m.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(codes[len(r.URL.Path)%len(codes)])
	}))
	r := &reader{meter: m}
	var latencies, outcomes uint64
	advance := func() {
		r.advance()
		for _, n := range r.buckets.came {
			latencies += n
		}
		for _, n := range r.outcomes.came {
			outcomes += n
		}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			w := httptest.NewRecorder()
			req := httptest.NewRequest(http.MethodGet, "/", nil)
			paths := []string{"/", "/a", "/aa", "/aaa"}
			for i := range each {
				req.URL.Path = paths[i%len(paths)]
				h.ServeHTTP(w, req)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	for reading := true; reading; {
		select {
		case <-done:
			reading = false
		default:
			runtime.Gosched()
		}
		advance()
	}
	if want := uint64(workers * each); latencies != want || outcomes != want {
		t.Errorf("the reader saw %d latencies and %d outcomes of %d requests", latencies, outcomes, want)
	}
	if got, want := m.Totals(), (Totals{Served: workers * each / 2, Failed: workers * each / 2}); got != want {
		t.Errorf("totals are %+v, want %+v", got, want)
	}
}
