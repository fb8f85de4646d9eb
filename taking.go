package casebook

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/own"
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

	late unanswered

	dear bool // the one dump was asked for that may stop the target for longer

	laterFile bool // what is taken is the second of its phase, minutes later

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
	t.addVitals(w.since(firstDuring(history, j.trigger.Time)), "vitals-during.jsonl", casefile.During)
	t.wanted(ctx)
	t.quotes(ctx)
	t.attachments(ctx, true)
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

// during takes snapshots one after another, cheap and perishable ones first, and then what spans time, all at once.
func (t *taking) during(ctx context.Context) {
	if t.answersLate() {
		t.duringLate(ctx)
	} else {
		t.snapshots(ctx, t.job.kinds)
		t.attachments(ctx, false)
		t.spans(ctx, t.job.kinds)
	}
	t.again(ctx)
}

// snapshots takes those of some kinds that are of a moment, in their order.
func (t *taking) snapshots(ctx context.Context, kinds []string) {
	for _, kind := range kinds {
		switch {
		case kind == casefile.Heap:
			t.heap(ctx, casefile.During)
		case !spansTime(kind):
			t.capture(ctx, kind, casefile.During, 0)
		}
	}
}

// attachments takes those that wait until all else is there, or the others.
func (t *taking) attachments(ctx context.Context, last bool) {
	for _, a := range t.w.cfg.Attachments {
		if a.Last == last {
			t.attach(ctx, a)
		}
	}
}

// spans takes those of some kinds that span time, all at once.
func (t *taking) spans(ctx context.Context, kinds []string) {
	if t.job.brief {
		return
	}
	var spans sync.WaitGroup
	if slices.Contains(kinds, casefile.CPU) {
		own.In(&spans, func() { t.course(ctx) })
		own.In(&spans, func() { t.neighbours(ctx) })
	}
	for _, kind := range kinds {
		if spansTime(kind) {
			own.In(&spans, func() {
				if kind == casefile.CPU && !t.w.self {
					t.addWindows(ctx)
				}
				t.capture(ctx, kind, casefile.During, t.span(kind))
			})
		}
	}
	spans.Wait()
}

// course keeps what comes and goes within a second while the CPU is profiled. It costs the target nothing from outside,
// and 20 readings of two files a second from inside.
func (t *taking) course(ctx context.Context) {
	target, ok := ability[interface {
		Course(context.Context, time.Duration) []vitals.Sample
	}](t.w.layers)
	if !ok {
		return
	}
	samples, err := inTime(ctx, "sampling", func(ctx context.Context) ([]vitals.Sample, error) {
		return target.Course(ctx, t.span(casefile.CPU)), nil
	})
	if err != nil {
		t.w.fail(err)
		return
	}
	t.addSamples(sampling{kind: casefile.Course, file: "course.jsonl", phase: casefile.During, samples: samples})
}

// unaskedCPU is how long a CPU profile spans that the rule does not list. Of one busy core it has 300 samples, three
// times what the detectors need (diagnose.minCPUSamples).
const unaskedCPU = 3 * time.Second

// span is how long evidence of a kind that spans time is taken.
func (t *taking) span(kind string) time.Duration {
	if kind == casefile.CPU && t.job.unasked {
		return min(t.w.cfg.ProfileFor, unaskedCPU)
	}
	return t.w.cfg.ProfileFor
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
	silent := !t.answers()
	for _, kind := range t.job.kinds {
		switch {
		case kind != casefile.Heap && kind != casefile.Goroutine:
		case silent: // each would only take its time to be missed
			t.out.Missing(kind, casefile.After, "the target still did not answer")
		case kind == casefile.Heap:
			t.heap(ctx, casefile.After)
		default:
			t.capture(ctx, kind, casefile.After, 0)
		}
	}
}

// firstDuring is from when on samples are not of the time before a case: those that it has not kept as such. Of a
// target that answers late one may have begun long before the trip.
func firstDuring(before []vitals.Sample, trip time.Time) time.Time {
	if len(before) == 0 {
		return time.Time{}
	}
	if last := before[len(before)-1].Time; last.Before(trip) {
		return last
	}
	return trip
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
