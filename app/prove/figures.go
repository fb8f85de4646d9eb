package prove

import "github.com/gocasebook/casebook/vitals"

// The directions of a figure, as casefile.Figure.Better has them.
const (
	lower  = "lower"
	higher = "higher"
)

// Names of the figures, the keys of a Round.
const (
	P50           = "p50"
	P99           = "p99"
	P999          = "p99.9"
	ErrorShare    = "errors"
	Throughput    = "throughput"
	CPUPerRequest = "cpu_per_request"
	CPU           = "cpu"
	GCCPU         = "gc_cpu"
	HeapObjects   = "heap_objects"
	RSS           = "rss"
	Throttled     = "throttled"
)

// A Spec describes a figure.
type Spec struct {
	Name   string
	Unit   vitals.Unit
	Better string  // "lower" or "higher"
	Floor  float64 // in Unit: a smaller change is not worth a verdict, whatever its share of the value before
	Text   string
}

// figures lists every figure, in the order of a report: what callers feel, then what it costs.
var figures = []Spec{
	{P50, vitals.Seconds, lower, 50e-6, "median latency of a window's requests"},
	{P99, vitals.Seconds, lower, 50e-6, "99th percentile of a window's latencies"},
	{P999, vitals.Seconds, lower, 50e-6, "99.9th percentile of a window's latencies"},
	{ErrorShare, vitals.Share, lower, 0.0005, "share of the requests that failed"},
	{Throughput, vitals.PerSecond, higher, 0, "good answers per second"},
	{CPUPerRequest, vitals.Seconds, lower, 0, "CPU time per good answer"},
	{CPU, vitals.Cores, lower, 0.005, "CPU the process used"},
	{GCCPU, vitals.Share, lower, 0.002, "share of the available CPU that the garbage collector took"},
	{HeapObjects, vitals.Count, lower, 1000, "heap objects"},
	{RSS, vitals.Bytes, lower, 1 << 20, "resident memory"},
	{Throttled, vitals.Share, lower, 0.005, "share of the CFS periods in which the cgroup was throttled"},
}

// Figures lists every figure that Compare knows, in the order of its report.
func Figures() []Spec { return append([]Spec(nil), figures...) }

func lookup(name string) (Spec, bool) {
	for _, f := range figures {
		if f.Name == name {
			return f, true
		}
	}
	return Spec{}, false
}

func names() []string {
	var ns []string
	for _, f := range figures {
		ns = append(ns, f.Name)
	}
	return ns
}
