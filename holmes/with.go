package holmes

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"time"
)

// WithLogger sets the logger. Nil, the default, discards. A logger of mosn.io/pkg/log is an ErrorLogger.
func WithLogger(logger ErrorLogger) Option {
	return optionFunc(func(o *options) error {
		o.logger = logger
		return nil
	})
}

// WithDumpPath sets the folder of the dumps; it is made when it is not there. The cases of package casebook are in its
// subfolder casebook-cases, for which the path is read at Start.
func WithDumpPath(dumpPath string) Option {
	return optionFunc(func(o *options) error {
		if dumpPath == "" {
			return errors.New("WithDumpPath: the path is empty")
		}
		o.DumpPath = dumpPath
		return nil
	})
}

// WithCollectInterval sets the time between samples, as time.ParseDuration reads it.
func WithCollectInterval(interval string) Option {
	return optionFunc(func(o *options) error {
		d, err := time.ParseDuration(interval)
		if err != nil {
			return fmt.Errorf("WithCollectInterval: %w", err)
		}
		if d <= 0 || d > longestInterval {
			return fmt.Errorf("WithCollectInterval: %s is not above 0 and up to %s; 100ms to 1m are good intervals",
				interval, longestInterval)
		}
		o.interval = d
		return nil
	})
}

// longestInterval bounds the history that ten intervals need, at a sample a minute.
const longestInterval = 24 * time.Hour

// WithCPUMax sets the percentage of CPU from which nothing is dumped, because a dump could be the last straw. 0 is no
// limit.
func WithCPUMax(max int) Option {
	return optionFunc(func(o *options) error {
		if max < 0 {
			return fmt.Errorf("WithCPUMax: %d is below 0", max)
		}
		o.cpuMax = max
		return nil
	})
}

// WithBinaryDump has profiles written as pprof reads them, which is the default.
func WithBinaryDump() Option { return withDumpProfileType(binaryDump) }

// WithTextDump has profiles written as text. CPU profiles have no text form.
func WithTextDump() Option { return withDumpProfileType(textDump) }

func withDumpProfileType(t dumpProfileType) Option {
	return optionFunc(func(o *options) error {
		o.DumpProfileType = t
		return nil
	})
}

// WithFullStack has text dumps hold all entries, not only the first.
func WithFullStack(isFull bool) Option {
	return optionFunc(func(o *options) error {
		o.DumpFullStack = isFull
		return nil
	})
}

// WithDumpToLogger also logs what is dumped, binary profiles in base64.
func WithDumpToLogger(enabled bool) Option {
	return optionFunc(func(o *options) error {
		o.DumpToLogger = enabled
		return nil
	})
}

// withKind sets the thresholds of a kind. Only what can never have been meant is refused: holmes checks nothing.
func withKind(name string, k kind, t typeOption) Option {
	return optionFunc(func(o *options) error {
		for _, f := range [...]struct {
			name  string
			value int
		}{{"min", t.TriggerMin}, {"diff", t.TriggerDiff}, {"abs", t.TriggerAbs}, {"coolDown", int(t.CoolDown)}} {
			if f.value < 0 {
				return fmt.Errorf("%s: %s is below 0", name, f.name)
			}
		}
		o.kinds[k].Set(t.TriggerMin, t.TriggerAbs, t.TriggerDiff, t.CoolDown)
		return nil
	})
}

// WithCPUDump sets when CPU profiles are dumped, in percent of the CPU that the process may use.
func WithCPUDump(min int, diff int, abs int, coolDown time.Duration) Option {
	return withKind("WithCPUDump", cpu, typeOption{false, min, abs, diff, coolDown})
}

// WithMemDump sets when heap profiles are dumped, by resident memory in percent of the memory that the process may use.
func WithMemDump(min int, diff int, abs int, coolDown time.Duration) Option {
	return withKind("WithMemDump", mem, typeOption{false, min, abs, diff, coolDown})
}

// WithGCHeapDump sets when two heap profiles, one GC cycle apart, are dumped: by the heap that the last cycle found
// live, in percent of the memory that the process may use.
func WithGCHeapDump(min int, diff int, abs int, coolDown time.Duration) Option {
	return withKind("WithGCHeapDump", gcHeap, typeOption{false, min, abs, diff, coolDown})
}

// WithThreadDump sets when thread and goroutine profiles are dumped, by the number of threads.
func WithThreadDump(min, diff, abs int, coolDown time.Duration) Option {
	return withKind("WithThreadDump", thread, typeOption{false, min, abs, diff, coolDown})
}

// WithGoroutineDump sets when goroutine profiles are dumped, by the number of goroutines; from max on they are not, for
// that would take long. A max of 0 is no limit.
func WithGoroutineDump(min int, diff int, abs int, max int, coolDown time.Duration) Option {
	return optionFunc(func(o *options) error {
		if max != 0 && max <= min {
			return fmt.Errorf("WithGoroutineDump: max is %d and min %d: that would never dump; 0 is no maximum", max,
				min)
		}
		o.maxGoroutine = max
		return withKind("WithGoroutineDump", goroutine, typeOption{false, min, abs, diff, coolDown}).apply(o)
	})
}

// WithCPUCore sets how many cores are 100 % of the CPU. 0 means the cgroup's quota, else the CPUs allowed.
func WithCPUCore(cpuCore float64) Option {
	return optionFunc(func(o *options) error {
		if cpuCore < 0 || math.IsNaN(cpuCore) || math.IsInf(cpuCore, 0) {
			return fmt.Errorf("WithCPUCore: %g is no number of cores", cpuCore)
		}
		o.cpuCore = cpuCore
		return nil
	})
}

// WithMemoryLimit sets how many bytes are 100 % of the memory. 0 means the cgroup's limit, else the machine's memory.
func WithMemoryLimit(limit uint64) Option {
	return optionFunc(func(o *options) error {
		o.memoryLimit = limit
		return nil
	})
}

// WithGoProcAsCPUCore makes GOMAXPROCS 100 % of the CPU.
func WithGoProcAsCPUCore(enabled bool) Option {
	return optionFunc(func(o *options) error {
		o.goProcs = enabled
		return nil
	})
}

// WithCGroup does nothing any more: limits of cgroups, v2 and v1, are always read where they are.
func WithCGroup(useCGroup bool) Option {
	return optionFunc(func(*options) error { return nil })
}

// WithShrinkThread sets how many threads may stay (if above 0), and how long after more are seen they are ended.
func WithShrinkThread(threshold int, delay time.Duration) Option {
	return optionFunc(func(o *options) error {
		if delay < 0 {
			return fmt.Errorf("WithShrinkThread: the delay is %s", delay)
		}
		if threshold > 0 {
			o.shrink.Threshold = threshold
		}
		o.shrink.Delay = delay
		return nil
	})
}

// WithProfileReporter has every dump reported from now on. Nil changes nothing.
func WithProfileReporter(r ProfileReporter) Option {
	return optionFunc(func(o *options) error {
		if r != nil {
			o.report = ReporterOptions{reporter: r, active: true}
		}
		return nil
	})
}

// WithRetention sets how many dumps, and how many bytes of them, the dump path keeps; the oldest are removed. 0 means
// 200 and 1 GiB. It is not in mosn.io/holmes, which removes nothing.
func WithRetention(files int, bytes int64) Option {
	return optionFunc(func(o *options) error {
		if files < 0 || bytes < 0 {
			return fmt.Errorf("WithRetention: %d files and %d bytes: neither may be below 0", files, bytes)
		}
		o.retention = retention{cmp.Or(files, defaultMaxFiles), cmp.Or(bytes, defaultMaxBytes)}
		return nil
	})
}
