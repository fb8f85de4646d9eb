package kube

import (
	"errors"
	"math/rand/v2"
	"time"
)

// A backoff is the time to wait before a request that failed is sent again: twice as long each time, up to a limit, and
// spread, so that replicas do not come back at the same moment.
type backoff struct {
	first, most time.Duration
	tries       int
}

// next is how long to wait after an error. A server that says for how long is believed, up to ten times the limit.
func (b *backoff) next(err error) time.Duration {
	wait := b.most
	if b.tries < 16 {
		wait = min(b.first<<b.tries, b.most)
	}
	b.tries++
	wait = wait/2 + rand.N(wait/2+1)
	var e *StatusError
	if errors.As(err, &e) && e.After > wait {
		wait = min(e.After, 10*b.most)
	}
	return wait
}

func (b *backoff) reset() { b.tries = 0 }
