package instance

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	httppprof "net/http/pprof"
	"reflect"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/internal/recorder"
	"github.com/google/pprof/profile"
)

// The goroutines that a census has to find wait in functions of their own, named after what they wait for.

func TestCensusIsBounded(t *testing.T) {
	if err := checkCensus(maxCensus); err != nil {
		t.Error(err)
	}
	if err := checkCensus(maxCensus + 1); err == nil {
		t.Error("a census of more goroutines than are allowed")
	}
	places := make(placeSet)
	for key := range uint64(2 * maxPlaces) {
		places.add(key, int(key), func(func(string) bool) {})
		places.add(key, 1, func(func(string) bool) {})
	}
	if list := places.list(); len(list) != maxPlaces || list[0].Count != 2*maxPlaces ||
		list[maxPlaces-1].Count != maxPlaces+1 {
		t.Errorf("%d places, the first with %d goroutines, the last with %d; want the fullest 1,000", len(list),
			list[0].Count, list[len(list)-1].Count)
	}
}

// Frames as the Go versions name them.
func TestDescribeStack(t *testing.T) {
	for _, c := range []struct{ name, stack, own, wait string }{
		{"mutex of Go 1.26",
			"runtime.gopark runtime.semacquire1 internal/sync.runtime_SemacquireMutex " +
				"internal/sync.(*Mutex).lockSlow internal/sync.(*Mutex).Lock sync.(*Mutex).Lock a.b/c.(*T).Get",
			"a.b/c.(*T).Get", "sync.Mutex.Lock"},
		{"mutex of Go 1.23",
			"runtime.gopark runtime.goparkunlock runtime.semacquire1 sync.runtime_SemacquireMutex " +
				"sync.(*Mutex).lockSlow sync.(*Mutex).Lock main.main",
			"main.main", "sync.Mutex.Lock"},
		{"the mutex of an RWMutex",
			"runtime.gopark runtime.semacquire1 internal/sync.runtime_SemacquireMutex " +
				"internal/sync.(*Mutex).lockSlow sync.(*Mutex).Lock sync.(*RWMutex).Lock main.f",
			"main.f", "sync.RWMutex.Lock"},
		{"network below net/http",
			"runtime.gopark runtime.netpollblock internal/poll.runtime_pollWait internal/poll.(*pollDesc).wait " +
				"internal/poll.(*FD).Read net.(*conn).Read bufio.(*Reader).fill net/http.(*conn).serve",
			"runtime.gopark", "IO wait"},
		{"what stands further out does not count",
			"runtime.gopark runtime.chanrecv1 net/http.(*Transport).roundTrip sync.(*Mutex).Lock main.f", "main.f",
			"chan receive"},
		{"running", "main.spin main.main", "main.spin", ""},
		{"sync.Once that waits for another",
			"runtime.gopark sync.runtime_SemacquireMutex sync.(*Mutex).lockSlow sync.(*Mutex).Lock " +
				"sync.(*Once).doSlow sync.(*Once).Do main.f",
			"main.f", "sync.Mutex.Lock"},
		{"a semaphore", "runtime.gopark runtime.semacquire1 sync.runtime_Semacquire main.f", "main.f", ""},
		{"type arguments with paths", "runtime.gopark runtime.chansend1 a.b/c.Put[go.shape.struct{x.y/z.T}]",
			"a.b/c.Put[go.shape.struct{x.y/z.T}]", "chan send"},
		{"nothing", "", "", ""},
	} {
		if p := describeStack(slices.Values(strings.Fields(c.stack))); p.Func != c.own || p.Wait != c.wait {
			t.Errorf("%s: %q waits for %q, want %q and %q", c.name, p.Func, p.Wait, c.own, c.wait)
		}
	}
}

// Where 40 censuses each found goroutines that never wait. diagnose/testdata/polls says how they are written.
func TestQuestionsOfRecordedGoroutines(t *testing.T) {
	data := checkout.File(t, "forms/polls/polls.txt")
	seen, running, asking := map[string]int{}, map[string]int{}, map[string]int{}
	for line := range strings.Lines(string(data)) {
		words := strings.Fields(line)
		way := words[0]
		seen[way]++
		p := describeStack(slices.Values(words[1:]))
		if p.Runs && p.Wait == "" {
			running[way]++
		}
		if p.Polls && p.Func == "main."+way {
			asking[way]++
		}
	}
	for way, want := range map[string]struct{ least, most int }{ // of 40 censuses
		"selectDefault": {36, 40}, "selectDoneDefault": {5, 40}, "selectTwoDefault": {36, 40}, "gosched": {36, 40},
		"trySend":         {36, 40},
		"contextAndQueue": {0, 7}, // its own queue's lock takes most of the time: it cannot be told from work
		"compress":        {0, 1}, "hash": {0, 1}, "multiply": {0, 0}, "sortNumbers": {0, 1}, "marshal": {0, 1},
		"scan": {0, 1}, "dropEvents": {0, 4}, "drain": {12, 40},
	} {
		if n := asking[way]; n < want.least || n > want.most {
			t.Errorf("%s was found asking in %d of %d censuses, want %d to %d", way, n, seen[way], want.least,
				want.most)
		}
		if seen[way] != 40 || running[way] < 39 { // of marshal, one waited for the collector
			t.Errorf("%s was found running in %d of %d censuses, want 40", way, running[way], seen[way])
		}
	}
}

func FuzzDescribeStack(f *testing.F) {
	f.Add("runtime.gopark runtime.chansend1 a.b/c.Put[go.shape.struct{x.y/z.T}]")
	f.Fuzz(func(t *testing.T, stack string) {
		words := strings.Fields(stack)
		own := describeStack(slices.Values(words)).Func
		if own != "" && !slices.Contains(words, own) {
			t.Errorf("%q is not in %q", own, stack)
		}
	})
}

// BenchmarkCensus compares the cost of a census inside the process with one from outside, per goroutine.
func BenchmarkCensus(b *testing.B) {
	const n = 5000
	gate := make(chan struct{})
	var group sync.WaitGroup
	for range n {
		group.Go(func() { park(10, gate) })
	}
	defer group.Wait()
	defer close(gate)
	self := NewSelf()
	b.Run("of=self", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := self.Census(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/goroutine")
	})
	b.Run("of=http", func(b *testing.B) {
		for b.Loop() {
			data, err := snapshot("goroutine") // the target's work
			if err != nil {
				b.Fatal(err)
			}
			if _, err := parseProfile(data); err != nil { // and ours
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/goroutine")
	})
}

func park(depth int, gate <-chan struct{}) {
	if depth > 0 {
		park(depth-1, gate)
		return
	}
	<-gate
}

// TestHolderOfTheProfiler recognises who holds the profiler by a process's own stacks. It fails when a package moves
// and is no longer recognised; stacks of services that were built before the recorder moved are among its cases.
func TestHolderOfTheProfiler(t *testing.T) {
	for _, c := range []struct {
		name, stacks, who string
	}{
		{"a watch in this process", ownStacks(t), holders[0].who},
		{"a watch of before",
			"1 @ 0x1 0x2\n#\t0x1\tgithub.com/gocasebook/casebook/recorder.(*CPU).Run+0x2c\t/x/run.go:70\n",
			holders[0].who},
		{"Datadog", "#\t0x1\tgithub.com/DataDog/dd-trace-go/v2/profiler.(*profiler).run+0x1\t/x.go:1\n",
			"the Datadog profiler in the process"},
		{"nobody", "#\t0x1\tmain.main+0x2c\t/x/main.go:70\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			who := ""
			for i := range holders {
				if holders[i].on([]byte(c.stacks)) {
					who = holders[i].who
					break
				}
			}
			if who != c.who {
				t.Errorf("held by %q, want %q", who, c.who)
			}
		})
	}
}

// ownStacks are the goroutines of this process while its CPU profile windows roll.
func ownStacks(t *testing.T) string {
	t.Helper()
	cpu, err := recorder.NewCPU(recorder.CPUConfig{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- cpu.Run(ctx) }()
	for cpu.Status().State != recorder.Running {
		runtime.Gosched()
	}
	var b bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&b, 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// placesByPprof is what readPlaces does, by google/pprof.
func placesByPprof(data []byte) (set placeSet, frames float64, err error) {
	p, err := parseProfile(data)
	if err != nil {
		return nil, 0, err
	}
	set = make(placeSet)
	depth, goroutines := 0, 0
	for _, s := range p.Sample {
		if len(s.Value) == 0 || s.Value[0] <= 0 || s.Value[0] > math.MaxInt32 {
			continue
		}
		n := int(s.Value[0])
		depth, goroutines = depth+n*len(s.Location), goroutines+n
		var addresses []uint64
		for _, l := range s.Location {
			addresses = append(addresses, l.Address)
		}
		set.add(hashPCs(addresses), n, functionsByPprof(s.Location))
	}
	return set, float64(depth) / float64(max(goroutines, 1)), nil
}

func functionsByPprof(stack []*profile.Location) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, l := range stack {
			for _, line := range l.Line {
				if line.Function != nil && !yield(line.Function.Name) {
					return
				}
			}
		}
	}
}

// goroutineProfile is one of this process, with goroutines that wait at several places.
func goroutineProfile(tb testing.TB) []byte {
	tb.Helper()
	gate := make(chan struct{})
	var group sync.WaitGroup
	defer group.Wait()
	defer close(gate)
	for depth := range 40 {
		group.Go(func() { park(depth, gate) })
	}
	data, err := snapshot("goroutine")
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// TestStackProfileAgrees: a census says of each profile what google/pprof's reading says, also of one that is larger
// than the memory that is kept, and after it.
func TestStackProfileAgrees(t *testing.T) {
	heap, err := snapshot("heap")
	if err != nil {
		t.Fatal(err)
	}
	small := goroutineProfile(t)
	for name, data := range map[string][]byte{
		"goroutines": small, "several values": heap, "large": profiletest.CPU(t, 20_000, 35), "again": small,
	} {
		t.Run(name, func(t *testing.T) {
			want, wantFrames, err := placesByPprof(data)
			if err != nil {
				t.Fatal(err)
			}
			got, frames, err := readPlaces(t.Context(), data)
			if err != nil || !reflect.DeepEqual(got, want) || frames != wantFrames {
				t.Errorf("%d places, %g frames, %v; want %d places, %g frames", len(got), frames, err, len(want),
					wantFrames)
			}
			if len(want) == 0 {
				t.Error("there are no places: the test compares nothing")
			}
		})
	}
}

func FuzzStackProfile(f *testing.F) {
	raw, err := inflate(goroutineProfile(f), maxInflated)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("\x0a\x00\x12\x04\x0a\x00\x12\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		data := zipped(raw)
		got, frames, err := readPlaces(t.Context(), data)
		want, wantFrames, wantErr := placesByPprof(data)
		if err == nil && wantErr == nil && (!reflect.DeepEqual(got, want) || frames != wantFrames) {
			t.Errorf("%v, %g frames; want %v, %g frames", got, frames, want, wantFrames)
		}
		if err != nil && wantErr == nil {
			t.Errorf("it is refused, and google/pprof reads it: %v", err)
		}
	})
}

func zipped(data []byte) []byte {
	var out bytes.Buffer
	zw := gzip.NewWriter(&out)
	_, _ = io.Copy(zw, bytes.NewReader(data)) // to memory
	_ = zw.Close()
	return out.Bytes()
}

// TestRequestsInProgress: the reader of each connection whose request is being answered is a request; one that was taken
// over and one that waits for its next request are none.
func TestRequestsInProgress(t *testing.T) {
	release, running := make(chan struct{}), make(chan struct{}, 3)
	mux := http.NewServeMux()
	mux.HandleFunc("/wait", func(w http.ResponseWriter, r *http.Request) {
		running <- struct{}{}
		<-release
	})
	mux.HandleFunc("/take", func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		running <- struct{}{}
		<-release
	})
	mux.HandleFunc("/debug/pprof/goroutine", func(w http.ResponseWriter, r *http.Request) {
		httppprof.Handler("goroutine").ServeHTTP(w, r)
	})
	s := httptest.NewServer(mux)
	defer s.Close()
	var clients sync.WaitGroup
	defer clients.Wait()
	defer close(release)
	for _, path := range []string{"/wait", "/wait", "/take"} {
		clients.Go(func() {
			if resp, err := http.Get(s.URL + path); err == nil {
				resp.Body.Close()
			}
		})
		<-running
	}
	resp, err := http.Get(s.URL + "/debug/pprof/goroutine")
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil {
		t.Fatal(err)
	}
	if set, _, err := readPlaces(t.Context(), data); err != nil || set.requests() != 2 && set.requests() != 3 {
		t.Errorf("%d requests are in progress, %v; want 2, and ours", set.requests(), err)
	}
}
