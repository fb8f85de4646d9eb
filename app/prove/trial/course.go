package trial

import (
	"math"
	"slices"
	"time"

	"github.com/aclements/go-moremath/stats"

	"github.com/gocasebook/casebook/app/load"
)

// maxTrace bounds the requests of a slice that are looked at: 32 MB.
const maxTrace = 1 << 21

// A trace is when the requests of a slice were due and how long they took.
type trace struct{ at, latency []time.Duration }

// done takes a request that ended; it is load.Config.OnDone.
func (tr *trace) done(at, latency time.Duration, _ load.Class) {
	if len(tr.at) < maxTrace {
		tr.at, tr.latency = append(tr.at, at), append(tr.latency, latency)
	}
}

// A course is what a slice says about whether its server keeps up. A queue that grows shows in two ways: who comes
// later waits longer, and more are waiting at the end than at half time. The second alone says little: requests that
// take as long as the slice are all still waiting at its end.
type course struct {
	length      float64 // seconds of arrivals
	early, late float64 // mean latency of those who came in the first and in the second half, in seconds; NaN of nobody
	came        float64 // in the second half
	grew        float64 // requests without an answer at the end, less those at half time
	took        float64 // seconds until the server was done with the slice's requests
}

// tail is how many times the quickest answers' latency the last answers may come after the end of the arrivals, without
// the server being said to have needed longer for them.
const tail = 3

// course summarizes a trace of arrivals over a length of time.
func (tr *trace) course(length time.Duration) course {
	c := course{length: length.Seconds(), took: length.Seconds()}
	var sums, counts [2]float64
	half, last := length/2, time.Duration(0)
	for i, at := range tr.at {
		k := 0
		if at >= half {
			k = 1
		}
		end := at + tr.latency[i]
		sums[k] += tr.latency[i].Seconds()
		counts[k]++
		last = max(last, end)
		if end > length {
			c.grew++
		}
		if k == 0 && end > half {
			c.grew--
		}
	}
	c.early, c.late, c.came = sums[0]/counts[0], sums[1]/counts[1], counts[1]
	if len(tr.latency) > 0 && last > length+tail*tr.quick() {
		c.took = last.Seconds()
	}
	return c
}

// quick returns the latency that a tenth of the requests stays below: what they take when they need not wait.
func (tr *trace) quick() time.Duration {
	sorted := slices.Sorted(slices.Values(tr.latency))
	return sorted[len(sorted)/10]
}

// Bounds of what counts as a slice in which the server did not find its steady state. The level is small because it is
// asked after each block, of both sides; a slice that is made longer without need costs blocks, and nothing else.
const (
	risingLevel  = 0.005
	risingShare  = 0.25 // of the latency in the first half
	risingLeast  = 1e-3 // seconds
	growingLeast = 0.03 // of the arrivals
	growingFast  = 0.2
)

// A keeping is how a side keeps up with its load, by the courses of all its slices of one length.
type keeping struct {
	rising  bool    // who comes later waits longer
	slow    bool    // answers take most of a slice, which does not show then whether they queue
	growing bool    // and the queue grows
	grows   float64 // by so many requests a second
	came    float64 // requests a second
}

func keepingOf(cs []course) keeping {
	var k keeping
	var rises, grew, early []float64
	seconds := 0.0
	for _, c := range cs {
		if math.IsNaN(c.early) || math.IsNaN(c.late) {
			continue
		}
		rises, early, grew = append(rises, c.late-c.early), append(early, c.early), append(grew, c.grew)
		k.came += c.came
		seconds += c.length / 2
	}
	if len(rises) < 3 {
		return k
	}
	base := stats.Mean(early)
	rise := stats.Mean(rises)
	k.slow = base > cs[0].length/2
	k.rising = rise > max(risingShare*base, risingLeast) && above(rises)
	k.grows = stats.Mean(grew) * float64(len(grew)) / seconds
	k.came /= seconds
	k.growing = k.rising && k.grows > growingLeast*k.came && above(grew)
	return k
}

// above reports whether values are above 0 by a one-sided t test.
func above(vs []float64) bool {
	mean, deviation := stats.Mean(vs), stats.StdDev(vs)
	if deviation == 0 {
		return mean > 0
	}
	t := mean / deviation * math.Sqrt(float64(len(vs)))
	return stats.TDist{V: float64(len(vs) - 1)}.CDF(-t) < risingLevel
}

// served returns how many requests a second were answered while they came.
func (k *keeping) served() float64 { return k.came - k.grows }
