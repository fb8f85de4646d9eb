package instance

import (
	"context"
	"errors"
	"fmt"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// An End is what is known from outside how a process ended.
type End struct {
	PID int
	At  time.Time // when it was missed

	Known  bool           // Signal or Code is known; otherwise both are 0
	Signal syscall.Signal // that ended it; 0 for none
	Code   int            // it exited with

	// the kernel's OOM killer ended that many in its cgroup since the last sample, −1 where that is unknown
	OOMKills int64

	Replaced bool // another process answers in its place
	NewBuild bool // and that is of another build
}

// String is "exit status 2", "signal: killed"; "" when nothing is known.
func (e *End) String() string {
	switch {
	case !e.Known:
		return ""
	case e.Signal != 0:
		return "signal: " + e.Signal.String()
	}
	return fmt.Sprint("exit status ", e.Code)
}

func (e *End) words() string {
	if status := e.String(); status != "" {
		return fmt.Sprintf("process %d ended: %s", e.PID, status)
	}
	return fmt.Sprintf("process %d ended", e.PID)
}

// Ended tells of the end of the process that was watched last; false when none has ended, or its end could not be seen.
// It may run concurrently with Sample.
func (t *HTTP) Ended() (End, bool) {
	e := t.end.Load()
	if e == nil {
		return End{}, false
	}
	return *e, true
}

// missed notes that the process is gone.
func (t *HTTP) missed(p *process) {
	if p == t.dead {
		return // noted before
	}
	e := p.ended()
	e.At = time.Now()
	t.dead = p
	t.end.Store(&e)
}

// replaced notes which process took the place of the one that is gone.
func (t *HTTP) replaced(p *process) {
	e, ok := t.Ended()
	if !ok || p == nil || e.Replaced || p.pid == e.PID {
		return
	}
	e.Replaced, e.NewBuild = true, p.image != t.dead.image
	t.end.Store(&e)
}

// Fate says what became of the process that d describes, when it is no more or another one answers in its place; ""
// while all is as it was. It asks the target only where its process cannot be looked at, and may run concurrently with
// Sample.
func (t *HTTP) Fate(ctx context.Context, d casefile.Target) string {
	p := t.proc.Load()
	switch {
	case d.PID != 0 && p != nil && p.pid != d.PID:
		return fmt.Sprintf("process %d ended, and process %d now answers", d.PID, p.pid)
	case d.PID != 0 && p != nil && p.lives():
		return ""
	case d.PID != 0 && p != nil:
		e := p.howEnded()
		return e.words()
	}
	if e, ok := t.Ended(); ok && e.PID == d.PID {
		return e.words()
	}
	ctx, cancel := context.WithTimeout(ctx, dialTimeout)
	defer cancel()
	_, err := t.index(ctx)
	var unreachable *UnreachableError
	if errors.As(err, &unreachable) && !unreachable.silent() {
		return "the process ended, or can no longer be reached: " + err.Error()
	}
	return ""
}
