package rule

import "time"

// leakRules see what grows and will not stop on its own, long before a limit is near. What is certain, and why these
// figures:
//
//   - What stands is judged (the lows of slots, the heap after a collection), so bursts, cron jobs and the sawtooth are not
//     growth. What flattens is extended as it flattens, so a cache that fills is not, unless it fills in a straight line.
//   - What rises with load is not: files are connections, and allocations are work done. The collector's CPU rises with a
//     leak, so CPU is no sign of load here.
//   - Clients come within minutes of a start, pools fill, idle connections gather: so a window is 3 minutes at least.
//
// Of one climb there is one case, and another half an hour after it ended.
func leakRules() []Rule {
	rules := []Rule{goroutineGrowth(), heapQuadruples(), heapDoubles(), memoryGrowth(), filesGrowth()}
	for i := range rules {
		rules[i].Once, rules[i].Cooldown = true, Duration(30*time.Minute)
	}
	return rules
}

// load are the signals whose rise explains that of others.
func load(names ...string) []string { return append(names, "alloc_rate", "http_rate") }

// held is the time in which four slots of five minutes end: those of what a batch has loaded are level by then.
const held = Duration(time.Minute)

// unseen lets a job of every night build up as it did the night before.
func unseen(g *Growth) *Growth {
	g.Record = Duration(24 * time.Hour)
	return g
}

// unhurried lets a window be short, for what grows by so much a second at most. What loads a table or a file goes as
// fast as it can: a core builds 20 MiB a second and more of maps from decoded JSON, rows that come over a network are 5
// and more. What is kept of requests grows at their pace: 400 a second of 10 KiB each make 4 MiB.
func unhurried(pace float64, g *Growth) *Growth {
	g.MaxSlope = pace
	return g
}

// of wants values in so many of the 24 slots.
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
	const over = 2 * time.Minute // clients come within less
	return Rule{
		Name: "goroutine-growth",
		Text: "Goroutines grow without end, and not because there are more clients.",
		When: Condition{Any: []Condition{
			// 300 goroutines take a megabyte: below, twice as many hurt nobody yet.
			{Signal: "goroutines", Growth: certain(2, 10*time.Minute, over, beyond), Min: ptr(300.0)},
			slowGrowth("goroutines", 1000, beyond),
		}},
	}
}

// slowGrowth is what no window of minutes shows, such as a leak of one step a cron run: four times what it was in the first
// ten minutes, and an hour's straight line that adds a quarter within the next. Load changes by a factor of ten in a day,
// and so does what follows it; so it is held against the load of the same first minutes.
func slowGrowth(signal string, floor float64, beyond []string) Condition {
	return Condition{All: []Condition{
		{Signal: signal, Grown: &Grown{Times: 4, First: Duration(10 * time.Minute), Beyond: beyond}, Min: &floor},
		{Signal: signal, Growth: certain(1.25, time.Hour, time.Hour, beyond)},
	}}
}

// heapQuadruples is for a process that has just started, too. A cache that fills within 20 minutes does so by
// 1−exp(−t/τ) with τ below 7 minutes: after 5 minutes what is still to come is less than what there is. One that is loaded in
// a straight line from a tenth of its size is a leak by this rule, until it stops.
//
// The growth must be seen for another minute: what a batch has loaded stops, and is told by then from what does not.
func heapQuadruples() Rule {
	return Rule{
		Name: "heap-quadruples",
		Text: "The heap after collections grows in a straight line and will be four times as large within half an " +
			"hour.",
		When: Condition{Any: []Condition{
			// In less than 135 s a cache that fills within 20 minutes looks like a line.
			{Signal: "heap_live", Growth: unseen(unhurried(4<<20, certain(8, 30*time.Minute, 135*time.Second, load("goroutines")))), Min: ptr(64.0 * (1 << 20))},
			// A job that builds 100 MiB and more is through within a minute or two: slower is what is kept.
			{Signal: "heap_live", Growth: unseen(unhurried(2<<20, certain(7, 30*time.Minute, 135*time.Second, load("goroutines")))), Min: ptr(64.0 * (1 << 20))},
			// 96 MiB: a Go service of any kind has as much at times.
			{Signal: "heap_live", Growth: unseen(certain(4, 30*time.Minute, 5*time.Minute, load("goroutines"))), Min: ptr(96.0 * (1 << 20)), For: held},
			// A heap that only grows has few cycles, each at twice the size of the one before: four values over six minutes.
			{Signal: "heap_live", Growth: unseen(of(minFilled, certain(4, 30*time.Minute, 6*time.Minute, load("goroutines")))), Min: ptr(96.0 * (1 << 20)), For: held},
			// Over ten minutes for a heap in which hardly a cycle ends: the runtime has one each two minutes. By then a line
			// that began near nothing cannot become four times as much within thirty.
			{Signal: "heap_live", Growth: unseen(of(minFilled, certain(3, 30*time.Minute, 10*time.Minute, load("goroutines")))), Min: ptr(96.0 * (1 << 20))},
			slowGrowth("heap_live", 256*(1<<20), load("goroutines")),
		}},
	}
}

// heapDoubles asks for less, of a process that has been watched for half an hour: by then caches are warm.
func heapDoubles() Rule {
	return Rule{
		Name:   "heap-doubles",
		Text:   "The heap after collections grows in a straight line and will be twice as large within half an hour.",
		Warmup: Duration(30 * time.Minute),
		When: Condition{Signal: "heap_live", Growth: unseen(certain(2, 30*time.Minute, 5*time.Minute, load("goroutines"))),
			Min: ptr(256.0 * (1 << 20)), For: Duration(time.Minute)},
	}
}

// memoryGrowth is what will end in a kill: more than 60 % of what there is, and the rest gone within half an hour. Services are
// sized so that they fill less than that once they are warm; below it a cache that warms up would be on its way to the
// limit as well.
func memoryGrowth() Rule {
	to := func(signal, limit string, also ...Condition) Condition {
		return Condition{All: append([]Condition{
			{Signal: signal, Above: ptr(0.6), Of: limit},
			{Signal: signal, Growth: &Growth{
				Reach: &Level{Signal: limit}, Within: Duration(30 * time.Minute), Over: Duration(15 * time.Minute), Values: minFilled,
			}},
		}, also...)}
	}
	// What grows must be more than garbage: with GOGC=off that climbs to GOMEMLIMIT in the first cycle, and stays.
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
				{Signal: "open_files_share", Growth: &Growth{Reach: &Level{Value: 1}, Within: Duration(30 * time.Minute), Over: Duration(5 * time.Minute)}},
			}},
		}},
	}
}

// lateRules see that nothing gets on: goroutines at one place, threads without a CPU, an answer that does not come.
func lateRules() []Rule {
	return []Rule{
		{
			Name: "goroutines-stuck",
			Text: "Goroutines pile up at one lock or one send, or wait at a lock and none of them makes progress.",
			Once: true, Cooldown: Duration(30 * time.Minute),
			When: Condition{Any: []Condition{
				// Five censuses without one fewer, and 50 more: a queue that is served falls now and then.
				{Stuck: &Stuck{For: Duration(time.Minute), Min: 50, Growing: true}},
				// A pool whose senders wait for a slow sink is always as many, and healthy; behind a lock it is a bottleneck.
				{Stuck: &Stuck{For: Duration(3 * time.Minute), Min: 16, At: atLock}},
			}},
		},
		{
			Name: "cpu-pressure",
			Text: "Most of the time some thread waits for a CPU, and the process is late because of that.",
			Once: true, Cooldown: Duration(30 * time.Minute),
			// Pressure alone is no harm: a process with as many threads as cores that uses them all has it, and without a
			// cgroup of its own it is that of its neighbours. 100 ms is ten of the kernel's time slices.
			When: Condition{For: Duration(time.Minute), All: []Condition{
				{Signal: "cpu_pressure", Above: ptr(0.7)},
				{Any: []Condition{{Signal: "sched_latency_p99", Above: ptr(0.1)}, {Signal: "probe_time", Above: ptr(0.25)}}},
			}},
		},
		{
			Name: "probe-time",
			Text: "The process answers the sampler late: five times as late as before, and by 250 ms or more.",
			Once: true, Cooldown: Duration(30 * time.Minute), Warmup: Duration(time.Minute),
			// The page of profiles takes a millisecond to make. A quarter of a second is more than a way around the world,
			// and five times the past excludes a way that was long before; 20 s are longer than a capture holds it up.
			When: Condition{
				Signal: "probe_time", Rise: ptr(400.0), Over: Duration(10 * time.Minute), Min: ptr(0.25), For: Duration(20 * time.Second),
			},
		},
	}
}
