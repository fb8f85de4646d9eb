package casebook_test

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// Start returns the error that keeps it from watching, and leaves nothing behind.
func TestStartTells(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		cfg  casebook.Config
		want string
	}{
		"a folder that is a file":    {casebook.Config{Dir: file, Target: &rogue{}}, "cannot hold cases"},
		"a folder that is read-only": {casebook.Config{Dir: "/proc/cases", Target: &rogue{}}, "cannot hold cases"},
		"a target that does not answer": {casebook.Config{Dir: t.TempDir(), Target: httpTarget(t, "127.0.0.1:1")},
			"connection refused"},
	} {
		stop, err := casebook.Start(c.cfg)
		if err == nil || stop != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: Start said %v (stop %t), want %q in it", name, err, stop != nil, c.want)
		}
	}
}

// A stalled is a log handler that never returns.
type stalled struct{ until <-chan struct{} }

func (h stalled) Enabled(context.Context, slog.Level) bool  { <-h.until; return true }
func (h stalled) Handle(context.Context, slog.Record) error { <-h.until; return nil }
func (h stalled) WithAttrs([]slog.Attr) slog.Handler        { return h }
func (h stalled) WithGroup(string) slog.Handler             { return h }

// A host whose OnEvent and Logger hang forever: samples and cases continue, the watch ends, and what could not be
// delivered is counted.
func TestHostThatStallsFreezesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		until := make(chan struct{})
		var called atomic.Int64
		w, err := casebook.New(casebook.Config{
			Dir: t.TempDir(), Target: &rogue{capture: snapshot}, Interval: 100 * time.Millisecond,
			Rules:   when("goroutines", 1e9),
			Logger:  slog.New(stalled{until}),
			OnEvent: func(casebook.Event) { called.Add(1); <-until },
			Attachments: []casebook.Attachment{{Kind: "hangs",
				Take: func(context.Context) ([]byte, error) { <-until; return nil, nil }}},
		})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- w.Run(ctx) }()
		time.Sleep(time.Minute) // of the bubble
		if s := w.Status(); s.Ticks < 590 || s.UnheardEvents == 0 {
			t.Errorf("%d samples in a minute, %d events unheard; want 600 and some", s.Ticks, s.UnheardEvents)
		}
		f, err := w.Capture(ctx, "test", casefile.Goroutine)
		if err != nil || !has(f, casefile.Goroutine) || missing(f, "hangs") == "" {
			t.Errorf("a case beside a host that hangs: %+v, %v", f, err)
		}
		begun := time.Now()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took > 10*time.Second {
			t.Errorf("the end took %s", took)
		}
		if s := w.Status(); called.Load() != 1 || s.UnheardLines == 0 || s.LastError == nil {
			t.Errorf("OnEvent was called %d times at once; status %+v", called.Load(), s)
		}
		close(until)
	})
}

// A badError is an error whose text panics.
type badError struct{}

func (badError) Error() string { panic("bad error") }

// A panicky is a log handler that panics.
type panicky struct{ slog.Handler }

func (panicky) Handle(context.Context, slog.Record) error { panic("logger") }

// Something that panics, or ends its goroutine, costs its own evidence and nothing else.
func TestRoguesOfTheHost(t *testing.T) {
	var events atomic.Int64
	var tripped atomic.Bool
	w := running(t, casebook.Config{
		Target: &rogue{
			sample: func(*vitals.Sample) error {
				if tripped.Load() {
					return badError{}
				}
				return nil
			},
			capture: func(context.Context) (instance.Profile, error) { return instance.Profile{}, badError{} },
		},
		Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9),
		Logger: slog.New(panicky{slog.DiscardHandler}),
		OnEvent: func(casebook.Event) {
			if events.Add(1)%2 == 0 {
				runtime.Goexit()
			}
		},
		Draw: func(context.Context, *casefile.Folder) error { runtime.Goexit(); return nil },
		Attachments: []casebook.Attachment{
			{Kind: "exits", Take: func(context.Context) ([]byte, error) { runtime.Goexit(); return nil, nil }},
			{Kind: "panics", Take: func(context.Context) ([]byte, error) { panic("attachment") }},
			{Kind: "bad-error", Take: func(context.Context) ([]byte, error) { return nil, badError{} }},
			{Kind: "good", Take: func(context.Context) ([]byte, error) { return []byte("x"), nil }},
		},
	})
	for range 2 {
		f, err := w.Capture(t.Context(), "test", casefile.Goroutine)
		if err != nil {
			t.Fatal(err)
		}
		for kind, want := range map[string]string{
			"exits": "ended its goroutine", "panics": "panicked: attachment", "bad-error": "whose text panicked",
			casefile.Goroutine: "whose text panicked",
		} {
			if why := missing(f, kind); !strings.Contains(why, want) {
				t.Errorf("%s is missing because %q, want %q", kind, why, want)
			}
		}
		if !has(f, "good") {
			t.Errorf("the good attachment is not there: %+v", f.Case.Missing)
		}
		tripped.Store(true)
	}
	tripped.Store(false)
	for before := events.Load(); events.Load() < before+2; { // each call runs in its own goroutine
		runtime.Gosched()
	}
}

// stop can be called inside OnEvent. There it does not wait; elsewhere it does.
func TestStopInsideOnEvent(t *testing.T) {
	stopped, stops := make(chan error, 1), make(chan func() error, 1)
	stop, err := casebook.Start(casebook.Config{
		Dir: t.TempDir(), Target: &rogue{}, Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9),
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Sampled && len(stops) > 0 {
				stopped <- (<-stops)()
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	stops <- stop
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

// A watch that ends on its own says so: in the log, by an event, in the status, and in the error of stop.
func TestWatchThatEndsByItself(t *testing.T) {
	var log strings.Builder
	events := make(chan casebook.Event, 100)
	n := 0
	w, err := casebook.New(casebook.Config{
		Dir: t.TempDir(), Interval: 100 * time.Millisecond, Rules: when("goroutines", 1e9),
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Target: &rogue{sample: func(*vitals.Sample) error {
			if n++; n == 3 {
				runtime.Goexit()
			}
			return nil
		}},
		OnEvent: func(e casebook.Event) {
			if e.Kind == casebook.Stopped {
				events <- e
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	err = w.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "the watch ended on its own") {
		t.Errorf("Run said %v", err)
	}
	if len(events) != 1 || (<-events).Err == nil {
		t.Error("no event says so")
	}
	if s := w.Status(); s.Running || !errors.Is(s.Stopped, err) {
		t.Errorf("the status is %+v", s)
	}
	if !strings.Contains(log.String(), "ended on its own") {
		t.Errorf("the log says %q", log.String())
	}
}
