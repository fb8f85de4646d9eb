package instance

import (
	"context"
	"io"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// The goroutines that a census has to find wait in functions of their own, named after what they wait for.

func inMutex(mu *sync.Mutex)    { mu.Lock(); defer mu.Unlock() }
func inRLock(mu *sync.RWMutex)  { mu.RLock(); defer mu.RUnlock() }
func inRWLock(mu *sync.RWMutex) { mu.Lock(); defer mu.Unlock() }
func inSend(ch chan<- int)      { ch <- 1 }
func inReceive(ch <-chan int)   { <-ch }
func inRange(ch <-chan int) (n int) {
	for range ch {
		n++
	}
	return n
}
func inSelect(a <-chan int, b chan<- int) {
	select {
	case <-a:
	case b <- 1:
	}
}
func inWaitGroup(group *sync.WaitGroup) { group.Wait() }
func inCond(cond *sync.Cond)            { cond.L.Lock(); cond.Wait(); cond.L.Unlock() }
func inRead(conn net.Conn)              { _, _ = io.ReadAll(conn) }
func inSleep(stop <-chan int) {
	for {
		select {
		case <-stop:
			return
		default:
			time.Sleep(time.Second / 10)
		}
	}
}
func generic[T any](ch <-chan T) { <-ch }

// waiters starts n goroutines at each place. It returns what a census must say about them, by function, and a func that
// ends them.
func waiters(t *testing.T, n int) (want map[string]string, end func()) {
	t.Helper()
	var mutex sync.Mutex
	var reads, writes sync.RWMutex
	var group, pending sync.WaitGroup
	cond := sync.NewCond(new(sync.Mutex))
	receive, send, stop := make(chan int), make(chan int), make(chan int)
	never := make(chan struct{})
	client, server := tcpPair(t)
	mutex.Lock()
	reads.Lock()
	writes.RLock()
	pending.Add(1)
	for _, f := range []func(){
		func() { inMutex(&mutex) }, func() { inRLock(&reads) }, func() { inRWLock(&writes) }, func() { inSend(send) },
		func() { inReceive(receive) }, func() { inRange(receive) }, func() { inSelect(receive, nil) },
		func() { inWaitGroup(&pending) },
		func() { inCond(cond) }, func() { inSleep(stop) }, func() { generic(never) },
	} {
		for range n {
			group.Go(f)
		}
	}
	group.Go(func() { inRead(client) })
	return map[string]string{
			"inMutex": vitals.WaitMutexLock, "inRLock": vitals.WaitRLock, "inRWLock": vitals.WaitRWMutexLock,
			"inSend":    vitals.WaitChanSend,
			"inReceive": vitals.WaitChanReceive, "inRange": vitals.WaitChanReceive, "inSelect": vitals.WaitSelect,
			"inWaitGroup": vitals.WaitGroup,
			"inCond":      vitals.WaitCond, "inSleep": vitals.WaitSleep, "generic[...]": vitals.WaitChanReceive,
			"inRead": vitals.WaitIO,
		}, func() {
			mutex.Unlock()
			reads.Unlock()
			writes.RUnlock()
			pending.Done()
			close(receive)
			close(stop)
			close(never)
			cond.Broadcast()
			_ = server.Close()
			for range n {
				<-send
			}
			group.Wait()
		}
}

// tcpPair is a connection on which nobody writes.
func tcpPair(t *testing.T) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if client, err = net.Dial("tcp", l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if server, err = l.Accept(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client, server
}

// A census counts the goroutines at every place and says what they wait for.
func TestSelfCensus(t *testing.T) {
	const n = 7
	want, end := waiters(t, n)
	defer end()
	self := NewSelf()
	prefix := "github.com/gocasebook/casebook/instance."
	var places []vitals.Place
	missing := func() (faults []string) { // until all wait
		for name, wait := range want {
			count := n
			if name == "inRead" {
				count = 1
			}
			// A lock may have two queues: sync.RWMutex.Lock waits for writers, then for readers.
			for _, p := range places {
				if p.Func == prefix+name && p.Wait == wait {
					count -= p.Count
				}
			}
			if count != 0 {
				faults = append(faults, name)
			}
		}
		return faults
	}
	for end := time.Now().Add(goesOn); ; runtime.Gosched() {
		var err error
		if places, err = self.Census(t.Context()); err != nil {
			t.Fatal(err)
		}
		faults := missing()
		if len(faults) == 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the census lacks %v among\n%+v", faults, places)
		}
	}
	again, err := self.Census(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range places {
		if strings.HasSuffix(p.Func, ".inMutex") && !slices.Contains(again, p) {
			t.Errorf("%+v is not in the next census: a stack must keep its key", p)
		}
	}
	if f := self.Facts(); f.Frames < 3 || f.Frames > 32 || f.Goroutines < 77 || f.HeapRecords == 0 || f.Outside {
		t.Errorf("facts are %+v", f)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := self.Census(ended); err == nil {
		t.Error("a census for a context that has ended")
	}
}

func TestHTTPCensus(t *testing.T) {
	addr, _ := startVictim(t, "-park", "400")
	h := newHTTP(t, addr)
	var parked vitals.Place
	for parked.Count < 400 && t.Context().Err() == nil { // until all are parked
		places, err := h.Census(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places {
			if p.Func == "main.park.func1" && p.Wait == vitals.WaitChanReceive {
				parked = p
			}
		}
	}
	if f := h.Facts(); f.Frames < 2 || f.Goroutines == 0 {
		t.Errorf("facts are %+v", f)
	}
}

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

// Where 40 censuses each found goroutines that never wait. instance/testdata/polls says how they are written.
func TestQuestionsOfRecordedGoroutines(t *testing.T) {
	data, err := os.ReadFile("testdata/polls.txt")
	if err != nil {
		t.Fatal(err)
	}
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
