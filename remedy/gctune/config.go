package gctune

import (
	"fmt"
	"time"
)

// Config is what a Tuner can be told. Its zero value takes the limits of the process's cgroup and every default.
type Config struct {
	// Limit in bytes is how much memory this process may use, counted as its resident size, besides the limits of its
	// cgroups. 0: only those count. Without either, New fails with ErrNoLimit.
	Limit int64

	// Headroom is the share of each limit that stays free: the target is 1 - Headroom of it. 0.02 to 0.9, default 0.1,
	// the upper end of the 5 to 10 % that the Go project's guide to the garbage collector recommends.
	Headroom float64

	// Ceiling is the share of a limit up to which memory may be used, above the target, if collecting at the target
	// would take more than MaxGCShare of the CPU. 1 - Headroom to 0.99, default half of the headroom: 0.95 with a
	// headroom of 0.1, the lower end of the same guide. 1 - Headroom keeps the target at any price in CPU.
	Ceiling float64

	// MaxGCShare is how much of the available CPU (GOMAXPROCS × time) the collector should take, 0.02 to 0.5, default
	// 0.2. The runtime gives marking 0.25 while a cycle runs, so above that it collects without a break.
	MaxGCShare float64

	// MinGOGC and MaxGOGC bound GOGC, in percent: 1 to 100,000, defaults 10 and 10,000. By default the memory up to the
	// target is used, however small the live heap is. A lower MaxGOGC leaves it to others: at 400 collecting costs
	// about a quarter of what it does at 100.
	MinGOGC, MaxGOGC int

	// Interval is how often memory is looked at, 10 ms to 10 s, default 100 ms.
	Interval time.Duration

	// OverrideEnv is for a service that knows better than the operator. Without it a GOGC or GOMEMLIMIT in the
	// environment stays as it is, and only the other one is tuned.
	OverrideEnv bool

	// OnChange gets each change of GOGC or GOMEMLIMIT, and the reason. It is called by the tuner's goroutine, which
	// waits for it: it must be quick. A panic in it is counted (Stats.Panics) and goes no further. nil: changes are not
	// reported.
	OnChange func(Change)
}

// withDefaults fills in zero fields, and names the field at fault.
func (c Config) withDefaults() (Config, error) {
	fill(&c.Headroom, 0.1)
	fill(&c.Ceiling, 1-c.Headroom/2)
	fill(&c.MaxGCShare, 0.2)
	fill(&c.MinGOGC, 10)
	fill(&c.MaxGOGC, 10_000)
	fill(&c.Interval, 100*time.Millisecond)
	for _, f := range []struct {
		name, want string
		ok         bool
		got        any
	}{
		{"Limit", "8388608 (8 MiB) or more", c.Limit == 0 || c.Limit >= 8<<20, c.Limit},
		{"Headroom", "0.02 to 0.9", c.Headroom >= 0.02 && c.Headroom <= 0.9, c.Headroom},
		{"Ceiling", "1 - Headroom to 0.99", c.Ceiling >= 1-c.Headroom && c.Ceiling <= 0.99, c.Ceiling},
		{"MaxGCShare", "0.02 to 0.5", c.MaxGCShare >= 0.02 && c.MaxGCShare <= 0.5, c.MaxGCShare},
		{"MinGOGC", "1 to MaxGOGC", c.MinGOGC >= 1 && c.MinGOGC <= c.MaxGOGC, c.MinGOGC},
		{"MaxGOGC", "MinGOGC to 100000", c.MaxGOGC >= c.MinGOGC && c.MaxGOGC <= 100_000, c.MaxGOGC},
		{"Interval", "10ms to 10s", c.Interval >= 10*time.Millisecond && c.Interval <= 10*time.Second, c.Interval},
	} {
		if !f.ok {
			return c, fmt.Errorf("gctune: Config.%s is %v; it must be %s, or 0 for the default", f.name, f.got, f.want)
		}
	}
	return c, nil
}

func fill[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}
