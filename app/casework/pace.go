package casework

import (
	"context"
	"sync"
	"time"
)

const (
	// startEvery is the time between the starts of two watches: a thousand targets are not asked at the same moment,
	// neither at the start nor at each sample.
	startEvery = 4 * time.Millisecond
	// startsAtOnce is how many starts may wait for their first answer: on a busy machine they take so long that starts by
	// the clock alone keep each other from being answered in time.
	startsAtOnce = 32
	// startHold is how long a start counts as one of these: targets that hang keep no others from being watched.
	startHold = 2 * time.Second
)

// A Pace is that of the starts of many watches, in one request or in several. It is safe for concurrent use.
type Pace struct {
	slots chan struct{}

	mu   sync.Mutex // guards next
	next time.Time
}

// NewPace makes one.
func NewPace() *Pace { return &Pace{slots: make(chan struct{}, startsAtOnce)} }

// Wait waits until a watch may start. The caller calls answered once it has started or failed; more calls do nothing.
func (p *Pace) Wait(ctx context.Context) (answered func(), err error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	free := sync.OnceFunc(func() { <-p.slots })
	select {
	case <-time.After(p.after(time.Now())):
	case <-ctx.Done():
		free()
		return nil, ctx.Err()
	}
	late := time.AfterFunc(startHold, free)
	return func() {
		late.Stop()
		free()
	}, nil
}

// after is how long the next start has to wait.
func (p *Pace) after(now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.next.Before(now) {
		p.next = now
	}
	wait := p.next.Sub(now)
	p.next = p.next.Add(startEvery)
	return wait
}
