package diagnose

import (
	"bytes"
	"fmt"
	"math"
	"strconv"

	"github.com/gocasebook/casebook/casefile"
)

// pageNames are the names that a page of Prometheus metrics gives to numbers of the Go runtime: client_golang's
// collectors of MemStats and of runtime/metrics, and OpenTelemetry's instrumentation of the runtime.
func pageNames() map[string]string {
	return map[string]string{
		"go_gc_gogc_percent": metricGOGC, "go_config_gogc_percent": metricGOGC,
		"go_gc_gomemlimit_bytes": metricMemoryLimit, "go_memory_limit_bytes": metricMemoryLimit,
		"go_gc_heap_goal_bytes": metricGoal, "go_memstats_next_gc_bytes": metricGoal,
		"go_memory_gc_goal_bytes":       metricGoal,
		"go_gc_heap_allocs_bytes_total": metricAllocs, "go_memstats_alloc_bytes_total": metricAllocs,
		"go_memory_allocated_bytes_total": metricAllocs, "go_gc_duration_seconds_count": metricCycles,
		"go_gc_cycles_total_gc_cycles_total":  metricCycles,
		"go_gc_cycles_forced_gc_cycles_total": metricForced,
	}
}

// isPage recognises a page of metrics by its first line, which is a comment or a metric.
func isPage(head []byte) bool {
	return bytes.HasPrefix(head, []byte("# HELP ")) || bytes.HasPrefix(head, []byte("# TYPE "))
}

// readPage takes the runtime's numbers from a page of metrics. A page has many others, and may have none of these.
func readPage(r *Reading, e Evidence, rep *Report) {
	n := numbers{e.Name, e.Taken, make(map[string]float64)}
	names, lines := pageNames(), 0
	for line := range bytes.Lines(e.Data) {
		fields := bytes.Fields(line)
		if len(fields) < 2 || fields[0][0] == '#' {
			continue
		}
		lines++
		v, err := strconv.ParseFloat(string(fields[1]), 64)
		if metric := names[string(fields[0])]; metric != "" && err == nil && math.Abs(v) <= maxNumber {
			n.value[metric] = v
		}
	}
	r.settings.take(n.value)
	if len(n.value) > 0 {
		r.numbers = append(r.numbers, n)
	}
	rep.Read = append(rep.Read, Artefact{Name: e.Name, Kind: casefile.Prometheus, Samples: lines,
		What: "metrics", Text: fmt.Sprintf("%s, %s of them of the Go runtime", things(float64(lines), "number"),
			count(float64(len(n.value))))})
}
