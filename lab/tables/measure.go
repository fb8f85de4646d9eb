package tables

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"
)

// A contestant does the same work as the others of its group, in its own way.
type contestant struct {
	name string
	// run does the operation n times and returns a sum over its results: the same for all contestants of a group.
	run func(n int) (uint64, error)
}

// A pace says how long and how often contestants run.
type pace struct {
	quick bool
	turn  time.Duration // what one turn of one contestant takes at the least
	turns int
}

const (
	// turns is how often each contestant has its turn, in ten seconds as in one: enough for quartiles.
	turns          = 10
	defaultMeasure = 700 * time.Millisecond
)

func paceOf(o Options) pace {
	if o.Quick {
		return pace{quick: true, turn: time.Millisecond, turns: 2}
	}
	if o.Measure <= 0 {
		o.Measure = defaultMeasure
	}
	return pace{turn: o.Measure / turns, turns: turns}
}

// A cost is what one turn took, for one operation.
type cost struct {
	wall, cpu     float64 // ns
	allocs, bytes float64 // heap objects and their bytes
	collections   float64 // cycles of the garbage collector
}

// measure runs the contestants in turns and returns the costs of each, a turn at a time.
func (p pace) measure(ctx context.Context, cs []contestant) ([][]cost, error) {
	if err := agree(cs); err != nil {
		return nil, err
	}
	ns := make([]int, len(cs))
	for i, c := range cs {
		n, err := p.calibrate(ctx, c)
		if err != nil {
			return nil, err
		}
		ns[i] = n
	}
	return inTurns(ctx, p.turns, cs, func(i int) (cost, error) { return turn(cs[i], ns[i]) })
}

// inTurns calls run for each contestant in every turn. Who is first in a turn changes, so that nobody always runs after
// the same neighbour's garbage.
func inTurns(ctx context.Context, turns int, cs []contestant, run func(i int) (cost, error)) ([][]cost, error) {
	costs := make([][]cost, len(cs))
	for t := range turns {
		for k := range cs {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			i := (t + k) % len(cs)
			c, err := run(i)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", cs[i].name, err)
			}
			costs[i] = append(costs[i], c)
		}
	}
	return costs, nil
}

// agreeOn is how many operations are compared before contestants are measured: enough for each of several goroutines to
// do some.
const agreeOn = 100

// agree says whether all contestants compute the same.
func agree(cs []contestant) error {
	var want uint64
	for i, c := range cs {
		got, err := c.run(agreeOn)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if i == 0 {
			want = got
		}
		if got != want {
			return fmt.Errorf("%s computed %d, but %s %d: they do not do the same work", c.name, got, cs[0].name, want)
		}
	}
	return nil
}

// calibrate finds how many operations take a turn. What it runs is the warm-up.
func (p pace) calibrate(ctx context.Context, c contestant) (int, error) {
	for n := agreeOn; ; n *= 2 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		start := time.Now()
		if _, err := c.run(n); err != nil {
			return 0, fmt.Errorf("%s: %w", c.name, err)
		}
		if took := time.Since(start); took >= p.turn/2 {
			return max(agreeOn, int(float64(n)*float64(p.turn)/float64(took))), nil
		}
	}
}

// turn runs one contestant once. The heap's counters are read outside the clocks: reading them stops the world.
func turn(c contestant, n int) (cost, error) {
	heapBefore := heapTotals()
	before := clocks()
	_, err := c.run(n)
	after := clocks()
	heapAfter := heapTotals()
	per := func(a, b float64) float64 { return (a - b) / float64(n) }
	return cost{
		wall:        per(after.wall, before.wall),
		cpu:         per(after.cpu, before.cpu),
		allocs:      per(heapAfter.allocs, heapBefore.allocs),
		bytes:       per(heapAfter.bytes, heapBefore.bytes),
		collections: per(heapAfter.collections, heapBefore.collections),
	}, err
}

// clocks are this process's totals of time, in the units of cost.
func clocks() cost {
	now := time.Now()
	return cost{wall: float64(now.UnixNano()), cpu: float64(processCPU(now))}
}

// heapTotals are this process's totals of what it allocated, in the units of cost. runtime/metrics does not do: it
// counts an object when its span is full or a cycle of the collector begins, which is off by thousands of objects.
func heapTotals() cost {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return cost{allocs: float64(m.Mallocs), bytes: float64(m.TotalAlloc), collections: float64(m.NumGC)}
}

// A middle is the median of some values and how much they vary.
type middle struct {
	median float64
	spread float64 // half of the distance between the quartiles, as a share of the median
}

// middleOf sums up one figure of a contestant's costs.
func middleOf(costs []cost, figure func(cost) float64) middle {
	vs := make([]float64, len(costs))
	for i, c := range costs {
		vs[i] = figure(c)
	}
	slices.Sort(vs)
	m := middle{median: quantile(vs, 0.5)}
	if m.median != 0 {
		m.spread = (quantile(vs, 0.75) - quantile(vs, 0.25)) / 2 / m.median
	}
	return m
}

// quantile interpolates between sorted values, of which there is at least one.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	high := min(low+1, len(sorted)-1)
	return sorted[low] + (at-float64(low))*(sorted[high]-sorted[low])
}

func cpuOf(c cost) float64  { return c.cpu }
func wallOf(c cost) float64 { return c.wall }

// dividedBy is m for one of n things that an operation is made of.
func (m middle) dividedBy(n int) middle { return middle{m.median / float64(n), m.spread} }

// times is m for n operations.
func (m middle) times(n int) middle { return middle{m.median * float64(n), m.spread} }
