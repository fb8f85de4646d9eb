package batch

import (
	"testing"
	"time"
)

// A crew is callers of Add in simulated time. They work one after another as on one processor, and their flushes cost
// nothing. So no item is ever in flight beside another one, except those that wait together. That is the load that
// shows the least.
type crew struct {
	p       pacer
	now     time.Time
	grain   time.Duration // sleepers and timers wake at multiples of it
	stall   time.Duration // at each tenth of a second nothing runs for this long
	step    time.Duration // what an Add takes
	gap     time.Duration // from one item of a caller to its next; a late caller catches up
	callers []member
	batch   []int // who waits
	oldest  time.Time
	alarm   time.Time // zero: the timer is not set

	items, flushes int
	longest        time.Duration // from Add to the flush
}

type member struct {
	due     time.Time // of the next item
	wake    time.Time // when it was added
	waiting bool
}

func newCrew(callers int, gap time.Duration) *crew {
	c := &crew{p: newPacer(DefaultMaxDelay), now: time.Unix(1e9, 0), grain: time.Millisecond, step: time.Microsecond,
		gap: gap}
	for i := range callers {
		due := c.now.Add(time.Duration(i) * gap / time.Duration(callers))
		c.callers = append(c.callers, member{due: due, wake: c.tick(due)})
	}
	return c
}

// tick is when somebody who sleeps until at wakes.
func (c *crew) tick(at time.Time) time.Time {
	up := at.Truncate(c.grain)
	if up.Before(at) {
		up = up.Add(c.grain)
	}
	if tenth := up.Truncate(time.Second / 10); up.Sub(tenth) < c.stall {
		up = tenth.Add(c.stall)
	}
	return up
}

func (c *crew) run(d time.Duration) {
	for end := c.now.Add(d); c.now.Before(end); {
		next := -1
		for i, m := range c.callers {
			if !m.waiting && (next < 0 || m.wake.Before(c.callers[next].wake)) {
				next = i
			}
		}
		if !c.alarm.IsZero() && (next < 0 || c.tick(c.alarm).Before(c.callers[next].wake)) {
			c.now = later(c.now, c.tick(c.alarm))
			c.alarm = time.Time{}
			c.dispatch()
			continue
		}
		c.now = later(c.now, c.callers[next].wake).Add(c.step)
		c.add(next)
	}
}

func (c *crew) add(i int) {
	if len(c.batch) == 0 {
		c.oldest = c.now
	}
	c.batch = append(c.batch, i)
	c.callers[i].waiting = true
	c.items++
	c.p.came(c.now, len(c.batch), false)
	c.dispatch()
}

func (c *crew) dispatch() {
	if len(c.batch) == 0 {
		return
	}
	if !c.p.ready(c.now, len(c.batch), c.oldest) {
		if due := c.p.due(c.oldest); c.alarm.IsZero() || due.Before(c.alarm) {
			c.alarm = due
		}
		return
	}
	c.p.went(c.now, len(c.batch))
	c.p.landed(c.now)
	c.flushes++
	c.longest = max(c.longest, c.now.Sub(c.oldest))
	for _, i := range c.batch {
		m := &c.callers[i]
		m.waiting, m.due = false, m.due.Add(c.gap)
		if m.wake = c.now; m.due.After(c.now) {
			m.wake = c.tick(m.due)
		}
	}
	c.batch = c.batch[:0]
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// TestPacerSeesACrowd: many callers whose flushes are too quick to overlap are still gathered, and a lone caller hardly
// waits.
func TestPacerSeesACrowd(t *testing.T) {
	for _, tt := range []struct {
		name    string
		callers int
		gap     time.Duration
		stall   time.Duration
		gather  float64 // items per flush, at least
		rate    float64 // items per second, as a share of those that are due, at least
	}{
		{"64 callers, 100,000 a second", 64, 640 * time.Microsecond, 0, 40, 0.99},
		{"64 callers, and stalls of 5 ms", 64, 640 * time.Microsecond, 5 * time.Millisecond, 40, 0.99},
		{"16 callers, 20,000 a second", 16, 800 * time.Microsecond, 0, 8, 0.99},
		{"one caller without a pause", 1, time.Microsecond, 0, 1, 0.96},
		{"one caller, 5,000 a second", 1, 200 * time.Microsecond, 0, 1, 0.99},
		{"one caller, each 3 ms", 1, 3 * time.Millisecond, 0, 1, 0.99},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := newCrew(tt.callers, tt.gap)
			c.stall = tt.stall
			const length = 4 * time.Second
			c.run(length)
			gathered := float64(c.items) / float64(c.flushes)
			rate := float64(c.items) / (float64(tt.callers) * float64(length) / float64(tt.gap))
			t.Logf("%.1f items a flush, %.3f of the rate, the longest delay %s", gathered, rate, c.longest)
			if gathered < tt.gather {
				t.Errorf("%.1f items a flush, want %.0f at least", gathered, tt.gather)
			}
			if rate < tt.rate {
				t.Errorf("%.3f of the items that were due, want %.2f at least", rate, tt.rate)
			}
		})
	}
}
