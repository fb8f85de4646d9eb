package budget

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

var start = time.Date(2026, 11, 21, 13, 30, 20, 0, time.UTC)

// mustAsk fails unless the capture is granted.
func mustAsk(t *testing.T, l *Ledger, now time.Time, c Cost) *Grant {
	t.Helper()
	g, err := l.Ask(now, "cpu", c)
	if err != nil {
		t.Fatalf("at %s: %v", now.Sub(start), err)
	}
	return g
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

var kinds = []string{"cpu", "heap", "allocs", "goroutine", "mutex", "block", "threadcreate", "goroutineleak", "gc",
	"goroutine-dump",
	"trace", "metrics", "runtime", "prometheus", "vitals"}

// TestPredictBounds: whatever a target answers, a prediction is a cost that can be summed.
func TestPredictBounds(t *testing.T) {
	huge := Facts{math.MaxInt, math.Inf(1), math.MaxInt, math.MaxInt64, math.MaxInt64, math.MaxInt, math.Inf(1), false}
	for name, f := range map[string]Facts{
		"nothing": {}, "huge": huge, "NaN": {CPUs: math.NaN(), Frames: math.NaN()},
		"negative": {-1, -1, -1, -1, -1, -1, -1, true},
	} {
		for _, kind := range append(kinds, "unheard of") {
			for _, span := range []time.Duration{math.MinInt64, 0, 10 * time.Second, math.MaxInt64} {
				c := Predict(kind, span, f)
				if c != c.sane() || c.CPU <= 0 || c.CPU > ceiling || c.Bytes <= 0 && kind != "gc" ||
					c.Bytes > ceiling || c.Pause > ceiling {
					t.Errorf("%s of %s, %s: %+v", kind, name, span, c)
				}
			}
		}
	}
}
