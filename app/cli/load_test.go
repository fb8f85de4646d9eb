package cli_test

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"

	"github.com/gocasebook/casebook/app/cli"
	"github.com/gocasebook/casebook/app/load"
)

// shop is a server that remembers what it was asked.
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
		s.asked = append(s.asked, strings.TrimSpace(r.Method+" "+r.URL.String()+" "+r.Header.Get("X-User")+" "+string(body)))
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
	r := inProcess(t, "load", "--rate", "200", "-n", "40", "--seed", "7", "--window", "50ms", "--out", out, "--html", html, s.URL+"/flaky")
	r.want(t, 0, "GET "+s.URL+"/flaky, constant 200, 40 requests", "sent       40 in", "answered   30 well", "errors     10, 25.0 %",
		"status_5xx 10, the first: 503 Service Unavailable", "status     200 × 30, 503 × 10", "latency    p50", "kept       "+out)
	for _, l := range strings.Split(r.out, "\n") {
		if n := len([]rune(l)); n > 80 && !strings.Contains(l, out) {
			t.Errorf("a line of %d columns: %s", n, l)
		}
	}
	page, err := os.ReadFile(html)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"10 failed (25", "10 × status_5xx, the first: 503", "Percentiles in numbers", "p50 in numbers", "casebook compare " + out} {
		if !strings.Contains(strings.ReplaceAll(string(page), "\u00a0", " "), want) {
			t.Errorf("the page does not have %q", want)
		}
	}
	alone := filepath.Join(t.TempDir(), "alone.html")
	inProcess(t, "load", "--rate", "200", "-n", "40", "--window", "50ms", "--html", alone, s.URL+"/").want(t, 0, "answered   40 well")
	if page, err := os.ReadFile(alone); err != nil || !strings.Contains(string(page), "p50 in numbers") {
		t.Errorf("without --out the page has no windows (%v)", err)
	}
	f, err := load.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if f.Total.Sent != 40 || f.Total.Errors != (load.Errors{Status5xx: 10}) || f.Plan.Seed != 7 || f.Plan.Count != 40 || len(f.Windows) < 2 {
		t.Errorf("kept %+v of %+v in %d windows", f.Total, f.Plan, len(f.Windows))
	}
	if l, err := f.Total.Latency.Latency(); err != nil || l.Count() != 40 {
		t.Errorf("%d latencies, %v; want 40", l.Count(), err)
	}
}

// TestLoadOne: one request has no rate, though it took some microseconds to send.
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
	if f.Kind != load.FileKind || f.Total.OK != 20 || f.Windows != nil || f.Total.Latency.HDR != "" || f.Total.Latency.P99 == 0 {
		t.Errorf("printed %s", r.out)
	}
}

func TestLoadRequests(t *testing.T) {
	t.Parallel()
	body := write(t, "body.txt", "n={{seq}}")
	csv := write(t, "users.csv", "id,name\n7,Ann\n8,Bo\n")
	for _, c := range []struct {
		name string
		args []string // URL is the server's
		want []string
	}{
		{"one", []string{"-n", "2", "-H", "X-User: u{{seq}}", "URL/a"}, []string{"GET /a u1", "GET /a u2"}},
		{"body", []string{"-n", "1", "-d", "hi", "URL/a"}, []string{"POST /a  hi"}},
		{"body of a file", []string{"-n", "2", "-X", "PUT", "-d", "@" + body, "URL/a"}, []string{"PUT /a  n=1", "PUT /a  n=2"}},
		{"rows", []string{"-n", "2", "--csv", csv, "URL/{{.id}}?q={{.name}}"}, []string{"GET /7?q=Ann", "GET /8?q=Bo"}},
		{"targets below a base", []string{"-n", "2", "-H", "X-User: all", "--targets", write(t, "t.http", "GET /a\n\nPOST /b\nX-User: own\n"), "URL"},
			[]string{"GET /a all", "POST /b own"}},
		{"no templates", []string{"-n", "1", "--no-templates", "-d", "{{", "URL/"}, []string{"POST /  {{"}},
		{"a schedule", []string{"--pace", "constant 50 100ms then ramp 50..100 100ms", "URL/a"}, []string{"GET /a"}},
		{"replay", []string{"--pace", "replay " + write(t, "times.txt", "5.0\n5.05\n5.1\n"), "URL/{{seq}}"}, []string{"GET /1", "GET /2", "GET /3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			args := []string{"load", "--silent"}
			if c.name != "a schedule" && c.name != "replay" {
				args = append(args, "--rate", "100")
			}
			for _, a := range c.args {
				args = append(args, strings.Replace(a, "URL", s.URL, 1))
			}
			inProcess(t, args...).want(t, 0, "errors     none")
			s.had(t, c.want...)
		})
	}
}

// TestLoadGRPC calls gRPC's health service, found through reflection.
func TestLoadGRPC(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(srv, health.NewServer())
	reflection.Register(srv)
	go srv.Serve(l)
	t.Cleanup(srv.Stop)
	url := "grpc://" + l.Addr().String() + "/grpc.health.v1.Health/Check"
	inProcess(t, "load", "--rate", "100", "-n", "10", url).want(t, 0, "POST "+url+", grpc", "answered   10 well", "OK × 10")
	inProcess(t, "load", "--rate", "100", "-n", "10", "-d", `{"service": "x{{seq}}"}`, url).want(t, 1, "grpc       10, the first: /grpc.health.v1.Health/Check: NOT_FOUND", "NOT_FOUND × 10")
	inProcess(t, "load", "--rate", "100", "-n", "10", url+"s").want(t, 2, "no method Checks: it has Check, List, Watch")
	inProcess(t, "load", "--rate", "100", "--protocol", "http/2", url).want(t, 2, "leave it out")
	inProcess(t, "load", "--rate", "100", "grpc://192.0.2.1:1/a.B/C").want(t, 2, "not a loopback address", "--allow HOST")
}

func TestLoadEnds(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	t.Run("errors", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "200", "-t", "1m", "--max-errors", "3", s.URL+"/flaky").want(t, 1, "ENDED EARLY", "above the limit of 3")
	})
	t.Run("share of errors", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "400", "-t", "1m", "--max-errors", "5%", s.URL+"/flaky").want(t, 1, "ENDED EARLY", "above the limit of 5 %")
	})
	t.Run("nothing answered", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "100", "-n", "5", "http://127.0.0.1:1/").want(t, 1, "connection 5, the first: ", "connection refused")
	})
	t.Run("redirect", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "100", "-n", "5", s.URL+"/redirect").want(t, 0, "302 × 5", "errors     none")
	})
	t.Run("in flight", func(t *testing.T) {
		t.Parallel()
		inProcess(t, "load", "--rate", "100", "-n", "10", "--timeout", "500ms", "--max-in-flight", "2", s.URL+"/hang").want(t, 1,
			"LIMITED", "not sent", "shed       8", "timeout    2")
	})
}

// TestLoadTLS trusts a certificate by a file, or not at all.
func TestLoadTLS(t *testing.T) {
	t.Parallel()
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, r.Proto) }))
	srv.EnableHTTP2 = true
	srv.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes are meant to fail
	srv.StartTLS()
	t.Cleanup(srv.Close)
	ca := write(t, "ca.pem", string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: srv.Certificate().Raw})))
	inProcess(t, "load", "--rate", "100", "-n", "5", "--ca", ca, srv.URL).want(t, 0, "200 × 5")
	inProcess(t, "load", "--rate", "100", "-n", "5", "--insecure", "--protocol", "http/2", "--connections", "2", srv.URL).want(t, 0, "200 × 5", "http/2")
	inProcess(t, "load", "--rate", "100", "-n", "5", srv.URL).want(t, 1, "errors     5, 100 %", "certificate")
}

// TestLoadInterrupted cancels when an answer is in, which is certain once its connection is used again: the figures so far
// are printed and kept.
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
	if f.Ended != "interrupted" || f.Total.OK == 0 || f.Total.OK > answered.Load() || f.Abandoned == 0 || f.Total.Errors.Total() != 0 {
		t.Errorf("kept %q, %+v, abandoned %d; want up to %d answers, the rest abandoned", f.Ended, f.Total, f.Abandoned, answered.Load())
	}
}

// TestLoadProgress wants lines on standard error where it is no terminal, and none on standard output.
func TestLoadProgress(t *testing.T) {
	t.Parallel()
	r := inProcess(t, "load", "--rate", "50", "-t", "2s", newShop(t).URL)
	r.want(t, 0)
	if !regexp.MustCompile(`(?m)^ +[12]s  \d+(\.\d+)?/s  p50 [\d.]+ .s  p99 [\d.]+ .?s  errors \d+  in flight \d+$`).MatchString(r.errors) {
		t.Errorf("progress %q", r.errors)
	}
	if strings.Contains(r.out, "in flight") {
		t.Errorf("progress on standard output: %s", r.out)
	}
}

// TestLoadFindLimit has a server that answers 45 requests within a second and refuses the rest.
func TestLoadFindLimit(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var came []time.Time // the requests of the last second
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		now := time.Now()
		came = append(slices.DeleteFunc(came, func(t time.Time) bool { return now.Sub(t) > time.Second }), now)
		if len(came) > 45 {
			w.WriteHeader(503)
		}
	}))
	t.Cleanup(srv.Close)
	out := filepath.Join(t.TempDir(), "limit.json")
	r := inProcess(t, "load", "--find-limit", "p50 < 9s, errors < 2%", "--rate", "10", "--step", "1s", "--warmup", "1s", "--resolution", "50%", "-o", out, srv.URL)
	r.want(t, 0, "the highest rate that keeps p50 < 9s, errors < 2%", "10.0/s", "keeps it, confirming", "The highest rate that keeps it is", "confirmed over 2s")
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var kept struct {
		Kind        string
		Best, Fails float64
		Steps       []struct{ Rate float64 }
	}
	if err := json.Unmarshal(b, &kept); err != nil {
		t.Fatal(err)
	}
	// On a busy machine requests come in bunches, of which some are refused at a lower rate too.
	if kept.Kind != "casebook-load-limit" || kept.Best < 5 || kept.Best > 46 || kept.Fails > 1.5*kept.Best || len(kept.Steps) < 3 {
		t.Errorf("found %+v, want a rate up to 45", kept)
	}
}

func TestLoadBadInput(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	empty := write(t, "empty", "")
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"no target", []string{"--rate", "5"}, []string{"wants a URL or --targets FILE", "for instance"}},
		{"no rate", []string{s.URL}, []string{"how many requests a second?", "--rate 500"}},
		{"two paces", []string{"--rate", "5", "--pace", "constant 5", s.URL}, []string{"exclude each other"}},
		{"bad rate", []string{"--rate", "fast", s.URL}, []string{"--rate", `"fast" is no rate`, "like 500"}},
		{"bad pace", []string{"--pace", "ramp up", s.URL}, []string{"--pace", "no range of rates", "RATE..RATE FOR"}},
		{"bad share", []string{"--rate", "5", "--max-errors", "200%", s.URL}, []string{"--max-errors", "5%"}},
		{"bad header", []string{"--rate", "5", "-H", "X", s.URL}, []string{"--header", "want Name: value"}},
		{"no body", []string{"--rate", "5", "-d", "@nowhere", s.URL}, []string{"--body", "nowhere"}},
		{"no targets file", []string{"--rate", "5", "--targets", "nowhere"}, []string{"--targets", "nowhere"}},
		{"empty targets file", []string{"--rate", "5", "--targets", empty}, []string{empty, "no targets"}},
		{"paths without a base", []string{"--rate", "5", "--targets", write(t, "t", "GET /a\n")}, []string{"line 1", "give the base URL"}},
		{"a file and a method", []string{"--rate", "5", "--targets", empty, "-X", "PUT"}, []string{"stand in the file"}},
		{"empty table", []string{"--rate", "5", "--csv", empty, s.URL}, []string{"--csv", "is empty"}},
		{"another machine", []string{"--rate", "5", "http://192.0.2.1/"}, []string{"192.0.2.1 is not a loopback address", "--allow HOST"}},
		{"protocol", []string{"--rate", "5", "--protocol", "http/3", s.URL}, []string{"--protocol", "http/1.1, http/2"}},
		{"protoset of HTTP", []string{"--rate", "5", "--protoset", "x", s.URL}, []string{"--protoset is for gRPC"}},
		{"timeout", []string{"--rate", "5", "--timeout", "2h", s.URL}, []string{"Timeout is 2h0m0s"}},
		{"no certificate", []string{"--rate", "5", "--ca", empty, s.URL}, []string{"--ca", "no certificate in PEM"}},
		{"out in no folder", []string{"--rate", "5", "--out", "/nowhere/run.json", s.URL}, []string{"--out", "folder that exists"}},
		{"html in no folder", []string{"--rate", "5", "--html", "/nowhere/run.html", s.URL}, []string{"--html", "folder that exists"}},
		{"page of a search", []string{"--find-limit", "p99 < 1s", "--html", "x.html", s.URL}, []string{"--html", "--find-limit"}},
		{"too many windows", []string{"--rate", "5", "-t", "100h", "--window", "10ms", "--out", t.TempDir() + "/run.json", s.URL}, []string{"--window", "2s or more"}},
		{"short window", []string{"--rate", "5", "--window", "1ms", s.URL}, []string{"Window is 1ms"}},
		{"out is a folder", []string{"--rate", "5", "--out", os.TempDir(), s.URL}, []string{"--out", "not a regular file"}},
		{"objective", []string{"--find-limit", "fast", s.URL}, []string{"--find-limit", `"fast" is no condition`, "p99 < 50ms"}},
		{"search with a pace", []string{"--find-limit", "p99 < 1s", "--pace", "constant 5", s.URL}, []string{"leave out --pace"}},
		{"resolution", []string{"--find-limit", "p99 < 1s", "--resolution", "5", s.URL}, []string{"--resolution", "from 0.5% to 100%"}},
		{"end below start", []string{"--find-limit", "p99 < 1s", "--rate", "500", "--max-rate", "100", s.URL}, []string{"--max-rate 100"}},
		{"search step", []string{"--find-limit", "p99 < 1s", "--step", "1ms", s.URL}, []string{"want steps of 1s or more"}},
		{"mixed protocols", []string{"--rate", "5", "--targets", write(t, "t", "GET http://127.0.0.1:1/\nPOST grpc://127.0.0.1:1/a.B/C\n")}, []string{"run two loads"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := inProcess(t, append([]string{"load"}, c.args...)...)
			r.want(t, 2, c.want...)
			if r.out != "" || strings.Count(r.errors, "\n") > 2 {
				t.Errorf("not a clear message:\n%s%s", r.out, r.errors)
			}
		})
	}
}
