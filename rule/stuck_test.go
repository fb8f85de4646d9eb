package rule

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
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

var start = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

func same(a, b []int) bool {
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

func TestParseBoundsTheFile(t *testing.T) {
	if _, err := Parse(make([]byte, maxFile+1), nil); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("error is %v", err)
	}
}

// TestTestsShare: a rule among others says and does in every sample what it does alone, also when the target starts
// again: what tests remember together is what each would remember.
func TestTestsShare(t *testing.T) {
	rules := leakRules()
	for _, name := range []string{"goroutines", "heap_live"} { // parts of a rule are rules of their own, too
		floor := 1.0
		rules = append(rules, Rule{Name: "own-" + name[:4], When: slowGrowth(name, floor, outside())},
			Rule{Name: "short-" + name[:4], When: Condition{Signal: name,
				Growth: certain(2, 10*time.Minute, 2*time.Minute, outside())}})
	}
	together := engineOf(t, rules)
	var alone []*Engine
	for i := range rules {
		alone = append(alone, engineOf(t, rules[i:i+1]))
	}
	r, h := rand.New(rand.NewPCG(1, 2)), vitals.NewHistory(10)
	fired := 0
	for i := range 3 * 3600 / 5 {
		s := vitals.NewSample(start.Add(time.Duration(i) * 5 * time.Second))
		if i == 900 {
			together.Reset()
			for _, e := range alone {
				e.Reset()
			}
		}
		grow := float64(i) + 20*r.NormFloat64()
		s.Set(vitals.Goroutines, 100+3*max(grow, 0))
		if i%3 == 0 {
			s.Set(vitals.HeapLive, (50+max(grow, 0))*(1<<20))
		}
		s.Set(vitals.OpenFiles, 100+float64(r.IntN(20))+float64(i/400*50))
		s.Set(vitals.OpenFilesShare, 0.1)
		s.Set(vitals.AllocRate, 1e6*(1+r.Float64()))
		s.Set(vitals.RSS, 1e9+1e6*grow)
		s.Set(vitals.MemoryLimit, 2e9)
		got := together.Step(&s, h)
		var want []Firing
		for k, e := range alone {
			for _, f := range e.Step(&s, h) {
				f.Rule = &together.rules[k]
				want = append(want, f)
			}
		}
		fired += len(got)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("at sample %d %d rules fired, want %d: %+v, want %+v", i, len(got), len(want), got, want)
		}
		if i%50 == 0 {
			verdicts := together.Explain(&s, nil)
			for k, e := range alone {
				if own := e.Explain(&s, nil)[0]; verdicts[k] != own {
					t.Fatalf("at sample %d: %+v, alone %+v", i, verdicts[k], own)
				}
			}
		}
		h.Add(s)
	}
	if fired < 3 {
		t.Errorf("%d firings: the test compares too few", fired)
	}
}

func engineOf(t *testing.T, rules []Rule) *Engine {
	t.Helper()
	e, err := NewEngine(rules, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
