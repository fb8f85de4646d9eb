package diagnose

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// numbers are counters and sizes of the Go runtime at one moment, by their names in runtime/metrics. They come from
// runtime/metrics itself, from expvar's memstats, or from the end of a heap profile with debug=1.
type numbers struct {
	name  string // the file's
	taken time.Time
	value map[string]float64
}

// Names of runtime/metrics that detectors ask for.
const (
	metricCycles      = "/gc/cycles/total:gc-cycles"
	metricForced      = "/gc/cycles/forced:gc-cycles"
	metricGOGC        = "/gc/gogc:percent"
	metricMemoryLimit = "/gc/gomemlimit:bytes"
	metricGoal        = "/gc/heap/goal:bytes"
	metricAllocs      = "/gc/heap/allocs:bytes"
	metricObjects     = "/memory/classes/heap/objects:bytes"
	metricUnused      = "/memory/classes/heap/unused:bytes"
	metricFree        = "/memory/classes/heap/free:bytes"
	metricStacks      = "/memory/classes/heap/stacks:bytes"
	metricReleased    = "/memory/classes/heap/released:bytes"
	metricOSStacks    = "/memory/classes/os-stacks:bytes"
	metricSpans       = "/memory/classes/metadata/mspan/inuse:bytes"
	metricSpansFree   = "/memory/classes/metadata/mspan/free:bytes"
	metricCaches      = "/memory/classes/metadata/mcache/inuse:bytes"
	metricCachesFree  = "/memory/classes/metadata/mcache/free:bytes"
	metricForGC       = "/memory/classes/metadata/other:bytes"
	metricBuckets     = "/memory/classes/profiling/buckets:bytes"
	metricOther       = "/memory/classes/other:bytes"
	metricHeapLive    = "/gc/heap/live:bytes"
	metricFinQueued   = "/gc/finalizers/queued:finalizers"
	metricFinRun      = "/gc/finalizers/executed:finalizers"
	metricCleanQueue  = "/gc/cleanups/queued:cleanups"
	metricCleanRun    = "/gc/cleanups/executed:cleanups"
)

// Settings of the runtime, as far as the evidence shows them.
type settings struct {
	gogc     float64 // percent; 0 when not known, -1 when off
	memLimit float64 // GOMEMLIMIT in bytes; 0 when not known or off
	unset    bool    // the process was started without GOGC: 100, unless it calls debug.SetGCPercent
	sure     bool    // from the runtime, not from the environment, which debug.SetMemoryLimit does not change

	procs      float64 // GOMAXPROCS as it is set now; 0 when not known
	procsVar   string  // the variable that the process was started with; "" when not set or not known
	procsRead  bool    // the variables are known
	builtDebug string  // DefaultGODEBUG of the build; "" when not set or not known
	debug      string  // GODEBUG that the process was started with; "" when not set or not known
}

// maxNumber is more than any count of bytes, nanoseconds or objects.
const maxNumber = 1e20

// maxNumbers limits a file of numbers: runtime/metrics writes about 20 kB.
const maxNumbers = 4 << 20

// isNumbers recognises evidence of the kinds metrics and runtime.
func isNumbers(e Evidence) bool {
	switch e.Kind {
	case casefile.Metrics, casefile.Runtime, casefile.Prometheus:
		return true
	case "":
		head := bytes.TrimLeft(e.Data[:min(len(e.Data), 256)], " \t\r\n")
		if isPage(head) {
			return true
		}
		return bytes.HasPrefix(head, []byte("{")) && (bytes.Contains(e.Data, []byte(`"/gc/heap/`)) ||
			bytes.Contains(e.Data, []byte(`"memstats"`)) || bytes.Contains(e.Data, []byte(`"rlimits"`)))
	}
	return false
}

// readNumbers reads evidence of the kinds metrics and runtime. A file without known numbers is a Problem.
func readNumbers(r *Reading, e Evidence, rep *Report) {
	fail := func(reason string) {
		rep.Problems = append(rep.Problems, Problem{e.Name, reason, "give a capture of Casebook, runtime/metrics as " +
			"JSON, or the response of /debug/vars"})
	}
	if len(e.Data) > maxNumbers {
		fail(fmt.Sprintf("larger than %d MiB", maxNumbers>>20))
		return
	}
	if e.Kind == casefile.Prometheus || isPage(bytes.TrimLeft(e.Data, " \t\r\n")) {
		readPage(r, e, rep)
		return
	}
	var doc map[string]json.RawMessage
	if err := json.Unmarshal(e.Data, &doc); err != nil {
		fail("not one JSON object: " + err.Error())
		return
	}
	r.settings.merge(doc)
	takeMemory(r, e, doc)
	n := numbers{e.Name, takenOf(doc, e.Taken), flat(doc)}
	kind, what, text := casefile.Metrics, "metrics", fmt.Sprintf("%d numbers", len(n.value))
	if doc["effective"] != nil || doc["environment"] != nil || doc["rlimits"] != nil || doc["memory"] != nil {
		kind, what, text = casefile.Runtime, "", "settings and limits of the runtime"
	} else if len(n.value) == 0 {
		fail("no number of the Go runtime in it")
		return
	}
	if len(n.value) > 0 {
		r.numbers = append(r.numbers, n)
	}
	rep.Read = append(rep.Read, Artefact{Name: e.Name, Kind: kind, Samples: len(n.value), What: what, Text: text})
}

// flat takes the numbers out of a document of runtime/metrics or expvar. It leaves out impossible values, so that sums
// and products of the rest are finite.
func flat(doc map[string]json.RawMessage) map[string]float64 {
	out := make(map[string]float64)
	for name, raw := range doc {
		var v float64
		if strings.HasPrefix(name, "/") && json.Unmarshal(raw, &v) == nil && math.Abs(v) <= maxNumber {
			out[name] = v
		}
	}
	if inner := doc["metrics"]; inner != nil {
		var values map[string]json.RawMessage
		if json.Unmarshal(inner, &values) == nil {
			delete(values, "metrics")
			delete(values, "memstats")
			maps.Copy(out, flat(values))
		}
	}
	var ms map[string]json.RawMessage
	if json.Unmarshal(doc["memstats"], &ms) == nil {
		stats := make(map[string]float64, len(ms))
		for name, raw := range ms {
			var v float64
			if json.Unmarshal(raw, &v) == nil {
				stats[name] = v
			}
		}
		fromMemStats(out, stats)
	}
	return out
}

// takenOf is when the numbers of a document were read, if it says so, otherwise when it was written.
func takenOf(doc map[string]json.RawMessage, written time.Time) time.Time {
	var at time.Time
	if json.Unmarshal(doc["memstats_taken"], &at) == nil && !at.IsZero() {
		return at
	}
	return written
}

// fromMemStats translates fields of runtime.MemStats.
func fromMemStats(out, stats map[string]float64) {
	set := func(metric string, ok bool, v float64) {
		if ok && v >= 0 && v <= maxNumber {
			out[metric] = v
		}
	}
	has := func(names ...string) bool {
		for _, n := range names {
			if _, ok := stats[n]; !ok {
				return false
			}
		}
		return true
	}
	set(metricCycles, has("NumGC"), stats["NumGC"])
	set(metricForced, has("NumForcedGC"), stats["NumForcedGC"])
	set(metricGoal, has("NextGC"), stats["NextGC"])
	set(metricAllocs, has("TotalAlloc"), stats["TotalAlloc"])
	set(metricObjects, has("HeapAlloc"), stats["HeapAlloc"])
	set(metricUnused, has("HeapInuse", "HeapAlloc"), stats["HeapInuse"]-stats["HeapAlloc"])
	set(metricFree, has("HeapIdle", "HeapReleased"), stats["HeapIdle"]-stats["HeapReleased"])
	set(metricStacks, has("StackInuse"), stats["StackInuse"])
	set(metricReleased, has("HeapReleased"), stats["HeapReleased"])
	set(metricOSStacks, has("StackSys", "StackInuse"), stats["StackSys"]-stats["StackInuse"])
	set(metricSpans, has("MSpanSys"), stats["MSpanSys"])
	set(metricCaches, has("MCacheSys"), stats["MCacheSys"])
	set(metricForGC, has("GCSys"), stats["GCSys"])
	set(metricBuckets, has("BuckHashSys"), stats["BuckHashSys"])
	set(metricOther, has("OtherSys"), stats["OtherSys"])
}

// numbersOfHeap takes the numbers at the end of heap profiles with debug=1.
func numbersOfHeap(r *Reading, s *stacks.Set) {
	if len(s.Stats) == 0 {
		return
	}
	out := make(map[string]float64)
	fromMemStats(out, s.Stats)
	if len(out) > 0 {
		r.numbers = append(r.numbers, numbers{s.Name, s.Taken, out})
	}
}

// metricOf is the latest value of a metric.
func metricOf(r *Reading, metric string) (v float64, ok bool) {
	for i := len(r.numbers) - 1; i >= 0; i-- {
		if v, ok = r.numbers[i].value[metric]; ok {
			return v, true
		}
	}
	return 0, false
}

// gained is by how much a counter rose between the first and the last evidence that has it, and in what time.
func gained(r *Reading, metric string) (d, seconds float64, ok bool) {
	first, last := -1, -1
	for i := range r.numbers {
		if _, has := r.numbers[i].value[metric]; has && !r.numbers[i].taken.IsZero() {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 || first == last {
		return 0, 0, false
	}
	a, b := r.numbers[first], r.numbers[last]
	d, seconds = b.value[metric]-a.value[metric], b.taken.Sub(a.taken).Seconds()
	return d, seconds, d >= 0 && seconds > 0
}

// merge takes GOGC and GOMEMLIMIT from evidence of the kinds runtime and metrics. The runtime's values override the
// variables that the process was started with.
func (s *settings) merge(doc map[string]json.RawMessage) {
	var env map[string]string
	if json.Unmarshal(doc["environment"], &env) == nil && doc["environment"] != nil {
		s.set(env["GOGC"], env["GOMEMLIMIT"])
		_, set := env["GOGC"]
		s.unset = !set
		s.debug = env["GODEBUG"]
	}
	var built map[string]string
	if json.Unmarshal(doc["settings"], &built) == nil {
		s.builtDebug = built["DefaultGODEBUG"]
	}
	s.take(flat(doc))
	var e struct {
		GOGC, GOMEMLIMIT string
		GOMAXPROCS       float64
	}
	if json.Unmarshal(doc["effective"], &e) == nil && doc["effective"] != nil {
		s.sure = true
		s.set(e.GOGC, e.GOMEMLIMIT)
		s.procs = max(e.GOMAXPROCS, 0)
	}
	var absent map[string]string
	if json.Unmarshal(doc["absent"], &absent) == nil || doc["absent"] == nil {
		_, unread := absent["environment"]
		s.procsVar, s.procsRead = env["GOMAXPROCS"], doc["settings"] != nil && !unread
	}
}

// take takes the settings from numbers of runtime/metrics.
func (s *settings) take(n map[string]float64) {
	if gogc := n[metricGOGC]; gogc > 0 {
		s.gogc, s.sure = gogc, true
		if gogc >= math.MaxInt32 {
			s.gogc = -1
		}
	}
	if limit := n[metricMemoryLimit]; limit > 0 && limit < math.MaxInt64/2 {
		s.memLimit = limit
	}
}

func (s *settings) set(gogc, limit string) {
	if strings.EqualFold(gogc, "off") {
		s.gogc = -1
	} else if v, err := strconv.ParseFloat(gogc, 64); err == nil && v >= 0 {
		s.gogc = v
		if v == 0 {
			s.gogc = 0.1 // GOGC=0 collects all the time; 0 here means not known
		}
	}
	if v, ok := memorySize(limit); ok {
		s.memLimit = v
	}
}

// memorySize reads a size in the format of GOMEMLIMIT: "512MiB", "1000000", "1GiB".
func memorySize(s string) (float64, bool) {
	unit := 1.0
	for _, u := range []struct {
		suffix string
		unit   float64
	}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}} {
		if rest, ok := strings.CutSuffix(s, u.suffix); ok {
			s, unit = rest, u.unit
			break
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	return v * unit, err == nil && v > 0 && v*unit < math.MaxInt64/2
}

// gcShareOfVitals is the collector's share of the CPU used. The signal is a share of the CPU available; without the
// number of CPUs it is used as it is, which is too low. The runtime counts the time for which its workers run, and they
// stand still where others have the CPU: a profile, however few its samples are, says what it can be at most.
func gcShareOfVitals(r *Reading) (float64, bool) {
	gc, ok := r.Mean(vitals.GCCPU)
	if !ok {
		return 0, false
	}
	if cpu, ok := r.Mean(vitals.CPU); ok && cpu > 0 && r.Limits.CPUs > 0 {
		gc = min(gc*r.Limits.CPUs/cpu, 1)
	}
	if v := r.cpu(); v != nil && v.samples > 0 {
		gc = min(gc, v.allGCAtMost())
	}
	return gc, true
}
