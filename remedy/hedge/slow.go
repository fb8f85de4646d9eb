package hedge

import (
	"math"
	"time"
)

// When the backend is slow for everybody a hedge joins the queue that its call is in. Three measurements tell, each at
// another pace.
//
//   - The late calls, within tens of milliseconds: more than half of the latest 32 or more calls are late. One sick
//     replica of three is below that, and hedging then helps most.
//   - The median, within seconds: above twice its baseline, and by more than the shortest delay. By now the p95 has
//     followed the slowness and late calls are back at 5 %, so they no longer show it. The baseline falls with the
//     half-life of the latencies and rises by a doubling in two minutes: after that, slow is the new normal.
//   - The hedges themselves: 1000 lost in a row mean that fewer than 0.3 % win, with 95 % confidence (the rule of
//     three, Hanley and Lippman-Hand, JAMA 249, 1983). One a second is then let through to see whether that is still
//     so. Fewer losses would not do: where one call in a thousand is slow, one hedge in fifty wins, and is worth it.
const (
	riseFactor = 2.0
	riseTime   = 2 * time.Minute
	lostMax    = 1000
	probeEvery = time.Second
)

// slow says whether the backend is slow for everybody.
func (k *kind) slow(now, start, delay time.Duration) verdict {
	switch {
	case k.lateCalls.high(start, delay):
		return slowNow
	case k.risen.Load():
		return slowForLong
	case k.lost.Load() >= lostMax && !k.probe(now):
		return useless
	}
	return granted
}

// probe lets one hedge a second through.
func (k *kind) probe(now time.Duration) bool {
	last := k.probed.Load()
	return now-time.Duration(last) >= probeEvery && k.probed.CompareAndSwap(last, int64(now))
}

// won and loses take in how a hedge ended.
func (k *kind) won()   { k.lost.Store(0) }
func (k *kind) loses() { k.lost.Add(1) }

// follow moves the median's baseline and judges the median by it. The caller holds k.mu.
func (k *kind) follow(now, median time.Duration) {
	m, since := float64(median), now-k.followed
	k.followed = now
	switch {
	case k.baseline == 0:
		k.baseline = m
	case m < k.baseline:
		k.baseline *= math.Pow(m/k.baseline, 1-math.Exp2(-float64(since)/float64(k.halfLife)))
	default:
		k.baseline = min(m, k.baseline*math.Exp2(float64(since)/float64(riseTime)))
	}
	k.risen.Store(m > riseFactor*k.baseline && m-k.baseline > float64(k.minDelay))
}
