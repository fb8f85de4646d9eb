package budget

import "time"

// Facts are the sizes that a prediction rests on. Zero or less means unknown in every number; each says what is then
// assumed.
type Facts struct {
	Goroutines  int     // 1,000 when unknown
	Frames      float64 // mean depth of their stacks; 20 when unknown. A goroutine profile taken before tells it
	HeapRecords int     // of the memory profile: allocation sites by stack, live or not; 10,000 when unknown
	HeapBytes   int64   // heap in use; 256 MiB when unknown
	HeapObjects int64   // objects in use; one a 50 bytes of HeapBytes when unknown
	Threads     int     // 20 when unknown
	CPUs        float64 // cores that the process uses at present (vitals "cpu"), not those it might; 1 when unknown
	Outside     bool    // evidence is taken through net/http/pprof, and worked upon elsewhere
}

func (f Facts) withDefaults() Facts {
	f.Goroutines = known(f.Goroutines, 1000, maxCount)
	f.Frames = known(f.Frames, 20, maxFrames)
	f.HeapRecords = known(f.HeapRecords, 10_000, maxCount)
	f.HeapBytes = known(f.HeapBytes, 256<<20, maxHeap)
	f.HeapObjects = known(f.HeapObjects, f.HeapBytes/50, maxHeap)
	f.Threads = known(f.Threads, 20, maxCount)
	f.CPUs = known(f.CPUs, 1, maxCores)
	return f
}

func known[T int | int64 | float64](v, otherwise, most T) T {
	if v > 0 { // not so for NaN
		return min(v, most)
	}
	return otherwise
}

// Bounds of what is believed. They keep the arithmetic from overflowing, whatever a target answers.
const (
	maxFrames = 100     // a traceback prints 100 frames at most (runtime, traceback.go)
	maxCores  = 10_000  // times maxSpan is 27 years of CPU, which a Duration holds
	maxCount  = 1 << 30 // goroutines, records, threads
	maxHeap   = 1 << 44 // bytes, objects
	maxSpan   = 24 * time.Hour
)

// Costs of one thing, from Go 1.26 on two virtual cores. "Measured" is TestPredicted's log and the project's notes.
const (
	// stopWorld is one stop of the world that does next to nothing. What it takes is waiting for threads to stop:
	// measured 0.05 ms on an idle process; on one that burns all cores 1 to 4 ms at the median, and up to 60 ms at the
	// worst where other processes want the cores too, which no prediction can know.
	stopWorld = 2 * time.Millisecond
	// stopGoroutine is what each goroutine adds to the stops of a goroutine profile: measured 2–8 ms at 500,000.
	stopGoroutine = 15 * time.Nanosecond

	// A goroutine in a profile: measured 0.9 s of work for 100,000 goroutines of 30 frames, each frame looked up
	// once; 1.3–2.4 µs a goroutine when all stacks are alike.
	profileGoroutine = 500 * time.Nanosecond
	profileFrame     = 300 * time.Nanosecond

	// A goroutine in a dump, which is text written with the world stopped: measured 4 µs with 7 frames, 10–16 µs with
	// 22.
	dumpGoroutine      = time.Microsecond
	dumpFrame          = 700 * time.Nanosecond
	dumpGoroutineBytes = 200
	dumpFrameBytes     = 100

	// A record of the memory profile: measured 1.5–3.7 µs, most of it looking up frames, and 9 bytes gzipped when
	// stacks are alike; 40 is for stacks that are not.
	heapRecord      = 3 * time.Microsecond
	heapRecordBytes = 40
	// subtractRecord is the difference of two profiles in our own process: measured 0.27 s to parse and 1 s to subtract
	// 100,000 samples, twice parsed.
	subtractRecord = 15 * time.Microsecond

	// A full GC cycle: measured 50–200 ns an object with pointers; a goroutine's stack is scanned in 1 µs. The stop of
	// a goroutineleak profile was measured as 14–18 ms at 100,000 goroutines.
	markObject     = 100 * time.Nanosecond
	scanGoroutine  = time.Microsecond
	leakGoroutine  = 200 * time.Nanosecond
	cycleGC        = 5 * time.Millisecond
	goroutineBytes = 2 // of a gzipped goroutine profile, a goroutine; alike stacks are one record

	// Shares of the CPU that the process uses: CPU profiles +0.2 to +0.8 %; execution traces +6 to +28 %; recording
	// contention +1 % (mutexes all, blocking above 1 ms).
	cpuProfileShare = 0.005
	traceShare      = 0.20
	contentionShare = 0.01

	// traceBytes is an execution trace a core second: measured 35 MB/s on two busy cores. Each goroutine's state is in
	// it once: 17 bytes and 0.4 µs.
	traceBytes          = 16e6
	traceGoroutineBytes = 20
	traceGoroutine      = 400 * time.Nanosecond

	smallCPU   = 5 * time.Millisecond // of what does little more than being called
	smallBytes = 64 << 10
)

// Predict estimates what taking one artefact costs. kind is casefile's name of it ("cpu", "goroutine-dump", …); span is
// how long it records, 0 for a snapshot. An unknown kind counts like a goroutine profile.
func Predict(kind string, span time.Duration, f Facts) Cost {
	f = f.withDefaults()
	span = min(max(span, 0), maxSpan)
	small := Cost{CPU: smallCPU, Bytes: smallBytes}
	switch kind {
	case "cpu":
		// 100 Hz; 60 bytes a stack
		return small.plus(Cost{CPU: used(f, span, cpuProfileShare), Bytes: int64(100 * f.CPUs * span.Seconds() * 60)})
	case "trace":
		return small.plus(predictTrace(span, f))
	case "gc":
		return predictCycle(f)
	case "heap":
		return small.plus(predictRecords(f))
	case "allocs":
		return small.plus(predictDelta(span, f))
	case "mutex", "block":
		return small.plus(predictDelta(span, contended(f))).plus(Cost{CPU: used(f, span, contentionShare)})
	case "goroutineleak":
		return small.plus(predictLeak(f))
	case "goroutine-dump":
		return small.plus(predictDump(f))
	case "threadcreate":
		return small.plus(Cost{CPU: times(f.Threads, 10*time.Microsecond), Bytes: int64(f.Threads) * 8})
	case "metrics":
		return small.plus(predictMetrics(f))
	case "runtime":
		return small
	case "prometheus":
		return small.plus(Cost{CPU: 10 * time.Millisecond, Bytes: 512 << 10}) // a page of some 2,000 series
	case "vitals":
		return Cost{CPU: 20 * time.Millisecond, Bytes: 768 << 10} // 600 samples of 50 signals as JSON lines
	}
	return small.plus(predictGoroutine(f)) // "goroutine"
}

// used is a share of the CPU that the process uses in a span.
func used(f Facts, span time.Duration, share float64) time.Duration {
	return time.Duration(float64(span) * f.CPUs * share)
}

func times[T int | int64](n T, each time.Duration) time.Duration {
	return time.Duration(min(float64(n)*float64(each), ceiling))
}

// predictGoroutine is for a goroutine profile. Two stops frame it; the stacks are read while the program runs. Past
// some 100,000 goroutines their stacks miss the caches: measured 8 s, not 4.5, at 500,000.
func predictGoroutine(f Facts) Cost {
	each := profileGoroutine + time.Duration(f.Frames*float64(profileFrame))
	cold := 1 + float64(min(f.Goroutines, 1_000_000))/500_000
	stop := stopWorld + times(f.Goroutines, stopGoroutine)
	return Cost{
		CPU:   time.Duration(float64(times(f.Goroutines, each)) * cold),
		Bytes: int64(f.Goroutines) * goroutineBytes, Pause: 2 * stop, Longest: stop,
	}
}

// predictDump is for a goroutine dump. Its text goes into a buffer that starts at 1 MiB and doubles up to 64 MiB until
// all of it fits; each try stops the world and walks all stacks again (runtime/pprof, writeGoroutineStacks).
func predictDump(f Facts) Cost {
	const first, last = 1 << 20, 64 << 20
	size := int64(float64(f.Goroutines) * (dumpGoroutineBytes + f.Frames*dumpFrameBytes))
	tries := 1
	for buffer := int64(first); buffer < min(size, last); buffer *= 2 {
		tries++
	}
	stop := stopWorld + times(f.Goroutines, dumpGoroutine+time.Duration(f.Frames*float64(dumpFrame)))
	all := times(tries, stop)
	return Cost{CPU: all, Bytes: min(size, last), Pause: all, Longest: stop}
}

// predictLeak is for a goroutineleak profile, which is taken twice because the first may miss leaks that hold a lock.
func predictLeak(f Facts) Cost {
	stop := stopWorld + times(f.Goroutines, leakGoroutine)
	return Cost{CPU: 2 * predictCycle(f).CPU, Bytes: int64(f.Goroutines) * goroutineBytes, Pause: 2 * stop,
		Longest: stop}
}

// predictCycle is for a garbage collection that is run so that a heap profile shows the moment: it marks all that is
// alive, and stops the world twice. It is no evidence; its kind is "gc".
func predictCycle(f Facts) Cost {
	return Cost{
		CPU:   cycleGC + times(f.HeapObjects, markObject) + times(f.Goroutines, scanGoroutine),
		Pause: 2 * stopWorld, Longest: stopWorld,
	}
}

// predictRecords is for a heap profile: no stop worth naming, and work that grows with its records.
func predictRecords(f Facts) Cost {
	return Cost{CPU: times(f.HeapRecords, heapRecord), Bytes: int64(f.HeapRecords) * heapRecordBytes}
}

// predictDelta is for what is taken as the difference of two snapshots. From outside the difference is not made in the
// target, and only one artefact is kept.
func predictDelta(span time.Duration, f Facts) Cost {
	c := predictRecords(f)
	if span <= 0 {
		return c
	}
	c.CPU *= 2
	if !f.Outside {
		c.CPU += times(f.HeapRecords, subtractRecord)
	}
	return c
}

// contended is f for a mutex or block profile. It has a record a place of contention: seldom more than 1,000.
func contended(f Facts) Facts {
	f.HeapRecords = min(f.HeapRecords, 1000)
	return f
}

// predictTrace is for an execution trace: one stop to start it, and work with every event.
func predictTrace(span time.Duration, f Facts) Cost {
	return Cost{
		CPU:   used(f, span, traceShare) + times(f.Goroutines, traceGoroutine),
		Bytes: int64(traceBytes*f.CPUs*span.Seconds()) + int64(f.Goroutines)*traceGoroutineBytes,
		Pause: stopWorld, Longest: stopWorld,
	}
}

// predictMetrics is for runtime/metrics, which stops nothing. From outside it is expvar, whose MemStats stop the world.
func predictMetrics(f Facts) Cost {
	if !f.Outside {
		return Cost{}
	}
	return Cost{Pause: stopWorld, Longest: stopWorld}
}
