package casebook

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/gocasebook/casebook/casefile"
)

// A target that hangs for some seconds answers nothing of what it is asked meanwhile, which may be all that a case asks
// for at once. What shows the trouble best is then what is missing. So what timed out is asked for a second time, at
// the end, if the target has answered in between. What times out while the target answers other questions is too much
// for it, and is not asked for again.

// unanswered is what of the time of the trouble got no answer in time.
type unanswered struct {
	mu     sync.Mutex // guards the rest: evidence that spans time is taken all at once
	kinds  []missed
	closed bool // nothing is asked for again
	since  bool // an answer came after the first of them
}

// missed is one kind, and why it is missing if it stays so.
type missed struct{ kind, reason string }

// keep reports whether a kind is asked for again, because its answer was late. It is not missing yet.
func (u *unanswered) keep(kind string, phase casefile.Phase, err error) bool {
	var late interface{ Timeout() bool }
	if phase != casefile.During || !errors.As(err, &late) || !late.Timeout() {
		return false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.closed {
		return false
	}
	u.kinds = append(u.kinds, missed{kind, err.Error()})
	return true
}

// answered notes that the target answered. What the kernel tells of it is no answer.
func (u *unanswered) answered(kind string) {
	if kind == casefile.Runtime {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.since = u.since || len(u.kinds) > 0
}

// close returns what is to be asked for again, and whether the target answered since. It is nothing after the first
// call.
func (u *unanswered) close() (kinds []missed, answered bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	kinds, u.kinds, u.closed = u.kinds, nil, true
	return kinds, u.since
}

// askAgain reports whether a kind may be asked for a second time: the target is silent, and it is no attachment, which
// is the host's or another page.
func (t *taking) askAgain(kind string) bool {
	return slices.Contains(t.job.kinds, kind) && !t.answers()
}

// again asks a second time for what got no answer in time. Of a target that is still silent it notes what is missing.
func (t *taking) again(ctx context.Context) {
	kinds, answered := t.late.close()
	if ctx.Err() != nil || !answered && !t.answers() {
		for _, m := range kinds {
			t.out.Missing(m.kind, casefile.During, m.reason)
		}
		return
	}
	var names []string
	for _, m := range kinds {
		names = append(names, m.kind)
	}
	t.snapshots(ctx, names)
	t.spans(ctx, names)
}
