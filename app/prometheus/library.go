package prometheus

import (
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
)

// A library is how one kind of program names its metrics of the requests it serves.
type library struct {
	title    string
	duration []string // histograms or summaries of the time a request took; the first on the page counts
	counter  []string // requests that were answered, if durations do not have the outcome
	started  []string // requests that began: less those that were answered they are in flight
	inFlight []string // gauges
	status   []string // labels that have the outcome
	fault    func(status string) bool
	outer    string // a label by whose values the same request is counted again and again: the fullest counts

	otherProtocol bool // than HTTP, which pages are asked for by

	namespace string // of a program's own, see namespaces
}

// usual are the names of Prometheus' documentation and of most middlewares: promhttp, fiberprometheus, slok. Programs
// also have them behind a namespace.
var usual = library{
	title: "client_golang's usual names",
	duration: []string{"http_request_duration_seconds", "http_request_duration_milliseconds",
		"http_request_duration_ms", "http_response_time_seconds"},
	counter: []string{"http_requests_total", "http_request_total"},
	inFlight: []string{"http_requests_in_flight", "http_requests_inflight", "http_requests_in_progress",
		"http_requests_in_progress_total", "http_in_flight_requests", "in_flight_requests"},
	status: httpStatus, fault: serverError,
}

// libraries are known by name; of several that a page has each counts, but for the layers of one program, of which the
// outermost comes first here and hides those of its layer.
//
// Not here, because they are not what users ask for: promhttp_metric_handler_requests_total (the scraping itself), and
// all that is sent to others (http_client_…, rest_client_…, coredns_forward_…).
var libraries = [...]library{
	{
		// opentelemetry.io/docs/specs/semconv/http/http-metrics, old names with milliseconds
		title: "OpenTelemetry HTTP",
		duration: []string{"http_server_request_duration_seconds", "http_server_duration_milliseconds",
			"http_server_duration_seconds"},
		inFlight: []string{"http_server_active_requests"},
		status:   []string{"http_response_status_code", "http_status_code"}, fault: serverError,
	},
	usual,
	{
		title: "Caddy", duration: []string{"caddy_http_request_duration_seconds"},
		counter:  []string{"caddy_http_requests_total"},
		inFlight: []string{"caddy_http_requests_in_flight"}, status: httpStatus, fault: serverError, outer: "handler",
	},
	{
		title: "Traefik", duration: []string{"traefik_entrypoint_request_duration_seconds"},
		counter: []string{"traefik_entrypoint_requests_total"},
		status:  httpStatus, fault: serverError,
	},
	{
		title: "Prometheus", duration: []string{"prometheus_http_request_duration_seconds"},
		counter: []string{"prometheus_http_requests_total"},
		status:  httpStatus, fault: serverError,
	},
	{
		title: "gin", duration: []string{"gin_request_duration_seconds", "gin_request_duration"},
		counter: []string{"gin_requests_total", "gin_request_total"},
		status:  httpStatus, fault: serverError,
	},
	{
		title: "echo", duration: []string{"echo_request_duration_seconds"}, counter: []string{"echo_requests_total"},
		status: httpStatus, fault: serverError,
	},
	{
		title: "chi", duration: []string{"chi_request_duration_milliseconds", "chi_request_duration_seconds"},
		counter: []string{"chi_requests_total"},
		status:  httpStatus, fault: serverError,
	},
	{
		title: "kratos", duration: []string{"server_requests_seconds", "server_requests_duration_sec"},
		counter: []string{"server_requests_code_total"},
		status:  httpStatus, fault: serverError,
	},
	{
		title: "Kubernetes' API server", duration: []string{"apiserver_request_duration_seconds"},
		counter:  []string{"apiserver_request_total"},
		inFlight: []string{"apiserver_current_inflight_requests"}, status: httpStatus, fault: serverError,
	},
	{title: "Loki", duration: []string{"loki_request_duration_seconds"}, inFlight: []string{"loki_inflight_requests"},
		status: httpStatus, fault: serverError},
	{title: "Tempo", duration: []string{"tempo_request_duration_seconds"},
		inFlight: []string{"tempo_inflight_requests"}, status: httpStatus, fault: serverError},
	{title: "Mimir", duration: []string{"cortex_request_duration_seconds"},
		inFlight: []string{"cortex_inflight_requests"}, status: httpStatus, fault: serverError},
	{
		title:    "go-grpc-prometheus", // and its successor in go-grpc-middleware v2; etcd
		duration: []string{"grpc_server_handling_seconds"}, counter: []string{"grpc_server_handled_total"},
		started: []string{"grpc_server_started_total"},
		status:  []string{"grpc_code"}, fault: grpcError, otherProtocol: true,
	},
	{
		title: "OpenTelemetry RPC", // opentelemetry.io/docs/specs/semconv/rpc/rpc-metrics
		duration: []string{"rpc_server_call_duration_seconds", "rpc_server_duration_milliseconds",
			"rpc_server_duration_seconds"},
		status: []string{"rpc_response_status_code", "rpc_grpc_status_code"}, fault: grpcError, otherProtocol: true,
	},
	{
		title: "CoreDNS", duration: []string{"coredns_dns_request_duration_seconds"},
		counter: []string{"coredns_dns_responses_total"},
		status:  []string{"rcode"}, fault: func(rcode string) bool { return rcode == "SERVFAIL" }, otherProtocol: true,
	},
}

var httpStatus = []string{"code", "status", "status_code", "http_status", "statuscode"}

// serverError reports whether an HTTP status is the server's fault: "503", "5xx", "5XX".
func serverError(status string) bool { return len(status) == 3 && status[0] == '5' }

// grpcFaults are the codes that OpenTelemetry's semantic conventions count as errors of a server
// (opentelemetry.io/docs/specs/semconv/rpc/grpc, "grpc status codes" for server spans); the others are the caller's
// doing. By name as go-grpc-prometheus has them, by number as OpenTelemetry did, and in capitals as it does now.
var grpcFaults = []string{
	"Unknown", "2", "UNKNOWN", "DeadlineExceeded", "4", "DEADLINE_EXCEEDED", "Unimplemented", "12", "UNIMPLEMENTED",
	"Internal", "13", "INTERNAL", "Unavailable", "14", "UNAVAILABLE", "DataLoss", "15", "DATA_LOSS",
}

func grpcError(code string) bool { return slices.Contains(grpcFaults, code) }

// pathLabels say which page was requested.
var pathLabels = []string{"handler", "path", "route", "uri", "url", "endpoint", "http_route", "http_target", "url_path"}

// ours reports whether a series counts what watches the service ask for: the page itself, probes and profiles.
func ours(s *dto.Metric, page string) bool {
	path := labelOf(s, pathLabels)
	return path != "" && (path == page || strings.HasPrefix(path, "/debug/pprof"))
}

// lasting reports whether a series is of requests that are meant to last: a latency of theirs means nothing.
func lasting(s *dto.Metric) bool {
	switch kind := labelOf(s, []string{"grpc_type"}); {
	case kind != "" && kind != "unary":
		return true
	case labelOf(s, []string{"ws"}) == "true": // dskit: a websocket
		return true
	}
	verb := labelOf(s, []string{"verb"})
	return verb == "WATCH" || verb == "CONNECT"
}

// labelOf returns the value of the first of the labels that a series has; "" without any.
func labelOf(s *dto.Metric, names []string) string {
	for _, name := range names {
		for _, l := range s.Label {
			if l.GetName() == name {
				return l.GetValue()
			}
		}
	}
	return ""
}

// scaleOf returns how many seconds a unit of a metric is, by the suffix of its name; seconds if there is none.
func scaleOf(name string) float64 {
	for _, u := range [...]struct {
		suffix string
		scale  float64
	}{{"_milliseconds", 1e-3}, {"_ms", 1e-3}, {"_microseconds", 1e-6}, {"_us", 1e-6}, {"_nanoseconds", 1e-9}} {
		if strings.HasSuffix(name, u.suffix) {
			return u.scale
		}
	}
	return 1
}
