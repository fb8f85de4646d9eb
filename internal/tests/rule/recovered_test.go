package rule_test

import (
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

func TestRecovered(t *testing.T) {
	nan := math.NaN()
	inner := rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}
	held := inner
	held.For = rule.Duration(2 * time.Second)
	at := func(c rule.Condition, after time.Duration) rule.Condition {
		return rule.Condition{Recovered: &c, For: rule.Duration(after)}
	}
	or := rule.Condition{Any: []rule.Condition{inner, {Signal: "cpu", Above: ptr(9)}}}
	for _, c := range []struct {
		name   string
		when   rule.Condition
		values []float64
		want   []int
	}{
		{"at once", at(inner, 0), []float64{0.1, 0.6, 0.6, 0.1, 0.1}, []int{3}},
		{"after a time", at(inner, 2*time.Second), []float64{0.6, 0.1, 0.1, 0.1, 0.1}, []int{3}},
		{"once each time", at(inner, 0), []float64{0.6, 0.1, 0.6, 0.1}, []int{1, 3}},
		{"never held", at(inner, 0), []float64{0.1, 0.1}, nil},
		{"not held for its own time", at(held, 0), []float64{0.6, 0.6, 0.1}, nil},
		{"held for its own time", at(held, 0), []float64{0.6, 0.6, 0.6, 0.1}, []int{3}},
		{"a relapse begins the time again", at(inner, 2*time.Second), []float64{0.6, 0.1, 0.1, 0.6, 0.1, 0.1, 0.1},
			[]int{6}},
		{"a short relapse too", at(held, 2*time.Second), []float64{0.6, 0.6, 0.6, 0.1, 0.1, 0.6, 0.1, 0.1, 0.1},
			[]int{8}},
		{"absent is no recovery", at(inner, 0), []float64{0.6, nan, nan}, nil},
		{"absent does not stop the clock", at(inner, 2*time.Second), []float64{0.6, 0.1, nan, 0.1}, []int{3}},
		{"of a group", at(or, 0), []float64{0.1, 0.6, 0.1}, []int{2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rule.Rule{Name: "test", When: c.when, Warmup: -1, Cooldown: rule.Duration(time.Nanosecond)}
			e, err := rule.NewEngine([]rule.Rule{r}, nil)
			if err != nil {
				t.Fatal(err)
			}
			h := vitals.NewHistory(100)
			var got []int
			for i, v := range c.values {
				s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
				s.Set(vitals.GCCPU, v)
				s.Set(vitals.CPU, 1)
				for _, f := range e.Step(&s, h) {
					got = append(got, i)
					if math.IsNaN(f.Value) {
						t.Errorf("the firing has no value: %+v", f)
					}
				}
				h.Add(s)
			}
			if !same(got, c.want) {
				t.Errorf("fired at %v, want %v", got, c.want)
			}
		})
	}
}

// The signal that decided may be absent when a group recovers. The case needs a number nevertheless.
func TestRecoveredShowsAPresentSignal(t *testing.T) {
	e, err := rule.NewEngine([]rule.Rule{{Name: "test", Warmup: -1,
		When: rule.Condition{Recovered: &rule.Condition{All: []rule.Condition{
			{Signal: "gc_cpu", Above: ptr(0.5)}, {Signal: "cpu", Above: ptr(2)},
		}}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := vitals.NewSample(start)
	s.Set(vitals.GCCPU, 0.6)
	s.Set(vitals.CPU, 3)
	h := vitals.NewHistory(1)
	e.Step(&s, h)
	s = vitals.NewSample(start.Add(90 * time.Second))
	s.Set(vitals.CPU, 1)
	f := e.Step(&s, h)
	if len(f) != 1 || f[0].Signal.Name != "cpu" || f[0].Value != 1 {
		t.Fatalf("%+v, want one firing that shows cpu at 1", f)
	}
	if want := "cpu was 1 core, recovered: (gc_cpu above 50 % and cpu above 2 cores) held " +
		"for 0s"; f[0].Text != want {
		t.Errorf("%q, want %q", f[0].Text, want)
	}
}

// The process that was ill is gone. Its successor has not recovered.
func TestResetForgetsWhatHeld(t *testing.T) {
	e, err := rule.NewEngine([]rule.Rule{{Name: "test", Warmup: -1,
		When: rule.Condition{Recovered: &rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(1)
	for i, v := range []float64{0.6, 0.1} {
		e.Reset()
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.GCCPU, v)
		if f := e.Step(&s, h); len(f) > 0 {
			t.Errorf("after a reset: %s", f[0].Text)
		}
	}
}

func TestRecoveredTexts(t *testing.T) {
	when := rule.Condition{Recovered: &rule.Condition{Signal: "gc_cpu", Above: ptr(0.5),
		For: rule.Duration(2 * time.Second)},
		For: rule.Duration(3 * time.Second)}
	gc := func(i int, s *vitals.Sample) {
		s.Set(vitals.GCCPU, 0.1)
		if i >= 5 && i <= 15 {
			s.Set(vitals.GCCPU, 0.6)
		}
	}
	_, texts := run(t, when, 30, gc)
	want := "gc_cpu was 10 %, recovered: (gc_cpu above 50 % for 2s) held for 10s, and not for the last 3s"
	if len(texts) != 1 || texts[0] != want {
		t.Errorf("%q, want %q", texts, want)
	}
	for seconds, want := range map[int]string{
		3:  "nothing to recover from: gc_cpu is 10 %",
		10: "not recovered: gc_cpu is 60 %; held 4s",
		18: "(gc_cpu above 50 % for 2s) is over: held 1s of 3s",
	} {
		var samples []vitals.Sample
		for i := range seconds {
			s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
			gc(i, &s)
			samples = append(samples, s)
		}
		out, err := rule.Replay([]rule.Rule{{Name: "test", Warmup: -1, When: when}}, samples, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out[0].Last != want {
			t.Errorf("after %d samples: %q, want %q", seconds, out[0].Last, want)
		}
	}
}
