package casebook_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/vitals"
)

// running starts a watch of a target that answers at once, and stops it when the test ends.
func running(t *testing.T, cfg casebook.Config) *casebook.Watch {
	t.Helper()
	return runningIn(t, t.TempDir(), cfg)
}

func runningIn(t *testing.T, dir string, cfg casebook.Config) *casebook.Watch {
	t.Helper()
	if cfg.Target == nil {
		cfg.Target = &rogue{}
	}
	started := make(chan struct{})
	on, once := cfg.OnEvent, sync.Once{}
	cfg.OnEvent = func(e casebook.Event) {
		if e.Kind == casebook.Started {
			once.Do(func() { close(started) })
		}
		if on != nil {
			on(e)
		}
	}
	cfg.Dir = dir
	w, err := casebook.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	<-started
	return w
}

func TestSetIsAllOrNothing(t *testing.T) {
	w := running(t, casebook.Config{})
	nan := when("goroutines", math.NaN())
	for _, c := range []struct {
		name string
		s    casebook.Settings
		want string
	}{
		{"bad interval, good rules", casebook.Settings{Interval: time.Millisecond, Rules: when("goroutines", 1)},
			"field Interval is 1ms"},
		{"good interval, bad rules", casebook.Settings{Interval: time.Minute, Rules: when("cpus", 1)},
			"unknown signal"},
		{"a threshold that is no number", casebook.Settings{Rules: nan}, "not a finite number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := w.Settings()
			err := w.Set(c.s)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want %q in it", err, c.want)
			}
			if after := w.Settings(); after.Interval != before.Interval || after.Rules[0].Name != before.Rules[0].Name {
				t.Errorf("settings changed from %v to %v", before, after)
			}
		})
	}
}

// A rule that is set while the watch runs trips, at the interval that was set while it ran.
func TestSetWhileRunning(t *testing.T) {
	t.Parallel()
	closed := make(chan casebook.Event, 1)
	w := running(t, casebook.Config{
		Interval: time.Minute, // with this interval nothing would happen during the test
		Rules:    when("goroutines", 1e9),
		Target:   &rogue{capture: snapshot},
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Closed {
				select {
				case closed <- e:
				default:
				}
			}
		},
	})
	if err := w.Set(casebook.Settings{Rules: when("goroutines", 1, casefile.Goroutine),
		Interval: 100 * time.Millisecond}); err != nil {
		t.Fatal(err)
	}
	select {
	case e := <-closed:
		if e.Case.Trigger.Rule != "test" {
			t.Errorf("the case is of rule %s", e.Case.Trigger.Rule)
		}
	case <-time.After(patience):
		t.Fatalf("the new rule did not trip; status %+v", w.Status())
	}
}

func TestSetFromManyGoroutines(t *testing.T) {
	w := running(t, casebook.Config{Interval: 100 * time.Millisecond, Target: &rogue{capture: snapshot}})
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			for k := range 50 {
				s := casebook.Settings{Interval: time.Duration(100+i*10+k) * time.Millisecond}
				if k%2 == 0 {
					s.Rules = when("goroutines", float64(1e6+k))
				}
				if err := w.Set(s); err != nil {
					t.Error(err)
				}
				w.Status()
			}
		})
	}
	group.Wait()
	if got := w.Settings().Interval; got < 100*time.Millisecond || got > 300*time.Millisecond {
		t.Errorf("the interval is %s, which nobody set", got)
	}
}

// Cool-downs stay with a rule's name when rules are replaced, and survive a restart of the watch.
func TestCooldownSurvives(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"Set", "another Watch"} {
		t.Run(how, func(t *testing.T) {
			rules := when("goroutines", 1, casefile.Goroutine)
			cfg := casebook.Config{Target: &rogue{capture: snapshot}, Rules: rules, Interval: 100 * time.Millisecond,
				Dir: t.TempDir()}
			watch(t, cfg, casebook.Closed)

			ctx, cancel := context.WithCancel(t.Context())
			samples := 0
			cfg.OnEvent = func(e casebook.Event) {
				if e.Kind == casebook.Tripped {
					t.Errorf("the rule tripped again: %s", e.Trigger.Text)
				}
				if e.Kind == casebook.Sampled {
					samples++
				}
				if samples == 5 {
					cancel()
				}
			}
			w, err := casebook.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			if how == "Set" {
				if err := w.Set(casebook.Settings{Rules: rules}); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Run(ctx); err != nil {
				t.Fatal(err)
			}
			if why := w.Status().Rules[0].Reason; !strings.Contains(why, "cooling down") {
				t.Errorf("the rule did not fire because %q, want its cool-down", why)
			}
		})
	}
}

func TestStartAfterStop(t *testing.T) {
	cfg := casebook.Config{Dir: t.TempDir(), Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9)}
	for range 3 {
		stop, err := casebook.Start(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
	sampled := func() {} // set before each run
	cfg.OnEvent = func(e casebook.Event) {
		if e.Kind == casebook.Sampled {
			sampled()
		}
	}
	w, err := casebook.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		sampled = cancel
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
		cancel()
	}
	if s := w.Status(); s.Ticks < 2 || s.Running {
		t.Errorf("status %+v: want ticks of both runs, and that it does not run", s)
	}
}

// Two watches of one process share the CPU profiler. The first gets its profile at once. The second waits and gets its
// own, or a refusal that says why.
func TestTwoWatchesInAProcess(t *testing.T) {
	var group sync.WaitGroup
	for range 2 {
		w, err := casebook.New(casebook.Config{
			Dir: t.TempDir(), Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9), ProfileFor: time.Second,
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		group.Go(func() {
			if err := w.Run(ctx); err != nil {
				t.Error(err)
			}
		})
		group.Go(func() {
			defer cancel()
			f, err := capture(ctx, w)
			if err != nil {
				t.Error(err)
				return
			}
			if !has(f, casefile.Goroutine) || !has(f, casefile.Heap) {
				t.Errorf("the case misses %+v", f.Case.Missing)
			}
			if !has(f, casefile.CPU) && !strings.Contains(missing(f, casefile.CPU), "CPU profiler") {
				t.Errorf("there is no CPU profile, because %q", missing(f, casefile.CPU))
			}
		})
	}
	group.Wait()
}

// capture waits until a watch runs and then asks it for a case.
func capture(ctx context.Context, w *casebook.Watch) (*casefile.Folder, error) {
	for {
		f, err := w.Capture(ctx, "test", casefile.Goroutine, casefile.Heap, casefile.CPU)
		if !errors.Is(err, casebook.ErrStopped) {
			return f, err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func has(f *casefile.Folder, kind string) bool {
	for _, e := range f.Case.Evidence {
		if e.Kind == kind {
			return true
		}
	}
	return false
}

func missing(f *casefile.Folder, kind string) string {
	for _, m := range f.Case.Missing {
		if m.Kind == kind {
			return m.Reason
		}
	}
	return ""
}

func TestGaugeIsASignal(t *testing.T) {
	t.Parallel()
	value := 3.0
	e, _ := watch(t, casebook.Config{
		Target: &rogue{capture: snapshot}, Interval: 100 * time.Millisecond,
		Sources: []vitals.Source{casebook.Gauge("queue_length", vitals.Count,
			func() float64 { value++; return value })},
		Rules: when("queue_length", 5, casefile.Goroutine),
	}, casebook.Closed)
	if e.Case.Trigger.Signal != "queue_length" || e.Case.Trigger.Value <= 5 {
		t.Errorf("the trigger is %+v, want queue_length above 5", e.Case.Trigger)
	}
}

func TestSourcesAreValidated(t *testing.T) {
	for name, sources := range map[string][]vitals.Source{
		"bad name":      {casebook.Gauge("Queue Length", vitals.Count, func() float64 { return 0 })},
		"two of a name": {casebook.Gauge("q", vitals.Count, nil), casebook.Gauge("q", vitals.Count, nil)},
		"nothing":       {{Name: "nothing"}},
		"unknown unit":  {casebook.Gauge("q", "apples", nil)},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := casebook.New(casebook.Config{Sources: sources}); err == nil ||
				!strings.Contains(err.Error(), "field Sources") {
				t.Errorf("error is %v, want the field named", err)
			}
		})
	}
}

// Sources that panic, fail or hang cost only their own signals, and the status says why.
func TestBadSourcesHarmNobody(t *testing.T) {
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	sources := []vitals.Source{
		casebook.Gauge("panics", vitals.Count, func() float64 { panic("gauge") }),
		casebook.Gauge("hangs", vitals.Count, func() float64 { <-hang; return 0 }),
		casebook.Gauge("works", vitals.Count, func() float64 { return 1 }),
	}
	ctx, cancel := context.WithCancel(t.Context())
	samples, last := 0, vitals.Sample{}
	var w *casebook.Watch
	var absent map[string]string
	w, err := casebook.New(casebook.Config{
		Target: &rogue{}, Dir: t.TempDir(), Interval: 100 * time.Millisecond, Sources: sources, Rules: when("works", 2),
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Sampled {
				samples, last = samples+1, e.Sample
			}
			if samples == 15 {
				absent = w.Status().Absent
				cancel()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Run(ctx); err != nil {
		t.Fatal(err)
	}
	if v, ok := last.Get(vitals.ID(vitals.NumSignals + 2)); !ok || v != 1 {
		t.Errorf("the source that works reads %g, %v", v, ok)
	}
	for name, want := range map[string]string{"panics": "panicked: gauge", "hangs": "has not answered for"} {
		if !strings.Contains(absent[name], want) {
			t.Errorf("%s is absent because %q, want %q", name, absent[name], want)
		}
	}
}
