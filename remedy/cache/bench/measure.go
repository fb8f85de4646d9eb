package main

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// A row is what one cache did, in a process of its own; each part fills its own figures.
type row struct {
	Name string
	TTL  bool

	Entries int           // that it holds after all were set
	Bytes   float64       // of Go's heap and of what it has from the system, per entry
	Objects uint64        // of Go's heap
	GCWall  time.Duration // of a full collection, the median of some
	GCCPU   time.Duration

	Get    []float64 // ns of CPU, by goroutineCounts
	Mixed  []float64 // the same of 90 Gets and 10 Sets in 100
	Allocs float64   // a Get
	Hits   float64   // of the Gets

	Latency []time.Duration // p50, p99, p99.9, p99.99, worst
	CPU     time.Duration   // a request

	Ratios []float64 // by trace
	Held   []int
}

// goroutineCounts are the numbers of goroutines that work at once.
var goroutineCounts = []int{1, 2, 4, 8}

// phone writes the i-th phone number, of 11 or 12 digits, and returns a view of b.
func phone(b *[16]byte, i uint32) string {
	n := uint64(79_000_000_000)
	if i&1 == 1 {
		n = 380_000_000_000
	}
	s := strconv.AppendUint(b[:0], n+uint64(i), 10)
	return unsafe.String(unsafe.SliceData(s), len(s))
}

// fill sets n entries.
func fill(p peer, n int) {
	var k, v [16]byte
	for i := range n {
		p.set(phone(&k, uint32(i)), phone(&v, uint32(i)^1))
		if p.settle != nil && i%1000 == 999 {
			p.settle()
		}
	}
	if p.settle != nil {
		p.settle()
	}
}

// measureMemory says what a full cache takes, and what a collection costs with it.
func measureMemory(m maker, plan plan) (row, error) {
	r := row{Name: m.name, TTL: m.ttl}
	before := heap()
	p, err := m.make(plan.entries, plan.ttl)
	if err != nil {
		return r, fmt.Errorf("making %s: %w", m.name, err)
	}
	fill(p, plan.entries)
	after := heap()
	if p.count != nil {
		r.Entries = p.count()
	}
	taken := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	if p.outside != nil {
		taken += p.outside()
	}
	r.Bytes = float64(taken) / float64(max(r.Entries, 1))
	r.Objects = after.HeapObjects - min(before.HeapObjects, after.HeapObjects)
	r.GCWall, r.GCCPU = collect()
	if p.close != nil {
		p.close()
	}
	return r, nil
}

// measureSpeed says what calls cost.
func measureSpeed(m maker, plan plan) (row, error) {
	r := row{Name: m.name, TTL: m.ttl}
	ranks := draws(plan.entries, plan.ops)
	p, err := m.make(plan.entries, plan.ttl)
	if err != nil {
		return r, fmt.Errorf("making %s: %w", m.name, err)
	}
	fill(p, plan.entries)
	for _, g := range goroutineCounts {
		ns, allocs, hits := load(p, ranks, g, 0)
		r.Get = append(r.Get, ns)
		r.Allocs, r.Hits = allocs, hits
	}
	for _, g := range goroutineCounts {
		ns, _, _ := load(p, ranks, g, 10)
		r.Mixed = append(r.Mixed, ns)
	}
	if p.close != nil {
		p.close()
	}
	return r, nil
}

// draws are ranks of a zipf distribution over n keys, spread over the keys.
func draws(n, ops int) []uint32 {
	z, r := newZipfian(n, 1.0), rand.New(rand.NewPCG(7, 7))
	perm := r.Perm(n)
	ranks := make([]uint32, ops)
	for i := range ranks {
		ranks[i] = uint32(perm[z.draw(r)])
	}
	return ranks
}

func heap() runtime.MemStats {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	debug.FreeOSMemory()
	runtime.ReadMemStats(&m)
	return m
}

// collect is a full collection: the median of as many as fit into a second and a half, at least 7, in wall time and
// CPU. A collection of less than a millisecond may vary by a factor of two, with what the scheduler does meanwhile.
func collect() (wall, cpu time.Duration) {
	var walls, cpus []time.Duration
	for began := time.Now(); len(walls) < 7 || time.Since(began) < 1500*time.Millisecond; {
		t, c := time.Now(), cpuTime()
		runtime.GC()
		walls, cpus = append(walls, time.Since(t)), append(cpus, cpuTime()-c)
	}
	slices.Sort(walls)
	slices.Sort(cpus)
	return walls[len(walls)/2], cpus[len(cpus)/2]
}

// load lets g goroutines ask for all the ranks once, together, and set some of them again. It is the CPU of an
// operation in ns.
func load(p peer, ranks []uint32, g, setsInHundred int) (ns, allocs, hits float64) {
	var before, after runtime.MemStats
	var wg sync.WaitGroup
	found := make([]int, g)
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := cpuTime()
	for i := range g {
		wg.Go(func() {
			found[i] = work(p, ranks[len(ranks)/g*i:len(ranks)/g*(i+1)], setsInHundred)
		})
	}
	wg.Wait()
	cpu := cpuTime() - start
	runtime.ReadMemStats(&after)
	sum := 0
	for _, n := range found {
		sum += n
	}
	ops := float64(len(ranks) / g * g)
	return float64(cpu.Nanoseconds()) / ops, float64(after.Mallocs-before.Mallocs) / ops, float64(sum) / ops
}

func work(p peer, ranks []uint32, setsInHundred int) (found int) {
	get := p.reader()
	var k, v [16]byte
	for i, rank := range ranks {
		key := phone(&k, rank)
		if i%100 < setsInHundred {
			p.set(key, phone(&v, rank^1))
			continue
		}
		if _, ok := get(key); ok {
			found++
		}
	}
	return found
}

// cpuTime is the CPU time of this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
