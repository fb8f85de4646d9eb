package prometheus

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	prom "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gocasebook/casebook/app/txtartest"
	"github.com/gocasebook/casebook/vitals"
)

// requestsFrom reads pages one after another, ten seconds apart, and returns the result of each.
func requestsFrom(t *testing.T, guessed bool, pages ...http.Handler) (*Requests, [][]float64, []error) {
	t.Helper()
	at := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		r *http.Request) {
		pages[at].ServeHTTP(w, r)
	}))
	t.Cleanup(srv.Close)
	r, err := NewRequests(srv.URL+"/metrics", srv.Client(), guessed)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]float64
	var errs []error
	for i := range pages {
		at = i
		values := slices.Repeat([]float64{math.NaN()}, numHTTP)
		errs = append(errs, r.read(t.Context(), values))
		all = append(all, values)
		r.due = time.Time{}
		r.scraper.at = r.scraper.at.Add(-10 * time.Second) // as if time had passed
	}
	return r, all, errs
}

// recorded are the pages of third-party programs: requests/NAME.1.txt and .2.txt, and none/NAME.txt.
func recorded(t *testing.T) fs.FS { return txtartest.FS(t, "testdata/pages.txtar.gz") }

func file(t *testing.T, dir fs.FS, name string) http.Handler {
	t.Helper()
	data, err := fs.ReadFile(dir, name)
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(data) })
}

func about(got, want float64) bool {
	return math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) <= 0.02*math.Abs(want)
}

// Pages of third-party programs, recorded before and after a known number of requests.
func TestRequestsOfRealPrograms(t *testing.T) {
	pages := recorded(t)
	for _, c := range []struct {
		name, title  string
		rate, errors float64 // rate over ten seconds
		inFlight     float64 // NaN: not reported
	}{
		{"caddy", "Caddy", 5, 0.2, 0},                  // 2.6.2: 40 of a file, 10 of a handler that answers 503
		{"prometheus", "Prometheus", 5, 0, math.NaN()}, // 50 queries; 8 of /metrics itself do not count
		// 3.5 with --metrics extensive: 30 Put and 20 Range; its watches do not count.
		{"etcd", "go-grpc-prometheus", 5, 0, 0},
		// contrib's net/http instrumentation: 40 answered, 10 with 500.
		{"otelhttp", "OpenTelemetry HTTP", 5, 0.2, math.NaN()},
		// distribution 3.0, behind a namespace of its own: 40 of the catalog, 10 of tags that are not there
		{"registry", "registry_http_…", 5, 0, 0},
		// 1.11: 40 pushes and 10 malformed ones; it tells no times
		{"pushgateway", "pushgateway_http_…", 5, 0, math.NaN()},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := "requests/" + c.name
			r, values, errs := requestsFrom(t, true, file(t, pages, name+".1.txt"), file(t, pages, name+".2.txt"))
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
			if got := r.Found(); !slices.Equal(got, []string{c.title}) {
				t.Errorf("found %q, want %q", got, c.title)
			}
			v := values[1]
			if !about(v[httpRate], c.rate) || !about(v[httpErrors], c.errors) || !about(v[httpInFlight], c.inFlight) {
				t.Errorf("rate %g, errors %g, in flight %g; want %g, %g, %g", v[httpRate], v[httpErrors],
					v[httpInFlight], c.rate, c.errors, c.inFlight)
			}
			untold := c.name == "pushgateway" && math.IsNaN(v[httpP50])
			if !untold && !(v[httpP50] > 0 && v[httpP50] <= v[httpP99] && v[httpP99] < 1) {
				t.Errorf("p50 %g, p99 %g", v[httpP50], v[httpP99])
			}
			if !math.IsNaN(values[0][httpRate]) {
				t.Error("one page gives a rate")
			}
		})
	}
}

// Pages that count nothing that users asked for.
func TestPagesWithoutRequests(t *testing.T) {
	pages := recorded(t)
	files, err := fs.Glob(pages, "none/*.txt")
	if err != nil || len(files) < 4 {
		t.Fatalf("%d pages, %v", len(files), err)
	}
	for _, name := range files {
		_, values, errs := requestsFrom(t, true, file(t, pages, name), file(t, pages, name))
		for i, err := range errs {
			if !errors.Is(err, ErrNoRequests) || slices.ContainsFunc(values[i],
				func(v float64) bool { return !math.IsNaN(v) }) {
				t.Errorf("%s: %v, %v", name, values[i], err)
			}
		}
	}
	for name, h := range map[string]http.Handler{
		"404": http.NotFoundHandler(), "a shop": file(t, os.DirFS("."), "requests.go"),
		"HTML": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }),
		"a page that nobody named, too large": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(strings.Repeat("http_requests_total 1\n", maxGuessed/20)))
		}),
	} {
		r, values, errs := requestsFrom(t, true, h)
		if errs[0] == nil || slices.ContainsFunc(values[0], func(v float64) bool { return !math.IsNaN(v) }) {
			t.Errorf("%s: %v, %v", name, values[0], errs[0])
		}
		r.due = time.Now().Add(time.Hour)
		if again := r.read(context.Background(), nil); again == nil || again.Error() != errs[0].Error() {
			t.Errorf("%s: while it is not due the reason is %v", name, again)
		}
	}
}

// A service with client_golang's usual names. Nothing is on the page before the first request. The page itself,
// profiles, streams and the requests that the service sends do not count.
func TestRequestsOfClientGolang(t *testing.T) {
	registry := prom.NewRegistry()
	times := prom.NewHistogramVec(prom.HistogramOpts{Name: "http_request_duration_milliseconds", Help: "x",
		Buckets: []float64{10, 20, 40}}, []string{"status", "path"})
	sent := prom.NewCounterVec(prom.CounterOpts{Name: "http_client_requests_total", Help: "x"}, []string{"code"})
	flight := prom.NewGauge(prom.GaugeOpts{Name: "http_requests_in_flight", Help: "x"})
	summary := prom.NewSummaryVec(prom.SummaryOpts{Name: "rpc_server_duration_seconds", Help: "x",
		Objectives: map[float64]float64{0.5: 0.05, 0.99: 0.001}}, []string{"rpc_grpc_status_code"})
	registry.MustRegister(times, sent, flight)
	page := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	step := func(f func()) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { f(); page.ServeHTTP(w, r) })
	}
	observe := func(n int, status, path string, ms float64) {
		for range n {
			times.WithLabelValues(status, path).Observe(ms)
			sent.WithLabelValues("500").Inc()
		}
	}
	_, values, errs := requestsFrom(t, false,
		step(func() { sent.WithLabelValues("200").Inc() }),
		step(func() { observe(1, "200", "/a", 15); observe(1, "200", "/metrics", 1) }),
		step(func() {
			observe(95, "200", "/a", 15)
			observe(5, "502", "/a", 35)
			observe(100, "200", "/metrics", 1)
			observe(100, "500", "/debug/pprof/heap", 39)
			flight.Set(7)
		}),
		step(func() {
			registry.MustRegister(summary)
			summary.WithLabelValues("0").Observe(0.2)
			summary.WithLabelValues("14").Observe(0.3)
		}),
		step(func() {
			observe(100, "200", "/a", 15)
			for range 50 {
				summary.WithLabelValues("14").Observe(0.3)
				summary.WithLabelValues("5").Observe(0.3) // NotFound: caused by the caller
			}
		}))
	if !strings.Contains(errs[0].Error(), "none of the metrics") {
		t.Errorf("before the first request: %v, %v", values[0], errs[0])
	}
	v := values[2]
	if !about(v[httpRate], 10) || !about(v[httpErrors], 0.05) || v[httpInFlight] != 7 || !about(v[httpP50], 0.0153) ||
		!about(v[httpP99], 0.036) {
		t.Errorf("rate %g, errors %g, in flight %g, p50 %g, p99 %g", v[httpRate], v[httpErrors], v[httpInFlight],
			v[httpP50], v[httpP99])
	}
	if v = values[4]; !about(v[httpRate], 20) || !about(v[httpErrors], 0.25) {
		t.Errorf("of two libraries: rate %g, errors %g", v[httpRate], v[httpErrors])
	}
}

// A namespace says whose requests are counted, and gives way to a library that is known by its whole name.
func TestNamespaces(t *testing.T) {
	for _, c := range []struct {
		page string
		want []string
	}{
		{"shop_http_requests_total counter", []string{"shop_http_…"}},
		{"shop_api_http_request_duration_seconds histogram", []string{"shop_api_http_…"}},
		{"http_requests_total counter", nil}, // known by its whole name
		{"shop_client_http_requests_total counter", nil},
		{"shop_http_client_requests_total counter", nil},
		{"rest_client_http_request_duration_seconds histogram", nil},
		{"caddy_admin_http_requests_total counter", nil},
		{"shop_http_requests_in_flight gauge", nil}, // of itself it counts nothing
		{"shop_http_response_size_bytes summary", nil},
	} {
		var got []string
		for _, l := range namespaces([]byte("# HELP x\n# TYPE " + c.page + "\n")) {
			got = append(got, l.title)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.page, got, c.want)
		}
	}
	text := func(s string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(s)) })
	}
	layers := "# TYPE shop_edge_http_requests_total counter\nshop_edge_http_requests_total 7\n" +
		"# TYPE shop_http_requests_total counter\nshop_http_requests_total 9\n"
	r, _, _ := requestsFrom(t, true, text(layers))
	if got := r.Found(); !slices.Equal(got, []string{"shop_http_…"}) {
		t.Errorf("of two layers %q count", got)
	}
	known := layers + "# TYPE http_requests_total counter\nhttp_requests_total 9\n"
	r, _, _ = requestsFrom(t, true, text(layers), text(known))
	if got := r.Found(); !slices.Equal(got, []string{usual.title}) {
		t.Errorf("beside a library that is known, %q count", got)
	}
}

// A page that is expensive for the target is asked for less often.
func TestPageCost(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("http_requests_total{code=\"200\"} 1\n" + strings.Repeat("# x\n", 1<<18)))
	})
	srv := httptest.NewServer(h)
	defer srv.Close()
	r, err := NewRequests(srv.URL, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	before := time.Now()
	if err := r.Look(t.Context()); err != nil {
		t.Fatal(err)
	}
	if wait := r.due.Sub(before); wait < 5*time.Second {
		t.Errorf("a page of 1 MiB is due again after %s", wait)
	}
}

func TestRequestSignals(t *testing.T) {
	r, err := NewRequests("http://127.0.0.1:1/metrics", nil, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range r.Source().Signals {
		if _, ok := vitals.Lookup(s.Name); !ok || !strings.HasPrefix(s.Name, "http_") {
			t.Errorf("%q is no built-in signal of requests", s.Name)
		}
	}
}
