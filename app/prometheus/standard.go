package prometheus

import "github.com/gocasebook/casebook/vitals"

// Standard lists the metrics that are selected where nothing else is: those which common libraries give every service
// the same name. Of the go_ and process_ ones, which nearly every page has, only what a watch from outside cannot
// have otherwise: goroutines, heap and GC come from net/http/pprof. CPU, memory and files come from /proc when the
// process runs on this machine; if it does not, there are only the process_ metrics.
func Standard() []string {
	return []string{
		// Requests: the Prometheus convention, and OpenTelemetry's.
		"http_requests_total",
		"http_request_duration_seconds",
		"http_server_request_duration_seconds",
		"http_server_active_requests",
		"grpc_server_handled_total", // go-grpc-middleware
		"grpc_server_handling_seconds",
		"rpc_server_call_duration_seconds",

		// Waiting for a connection of database/sql's pool (client_golang, NewDBStatsCollector).
		"go_sql_in_use_connections",
		"go_sql_wait_count_total",
		"go_sql_wait_duration_seconds_total",

		"process_cpu_seconds_total",
		"process_resident_memory_bytes",
		"process_open_fds",

		"go_sched_gomaxprocs_threads",
		"go_sched_latencies_seconds",
		"go_sync_mutex_wait_total_seconds_total",
	}
}

// builtIn returns the built-in signal that a metric is, if a watch from outside has it in no other way: rules of people
// who watch from inside work, too.
func builtIn(m *metric) (vitals.ID, bool) {
	if len(m.labels) > 0 {
		return 0, false
	}
	switch {
	case m.name == "go_sched_gomaxprocs_threads" && m.kind == gaugeValue:
		return vitals.GoMaxProcs, true
	case m.name == "go_sched_latencies_seconds" && m.kind == histogramP99:
		return vitals.SchedLatencyP99, true
	case m.name == "go_sync_mutex_wait_total_seconds_total" && m.kind == counterRate:
		return vitals.MutexWait, true
	}
	return 0, false
}
