package feature

import (
	"context"
	"errors"
	"time"

	"github.com/gocasebook/casebook/lab/draw"
)

// An origin computes groups from users' histories: the work that caches are there to save.
type origin struct {
	events int           // of a user and kind that are gone through
	slots  chan struct{} // one a computation under way
	wait   time.Duration // for a slot
}

// errBusy is the error of a computation that found no free slot in time.
var errBusy = errors.New("the origin is busy: all of its slots were taken for too long")

func newOrigin(events, slots int, wait time.Duration) *origin {
	return &origin{events: events, slots: make(chan struct{}, slots), wait: wait}
}

// group computes one group. It waits for a slot.
func (o *origin) group(ctx context.Context, k key) (*Group, error) {
	timer := time.NewTimer(o.wait)
	defer timer.Stop()
	select {
	case o.slots <- struct{}{}:
		defer func() { <-o.slots }()
		return compute(k, o.events), nil
	case <-timer.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// A sum is what the events of a window add up to.
type sum struct {
	count int64
	value uint64 // in quarters, so that a mean has few digits
}

// compute goes through the events of a user's history: event i is so many hours old, has a measure and a value, all of
// which follow from the ids.
func compute(k key, events int) *Group {
	var sums [len(measures)][len(windows)]sum
	for i := range uint64(events) {
		h := draw.Mix(k.id<<20 ^ i)
		add(&sums[h%uint64(len(measures))], (h>>8)%windowHours[len(windows)-1], (h>>40)%4000)
	}
	return groupOf(k, &sums)
}

// add counts an event in the windows that reach back to it.
func add(windows *[len(windowHours)]sum, age, value uint64) {
	for w := range windows {
		if age < windowHours[w] {
			windows[w].count++
			windows[w].value += value
		}
	}
}

func groupOf(k key, sums *[len(measures)][len(windows)]sum) *Group {
	g := &Group{Group: k.group().String(), User: k.user(), Features: make([]*Feature, 0, perGroup)}
	for m := range measures {
		for w := range windows {
			s := sums[m][w]
			g.Features = append(g.Features, &Feature{Count: s.count, Name: featureName(m, w),
				Value: float64(s.value) / 4})
		}
	}
	return g
}
