package trial

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/internal/race"
)

// A simulated server answers requests with a number of workers, each of which takes a time for one.
type simulated struct {
	workers int
	takes   func(*rand.Rand) float64 // seconds
}

func constantly(seconds float64) func(*rand.Rand) float64 {
	return func(*rand.Rand) float64 { return seconds }
}

// slices gives the courses of n slices of random arrivals. Each slice finds the server idle.
func (s simulated) slices(seed uint64, rate float64, length time.Duration, n int) []course {
	random := rand.New(rand.NewPCG(seed, 1))
	out := make([]course, n)
	for i := range out {
		var tr trace
		free := make([]float64, s.workers)
		pace := load.Poisson(rate, random.Uint64())
		for k := uint64(0); ; k++ {
			at, _ := pace(k)
			if at >= length {
				break
			}
			first := 0
			for w := range free {
				if free[w] < free[first] {
					first = w
				}
			}
			free[first] = max(free[first], at.Seconds()) + s.takes(random)
			tr.done(at, time.Duration(free[first]*float64(time.Second))-at, load.ClassOK)
		}
		out[i] = tr.course(length)
	}
	return out
}

// TestKeeping checks what slices say of servers that keep up, and of servers that do not.
func TestKeeping(t *testing.T) {
	race.Skip(t)
	const quarter, long = 250 * time.Millisecond, 4 * time.Second
	const times = 200
	yes, open, seldom, no := [2]int{180, times}, [2]int{0, times}, [2]int{0, 20}, [2]int{0, 4}
	heavy := func(r *rand.Rand) float64 { return 0.002 * math.Exp(1.5*r.NormFloat64()) } // 6 ms on average, some 100
	for _, c := range []struct {
		name    string
		server  simulated
		rate    float64
		slice   time.Duration
		slices  int
		rising  [2]int
		growing [2]int
	}{
		{"a lock, at 1.15 of what it can, over a block", simulated{1, constantly(0.010)}, 115, quarter, 24, yes, open},
		{"a lock, at 1.6 of what it can", simulated{1, constantly(0.014)}, 115, quarter, 8, yes, open},
		{"a lock, at 1.6 of what it can, in long slices", simulated{1, constantly(0.014)}, 115, long, 4, yes, yes},
		{"a pool of 50 that cannot", simulated{50, constantly(0.5)}, 150, long, 4, yes, yes},
		{"a lock, half used", simulated{1, constantly(0.010)}, 50, quarter, 48, no, no},
		{"a lock, 0.9 used, in long slices", simulated{1, constantly(0.010)}, 90, long, 12, seldom, no},
		{"a remote call of 100 ms", simulated{1000, constantly(0.1)}, 300, quarter, 48, no, no},
		{"a remote call that takes longer than the slice", simulated{1000, constantly(0.4)}, 300, quarter, 48, no, no},
		{"answers of very different length", simulated{1000, heavy}, 300, quarter, 48, no, no},
		{"a pool of 16 that can", simulated{16, constantly(0.02)}, 500, quarter, 48, no, no},
	} {
		t.Run(c.name, func(t *testing.T) {
			rising, growing := 0, 0
			for seed := range uint64(times) {
				k := keepingOf(c.server.slices(seed, c.rate, c.slice, c.slices))
				if k.rising {
					rising++
				}
				if k.growing {
					growing++
				}
			}
			if wanted := c.growing; growing < wanted[0] || growing > wanted[1] {
				t.Errorf("the queue is said to grow %d times of %d, want %v", growing, times, wanted)
			}
			if wanted := c.rising; rising < wanted[0] || rising > wanted[1] {
				t.Errorf("latency is said to rise %d times of %d, want %v", rising, times, wanted)
			}
			t.Logf("growing %d, rising %d of %d", growing, rising, times)
		})
	}
}

// TestTook: the last answers may come some latencies after the end of the arrivals, which is no lack of throughput. A
// queue that is left is one.
func TestTook(t *testing.T) {
	length := 250 * time.Millisecond
	kept, behind := trace{}, trace{}
	for i := range 25 {
		at := time.Duration(i) * 10 * time.Millisecond
		kept.done(at, 12*time.Millisecond, load.ClassOK)
		behind.done(at, 14*time.Millisecond*time.Duration(i+1)-at, load.ClassOK)
	}
	if c := kept.course(length); c.took != 0.25 || c.grew != 0 {
		t.Errorf("kept up: took %v s, grew by %v; want 0.25 and 0", c.took, c.grew)
	}
	// Request i ends at 14·(i+1) ms: 8 of 25 after 250 ms, and 5 of those that came by 125 ms after those.
	if c := behind.course(length); math.Abs(c.took-0.35) > 1e-9 || c.grew != 3 {
		t.Errorf("behind: took %v s, grew by %v; want 0.35 and 3", c.took, c.grew)
	}
	if c := (&trace{}).course(length); c.took != 0.25 || !math.IsNaN(c.early) {
		t.Errorf("nobody came: %+v", c)
	}
}
