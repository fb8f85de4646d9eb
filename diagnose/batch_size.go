package diagnose

import (
	"fmt"
	"math"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// The size of a batch follows from the load: what one request has to send, and what comes from all of them while one
// exchange takes place. Where the evidence counts these, a remedy says them.

// batchDelay is for how long remedy/batch lets an item wait for others, if nothing else is set (DefaultMaxDelay).
const batchDelay = 2 * time.Millisecond

// A batchSize is what the evidence counts of operations that could be made together. 0: not known.
type batchSize struct {
	each     float64 // operations of a request, on average
	requests float64 // a second
	took     float64 // seconds of an operation
}

// ofRequest says how many one request has.
func (b batchSize) ofRequest() string {
	if b.each < 2 {
		return ""
	}
	return fmt.Sprintf(" A request makes %s of these queries.", count(math.Round(b.each)))
}

// gathered is how many come from all requests while one exchange takes place, with the delay that waits for more.
func (b batchSize) gathered() float64 {
	return b.requests * max(b.each, 1) * (b.took + batchDelay.Seconds())
}

// ofAll says how many of all requests a batch gets, and the bound that lets twice as many through.
func (b batchSize) ofAll() string {
	n := b.gathered()
	if n < 1 {
		return ""
	}
	while := seconds(batchDelay.Seconds()) + ", the default of MaxDelay"
	if b.took > 0 {
		while = fmt.Sprintf("the %s of an exchange and %s", seconds(b.took), while)
	}
	return fmt.Sprintf(" At %s requests a second about %s come in %s: MaxItems: %d.", count(b.requests),
		count(math.Round(n)), while, powerAbove(2*n))
}

// shared reports whether operations of several requests come together, as far as that is known.
func (b batchSize) shared() bool {
	return b.requests == 0 || b.requests*(b.took+batchDelay.Seconds()) >= 1
}

// powerAbove is the smallest power of two that is not below n.
func powerAbove(n float64) int { return 1 << int(math.Ceil(math.Log2(max(n, 1)))) }

// requestRate is how many requests a second the servers answer: in an execution trace, or else by the vitals; 0 where
// neither tells.
func requestRate(r *Reading) float64 {
	if s, _ := r.Trace(); s != nil {
		if n := tracedRequests(s).number; n > 0 {
			return float64(n) / max(s.Span.Seconds(), 1e-3)
		}
	}
	rate, _ := r.Mean(vitals.HTTPRate)
	return rate
}
