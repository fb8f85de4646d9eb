package holmes

import "time"

// Defaults of the options, those of mosn.io/holmes v1.0.2 (consts.go). CPU, memory and GC heap are in percent of what
// the process may use; threads and goroutines in number; each diff in percent over the mean.
const (
	defaultCPUMin  = 10
	defaultCPUAbs  = 70
	defaultCPUDiff = 25

	defaultMemMin  = 10
	defaultMemAbs  = 80
	defaultMemDiff = 25

	defaultGCHeapMin  = 10
	defaultGCHeapAbs  = 40
	defaultGCHeapDiff = 20

	defaultThreadMin  = 10
	defaultThreadAbs  = 70
	defaultThreadDiff = 25

	defaultGoroutineMin  = 3000
	defaultGoroutineAbs  = 200_000
	defaultGoroutineDiff = 20

	defaultCooldown          = time.Minute
	defaultThreadCooldown    = time.Hour
	defaultGoroutineCooldown = 10 * time.Minute

	defaultInterval  = 5 * time.Second
	defaultDumpPath  = "/tmp"
	baselineSamples  = 10 // intervals in the mean, and before the first judgement
	defaultMaxFiles  = 200
	defaultMaxBytes  = 1 << 30
	casesFolder      = "casebook-cases"
	reporterQueue    = 32
	reporterPatience = 5 * time.Second
)

// How long the CPU is profiled from a trip on: as long as by holmes; or less, where a dump has the seconds before the
// trip, too. Then one is done before the next interval of five seconds, the default, is over. Otherwise the next trip
// would find it under way, and where CPU burns on every second trip would have no dump.
const (
	cpuProfileFor = 5 * time.Second
	cpuProfileOn  = 4 * time.Second
)

const (
	// TrimResultTopN is how many entries a text dump keeps without WithFullStack.
	TrimResultTopN = 10

	// TrimResultMaxBytes is how many bytes a text dump of threads keeps without WithFullStack.
	TrimResultMaxBytes = 512000

	// NotSupportTypeMaxConfig stands in the log for the maximum of a type that has none.
	NotSupportTypeMaxConfig = 0

	// UniformLogFormat is the format of the line that a judgement logs.
	UniformLogFormat = "[Holmes] %v %v, config_min : %v, config_diff : %v, config_abs : %v, config_max : %v, " +
		"previous : %v, current: %v"
)
