package gctune

import (
	"math"
	"os"
	"runtime/debug"
	"runtime/metrics"
)

// A hand is the tuner's access to the process; tests have a process of their own.
type hand struct {
	open     func(Config) (sensor, error)
	operator func(Config) kept
	setGOGC  func(percent int)
	setLimit func(bytes int64)
	collect  func()
}

// A sensor reads the process.
type sensor struct {
	read  func(*reading) error // all but the time
	close func()
}

func runtimeHand() hand {
	return hand{
		open:     openSensor,
		operator: func(c Config) kept { return operatorOf(c, os.Getenv) },
		setGOGC:  func(percent int) { debug.SetGCPercent(percent) },
		setLimit: func(bytes int64) { debug.SetMemoryLimit(bytes) },
		collect:  debug.FreeOSMemory,
	}
}

// operatorOf says what the environment has set. GOMEMLIMIT=off is no limit, and nothing to respect; GOGC=off is.
func operatorOf(c Config, getenv func(string) string) kept {
	if c.OverrideEnv {
		return kept{}
	}
	limit := getenv("GOMEMLIMIT")
	return kept{gogc: getenv("GOGC") != "", limit: limit != "" && limit != "off"}
}

// openSensor reads the runtime's metrics and the bounds of memory. It allocates at its first reading only.
func openSensor(c Config) (sensor, error) {
	b, err := openBounds(c)
	if err != nil {
		return sensor{}, err
	}
	m := newRuntimeMetrics()
	return sensor{
		read: func(r *reading) error {
			if r.bounds, err = b.read(r.at); err != nil {
				return err
			}
			m.read(r)
			return nil
		},
		close: b.close,
	}, nil
}

// The metrics that a reading is made of, in the order of metricNames.
const (
	total = iota
	released
	heapFree
	heapObjects
	heapLive
	scanStacks
	scanGlobals
	cycles
	cpuGC
	cpuIdleMark
	cpuTotal
	gogcNow
	limitNow
	metricCount
)

func newRuntimeMetrics() *runtimeMetrics {
	m := &runtimeMetrics{}
	for i, name := range [metricCount]string{
		"/memory/classes/total:bytes", "/memory/classes/heap/released:bytes", "/memory/classes/heap/free:bytes",
		"/memory/classes/heap/objects:bytes", "/gc/heap/live:bytes", "/gc/scan/stack:bytes", "/gc/scan/globals:bytes",
		"/gc/cycles/total:gc-cycles", "/cpu/classes/gc/total:cpu-seconds", "/cpu/classes/gc/mark/idle:cpu-seconds",
		"/cpu/classes/total:cpu-seconds", "/gc/gogc:percent", "/gc/gomemlimit:bytes",
	} {
		m[i].Name = name
	}
	return m
}

type runtimeMetrics [metricCount]metrics.Sample

// read costs about 2 µs and does not stop the world.
func (m *runtimeMetrics) read(r *reading) {
	metrics.Read(m[:])
	n := func(i int) int64 { return int64(min(m[i].Value.Uint64(), math.MaxInt64)) }
	r.mapped = n(total) - n(released)
	r.heap = n(heapFree) + n(heapObjects)
	r.live = n(heapLive)
	r.roots = n(scanStacks) + n(scanGlobals)
	r.cycles = m[cycles].Value.Uint64()
	r.gcCPU = m[cpuGC].Value.Float64() - m[cpuIdleMark].Value.Float64()
	r.cpu = m[cpuTotal].Value.Float64()
	r.goLimit = n(limitNow)
	r.gogc = -1 // off, which the metric says as the largest number
	if v := m[gogcNow].Value.Uint64(); v <= math.MaxInt32 {
		r.gogc = int(v)
	}
}
