package phones

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/lab/serve"
)

// A gate is an item service whose answers wait until it is opened.
type gate struct {
	asked chan struct{} // one value for each call that waits
	open  chan struct{}
	once  sync.Once
}

func newGate(t *testing.T) (*gate, upstreamAddresses) {
	t.Helper()
	g := &gate{asked: make(chan struct{}, 8), open: make(chan struct{})}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.asked <- struct{}{}
		select {
		case <-g.open:
			serve.WriteJSON(w, http.StatusOK, itemAnswer{Phone: "79000000001"})
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(g.release)
	address := s.Listener.Addr().String()
	return g, upstreamAddresses{address, address, address}
}

func (g *gate) release() { g.once.Do(func() { close(g.open) }) }

// inFlight starts a request that waits at the gate, and returns where its answer (or error) will come.
func (g *gate) inFlight(t *testing.T, listen string) chan string {
	t.Helper()
	item := findItem(t, func(i uint64) bool { return !byBusiness(i) && categoryOf(i) == "home" })
	got := make(chan string, 1)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+listen+itemPath(item), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true
	go func() {
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			got <- "error: " + err.Error()
			return
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		got <- resp.Status + " " + string(body)
	}()
	<-g.asked
	return got
}

func TestGracefulStop(t *testing.T) {
	for _, way := range []string{"context", "SIGTERM"} {
		t.Run(way, func(t *testing.T) {
			gate, up := newGate(t)
			p, where := startGateway(t, up, "-tracking-users", "500")
			answer := gate.inFlight(t, where.Listen)
			if way == "context" {
				p.Stop()
			} else if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			waitRefused(t, where.Listen)
			gate.release()
			if got := <-answer; !strings.HasPrefix(got, "200 OK") || !strings.Contains(got, "+79000000001") {
				t.Errorf("the request in flight got %q, want its answer", got)
			}
			if code := <-p.Code; code != 0 {
				t.Errorf("exit code %d, want 0; stderr:\n%s", code, p.Stderr)
			}
		})
	}
}

// TestStopCutsOff: a request that outlives the drain deadline does not keep the process alive.
func TestStopCutsOff(t *testing.T) {
	gate, up := newGate(t)
	p, where := startGateway(t, up, "-tracking-users", "500", "-drain", "50ms")
	answer := gate.inFlight(t, where.Listen)
	p.Stop()
	if code := <-p.Code; code != 1 || !strings.Contains(p.Stderr.String(), "draining the API for 50ms") {
		t.Errorf("exit code %d, stderr %s; want 1 and that requests were cut off", code, p.Stderr)
	}
	if got := <-answer; !strings.HasPrefix(got, "error:") {
		t.Errorf("the request in flight got %q, want a closed connection", got)
	}
}

// waitRefused waits until nothing listens at address any more.
func waitRefused(t *testing.T, address string) {
	t.Helper()
	for {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Close = true
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return
		}
		resp.Body.Close()
	}
}

func TestReadyWhenWarm(t *testing.T) {
	b := &backend{}
	g := gatewayOn(t, b, Config{})
	g.config.Warm, g.warm.goal = 4000, 4000
	if got, status := ready(t, g); status != http.StatusServiceUnavailable || got.Ready || got.Goal != 4000 {
		t.Errorf("before the warm-up: %d %+v, want 503", status, got)
	}
	if err := g.Warm(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, status := ready(t, g); status != http.StatusOK || !got.Ready || got.Warmed != 4000 {
		t.Errorf("after the warm-up: %d %+v, want 200 and 4000 warmed", status, got)
	}
	g.stopping.Store(true)
	if got, status := ready(t, g); status != http.StatusServiceUnavailable || got.Ready || !got.Stopping {
		t.Errorf("while stopping: %d %+v, want 503", status, got)
	}
}

func ready(t *testing.T, g *Gateway) (reply readyReply, status int) {
	t.Helper()
	rec := httptest.NewRecorder()
	g.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/readyz", nil))
	if err := json.Unmarshal(rec.Body.Bytes(), &reply); err != nil {
		t.Fatalf("decoding %q: %v", rec.Body, err)
	}
	return reply, rec.Code
}
