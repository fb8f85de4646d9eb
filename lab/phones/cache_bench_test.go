package phones

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/lab/draw"
)

// benchEntries is how many entries BenchmarkCache puts into a cache: PHONES_BENCH_ENTRIES, otherwise 100,000. The
// gateway's size takes 1.2 GB and half a minute:
//
//	PHONES_BENCH_ENTRIES=5000000 go test -run '^$' -bench Cache ./lab/phones
func benchEntries(b *testing.B) int {
	s := os.Getenv("PHONES_BENCH_ENTRIES")
	if s == "" {
		return 100_000
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		b.Fatalf("PHONES_BENCH_ENTRIES=%q: want a number above 0", s)
	}
	return n
}

// BenchmarkCache reads entries of a full cache with the load's popularity. Besides the time of a Get it reports what
// the cache means for the collector: bytes and heap objects per entry, and of one full collection the CPU, the time on
// the wall, which is marking, and the longest stop of the world.
func BenchmarkCache(b *testing.B) {
	n := benchEntries(b)
	space := NewSpace(n, n, 1)
	for _, name := range keeping {
		b.Run("impl="+name+"/n="+strconv.Itoa(n), func(b *testing.B) {
			before := heapNow()
			c := mustCache(b, name, n, time.Hour)
			defer c.Close()
			for i := range n {
				c.Set(nthKey(i), nthPhone(i))
			}
			after := heapNow()
			gc := collection()
			b.ReportAllocs()
			i, hits := uint64(0), 0
			for b.Loop() {
				i++
				if _, ok := c.Get(nthKey(int(space.pick(draw.Unit(draw.Mix(i)))) - 1)); ok {
					hits++
				}
			}
			held := float64(c.Len())
			b.ReportMetric(float64(hits)/float64(b.N), "hits/op")
			b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/held, "B/entry")
			b.ReportMetric(float64(int64(after.HeapObjects)-int64(before.HeapObjects))/held, "objects/entry")
			b.ReportMetric(gc.cpu.Seconds()*1e3, "ms-CPU/GC")
			b.ReportMetric(gc.wall.Seconds()*1e3, "ms/GC")
			b.ReportMetric(gc.pause.Seconds()*1e6, "µs-pause/GC")
		})
	}
}

// BenchmarkCacheSet puts entries into a cache in the ways that a benchmark of it may be written. fresh makes the cache
// for its full size and puts one in, turnover pushes one out for each, and parallel does so from eight goroutines a
// CPU. gcache makes its whole table at once and ccache makes room as it is needed, so that fresh differs as much as the
// size is large: about a hundred times at 100,000 entries. time.Now is a few percent of a Set of gcache's. ccache drops
// what is too much in a goroutine of its own, for which Set waits when many are put in.
func BenchmarkCacheSet(b *testing.B) {
	n := benchEntries(b)
	for _, name := range keeping {
		run := func(way string, f func(b *testing.B)) { b.Run("way="+way+"/impl="+name+"/n="+strconv.Itoa(n), f) }
		run("fresh", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c := mustCache(b, name, n, time.Hour)
				c.Set(nthKey(1), nthPhone(1))
				c.Close()
			}
		})
		full := func(b *testing.B) cache[realKey] {
			c := mustCache(b, name, n, time.Hour)
			for i := range n {
				c.Set(nthKey(i), nthPhone(i))
			}
			b.ReportAllocs()
			return c
		}
		run("turnover", func(b *testing.B) {
			c := full(b)
			defer c.Close()
			clock := clockCost()
			for i := n; b.Loop(); i++ {
				c.Set(nthKey(i), nthPhone(i))
			}
			if name == "gcache" { // each Set asks its clock once, which is time.Now
				b.ReportMetric(100*float64(clock)*float64(b.N)/float64(b.Elapsed()), "%clock")
			}
		})
		run("parallel", func(b *testing.B) {
			c := full(b)
			defer c.Close()
			var next atomic.Int64
			next.Store(int64(n))
			b.SetParallelism(8)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					i := int(next.Add(1))
					c.Set(nthKey(i), nthPhone(i))
				}
			})
		})
	}
}

// clockCost is what one time.Now takes.
func clockCost() time.Duration {
	const n = 100_000
	start := time.Now()
	for range n {
		_ = time.Now()
	}
	return time.Since(start) / n
}

// A collected is what one full collection took, sweep included.
type collected struct{ cpu, wall, pause time.Duration }

// collection is the cheapest of three.
func collection() collected {
	cheapest := collected{cpu: 1<<63 - 1}
	for range 3 {
		cpu, start := processCPU(), time.Now()
		runtime.GC()
		c := collected{cpu: processCPU() - cpu, wall: time.Since(start)}
		var stats debug.GCStats
		debug.ReadGCStats(&stats)
		if len(stats.Pause) > 0 {
			c.pause = stats.Pause[0]
		}
		if c.cpu < cheapest.cpu {
			cheapest = c
		}
	}
	return cheapest
}

// processCPU is the CPU time that the process has used.
func processCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic("getrusage: " + err.Error()) // it fails only on a bad argument
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
