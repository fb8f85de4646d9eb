//go:build linux

package instance

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/victimtest"
	"github.com/gocasebook/casebook/vitals"
)

// page is the least that the index page of net/http/pprof contains.
const page = `<table><tr><td>3</td><td><a href='goroutine?debug=1'>goroutine</a></td></tr></table>`

// gate is a pprof server whose handler does what the test says from the moment it is told to.
type gate struct {
	*httptest.Server
	then http.HandlerFunc // nil: answer
}

func newGate(t *testing.T) *gate {
	g := &gate{}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if g.then != nil {
			g.then(w, r)
			return
		}
		_, _ = w.Write([]byte(page))
	}))
	t.Cleanup(g.Close)
	return g
}

// sampleBriefly takes a sample, with little patience, of a target that does not answer.
func sampleBriefly(t *testing.T, h *HTTP) (vitals.Sample, error) {
	t.Helper()
	return sampleFor(t, h, 300*time.Millisecond)
}

func sampleFor(t *testing.T, h *HTTP, d time.Duration) (vitals.Sample, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	s := vitals.NewSample(time.Now())
	err := h.Sample(ctx, &s)
	return s, err
}

func stall(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// Processes that are alive and do not answer.
func TestUnansweredGrows(t *testing.T) {
	for _, c := range []struct {
		name string
		fall func(t *testing.T, g *gate, h *HTTP)
	}{
		{"a lock that every handler waits for", func(_ *testing.T, g *gate, _ *HTTP) { g.then = stall }},
		{"an answer that begins and never ends", func(_ *testing.T, g *gate, _ *HTTP) {
			g.then = func(w http.ResponseWriter, r *http.Request) {
				_, _ = w.Write([]byte("<html>"))
				_ = http.NewResponseController(w).Flush()
				stall(w, r)
			}
		}},
		{"from another machine, a connection that is taken", func(_ *testing.T, g *gate, h *HTTP) {
			g.then = stall
			h.setProcess(nil, "the target does not run on this machine")
		}},
		{"a listener that nobody accepts from, its queue full", func(t *testing.T, g *gate, h *HTTP) {
			addr := g.Listener.Addr().String()
			g.CloseClientConnections()
			g.Close()
			crowd(t, addr)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGate(t)
			h := newHTTP(t, g.URL)
			if _, err := h.Describe(t.Context()); err != nil {
				t.Fatal(err)
			}
			if s := take(t, h, time.Now()); s.Values[vitals.Unanswered] != 0 {
				t.Errorf("a target that answers is silent for %g s", s.Values[vitals.Unanswered])
			}
			c.fall(t, g, h)
			first, err := sampleBriefly(t, h)
			was, ok := first.Get(vitals.Unanswered)
			if err == nil || !ok || was < 0.25 {
				t.Fatalf("silent for %g s (present: %v), error %v; absent: %s", was, ok, err, h.Absent()["unanswered"])
			}
			if second, _ := sampleBriefly(t, h); !(second.Values[vitals.Unanswered] > was) {
				t.Errorf("it does not grow: %g after %g s", second.Values[vitals.Unanswered], was)
			}
			if h.proc.Load() == nil {
				return
			}
			if _, ok := first.Get(vitals.RSS); !ok {
				t.Error("the process can be read and was not")
			}
			if text := h.Standing(); !strings.Contains(text, "lives and") {
				t.Errorf("it stands: %q", text)
			}
		})
	}
}

// crowd listens at an address, accepts nothing, and fills the queue of connections.
func crowd(t *testing.T, addr string) {
	t.Helper()
	tcp, err := net.ResolveTCPAddr("tcp4", addr)
	if err != nil {
		t.Fatal(err)
	}
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	_ = syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1)
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Port: tcp.Port, Addr: [4]byte(tcp.IP.To4())}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 1); err != nil {
		t.Fatal(err)
	}
	for range 4 { // a queue of one holds two
		d := net.Dialer{Timeout: 200 * time.Millisecond}
		if c, err := d.DialContext(t.Context(), "tcp", addr); err == nil {
			t.Cleanup(func() { _ = c.Close() })
		}
	}
}

// What does not answer, and yet is no sign of a process that hangs.
func TestUnansweredIsAbsent(t *testing.T) {
	for _, c := range []struct {
		name, why string
		fall      func(g *gate, h *HTTP)
		patience  time.Duration // goesOn unless nothing comes at all
	}{
		{"a service that drains: its listener is closed, the process lives", "nothing listens",
			func(g *gate, _ *HTTP) { g.Close() }, goesOn},
		{"a token that expired", "answers, but with something else", func(g *gate, _ *HTTP) {
			g.then = func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "token expired",
					http.StatusUnauthorized)
			}
		}, goesOn},
		{"a gateway's error", "answers, but with something else", func(g *gate, _ *HTTP) {
			g.then = func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "upstream", http.StatusBadGateway) }
		}, goesOn},
		{"a connection that is closed without an answer", "broken off", func(g *gate, _ *HTTP) {
			g.then = func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
		}, goesOn},
		{"another machine that is gone", "cannot be seen", func(g *gate, h *HTTP) {
			h.setProcess(nil, "the target does not run on this machine")
			h.CloseIdle()
			connections(t, h).DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			}
		}, 300 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGate(t)
			h := newHTTP(t, g.URL)
			if _, err := h.Describe(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.fall(g, h)
			s, err := sampleFor(t, h, c.patience)
			if v, ok := s.Get(vitals.Unanswered); err == nil || ok {
				t.Errorf("silent for %g s (present: %v), error %v", v, ok, err)
			}
			if why := h.Absent()["unanswered"]; !strings.Contains(why, c.why) {
				t.Errorf("the reason is %q, want %q in it", why, c.why)
			}
		})
	}
}

// A real process that is stopped says nothing, but the kernel still has its numbers.
func TestStoppedProcessIsSilent(t *testing.T) {
	addr, stop := victimtest.StartNew(t)
	h := newHTTP(t, addr)
	d, err := h.Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p, err := os.FindProcess(d.PID)
	if err != nil {
		t.Fatal(err)
	}
	take(t, h, time.Now())
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Signal(syscall.SIGCONT) }()
	// The signal reaches one thread after another.
	for !strings.Contains(h.Standing(), "stopped") && t.Context().Err() == nil {
		_ = sleep(t.Context(), time.Millisecond)
	}
	if s, err := sampleBriefly(t, h); err == nil || !(s.Values[vitals.Unanswered] > 0.25) {
		t.Errorf("a stopped process is silent for %g s, error %v", s.Values[vitals.Unanswered], err)
	}
	if text := h.Standing(); !strings.Contains(text, "stopped by a signal (state T): kill -CONT") {
		t.Errorf("it stands: %q", text)
	}
	if err := p.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if s := take(t, h, time.Now()); s.Values[vitals.Unanswered] != 0 {
		t.Errorf("it answers again and is silent for %g s", s.Values[vitals.Unanswered])
	}
	stop()
	if _, err := sampleFor(t, h, goesOn); err == nil || !strings.Contains(h.Absent()["unanswered"], "has ended") {
		t.Errorf("error %v, reason %q of a process that ended", err, h.Absent()["unanswered"])
	}
}

func TestStandingInWords(t *testing.T) {
	for _, c := range []struct {
		s         standing
		cpu, cpus float64
		want      string
	}{
		{standing{State: "S", Threads: map[string]int{"S": 9}, Waits: map[string]int{"futex_do_wait": 8, "ep_poll": 1}},
			0.001, 2,
			"waits: 0.001 cores used, 9 of its 9 threads sleep (8 in futex_do_wait, 1 in ep_poll)"},
		{standing{State: "S", Threads: map[string]int{"R": 3, "S": 5}}, 1.98, 2,
			"uses 1.98 of the 2 cores it may use: it spins"},
		{standing{State: "S", Threads: map[string]int{"R": 3, "S": 5}}, 1, 0, "uses 1 core:"},
		{standing{State: "D", Threads: map[string]int{"D": 7, "S": 2}, Waits: map[string]int{"nfs_wait": 7}}, 0, 2,
			"wait for a disk or a network file system (state D) (7 in nfs_wait)"},
		{standing{State: "t"}, 0, 2, "debugger"},
	} {
		if got := c.s.words(7, c.cpu, c.cpus); !strings.HasPrefix(got, "process 7 lives") ||
			!strings.Contains(got, c.want) {
			t.Errorf("got %q, want %q in it", got, c.want)
		}
	}
}

// TestDescribesASilentProcess: a process of this machine that never answers is described by what the kernel knows of
// it, and is silent since it was first asked; one of another machine is waited for.
func TestDescribesASilentProcess(t *testing.T) {
	g := newGate(t)
	g.then = stall
	h := newHTTP(t, g.URL)
	h.SilentAfter = 200 * time.Millisecond
	d, err := h.Describe(t.Context())
	if err != nil || d.PID != os.Getpid() {
		t.Fatalf("described as process %d, %v; want this one", d.PID, err)
	}
	s, err := sampleBriefly(t, h)
	if silent, ok := s.Get(vitals.Unanswered); err == nil || !ok || silent < 0.4 {
		t.Errorf("silent for %g s (present: %v), error %v; want both waits", silent, ok, err)
	}

	elsewhere := newHTTP(t, g.URL)
	elsewhere.SilentAfter = time.Millisecond
	elsewhere.setProcess(nil, "the target does not run on this machine")
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if err := elsewhere.firstAnswer(ctx); err == nil || ctx.Err() == nil {
		t.Errorf("%v after less than all of the time; want to wait for another machine", err)
	}
}
