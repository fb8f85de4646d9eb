package casebook

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// A taking is a case while its evidence is collected.
type taking struct {
	w   *Watch
	s   *session
	job *job
	out *casefile.Writer

	heapAt time.Time // when the first heap profile was taken; zero without one
	fresh  bool      // a collection was run for the heap profile that is taken next; no other goroutine takes one

	full atomic.Bool // the disk is full: taking more would cost the target, and keep nothing
}

// take captures and writes one case. When ctx ends, it writes the evidence it has.
func (w *Watch) take(ctx context.Context, j *job) (*casefile.Folder, error) {
	w.mu.Lock()
	history, s := w.history.Samples(), w.session
	c := casefile.Case{
		Schema: casefile.Schema, ID: j.id, Tool: w.cfg.Tool, Opened: j.trigger.Time, Target: w.target,
		Trigger: j.trigger,
	}
	w.mu.Unlock()
	out, err := w.create(c)
	if err != nil {
		return nil, err
	}
	if err := out.SetTodo(w.todo()...); err != nil {
		w.fail(err) // complete works without it
	}
	t := taking{w: w, s: s, job: j, out: out}
	t.before(ctx, history)
	t.during(ctx)
	if !j.brief {
		t.after(ctx)
	}
	t.fate(ctx, c.Target)
	t.addVitals(w.since(j.trigger.Time), "vitals-during.jsonl", casefile.During)
	trigger, also := w.triggers(j)
	err = out.Update(func(c *casefile.Case) { c.Closed, c.Trigger, c.Also = time.Now().UTC(), trigger, also })
	if err != nil {
		w.fail(err) // the case is usable without it: it has had its trigger from the beginning
	}
	folder, err := out.Commit()
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	w.status.Cases++
	w.mu.Unlock()
	return folder, nil
}

// during takes snapshots one after another, cheap and perishable ones first, and then what spans time, all at
// once.
func (t *taking) during(ctx context.Context) {
	for _, kind := range t.job.kinds {
		switch {
		case kind == casefile.Heap:
			t.heap(ctx, casefile.During)
		case !spansTime(kind):
			t.capture(ctx, kind, casefile.During, 0)
		}
	}
	for _, a := range t.w.cfg.Attachments {
		t.attach(ctx, a)
	}
	if t.job.brief {
		return
	}
	var spans sync.WaitGroup
	for _, kind := range t.job.kinds {
		if spansTime(kind) {
			spans.Go(func() {
				if kind == casefile.CPU && !t.w.self {
					t.addWindows(ctx)
				}
				t.capture(ctx, kind, casefile.During, t.w.cfg.ProfileFor)
			})
		}
	}
	spans.Wait()
}

// spansTime reports whether evidence of a kind is a stretch of time and not a moment.
func spansTime(kind string) bool {
	switch kind {
	case casefile.CPU, casefile.Mutex, casefile.Block, casefile.Allocs, casefile.Trace:
		return true
	}
	return false
}

// after takes a second snapshot of the evidence whose changes tell most: two heap profiles give the allocation rate
// of every site, two goroutine profiles whether a pile grows.
func (t *taking) after(ctx context.Context) {
	if ctx.Err() != nil { // the watch is being stopped: each would only be missed
		return
	}
	for _, kind := range t.job.kinds {
		switch kind {
		case casefile.Heap:
			t.heap(ctx, casefile.After)
		case casefile.Goroutine:
			t.capture(ctx, kind, casefile.After, 0)
		}
	}
}

// since copies the samples after a time.
func (w *Watch) since(t time.Time) []vitals.Sample {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.history.Samples()
	i := slices.IndexFunc(all, func(s vitals.Sample) bool { return s.Time.After(t) })
	if i < 0 {
		return nil
	}
	return all[i:]
}
