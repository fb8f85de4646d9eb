package casebook_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gocasebook/casebook"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/instance"
	"github.com/gocasebook/casebook/vitals"
)

// A rogue is a target that does what no real one should. It stands for bugs, ours included.
type rogue struct {
	sample  func(*vitals.Sample) error
	capture func(context.Context) (instance.Profile, error)
}

func (r *rogue) Describe(context.Context) (casefile.Target, error) {
	return casefile.Target{Name: "rogue"}, nil
}

func (r *rogue) Sample(_ context.Context, s *vitals.Sample) error {
	s.Set(vitals.Goroutines, 10)
	if r.sample != nil {
		return r.sample(s)
	}
	return nil
}

func (r *rogue) Capture(ctx context.Context, _ string, _ time.Duration) (instance.Profile, error) {
	return r.capture(ctx)
}

func (r *rogue) Absent() map[string]string { return nil }
func (r *rogue) Restarted() bool           { return false }

func TestPanicsDoNotReachTheHost(t *testing.T) {
	t.Parallel()
	t.Run("in Sample", func(t *testing.T) {
		e, _ := watch(t, casebook.Config{
			Target: &rogue{sample: func(*vitals.Sample) error { panic("sample") }}, Interval: 100 * time.Millisecond,
		}, casebook.Lost)
		if e.Err == nil {
			t.Error("the panic is not reported")
		}
	})
	t.Run("in Capture", func(t *testing.T) {
		e, _ := watch(t, casebook.Config{
			Target: &rogue{capture: func(context.Context) (instance.Profile, error) { panic("capture") }},
			Rules:  when("goroutines", 1, casefile.CPU, casefile.Heap), Interval: 100 * time.Millisecond,
		}, casebook.Closed)
		if len(e.Case.Missing) != 5 {
			t.Errorf("missing %+v, want the CPU profile and both heap and goroutine profiles, with the panic as the "+
				"reason",
				e.Case.Missing)
		}
	})
	t.Run("in OnEvent", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		w, err := casebook.New(casebook.Config{
			Target: &rogue{}, Dir: t.TempDir(), Interval: 100 * time.Millisecond, OnEvent: func(e casebook.Event) {
				if e.Kind == casebook.Sampled {
					cancel()
				}
				panic("event")
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Run(ctx); err != nil {
			t.Error(err)
		}
		if s := w.Status(); s.Ticks == 0 || s.LastError == nil {
			t.Errorf("status %+v: want ticks and the panic", s)
		}
	})
}

// Nothing slow runs in the loop: while a capture hangs, sampling continues, and a second trip joins the case.
func TestSamplingGoesOnWhileACaptureHangs(t *testing.T) {
	hanging := &rogue{capture: func(ctx context.Context) (instance.Profile, error) {
		<-ctx.Done()
		return instance.Profile{}, ctx.Err()
	}}
	rules := when("goroutines", 1, casefile.CPU)
	rules[0].Cooldown = 1 // a nanosecond: the rule trips at every sample
	_, r := watch(t, casebook.Config{Target: hanging, Rules: rules, Interval: 100 * time.Millisecond}, casebook.Joined)
	if _, ok := r.first(casebook.Sampled); !ok {
		t.Error("no sample while the capture hung")
	}
}

func TestCaptureWhileBusy(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	capturing := make(chan struct{}, 10)
	w, err := casebook.New(casebook.Config{
		Target: &rogue{capture: func(ctx context.Context) (instance.Profile, error) {
			capturing <- struct{}{}
			<-ctx.Done()
			return instance.Profile{}, ctx.Err()
		}},
		Dir: t.TempDir(), Rules: when("goroutines", 1, casefile.CPU), Interval: 100 * time.Millisecond,
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- w.Run(ctx) }()
	<-capturing
	if _, err := w.Capture(ctx, "second"); !errors.Is(err, casebook.ErrBusy) {
		t.Errorf("a capture beside a case gave %v, want ErrBusy", err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A slow target takes its time to describe itself, and then fails.
type slow struct {
	rogue
	describing chan<- struct{}
	until      <-chan struct{}
}

func (s *slow) Describe(context.Context) (casefile.Target, error) {
	s.describing <- struct{}{}
	<-s.until
	return casefile.Target{}, errors.New("nobody there")
}

// A capture that is asked for while Run fails must not wait forever.
func TestCaptureOfAWatchThatFailsToStart(t *testing.T) {
	describing, until := make(chan struct{}), make(chan struct{})
	w, err := casebook.New(casebook.Config{Target: &slow{describing: describing, until: until}, Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	ran, captured := make(chan error, 1), make(chan error, 2)
	go func() { ran <- w.Run(t.Context()) }()
	<-describing
	for range 2 {
		go func() {
			_, err := w.Capture(context.Background(), "too early")
			captured <- err
		}()
	}
	if err := <-captured; !errors.Is(err, casebook.ErrBusy) { // the other one is queued
		t.Errorf("one of two captures gave %v, want ErrBusy", err)
	}
	close(until)
	if err := <-ran; err == nil {
		t.Error("Run of a target that cannot be described succeeded")
	}
	if err := <-captured; !errors.Is(err, casebook.ErrStopped) {
		t.Errorf("the capture gave %v, want ErrStopped", err)
	}
}

// snapshot answers every capture with the smallest valid profile.
func snapshot(context.Context) (instance.Profile, error) {
	var b bytes.Buffer
	zw := gzip.NewWriter(&b)
	if err := zw.Close(); err != nil {
		return instance.Profile{}, err
	}
	return instance.Profile{Kind: casefile.Goroutine, Data: b.Bytes(), Taken: time.Now()}, nil
}
