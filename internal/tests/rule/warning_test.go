package rule_test

import (
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// warned returns the seconds in which a rule warned. gc_cpu has the values; NaN: absent.
func warned(t *testing.T, r rule.Rule, values ...float64) (at []int) {
	t.Helper()
	r.Name = "test"
	e, err := rule.NewEngine([]rule.Rule{r}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(1000)
	for i, v := range values {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.GCCPU, v)
		s.Set(vitals.CPU, 1)
		s.Set(vitals.CPULimit, 2)
		e.Step(&s, h)
		if name, ok := e.Warning(); ok {
			if name != "test" {
				t.Errorf("the warning is of %q", name)
			}
			at = append(at, i)
		}
		h.Add(s)
	}
	return at
}

func TestWarning(t *testing.T) {
	nan := math.NaN()
	above := rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}
	never := rule.Condition{Signal: "cpu", Above: ptr(100.0)}
	close := rule.Condition{Signal: "cpu", Above: ptr(1.1)}
	held := rule.Condition{Signal: "gc_cpu", Above: ptr(0.5), For: rule.Duration(time.Minute)}
	for _, c := range []struct {
		name   string
		when   rule.Condition
		values []float64
		want   []int
	}{
		{"above", above, []float64{0.39, 0.40, 0.45, 0.39}, []int{1, 2}},
		{"below", rule.Condition{Signal: "gc_cpu", Below: ptr(0.4)}, []float64{0.51, 0.5, 0.41, 0.51}, []int{1, 2}},
		{"of", rule.Condition{Signal: "cpu", Above: ptr(0.6), Of: "cpu_limit"}, []float64{0}, []int{0}},
		{"above 0 has no way to it", rule.Condition{Signal: "gc_cpu", Above: ptr(0.0), For: 1}, []float64{0, 0.1}, []int{1}},
		{"rise", rule.Condition{Signal: "gc_cpu", Rise: ptr(100.0)}, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.148, 0.17},
			[]int{6}},
		{"holds, but not for long enough", held, []float64{0.1, 0.6, 0.6, 0.1}, []int{1, 2}},
		{"floor", rule.Condition{Signal: "gc_cpu", Above: ptr(0.1), Min: ptr(0.5)}, []float64{0.2, 0.39, 0.41}, []int{2}},
		{"cap", rule.Condition{Signal: "gc_cpu", Above: ptr(0.5), Max: ptr(0.9)}, []float64{0.95}, nil},
		{"absent after near", above, []float64{0.45, nan, nan, 0.1}, []int{0, 1, 2}},
		{"all is as near as the farthest", rule.Condition{All: []rule.Condition{above, never}}, []float64{0.45, 0.9}, nil},
		{"all near", rule.Condition{All: []rule.Condition{above, close}}, []float64{0.1, 0.45, 0.9}, []int{1, 2}},
		{"any is as near as the nearest", rule.Condition{Any: []rule.Condition{never, above}}, []float64{0.1, 0.45},
			[]int{1}},
		{"recovered", rule.Condition{Recovered: &above}, []float64{0.45, 0.9, 0.9}, nil},
		{"every", rule.Condition{Every: rule.Duration(time.Minute)}, []float64{0.9, 0.9}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := warned(t, rule.Rule{Warmup: -1, When: c.when}, c.values...); !same(got, c.want) {
				t.Errorf("warned in %v, want %v", got, c.want)
			}
		})
	}
}

// A rule that cannot fire needs no preparation, until shortly before it can.
func TestWarningRespectsThePace(t *testing.T) {
	values := make([]float64, 200)
	for i := range values {
		values[i] = 0.9
	}
	got := warned(t, rule.Rule{Warmup: rule.Duration(50 * time.Second), Cooldown: rule.Duration(100 * time.Second),
		When: rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}}, values...)
	// It fires at 50 s and 150 s: warned from 20 and 120 s on, each time up to the firing.
	if len(got) != 60 || got[0] != 20 || got[29] != 49 || got[30] != 120 || got[59] != 149 {
		t.Errorf("warned in %v", got)
	}
}

// A service that runs at 85 % of a limit all the time must not have its flight recorder on forever. When it comes
// closer, it must.
func TestWarningEnds(t *testing.T) {
	values := make([]float64, 1000)
	for i := range values {
		values[i] = 0.425
		if i >= 900 {
			values[i] = 0.48
		}
	}
	got := warned(t, rule.Rule{Warmup: -1, When: rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}}, values...)
	if len(got) != 701 || got[600] != 600 || got[601] != 900 {
		t.Errorf("warned in %d seconds, the 601st and 602nd are %d and %d; want until 600 s, and from 900 on", len(got),
			got[600], got[601])
	}
}

func TestWarningOfStuckAndTrend(t *testing.T) {
	e := stuckEngine(t, rule.Stuck{For: rule.Duration(100 * time.Second)})
	var at []int
	for i := range 6 {
		now := start.Add(time.Duration(20*i) * time.Second)
		e.Census(now, []vitals.Place{{Key: 1, Func: push, Wait: vitals.WaitMutexLock, Count: 1}})
		s := vitals.NewSample(now)
		e.Step(&s, vitals.NewHistory(1))
		if _, ok := e.Warning(); ok {
			at = append(at, 20*i)
		}
	}
	if !same(at, []int{80}) { // at 100 it fired
		t.Errorf("stuck warned in %v, want in 80", at)
	}
	e, err := rule.NewEngine([]rule.Rule{{Name: "trend", Warmup: -1,
		When: rule.Condition{Signal: "rss", Trend: &rule.Trend{
			Reach: &rule.Level{Value: 1000}, Within: rule.Duration(10 * time.Minute), Over: rule.Duration(time.Minute),
		}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h, first := vitals.NewHistory(1000), -1
	for i := range 400 { // 100 + a unit a second: in 10 minutes at 80 % of 1000 from second 100 on
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.RSS, float64(100+i))
		e.Step(&s, h)
		h.Add(s)
		if _, ok := e.Warning(); ok && first < 0 {
			first = i
		}
	}
	if first != 100 {
		t.Errorf("the trend warned first in %d, want in 100", first)
	}
}

func TestWarningAllocatesNothing(t *testing.T) {
	e, err := rule.NewEngine(rule.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := vitals.NewSample(start)
	for i := range s.Values {
		s.Values[i] = 0.8
	}
	h := vitals.NewHistory(10)
	e.Step(&s, h)
	if n := testing.AllocsPerRun(100, func() { e.Warning() }); n != 0 {
		t.Errorf("Warning allocates %g times", n)
	}
}
