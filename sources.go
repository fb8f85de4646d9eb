package casebook

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/gocasebook/casebook/internal/number"
	"github.com/gocasebook/casebook/internal/own"
	"github.com/gocasebook/casebook/vitals"
)

// Gauge is a source of one of the service's own numbers: the length of a queue, the entries of a cache. read is called
// once per sample, from a separate goroutine; NaN means absent.
func Gauge(name string, unit vitals.Unit, read func() float64) vitals.Source {
	return vitals.Source{
		Name:    "gauge " + name,
		Signals: []vitals.Signal{{Name: name, Unit: unit, Text: "a gauge of the service"}},
		Read: func(_ context.Context, values []float64) error {
			values[0] = read()
			return nil
		},
	}
}

// sourceCatalog lists the built-in signals and those that the sources add.
func sourceCatalog(sources []vitals.Source) (*vitals.Catalog, error) {
	var extra []vitals.Signal
	for _, s := range sources {
		if len(s.Signals) == 0 {
			return nil, fmt.Errorf("source %q has no signals", s.Name)
		}
		for _, sig := range s.Signals {
			if _, builtIn := vitals.Lookup(sig.Name); !builtIn {
				extra = append(extra, sig)
			}
		}
	}
	return vitals.NewCatalog(extra...)
}

// A feed reads one source in a separate goroutine, so that a slow source delays no sample.
type feed struct {
	source vitals.Source
	call   func(func()) // calls a read
	ids    []vitals.ID
	ask    chan struct{} // holds one
	done   chan struct{} // holds one: a read has ended

	goroutine *own.Goroutine // that reads

	mu     sync.Mutex // guards what follows
	busy   time.Time  // when the current read began; zero if there is none
	fresh  bool       // values are of a read that no sample has taken yet
	values []float64
	err    error
}

func newFeeds(sources []vitals.Source, catalog *vitals.Catalog, call func(func())) []*feed {
	feeds := make([]*feed, 0, len(sources))
	for _, s := range sources {
		if s.Read == nil {
			continue // the target fills them in
		}
		f := &feed{source: s, call: call, ask: make(chan struct{}, 1), done: make(chan struct{}, 1),
			values: make([]float64, len(s.Signals))}
		for _, sig := range s.Signals {
			id, _ := catalog.Lookup(sig.Name) // the catalog was made of them
			f.ids = append(f.ids, id)
		}
		feeds = append(feeds, f)
	}
	return feeds
}

// run reads whenever it is asked to, until ctx ends.
func (f *feed) run(ctx context.Context) {
	values := make([]float64, len(f.ids))
	var err error
	read := func() { err = f.read(ctx, values) } // made once, so that a tick allocates nothing
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.ask:
		}
		for i := range values {
			values[i] = math.NaN()
		}
		f.call(read)
		f.mu.Lock()
		copy(f.values, values)
		f.err, f.fresh, f.busy = err, true, time.Time{}
		f.mu.Unlock()
		select {
		case f.done <- struct{}{}:
		default:
		}
	}
}

// read is one read of the source. A panic in it is an error.
func (f *feed) read(ctx context.Context, values []float64) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("reading %s panicked: %v", f.source.Name, r)
		}
	}()
	return speakable(f.source.Read(ctx, values))
}

// request begins a read unless one is in progress.
func (f *feed) request(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.busy.IsZero() {
		return
	}
	f.busy = now
	select {
	case <-f.done: // of a read that the sample before did not wait for
	default:
	}
	f.ask <- struct{}{} // never blocks: no read is in progress
}

// fill puts the values of the last read into a sample, once. Values that the target provides itself win.
func (f *feed) fill(s *vitals.Sample) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.fresh || f.err != nil {
		return
	}
	f.fresh = false
	for i, id := range f.ids {
		if _, given := s.Get(id); !given {
			s.Set(id, f.values[i])
		}
	}
}

// why says why the source's signals are absent now; "" if they are not.
func (f *feed) why(now time.Time) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.err != nil:
		return f.err.Error()
	case !f.busy.IsZero() && now.Sub(f.busy) > time.Second:
		return fmt.Sprintf("%s has not answered for %s", f.source.Name, number.Duration(now.Sub(f.busy)))
	}
	return ""
}

// feedPatience is how long a sample waits for sources: a gauge answers in microseconds, and a slower value goes into
// the next sample.
const feedPatience = 2 * time.Millisecond

// awaitFeeds waits until all have answered or the timer's patience is over. It allocates nothing.
func awaitFeeds(feeds []*feed, timer *time.Timer) {
	if len(feeds) == 0 {
		return
	}
	timer.Reset(feedPatience)
	defer timer.Stop()
	for _, f := range feeds {
		select {
		case <-f.done:
		case <-timer.C:
			return
		}
	}
}

// feedGrace is how long an ending watch waits for a source that ignores its context.
const feedGrace = 2 * time.Second

// startFeeds runs the feeds; the function it returns waits for them, except for those that do not return.
func startFeeds(ctx context.Context, feeds []*feed) (join func() error) {
	var group sync.WaitGroup
	for _, f := range feeds {
		group.Add(1)
		f.goroutine = own.Go(func() {
			defer group.Done()
			f.run(ctx)
		})
	}
	return func() error {
		ended := make(chan struct{})
		own.Go(func() { group.Wait(); close(ended) })
		select {
		case <-ended:
			return nil
		case <-time.After(feedGrace):
		}
		for _, f := range feeds {
			f.mu.Lock()
			busy := !f.busy.IsZero()
			f.mu.Unlock()
			if busy {
				f.goroutine.GiveUp()
				return fmt.Errorf("reading %s: %w", f.source.Name, errAbandoned)
			}
		}
		return nil
	}
}
