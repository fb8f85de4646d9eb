package rule

import "time"

// leakRules find growth that will not stop on its own, long before a limit is near. What counts as certain, and why
// these numbers:
//
//   - The baseline is judged (the lows of slots, the heap after a collection), so bursts, cron jobs and the sawtooth
//     are not growth. A curve that flattens is extrapolated as it flattens, so a cache that fills is not growth, unless
//     it fills in a straight line.
//   - A rise that follows load is not growth. Load is what comes from outside: requests and accepted connections. What
//     the process does itself, such as goroutines, files, allocations and CPU, rises with a leak.
//   - Clients come within minutes of a start, pools fill, idle connections gather: so a window is 3 minutes at least.
//
// One climb opens one case, and another one half an hour after it ended.
func leakRules() []Rule {
	rules := []Rule{goroutineGrowth(), heapQuadruples(), heapDoubles(), offHeapGrowth(), memoryGrowth(),
		memoryInHours(), filesGrowth(), cpuGrowth()}
	for i := range rules {
		rules[i].Once, rules[i].Cooldown = true, Duration(30*time.Minute)
	}
	return rules
}

// outside are the signals of what comes from outside, each with what stands for it where it is not known: bytes are
// read because others sent them, or, on another machine, allocated because of requests.
func outside() []string {
	return []string{"http_rate|read_rate|alloc_rate", "tcp_accepted|open_files"}
}

// roomFor is a long weekend: a leak that fills the memory by the time somebody comes back is worth a case.
const roomFor = 96 * time.Hour

// roomy requires the pace of a leak that matters in the memory that there is.
func roomy(g *Growth) *Growth {
	g.Room = Duration(roomFor)
	return g
}

// held is the time in which four slots of five minutes end: data that a batch has loaded is level by then.
const held = Duration(time.Minute)

// unseen lets a nightly job build up as it did the night before.
func unseen(g *Growth) *Growth {
	g.Record = Duration(24 * time.Hour)
	return g
}

// unhurried allows a short window for growth below a rate. Code that loads a table or a file runs as fast as it can: a
// core builds 20 MiB/s or more of maps from decoded JSON, and rows from the network come at 5 MiB/s or more. Data kept
// per request grows at the pace of requests: 400 a second of 10 KiB each make 4 MiB/s.
func unhurried(pace float64, g *Growth) *Growth {
	g.MaxSlope = pace
	return g
}

// of requires values in this many of the 24 slots.
func of(n int, g *Growth) *Growth {
	g.Values = n
	return g
}

// soon is a growth of memory within two minutes. In less than 135 s, a cache that fills within twenty minutes looks
// like a line that makes it ten times as large, unless its values are so close to a line that filling is excluded.
func soon(times float64, filling, over time.Duration) *Growth {
	g := roomy(unseen(certain(times, 30*time.Minute, over, outside())))
	g.Filling = Duration(filling)
	return g
}

// fillsWithin is the time constant of a cache that is full after 20 minutes.
const fillsWithin = 10 * time.Minute

// certain is a growth to some times the present level.
func certain(times float64, within, over time.Duration, beyond []string) *Growth {
	return &Growth{Times: times, Within: Duration(within), Over: Duration(over), Beyond: beyond}
}

func goroutineGrowth() Rule {
	const over = 2 * time.Minute // clients arrive sooner
	return Rule{
		Name: "goroutine-growth",
		Text: "Goroutines grow without end, and not because there are more clients.",
		When: Condition{Any: []Condition{
			// 300 goroutines take a megabyte: below that, doubling does no harm yet.
			{Signal: "goroutines", Growth: certain(2, 10*time.Minute, over, outside()), Min: ptr(300.0)},
			slowGrowth("goroutines", 1000, outside()),
			// Seven censuses 16 s apart, or eight 14 s apart.
			{Stuck: &Stuck{For: Duration(95 * time.Second), Arriving: true, Beyond: outside()}},
		}},
	}
}

// slowGrowth is growth that no window of minutes shows, such as a leak of one step per cron run: four times the level
// of the first ten minutes, and a straight line over an hour that adds 25 % within the next hour. Load changes by a
// factor of ten in a day, and so does everything that follows it; so it is compared with the load of the same first
// minutes.
func slowGrowth(signal string, floor float64, beyond []string) Condition {
	return Condition{All: []Condition{
		{Signal: signal, Grown: &Grown{Times: 4, First: Duration(10 * time.Minute), Beyond: beyond}, Min: &floor},
		{Signal: signal, Growth: certain(1.25, time.Hour, time.Hour, beyond)},
	}}
}

// heapQuadruples also works for a process that has just started. A cache that fills within 20 minutes follows
// 1−exp(−t/τ) with τ below 7 minutes: after 5 minutes it is more than half full. One that is loaded in a straight line
// from a tenth of its size is a leak by this rule, until it stops.
//
// The growth must be seen for another minute: a batch stops loading by then, a leak does not.
func heapQuadruples() Rule {
	return Rule{
		Name: "heap-quadruples",
		Text: "The heap after collections grows in a straight line and will be four times as large within half an " +
			"hour.",
		When: Condition{Any: []Condition{
			{Signal: "heap_live", Growth: unhurried(4<<20, soon(12, 0, 115*time.Second))},
			{Signal: "heap_live", Growth: unhurried(2<<20, soon(8, fillsWithin, 115*time.Second))},
			{Signal: "heap_live", Growth: unhurried(4<<20, soon(8, 0, 135*time.Second))},
			{Signal: "heap_live", Growth: roomy(unseen(certain(4, 30*time.Minute, 5*time.Minute, outside()))), For: held},
			// A heap that only grows has few cycles, each at twice the size of the one before: four values over six
			// minutes.
			{Signal: "heap_live", Growth: roomy(unseen(of(minFilled,
				certain(4, 30*time.Minute, 6*time.Minute, outside())))), For: held},
			// Over ten minutes for a heap with hardly any cycles: the runtime forces one every two minutes. By then a
			// line that started near zero cannot quadruple within thirty.
			{Signal: "heap_live", Growth: roomy(unseen(of(minFilled,
				certain(3, 30*time.Minute, 10*time.Minute, outside()))))},
			slowGrowth("heap_live", 64*(1<<20), outside()),
		}},
	}
}

// heapDoubles requires less, for a process that has been watched for half an hour: by then caches are warm.
func heapDoubles() Rule {
	return Rule{
		Name:   "heap-doubles",
		Text:   "The heap after collections grows in a straight line and will be twice as large within half an hour.",
		Warmup: Duration(30 * time.Minute),
		When: Condition{Signal: "heap_live", Growth: roomy(unseen(certain(2, 30*time.Minute, 5*time.Minute, outside()))),
			For: Duration(time.Minute)},
	}
}

// offHeapGrowth is for memory of C and of mmap without a file, of which the heap's signals see nothing. What is loaded
// comes at the pace of a disk or of a memory, 100 MB a second and more: 32 MiB a second for two minutes is no loading.
// Pages of files are left out, because a file that is read for the first time grows in a line, and costs nothing that
// the kernel could not take back.
func offHeapGrowth() Rule {
	return Rule{
		Name: "off-heap-growth",
		Text: "Memory outside the Go heap, of C or mmap, grows in a straight line.",
		When: Condition{Any: []Condition{
			{Signal: "off_heap_anon", Growth: roomy(unseen(unhurried(32<<20,
				certain(8, 30*time.Minute, 135*time.Second, outside()))))},
			{Signal: "off_heap_anon", Growth: roomy(unseen(certain(2, 30*time.Minute, 10*time.Minute, outside())))},
		}},
	}
}

// memoryInHours is for the leak that no window of minutes shows: a few MiB an hour, below the noise of requests and the
// curve of the day. It trips when growth in a line over two hours would fill the memory within eight, over six hours
// within a day, or over a day within four more. What the curve of the day hides, the levels of memoryRules see.
func memoryInHours() Rule {
	full := func(over, within time.Duration) Condition {
		until := func(limit string) Condition {
			return Condition{All: []Condition{
				{Signal: "rss_anon", Growth: &Growth{Reach: &Level{Signal: limit}, Within: Duration(within),
					Over: Duration(over), Beyond: outside(), Record: Duration(24 * time.Hour)}},
				{Any: []Condition{
					{Signal: "heap_live", Growth: certain(1.1, within, over, outside())},
					{Signal: "off_heap_anon", Growth: certain(1.1, within, over, outside())},
					{Signal: "stacks", Growth: certain(1.1, within, over, outside())},
				}},
			}}
		}
		return Condition{Any: []Condition{until("memory_limit"), until("machine_memory")}}
	}
	return Rule{
		Name: "memory-in-hours",
		Text: "Memory has grown in a straight line for hours, and will be full within hours or days.",
		When: Condition{Any: []Condition{full(2*time.Hour, 8*time.Hour), full(6*time.Hour, 24*time.Hour),
			full(24*time.Hour, 96*time.Hour)}},
	}
}

// cpuGrowth is for work that piles up: timers and tickers that are never stopped, listeners that are never removed,
// lists that are walked. The same requests take ever more CPU. A tenth of a core is what a growth must have reached: an
// idle process has less.
func cpuGrowth() Rule {
	return Rule{
		Name: "cpu-growth",
		Text: "The CPU that the process uses grows in a straight line, and not because there are more requests.",
		When: Condition{Any: []Condition{
			{Signal: "cpu", Growth: certain(4, 30*time.Minute, 135*time.Second, outside()), Min: ptr(0.1)},
		}},
	}
}

// memoryGrowth is growth that ends in a kill: more than 60 % of the memory is used, and the rest will be gone within
// half an hour. Services are sized so that they use less than that once they are warm; below it a cache that warms up
// would also seem to be on its way to the limit.
func memoryGrowth() Rule {
	to := func(signal, limit string, also ...Condition) Condition {
		return Condition{All: append([]Condition{
			{Signal: signal, Above: ptr(0.6), Of: limit},
			{Signal: signal, Growth: &Growth{
				Reach: &Level{Signal: limit}, Within: Duration(30 * time.Minute), Over: Duration(15 * time.Minute),
				Values: minFilled,
			}},
		}, also...)}
	}
	// The growth must be more than garbage: with GOGC=off garbage climbs to GOMEMLIMIT in the first cycle, and stays.
	keeps := Condition{Any: []Condition{
		{Signal: "heap_live", Growth: of(minFilled, certain(1.1, 30*time.Minute, 15*time.Minute, nil))},
		{Signal: "off_heap", Growth: of(minFilled, certain(1.1, 30*time.Minute, 15*time.Minute, nil))},
		{Signal: "stacks", Growth: of(minFilled, certain(1.1, 30*time.Minute, 15*time.Minute, nil))},
	}}
	return Rule{
		Name: "memory-growth",
		Text: "Memory will certainly reach its limit within half an hour: the cgroup's, the machine's, or GOMEMLIMIT " +
			"with live objects.",
		When: Condition{Any: []Condition{
			to("rss", "memory_limit", keeps), to("rss", "machine_memory", keeps),
			// Without GOMEMLIMIT the heap will be as large as its goal, and its goal moves without the sawtooth.
			to("heap_goal", "memory_limit"), to("heap_goal", "machine_memory"), to("heap_live", "go_memory_limit"),
		}},
	}
}

// clients explain files.
func clients() []string { return []string{"http_rate|read_rate|alloc_rate", "tcp_accepted"} }

func filesGrowth() Rule {
	return Rule{
		Name: "open-files-growth",
		Text: "Open files and connections grow without end, and not because there is more work.",
		When: Condition{Any: []Condition{
			{Signal: "open_files", Growth: certain(2, 10*time.Minute, 5*time.Minute, clients()), Min: ptr(500.0)},
			slowGrowth("open_files", 500, clients()),
			{All: []Condition{
				{Signal: "open_files_share", Above: ptr(0.5)},
				{Signal: "open_files_share", Growth: &Growth{Reach: &Level{Value: 1},
					Within: Duration(30 * time.Minute), Over: Duration(5 * time.Minute)}},
			}},
		}},
	}
}

// lateRules see a lack of progress: goroutines at one place, threads without a CPU, an answer that does not come.
func lateRules() []Rule {
	return []Rule{
		{
			Name: "goroutines-stuck",
			Text: "Goroutines pile up at one lock or one send, or wait at a lock and none of them makes progress.",
			Once: true, Cooldown: Duration(30 * time.Minute),
			When: Condition{Any: []Condition{
				// Five censuses without one fewer, and 50 more: a queue that is served falls now and then.
				{Stuck: &Stuck{For: Duration(time.Minute), Min: 50, Growing: true}},
				// A pool whose senders wait for a slow sink has a constant number and is healthy; behind a lock it is a
				// bottleneck.
				{Stuck: &Stuck{For: Duration(3 * time.Minute), Min: 16, At: atLock}},
			}},
		},
		cpuPressure(),
		{
			Name: "probe-time",
			Text: "The process answers the sampler late: five times as late as before, and by 250 ms or more.",
			Once: true, Cooldown: Duration(30 * time.Minute), Warmup: Duration(time.Minute),
			// The index page takes a millisecond to make. 250 ms is more than a round trip around the world, and five
			// times the past excludes a path that was always long; 20 s is longer than a capture delays it.
			When: Condition{
				Signal: "probe_time", Rise: ptr(400.0), Over: Duration(10 * time.Minute), Min: ptr(0.25),
				For: Duration(20 * time.Second),
			},
		},
	}
}

// cpuPressure is for neighbours that take the CPU: a build, a batch, another container. Pressure alone does no harm: a
// process that uses all its cores has it, and without a cgroup of its own the pressure is the machine's. Requests of
// less than the scheduler's slice of some milliseconds hardly wait, either. So the process must be late, too.
func cpuPressure() Rule {
	past, now := Duration(5*time.Minute), Duration(20*time.Second)
	return Rule{
		Name: "cpu-pressure",
		Text: "Threads that could run wait for a CPU, which others have, and the process is late because of that.",
		Once: true, Cooldown: Duration(30 * time.Minute), Warmup: Duration(time.Minute),
		When: Condition{Any: []Condition{
			// 100 ms is ten of the kernel's time slices.
			{For: Duration(time.Minute), All: []Condition{
				{Signal: "cpu_pressure", Above: ptr(0.7)},
				{Any: []Condition{{Signal: "sched_latency_p99", Above: ptr(0.1)},
					{Signal: "probe_time", Above: ptr(0.25)}}},
			}},
			// Two services of 7 and 23 % of a core, with requests of 5 and 15 ms of CPU, beside eight busy loops on
			// that core: the machine's pressure went from 80 to 97 %, the medians from 5 to 40 and from 24 to 600 ms,
			// while others with shorter requests were as quick as before (internal/tests/rule). The pressure of a
			// cgroup of its own is the share of the time in which it waits: 12 requests of 24 ms, a quarter. What a
			// backend delays, what more requests delay, and what uses its CPUs itself is not meant. Medians below 10
			// ms, a few of the kernel's time slices, are nobody's trouble: a DNS server on a machine at 92 % went from
			// 0.2 to 1.7 ms at the top of each wave of its load. Pressure is a mean of 10 s already.
			{For: Duration(10 * time.Second), All: []Condition{
				{Signal: "cpu_pressure", Above: ptr(0.2)},
				{Any: []Condition{
					{Signal: "cpu_pressure", Above: ptr(0.9)},
					{Signal: "cpu_pressure", Rise: ptr(100.0), Over: past, Beyond: []string{"http_rate"}},
				}},
				{Signal: "http_latency_p50", Rise: ptr(200.0), Over: past, Mean: now, Min: ptr(0.01),
					Beyond: []string{"http_rate"}},
				{Signal: "http_rate", Above: ptr(10.0), Mean: now},
				{Signal: "cpu_share", Below: ptr(0.75)},
			}},
		}},
	}
}
