package gctune

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// modelTuner is a tuner of a model, in a bubble of synctest.
func modelTuner(t *testing.T, m *model, cfg Config) *Tuner {
	t.Helper()
	tuner := &Tuner{cfg: newDecider(t, cfg).cfg}
	tuner.hand = hand{
		open: func(Config) (sensor, error) {
			return sensor{func(r *reading) error {
				at := r.at
				m.with(func() { *r = m.reading() })
				r.at = at
				return nil
			}, func() {}}, nil
		},
		operator: func(Config) kept { return kept{} },
		setGOGC:  func(v int) { m.with(func() { m.gogc = v }) },
		setLimit: func(v int64) { m.with(func() { m.goLimit = v }) },
		collect: func() {
			time.Sleep(50 * time.Millisecond)
			m.with(m.collect)
		},
	}
	return tuner
}

// with is for what the test and the tuner share.
func (m *model) with(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
}

// begin runs a tuner, and returns a func that ends it.
func begin(t *testing.T, tuner *Tuner) (end func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- tuner.Run(ctx) }()
	synctest.Wait()
	return func() error { cancel(); return <-done }
}

func TestRestores(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(1000 * mb)
		m.live, m.marked, m.gogc, m.goLimit = 100*mb, 100*mb, 77, 123*mb
		var told []Change
		tuner := modelTuner(t, m, Config{OnChange: func(c Change) { told = append(told, c) }})
		end := begin(t, tuner)
		time.Sleep(time.Second)
		synctest.Wait()
		if got := tuner.Stats(); got.Looks != 11 || got.Changes != 1 || got.GOGC == 77 || got.MemoryLimit != 909*mb ||
			got.Target != 900*mb {
			t.Errorf("stats are %+v, want 11 looks, one change of both settings and a target of 900 MiB", got)
		}
		if err := end(); !errors.Is(err, context.Canceled) {
			t.Errorf("Run returned %v, want the context's error", err)
		}
		if m.gogc != 77 || m.goLimit != 123*mb {
			t.Errorf("GOGC %d, GOMEMLIMIT %d MiB are left, want 77 and 123", m.gogc, m.goLimit/mb)
		}
		if len(told) != 2 || told[0].OldGOGC != 77 || told[1].Reason != Restored || told[1].Limit != 123*mb {
			t.Errorf("reported %v, want the first change and that everything is restored", told)
		}
	})
}

// What somebody else has set stays, and the tuner does not fight over it.
func TestTakenOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(1000 * mb)
		tuner := modelTuner(t, m, Config{})
		end := begin(t, tuner)
		m.with(func() { m.goLimit = 55 * mb })
		time.Sleep(time.Second)
		if err := end(); !errors.Is(err, ErrTakenOver) {
			t.Errorf("Run returned %v, want ErrTakenOver", err)
		}
		if m.gogc != 100 || m.goLimit != 55*mb {
			t.Errorf("GOGC %d, GOMEMLIMIT %d MiB are left, want 100 as found and 55 as set by the other", m.gogc,
				m.goLimit/mb)
		}
	})
}

func TestUnreadable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(1000 * mb)
		tuner := modelTuner(t, m, Config{})
		fail := errors.New("the group was removed")
		looks := 0
		tuner.hand.open = func(Config) (sensor, error) {
			return sensor{func(r *reading) error {
				if looks++; looks > 5 {
					return fail
				}
				m.with(func() { *r = m.reading() })
				return nil
			}, func() {}}, nil
		}
		end := begin(t, tuner)
		time.Sleep(time.Second)
		if err := end(); !errors.Is(err, fail) {
			t.Errorf("Run returned %v, want why memory cannot be read", err)
		}
		if m.gogc != 100 || m.goLimit != noLimit {
			t.Errorf("GOGC %d, GOMEMLIMIT %d are left, want what was found", m.gogc, m.goLimit)
		}
	})
}

// When a limit is removed, the last settings stay. When it comes back, it is followed.
func TestLimitGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(1000 * mb)
		tuner := modelTuner(t, m, Config{})
		gone := false
		open := tuner.hand.open
		tuner.hand.open = func(c Config) (sensor, error) {
			s, err := open(c)
			read := s.read
			s.read = func(r *reading) error {
				err := read(r)
				m.with(func() {
					if gone {
						r.bounds = nil
					}
				})
				return err
			}
			return s, err
		}
		end := begin(t, tuner)
		var had, got int64
		m.with(func() { had, gone = m.goLimit, true })
		time.Sleep(time.Second)
		synctest.Wait()
		if m.with(func() { got = m.goLimit }); got != had {
			t.Errorf("without a limit GOMEMLIMIT is %d, want %d as before", got, had)
		}
		m.with(func() { gone, m.limit = false, 500*mb })
		time.Sleep(time.Second)
		synctest.Wait()
		if m.with(func() { got = m.goLimit }); got > 455*mb {
			t.Errorf("with a new limit of 500 MiB GOMEMLIMIT is %d MiB, want 455 at most", got/mb)
		}
		if err := end(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

// A process that allocates nothing is made to collect, outside the loop, and the end waits for that.
func TestForcedCollection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newModel(1000 * mb)
		m.live, m.marked, m.garbage, m.others = 50*mb, 50*mb, 500*mb, 600*mb
		tuner := modelTuner(t, m, Config{})
		end := begin(t, tuner)
		time.Sleep(220 * time.Millisecond)
		if err := end(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if m.cycles != 1 || tuner.Stats().Collections != 1 {
			t.Errorf("%d cycles, %d counted, want 1 that has ended", m.cycles, tuner.Stats().Collections)
		}
	})
}

func TestOnChangePanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tuner := modelTuner(t, newModel(1000*mb), Config{OnChange: func(Change) { panic("a guest's") }})
		end := begin(t, tuner)
		if err := end(); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if got := tuner.Stats().Panics; got != 2 {
			t.Errorf("%d panics were counted, want 2: the change and the restoring", got)
		}
	})
}
