package engine

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	prom "github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/gocasebook/casebook/app/engine/enginetest"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// shop serves what client_golang exports of this process, and requests. It is not ready when it is asked first, as a
// service that begins: its container is known before it is.
func shop(t *testing.T) (host string) {
	registry := prom.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(collectors.WithGoCollectorRuntimeMetrics(collectors.MetricsAll)),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	requests := prom.NewHistogramVec(prom.HistogramOpts{Name: "http_request_duration_seconds", Help: "x",
		Buckets: []float64{0.1, 0.2, 0.4}}, []string{"code"})
	registry.MustRegister(requests)
	page := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	var asked atomic.Int32
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) <= 2 {
			http.Error(w, "starting", http.StatusServiceUnavailable)
			return
		}
		for range 10 {
			requests.WithLabelValues("200").Observe(0.15)
		}
		page.ServeHTTP(w, r)
	}))
	t.Cleanup(web.Close)
	return strings.TrimPrefix(web.URL, "http://")
}

// kubelet serves what cAdvisor exports of the container, with half a core and 512 MiB.
func kubelet(t *testing.T) (host string) {
	began := time.Now()
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		periods := int(time.Since(began) / (100 * time.Millisecond))
		const of = `{container="shop",namespace="x",pod="shop-1"}`
		fmt.Fprintf(w, "# TYPE container_cpu_cfs_periods_total counter\ncontainer_cpu_cfs_periods_total%s %d\n"+
			"# TYPE container_cpu_cfs_throttled_periods_total counter\n"+
			"container_cpu_cfs_throttled_periods_total%[1]s %[3]d\n"+
			"container_spec_cpu_quota%[1]s 50000\ncontainer_spec_cpu_period%[1]s 100000\n"+
			"container_spec_memory_limit_bytes%[1]s 536870912\ncontainer_memory_rss%[1]s 268435456\n"+
			"# TYPE container_cpu_usage_seconds_total counter\ncontainer_cpu_usage_seconds_total%[1]s %[4]g\n",
			of, periods, periods/4, 0.25*time.Since(began).Seconds())
	}))
	t.Cleanup(web.Close)
	return strings.TrimPrefix(web.URL, "http://")
}

// startPrometheus runs Debian's server on two pages, scraped every 4 s, until the test ends.
func startPrometheus(t *testing.T, shop, kubelet string) (host string) {
	binary, err := exec.LookPath("prometheus")
	if err != nil {
		t.Skip("prometheus is not installed: apt-get install prometheus, or make deps")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	host = l.Addr().String()
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("global: {scrape_interval: 4s, scrape_timeout: 4s}\nscrape_configs:\n- job_name: shop\n  static_configs: "+
		"[{targets: [%q]}]\n- job_name: kubelet\n  static_configs: [{targets: [%q]}]\n", shop, kubelet)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(binary, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+host)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Stderr = t.Output()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
	})
	return host
}

// A real Prometheus that scrapes client_golang's and cAdvisor's names gives the signals in their units.
func TestPrometheus(t *testing.T) {
	host := startPrometheus(t, shop(t), kubelet(t))
	target, err := New("prometheus://"+host+"?service=shop", Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[vitals.ID][2]float64{ // least and most
		vitals.CPU: {1e-6, 64}, vitals.CPULimit: {0.5, 0.5}, vitals.CPUShare: {0.3, 0.7},
		vitals.Throttled: {0.15, 0.35},
		vitals.RSS:       {1 << 20, 1 << 40}, vitals.MemoryLimit: {512 << 20, 512 << 20}, vitals.MemoryShare: {0.5, 0.5},
		vitals.HeapAlloc: {1 << 16, 1 << 40}, vitals.HeapLive: {1, 1 << 40}, vitals.HeapGoal: {1 << 20, 1 << 40},
		vitals.Goroutines: {2, 1e6}, vitals.Stacks: {1, 1 << 40}, vitals.GoMemory: {1 << 20, 1 << 40},
		vitals.GoMaxProcs: {1, 4096}, vitals.Threads: {1, 1e6}, vitals.OpenFiles: {3, 1e6},
		vitals.AllocRate:       {1, 1 << 40},
		vitals.AllocObjectRate: {1, 1e12}, vitals.HTTPRate: {0.5, 5}, vitals.HTTPLatencyP50: {0.1, 0.2},
		vitals.HTTPLatencyP99: {0.1, 0.2},
	}
	var got vitals.Sample
	var lacks []string
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(2 * time.Second) {
		past, err := target.Past(t.Context(), time.Now().Add(-time.Minute))
		if lacks = []string{fmt.Sprint("an answer: ", err)}; err != nil || len(past) == 0 {
			continue
		}
		got, lacks = past[len(past)-1], nil
		for id, bounds := range want {
			if v, ok := got.Get(id); !ok || v < bounds[0] || v > bounds[1] {
				lacks = append(lacks, fmt.Sprintf("%s is %g, want %g to %g", id, v, bounds[0], bounds[1]))
			}
		}
		if len(lacks) == 0 {
			break
		}
	}
	for _, l := range lacks {
		t.Error(l)
	}
	d, err := target.Describe(t.Context())
	if err != nil || d.Limits.CPUs != 0.5 || d.Limits.MemoryBytes != 512<<20 ||
		!strings.HasPrefix(d.Build.GoVersion, "go1") {
		t.Errorf("described as %+v (%v)", d, err)
	}
	wrong, err := New("prometheus://"+host+"?service=shpo", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wrong.Describe(t.Context()); err == nil || !strings.Contains(err.Error(), "did you mean shop?") {
		t.Errorf("another service: %v", err)
	}
}

// Metrics complete what profiles say, and win where both say it: they are of the whole process.
func TestProfilesAndMetrics(t *testing.T) {
	s := enginetest.NewPyroscope(t)
	fill(t, s, time.Now())
	at := time.Now().Truncate(step)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "query_range") {
			_, _ = w.Write([]byte(`{"status":"success","data":["nats"]}`))
			return
		}
		fmt.Fprintf(w, `{"status":"success","data":{"resultType":"matrix","result":[`+
			`{"metric":{"casebook_signal":"rss"},"values":[[%d,"1e9"]]},`+
			`{"metric":{"casebook_signal":"gc_cpu"},"values":[[%[1]d,"NaN"]]}]}}`, at.Unix())
	}))
	defer web.Close()
	target := newTarget(t, Pyroscope, s, "", Options{Metrics: "prometheus://" + strings.TrimPrefix(web.URL, "http://") +
		"?service=nats"})
	past, err := target.Past(t.Context(), time.Now().Add(-5*time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[vitals.ID]bool{}
	for _, sample := range past {
		for _, id := range []vitals.ID{vitals.CPU, vitals.RSS, vitals.GCCPU} {
			if _, ok := sample.Get(id); ok {
				seen[id] = true
			}
		}
	}
	if !seen[vitals.CPU] || !seen[vitals.RSS] || seen[vitals.GCCPU] {
		t.Errorf("seen are %v; want the CPU of the profiles, RSS of the metrics, and no gc_cpu, which is NaN", seen)
	}
	if _, err := target.Capture(t.Context(), casefile.CPU, 0); err != nil {
		t.Error(err)
	}
}

// What a label's value holds stays within its quotes.
func TestQueryIsConfined(t *testing.T) {
	q := query(selector{"job": `x"} or vector(1) or y{a="`}, selector{"container": "c"})
	if strings.Contains(q, `"} or vector(1)`) && !strings.Contains(q, `\"} or vector(1)`) {
		t.Errorf("the value ends the selector: %.300s", q)
	}
	if strings.Contains(q, "$") || len(q) > 12<<10 {
		t.Errorf("the query has %d bytes and a placeholder: %.300s", len(q), q)
	}
	if n := strings.Count(q, "label_replace("); n != len(expressions) {
		t.Errorf("%d of %d expressions are asked for", n, len(expressions))
	}
}
