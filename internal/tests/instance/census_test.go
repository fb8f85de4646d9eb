package instance_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/vitals"
)

// What the package does not export, and promises by its files or limits.
const (
	maxCensus = 20_000
	maxDumped = 4000
)

func inMutex(mu *sync.Mutex) { mu.Lock(); defer mu.Unlock() }

func inRLock(mu *sync.RWMutex) { mu.RLock(); defer mu.RUnlock() }

func inRWLock(mu *sync.RWMutex) { mu.Lock(); defer mu.Unlock() }

func inSend(ch chan<- int) { ch <- 1 }

func inReceive(ch <-chan int) { <-ch }

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

func inCond(cond *sync.Cond) { cond.L.Lock(); cond.Wait(); cond.L.Unlock() }

func inRead(conn net.Conn) { _, _ = io.ReadAll(conn) }

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
	self := instance.NewSelf()
	prefix := "github.com/gocasebook/casebook/internal/tests/instance_test."
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
	addr, _ := victimtest.StartNew(t, "-park", "400")
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

func TestWrongOptions(t *testing.T) {
	for _, c := range []struct {
		o    instance.HTTPOptions
		want string
	}{
		{instance.HTTPOptions{BearerFile: "/nowhere"}, "field BearerFile"},
		{instance.HTTPOptions{BearerFile: secret(t, "")}, "is empty"},
		{instance.HTTPOptions{HeaderFile: secret(t, "ok: 1\ns3cret")}, ":2: a header has no colon"},
		{instance.HTTPOptions{CAFile: secret(t, "x")}, "no certificate"},
		{instance.HTTPOptions{KeyFile: "k"}, "needs its certificate"},
		{instance.HTTPOptions{CertFile: secret(t, "x")}, "CertFile and KeyFile"},
		{instance.HTTPOptions{Header: http.Header{"a b": {"s3cret"}}}, "is not a header name"},
		{instance.HTTPOptions{Header: http.Header{"A": {"s3cret\n"}}}, "line break"},
	} {
		_, err := instance.NewHTTPWith("localhost:6060", c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%+v: %v, want %q in it and no secret", c.o, err, c.want)
		}
	}
}

func TestExpvar(t *testing.T) {
	page := ""
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/svc/debug/vars" {
			http.NotFound(w, r)
			return
		}
		fmt.Fprint(w, page)
	}))
	defer srv.Close()
	src, err := instance.Expvar(strings.Replace(srv.URL, "http://", "http://ann:s3cret@",
		1)+"/svc/debug/vars?token=s3cret",
		"memstats.NumGC", "queue.size_bytes", "jobs_total", "latency.p99-seconds", "name")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(src.Name, "s3cret") || !strings.HasSuffix(src.Name, "/svc/debug/vars") {
		t.Errorf("the source is called %q; want the page's address and no secret", src.Name)
	}
	want := []vitals.Signal{
		{Name: "memstats_numgc", Unit: vitals.Count}, {Name: "queue_size_bytes", Unit: vitals.Bytes},
		{Name: "jobs_total", Unit: vitals.PerSecond},
		{Name: "latency_p99_seconds", Unit: vitals.Seconds}, {Name: "name", Unit: vitals.Count},
	}
	for i, s := range src.Signals {
		if s.Name != want[i].Name || s.Unit != want[i].Unit || s.Text == "" {
			t.Errorf("signal %d is %+v, want %+v", i, s, want[i])
		}
	}
	if _, err := vitals.NewCatalog(src.Signals...); err != nil {
		t.Errorf("the signals are no catalog: %v", err)
	}
	for i, c := range []struct {
		page, fault string
		present     []bool
	}{
		{`{"memstats": {"NumGC": 7}, "queue": {"size_bytes": 1.5e3}, "jobs_total": 5, "latency": {"p99-seconds": 0.25}, "name": 1}`,
			"",
			[]bool{true, true, false, true, true}}, // a first total has no rate yet
		{`{"memstats": {"NumGC": 7}, "queue.size_bytes": 1500, "jobs_total": 9, "latency": {"p99-seconds": 0.25}, "name": "x"}`,
			"name is not a number",
			[]bool{true, true, true, true, false}},
		{`{"memstats": {"NumGC": 7}, "queue": {"size_bytes": 1e999}, "jobs_total": 3, "latency": []}`,
			"latency.p99-seconds is not on the page",
			[]bool{true, false, false, false, false}}, // the total shrank: another process
		{`[1]`, "cannot unmarshal", []bool{false, false, false, false, false}},
		{`{"memstats"`, "unexpected end of JSON input", []bool{false, false, false, false, false}},
	} {
		page = c.page
		values := []float64{math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN()}
		err := src.Read(t.Context(), values)
		if (err != nil) != (c.fault != "") || err != nil &&
			(!strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "s3cret")) {
			t.Errorf("reading %d: error is %v, want %q in it", i, err, c.fault)
		}
		for j, present := range c.present {
			if !math.IsNaN(values[j]) != present {
				t.Errorf("reading %d: %s is %g, want it present: %v", i, want[j].Name, values[j], present)
			}
		}
	}
}

// A page that hangs keeps the reader no longer than the context allows.
func TestExpvarSlow(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(hang))
	defer srv.Close()
	src, err := instance.Expvar(srv.URL, "x")
	if err != nil {
		t.Fatal(err)
	}
	wantLate(t, "expvar", func(ctx context.Context) error { return src.Read(ctx, []float64{math.NaN()}) })
}

// A target behind a gateway is asked there, below the gateway's path, and nowhere else.
func TestGateway(t *testing.T) {
	var mu sync.Mutex
	var asked []string
	g := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.Host+r.URL.Path+" "+r.Header.Get("Authorization"))
		mu.Unlock()
		if strings.HasSuffix(r.URL.Path, "/out") {
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
		}
	}))
	defer g.Close()
	u, err := url.Parse(g.URL + "/pods/a/proxy")
	if err != nil {
		t.Fatal(err)
	}
	p, err := instance.NewHTTPWith("http://a.shop:6060", instance.HTTPOptions{Gateway: &instance.Gateway{URL: u},
		Header: http.Header{"Authorization": {"Bearer s3cret"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.CloseIdle()
	for _, page := range []string{"/metrics", "/out?to=/secrets", "/out?to=" + url.QueryEscape(g.URL+"/secrets"),
		"/out?to=" + url.QueryEscape("http://a.shop:6060/%2e%2e/%2e%2e/secrets"), "/x/%2e%2e/%2e%2e/secrets"} {
		client, address, err := p.PageClient(page)
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := client.Get(address); err == nil {
			_ = resp.Body.Close()
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(asked) < 4 {
		t.Errorf("the gateway was asked for %q", asked)
	}
	for _, a := range asked {
		if !strings.HasPrefix(a, u.Host+"/pods/a/proxy/") || strings.Contains(a, "..") || !strings.HasSuffix(a,
			"Bearer s3cret") {
			t.Errorf("the gateway was asked for %s", a)
		}
	}
}

// Another port of the target's host is no page of the gateway's, and gets no credentials of it.
func TestGatewayOtherPort(t *testing.T) {
	heard := make(chan http.Header, 1)
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		heard <- r.Header.Clone()
	}))
	defer other.Close()
	u, _ := url.Parse("http://127.0.0.1:1/proxy")
	p, err := instance.NewHTTPWith("http://127.0.0.1:6060", instance.HTTPOptions{Gateway: &instance.Gateway{URL: u},
		Header: http.Header{"Authorization": {"Bearer s3cret"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.CloseIdle()
	client, address, err := p.PageClient(other.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	client.CloseIdleConnections()
	if h := <-heard; h.Get("Authorization") != "" {
		t.Error("the other port heard the token")
	}
}
