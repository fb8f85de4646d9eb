package load

import (
	"math"
	"math/rand/v2"
	"sort"
	"sync/atomic"
	"time"
)

// Arrivals says how the requests of a rate are spaced.
type Arrivals string

// The kinds of arrivals.
const (
	// RandomArrivals are a Poisson process: each request comes at a random moment, whatever the others do, as callers
	// that do not know of each other do. Some come close together and queue, also where the service keeps up in the
	// mean.
	RandomArrivals Arrivals = "poisson"
	// EvenArrivals are evenly spaced: they do not queue if the service keeps up.
	EvenArrivals Arrivals = "constant"
)

// Poisson returns a Pace of a Poisson process, rate arrivals a second (above 0) on average. The i-th follows from seed
// and i.
func Poisson(rate float64, seed uint64) Pace {
	u := newUnitProcess(seed)
	return func(i uint64) (time.Duration, bool) { return durationOf(u.at(i) / rate) }
}

// Of returns a Pace of a constant rate (above 0) with these arrivals. Even ones have no use for a seed.
func (a Arrivals) Of(rate float64, seed uint64) Pace {
	if a == EvenArrivals {
		return Constant(rate)
	}
	return Poisson(rate, seed)
}

// blockArrivals is how many arrivals of a unitProcess are computed at a time.
const blockArrivals = 64

// A unitProcess is a Poisson process of one arrival a unit of time, whose arrivals can each be computed directly, from
// its number.
//
// Adding up exponential gaps would have to begin at the first for each of them, and add up rounding. So time is divided
// top down instead: the arrivals until number 64·2ᵏ take a gamma-distributed time, of which the first half of the
// arrivals takes a beta-distributed share, and so on down to blocks of 64, whose gaps are exponential, scaled to the
// block's time. That is the same process (the gamma bridge; Devroye 1986, Non-Uniform Random Variate Generation,
// XI.1.5), and each draw comes from a generator that is seeded with the place of its interval.
type unitProcess struct {
	seed uint64
	last atomic.Pointer[unitBlock] // computed last: arrivals are mostly asked for in order
}

// A unitBlock is the times of arrivals 64·n to 64·n+63.
type unitBlock struct {
	n     uint64
	times [blockArrivals]float64
}

func newUnitProcess(seed uint64) *unitProcess { return &unitProcess{seed: seed} }

// at returns the time of the i-th arrival, from 0.
func (u *unitProcess) at(i uint64) float64 {
	b := u.last.Load()
	if n := i / blockArrivals; b == nil || b.n != n {
		b = u.block(n)
		u.last.Store(b)
	}
	return b.times[i%blockArrivals]
}

// before returns how many arrivals come before a time.
func (u *unitProcess) before(moment float64) uint64 {
	late := func(i int) bool { return u.at(uint64(i)) >= moment }
	most := blockArrivals
	for !late(most) {
		most *= 2
	}
	return uint64(sort.Search(most, late))
}

// block computes the n-th block.
func (u *unitProcess) block(n uint64) *unitBlock {
	begin, length := u.interval(n)
	b := &unitBlock{n: n}
	random := u.random(0, n)
	sum := 0.0
	for i := range b.times {
		sum += random.ExpFloat64()
		b.times[i] = sum
	}
	for i := range b.times {
		b.times[i] = begin + length*(b.times[i]/sum)
	}
	return b
}

// interval returns the time in which the n-th block's arrivals come.
func (u *unitProcess) interval(n uint64) (begin, length float64) {
	length = gamma(u.random(1, 0), blockArrivals) // of block 0
	if n == 0 {
		return 0, length
	}
	blocks := uint64(1) // the octave is the blocks from blocks to 2·blocks − 1
	for octave := uint64(2); ; octave++ {
		begin += length
		length = gamma(u.random(1, octave), float64(blocks*blockArrivals))
		if n < 2*blocks {
			break
		}
		blocks *= 2
	}
	first := blocks // of the part that holds n
	for level := uint64(2); blocks > 1; level++ {
		blocks /= 2
		part := length * beta(u.random(level, first), float64(blocks*blockArrivals))
		if n < first+blocks {
			length = part
			continue
		}
		first += blocks
		begin += part
		length -= part
	}
	return begin, length
}

// random returns the random generator for a position: a level, and a place in it.
func (u *unitProcess) random(level, place uint64) *rand.Rand {
	// An odd multiple mixes the level in; the places of a level are below 2⁵⁸.
	return rand.New(rand.NewPCG(u.seed, place+level*0x9e3779b97f4a7c15))
}

// gamma draws from the gamma distribution of a shape of 1 or more, by Marsaglia and Tsang (2000).
func gamma(random *rand.Rand, shape float64) float64 {
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := random.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(1-random.Float64()) < x*x/2+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// beta draws from the beta distribution with both parameters equal, as a share of two gammas.
func beta(random *rand.Rand, shape float64) float64 {
	x := gamma(random, shape)
	return x / (x + gamma(random, shape))
}
