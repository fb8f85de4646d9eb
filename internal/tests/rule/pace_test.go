package rule_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// firings runs a rule over a sample every step, with gc_cpu from set. It returns the offsets at which the rule fired,
// and the last verdict.
func firings(t *testing.T, e *rule.Engine, from, span, step time.Duration,
	gc func(time.Duration) float64) (at []time.Duration, last string) {
	t.Helper()
	h := vitals.NewHistory(1)
	for d := from; d < from+span; d += step {
		s := vitals.NewSample(start.Add(d))
		s.Set(vitals.GCCPU, gc(d))
		for range e.Step(&s, h) {
			at = append(at, d)
		}
		last = e.Explain(&s, nil)[0].Reason
	}
	return at, last
}

func always(time.Duration) float64 { return 0.9 }

func paced(t *testing.T, change func(*rule.Rule)) *rule.Engine {
	t.Helper()
	r := rule.Rule{Name: "test", Warmup: -1, When: rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}}
	change(&r)
	e, err := rule.NewEngine([]rule.Rule{r}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestPerHour(t *testing.T) {
	minutes := func(ms ...int) (ds []time.Duration) {
		for _, m := range ms {
			ds = append(ds, time.Duration(m)*time.Minute)
		}
		return ds
	}
	for _, c := range []struct {
		name   string
		change func(*rule.Rule)
		want   []time.Duration
		last   string // after two hours less a minute
	}{
		{"default", func(*rule.Rule) {}, minutes(0, 5, 10, 15, 60, 65, 70, 75),
			"4 firings in the last hour are the limit; next at 15:00:00"},
		{"three", func(r *rule.Rule) { r.PerHour = 3; r.Cooldown = rule.Duration(10 * time.Minute) },
			minutes(0, 10, 20, 60, 70,
				80), "3 firings in the last hour are the limit; next at 15:00:00"},
		{"one", func(r *rule.Rule) { r.PerHour = 1 }, minutes(0, 60),
			"1 firings in the last hour are the limit; next at 15:00:00"},
		{"unlimited", func(r *rule.Rule) { r.PerHour = -1; r.Cooldown = rule.Duration(29 * time.Minute) },
			minutes(0, 29, 58, 87, 116), "cooling down until 15:25:00"},
		{"a cool-down over midnight", func(r *rule.Rule) { r.Cooldown = rule.Duration(12 * time.Hour) }, minutes(0),
			"cooling down until 2026-11-22 01:00:00"},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, last := firings(t, paced(t, c.change), 0, 2*time.Hour, time.Minute, always)
			if !equal(at, c.want) || last != c.last {
				t.Errorf("fired at %v, then %q; want %v, %q", at, last, c.want, c.last)
			}
		})
	}
}

func equal(a, b []time.Duration) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// A level gives one case per climb: no other while it stays, nor when it swings about the limit, but another when it
// comes back.
func TestOnce(t *testing.T) {
	climb := func(d time.Duration) float64 {
		switch {
		case d < 30*time.Minute, d >= 50*time.Minute: // swings each minute, falls for 20, and comes again
			return 0.9 - 0.6*float64(int(d/time.Minute)%2)
		}
		return 0.1
	}
	e := paced(t, func(r *rule.Rule) { r.Once, r.Cooldown = true, rule.Duration(10*time.Minute) })
	at, last := firings(t, e, 0, 2*time.Hour, time.Minute, climb)
	if want := []time.Duration{0, 50 * time.Minute}; !equal(at, want) {
		t.Errorf("fired at %v, want %v", at, want)
	}
	if last != "gc_cpu is 30 %" {
		t.Errorf("says %q", last)
	}
	_, last = firings(t, e, 2*time.Hour, time.Minute, time.Minute, always)
	if want := "it fired at 13:50:00 and still holds; cooling down for 10m from when it ends"; last != want {
		t.Errorf("says %q, want %q", last, want)
	}
}

// Cool-down and limit per hour survive a restart, through JSON.
func TestStateSurvives(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*rule.Rule)
		want   []time.Duration // after the restart at 17 minutes
	}{
		{"cool-down", func(r *rule.Rule) { r.Cooldown = rule.Duration(30 * time.Minute) }, []time.Duration{30 * time.Minute}},
		{"per hour", func(*rule.Rule) {}, nil}, // all four are spent
		{"unlimited", func(r *rule.Rule) { r.PerHour = -1 },
			[]time.Duration{20 * time.Minute, 25 * time.Minute, 30 * time.Minute}},
		{"once", func(r *rule.Rule) { r.Once, r.Cooldown = true, rule.Duration(30*time.Minute) }, nil}, // it never ended
	} {
		t.Run(c.name, func(t *testing.T) {
			first := paced(t, c.change)
			firings(t, first, 0, 17*time.Minute, time.Minute, always)
			data, err := json.Marshal(first.State())
			if err != nil {
				t.Fatal(err)
			}
			var s rule.State
			if err := json.Unmarshal(data, &s); err != nil {
				t.Fatal(err)
			}
			second := paced(t, c.change)
			second.Restore(s, start.Add(17*time.Minute))
			if at, _ := firings(t, second, 17*time.Minute, 17*time.Minute, time.Minute, always); !equal(at, c.want) {
				t.Errorf("fired at %v, want %v", at, c.want)
			}
		})
	}
}

// A state comes from a file: clocks may have been changed, rules may be gone, times may be missing.
func TestRestoreIgnoresGarbage(t *testing.T) {
	now := start
	for _, c := range []struct {
		name string
		json string
		want bool // that it may fire now
	}{
		{"nothing", `{}`, true},
		{"null", `{"fired":{"test":null}}`, true},
		{"another rule", `{"fired":{"gone":["2026-11-21T12:59:00Z"]}}`, true},
		{"the future", `{"fired":{"test":["2026-11-21T13:59:00Z"]}}`, true},
		{"no time", `{"fired":{"test":["0001-01-01T00:00:00Z"]}}`, true},
		{"too long ago", `{"fired":{"test":["2006-11-21T13:59:00Z"]}}`, true},
		{"unsorted, twice", `{"fired":{"test":["2026-11-21T12:59:00Z","2026-11-21T12:00:01Z","2026-11-21T12:00:01Z"]}}`,
			false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s rule.State
			if err := json.Unmarshal([]byte(c.json), &s); err != nil {
				t.Fatal(err)
			}
			e := paced(t, func(*rule.Rule) {})
			e.Restore(s, now)
			at, last := firings(t, e, 0, time.Second, time.Second, always)
			if (len(at) > 0) != c.want {
				t.Errorf("fired at %v, says %q", at, last)
			}
		})
	}
}

// However many times a file has, no more are kept than the limit needs.
func TestRestoreIsBounded(t *testing.T) {
	var times []time.Time
	for i := range 10_000 {
		times = append(times, start.Add(-time.Duration(i)*time.Second))
	}
	e := paced(t, func(r *rule.Rule) { r.PerHour = 7 })
	e.Restore(rule.State{Fired: map[string][]time.Time{"test": times}}, start)
	got := e.State().Fired["test"]
	if len(got) != 7 || !got[6].Equal(start) || !got[0].Equal(start.Add(-6*time.Second)) {
		t.Errorf("%d times are kept: %v; want the last 7", len(got), got)
	}
}

// A rule that is changed while it runs keeps its past: one more firing per hour is one more.
func TestRestoreUnderAnotherLimit(t *testing.T) {
	old := paced(t, func(*rule.Rule) {})
	firings(t, old, 0, 20*time.Minute, time.Minute, always)
	changed := paced(t, func(r *rule.Rule) { r.PerHour = 5 })
	changed.Restore(old.State(), start.Add(20*time.Minute))
	at, last := firings(t, changed, 20*time.Minute, 20*time.Minute, time.Minute, always)
	if !equal(at, []time.Duration{20 * time.Minute}) || !strings.HasPrefix(last, "5 firings") {
		t.Errorf("fired at %v, says %q", at, last)
	}
}
