package load_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// protocolServer says which protocol each request used, and over how many connections.
type protocolServer struct {
	*httptest.Server
	mu    sync.Mutex // guards what follows
	proto map[string]int
	peers map[string]bool
}

func newProtocolServer(t *testing.T, secure bool, protocols ...func(*http.Protocols)) *protocolServer {
	s := &protocolServer{proto: make(map[string]int), peers: make(map[string]bool)}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.proto[r.Proto]++
		s.peers[r.RemoteAddr] = true
		s.mu.Unlock()
		switch r.URL.Path {
		case "/abort":
			panic(http.ErrAbortHandler)
		case "/hang":
			<-r.Context().Done()
		}
		io.WriteString(w, "ok")
	}))
	s.Config.Protocols = &http.Protocols{}
	for _, p := range protocols {
		p(s.Config.Protocols)
	}
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // some handshakes should fail
	if secure {
		s.EnableHTTP2 = s.Config.Protocols.HTTP2()
		s.StartTLS()
	} else {
		s.Start()
	}
	t.Cleanup(s.Close)
	return s
}

func http1(p *http.Protocols) { p.SetHTTP1(true) }
func http2(p *http.Protocols) { p.SetHTTP2(true) }
func h2c(p *http.Protocols)   { p.SetUnencryptedHTTP2(true) }

func (s *protocolServer) trust() *tls.Config {
	if s.Certificate() == nil {
		return nil
	}
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &tls.Config{RootCAs: roots}
}

func TestProtocols(t *testing.T) {
	plain := newProtocolServer(t, false, http1)
	prior := newProtocolServer(t, false, h2c)
	both := newProtocolServer(t, true, http1, http2)
	old := newProtocolServer(t, true, http1)
	for _, c := range []struct {
		name   string
		server *protocolServer
		ask    load.Protocol
		want   string // the protocol used; "" when the two have none in common
	}{
		{"http", plain, load.Auto, "HTTP/1.1"},
		{"http, HTTP/1.1 asked for", plain, load.HTTP1, "HTTP/1.1"},
		{"h2c", prior, load.HTTP2, "HTTP/2.0"},
		{"https, the server's choice", both, load.Auto, "HTTP/2.0"},
		{"https, HTTP/1.1 asked for", both, load.HTTP1, "HTTP/1.1"},
		{"https, HTTP/2 asked for", both, load.HTTP2, "HTTP/2.0"},
		{"https of an old server", old, load.Auto, "HTTP/1.1"},
		{"h2c asked of a server of HTTP/1.1", plain, load.HTTP2, ""},
		{"HTTP/2 asked of an old server", old, load.HTTP2, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.server.mu.Lock()
			c.server.proto = make(map[string]int)
			c.server.mu.Unlock()
			const n = 10
			res, err := load.Run(context.Background(), load.Config{Rate: 100, Duration: n * 10 * time.Millisecond,
				Protocol: c.ask,
				TLS:      c.server.trust(), Request: get(c.server.URL)})
			if err != nil {
				t.Fatal(err)
			}
			c.server.mu.Lock()
			defer c.server.mu.Unlock()
			if c.want == "" {
				if res.OK != 0 || res.Errors.Total() != n {
					t.Errorf("OK %d, errors %+v; want errors only", res.OK, res.Errors)
				}
				return
			}
			if res.OK != n || c.server.proto[c.want] != n || res.Codes["200"] != n {
				t.Errorf("OK %d, codes %v, spoken %v; want %d of %s; %v", res.OK, res.Codes, c.server.proto, n, c.want,
					res.FirstErrors)
			}
		})
	}
}

// TestHTTP2Errors wants the same classes as with HTTP/1.1.
func TestHTTP2Errors(t *testing.T) {
	prior := newProtocolServer(t, false, h2c)
	for _, c := range []struct {
		path string
		want load.Errors
	}{
		{"/abort", load.Errors{Connection: 5}},
		{"/hang", load.Errors{Timeout: 5}},
	} {
		t.Run(c.path, func(t *testing.T) {
			res, err := load.Run(context.Background(), load.Config{Rate: 100, Duration: 50 * time.Millisecond,
				Timeout:  time.Second,
				Protocol: load.HTTP2, Request: get(prior.URL + c.path)})
			if err != nil {
				t.Fatal(err)
			}
			if res.Errors != c.want {
				t.Errorf("errors %+v %v, want %+v", res.Errors, res.FirstErrors, c.want)
			}
		})
	}
}

func TestHTTP2Connections(t *testing.T) {
	prior := newProtocolServer(t, false, h2c)
	const conns = 3
	// Requests of 100 ms each keep many workers busy, and the connections are shared among those.
	res, err := load.Run(context.Background(), load.Config{Rate: 200, Duration: 100 * time.Millisecond,
		Timeout:  100 * time.Millisecond,
		Protocol: load.HTTP2, Connections: conns, Request: get(prior.URL + "/hang")})
	if err != nil {
		t.Fatal(err)
	}
	prior.mu.Lock()
	defer prior.mu.Unlock()
	if res.Sent == 0 || len(prior.peers) != conns {
		t.Errorf("%d requests over %d connections, want %d", res.Sent, len(prior.peers), conns)
	}
}

// TestErrorsEndTheRun: a target that fails every second request ends the run at the limit, with the reason. In fake
// time, because a busy machine sheds requests, too.
func TestErrorsEndTheRun(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*load.Config)
		errors uint64
		want   string
	}{
		{"number", func(c *load.Config) { c.MaxErrors = 7 }, 8, "above the limit of 7"},
		{"share", func(c *load.Config) { c.MaxErrorShare = 0.25 }, 50, "above the limit of 25 %"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0 // requests come one after another: an answer takes less than the 2 ms to the next
				half := roundTrip(func(*http.Request) (*http.Response, error) {
					n++
					return &http.Response{StatusCode: []int{503, 200}[n%2], Body: http.NoBody}, nil
				})
				cfg := load.Config{Rate: 500, Duration: time.Minute, Request: get("http://127.0.0.1/"),
					Client: &http.Client{Transport: half}}
				c.change(&cfg)
				res, err := load.Run(t.Context(), cfg)
				if err != nil {
					t.Fatal(err)
				}
				if res.Errors != (load.Errors{Status5xx: c.errors}) || res.OK != c.errors ||
					!strings.Contains(res.Ended, c.want) || res.Seconds > 1 {
					t.Errorf("%d answers, errors %+v, ended %q after %v s; want %d of each, %q, at once", res.OK,
						res.Errors, res.Ended, res.Seconds, c.errors, c.want)
				}
			})
		})
	}
}

// TestCall sends with functions of the caller's.
func TestCall(t *testing.T) {
	var calls atomic.Int64
	outcomes := []load.Outcome{
		{Class: load.ClassOK, Code: "OK"},
		{Class: load.ClassGRPC, Code: "NOT_FOUND", Text: "no such order"},
		{Class: "of my own", Code: "ODD", Text: "odd"},
	}
	call := func(i uint64) (load.Call, error) {
		return func(ctx context.Context) load.Outcome {
			calls.Add(1)
			if i%4 < 3 {
				return outcomes[i%4]
			}
			<-ctx.Done()
			return load.Outcome{Class: load.Classify(ctx, ctx.Err()), Text: "too late"}
		}, nil
	}
	res, err := load.Run(context.Background(), load.Config{Rate: 400, Duration: 100 * time.Millisecond,
		Timeout: 50 * time.Millisecond, Call: call})
	if err != nil {
		t.Fatal(err)
	}
	want := load.Errors{GRPC: 10, Other: 10, Timeout: 10}
	codes := map[string]uint64{"OK": 10, "NOT_FOUND": 10, "ODD": 10}
	if calls.Load() != 40 || res.OK != 10 || res.Errors != want || !reflect.DeepEqual(res.Codes, codes) ||
		res.Latency.Count() != 30 {
		t.Errorf("%d calls, OK %d, errors %+v, codes %v, %d latencies; want 40, 10, %+v, %v, 30", calls.Load(), res.OK,
			res.Errors,
			res.Codes, res.Latency.Count(), want, codes)
	}
	if res.FirstErrors["grpc"] != "no such order" || res.FirstErrors["other"] != "odd" {
		t.Errorf("first errors %v", res.FirstErrors)
	}
}

func TestCallRefused(t *testing.T) {
	bad := errors.New("no such method")
	_, err := load.Run(context.Background(), load.Config{Rate: 1, Duration: time.Second,
		Call: func(uint64) (load.Call, error) { return nil, bad }})
	if !errors.Is(err, bad) {
		t.Errorf("err = %v, want %v", err, bad)
	}
}
