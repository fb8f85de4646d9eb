package recorder

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gocasebook/casebook/internal/number"
)

// Waits between tries when a window cannot be taken: doubled from the first to the last. Somebody who waits for a
// profile is worth a try a second.
const (
	firstWait = time.Second
	lastWait  = 30 * time.Second
)

// tooShort is the least that counts as a window: at 100 Hz it holds 2 samples of each busy core.
const tooShort = 20 * time.Millisecond

// pause waits before the next try, and less if somebody asks for a profile.
func (c *CPU) pause(ctx context.Context, l *runState) {
	l.wait = min(max(2*l.wait, firstWait), lastWait)
	d := l.wait
	c.mu.Lock()
	if len(c.spans) > 0 {
		d = firstWait
	}
	c.mu.Unlock()
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-c.wake:
	}
}

// An absence is a stretch of time in which no window could be taken.
type absence struct {
	since time.Time
	why   string
}

func (a *absence) add(at time.Time, err error) {
	if a.since.IsZero() {
		a.since = at
	}
	a.why = err.Error()
	if inUse(err) {
		a.why = "somebody else holds the CPU profiler"
	}
}

// until says what is missing before a window that began at t.
func (a *absence) until(t time.Time) string {
	if a.since.IsZero() {
		return ""
	}
	why := strings.Replace(a.why, "somebody else holds", "somebody else held", 1)
	return fmt.Sprintf("nothing was recorded for %s before this: %s", number.Duration(t.Sub(a.since)), why)
}

func joinNotes(notes ...string) string {
	var all []string
	for _, n := range notes {
		if n != "" {
			all = append(all, n)
		}
	}
	return strings.Join(all, "; ")
}
