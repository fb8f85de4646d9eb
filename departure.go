package casebook

import (
	"context"
	"slices"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/internal/blackbox"
)

// A mortal target can report how its process ended.
type mortal interface {
	Ended() (instance.End, bool)
}

// A departure is a process that was watched from outside and is gone, until it is clear whether that becomes a case.
type departure struct {
	at       time.Time // when it was missed
	judged   bool
	obituary obituary
	puzzles  []time.Time // the unexplained ends before it
}

// puzzleTime is how long an unexplained end is remembered.
const puzzleTime = 10 * time.Minute

// checkEnd checks whether the process ended, and has the worker open a case if it did not end normally. It does not
// wait.
func (p *prober) checkEnd(now time.Time) {
	e, ok := p.w.ended()
	if !ok {
		return
	}
	d := &p.gone
	if !d.at.Equal(e.At) {
		d.at, d.judged, d.obituary = e.At, false, p.w.lastOf(p.s)
	}
	if d.judged {
		return
	}
	for len(d.puzzles) > 0 && now.Sub(d.puzzles[0]) > puzzleTime {
		d.puzzles = d.puzzles[1:]
	}
	trigger, verdict := blackbox.Outside(d.obituary.target, d.obituary.samples, blackbox.Ending{
		Known: e.Known, Signal: e.Signal, Code: e.Code, OOMKills: e.OOMKills, Replaced: e.Replaced,
		NewBuild: e.NewBuild,
		Away:     now.Sub(e.At), Earlier: len(d.puzzles),
	})
	if verdict == blackbox.Wait {
		return
	}
	d.judged = true
	if verdict == blackbox.Crash && !p.w.busy() { // a case that is being taken shows it
		d.obituary.trigger = trigger
		p.s.announce(d.obituary)
	}
	if !e.Known && !e.NewBuild {
		d.puzzles = append(d.puzzles, now)
	}
	d.obituary = obituary{} // it holds windows
}

// busy reports whether a case is being taken.
func (w *Watch) busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.current != nil
}

// ended returns the last end that the target saw.
func (w *Watch) ended() (e instance.End, ok bool) {
	t, ok := ability[mortal](w.layers)
	if !ok {
		return e, false
	}
	_ = guard("finding out how the process ended", func() error {
		e, ok = t.Ended()
		return nil
	})
	return e, ok && !e.At.IsZero()
}

// lastOf is the recorded past of the process that was watched until now.
func (w *Watch) lastOf(s *session) obituary {
	w.mu.Lock()
	defer w.mu.Unlock()
	o := obituary{target: w.target, samples: w.history.Samples()}
	if s.windows != nil {
		o.windows = s.windows.Kept()
	}
	return o
}

// announce hands an obituary to the worker.
func (s *session) announce(o obituary) {
	select {
	case s.obituaries <- o:
	default: // it dies faster than cases are written: the case before says the same
	}
}

// A fateful target can report what happened to its previous process.
type fateful interface {
	Fate(context.Context, casefile.Target) string
}

// fate records in a case that its process ended, or was replaced, while its evidence was taken.
func (t *taking) fate(ctx context.Context, d casefile.Target) {
	f, ok := ability[fateful](t.w.layers)
	if !ok {
		return
	}
	text := ""
	_ = guard("finding out what happened to the process", func() error {
		text = f.Fate(ctx, d)
		return nil
	})
	if text == "" {
		return
	}
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	// which says less
	t.job.also = slices.DeleteFunc(t.job.also, func(t casefile.Trigger) bool { return t.Rule == blackbox.Killed })
	t.job.also = append(t.job.also, casefile.Trigger{Rule: blackbox.Killed, Time: time.Now().UTC(), Text: text})
}
