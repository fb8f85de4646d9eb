package limit_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/app/load"
	"github.com/gocasebook/casebook/app/load/limit"
)

func objective(t testing.TB, text string) limit.Objective {
	t.Helper()
	o, err := limit.ParseObjective(text)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// A model is a target with a capacity: above it a share of the requests fails.
type model struct {
	capacity float64
	noise    float64 // share of the steps that fail or pass against the truth
	draw     *rand.Rand
	seconds  float64 // measured in total
}

func (m *model) measure(_ context.Context, rate float64, d time.Duration) (limit.Figures, error) {
	m.seconds += d.Seconds()
	n := uint64(math.Ceil(rate * d.Seconds()))
	bad := rate > m.capacity
	if m.draw != nil && m.draw.Float64() < m.noise {
		bad = !bad
	}
	f := limit.Figures{Counts: load.Counts{Seconds: d.Seconds(), Sent: n, OK: n}}
	if bad {
		f.OK = n - n/100 - 1
		f.Errors.Status5xx = n/100 + 1
	}
	return f, nil
}

func TestSearchFindsTheLimit(t *testing.T) {
	for _, c := range []struct {
		name            string
		capacity, start float64
		max, resolution float64
		low, high       float64 // of the best rate
		why             string
	}{
		{"above the start", 1830, 100, 1e5, 0.05, 1830 / 1.05, 1830, ""},
		{"far above", 77_000, 1, 1e6, 0.01, 77_000 / 1.01, 77_000, ""},
		{"below the start", 37, 1000, 1e5, 0.05, 37 / 1.05, 37, ""},
		{"at the start", 100, 100, 1e5, 0.05, 100 / 1.05, 100, ""},
		{"above the end", 1e9, 100, 5000, 0.05, 5000, 5000, "5,000 a second, still meets it"},
		{"nowhere", 0, 100, 1e5, 0.05, 0, 0, "do not meet it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &model{capacity: c.capacity}
			r, err := limit.Search(t.Context(), limit.Config{Objective: objective(t, "errors < 0.5%"), Start: c.start,
				Max:        c.max,
				Resolution: c.resolution, Step: time.Second, Measure: m.measure})
			if err != nil {
				t.Fatal(err)
			}
			if r.Best < c.low || r.Best > c.high || !strings.Contains(r.Why, c.why) || (r.Why == "") != (c.why == "") {
				t.Errorf("best %v (%q), want %v to %v (%q)", r.Best, r.Why, c.low, c.high, c.why)
			}
			if c.why == "" && (r.Fails <= c.capacity || r.Fails > r.Best*(1+c.resolution)) {
				t.Errorf("the lowest rate that fails is %v, the best %v; want it above %v and within %v of the best",
					r.Fails, r.Best, c.capacity, c.resolution)
			}
			if last := r.Steps[len(r.Steps)-1]; r.Best > 0 &&
				(last.Phase != limit.Confirm || last.Rate != r.Best || !last.Kept) {
				t.Errorf("the last step is %+v, want the best rate confirmed", last)
			}
		})
	}
}

// TestSearchBearsNoise has steps that are wrong one time in twenty. The result must nearly always be the truth, and
// never far above it.
func TestSearchBearsNoise(t *testing.T) {
	const capacity, searches = 1830, 200
	near := 0
	for seed := range uint64(searches) {
		m := &model{capacity: capacity, noise: 0.05, draw: rand.New(rand.NewPCG(seed, 1))}
		r, err := limit.Search(t.Context(), limit.Config{Objective: objective(t, "errors < 0.9%"), Start: 100, Max: 1e5,
			Resolution: 0.05,
			Step:       time.Second, Measure: m.measure})
		if err != nil {
			t.Fatal(err)
		}
		if r.Best > capacity/1.06 && r.Best <= capacity {
			near++
		}
		if r.Best > 2*capacity {
			t.Errorf("seed %d: best %v, which is above twice the capacity", seed, r.Best)
		}
	}
	if near < searches*3/4 {
		t.Errorf("%d of %d searches came within 6 %% of the truth, want three quarters", near, searches)
	}
	t.Logf("%d of %d searches came within 6 %% of the truth", near, searches)
}

func TestSearchEndsEarly(t *testing.T) {
	broken := errors.New("no such host")
	n := 0
	r, err := limit.Search(t.Context(), limit.Config{Objective: objective(t, "errors < 1%"), Start: 1, Max: 100,
		Resolution: 0.1, Step: time.Second,
		Measure: func(ctx context.Context, rate float64, d time.Duration) (limit.Figures, error) {
			if n++; n == 3 {
				return limit.Figures{}, broken
			}
			return (&model{capacity: 50}).measure(ctx, rate, d)
		}})
	if !errors.Is(err, broken) || len(r.Steps) != 2 || r.Best != 0 {
		t.Errorf("err = %v, %d steps, best %v; want the error, 2 and none", err, len(r.Steps), r.Best)
	}
}

// TestSearchUnconfirmedEnd has a target that passes the highest rate for one step, and not for twice the time. Once the
// output said that the rate was "still met", after a step that proved nothing.
func TestSearchUnconfirmedEnd(t *testing.T) {
	r, err := limit.Search(t.Context(), limit.Config{Objective: objective(t, "errors < 1%"), Start: 100, Max: 1000,
		Resolution: 0.05, Step: time.Second,
		Measure: func(ctx context.Context, rate float64, d time.Duration) (limit.Figures, error) {
			capacity := 1000.0
			if d > time.Second {
				capacity = 700
			}
			return (&model{capacity: capacity}).measure(ctx, rate, d)
		}})
	if err != nil || r.Best == 0 || r.Best > 700 || r.Fails <= r.Best || r.Fails > 1000 || r.Why != "" {
		t.Errorf("best %v, fails %v, why %q, %v; want a rate up to 700, one that fails, and no other reason to end",
			r.Best, r.Fails, r.Why, err)
	}
}

// TestSearchGivesUp has a target that never passes when it is confirmed.
func TestSearchGivesUp(t *testing.T) {
	r, err := limit.Search(t.Context(), limit.Config{Objective: objective(t, "errors < 1%"), Start: 100, Max: 1e5,
		Resolution: 0.1, Step: time.Second,
		Measure: func(ctx context.Context, rate float64, d time.Duration) (limit.Figures, error) {
			return (&model{capacity: 1000 / d.Seconds() / d.Seconds() / d.Seconds() / d.Seconds() * math.Mod(
				d.Seconds(),
				2)}).measure(ctx, rate, d)
		}})
	if err != nil || r.Best != 0 || r.Why == "" || len(r.Steps) > 60 {
		t.Errorf("best %v after %d steps, why %q, %v; want none, 60 at the most, a reason", r.Best, len(r.Steps), r.Why,
			err)
	}
}

func TestSearchRefuses(t *testing.T) {
	good := limit.Config{Objective: objective(t, "p99 < 1s"), Start: 1, Max: 2, Resolution: 0.05, Step: time.Second,
		Measure: (&model{}).measure}
	for _, c := range []struct {
		name   string
		change func(*limit.Config)
		want   string
	}{
		{"no objective", func(c *limit.Config) { c.Objective = nil }, "Objective"},
		{"start", func(c *limit.Config) { c.Start = 0 }, "starts at 0"},
		{"end", func(c *limit.Config) { c.Max = 0.5 }, "ends at 0.5"},
		{"resolution", func(c *limit.Config) { c.Resolution = 0 }, "resolution is 0"},
		{"step", func(c *limit.Config) { c.Step = 0 }, "takes 0s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := good
			c.change(&cfg)
			if _, err := limit.Search(t.Context(), cfg); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("err = %v, want one with %q", err, c.want)
			}
		})
	}
}
