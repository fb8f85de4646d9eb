package rule

import "time"

// Default is the rule set that works untouched: every threshold is a share or relative to the target's own past, so
// that it holds in a 2-core container and on a 64-core host.
func Default() []Rule {
	return []Rule{
		{
			Name: "gc-cpu",
			Text: "The garbage collector takes a seventh of all CPU there is.",
			// A saturated service with a sane heap spends 3–10 % of its CPU on GC; near a memory limit 17 % was
			// measured with half the throughput gone (shared/facts.md). Of the *available* CPU 15 % is beyond sane.
			When: Condition{Signal: "gc_cpu", Above: ptr(0.15), For: Duration(3 * time.Second)},
		},
		{
			Name: "cpu-saturated",
			Text: "The process uses nearly every core it may.",
			When: Condition{Signal: "cpu_share", Above: ptr(0.90), For: Duration(20 * time.Second)},
		},
		{
			Name: "throttled",
			Text: "The kernel holds the process back in a quarter of all scheduling periods.",
			When: Condition{Signal: "throttled", Above: ptr(0.25), For: Duration(10 * time.Second)},
		},
		{
			Name: "goroutines",
			Text: "Goroutines have doubled against the minute before, or are beyond what a process needs.",
			// Half of the minute must be there to double against: services start with few goroutines.
			Warmup: Duration(30 * time.Second),
			When: Condition{Any: []Condition{
				{Signal: "goroutines", Rise: ptr(100.0), Min: ptr(1000.0), For: Duration(3 * time.Second)},
				{Signal: "goroutines", Above: ptr(20_000.0), For: Duration(10 * time.Second)},
			}},
		},
		{
			Name: "memory-near-limit",
			Text: "Memory is close to the cgroup's limit, where the OOM killer waits.",
			When: Condition{Signal: "memory_share", Above: ptr(0.90), For: Duration(3 * time.Second)},
		},
		{
			Name: "mutex-wait",
			Text: "More than one goroutine a core is waiting for a lock at any moment.",
			When: Condition{Signal: "mutex_wait", Above: ptr(4.0), For: Duration(5 * time.Second)},
		},
		{
			Name: "open-files",
			Text: "The process runs out of file descriptors.",
			When: Condition{Signal: "open_files_share", Above: ptr(0.85), For: Duration(5 * time.Second)},
		},
	}
}

func ptr(v float64) *float64 { return &v }
