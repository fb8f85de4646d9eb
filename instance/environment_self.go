package instance

import (
	"errors"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strings"
)

// environment is what the calling process runs as and under.
func (t *Self) environment() ([]byte, error) {
	var e environment
	if info, ok := debug.ReadBuildInfo(); ok {
		e.setBuild(info)
	} else {
		e.absent("build", errors.New("the binary holds no build information"))
	}
	e.setVariables(os.Environ())
	e.setEffective()
	if t.proc != nil {
		e.Limits = t.proc.limits
	} else {
		e.absent("limits", errors.New("/proc cannot be read here"))
	}
	e.setRlimits("/proc/self/limits")
	e.Metrics = memoryMetrics()
	e.setMemory("", "self")
	e.System = readSystem("/", "self")
	e.System.CPUs = runtime.NumCPU()
	return e.encode()
}

// setEffective reads how the runtime is set. debug.SetGCPercent could tell only by setting it.
func (e *environment) setEffective() {
	const behavior, suffix = "/godebug/non-default-behavior/", ":events"
	samples := []metrics.Sample{{Name: "/gc/gogc:percent"}, {Name: "/gc/gomemlimit:bytes"}}
	fixed := len(samples)
	for _, d := range metrics.All() {
		if strings.HasPrefix(d.Name, behavior) {
			samples = append(samples, metrics.Sample{Name: d.Name})
		}
	}
	metrics.Read(samples)
	count := func(i int) uint64 {
		if samples[i].Value.Kind() != metrics.KindUint64 {
			return 0
		}
		return samples[i].Value.Uint64()
	}
	e.Effective = &effective{
		GOGC: offOr(count(0), math.MaxInt32), GOMEMLIMIT: offOr(count(1), math.MaxInt64),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
	}
	e.NonDefault = make(map[string]uint64)
	for i := fixed; i < len(samples); i++ {
		if n := count(i); n > 0 {
			e.NonDefault[strings.TrimSuffix(strings.TrimPrefix(samples[i].Name, behavior), suffix)] = n
		}
	}
}

// memoryMetrics are the metrics of memory, of the same moment as what the kernel tells.
func memoryMetrics() map[string]uint64 {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for _, d := range metrics.All() {
		if strings.HasPrefix(d.Name, "/memory/classes/") {
			samples = append(samples, metrics.Sample{Name: d.Name})
		}
	}
	metrics.Read(samples)
	out := make(map[string]uint64, len(samples))
	for _, s := range samples {
		if s.Value.Kind() == metrics.KindUint64 {
			out[s.Name] = s.Value.Uint64()
		}
	}
	return out
}
