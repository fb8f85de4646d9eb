package rule_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func TestGrowth(t *testing.T) {
	twice := func(change func(*rule.Growth)) rule.Condition {
		g := &rule.Growth{Times: 2, Within: rule.Duration(10 * time.Minute), Over: rule.Duration(4 * time.Minute),
			Beyond: []string{"alloc_rate"}}
		if change != nil {
			change(g)
		}
		return rule.Condition{Signal: "goroutines", Growth: g}
	}
	level := func(int) float64 { return 1e6 }
	line := func(i int) float64 { return 100 + float64(i) }
	after := func(at int, f func(i int) float64) func(int) float64 {
		return func(i int) float64 { return f(max(i-at, 0)) }
	}
	for _, c := range []struct {
		name  string
		when  rule.Condition
		value func(i int) float64
		load  func(i int) float64
		trips bool
	}{
		{"a straight line", twice(nil), line, level, true},
		{"a line that begins late", twice(nil), after(600, line), level, true},
		{"level", twice(nil), func(int) float64 { return 5000 }, level, false},
		{"too slow", twice(nil), func(i int) float64 { return 1000 + float64(i) }, level, false},
		{"it flattens", twice(nil), func(i int) float64 { return 300 + 900*(1-math.Exp(-float64(i)/200)) }, level,
			false},
		{"it stops after two minutes", twice(nil), func(i int) float64 { return 100 + float64(min(i, 120)) }, level,
			false},
		{"load rises as it does", twice(nil), line, func(i int) float64 { return 1e4 * line(i) }, false},
		{"load is absent", twice(nil), line, func(int) float64 { return math.NaN() }, true},
		{"bursts over a level", twice(nil), func(i int) float64 { return 100 + float64(i*(i%7)) }, level, false},
		{"a value each half minute", twice(nil), func(i int) float64 {
			if i%30 != 0 {
				return math.NaN()
			}
			return line(i)
		}, level, true},
		{"a value a minute", twice(nil), func(i int) float64 {
			if i%60 != 0 {
				return math.NaN()
			}
			return line(i)
		}, level, false},
		{"to a limit", twice(func(g *rule.Growth) { g.Times, g.Reach = 0, &rule.Level{Value: 1000} }), line, level, true},
		{"to a limit too far", twice(func(g *rule.Growth) { g.Times, g.Reach = 0, &rule.Level{Value: 4000} }), line, level,
			false},
		{"as in each hour", twice(func(g *rule.Growth) { g.Record = rule.Duration(time.Hour) }), func(i int) float64 {
			if i < 300 {
				return 5000
			}
			return line(i - 300)
		}, level, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, texts := run(t, c.when, 1500, func(i int, s *vitals.Sample) {
				s.Set(vitals.Goroutines, c.value(i))
				s.Set(vitals.AllocRate, c.load(i))
			})
			if (len(at) > 0) != c.trips {
				t.Errorf("it tripped at %v, want %v: %v", at, c.trips, texts)
			}
		})
	}
}

func TestGrown(t *testing.T) {
	when := rule.Condition{Signal: "goroutines", Grown: &rule.Grown{Times: 4, First: rule.Duration(2 * time.Minute),
		Beyond: []string{"alloc_rate"}}, Min: ptr(100)}
	for _, c := range []struct {
		name        string
		value, load float64 // from second 600 on; 100 and 1e6 before
		trips       bool
	}{
		{"five times", 500, 1e6, true}, {"three times", 300, 1e6, false},
		{"five times, with twice the load", 500, 2e6, false},
		{"ten times, with twice the load", 1000, 2e6, true}, {"less load explains nothing", 500, 1e5, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			at, _ := run(t, when, 1200, func(i int, s *vitals.Sample) {
				value, load := 100.0, 1e6
				if i >= 600 {
					value, load = c.value, c.load
				}
				s.Set(vitals.Goroutines, value)
				s.Set(vitals.AllocRate, load)
			})
			if (len(at) > 0) != c.trips {
				t.Errorf("it tripped at %v, want %v", at, c.trips)
			}
		})
	}
}

// A replay says how close a growth came.
func TestGrowthReplay(t *testing.T) {
	var samples []vitals.Sample
	for i := range 600 {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.Goroutines, 1000+float64(i))
		s.Set(vitals.AllocRate, 1e6)
		samples = append(samples, s)
	}
	out, err := rule.Replay([]rule.Rule{{Name: "a", Warmup: -1, When: rule.Condition{Any: []rule.Condition{
		{Signal: "goroutines", Growth: &rule.Growth{Times: 2, Within: rule.Duration(10 * time.Minute),
			Over: rule.Duration(4 * time.Minute)}},
		{Signal: "goroutines", Grown: &rule.Grown{Times: 4, First: rule.Duration(2 * time.Minute)}},
	}}}}, samples, nil, nil)
	if err != nil || len(out[0].Closest) != 2 {
		t.Fatalf("%+v, %v", out, err)
	}
	for i, want := range []string{"the baseline grew by 60 a minute for 3m10s; 10m from now it is certain to be at " +
		"1,790, 1.5 times as much",
		"1.45 times the 1,060 of the first 2m"} {
		if near := out[0].Closest[i]; near.Time.IsZero() || !strings.Contains(near.Text, want) {
			t.Errorf("%q, want %q in it", near.Text, want)
		}
	}
}

func TestPileUp(t *testing.T) {
	when := rule.Condition{Stuck: &rule.Stuck{For: rule.Duration(time.Minute), Min: 50, Growing: true}}
	for _, c := range []struct {
		name  string
		wait  string
		count func(census int) int
		trips bool
	}{
		{"it grows", vitals.WaitMutexLock, func(n int) int { return 10 + 30*n }, true},
		{"sends without a receiver", vitals.WaitChanSend, func(n int) int { return 40 * n }, true},
		{"it is served now and then", vitals.WaitMutexLock, func(n int) int { return 10 + 30*(n%4) }, false},
		{"a pool", vitals.WaitChanSend, func(int) int { return 64 }, false},
		{"a few more", vitals.WaitMutexLock, func(n int) int { return 10 + n }, false},
		{"idle workers", vitals.WaitChanReceive, func(n int) int { return 100 * n }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := rule.NewEngine([]rule.Rule{{Name: "a", Warmup: -1, When: when}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			h, tripped := vitals.NewHistory(1), ""
			for n := range 12 {
				s := vitals.NewSample(start.Add(time.Duration(15*n) * time.Second))
				e.Census(s.Time, []vitals.Place{{Key: 1, Func: "shop.get", Wait: c.wait, Count: c.count(n)}})
				for _, f := range e.Step(&s, h) {
					tripped = f.Text
				}
			}
			if (tripped != "") != c.trips {
				t.Errorf("tripped by %q, want %v", tripped, c.trips)
			}
		})
	}
}

// A rise that load explains does not count.
func TestRiseBeyondLoad(t *testing.T) {
	when := rule.Condition{Signal: "goroutines", Rise: ptr(100), Beyond: []string{"alloc_rate"}}
	for _, load := range []float64{1, 3} {
		at, _ := run(t, when, 200, func(i int, s *vitals.Sample) {
			s.Set(vitals.Goroutines, 100)
			s.Set(vitals.AllocRate, 1e6)
			if i >= 100 {
				s.Set(vitals.Goroutines, 250)
				s.Set(vitals.AllocRate, 1e6*load)
			}
		})
		if (len(at) > 0) != (load == 1) {
			t.Errorf("with %g times the load it tripped at %v", load, at)
		}
	}
}
