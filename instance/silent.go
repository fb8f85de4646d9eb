package instance

import (
	"errors"
	"syscall"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

// sampleSilent fills in what is known of a target that gave no index page: the kernel's account of its process, and
// since when it has not answered. began is when the page was asked for.
func (t *HTTP) sampleSilent(s *vitals.Sample, began time.Time, err error) {
	now := s.Time.Add(time.Since(began))
	alive := false
	if p := t.proc.Load(); p != nil {
		if alive = p.sample(s, now, &t.absent) == nil; !alive {
			t.missed(p)
		}
		t.known.keep(s)
	}
	why := t.whyAnswered(err, alive)
	t.mute.Store(why == "")
	if why != "" {
		t.absent.set(why, vitals.Unanswered)
	} else {
		s.Set(vitals.Unanswered, now.Sub(time.Unix(0, max(t.answered.Load(), t.asked.Load()))).Seconds())
	}
	t.absent.set("the target did not answer: "+err.Error(), askedSignals[:]...)
	t.absent.settle(s)
}

// askedSignals are those that the target itself has to be asked for.
var askedSignals = [...]vitals.ID{vitals.ProbeTime, vitals.Goroutines}

// whyAnswered says why a failed request is no sign of a process that lives and does not answer; "" when it is one.
func (t *HTTP) whyAnswered(err error, alive bool) string {
	var unreachable *UnreachableError
	switch {
	case t.answered.Load() == 0 && t.asked.Load() == 0:
		return "it has not answered yet"
	case !errors.As(err, &unreachable):
		return "the target answers, but with something else: " + err.Error()
	case t.proc.Load() != nil && !alive:
		return "its process has ended"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nothing listens at its address: it ended, it is about to end, or its pprof server ended"
	case !unreachable.silent():
		return "the connection was broken off: " + err.Error()
	case !alive && !unreachable.Connected:
		return "no connection was made, and from here it cannot be seen whether its process is alive"
	case t.traced():
		return "a debugger holds the process"
	}
	return ""
}
