package main

import (
	"sync"
	"time"
)

// A limiter has a token bucket for each tenant.
type limiter struct {
	rate, burst float64

	mu      sync.Mutex
	buckets map[string]*bucket
}

type bucket struct {
	tokens float64
	last   time.Time
}

func newLimiter(rate, burst float64) *limiter {
	return &limiter{rate: rate, burst: burst, buckets: map[string]*bucket{}}
}

// take takes weight tokens of a tenant, if there are as many.
func (l *limiter) take(tenant string, weight int, now time.Time) (ok bool, left float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.buckets[tenant]
	if b == nil {
		b = &bucket{tokens: l.burst, last: now}
		l.buckets[tenant] = b
	}
	b.tokens = min(l.burst, b.tokens+l.rate*now.Sub(b.last).Seconds())
	b.last = now
	if b.tokens < float64(weight) {
		return false, b.tokens
	}
	b.tokens -= float64(weight)
	return true, b.tokens
}

func (l *limiter) left(tenant string) float64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	if b := l.buckets[tenant]; b != nil {
		return b.tokens
	}
	return l.burst
}
