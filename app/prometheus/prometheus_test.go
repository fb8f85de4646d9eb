package prometheus

import (
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	prom "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gocasebook/casebook/vitals"
)

// A service has metrics of every kind, as client_golang makes them.
type service struct {
	requests *prom.CounterVec
	bytes    prom.Counter
	queue    *prom.GaugeVec
	latency  *prom.HistogramVec
	window   prom.Summary
	plain    prom.Summary
	registry *prom.Registry
}

func newService() *service {
	s := &service{
		requests: prom.NewCounterVec(prom.CounterOpts{Name: "http_requests_total", Help: `with "quotes" and \`},
			[]string{"code", "path"}),
		bytes: prom.NewCounter(prom.CounterOpts{Name: "sent_bytes_total", Help: "x"}),
		queue: prom.NewGaugeVec(prom.GaugeOpts{Name: "queue_length", Help: "x"}, []string{"queue"}),
		latency: prom.NewHistogramVec(prom.HistogramOpts{Name: "http_request_duration_seconds", Help: "x",
			Buckets: []float64{0.1, 0.2, 0.4}}, []string{"path"}),
		window: prom.NewSummary(prom.SummaryOpts{Name: "job_seconds", Help: "x",
			Objectives: map[float64]float64{0.5: 0.05, 0.99: 0.001}}),
		plain:    prom.NewSummary(prom.SummaryOpts{Name: "row_bytes", Help: "x"}),
		registry: prom.NewPedanticRegistry(),
	}
	s.registry.MustRegister(s.requests, s.bytes, s.queue, s.latency, s.window, s.plain,
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	s.use()
	return s
}

// use counts 100 requests, 90 of them to /a.
func (s *service) use() {
	for i := range 100 {
		path := "/a"
		if i >= 90 {
			path = `/b}" #`
		}
		s.requests.WithLabelValues("200", path).(prom.ExemplarAdder).AddWithExemplar(1, prom.Labels{"trace_id": "abc"})
		s.latency.WithLabelValues(path).(prom.ExemplarObserver).ObserveWithExemplar(0.15,
			prom.Labels{"trace_id": "abc"})
		s.window.Observe(3)
		s.plain.Observe(512)
	}
	s.bytes.Add(400)
	s.queue.WithLabelValues("mail").Set(7)
	s.queue.WithLabelValues("jobs").Set(5)
}

// serve serves the page in one of the formats.
func (s *service) serve(t *testing.T, accept string, gzip bool) string {
	t.Helper()
	h := promhttp.HandlerFor(s.registry, promhttp.HandlerOpts{EnableOpenMetrics: true,
		EnableOpenMetricsTextCreatedSamples: true})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if accept != "" {
			r.Header.Set("Accept", accept)
		}
		if gzip {
			r.Header.Set("Accept-Encoding", "gzip")
		}
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/metrics"
}

// read reads a source into values by signal name. Absent ones are missing.
func read(t *testing.T, s vitals.Source) map[string]float64 {
	t.Helper()
	values := make([]float64, len(s.Signals))
	for i := range values {
		values[i] = math.NaN()
	}
	if err := s.Read(t.Context(), values); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]float64)
	for i, v := range values {
		if !math.IsNaN(v) {
			got[s.Signals[i].Name] = v
		}
	}
	return got
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// The formats that client_golang serves all give the same signals.
func TestRealPage(t *testing.T) {
	for name, c := range map[string]struct {
		accept string
		gzip   bool
	}{
		"as asked":             {"", false},
		"gzip":                 {"", true},
		"OpenMetrics":          {"application/openmetrics-text;version=1.0.0", false},
		"OpenMetrics and gzip": {"application/openmetrics-text;version=1.0.0", true},
	} {
		t.Run(name, func(t *testing.T) {
			service := newService()
			s, err := New(t.Context(), Config{URL: service.serve(t, c.accept, c.gzip), Metrics: []string{
				"http_requests_total", `http_requests_total{code="200",path="/a"}`, `http_requests_total{code="500"}`,
				"sent_bytes_total",
				"queue_length", `queue_length{queue="mail"}`, "http_request_duration_seconds",
				"http_request_duration_seconds_count",
				"http_request_duration_seconds_sum", "job_seconds", `job_seconds{quantile="0.5"}`, "row_bytes",
				"late_total",
			}})
			if err != nil {
				t.Fatal(err)
			}
			src := s.Source()
			checkSignals(t, src)
			got := read(t, src)
			for _, name := range []string{"http_requests_total", "sent_bytes_total"} {
				if v, ok := got[name]; !ok || v != 0 {
					t.Errorf("%s = %g (present: %v) while nothing happens, want 0", name, v, ok)
				}
			}
			service.use()
			got = read(t, src)
			all := got["http_requests_total"]
			for name, want := range map[string]float64{
				"http_requests_total_code_200_path__a": 0.9 * all, "sent_bytes_total": 4 * all, "queue_length": 12,
				"queue_length_queue_mail":             7,
				"http_request_duration_seconds_p99":   0.1 + 0.1*0.99, // all of the bucket from 0.1 to 0.2
				"http_request_duration_seconds_count": all, "http_request_duration_seconds_sum": 0.15 * all,
				"job_seconds_p99": 3, "job_seconds_p50": 3, "row_bytes_mean": 512,
			} {
				if v, ok := got[name]; !ok || math.Abs(v-want) > 1e-6*want {
					t.Errorf("%s = %g (present: %v), want %g", name, v, ok, want)
				}
			}
			for _, name := range []string{"http_requests_total_code_500", "late_total"} {
				if v, ok := got[name]; ok {
					t.Errorf("%s = %g, want absent: nothing has counted yet", name, v)
				}
			}
		})
	}
}

// checkSignals wants names that a watch accepts, and the units of their suffixes.
func checkSignals(t *testing.T, src vitals.Source) {
	t.Helper()
	if _, err := vitals.NewCatalog(src.Signals...); err != nil {
		t.Error(err)
	}
	units := make(map[string]vitals.Unit)
	for _, s := range src.Signals {
		units[s.Name] = s.Unit
		if s.Text == "" {
			t.Errorf("%s has no text", s.Name)
		}
	}
	for name, want := range map[string]vitals.Unit{
		"http_requests_total": vitals.PerSecond, "sent_bytes_total": vitals.BytesPerSecond,
		"queue_length":                      vitals.Count,
		"http_request_duration_seconds_p99": vitals.Seconds, "http_request_duration_seconds_count": vitals.PerSecond,
		"http_request_duration_seconds_sum": vitals.Cores, "row_bytes_mean": vitals.Bytes,
	} {
		if units[name] != want {
			t.Errorf("%s has unit %q, want %q", name, units[name], want)
		}
	}
}

// A first error that creates its series counts, because the page before had the family without it.
func TestFirstOfItsSeriesCounts(t *testing.T) {
	service := newService()
	s, err := New(t.Context(), Config{URL: service.serve(t, "", false),
		Metrics: []string{`http_requests_total{code="500"}`, "http_requests_total"}})
	if err != nil {
		t.Fatal(err)
	}
	service.requests.WithLabelValues("500", "/a").Add(5)
	got := read(t, s.Source())
	if a, b := got["http_requests_total_code_500"], got["http_requests_total"]; !(a > 0) || !near(a, b) {
		t.Errorf("the rate of errors is %g and that of all requests %g, want the same above 0", a, b)
	}
}

func TestStandard(t *testing.T) {
	service := newService()
	s, err := New(t.Context(), Config{URL: service.serve(t, "", false)})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	names := make([]string, 0, len(src.Signals))
	for _, sig := range src.Signals {
		names = append(names, sig.Name)
	}
	want := "http_requests_total http_request_duration_seconds_p99 process_cpu_seconds_total " +
		"process_resident_memory_bytes process_open_fds"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("the standard signals of this page are\n%s, want\n%s", got, want)
	}
	if rss := read(t, src)["process_resident_memory_bytes"]; rss < 1<<20 {
		t.Errorf("process_resident_memory_bytes = %g, want that of this process", rss)
	}
	if n := len(Standard()); n > vitals.MaxExtra {
		t.Errorf("there are %d standard metrics; there is room for %d", n, vitals.MaxExtra)
	}
}

// What the runtime reports only inside the process becomes the built-in signal, from client_golang's Go collector.
func TestBuiltInSignals(t *testing.T) {
	registry := prom.NewPedanticRegistry()
	registry.MustRegister(collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsAll)))
	server := httptest.NewServer(promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	defer server.Close()
	s, err := New(t.Context(), Config{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	src := s.Source()
	var wg sync.WaitGroup
	for range 1000 { // the runtime measures one in eight
		wg.Go(runtime.Gosched)
	}
	wg.Wait()
	got := read(t, src)
	if v := got["gomaxprocs"]; v < 1 {
		t.Errorf("gomaxprocs = %g, want at least 1", v)
	}
	if v, ok := got["sched_latency_p99"]; !ok || v <= 0 || v > 10 {
		t.Errorf("sched_latency_p99 = %g (present: %v), want some of this process", v, ok)
	}
	if v, ok := got["mutex_wait"]; !ok || v < 0 {
		t.Errorf("mutex_wait = %g (present: %v)", v, ok)
	}
	for _, sig := range src.Signals {
		if id, ok := vitals.Lookup(sig.Name); ok && sig != id.Signal() {
			t.Errorf("%s is given as %+v", sig.Name, sig)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	many := make([]string, vitals.MaxExtra+1)
	for i := range many {
		many[i] = "a_total"
	}
	for name, c := range map[string]struct {
		cfg  Config
		want []string
	}{
		"no URL":  {Config{}, []string{"field URL"}},
		"no host": {Config{URL: "http:///metrics"}, []string{"field URL"}},
		"no http": {Config{URL: "ftp://host/metrics"}, []string{"field URL"}},
		"secret":  {Config{URL: "ftp://user:hunter2@host/metrics?token=hunter2"}, []string{"host/metrics"}},
		"everything": {Config{URL: "x", Timeout: -1, Metrics: []string{"{", `a{b!="c"}`}},
			[]string{"field URL", "field Timeout", `"{"`, "!="}},
		"more than room": {Config{URL: "http://127.0.0.1/", Metrics: many}, []string{"33 selectors"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := New(t.Context(), c.cfg)
			if err == nil {
				t.Fatal("it is accepted")
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error is %q, want %q in it", err, want)
				}
			}
			if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("the error shows a secret: %q", err)
			}
		})
	}
}
