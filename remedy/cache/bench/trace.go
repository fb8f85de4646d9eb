package main

import (
	"math"
	"math/rand/v2"
	"sort"
)

// A trace is a sequence of keys that are asked for, and how many of them fit into a cache.
type trace struct {
	name string
	keys []uint32
	room int
}

// The traces of the hit ratios: a capacity of 100,000 entries.
const (
	traceRoom   = 100_000
	traceKeys   = 1_000_000
	traceLength = 6_000_000
)

// traces are made again for each run, from fixed seeds: they are the same in every process.
func traces() []func() trace {
	return []func() trace{
		func() trace { return trace{"zipf 1.0", zipf(1.0, 1), traceRoom} },
		func() trace { return trace{"zipf 0.8", zipf(0.8, 2), traceRoom} },
		func() trace { return trace{"zipf 1.0 polluted by scans", scans(), traceRoom} },
		func() trace { return trace{"working set that shifts", shifts(), traceRoom} },
		func() trace { return trace{"loop over 1.2 times the room", loop(traceRoom * 6 / 5), traceRoom} },
		func() trace { return trace{"loop over twice the room", loop(traceRoom * 2), traceRoom} },
	}
}

// A zipfian draws ranks from 0 with probability proportional to 1/(rank+1)^s, for s ≤ 1 too, by its cumulated table.
type zipfian []float64

func newZipfian(n int, s float64) zipfian {
	z, sum := make(zipfian, n), 0.0
	for i := range z {
		sum += 1 / math.Pow(float64(i+1), s)
		z[i] = sum
	}
	return z
}

func (z zipfian) draw(r *rand.Rand) uint32 {
	u := r.Float64() * z[len(z)-1]
	return uint32(min(sort.SearchFloat64s(z, u), len(z)-1))
}

func zipf(s float64, seed uint64) []uint32 {
	r, z := rand.New(rand.NewPCG(seed, 0)), newZipfian(traceKeys, s)
	keys := make([]uint32, traceLength)
	for i := range keys {
		keys[i] = z.draw(r)
	}
	return keys
}

// scans is a zipf trace with a sequential scan, for a third of the time, of keys that never come again.
func scans() []uint32 {
	r, z := rand.New(rand.NewPCG(3, 0)), newZipfian(traceKeys, 1.0)
	keys := make([]uint32, traceLength)
	next := uint32(traceKeys)
	for i := range keys {
		if inScan := i/50_000%3 == 2; inScan {
			keys[i] = next
			next++
			continue
		}
		keys[i] = z.draw(r)
	}
	return keys
}

// shifts asks, by zipf 0.7, for 150,000 keys. A new tenth replaces the oldest tenth every 100,000 requests.
func shifts() []uint32 {
	const set, step, every = 150_000, 15_000, 100_000
	r, z := rand.New(rand.NewPCG(4, 0)), newZipfian(set, 0.7)
	keys := make([]uint32, traceLength)
	perm := r.Perm(set)
	for i := range keys {
		keys[i] = uint32(i/every*step) + uint32(perm[z.draw(r)])
	}
	return keys
}

func loop(n int) []uint32 {
	keys := make([]uint32, traceLength)
	for i := range keys {
		keys[i] = uint32(i % n)
	}
	return keys
}
