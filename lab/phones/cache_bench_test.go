package phones

import (
	"os"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/gocasebook/casebook/lab/draw"
)

// benchEntries is how many entries BenchmarkCache fills a cache with: PHONES_BENCH_ENTRIES, else 100,000. The gateway's
// size takes 1.2 GB and half a minute:
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

// BenchmarkCache asks a full cache for entries of the load's popularity. Beside the time of a Get it reports what the
// cache is to the collector: bytes and heap objects an entry, and the CPU of one full collection.
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
			cpu := collectionCPU()
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
			b.ReportMetric(cpu.Seconds()*1e3, "ms-CPU/GC")
		})
	}
}

// collectionCPU is the CPU time of the cheapest of three full collections, sweep included.
func collectionCPU() time.Duration {
	cheapest := time.Duration(1<<63 - 1)
	for range 3 {
		start := processCPU()
		runtime.GC()
		cheapest = min(cheapest, processCPU()-start)
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
