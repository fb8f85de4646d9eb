package hedge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A backend answers at once, and holds back the first attempt of requests with the header Hold until a test releases it
// or its client leaves. The backend recognises hedges by their number: it counts the requests of each path, and its
// client sends a hedge only when the first attempt has arrived. Without that, on a busy machine, a first attempt whose
// connection takes longer than the delay would arrive second.
type backend struct {
	*httptest.Server
	let    chan struct{}
	left   chan struct{} // receives one value for each held request whose client left
	answer func(w http.ResponseWriter, n int)

	mu      sync.Mutex // guards what follows
	arrived *sync.Cond // of mu: seen has changed
	seen    map[string]int
	bodies  []string
}

func newBackend(t *testing.T) *backend {
	b := &backend{let: make(chan struct{}), left: make(chan struct{}, 100), seen: map[string]int{}}
	b.arrived = sync.NewCond(&b.mu)
	b.answer = func(w http.ResponseWriter, n int) { fmt.Fprintf(w, "answer %d", n) }
	b.Server = httptest.NewServer(b)
	t.Cleanup(b.Close)
	return b
}

func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	b.seen[r.URL.Path]++
	n := b.seen[r.URL.Path]
	b.bodies = append(b.bodies, string(text))
	b.arrived.Broadcast()
	b.mu.Unlock()
	if n == 1 && r.Header.Get("Hold") != "" {
		select {
		case <-b.let:
		case <-r.Context().Done():
			b.left <- struct{}{}
			return
		case <-time.After(5 * time.Minute): // no hedge came, or its answer was refused: the test will say so
		}
	}
	b.answer(w, n)
}

func (b *backend) requests(path string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.seen[path]
}

// after is base for a client whose hedges are sent when the first attempt has arrived.
func (b *backend) after(base http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		if Attempt(req.Context()) > 0 {
			b.mu.Lock()
			for b.seen[req.URL.Path] == 0 {
				b.arrived.Wait()
			}
			b.mu.Unlock()
		}
		return base.RoundTrip(req)
	})
}

// client is one whose transport knows the backend's latency for GET and the methods given.
func (b *backend) client(t *testing.T, methods ...string) (*http.Client, *Transport) {
	t.Helper()
	base := &http.Transport{}
	t.Cleanup(base.CloseIdleConnections)
	p := newPolicy(t, Config{MinDelay: 5 * time.Millisecond, Budget: 1, HalfLife: time.Hour})
	tr := &Transport{Policy: p, Base: b.after(base)}
	host := strings.TrimPrefix(b.URL, "http://")
	for _, m := range append(methods, http.MethodGet) {
		k := p.of(name{m, host}).kind
		feed(k, 0, 200, 2*time.Millisecond)
	}
	for range 200 {
		p.shared.budget.begin(p.shared.now())
	}
	return &http.Client{Transport: tr}, tr
}

// quiet adds calls in time. Without them, a test whose calls are all late looks like a backend that is slow for all.
func quiet(p *Policy) {
	for range 10 {
		p.begin()
	}
}

func send(t *testing.T, c *http.Client, req *http.Request) (string, error) {
	t.Helper()
	resp, err := c.Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("reading the winner's body: %v", err)
	}
	return string(text), nil
}

func held(t *testing.T, ctx context.Context, method, url string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Hold", "1")
	return req
}

func TestHedgeAnswersAndTheLoserIsCancelled(t *testing.T) {
	b := newBackend(t)
	c, tr := b.client(t)
	got, err := send(t, c, held(t, t.Context(), http.MethodGet, b.URL+"/x", nil))
	if got != "answer 2" || err != nil {
		t.Errorf("got %q, %v; want the hedge's answer", got, err)
	}
	<-b.left // the server has seen the first attempt's client leave
	if err := tr.Policy.Wait(t.Context()); err != nil {
		t.Error(err)
	}
	if s := tr.Policy.Stats(); s.Hedged != 1 || s.Won != 1 || s.InFlight != 0 {
		t.Errorf("counters are %+v, want one hedge that won", s)
	}
}

// TestBigBodyIsReadWhole: the winner's context must not end before its body was read.
func TestBigBodyIsReadWhole(t *testing.T) {
	b := newBackend(t)
	const size = 4 << 20
	b.answer = func(w http.ResponseWriter, _ int) { _, _ = w.Write(make([]byte, size)) }
	c, _ := b.client(t)
	for _, hold := range []string{"", "1"} {
		req := held(t, t.Context(), http.MethodGet, b.URL+"/big"+hold, nil)
		req.Header.Set("Hold", hold)
		if got, err := send(t, c, req); len(got) != size || err != nil {
			t.Errorf("hold %q: read %d bytes, %v; want %d", hold, len(got), err, size)
		}
	}
}

func TestWhichRequestsAreHedged(t *testing.T) {
	idempotent := func(may bool) func(*http.Request) *http.Request {
		return func(r *http.Request) *http.Request { return r.WithContext(WithIdempotent(r.Context(), may)) }
	}
	header := func(key, value string) func(*http.Request) *http.Request {
		return func(r *http.Request) *http.Request { r.Header.Set(key, value); return r }
	}
	tests := []struct {
		name, method, body string
		change             func(*http.Request) *http.Request
		want               bool
	}{
		{name: "GET", method: "GET", want: true},
		{name: "HEAD", method: "HEAD", want: true},
		{name: "OPTIONS", method: "OPTIONS", want: true},
		{name: "GET with a body", method: "GET", body: "q", want: true},
		{name: "GET with a body that cannot be read again", method: "GET", body: "q",
			change: func(r *http.Request) *http.Request { r.GetBody = nil; return r }},
		{name: "GET marked as not idempotent", method: "GET", change: idempotent(false)},
		{name: "GET that upgrades", method: "GET", change: header("Upgrade", "x")},
		{name: "POST", method: "POST", body: "q"},
		{name: "POST with a key", method: "POST", body: "q", change: header("Idempotency-Key", "7"), want: true},
		{name: "POST with the older key", method: "POST", body: "q", change: header("X-Idempotency-Key", "7"),
			want: true},
		{name: "POST marked", method: "POST", body: "q", change: idempotent(true), want: true},
		{name: "POST marked, with a key, as not idempotent", method: "POST", body: "q",
			change: func(r *http.Request) *http.Request {
				return idempotent(false)(header("Idempotency-Key", "7")(r))
			}},
		{name: "PUT", method: "PUT", body: "q"},
		{name: "DELETE", method: "DELETE"},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBackend(t)
			c, tr := b.client(t, tt.method)
			req := held(t, t.Context(), tt.method, fmt.Sprintf("%s/%d", b.URL, i), strings.NewReader(tt.body))
			if tt.change != nil {
				req = tt.change(req)
			}
			if !tt.want {
				req.Header.Del("Hold") // there is no second attempt to wait for
			}
			calls := tr.Policy.Stats().Calls
			if _, err := send(t, c, req); err != nil {
				t.Fatal(err)
			}
			if got := tr.Policy.Stats().Calls > calls; got != tt.want {
				t.Errorf("the policy was asked: %v, want %v", got, tt.want)
			}
			if got := b.requests(req.URL.Path) == 2; got != tt.want {
				t.Errorf("hedged: %v, want %v (%+v)", got, tt.want, tr.Policy.Stats())
			}
			for _, text := range b.bodies {
				if text != tt.body {
					t.Errorf("an attempt had the body %q, want %q", text, tt.body)
				}
			}
		})
	}
}

// TestServerErrorDoesNotWin: a hedge that is rejected at once must not beat a first attempt that is merely slow.
func TestServerErrorDoesNotWin(t *testing.T) {
	for _, status := range []int{500, 503, 429} {
		b := newBackend(t)
		b.answer = func(w http.ResponseWriter, n int) {
			if n == 2 {
				w.WriteHeader(status)
				close(b.let)
			}
			fmt.Fprintf(w, "answer %d", n)
		}
		c, _ := b.client(t)
		if got, err := send(t, c, held(t, t.Context(), http.MethodGet, b.URL+"/e", nil)); got != "answer 1" ||
			err != nil {
			t.Errorf("status %d for the hedge: got %q, %v; want the first attempt's answer", status, got, err)
		}
	}
}

// TestEveryBodyIsClosed counts what the base transport opened.
func TestEveryBodyIsClosed(t *testing.T) {
	var opened, closed atomic.Int64
	base := roundTripper(func(req *http.Request) (*http.Response, error) {
		if Attempt(req.Context()) == 0 {
			<-req.Context().Done() // an answer that comes when nobody wants it any more
		}
		opened.Add(1)
		return &http.Response{StatusCode: 200, Header: http.Header{}, Request: req,
			Body: &counted{Reader: strings.NewReader("x"), closed: &closed}}, nil
	})
	p := newPolicy(t, Config{Budget: 1})
	feed(p.For("k").kind, 0, 200, time.Millisecond)
	for range 100 {
		p.shared.budget.begin(p.shared.now())
	}
	c := &http.Client{Transport: &Transport{Policy: p, Base: base, Key: func(*http.Request) string { return "k" }}}
	for range 10 {
		req := held(t, t.Context(), http.MethodGet, "http://127.0.0.1/", nil)
		if _, err := send(t, c, req); err != nil {
			t.Fatal(err)
		}
		quiet(p.For("k"))
	}
	if opened.Load() != 20 || closed.Load() != 20 {
		t.Errorf("%d bodies were opened and %d closed, want 20 of each", opened.Load(), closed.Load())
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

type counted struct {
	io.Reader
	closed *atomic.Int64
}

func (c *counted) Close() error { c.closed.Add(1); return nil }

func TestTransportWithoutPolicySaysSo(t *testing.T) {
	req := held(t, t.Context(), http.MethodGet, "http://127.0.0.1/", nil)
	if _, err := (&Transport{}).RoundTrip(req); !errors.Is(err, errNoPolicy) {
		t.Errorf("got %v, want %v", err, errNoPolicy)
	}
}

// TestRequestMayBeReusedAfterwards: nothing reads a request once its response is closed. The race detector checks this.
func TestRequestMayBeReusedAfterwards(t *testing.T) {
	b := newBackend(t)
	c, tr := b.client(t)
	req := held(t, t.Context(), http.MethodGet, b.URL+"/again", nil)
	for i := range 20 {
		quiet(tr.policy(req))
		req.URL.Path = fmt.Sprintf("/again/%d", i)
		req.Header.Set("Hold", fmt.Sprint(i))
		if _, err := send(t, c, req); err != nil {
			t.Fatal(err)
		}
	}
	if s := tr.Policy.Stats(); s.Won == 0 {
		t.Errorf("counters are %+v, want hedges: this proves nothing", s)
	}
}
