package feature

import (
	"math/rand/v2"
	"time"
)

// A lifetime says until when a group that is computed now may be served. Its names are the values of -expiry.
type lifetime struct {
	name   string
	period time.Duration
}

const (
	// everything ends with the period, at second 0: "features are as of the last full minute"
	expireBoundary = "boundary"
	// as boundary, and the key has the period, as the article's "feature, cell, minute" has: all of a new period is
	// missing everywhere, in Redis as in each process
	expireKeyed  = "keyed"
	expireJitter = "jitter" // each ends at a moment of its own, between half a period and a period from now
)

var expiryNames = []string{expireBoundary, expireKeyed, expireJitter}

// spread is the part of the period over which the ends are spread. It is generous, because a part of r spreads the
// reloads of what came together over r periods a period; a tenth would take ten periods to level a storm.
const spread = 0.5

// deadline is the end of a group that is computed at now.
func (l lifetime) deadline(now time.Time) time.Time {
	if l.name != expireJitter {
		return now.Truncate(l.period).Add(l.period)
	}
	return now.Add(l.period - time.Duration(spread*rand.Float64()*float64(l.period)))
}

// of is the period that a key asked for at now has; 0 when keys have none.
func (l lifetime) of(now time.Time) uint64 {
	if l.name != expireKeyed {
		return 0
	}
	return uint64(now.Truncate(l.period).UnixNano())
}
