package rule

import (
	"fmt"
	"testing"
	"time"

	"github.com/gocasebook/casebook/vitals"
)

const push = "example.com/shop/billing.(*Queue).push"

func at(key uint64, fn, wait string, count int) vitals.Place {
	return vitals.Place{Key: key, Func: fn, Wait: wait, Count: count}
}

// censuses gives an engine one census every 20 s, with a sample after each, and returns the seconds at which it fired.
func censuses(t *testing.T, e *Engine, n int, places func(i int) []vitals.Place) (fired []int, texts []string,
	last string) {
	t.Helper()
	for i := range n {
		now := start.Add(time.Duration(20*i) * time.Second)
		e.Census(now, places(i))
		s := vitals.NewSample(now.Add(time.Second / 2))
		for _, f := range e.Step(&s, vitals.NewHistory(1)) {
			fired, texts = append(fired, 20*i), append(texts, f.Text)
			if f.Signal.Name != "" || f.Value < 1 {
				t.Errorf("the firing has signal %+v and value %g, want none and a count", f.Signal, f.Value)
			}
		}
		last = e.Explain(&s, nil)[0].Reason
	}
	return fired, texts, last
}

func stuckEngine(t *testing.T, st Stuck) *Engine {
	t.Helper()
	e, err := NewEngine([]Rule{{Name: "stuck", Warmup: -1, Cooldown: Duration(time.Hour), When: Condition{Stuck: &st}}},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestWithin(t *testing.T) {
	for _, c := range []struct {
		fn, prefix string
		want       bool
	}{
		{push, "example.com/shop", true},
		{push, "shop/billing", true},
		{push, "billing.(*Queue)", true},
		{push, "illing", false},
		{push, "shop/billing.push", false},
		{"main.main", "main", true},
		{"example.com/a.F[example.com/shop/billing.T]", "shop/billing", false},
		{"", "x", false},
	} {
		if got := within(c.fn, c.prefix); got != c.want {
			t.Errorf("within(%q, %q) = %v", c.fn, c.prefix, got)
		}
	}
}

// When a process has more places than can be remembered, the new ones are dropped, not those known longest.
func TestCensusIsBounded(t *testing.T) {
	e := stuckEngine(t, Stuck{For: Duration(time.Minute)})
	fired, _, _ := censuses(t, e, 4, func(i int) []vitals.Place {
		var places []vitals.Place
		if i == 0 {
			places = append(places, at(1, push, vitals.WaitMutexLock, 1))
		}
		for k := range 3 * maxPlaces {
			places = append(places, at(uint64(1000*i+k+10), fmt.Sprintf("f%d", k), vitals.WaitMutexLock, 1))
		}
		if i > 0 { // last, when there is no room for new ones
			places = append(places, at(1, push, vitals.WaitMutexLock, 1))
		}
		return places
	})
	if n := len(e.census.places); n > maxPlaces {
		t.Errorf("%d places are remembered, want %d at most", n, maxPlaces)
	}
	if !same(fired, []int{60}) {
		t.Errorf("fired at %v, want at 60", fired)
	}
}
