package engine

import (
	"strings"

	"github.com/gocasebook/casebook/vitals"
)

// rateOver is the window of rates: two scrapes at Prometheus' default of one a minute.
const rateOver = "[2m]"

// An expression is how a signal is computed of series that usual exporters have. In it $S stands for the selector of
// the service's own series, $K for that of cAdvisor's, $R for the window of rates. Each is an average over the
// instances.
type expression struct {
	id   vitals.ID
	text string
}

// expressions: go_… and process_… are client_golang's (collectors.NewGoCollector, NewProcessCollector), with the
// runtime/metrics that it exports by default or by WithGoCollectorRuntimeMetrics; container_… are cAdvisor's; http_…
// are the usual names (prometheus.io/docs/practices/naming) and OpenTelemetry's.
var expressions = []expression{
	{vitals.CPU, "avg(rate(process_cpu_seconds_total$S$R)) or " +
		"avg(sum by (namespace, pod) (rate(container_cpu_usage_seconds_total$K$R)))"},
	{vitals.CPULimit, "avg(container_spec_cpu_quota$K / container_spec_cpu_period$K)"},
	{vitals.CPUShare, "avg(sum by (namespace, pod) (rate(container_cpu_usage_seconds_total$K$R))) / " +
		"avg(container_spec_cpu_quota$K / container_spec_cpu_period$K)"},
	{vitals.Throttled, "avg(rate(container_cpu_cfs_throttled_periods_total$K$R) / " +
		"rate(container_cpu_cfs_periods_total$K$R))"},
	{vitals.ThrottledCores, "avg(rate(container_cpu_cfs_throttled_seconds_total$K$R))"},
	{vitals.RSS, "avg(process_resident_memory_bytes$S) or avg(container_memory_rss$K)"},
	{vitals.MemoryLimit, "avg(container_spec_memory_limit_bytes$K > 0)"},
	{vitals.MemoryShare, "avg(container_memory_rss$K) / avg(container_spec_memory_limit_bytes$K > 0)"},
	{vitals.GCCPU, "(sum(rate(go_cpu_classes_gc_total_cpu_seconds_total$S$R)) - " +
		"sum(rate(go_cpu_classes_gc_mark_idle_cpu_seconds_total$S$R))) / " +
		"sum(rate(go_cpu_classes_total_cpu_seconds_total$S$R))"},
	{vitals.GCRate, "avg(rate(go_gc_duration_seconds_count$S$R))"},
	{vitals.HeapAlloc, "avg(go_memstats_heap_alloc_bytes$S)"},
	{vitals.HeapLive, "avg(go_gc_heap_live_bytes$S)"},
	{vitals.HeapGoal, "avg(go_memstats_next_gc_bytes$S)"},
	{vitals.HeapObjects, "avg(go_memstats_heap_objects$S)"},
	{vitals.AllocRate, "avg(rate(go_memstats_alloc_bytes_total$S$R))"},
	{vitals.AllocObjectRate, "avg(rate(go_memstats_mallocs_total$S$R))"},
	{vitals.Stacks, "avg(go_memstats_stack_inuse_bytes$S)"},
	{vitals.GoMemory, "avg(go_memstats_sys_bytes$S - go_memstats_heap_released_bytes$S)"},
	{vitals.GoMemoryLimit, "avg(go_gc_gomemlimit_bytes$S < 9e18)"},
	{vitals.Goroutines, "avg(go_goroutines$S)"},
	{vitals.GoMaxProcs, "avg(go_sched_gomaxprocs_threads$S)"},
	{vitals.Threads, "avg(go_threads$S)"},
	{vitals.OpenFiles, "avg(process_open_fds$S)"},
	{vitals.OpenFilesShare, "avg(process_open_fds$S / process_max_fds$S)"},
	{vitals.MutexWait, "avg(rate(go_sync_mutex_wait_total_seconds_total$S$R))"},
	{vitals.SchedLatencyP99, "histogram_quantile(0.99, sum by (le) (rate(go_sched_latencies_seconds_bucket$S$R)))"},
	{vitals.HTTPRate, perInstance("http_requests_total") + " or " +
		perInstance("http_request_duration_seconds_count") + " or " +
		perInstance("http_server_request_duration_seconds_count")},
	{vitals.HTTPLatencyP50, latency("0.5")},
	{vitals.HTTPLatencyP99, latency("0.99")},
}

// perInstance is how much a counter of an average instance grows in a second.
func perInstance(name string) string { return "avg(sum by (instance) (rate(" + name + "$S$R)))" }

// latency is a quantile of the times of requests.
func latency(q string) string {
	of := func(name string) string {
		return "histogram_quantile(" + q + ", sum by (le) (rate(" + name + "_bucket$S$R)))"
	}
	return of("http_request_duration_seconds") + " or " + of("http_server_request_duration_seconds")
}

// signalLabel names the signal of a series in the answer.
const signalLabel = "casebook_signal"

// query asks for all signals at once: one request whose series have the signal's name as their only label.
func query(service, container selector) string {
	fill := strings.NewReplacer("$S", service.String(), "$K", container.String(), "$R", rateOver)
	var parts []string
	for _, e := range expressions {
		parts = append(parts, `label_replace(`+fill.Replace(e.text)+`, "`+signalLabel+`", "`+e.id.String()+`", "", "")`)
	}
	return strings.Join(parts, " or ")
}
