package middleware

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
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

// A sink notes what a connection is given to copy from.
type sink struct {
	mu      sync.Mutex
	sources []string
}

type sinkListener struct {
	net.Listener
	*sink
}

type sinkConn struct {
	*net.TCPConn
	*sink
}

func (l sinkListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return sinkConn{c.(*net.TCPConn), l.sink}, nil
}

func (c sinkConn) ReadFrom(src io.Reader) (int64, error) {
	c.mu.Lock()
	name := fmt.Sprintf("%T", src)
	if l, ok := src.(*io.LimitedReader); ok {
		name = fmt.Sprintf("limited %T", l.R)
	}
	c.sources = append(c.sources, name)
	c.mu.Unlock()
	return c.TCPConn.ReadFrom(src)
}

// A file reaches the TCP connection as a file, so that the kernel sends it without a copy.
func TestSendfileIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big")
	if err := os.WriteFile(path, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	files := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, path) })
	m := New()
	for name, h := range map[string]http.Handler{"bare": files, "measured": m.Handler(files)} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewUnstartedServer(h)
			var got sink
			s.Listener = sinkListener{s.Listener, &got}
			s.Start()
			resp, err := http.Get(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			n, err := io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			s.Close()
			if n != 1<<20 || err != nil {
				t.Errorf("%d bytes came, %v", n, err)
			}
			if want := "limited *os.File"; len(got.sources) != 1 || got.sources[0] != want {
				t.Errorf("the connection was given %q to copy from, want one %s", got.sources, want)
			}
		})
	}
	if got, want := m.Totals(), (Totals{Served: 1}); got != want {
		t.Errorf("totals are %+v, want %+v", got, want)
	}
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
