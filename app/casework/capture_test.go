package casework_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/pprof"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/app/casework"
	"github.com/gocasebook/casebook/casefile"
)

// served is the address of this process's own pprof pages.
func served(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// seen collects the kinds of events.
type seen struct {
	mu    sync.Mutex // guards kinds
	kinds []casebook.EventKind
}

func (s *seen) on(e casework.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kinds = append(s.kinds, e.Kind)
}

func (s *seen) has(kind casebook.EventKind) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.kinds {
		if k == kind {
			return true
		}
	}
	return false
}

func TestCapture(t *testing.T) {
	var events seen
	got, err := casework.Capture(t.Context(), casework.CaptureRequest{
		Target: casework.Target{URL: served(t), Service: "shop"},
		Dir:    t.TempDir(), Reason: "a test", Kinds: []string{casefile.Goroutine, casefile.Goroutine}, On: events.on,
	})
	if err != nil || got.Ended != nil {
		t.Fatalf("captured %+v, %v", got, err)
	}
	c := &got.Folder.Case
	if c.Target.Name != "shop" || c.Trigger.Text != "a test" || !casework.HasPage(got.Folder.Path) {
		t.Errorf("the case is of %q because of %q, with a page: %v", c.Target.Name, c.Trigger.Text,
			casework.HasPage(got.Folder.Path))
	}
	taken := 0
	for _, e := range c.Evidence {
		if e.Kind == casefile.Goroutine && e.Phase == casefile.During {
			taken++
		}
	}
	if taken != 1 {
		t.Errorf("%d goroutine profiles were taken during the case, want 1: the kind is named twice", taken)
	}
	for _, kind := range []casebook.EventKind{casebook.Started, casebook.Captured, casebook.Closed} {
		if !events.has(kind) {
			t.Errorf("there was no event %q", kind)
		}
	}
}

// A dump that stops the service for longer than captures usually may is taken once a case, unless somebody has set how
// long they may.
func TestCapturePaysForOneDump(t *testing.T) {
	end := make(chan struct{})
	defer close(end)
	for range 1500 {
		go func() { <-end }()
	}
	url := served(t)
	for name, c := range map[string]struct {
		limits casebook.Budget
		taken  bool
	}{
		"by default":          {casebook.Budget{}, true},
		"not against a limit": {casebook.Budget{Longest: 10 * time.Millisecond}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := casework.Capture(t.Context(), casework.CaptureRequest{Target: casework.Target{URL: url},
				Dir: t.TempDir(), Reason: "a test", Kinds: []string{casefile.GoroutineDump}, Budget: c.limits})
			if err != nil {
				t.Fatal(err)
			}
			taken := slices.ContainsFunc(got.Folder.Case.Evidence,
				func(e casefile.Evidence) bool { return e.Kind == casefile.GoroutineDump })
			if taken != c.taken {
				t.Errorf("the dump was taken: %v, want %v; missing: %v", taken, c.taken, got.Folder.Case.Missing)
			}
		})
	}
}

func TestCaptureRefuses(t *testing.T) {
	url := served(t)
	var wrong *casework.SettingError
	for _, kinds := range [][]string{nil, {"nonsense"}} {
		_, err := casework.Capture(t.Context(), casework.CaptureRequest{Target: casework.Target{URL: url},
			Dir: t.TempDir(), Kinds: kinds})
		if !errors.As(err, &wrong) || wrong.Setting != "kinds" {
			t.Errorf("kinds %q: %v, want an error of the setting kinds", kinds, err)
		}
	}
	_, err := casework.Capture(t.Context(), casework.CaptureRequest{Dir: t.TempDir(), Kinds: []string{casefile.Heap},
		Target: casework.Target{URL: url, Signals: casework.Signals{Prometheus: "/metrics"}}})
	if !errors.As(err, &wrong) || wrong.Setting != "prometheus" {
		t.Errorf("a page that is not there: %v, want an error of the setting prometheus", err)
	}
}

// Several targets: one that is not there is reported as lost, and the watch of the other ends when its time is up.
func TestWatch(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	var events seen
	done, err := casework.Watch(t.Context(), casework.WatchRequest{
		Targets: []casework.WatchTarget{
			{Target: casework.Target{URL: served(t)}, Interval: 100 * time.Millisecond},
			{Target: casework.Target{URL: gone.URL}},
		},
		Dir: t.TempDir(), Keep: casefile.KeepAll(), For: 300 * time.Millisecond, On: events.on,
	})
	if err == nil || !strings.Contains(err.Error(), "connect") {
		t.Errorf("%v, want why the second target was not watched", err)
	}
	if len(done.Targets) != 1 || done.Targets[0].Status.Ticks == 0 || done.Failed != nil {
		t.Errorf("the watch did %+v, want one target with samples", done)
	}
	if !events.has(casebook.Lost) || !events.has(casebook.Sampled) {
		t.Errorf("the events were %v, want one of each: sampled and lost", events.kinds)
	}
}

// A watch that is asked to takes a case before it ends, whether its time is up or somebody ends it.
func TestWatchCapturesAtItsEnd(t *testing.T) {
	for name, limit := range map[string]time.Duration{"time is up": 300 * time.Millisecond, "ended": 0} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			dir := t.TempDir()
			_, err := casework.Watch(ctx, casework.WatchRequest{Dir: dir, Keep: casefile.KeepAll(), For: limit, AtEnd: true,
				Targets: []casework.WatchTarget{{Target: casework.Target{URL: served(t)}, Profile: time.Second}},
				On: func(e casework.Event) {
					if limit == 0 && e.Kind == casebook.Sampled {
						cancel()
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := casefile.Dir(dir).List(); err != nil || len(got) != 1 {
				t.Errorf("the watch has left %d cases, %v; want one", len(got), err)
			}
		})
	}
}

// When one of several targets fails, the error says which one.
func TestWatchNamesTheTarget(t *testing.T) {
	url := served(t)
	_, err := casework.Watch(t.Context(), casework.WatchRequest{Dir: t.TempDir(), Targets: []casework.WatchTarget{
		{Target: casework.Target{URL: url}}, {Target: casework.Target{URL: url}, Rules: "missing.json"},
	}})
	var of *casework.TargetError
	if !errors.As(err, &of) || of.URL != url || !strings.Contains(err.Error(), "missing.json") {
		t.Errorf("%v, want a TargetError that names the file", err)
	}
}
