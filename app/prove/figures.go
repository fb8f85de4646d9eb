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
	P90           = "p90"
	P99           = "p99"
	P999          = "p99.9"
	ErrorShare    = "errors"
	Throughput    = "throughput"
	Stream        = "stream"
	CPUPerRequest = "cpu_per_request"
	CPU           = "cpu"
	GCCPU         = "gc_cpu"
	GCRate        = "gc_rate"
	GCCycle       = "gc_cycle"
	GCPause       = "gc_pause"
	Allocs        = "allocs"
	AllocBytes    = "alloc_bytes"
	HeapObjects   = "heap_objects"
	RSS           = "rss"
	WriteRate     = "write_rate"
	WrittenPer    = "written_per_byte"
	Throttled     = "throttled"
)

// A Spec describes a figure.
type Spec struct {
	Name   string
	Unit   vitals.Unit
	Better string  // "lower" or "higher"
	Floor  float64 // in Unit: a smaller change is not worth a verdict, whatever its share of the value before
	Text   string
	// Exact is the margin of a figure that hardly varies, instead of Options.Margin if that is wider; 0 for others.
	Exact float64
}

// exactMargin is for counts of allocations: between two starts of one server they differ by what pools and the reading
// of the counts itself leave, some tenths of a percent.
const exactMargin = 0.005

// figures lists every figure, in the order of a report: what callers feel, then what it costs.
var figures = []Spec{
	{P50, vitals.Seconds, lower, 50e-6, "median latency of a window's requests", 0},
	{P90, vitals.Seconds, lower, 50e-6, "90th percentile of a window's latencies", 0},
	{P99, vitals.Seconds, lower, 50e-6, "99th percentile of a window's latencies", 0},
	{P999, vitals.Seconds, lower, 50e-6, "99.9th percentile of a window's latencies", 0},
	{ErrorShare, vitals.Share, lower, 0.0005, "share of requests that failed", 0},
	{Throughput, vitals.PerSecond, higher, 0, "good answers per second", 0},
	{Stream, vitals.BytesPerSecond, higher, 0, "bytes per second of the stream that the process works on", 0},
	{CPUPerRequest, vitals.Seconds, lower, 0, "CPU time per good answer", 0},
	{CPU, vitals.Cores, lower, 0.005, "CPU the process used", 0},
	{GCCPU, vitals.Share, lower, 0.002, "share of the available CPU that the garbage collector took", 0},
	{GCRate, vitals.PerSecond, lower, 0.05, "garbage collections per second", 0},
	{GCCycle, vitals.Seconds, lower, 1e-3, "time for which one garbage collection would take all the available CPU", 0},
	{GCPause, vitals.Seconds, lower, 100e-6, "longest stop of the world by the garbage collector", 0},
	{Allocs, vitals.Count, lower, 0, "heap objects allocated per good answer", exactMargin},
	{AllocBytes, vitals.Bytes, lower, 0, "bytes of heap allocated per good answer", exactMargin},
	{HeapObjects, vitals.Count, lower, 1000, "heap objects", 0},
	{RSS, vitals.Bytes, lower, 1 << 20, "resident memory", 0},
	{WriteRate, vitals.BytesPerSecond, lower, 64 << 10, "bytes per second that the process wrote to disks", 0},
	{WrittenPer, vitals.Count, lower, 0.05, "bytes written for a byte of the stream", 0},
	{Throttled, vitals.Share, lower, 0.005, "share of the CFS periods in which the cgroup was throttled", 0},
}

// Figures lists every figure that Compare knows, in the order of its report.
func Figures() []Spec { return append([]Spec(nil), figures...) }

// PairedFigures names the figures that a block has.
func PairedFigures() []string {
	return []string{P50, P90, P99, P999, ErrorShare, Throughput, CPUPerRequest, GCCPU, Allocs, AllocBytes, RSS,
		Throttled}
}

// A LatencyQuantile is a figure that is a quantile of the latencies.
type LatencyQuantile struct {
	Name string
	Q    float64
}

// LatencyQuantiles lists them.
func LatencyQuantiles() []LatencyQuantile {
	return []LatencyQuantile{{P50, 0.5}, {P90, 0.9}, {P99, 0.99}, {P999, 0.999}}
}

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
