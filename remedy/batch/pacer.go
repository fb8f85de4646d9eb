package batch

import "time"

// A pacer decides how long a batch waits for more items. It reads no clock and no lock: it is a pure function of what
// it was told.
//
// It keeps one number, peers: how many items were recently in flight at once, waiting or being flushed. A batch that
// has as many goes at once, because nobody else is likely to come: a caller of Add waits for its item and brings no
// second one. A batch that has fewer waits until its oldest item is due. Without other items peers is 1, so that a lone
// item does not wait.
//
// When a batch falls short, peers moves towards the size of the batch. It moves by a quarter of the way, because a
// caller that sleeps until the same tick of a timer as the batch comes a moment after it. It moves to 1 if nobody came:
// a wait in vain is not repeated for long. When nothing moved for as long as MaxDelay, the load is over and peers is 1.
// Peers grows whenever more is in flight at once. But with quick flushes that shows too little of a load: items come
// one after another and rarely overlap. So once in a while, and when a batch fell far short, a batch that could go
// waits for the whole delay, and learns how many come in it: a probe. A lone item probes only while so many come within
// a delay that waiting would gather a crowd, if they came from several callers.
type pacer struct {
	maxDelay time.Duration // 0: nothing waits
	peers    int
	moved    time.Time     // when an item last came, or a flush landed
	free     time.Time     // when a flush last landed, and made room for another
	put      time.Time     // when an item of Put last came
	probeAt  time.Time     // when a batch that could go waits next to learn
	probes   time.Duration // how far probes are apart, in delays
	probed   int           // what the batch that is a probe had when it could have gone; 0: no batch is
	window   time.Time     // when counting began, at most one delay ago
	counted  int           // items since then
	late     lateness
}

const (
	// Probes are this many delays apart: close together while they find more, twice as far after each that found
	// nothing. Those that find nothing cost 1/64 of the throughput.
	probesNear, probesFar = 4, 64

	// crowd is how many items must have come within the delay before a lone one probes: a gain that is worth a wait,
	// and a rate, 8,000 a second at the default delay, that lone callers rarely have.
	crowd = 16
)

func newPacer(maxDelay time.Duration) pacer {
	maxDelay = max(maxDelay, 0) // NoDelay
	return pacer{maxDelay: maxDelay, peers: 1, probes: probesNear, late: lateness{maxDelay: maxDelay}}
}

// came records an item that was accepted, with which underWay items wait or are being flushed. Two items of Put within
// the delay are company even if the first is done when the second comes: their callers do not wait for each other. Two
// items of Add may come from one caller, which gains nothing from waiting.
func (p *pacer) came(now time.Time, underWay int, async bool) {
	if underWay == 1 && now.Sub(p.moved) > p.maxDelay {
		p.peers = 1
	}
	p.peers = max(p.peers, underWay)
	p.moved = now
	if now.Sub(p.window) > p.maxDelay {
		p.window, p.counted = now, 0
	}
	p.counted++
	if async {
		if now.Sub(p.put) <= p.maxDelay {
			p.peers = max(p.peers, 2)
		}
		p.put = now
	}
}

// landed records the end of a flush.
func (p *pacer) landed(now time.Time) { p.moved, p.free = now, now }

// due is the latest time at which a batch goes whose oldest item came at that time.
func (p *pacer) due(oldest time.Time) time.Time { return p.late.due(oldest) }

// ready says whether a batch of n items should go now. A batch that must go for another reason, because it is full, is
// not asked about.
func (p *pacer) ready(now time.Time, n int, oldest time.Time) bool {
	switch {
	case !now.Before(p.due(oldest)):
		p.expired(now, n, oldest)
		return true
	case n < p.peers:
		return false
	case p.peers == 1 && p.counted < crowd, now.Before(p.probeAt):
		return true
	}
	if p.probed == 0 {
		p.probed = n
	}
	return false
}

// expired learns from a batch of n items that goes because its time is up.
func (p *pacer) expired(now time.Time, n int, oldest time.Time) {
	if due := p.due(oldest); due.After(p.free) { // a timer kept it waiting, not another flush
		p.late.fired(now.Sub(due))
	}
	if n >= p.peers {
		return
	}
	if n < p.peers/2 { // the load has changed: learn how
		p.probes, p.probeAt = probesNear, now
	}
	if n == 1 {
		p.peers, p.counted = 1, 0 // an item that came with the others does not make a crowd
	} else {
		p.peers -= (p.peers - n + 3) / 4
	}
}

// went learns from a batch of n items that goes, for any reason, whether a probe found more.
func (p *pacer) went(now time.Time, n int) {
	if p.probed == 0 {
		return
	}
	p.probes = min(2*p.probes, probesFar)
	if n > p.probed {
		p.probes = probesNear
	}
	p.probeAt, p.probed = now.Add(p.probes*p.maxDelay), 0
}
