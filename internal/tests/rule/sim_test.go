package rule_test

import (
	"math"
	"math/rand/v2"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// A demand is what the world asks of a simulated process in one second, and what the process keeps on purpose.
type demand struct {
	rate       float64 // requests a second, before noise
	conns      float64 // clients that are connected
	latency    float64 // seconds that a request is in flight
	goroutines float64 // of its own, besides those of requests and connections
	kept       float64 // bytes that it keeps: caches, sessions, a batch
	files      float64 // of its own, besides those of connections
	work       float64 // bytes allocated per second besides requests
	restart    bool    // a new process takes its place
}

// A simulation is a Go process as a sampler sees it from outside each second. Load is noise of several time scales. The
// heap is a sawtooth of cycles that end anywhere between two samples. In the first cycles the sampler's value of the
// live heap is too high, because some memory is not swept yet. Memory returns to the kernel slowly. Counts rise and
// fall.
type simulation struct {
	random *rand.Rand
	cores  float64
	gogc   float64 // percent; 0 is off
	limit  float64 // GOMEMLIMIT, 0 without
	cgroup float64 // memory limit, 0 without
	each   float64 // bytes that a request allocates
	cpu    float64 // CPU seconds per request
	byConn float64 // goroutines per connection

	slow, fast float64 // noise of the load, logarithms
	garbage    float64 // since the last cycle
	goal       float64
	marked     float64 // the live heap at the last cycle
	high       float64 // memory that the runtime holds
	asked      bool    // a cycle has ended that heap_live has not shown yet
	said       int     // how often heap_live had a value
	sinceGC    float64
	born       int
	uncounted  bool    // nobody counts its requests: it is watched by pprof alone
	outside    float64 // bytes that it holds outside of the heap
}

const simBase = 6 << 20 // bytes that every process needs

func (v *simulation) reset(i int) {
	v.garbage, v.high, v.goal, v.asked, v.said, v.sinceGC, v.born = 0, 0, 0, false, 0, 0, i
}

// normal is autoregressive noise with a time scale in seconds.
func (v *simulation) walk(x *float64, scale, sigma float64) float64 {
	keep := math.Exp(-1 / scale)
	*x = keep**x + math.Sqrt(1-keep*keep)*sigma*v.random.NormFloat64()
	return *x
}

// count is a Poisson number with a mean.
func (v *simulation) count(mean float64) float64 {
	if mean <= 0 {
		return 0
	}
	if mean > 30 {
		return math.Max(0, math.Round(mean+math.Sqrt(mean)*v.random.NormFloat64()))
	}
	n, p, floor := 0.0, v.random.Float64(), math.Exp(-mean)
	for ; p > floor; n++ {
		p *= v.random.Float64()
	}
	return n
}

// sample is second i of the process.
func (v *simulation) sample(i int, d demand) vitals.Sample {
	if d.restart {
		v.reset(i)
	}
	noise := math.Exp(v.walk(&v.slow, 90, 0.08) + v.walk(&v.fast, 4, 0.10))
	rate := v.count(d.rate * noise)
	util := math.Min(rate*v.cpu/v.cores, 0.97)
	latency := d.latency / (1 - 0.7*util)
	flight := v.count(rate * latency)
	live := simBase + d.kept + flight*v.each/2 + d.conns*8e3
	s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
	cycles := v.collect(&s, live, rate*v.each*(0.9+0.2*v.random.Float64())+d.work+2e5)
	goroutines := 5 + d.goroutines + flight + v.byConn*d.conns
	v.memory(&s, goroutines*8e3)
	gc := cycles * live * 2e-10 / v.cores
	cores := math.Min(rate*v.cpu+cycles*live*2e-10+0.002, v.cores)
	set := func(id vitals.ID, x float64) { s.Set(id, x) }
	set(vitals.CPU, cores)
	set(vitals.ReadRate, 40+rate*600*(0.95+0.1*v.random.Float64()))
	if !v.uncounted {
		set(vitals.HTTPRate, rate)
		v.requests(&s, rate, latency, util, cycles)
	}
	set(vitals.GoMaxProcs, math.Ceil(v.cores))
	set(vitals.CPUShare, cores/v.cores)
	set(vitals.CPULimit, v.cores)
	set(vitals.CPUPressure, math.Min(util*util*(0.3+0.4*v.random.Float64()), 1))
	set(vitals.Goroutines, goroutines+v.count(1))
	set(vitals.OpenFiles, 12+d.files+math.Round(d.conns)+v.count(0.3))
	set(vitals.OpenFilesShare, (12+d.files+d.conns)/1_048_576)
	set(vitals.ProbeTime, 0.001*math.Exp(0.5*v.random.NormFloat64())/(1-util))
	set(vitals.Threads, 8+v.cores)
	if i%15 == 0 {
		set(vitals.TCPAccepted, math.Round(d.conns))
	}
	if cycles > 0 {
		set(vitals.GCCPU, math.Min(gc, 1))
	}
	return s
}

// requests are the signals of requests: a tail that a queue makes longer, and now and then a slow second; one request
// in two thousand fails.
func (v *simulation) requests(s *vitals.Sample, rate, latency, util, cycles float64) {
	if rate <= 0 {
		return
	}
	queue := 1 + 0.5*util/(1-util)
	p99 := 4 * latency * queue * math.Exp(0.25*v.random.NormFloat64())
	if v.random.Float64() < 0.01 {
		p99 *= 6
	}
	if cycles > 0 {
		p99 *= 1.3
	}
	s.Set(vitals.HTTPLatencyP50, latency*(0.95+0.1*v.random.Float64()))
	s.Set(vitals.HTTPLatencyP99, p99)
	s.Set(vitals.HTTPErrors, math.Min(v.count(rate*0.0005)/rate, 1))
}

// collect lets the process allocate for a second, and returns how many cycles ended in it.
func (v *simulation) collect(s *vitals.Sample, live, allocated float64) float64 {
	if v.goal == 0 {
		v.goal = v.next(live)
	}
	v.garbage += allocated
	v.sinceGC += 1
	cycles := 0.0
	for room := v.goal - live; v.garbage >= math.Max(room, 1<<20) || v.sinceGC > 120 && v.gogc > 0; cycles++ {
		v.garbage = math.Max(v.garbage-math.Max(room, 1<<20), 0)
		v.goal, v.marked, v.sinceGC = v.next(live), live, 0
		if room = v.goal - live; cycles > 50 {
			v.garbage = math.Min(v.garbage, room)
		}
	}
	unswept := 0.0
	if cycles > 0 && v.random.Float64() < 0.5 { // half of the cycles ended within the time that sweeping takes
		unswept = (v.goal - live) * v.random.Float64()
	}
	s.Set(vitals.HeapAlloc, live+math.Min(v.garbage+unswept, v.goal-live))
	s.Set(vitals.HeapGoal, v.goal)
	s.Set(vitals.AllocRate, allocated)
	s.Set(vitals.GCRate, cycles)
	if v.asked { // the reading after the cycle's own, or one after another cycle
		s.Set(vitals.HeapLive, v.heapLive(live, allocated, unswept))
	}
	v.asked = cycles > 0
	return cycles
}

// heapLive is what the sampler finds. After three cycles it knows how the goal follows the live heap, if it does. In a
// real service 0.3 % of the goal were stacks, globals and other things.
func (v *simulation) heapLive(live, allocated, unswept float64) float64 {
	v.said++
	if follows := v.gogc > 0 && v.goal >= v.marked*(1+v.gogc/100); follows && v.goal > 4<<20 && v.said > 3 {
		return v.marked * (1 + 0.003*v.random.NormFloat64())
	}
	return live + 0.05*allocated*v.random.Float64() + unswept
}

// next is the goal of the next cycle.
func (v *simulation) next(live float64) float64 {
	goal := math.Inf(1)
	if v.gogc > 0 {
		goal = math.Max(live*(1+v.gogc/100), 4<<20*v.gogc/100)
	}
	if v.limit > 0 {
		goal = math.Min(goal, math.Max((v.limit-20<<20)/1.09, live*1.02)) // the runtime subtracts what is not heap
	}
	return goal
}

// memory is what the kernel sees: the heap's high-water mark, which the scavenger returns within minutes.
func (v *simulation) memory(s *vitals.Sample, stacks float64) {
	now := s.Values[vitals.HeapAlloc]*1.08 + stacks + 8<<20
	v.high = math.Max(now, v.high-(v.high-now)/180)
	rss := v.high + 12<<20 + v.outside
	s.Set(vitals.GoMemory, v.high)
	s.Set(vitals.RSS, rss)
	s.Set(vitals.RSSAnon, v.high+6<<20+v.outside)
	s.Set(vitals.OffHeapAnon, 6<<20+v.outside)
	s.Set(vitals.MachineMemory, 16<<30)
	if v.limit > 0 {
		s.Set(vitals.GoMemoryLimit, v.limit)
	}
	if v.cgroup > 0 {
		s.Set(vitals.MemoryLimit, v.cgroup)
		s.Set(vitals.MemoryShare, math.Min(rss/v.cgroup, 1))
	}
}
