package rule

import (
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// Default is the rule set that works untouched: every threshold is a share, a multiple of the cores, or relative to the
// target's own past, so that it works in a 2-core container and on a 64-core host. A rule whose signals a target does
// not provide (requests, without the middleware) does not fire.
func Default() []Rule {
	rules := slices.Concat(cpuRules(), memoryRules(), waitingRules(), leakRules(), lateRules(), httpRules())
	return append(rules, noAnswer())
}

// noAnswer is for a process that is alive but does not answer: a deadlock before the handlers, a SIGSTOP, a full queue
// of connections, no CPU. The page requested is the cheapest of net/http/pprof (0.2 ms); to users an answer after 10 s
// is no answer. A process that ended, or refuses connections because it is about to end, has no such signal.
func noAnswer() Rule {
	return Rule{
		Name: "no-answer",
		Text: "The process is alive but has not answered for ten seconds.",
		Once: true,
		When: Condition{Signal: "unanswered", Above: ptr(10.0)},
		// The kernel's evidence arrives at once. Each profile is requested separately, because the process may no
		// longer answer.
		Capture: []string{casefile.Runtime, casefile.Goroutine, casefile.GoroutineDump, casefile.CPU},
	}
}

func cpuRules() []Rule {
	return []Rule{
		{
			Name: "gc-cpu",
			Text: "The garbage collector takes a seventh of all available CPU.",
			// A saturated service with a sane heap spends 3–10 % of its CPU on GC; near a memory limit 17 % was
			// measured with half the throughput gone (Go 1.26, 200 MB live below a GOMEMLIMIT of 215 MB, beside 3.6 %
			// below 280 MB). 15 % of the *available* CPU is too much.
			When: Condition{Signal: "gc_cpu", Above: ptr(0.15), For: Duration(3 * time.Second)},
		},
		{
			Name: "gc-forced",
			Text: "The program has its garbage collected again and again, although the heap does not need it.",
			// One a second is a mark of the whole heap each second, whatever it holds. Who gives memory back does so after
			// a job, or every few minutes; a loop or a handler that does it is ten times above.
			Once: true, Cooldown: Duration(30 * time.Minute),
			When: Condition{Signal: "gc_forced", Above: ptr(1.0), Mean: Duration(10 * time.Second),
				For: Duration(20 * time.Second)},
		},
		{
			Name: "cpu-saturated",
			Text: "The process uses nearly every core it may.",
			// GOMAXPROCS may be less than the cores.
			When: Condition{For: Duration(20 * time.Second), Any: []Condition{
				{Signal: "cpu_share", Above: ptr(0.90)},
				{Signal: "cpu", Above: ptr(0.90), Of: "gomaxprocs"},
			}},
		},
		cpuSurge(),
		cpuBursts(),
		{
			Name: "busy-poll",
			Text: "A goroutine keeps polling for work and takes a core for it.",
			Once: true, Cooldown: Duration(30 * time.Minute),
			When: Condition{All: []Condition{
				{Polling: &Polling{For: Duration(time.Minute)}},
				// What is found running in each census takes a core, or waits for one: beside others it gets half.
				{Signal: "cpu", Above: ptr(0.5), For: Duration(time.Minute)},
			}},
		},
		{
			Name: "throttled",
			Text: "The kernel holds the process back in a quarter of all scheduling periods.",
			// A collector's cycles, or a job's, use the quota up for a second of every few: the mean tells them.
			When: Condition{Any: []Condition{
				{Signal: "throttled", Above: ptr(0.25), For: Duration(10 * time.Second)},
				{Signal: "throttled", Above: ptr(0.25), Mean: Duration(30 * time.Second)},
			}},
		},
	}
}

// cpuSurge is for a change that makes each request expensive at once: data that grew below a loop, an emptied cache, a
// feature that was switched on. The process still answers, with no CPU to spare, and the request rate shows that there
// are not simply more requests.
func cpuSurge() Rule {
	// Means, because requests that come at random moments use up the CPU in the mean, and not in each second.
	past, now := Duration(5*time.Minute), Duration(20*time.Second)
	return Rule{
		Name: "cpu-surge",
		Text: "A request takes twice the CPU it did, and three times as long, and little CPU is left.",
		Once: true, Cooldown: Duration(30 * time.Minute), Warmup: Duration(time.Minute),
		When: Condition{All: []Condition{
			{Signal: "cpu", Rise: ptr(100.0), Over: past, Beyond: []string{"http_rate"}, Mean: now},
			{Any: []Condition{
				{Signal: "cpu_share", Above: ptr(0.75), Mean: now},
				{Signal: "cpu", Above: ptr(0.75), Of: "gomaxprocs", Mean: now},
			}},
			{Signal: "http_latency_p50", Rise: ptr(200.0), Over: past, Mean: now},
			{Signal: "http_rate", Above: ptr(10.0), Mean: now},
		}},
	}
}

// cpuBursts is for a scheduled job that stops everything else for seconds: reading a price list again, building a
// cache, a report. In a process without requests such bursts are the work itself.
func cpuBursts() Rule {
	late, load := []string{"probe_time", "sched_latency_p99", "http_latency_p50"}, []string{"http_rate"}
	return Rule{
		Name: "cpu-bursts",
		Text: "Every now and then something other than requests uses up the CPU for seconds, and the process is late " +
			"meanwhile.",
		Once: true, Cooldown: Duration(30 * time.Minute),
		When: Condition{All: []Condition{
			{Any: []Condition{
				{Signal: "cpu_share", Bursts: &Bursts{Above: 0.75, Late: late, Beyond: load}},
				{Signal: "cpu", Bursts: &Bursts{Above: 0.75, Of: "gomaxprocs", Late: late, Beyond: load}},
			}},
			{Signal: "http_rate", Above: ptr(10.0)},
		}},
	}
}

// memoryRules take evidence at three levels on the way to the limit, because the process may be killed before the last
// one is captured: the higher the level, the sooner. Each level opens one case per climb (Once), even if a sawtooth
// crosses it with every GC cycle, or a GOMEMLIMIT near the cgroup's limit keeps the process there.
func memoryRules() []Rule {
	level := func(name, text string, share float64, held time.Duration) Rule {
		return Rule{
			Name: name, Text: text, Once: true, Cooldown: Duration(10 * time.Minute),
			When: Condition{Signal: "memory_share", Above: &share, For: Duration(held)},
		}
	}
	return []Rule{
		level("memory-85", "Memory is at 85 % of the cgroup's limit, above which the OOM killer ends the process.",
			0.85, 3*time.Second),
		level("memory-92", "Memory is at 92 % of the cgroup's limit.", 0.92, time.Second),
		level("memory-97", "Memory is at 97 % of the cgroup's limit: the process may be killed at any moment.", 0.97,
			0),
		{
			Name: "go-memory-limit",
			Text: "Memory is at GOMEMLIMIT, and the collector works hard to keep it there, or fails to.",
			// With GOGC=off a healthy process lives at its GOMEMLIMIT: the scavenger starts at 95 % of it. So the rule
			// requires either the cost, at the upper end of a healthy heap, or a limit that is exceeded.
			Once: true, Cooldown: Duration(10 * time.Minute),
			When: Condition{Any: []Condition{
				{For: Duration(5 * time.Second), All: []Condition{
					{Signal: "go_memory", Above: ptr(0.95), Of: "go_memory_limit"},
					{Signal: "gc_cpu", Above: ptr(0.10)},
				}},
				{Signal: "go_memory", Above: ptr(1.02), Of: "go_memory_limit", For: Duration(10 * time.Second)},
			}},
		},
	}
}

func waitingRules() []Rule {
	return []Rule{
		{
			Name: "goroutines",
			Text: "Goroutines have doubled since the minute before, or are more than a process of this size needs.",
			// Services start with few goroutines. While they grow evenly from none they are at twice their mean for as
			// long as all of it lies within the minute, and at one and a half times after 90 s.
			Warmup: Duration(90 * time.Second),
			When: Condition{Any: []Condition{
				// Clients that reconnect bring their work and their connections with them. Work without connections
				// queues up in the process, as requests of one gRPC connection do; connections without work leak.
				// A burst that drains within twenty seconds is none of these.
				{Signal: "goroutines", Rise: ptr(100.0), Min: ptr(1000.0), For: Duration(20 * time.Second),
					Beyond: []string{"alloc_rate", "http_rate"}},
				{All: []Condition{
					{Signal: "goroutines", Rise: ptr(100.0), Min: ptr(1000.0), For: Duration(20 * time.Second),
						Beyond: []string{"open_files"}},
					{Signal: "open_files", Above: ptr(0.0)}, // it is known
				}},
				// 10,000 connections per core with two goroutines each are many, but not a fault.
				{Signal: "goroutines", Above: ptr(20_000.0), Of: "cpu_limit", Min: ptr(40_000.0),
					For: Duration(10 * time.Second)},
			}},
		},
		{
			Name: "mutex-wait",
			Text: "At any moment, the number of goroutines that wait for a lock is half the number that can run.",
			// 64 goroutines that only fight for one lock on 64 cores wait 63 seconds per second; 8 on 8 cores wait 7.
			// Below 4 it is not worth a case, however many cores there are.
			When: Condition{Signal: "mutex_wait", Above: ptr(0.5), Of: "gomaxprocs", Min: ptr(4.0),
				For: Duration(5 * time.Second)},
		},
		{
			Name: "disk-writes",
			Text: "The process writes as much to disks as an ordinary one of a cloud takes.",
			// A gp3 volume of AWS takes 125 MiB/s unless more is paid for, and 100 MB/s are the 600 TB for which a disk
			// of 1 TB is sold in ten weeks. Merging comes in lumps of seconds, so the mean counts; a snapshot is over
			// within the minute, or the only thing that is written in it.
			Once: true, Cooldown: Duration(30 * time.Minute),
			When: Condition{Signal: "disk_writes", Above: ptr(100e6), Mean: Duration(time.Minute)},
		},
		{
			Name: "open-files",
			Text: "The process runs out of file descriptors.",
			Once: true,
			When: Condition{Signal: "open_files_share", Above: ptr(0.85), For: Duration(5 * time.Second)},
		},
	}
}

// httpRules judge what users notice. Few requests make no share and no quantile: the floors ensure that a second has
// enough of them, or they are counted over a minute. Requests that are meant to last (websockets, long polling) do not
// belong into the middleware: they count for as long as they last.
func httpRules() []Rule {
	return []Rule{
		{
			Name: "http-errors",
			Text: "One request in twenty fails, or half of the few that there are.",
			When: Condition{Any: []Condition{
				{For: Duration(10 * time.Second), All: []Condition{
					{Signal: "http_errors", Above: ptr(0.05)},
					{Signal: "http_rate", Above: ptr(10.0)},
				}},
				// Requests that fail at a time-out end in lumps, so that the seconds between look well.
				lumps(0.1, 10), lumps(0.5, 3),
				// Of a small service, half of a minute's requests: thirty at least, and more than a probe each five
				// seconds asks of a service that is not ready.
				{For: Duration(20 * time.Second), All: []Condition{
					{Signal: "http_errors", Above: ptr(0.5), Mean: Duration(time.Minute)},
					{Signal: "http_rate", Above: ptr(0.5), Mean: Duration(time.Minute)},
				}},
			}},
		},
		{
			Name: "http-latency",
			Text: "The slowest requests, or half of all, take three times as long as before.",
			// At least a minute of history: the first requests fill caches and pools.
			Warmup: Duration(time.Minute),
			When: Condition{Any: []Condition{
				{For: Duration(10 * time.Second), Any: []Condition{
					{All: []Condition{
						{Signal: "http_latency_p99", Rise: ptr(200.0), Over: Duration(5 * time.Minute), Min: ptr(0.25)},
						// below that, the 99th percentile is the single slowest request
						{Signal: "http_rate", Above: ptr(100.0)},
					}},
					{All: []Condition{
						{Signal: "http_latency_p50", Rise: ptr(200.0), Over: Duration(5 * time.Minute), Min: ptr(0.1)},
						// When everything hangs, nothing finishes: the rate is 0, but many requests are in progress.
						{Any: []Condition{{Signal: "http_rate", Above: ptr(10.0)},
							{Signal: "http_in_flight", Above: ptr(10.0)}}},
					}},
				}},
				// Of a few requests a second one swings from sample to sample: they are counted.
				{Signal: "http_latency_p50", Late: &Late{Times: 3, Least: Duration(100 * time.Millisecond)}},
			}},
		},
		latencySpikes(), failingTail(), requestsStay(), requestsUnaccepted(),
	}
}

// lumps is a share of failed requests, and a rate, in the mean of 20 s.
func lumps(failed, rate float64) Condition {
	mean := Duration(20 * time.Second)
	return Condition{For: Duration(10 * time.Second), All: []Condition{
		{Signal: "http_errors", Above: &failed, Mean: mean},
		{Signal: "http_rate", Above: &rate, Mean: mean},
	}}
}

// latencySpikes is for what makes requests late at the same moment of each period while the CPU may be idle: entries of
// a cache that end together, a job that holds a lock, a backend's own jobs. Callers that all come at full minutes are
// told by the rate. Twice the latency, and 20 ms, are seen in any chart. The periods are those of cron and of
// lifetimes; a spike of one is a spike at other times for the next. The more samples a period has, the fewer of them
// are no coincidence, for the detectors too (vitals.FindPulse).
func latencySpikes() Rule {
	var periods []Condition
	for _, p := range []struct {
		period time.Duration
		times  int
	}{{time.Minute, 5}, {30 * time.Second, 6}, {20 * time.Second, 6}, {10 * time.Second, 9}} {
		periods = append(periods, Condition{Signal: "http_latency_p99", Min: ptr(0.02),
			Periodic: &Periodic{Period: Duration(p.period), Times: p.times, Rise: 100, Beyond: []string{"http_rate"}}})
	}
	return Rule{
		Name: "latency-spikes",
		Text: "Requests are slow at the same moment of each minute or less, and not because more come then.",
		Once: true, Cooldown: Duration(30 * time.Minute),
		When: Condition{All: []Condition{
			{Any: periods},
			// below that, the 99th percentile is the single slowest request
			{Signal: "http_rate", Above: ptr(100.0)},
		}},
	}
}

// failingTail is for the few requests that take so long that they fail: one slow call in a hundred of another service,
// the end of a queue that forms for a moment. A long tail alone is normal where requests differ: an export beside
// lookups. One failed request in a thousand is what most objectives allow for a month; fast requests that fail are of
// another kind, which http-errors judges. Means of half a minute, because a second has few of either: of 500 requests a
// second 23 fail then at the limit, and eight of a service in which one in two thousand does.
func failingTail() Rule {
	mean := Duration(30 * time.Second)
	return Rule{
		Name: "failing-tail",
		Text: "More than one request in a thousand fails, and the slowest hundredth takes twenty times " +
			"as long as half of all.",
		Once: true, Cooldown: Duration(30 * time.Minute), Warmup: Duration(30 * time.Second),
		When: Condition{For: Duration(10 * time.Second), All: []Condition{
			{Signal: "http_errors", Above: ptr(0.0015), Mean: mean},
			{Signal: "http_latency_p99", Above: ptr(20.0), Of: "http_latency_p50", Min: ptr(0.02), Mean: mean},
			{Signal: "http_rate", Above: ptr(500.0), Mean: mean},
		}},
	}
}

// requestsStay is for requests that do not end: a pool that waits for itself, a lock that nobody releases, an answer
// that never comes. The others may be as quick as before, so no latency tells it. A client that waits has a connection
// for each request, so that connections rise as requests do, until it gives up: what explains requests are clients that
// are there, and what is left is connections that only the process holds.
func requestsStay() Rule {
	return Rule{
		Name: "requests-stay",
		Text: "Requests in progress only become more, and not because more clients are there; or ever more clients wait " +
			"for a byte; or they have gone and the process goes on.",
		Once: true, Cooldown: Duration(30 * time.Minute),
		When: Condition{Any: []Condition{
			// Twelve, as for goroutines that arrive at one place. Of two streams a client there may be one connection.
			{Signal: "http_in_flight", Min: ptr(float64(minArrivals)), Growth: &Growth{Times: 2,
				Within: Duration(10 * time.Minute), Over: Duration(2 * time.Minute), Each: 2,
				Beyond: []string{"http_rate", "tcp_accepted"}}},
			// Counted every 15 s: four counts.
			{Signal: "tcp_abandoned", Min: ptr(float64(minArrivals)), Growth: of(minFilled,
				certain(2, 10*time.Minute, time.Minute, nil))},
			// They wait for 5 s when they are counted, and one for 10, so that a burst of half a minute of requests that
			// take 12 s has them for 35. Where clients always wait the mean has them.
			{Signal: "tcp_unanswered", Min: ptr(24.0), Rise: ptr(100.0), Over: Duration(10 * time.Minute),
				For: Duration(40 * time.Second)},
			{Signal: "tcp_waiting", Min: ptr(float64(minArrivals)), Rise: ptr(100.0), Over: Duration(10 * time.Minute),
				For: Duration(40 * time.Second)},
			// A few of whom some end and others come go up and down: of four counts. The mean has a stop of twenty
			// seconds for 25, and would have more of them for too long.
			{Signal: "tcp_waiting", Min: ptr(float64(minArrivals)), Max: ptr(48.0), Rise: ptr(100.0),
				Over: Duration(10 * time.Minute), Mean: Duration(18 * time.Second), For: Duration(30 * time.Second)},
			// These need no mean, so that they also see what was ill before it was watched: for longer than a dependency
			// takes to restart, and before the clients' time-out, of a minute, makes it level.
			{Signal: "tcp_unanswered", Min: ptr(24.0), Growth: pile(45 * time.Second)},
			{All: []Condition{
				{Signal: "http_in_flight", Min: ptr(24.0), Growth: pile(40*time.Second, "http_rate")},
				{Any: []Condition{
					{Signal: "tcp_waiting", Above: ptr(24.0)},
					{Signal: "http_latency_p50", Above: ptr(5.0), Mean: Duration(20 * time.Second)},
				}},
			}},
		}},
	}
}

// pile is a growth of what waits.
func pile(over time.Duration, beyond ...string) *Growth {
	return of(minFilled, certain(2, 10*time.Minute, over, beyond))
}

// requestsUnaccepted is for a server that does not accept: all places of its listener are taken, or what accepts hangs.
// Those who are connected notice nothing, and the others are in no signal of requests. A server that listens while it
// loads its data is done before a connection was met in the queue three times, 15 s apart.
func requestsUnaccepted() Rule {
	return Rule{
		Name: "requests-unaccepted",
		Text: "Clients wait for half a minute and longer, and the process does not accept their connections.",
		Once: true, Cooldown: Duration(30 * time.Minute),
		When: Condition{Signal: "tcp_queued", Above: ptr(0.0), For: Duration(10 * time.Second)},
	}
}

func ptr(v float64) *float64 { return &v }
