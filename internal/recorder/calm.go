package recorder

import (
	"context"
	"time"
)

// Ending a window takes CPU time, and a process that is short of it gets it late: a gap is about 1 ms in an idle
// process, and was 0.1 to 1 s on a crowded machine. So that a spike cannot hide in a gap, a window is not ended while
// the process uses more CPU than it did on average. What begins within an idle gap is the residue: 1 ms in 10 s, one
// spike in 10,000.
const (
	// calmProbe is how long the CPU use is measured, at most: a spike of 0.2 s is seen in time.
	calmProbe = 100 * time.Millisecond
	// calmSlack is how much more than the average, in cores, is still calm.
	calmSlack = 0.1
)

// untilCalm waits for d, and then until the process uses no more CPU than it did on average, but not beyond 2 d. cpu
// tells the CPU time used so far; where it cannot, d is all. It ends at once when cut or ctx does.
func untilCalm(ctx context.Context, cut <-chan struct{}, d time.Duration, cpu func() (time.Duration, bool)) {
	began := time.Now()
	first, known := cpu()
	probe := min(calmProbe, d/4)
	if !wait(ctx, cut, d-probe) {
		return
	}
	at := time.Now()
	before, _ := cpu()
	for wait(ctx, cut, probe) && known {
		now := time.Now()
		used, _ := cpu()
		if cores(used-before, now.Sub(at)) <= cores(used-first, now.Sub(began))+calmSlack || now.Sub(began) >= 2*d {
			return
		}
		before, at = used, now
	}
}

func cores(used, in time.Duration) float64 { return used.Seconds() / max(in, 1).Seconds() }
