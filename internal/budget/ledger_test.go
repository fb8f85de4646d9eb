package budget

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 21, 13, 30, 20, 0, time.UTC)

func at(minutes float64) time.Time {
	return start.Add(time.Duration(minutes * float64(time.Minute)))
}

// mustAsk fails unless the capture is granted.
func mustAsk(t *testing.T, l *Ledger, now time.Time, c Cost) *Grant {
	t.Helper()
	g, err := l.Ask(now, "cpu", c)
	if err != nil {
		t.Fatalf("at %s: %v", now.Sub(start), err)
	}
	return g
}

func TestRefusalsSayWhy(t *testing.T) {
	second := Cost{CPU: time.Second}
	for _, c := range []struct {
		name   string
		limits Limits
		spent  Cost
		ask    Cost
		want   string
	}{
		{"stop", Limits{}, Cost{}, Cost{Pause: 1200 * time.Millisecond, Longest: 1200 * time.Millisecond},
			"goroutine-dump refused: it would stop the world for about 1.2 s, the limit is 10 ms"},
		{"spent", Limits{CPU: 40 * time.Second}, Cost{CPU: 39500 * time.Millisecond}, second,
			"goroutine-dump refused: it would cost about 1 s of CPU time; 39.5 s of the 40 s for an hour are spent; " +
				"again from 14:31"},
		{"last quarter", Limits{}, Cost{CPU: 27 * time.Second}, second,
			"goroutine-dump refused: it would cost about 1 s of CPU time; 27 s of the 36 s for an hour are spent, " +
				"and the last quarter is reserved for cheap evidence; again from 14:31"},
		{"never", Limits{Bytes: 1 << 20}, Cost{}, Cost{Bytes: 3 << 20},
			"goroutine-dump refused: it would cost about 3 MiB of disk space; 0 B of the 1 MiB for an hour are " +
				"spent; waiting does not help: raise the budget's limit to get it"},
		{"pauses", Limits{}, Cost{Pause: 499 * time.Millisecond}, Cost{Pause: 3 * time.Millisecond},
			"goroutine-dump refused: it would cost about 3 ms of stopped world; 499 ms of the 500 ms for an hour are " +
				"spent; again from 14:31"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := New(c.limits, State{}, start)
			mustAsk(t, l, start, Cost{}).Settle(start, c.spent)
			_, err := l.Ask(at(0.1), "goroutine-dump", c.ask)
			if err == nil || err.Error() != c.want {
				t.Fatalf("got %v, want %s", err, c.want)
			}
			var e *RefusedError
			if !errors.As(err, &e) || !Refused(fmt.Errorf("taking a case: %w", err)) {
				t.Fatalf("the error is a %T", err)
			}
			if !e.Again.IsZero() {
				if _, err := l.Ask(e.Again, "goroutine-dump", c.ask); err != nil {
					t.Errorf("at %s, when it should do: %v", e.Again, err)
				}
			}
			if r := l.Status(at(0.2)).Refused["goroutine-dump"]; r.Count != 1 || r.Why != c.want {
				t.Errorf("the status counts %+v", r)
			}
		})
	}
}

func TestCheapEvidenceHasTheLastQuarter(t *testing.T) {
	l := New(Limits{}, State{}, start)
	mustAsk(t, l, start, Cost{CPU: 27 * time.Second})
	if _, err := l.Ask(start, "trace", Cost{CPU: time.Second}); !Refused(err) {
		t.Errorf("an expensive capture in the last quarter: %v", err)
	}
	for range 60 {
		mustAsk(t, l, start, Cost{CPU: 150 * time.Millisecond})
	}
	if _, err := l.Ask(start, "cpu", Cost{CPU: 150 * time.Millisecond}); !Refused(err) {
		t.Errorf("a cheap capture beyond the limit: %v", err)
	}
	mustAsk(t, l, start, Cost{Bytes: 1 << 20}) // of a resource that is not scarce
}

func TestSettle(t *testing.T) {
	l := New(Limits{}, State{}, start)
	g := mustAsk(t, l, start, Cost{CPU: 20 * time.Second, Bytes: 9, Pause: 5 * time.Millisecond,
		Longest: 5 * time.Millisecond})
	if got, want := l.Status(start).Spent, (Cost{CPU: 20 * time.Second, Bytes: 9,
		Pause: 5 * time.Millisecond}); got != want {
		t.Errorf("before it is settled: %+v, want %+v", got, want)
	}
	actual := Cost{CPU: time.Second, Bytes: 7, Pause: 2 * time.Millisecond, Longest: time.Millisecond}
	g.Settle(at(1), actual)
	g.Settle(at(2), actual)
	if got := l.Status(at(2)).Spent; got != actual {
		t.Errorf("settled twice: %+v, want %+v", got, actual)
	}
	g.Settle(at(90), Cost{CPU: time.Hour})
	(*Grant)(nil).Settle(start, actual)
	if got := l.Status(at(90)).Spent; got != (Cost{}) {
		t.Errorf("an hour later: %+v, want nothing", got)
	}
}

// entry is a grant, in the form in which the property tests record it.
type entry struct {
	when  time.Time
	cost  Cost
	grant *Grant
}

// wantWithin fails if the last 60 minutes of a log cost more than limits.
func wantWithin(t *testing.T, log []entry, limits Limits) {
	t.Helper()
	var sum Cost
	end := log[len(log)-1].when
	for _, e := range log {
		if end.Sub(e.when) < time.Hour {
			sum = sum.plus(e.cost)
		}
	}
	if sum.CPU > limits.CPU || sum.Bytes > limits.Bytes || sum.Pause > limits.Pause || sum.Longest > limits.Longest {
		t.Fatalf("in the hour before %s: %+v, the limits are %+v", end, sum, limits)
	}
}

func randomCost(r *rand.Rand, limits Limits) Cost {
	share := func(most int64) int64 { return int64(float64(most) * r.ExpFloat64() / 10) }
	pause := time.Duration(share(int64(limits.Pause)))
	return Cost{
		CPU: time.Duration(share(int64(limits.CPU))), Bytes: share(limits.Bytes), Pause: pause,
		Longest: min(pause, time.Duration(share(int64(limits.Longest)))),
	}
}

// TestNoHourExceedsItsLimits asks, settles and restarts at random: no sliding hour costs more than the limits, and
// after an hour of silence there is room for everything.
func TestNoHourExceedsItsLimits(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		limits := Limits{CPU: 36 * time.Second, Bytes: 1 << 20, Pause: 500 * time.Millisecond,
			Longest: 10 * time.Millisecond}
		now, l := start, New(limits, State{}, start)
		var log []entry
		for range 400 {
			now = now.Add(time.Duration(r.ExpFloat64() * float64(3*time.Minute)))
			c := randomCost(r, limits)
			if g, err := l.Ask(now, "heap", c); err == nil {
				log = append(log, entry{now, c, g})
				wantWithin(t, log, limits)
			}
			if len(log) > 0 && r.IntN(2) == 0 {
				settleOne(r, now, &log[max(0, len(log)-1-r.IntN(4))])
			}
			if r.IntN(50) == 0 {
				l = restart(t, l, limits, now)
			}
		}
		if len(log) < 20 || len(log) == 400 {
			t.Fatalf("seed %d granted %d of 400: the test proves nothing", seed, len(log))
		}
		mustAsk(t, l, now.Add(61*time.Minute), Cost{CPU: 27 * time.Second, Bytes: 3 << 18,
			Pause: 375 * time.Millisecond})
	}
}

// settleOne settles a grant at no more than what it is known to cost.
func settleOne(r *rand.Rand, now time.Time, e *entry) {
	share := r.Float64()
	e.cost.CPU = time.Duration(float64(e.cost.CPU) * share)
	e.cost.Bytes = int64(float64(e.cost.Bytes) * share)
	e.grant.Settle(now, e.cost)
}

// restart is a new process that continues from the old one's file.
func restart(t *testing.T, l *Ledger, limits Limits, now time.Time) *Ledger {
	t.Helper()
	data, err := json.Marshal(l.State())
	if err != nil {
		t.Fatal(err)
	}
	var st State
	if err := json.Unmarshal(data, &st); err != nil {
		t.Fatal(err)
	}
	return New(limits, st, now)
}

// TestRestarts: a restart forgives nothing, and many quick restarts do not keep an hour from passing.
func TestRestarts(t *testing.T) {
	l := New(Limits{}, State{}, start)
	mustAsk(t, l, start, Cost{CPU: 27 * time.Second})
	expensive := Cost{CPU: time.Second}
	for s := 0; s < 3600; s += 10 {
		now := start.Add(time.Duration(s) * time.Second)
		l = restart(t, l, Limits{}, now)
		if _, err := l.Ask(now, "trace", expensive); !Refused(err) {
			t.Fatalf("after %d s of restarts an expensive capture was granted: %v", s, err)
		}
	}
	now := at(61)
	mustAsk(t, restart(t, l, Limits{}, now), now, expensive)
}

func TestClockJumps(t *testing.T) {
	full, expensive := Cost{CPU: 27 * time.Second}, Cost{CPU: time.Second}
	for name, jump := range map[string]time.Duration{
		"a minute back": -time.Minute, "a day back": -24 * time.Hour, "ten years back": -87600 * time.Hour,
		"to the past": math.MinInt64,
	} {
		t.Run(name, func(t *testing.T) {
			l := New(Limits{}, State{}, start)
			mustAsk(t, l, at(30), full)
			back := at(30).Add(jump)
			wantHour := func(l *Ledger, after string) {
				t.Helper()
				for _, m := range []float64{0, 1, 59} {
					if _, err := l.Ask(back.Add(time.Duration(m)*time.Minute), "trace", expensive); !Refused(err) {
						t.Errorf("%s, %g minutes after the jump an expensive capture was granted: %v", after, m, err)
					}
				}
				mustAsk(t, l, back.Add(62*time.Minute), expensive)
			}
			wantHour(New(Limits{}, l.State(), back), "restarted")
			wantHour(l, "running on")
		})
	}
	t.Run("callers out of order", func(t *testing.T) {
		l := New(Limits{}, State{}, start)
		mustAsk(t, l, start, full)
		for range 200 {
			l.Status(at(1))
			if _, err := l.Ask(start, "trace", expensive); !Refused(err) {
				t.Fatalf("an expensive capture was granted: %v", err)
			}
		}
	})
	t.Run("back in each minute", func(t *testing.T) {
		l, spent := New(Limits{}, State{}, start), time.Duration(0)
		for i := range 1000 {
			if _, err := l.Ask(start.Add(-time.Duration(i)*time.Minute), "trace", expensive); err == nil {
				spent += expensive.CPU
			}
		}
		if spent > DefaultCPU {
			t.Errorf("%s were granted while the clock only went back", spent)
		}
	})
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Limits
		ask  Cost
		ok   bool
	}{
		{"default", Limits{}, Cost{Longest: 10 * time.Millisecond}, true},
		{"default stop", Limits{}, Cost{Longest: 11 * time.Millisecond}, false},
		{"unlimited", Limits{CPU: -1, Bytes: -1, Pause: -1, Longest: -1},
			Cost{CPU: 1 << 62, Bytes: 1 << 62, Pause: 1 << 62, Longest: 1 << 62}, true},
		{"long stops allowed", Limits{Longest: 2 * time.Second}, Cost{Longest: time.Second}, true},
		{"few stops allowed", Limits{Pause: 5 * time.Millisecond}, Cost{Longest: 6 * time.Millisecond}, false},
		{"negative costs", Limits{}, Cost{CPU: -1, Bytes: -1, Pause: -1, Longest: -1}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := c.in.Validate(); err != nil {
				t.Errorf("Validate: %v", err)
			}
			if _, err := New(c.in, State{}, start).Ask(start, "heap", c.ask); (err == nil) != c.ok {
				t.Errorf("Ask: %v, want granted %v", err, c.ok)
			}
		})
	}
	err := Limits{Pause: time.Second, Longest: 2 * time.Second}.Validate()
	if err == nil || !strings.Contains(err.Error(), "field Longest is 2s, more than field Pause, 1s") {
		t.Errorf("Validate of a contradiction: %v", err)
	}
}

// TestConcurrentAsks lets many goroutines ask at once, for -race.
func TestConcurrentAsks(t *testing.T) {
	l := New(Limits{Bytes: 1000}, State{}, start)
	var granted sync.Map
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			for range 40 {
				if g, err := l.Ask(at(1), fmt.Sprint("kind", i), Cost{Bytes: 1}); err == nil {
					granted.Store(g, true)
					g.Settle(at(2), Cost{Bytes: 1})
				}
				l.State()
				l.Status(at(2))
			}
		})
	}
	wg.Wait()
	n := 0
	granted.Range(func(any, any) bool { n++; return true })
	if n != 1000 {
		t.Errorf("%d captures of a byte were granted, the limit is 1000", n)
	}
}

func FuzzState(f *testing.F) {
	for _, seed := range []string{
		`{}`, `null`, `{"minutes":[{"start":"2026-11-21T13:00:00Z","cpu_ns":36000000000}]}`,
		`{"minutes":[{"start":"2026-11-21T13:30:00Z","cpu_ns":9223372036854775807,"bytes":9223372036854775807},{"start":"2026-11-21T13:30:00Z","cpu_ns":9223372036854775807}]}`,
		`{"minutes":[{"start":"9999-12-31T23:59:59Z","pause_ns":-9223372036854775808,"longest_ns":5},{"start":"0000-01-01T00:00:00Z","bytes":-5}]}`,
	} {
		f.Add([]byte(seed), int64(0))
	}
	f.Add([]byte(`{}`), int64(-1<<63))
	f.Fuzz(func(t *testing.T, data []byte, offset int64) {
		var st State
		if json.Unmarshal(data, &st) != nil {
			return
		}
		now := start.Add(time.Duration(offset))
		l, expensive := New(Limits{}, st, now), Cost{CPU: time.Second, Bytes: 16 << 20, Pause: 5 * time.Millisecond}
		granted := 0
		for range 100 {
			if _, err := l.Ask(now, "trace", expensive); err == nil {
				granted++
			}
		}
		if granted > 24 { // 384 of 512 MiB
			t.Errorf("%d captures of 16 MiB were granted in a minute", granted)
		}
		if spent := l.Status(now).Spent; spent != spent.sane() {
			t.Errorf("the account is %+v", spent)
		}
		mustAsk(t, New(Limits{}, l.State(), now), now.Add(61*time.Minute), expensive)
	})
}
