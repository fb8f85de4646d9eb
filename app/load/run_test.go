package load_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook/app/load"
)

// faulty is a server with one fault per path.
func faulty(t *testing.T) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter,
		_ *http.Request) {
		io.WriteString(w, strings.Repeat("x", 100_000))
	})
	mux.HandleFunc("/redirect", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
	})
	mux.HandleFunc("/404", http.NotFound)
	mux.HandleFunc("/503", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	mux.HandleFunc("/hints", func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(103)
		io.WriteString(w, "ok")
	})
	mux.HandleFunc("/hang", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/hang-in-body", func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, "part")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("/abort", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/abort-in-body", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "10")
		io.WriteString(w, "part")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("/user", func(w http.ResponseWriter, r *http.Request) {
		if u, p, _ := r.BasicAuth(); u != "ann" || p != "s3" {
			w.WriteHeader(401)
		}
	})
	raw := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer conn.Close()
			io.WriteString(conn, answer)
		}
	}
	mux.HandleFunc("/garbage", raw("SSH-2.0-OpenSSH_9.9\r\n\r\n"))
	mux.HandleFunc("/endless-head", raw("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 2<<20)))
	mux.HandleFunc("/endless-hints", raw(strings.Repeat("HTTP/1.1 103 Early Hints\r\n\r\n", 100_000)))
	mux.HandleFunc("/surplus",
		raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 500 Not Yours\r\nContent-Length: 0\r\n\r\n"))
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	return srv
}

// refusing is the URL of a port on which nobody listens.
func refusing(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

// TestOutcomes sends ten requests to each fault, through the wire and through a client.
func TestOutcomes(t *testing.T) {
	srv := faulty(t)
	const n = 10
	for _, c := range []struct {
		name    string
		url     string
		ok      uint64
		errors  load.Errors
		latency uint64 // outcomes with a latency
		text    string // of the first error
	}{
		{"ok", srv.URL + "/ok", n, load.Errors{}, n, ""},
		{"redirect is not followed", srv.URL + "/redirect", n, load.Errors{}, n, ""},
		{"interim answer", srv.URL + "/hints", n, load.Errors{}, n, ""},
		{"user in the URL", strings.Replace(srv.URL, "://", "://ann:s3@", 1) + "/user", n, load.Errors{}, n, ""},
		{"not found", srv.URL + "/404", 0, load.Errors{Status4xx: n}, n, "404 Not Found"},
		{"unavailable", srv.URL + "/503", 0, load.Errors{Status5xx: n}, n, "503 Service Unavailable"},
		{"hangs", srv.URL + "/hang", 0, load.Errors{Timeout: n}, n, "/hang"},
		{"hangs in the body", srv.URL + "/hang-in-body", 0, load.Errors{Timeout: n}, n, "/hang-in-body"},
		{"drops the connection", srv.URL + "/abort", 0, load.Errors{Connection: n}, 0, "/abort"},
		{"drops it in the body", srv.URL + "/abort-in-body", 0, load.Errors{Connection: n}, 0, "unexpected EOF"},
		{"refuses", refusing(t), 0, load.Errors{Connection: n}, 0, "connection refused"},
		{"speaks another protocol", srv.URL + "/garbage", 0, load.Errors{Other: n}, 0, "malformed HTTP"},
		{"header without end", srv.URL + "/endless-head", 0, load.Errors{Other: n}, 0, "header"},
		{"interim answers without end", srv.URL + "/endless-hints", 0, load.Errors{Other: n}, 0, "header"},
	} {
		for sender, client := range map[string]*http.Client{"wire": nil,
			"client": {Transport: &http.Transport{MaxResponseHeaderBytes: 1 << 20}}} {
			t.Run(c.name+"/"+sender, func(t *testing.T) {
				if client != nil {
					defer client.CloseIdleConnections()
				}
				timeout := time.Minute
				if c.errors.Timeout > 0 {
					timeout = 100 * time.Millisecond
				}
				res, err := load.Run(context.Background(), load.Config{
					Rate: 200, Duration: 50 * time.Millisecond, Timeout: timeout, Client: client, Request: get(c.url),
				})
				if err != nil {
					t.Fatal(err)
				}
				if res.Sent != n || res.OK != c.ok || res.Errors != c.errors || res.Latency.Count() != c.latency {
					t.Errorf("sent %d, ok %d, errors %+v, latencies %d; want %d, %d, %+v, %d (%v)", res.Sent, res.OK,
						res.Errors, res.Latency.Count(), n, c.ok, c.errors, c.latency, res.FirstErrors)
				}
				checkText(t, res.FirstErrors, c.text)
			})
		}
	}
}

// checkText wants a text in the only error.
func checkText(t *testing.T, got map[string]string, want string) {
	t.Helper()
	if want == "" {
		return
	}
	for _, text := range got {
		if strings.Contains(text, want) {
			return
		}
	}
	t.Errorf("first errors %q, want one with %q", got, want)
}

// TestSurplusBytes has a server that sends a second answer nobody asked for: it must not become the answer to the next
// request.
func TestSurplusBytes(t *testing.T) {
	srv := faulty(t)
	res, err := load.Run(context.Background(), load.Config{Rate: 100, Duration: 100 * time.Millisecond, MaxInFlight: 1,
		Request: get(srv.URL + "/surplus")})
	if err != nil {
		t.Fatal(err)
	}
	if res.OK+res.Errors.Shed != 10 || res.OK == 0 {
		t.Errorf("OK %d, errors %+v %v; want every request that was sent OK", res.OK, res.Errors, res.FirstErrors)
	}
}

// TestShed is in fake time: a generator that a busy machine delays for longer than the timeout would find the slots
// free again.
func TestShed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := roundTrip(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})
		res, err := load.Run(t.Context(), load.Config{
			Rate: 100, Duration: 100 * time.Millisecond, Timeout: 2 * time.Second, MaxInFlight: 3,
			Request: get("http://127.0.0.1/hang"),
			Client:  &http.Client{Transport: hang},
		})
		if err != nil {
			t.Fatal(err)
		}
		want := load.Errors{Timeout: 3, Shed: 7}
		if res.Sent != 3 || res.Errors != want || res.ErrorShare() != 1 {
			t.Errorf("sent %d, errors %+v (share %v); want 3 and %+v", res.Sent, res.Errors, res.ErrorShare(), want)
		}
	})
}

// TestCancel cancels while every request hangs. If the requests were not interrupted, they would end as timeouts.
func TestCancel(t *testing.T) {
	for sender, client := range map[string]*http.Client{"wire": nil, "client": {Transport: &http.Transport{}}} {
		t.Run(sender, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var came atomic.Int64
			srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				if came.Add(1) == 5 {
					cancel()
				}
				<-r.Context().Done()
			}))
			defer srv.Close()
			var windows []load.Window
			res, err := load.Run(ctx, load.Config{
				Rate: 100, Duration: time.Hour, Timeout: time.Minute, Client: client, Request: get(srv.URL),
				OnWindow: func(w load.Window) { windows = append(windows, w) },
			})
			if !errors.Is(err, context.Canceled) {
				t.Errorf("err = %v, want context.Canceled", err)
			}
			if res.Abandoned < 5 || res.Abandoned != res.Sent || res.Errors != (load.Errors{}) {
				t.Errorf("sent %d, abandoned %d, errors %+v; want all abandoned and no errors", res.Sent, res.Abandoned,
					res.Errors)
			}
			if len(windows) == 0 {
				t.Error("no window was delivered, want the last, unfinished one")
			}
		})
	}
}

// TestConnectionsAreKept wants no more connections than requests at a time. A busy machine may shed some requests.
func TestConnectionsAreKept(t *testing.T) {
	var conns atomic.Int64
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		io.WriteString(w, "ok")
	}))
	srv.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			conns.Add(1)
		}
	}
	srv.Start()
	defer srv.Close()
	for seconds := uint64(1); ; seconds *= 2 { // until there are far more answers than connections
		conns.Store(0)
		res, err := load.Run(context.Background(), load.Config{
			Rate: 500, Duration: time.Duration(seconds) * time.Second, MaxInFlight: 4, Request: get(srv.URL),
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := conns.Load(); res.OK+res.Errors.Shed != 500*seconds || n > 4 {
			t.Fatalf("%d answers over %d connections, errors %+v; want %d answers or shed, over 4 at most", res.OK, n,
				res.Errors, 500*seconds)
		}
		if res.OK >= 100 {
			return
		}
	}
}

// TestStaleConnection has a server that closes every connection after its first answer, without saying so.
func TestStaleConnection(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Read(make([]byte, 4096))
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			conn.Close()
		}
	}()
	for _, c := range []struct {
		name, method, body string
		ok                 uint64
	}{{"GET", http.MethodGet, "", 5}, {"PUT", http.MethodPut, "", 5}, {"PUT with a body", http.MethodPut, "twice", 5}} {
		t.Run(c.name, func(t *testing.T) {
			for ok := uint64(0); ok < 2; { // a busy machine may shed some; two answers need two connections
				res, err := load.Run(context.Background(), load.Config{
					Rate: 10, Duration: 500 * time.Millisecond, MaxInFlight: 1,
					Request: func(uint64) (*http.Request, error) {
						return http.NewRequest(c.method, "http://"+l.Addr().String(), strings.NewReader(c.body))
					},
				})
				if err != nil {
					t.Fatal(err)
				}
				if ok = res.OK; ok+res.Errors.Shed != c.ok {
					t.Fatalf("OK = %d, want %d or shed: a closed connection is replaced; errors %+v %v", ok, c.ok,
						res.Errors, res.FirstErrors)
				}
			}
		})
	}
}
