package rule

import "time"

// leakRules find growth that will not stop on its own, long before a limit is near. What counts as certain, and why
// these numbers:
//
//   - The baseline is judged (the lows of slots, the heap after a collection), so bursts, cron jobs and the sawtooth
//     are not growth. A curve that flattens is extrapolated as it flattens, so a cache that fills is not growth, unless
//     it fills in a straight line.
//   - A rise that follows load is not growth: files are connections, and allocations are work done. The collector's CPU
//     rises with a leak, so CPU does not show load here.
//   - Clients come within minutes of a start, pools fill, idle connections gather: so a window is 3 minutes at least.
//
// One climb opens one case, and another one half an hour after it ended.
func leakRules() []Rule {
	rules := []Rule{goroutineGrowth(), heapQuadruples(), heapDoubles(), memoryGrowth(), filesGrowth()}
	for i := range rules {
		rules[i].Once, rules[i].Cooldown = true, Duration(30*time.Minute)
	}
	return rules
}

// load are the signals whose rise explains that of others.
func load(names ...string) []string { return append(names, "alloc_rate", "http_rate") }

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

// certain is a growth to some times the present level.
func certain(times float64, within, over time.Duration, beyond []string) *Growth {
	return &Growth{Times: times, Within: Duration(within), Over: Duration(over), Beyond: beyond}
}

func goroutineGrowth() Rule {
	beyond := load("open_files")
	const over = 2 * time.Minute // clients arrive sooner
	return Rule{
		Name: "goroutine-growth",
		Text: "Goroutines grow without end, and not because there are more clients.",
		When: Condition{Any: []Condition{
			// 300 goroutines take a megabyte: below that, doubling does no harm yet.
			{Signal: "goroutines", Growth: certain(2, 10*time.Minute, over, beyond), Min: ptr(300.0)},
			slowGrowth("goroutines", 1000, beyond),
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
			// In less than 135 s a cache that fills within 20 minutes looks like a line.
			{Signal: "heap_live", Growth: unseen(unhurried(4<<20,
				certain(8, 30*time.Minute, 135*time.Second, load("goroutines")))), Min: ptr(64.0 * (1 << 20))},
			// A job that builds 100 MiB or more ends within a minute or two: slower growth is data that is kept.
			{Signal: "heap_live", Growth: unseen(unhurried(2<<20,
				certain(7, 30*time.Minute, 135*time.Second, load("goroutines")))), Min: ptr(64.0 * (1 << 20))},
			// 96 MiB: any Go service has that much at times.
			{Signal: "heap_live", Growth: unseen(certain(4, 30*time.Minute, 5*time.Minute, load("goroutines"))),
				Min: ptr(96.0 * (1 << 20)), For: held},
			// A heap that only grows has few cycles, each at twice the size of the one before: four values over six
			// minutes.
			{Signal: "heap_live", Growth: unseen(of(minFilled,
				certain(4, 30*time.Minute, 6*time.Minute, load("goroutines")))), Min: ptr(96.0 * (1 << 20)), For: held},
			// Over ten minutes for a heap with hardly any cycles: the runtime forces one every two minutes. By then a
			// line that started near zero cannot quadruple within thirty.
			{Signal: "heap_live", Growth: unseen(of(minFilled,
				certain(3, 30*time.Minute, 10*time.Minute, load("goroutines")))), Min: ptr(96.0 * (1 << 20))},
			slowGrowth("heap_live", 256*(1<<20), load("goroutines")),
		}},
	}
}

// heapDoubles requires less, for a process that has been watched for half an hour: by then caches are warm.
func heapDoubles() Rule {
	return Rule{
		Name:   "heap-doubles",
		Text:   "The heap after collections grows in a straight line and will be twice as large within half an hour.",
		Warmup: Duration(30 * time.Minute),
		When: Condition{Signal: "heap_live", Growth: unseen(certain(2, 30*time.Minute, 5*time.Minute,
			load("goroutines"))),
			Min: ptr(256.0 * (1 << 20)), For: Duration(time.Minute)},
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

func filesGrowth() Rule {
	return Rule{
		Name: "open-files-growth",
		Text: "Open files and connections grow without end, and not because there is more work.",
		When: Condition{Any: []Condition{
			{Signal: "open_files", Growth: certain(2, 10*time.Minute, 5*time.Minute, load()), Min: ptr(500.0)},
			slowGrowth("open_files", 500, load()),
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
			// while others with shorter requests were as quick as before (testdata/pressure). The pressure of a cgroup
			// of its own is the share of the time in which it waits: 12 requests of 24 ms, a quarter. What a backend
			// delays, what more requests delay, and what uses its CPUs itself is not meant. Medians below 10 ms, a few
			// of the kernel's time slices, are nobody's trouble: a DNS server on a machine at 92 % went from 0.2 to
			// 1.7 ms at the top of each wave of its load. Pressure is a mean of 10 s already.
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
