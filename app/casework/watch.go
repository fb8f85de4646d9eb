package casework

import (
	"context"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/reporter"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A WatchRequest says which targets to watch, until when, and where their cases go.
type WatchRequest struct {
	Targets   []WatchTarget
	Dir       string              // the folder with the cases
	Keep      casefile.Retention  // of the cases in Dir
	Reporters []reporter.Reporter // of all targets, so that a collector has one spool
	Once      bool                // stop after the first case
	For       time.Duration       // stop this long after the first target answers, with no case being taken; 0: never
	AtEnd     bool                // before it stops, also because ctx ends: take a case of each target that has none
	Wake      []os.Signal         // each opens a case for every target, whatever the rules say
	Tool      string              // the program that watches, with its version
	On        func(Event)         // told what happens, by several goroutines at once; nil: nobody is told

	// Pace is that of several requests whose targets start together; nil: this one has its own.
	Pace *Pace

	// Admit decides whether a case of a target is taken now; nil: all are. See casebook.AdmitFunc.
	Admit func(ctx context.Context, t *WatchTarget, trigger casefile.Trigger) (release func(), err error)

	// Begin is given the watch of each target before it runs, for whoever asks for its status or captures from it; nil:
	// nobody does. url is the target's address as events have it.
	Begin func(url string, w *casebook.Watch)
}

// A WatchTarget is one target, and how it is watched.
type WatchTarget struct {
	Target
	Interval time.Duration // between samples; 0 means casebook.DefaultInterval
	Profile  time.Duration // how long CPU, mutex and block profiles run; 0 means casebook.DefaultProfileFor
	Rolling  bool          // take CPU profiles all the time
	Budget   casebook.Budget
	Rules    string // JSON file; "": the built-in rules
}

// Watched is what a watch did until its end.
type Watched struct {
	Targets []Summary // those that answered
	Worst   int       // the highest score of all findings
	Failed  error     // why the last case that could not be written was not; nil if all were
}

// A Summary is what the watch of one target did.
type Summary struct {
	Status casebook.Status
	Moved  []vitals.Move // signals whose level at the end differs from the level at the start
}

// Watch watches until ctx ends, or until Once or For says so: never in the middle of a case, or before it has looked at
// each target. A target that does not answer is tried again as long as another one runs. The error says why a watch
// ended by itself or could not start; what was watched until then is in the result.
func Watch(ctx context.Context, r WatchRequest) (Watched, error) {
	asked := ctx
	if r.AtEnd {
		ctx = context.WithoutCancel(ctx)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	end := newEnding(cancel, r.Once, r.For, len(r.Targets))
	defer end.end()
	rec := record{moves: make(map[string]*vitals.Moves)}
	on := func(e Event) {
		rec.see(&e)
		if r.On != nil {
			r.On(e)
		}
		end.saw(e.URL, e.Kind)
	}
	watches, err := r.watches(ctx, on)
	if err != nil {
		return Watched{}, err
	}
	if r.AtEnd {
		end.last = sync.OnceFunc(func() { captureEach(ctx, watches) })
		defer context.AfterFunc(asked, func() {
			end.last()
			cancel()
		})()
	}
	pace := r.Pace
	if pace == nil {
		pace = NewPace()
	}
	err = runAll(ctx, watches, pace, func(w *watched, err error) {
		on(Event{URL: w.process.URL(), Event: casebook.Event{Kind: casebook.Lost, Time: time.Now(),
			Err: fmt.Errorf("%w; tried again every %s", err, askAgain)}})
	})
	return rec.watched(watches), err
}

// captureEach takes a case of each target that answers and has none. Why one could not be taken, its events say.
func captureEach(ctx context.Context, watches []*watched) {
	var all sync.WaitGroup
	for _, w := range watches {
		if w.Status().Cases == 0 {
			all.Go(func() { _, _ = w.Capture(ctx, "the watch ends, and no rule has tripped", DefaultKinds()...) })
		}
	}
	all.Wait()
}

// watches creates the watch of each target.
func (r *WatchRequest) watches(ctx context.Context, on func(Event)) (watches []*watched, err error) {
	for i := range r.Targets {
		t := &r.Targets[i]
		w, err := t.watchOf(ctx, r.config(t), t.rules, on)
		switch {
		case err != nil && len(r.Targets) > 1:
			return nil, &TargetError{t.URL, err}
		case err != nil:
			return nil, err
		}
		watches = append(watches, w)
		if r.Begin != nil {
			r.Begin(w.process.URL(), w.Watch)
		}
	}
	return watches, nil
}

func (t *WatchTarget) rules(catalog *vitals.Catalog) ([]rule.Rule, error) {
	return ReadRules(t.Rules, catalog)
}

func (r *WatchRequest) config(t *WatchTarget) casebook.Config {
	cfg := casebook.Config{
		Dir: r.Dir, Retention: r.Keep, Reporters: r.Reporters, Signals: r.Wake, Tool: r.Tool,
		Interval: t.Interval, ProfileFor: t.Profile, Budget: t.Budget,
	}
	if !r.Once { // it waits for nothing else
		cfg.Again = casebook.DefaultAgain
	}
	if t.Rolling {
		cfg.Windows = casebook.DefaultWindows
	}
	if r.Admit != nil {
		cfg.Admit = func(ctx context.Context, trigger casefile.Trigger) (func(), error) { return r.Admit(ctx, t, trigger) }
	}
	return cfg
}

// A record keeps what the result of a watch says. It is safe for concurrent use.
type record struct {
	mu     sync.Mutex               // guards what follows
	moves  map[string]*vitals.Moves // by URL
	worst  int
	failed error
}

// see keeps what an event adds. If another process replaces the target, its signals start again.
func (r *record) see(e *Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Kind {
	case casebook.Sampled:
		if r.moves[e.URL] == nil {
			r.moves[e.URL] = &vitals.Moves{}
		}
		r.moves[e.URL].Add(&e.Sample)
	case casebook.Restarted:
		delete(r.moves, e.URL)
	case casebook.Closed:
		for _, f := range e.Case.Findings {
			r.worst = max(r.worst, f.Score)
		}
	case casebook.Failed:
		r.failed = e.Err
	}
}

// moved returns the signals of a target that moved, whether or not a rule tripped. r.mu is held.
func (r *record) moved(url string) []vitals.Move {
	if m := r.moves[url]; m != nil {
		return m.Moved()
	}
	return nil
}

func (r *record) watched(watches []*watched) Watched {
	r.mu.Lock()
	defer r.mu.Unlock()
	done := Watched{Worst: r.worst, Failed: r.failed}
	for _, w := range watches {
		if s := w.Status(); s.Target.URL != "" { // otherwise it never answered
			done.Targets = append(done.Targets, Summary{s, r.moved(s.Target.URL)})
		}
	}
	return done
}
