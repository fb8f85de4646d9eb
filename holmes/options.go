package holmes

import (
	"fmt"
	"time"
)

// An Option sets one thing of New or Set.
type Option interface {
	apply(*options) error
}

type optionFunc func(*options) error

func (f optionFunc) apply(o *options) error { return f(o) }

// options is everything that can be set. It is copied as a whole: a copy shares nothing that changes.
type options struct {
	DumpOptions
	logger    ErrorLogger // nil discards
	interval  time.Duration
	retention retention

	goProcs     bool    // GOMAXPROCS is 100 % of the CPU
	memoryLimit uint64  // bytes that are 100 %; 0 means the cgroup's limit, else the machine's memory
	cpuCore     float64 // cores that are 100 %; 0 means the cgroup's quota, else the CPUs allowed
	cpuMax      int     // percent of CPU from which nothing is dumped; 0 for no limit

	kinds        [numKinds]typeOption
	maxGoroutine int // goroutines from which they are not dumped; 0 for no limit

	shrink ShrinkThrOptions
	report ReporterOptions
}

// ReporterOptions sets the reporter of dumps.
type ReporterOptions struct {
	reporter ProfileReporter
	active   bool
}

type dumpProfileType int

const (
	binaryDump dumpProfileType = 0
	textDump   dumpProfileType = 1
)

// DumpOptions says where dumps go and what they look like.
type DumpOptions struct {
	// DumpPath is the folder of the dumps. The default is /tmp.
	DumpPath string
	// DumpProfileType is binary by default; WithTextDump makes it text. CPU profiles are always binary.
	DumpProfileType dumpProfileType
	// DumpFullStack keeps all entries of a text dump, not only the first.
	DumpFullStack bool
	// DumpToLogger also logs the dump.
	DumpToLogger bool
}

// ShrinkThrOptions says when threads are ended.
type ShrinkThrOptions struct {
	Enable    bool
	Threshold int           // threads that may stay
	Delay     time.Duration // from seeing too many to ending them
}

// A typeOption says when a kind is dumped: when its value is TriggerMin or more, and above TriggerAbs or TriggerDiff
// percent over the mean of the ten intervals before.
type typeOption struct {
	Enable bool
	// TriggerMin is in percent for memory, CPU and GC heap, in number for goroutines and threads.
	TriggerMin int
	// TriggerAbs is in the same unit.
	TriggerAbs int
	// TriggerDiff is in percent.
	TriggerDiff int
	// CoolDown is how long nothing is dumped after a dump.
	CoolDown time.Duration
}

// Set sets all but Enable.
func (base *typeOption) Set(min, abs, diff int, coolDown time.Duration) {
	base.TriggerMin, base.TriggerAbs, base.TriggerDiff, base.CoolDown = min, abs, diff, coolDown
}

func newOptions() options {
	return options{
		interval:    defaultInterval,
		DumpOptions: DumpOptions{DumpPath: defaultDumpPath},
		retention:   retention{defaultMaxFiles, defaultMaxBytes},
		kinds: [numKinds]typeOption{
			mem:    {false, defaultMemMin, defaultMemAbs, defaultMemDiff, defaultCooldown},
			cpu:    {false, defaultCPUMin, defaultCPUAbs, defaultCPUDiff, defaultCooldown},
			thread: {false, defaultThreadMin, defaultThreadAbs, defaultThreadDiff, defaultThreadCooldown},
			goroutine: {false, defaultGoroutineMin, defaultGoroutineAbs, defaultGoroutineDiff,
				defaultGoroutineCooldown},
			gcHeap: {false, defaultGCHeapMin, defaultGCHeapAbs, defaultGCHeapDiff, defaultCooldown},
		},
	}
}

// with returns the options with others applied. An error leaves o as it was.
func (o options) with(opts []Option) (options, error) {
	for _, opt := range opts {
		if opt == nil {
			continue
		}
		if err := opt.apply(&o); err != nil {
			return options{}, fmt.Errorf("holmes: %w", err)
		}
	}
	return o, nil
}
