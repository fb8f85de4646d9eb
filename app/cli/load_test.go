package cli_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gocasebook/casebook/app/cli"
	"github.com/gocasebook/casebook/app/load"
)

// shop is a server that remembers its requests.
type shop struct {
	*httptest.Server
	mu    sync.Mutex // guards asked
	asked []string
}

func newShop(t *testing.T) *shop {
	s := &shop{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.asked = append(s.asked,
			strings.TrimSpace(r.Method+" "+r.URL.String()+" "+r.Header.Get("X-User")+" "+string(body)))
		n := len(s.asked)
		s.mu.Unlock()
		switch {
		case r.URL.Path == "/flaky" && n%4 == 0:
			http.Error(w, "no", http.StatusServiceUnavailable)
		case r.URL.Path == "/redirect":
			http.Redirect(w, r, "http://192.0.2.1/", http.StatusFound)
		case r.URL.Path == "/hang":
			<-r.Context().Done()
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// had says whether a request came.
func (s *shop) had(t *testing.T, want ...string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	all := "\n" + strings.Join(s.asked, "\n") + "\n"
	for _, w := range want {
		if !strings.Contains(all, "\n"+w+"\n") {
			t.Errorf("the server was not asked %q, but:%s", w, all)
		}
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	out, html := filepath.Join(t.TempDir(), "run.json"), filepath.Join(t.TempDir(), "run.html")
	r := inProcess(t, "load", "--rate", "200", "-n", "40", "--seed", "7", "--window", "50ms", "--out", out, "--html",
		html, s.URL+"/flaky")
	r.want(t, 0, "GET "+s.URL+"/flaky, poisson 200, 40 requests", "sent       40 in", "answered   30 well",
		"errors     10, 25 %",
		"status_5xx 10, the first: 503 Service Unavailable", "status     200 × 30, 503 × 10", "latency    p50",
		"kept       "+out)
	for _, l := range strings.Split(r.out, "\n") {
		if n := len([]rune(l)); n > 80 && !strings.Contains(l, out) {
			t.Errorf("a line of %d columns: %s", n, l)
		}
	}
	page, err := os.ReadFile(html)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"10 failed (25", "10 × status_5xx, the first: 503", "Percentiles in numbers",
		"p50 in numbers", "casebook compare " + out} {
		if !strings.Contains(strings.ReplaceAll(string(page), "\u00a0", " "), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	alone := filepath.Join(t.TempDir(), "alone.html")
	inProcess(t, "load", "--rate", "200", "-n", "40", "--window", "50ms", "--html", alone, s.URL+"/").want(t, 0,
		"answered   40 well")
	if page, err := os.ReadFile(alone); err != nil || !strings.Contains(string(page), "p50 in numbers") {
		t.Errorf("without --out the page has no windows (%v)", err)
	}
	f, err := load.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if f.Total.Sent != 40 || f.Total.Errors != (load.Errors{Status5xx: 10}) || f.Plan.Seed != 7 || f.Plan.Count != 40 ||
		len(f.Windows) < 2 {
		t.Errorf("kept %+v of %+v in %d windows", f.Total, f.Plan, len(f.Windows))
	}
	if l, err := f.Total.Latency.Latency(); err != nil || l.Count() != 40 {
		t.Errorf("%d latencies, %v; want 40", l.Count(), err)
	}
}

// TestLoadOne: one request has no rate, though sending it took some microseconds.
func TestLoadOne(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "load", "--rate", "5", "-n", "1", newShop(t).URL)
	r.want(t, 0, "sent       1 in ", "answered   1 well\n")
	if strings.Contains(r.out, "a second") {
		t.Errorf("a rate of one request:\n%s", r.out)
	}
}

// TestLoadJSON wants the same document without the bulk.
func TestLoadJSON(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "load", "--json", "--rate", "200", "-n", "20", newShop(t).URL)
	r.want(t, 0)
	var f load.File
	if err := json.Unmarshal([]byte(r.out), &f); err != nil {
		t.Fatalf("%v in %s", err, r.out)
	}
	if f.Kind != load.FileKind || f.Total.OK != 20 || f.Windows != nil || f.Total.Latency.HDR != "" ||
		f.Total.Latency.P99 == 0 {
		t.Errorf("printed %s", r.out)
	}
}

func TestLoadEnds(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	t.Run("errors", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "200", "-t", "1m", "--max-errors", "3", s.URL+"/flaky").want(t, 1, "ENDED EARLY",
			"above the limit of 3")
	})
	t.Run("share of errors", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "400", "-t", "1m", "--max-errors", "5%", s.URL+"/flaky").want(t, 1,
			"ENDED EARLY", "above the limit of 5 %")
	})
	t.Run("nothing answered", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "100", "-n", "5", "http://127.0.0.1:1/").want(t, 1, "connection 5, the first: ",
			"connection refused")
	})
	t.Run("redirect", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "100", "-n", "5", s.URL+"/redirect").want(t, 0, "302 × 5", "errors     none")
	})
	t.Run("in flight", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "100", "-n", "10", "--timeout", "5s", "--max-in-flight", "2",
			s.URL+"/hang").want(t, 1,
			"LIMITED", "not sent", "shed       8", "timeout    2")
	})
}

// TestLoadInterrupted cancels after an answer has arrived, which is certain once its connection is used again: the
// figures so far are printed and stored.
func TestLoadInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var used sync.Map // by the generator's address
	var answered atomic.Uint64
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if _, again := used.LoadOrStore(r.RemoteAddr, true); again {
			cancel()
			<-r.Context().Done()
			return
		}
		answered.Add(1)
	}))
	defer srv.Close()
	out := filepath.Join(t.TempDir(), "run.json")
	var stdout, stderr strings.Builder
	code := cli.Run(ctx, []string{"load", "--rate", "100", "-t", "1h", "-o", out, srv.URL}, &stdout, &stderr)
	result{code, stdout.String(), stderr.String()}.want(t, 130, "ENDED EARLY", "interrupted", "abandoned")
	f, err := load.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if f.Ended != "interrupted" || f.Total.OK == 0 || f.Total.OK > answered.Load() || f.Abandoned == 0 ||
		f.Total.Errors.Total() != 0 {
		t.Errorf("kept %q, %+v, abandoned %d; want up to %d answers, the rest abandoned", f.Ended, f.Total, f.Abandoned,
			answered.Load())
	}
}

// TestLoadProgress wants lines on standard error where it is not a terminal, and none on standard output.
func TestLoadProgress(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "load", "--rate", "50", "-t", "4s", newShop(t).URL)
	r.want(t, 0)
	if !regexp.MustCompile(
		`(?m)^ +\d+s  \d+(\.\d+)?/s  p50 [\d.]+ .s  p99 [\d.]+ .?s  errors \d+  in flight \d+$`).MatchString(r.errors) {
		t.Errorf("progress %q", r.errors)
	}
	if strings.Contains(r.out, "in flight") {
		t.Errorf("progress on standard output: %s", r.out)
	}
}
