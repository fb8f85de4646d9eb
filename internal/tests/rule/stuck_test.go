package rule_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

const push = "example.com/shop/billing.(*Queue).push"

func at(key uint64, fn, wait string, count int) vitals.Place {
	return vitals.Place{Key: key, Func: fn, Wait: wait, Count: count}
}

// censuses gives an engine one census every 20 s, with a sample after each, and returns the seconds at which it fired.
func censuses(t *testing.T, e *rule.Engine, n int, places func(i int) []vitals.Place) (fired []int, texts []string,
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

func stuckEngine(t *testing.T, st rule.Stuck) *rule.Engine {
	t.Helper()
	e, err := rule.NewEngine([]rule.Rule{{Name: "stuck", Warmup: -1, Cooldown: rule.Duration(time.Hour),
		When: rule.Condition{Stuck: &st}}},
		nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestStuck(t *testing.T) {
	minute := rule.Duration(time.Minute)
	steady := func(places ...vitals.Place) func(int) []vitals.Place {
		return func(int) []vitals.Place { return places }
	}
	for _, c := range []struct {
		name   string
		stuck  rule.Stuck
		places func(i int) []vitals.Place
		want   []int
	}{
		{"a lock", rule.Stuck{For: minute}, steady(at(1, push, vitals.WaitMutexLock, 3)), []int{60}},
		{"a send", rule.Stuck{For: minute}, steady(at(1, push, vitals.WaitChanSend, 1)), []int{60}},
		{"a receive may be idle", rule.Stuck{For: minute}, steady(at(1, push, vitals.WaitChanReceive, 3)), nil},
		{"a receive where it is asked for", rule.Stuck{For: minute, In: "shop/billing"},
			steady(at(1, push, vitals.WaitChanReceive, 3)), []int{60}},
		{"elsewhere", rule.Stuck{For: minute, In: "shop/cart"}, steady(at(1, push, vitals.WaitMutexLock, 3)), nil},
		{"too few", rule.Stuck{For: minute, Min: 4}, steady(at(1, push, vitals.WaitMutexLock, 3)), nil},
		{"the count grows", rule.Stuck{For: minute}, func(i int) []vitals.Place {
			return []vitals.Place{at(1, push,
				vitals.WaitMutexLock, 1+i)}
		}, nil},
		{"the count falls once", rule.Stuck{For: minute}, func(i int) []vitals.Place {
			return []vitals.Place{at(1, push, vitals.WaitMutexLock, max(3-i, 2))}
		}, []int{80}},
		{"another stack each time", rule.Stuck{For: minute},
			func(i int) []vitals.Place { return []vitals.Place{at(uint64(i), push, vitals.WaitMutexLock, 1)} }, nil},
		{"vanished for one census", rule.Stuck{For: minute}, func(i int) []vitals.Place {
			if i == 2 {
				return nil
			}
			return []vitals.Place{at(1, push, vitals.WaitMutexLock, 1)}
		}, []int{120}},
		{"one entry or two of the same stack", rule.Stuck{For: minute}, func(i int) []vitals.Place {
			if i%2 == 0 {
				return []vitals.Place{at(1, push, vitals.WaitMutexLock, 2), at(1, push, vitals.WaitMutexLock, 1)}
			}
			return []vitals.Place{at(1, push, vitals.WaitMutexLock, 3)}
		}, []int{60}},
		{"a negative count", rule.Stuck{For: minute}, steady(at(1, push, vitals.WaitMutexLock, -3)), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _, last := censuses(t, stuckEngine(t, c.stuck), 10, c.places)
			if !same(got, c.want) {
				t.Errorf("fired at %v, then %q; want %v", got, last, c.want)
			}
		})
	}
}

func TestStuckTexts(t *testing.T) {
	e := stuckEngine(t, rule.Stuck{For: rule.Duration(time.Minute)})
	s := vitals.NewSample(start)
	e.Step(&s, vitals.NewHistory(1))
	if got, want := e.Explain(&s, nil)[0].Reason, "no census of the goroutines yet"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	_, texts, _ := censuses(t, e, 4, func(int) []vitals.Place {
		return []vitals.Place{at(1, push, vitals.WaitMutexLock, 2), at(2, push, vitals.WaitMutexLock, 7)}
	})
	want := "7 goroutines wait in example.com/shop/billing.(*Queue).push (sync.Mutex.Lock), the same for 1m"
	if len(texts) != 1 || texts[0] != want {
		t.Errorf("%q, want %q", texts, want)
	}
	for condition, want := range map[*rule.Stuck]string{
		{For: rule.Duration(5 * time.Minute)}: "goroutines stuck at a lock or a send for 5m",
		{For: rule.Duration(5 * time.Minute), In: "shop/billing",
			Min: 3}: "3 goroutines or more stuck in shop/billing for 5m",
	} {
		if got := (&rule.Condition{Stuck: condition}).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Censuses that stopped say nothing about now, and after a restart the same stacks belong to other goroutines.
func TestStuckForgets(t *testing.T) {
	places := func(int) []vitals.Place { return []vitals.Place{at(1, push, vitals.WaitMutexLock, 1)} }
	e := stuckEngine(t, rule.Stuck{For: rule.Duration(time.Minute)})
	censuses(t, e, 3, places)
	s := vitals.NewSample(start.Add(10 * time.Minute))
	e.Step(&s, vitals.NewHistory(1))
	if got, want := e.Explain(&s, nil)[0].Reason, "the last census of the goroutines is older than 2m"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	e.Reset()
	if fired, _, _ := censuses(t, e, 3, places); len(fired) > 0 {
		t.Errorf("40 s after a restart it fired at %v", fired)
	}
}

func TestNeeds(t *testing.T) {
	st := rule.Condition{Stuck: &rule.Stuck{For: rule.Duration(time.Minute)}}
	gc := rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}
	for name, c := range map[string]struct {
		when rule.Condition
		want bool
	}{
		"stuck": {st, true}, "no": {gc, false}, "in any": {rule.Condition{Any: []rule.Condition{gc, st}}, true},
		"in all of recovered": {rule.Condition{Recovered: &rule.Condition{All: []rule.Condition{st}}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			e, err := rule.NewEngine([]rule.Rule{{Name: "a", When: gc}, {Name: "b", When: c.when}}, nil)
			if err != nil || e.Needs() != c.want {
				t.Errorf("Needs is not %v; %v", c.want, err)
			}
		})
	}
}

// The recovery of what was stuck is reported, too.
func TestStuckRecovers(t *testing.T) {
	e, err := rule.NewEngine([]rule.Rule{{Name: "free", Warmup: -1,
		When: rule.Condition{Recovered: &rule.Condition{Stuck: &rule.Stuck{For: rule.Duration(time.Minute)}}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i := range 6 {
		now := start.Add(time.Duration(20*i) * time.Second)
		var places []vitals.Place
		if i < 5 {
			places = append(places, at(1, push, vitals.WaitMutexLock, 1))
		}
		e.Census(now, places)
		s := vitals.NewSample(now)
		for _, f := range e.Step(&s, vitals.NewHistory(1)) {
			texts = append(texts, f.Text)
		}
	}
	if want := "recovered: (goroutines stuck at a lock or a send for 1m) held for 20s"; len(texts) != 1 ||
		texts[0] != want {
		t.Errorf("%q, want %q", texts, want)
	}
}

// Two groups have grown by the same number: which one is named must not depend on the order of a map.
func TestPilesThatGrewAlike(t *testing.T) {
	for range 20 {
		st := rule.Stuck{For: rule.Duration(time.Minute), Growing: true}
		_, _, last := censuses(t, stuckEngine(t, st), 2, func(i int) []vitals.Place {
			return []vitals.Place{at(1, push, vitals.WaitMutexLock, 3), at(2, "shop/zoo.feed", vitals.WaitMutexLock, 3)}
		})
		if !strings.Contains(last, push) {
			t.Fatalf("names %q, want %s, the first by name", last, push)
		}
	}
}
