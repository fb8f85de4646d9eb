package rule_test

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// due runs a rule over samples at offsets from 13:00:00 UTC, and returns those at which it fired.
func due(t *testing.T, r rule.Rule, set func(*vitals.Sample), at ...time.Duration) (fired []time.Duration,
	texts []string) {
	t.Helper()
	e, err := rule.NewEngine([]rule.Rule{r}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range at {
		s := vitals.NewSample(start.Add(d))
		if set != nil {
			set(&s)
		}
		for _, f := range e.Step(&s, vitals.NewHistory(1)) {
			fired, texts = append(fired, d), append(texts, f.Text)
		}
	}
	return fired, texts
}

func TestEvery(t *testing.T) {
	const s, m = time.Second, time.Minute
	hourly := rule.Condition{Every: rule.Duration(time.Hour)}
	minutely := rule.Condition{Every: rule.Duration(time.Minute)}
	gc := rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}
	for _, c := range []struct {
		name   string
		rule   rule.Rule
		at     []time.Duration
		want   []time.Duration
		gcless bool
	}{
		{"first sample at or after", rule.Rule{When: hourly}, []time.Duration{-2 * s, -s / 2, s / 2, 3 * s / 2},
			[]time.Duration{s / 2}, false},
		{"exactly, and first of all", rule.Rule{When: hourly}, []time.Duration{0, s}, []time.Duration{0}, false},
		{"began after it", rule.Rule{When: hourly}, []time.Duration{s, 2 * s, 59 * m}, nil, false},
		{"each", rule.Rule{When: minutely}, []time.Duration{-s, s, m - s, m, m + s, 2*m + 59*s},
			[]time.Duration{s, m, 2*m + 59*s}, false},
		{"several passed are one", rule.Rule{When: minutely}, []time.Duration{-s, 10 * m, 10*m + s}, []time.Duration{10 * m},
			false},
		{"with a cool-down", rule.Rule{When: minutely, Cooldown: rule.Duration(90 * s)},
			[]time.Duration{-s, 0, m, 2 * m, 3 * m},
			[]time.Duration{0, 2 * m}, false},
		{"with a limit per hour", rule.Rule{When: minutely, PerHour: 2}, []time.Duration{-s, 0, m, 2 * m, 60 * m},
			[]time.Duration{0, m, 60 * m}, false},
		{"in all", rule.Rule{Warmup: -1, When: rule.Condition{All: []rule.Condition{minutely, gc}}},
			[]time.Duration{-s, 0, s},
			[]time.Duration{0}, false},
		{"in all, and not so", rule.Rule{Warmup: -1, When: rule.Condition{All: []rule.Condition{minutely, gc}}},
			[]time.Duration{-s, 0, s}, nil, true},
		{"in any", rule.Rule{Warmup: -1, Cooldown: 1, When: rule.Condition{Any: []rule.Condition{minutely, gc}}},
			[]time.Duration{-s, 0, s}, []time.Duration{0}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.rule.Name = "test"
			got, _ := due(t, c.rule, func(s *vitals.Sample) {
				s.Set(vitals.GCCPU, 0.9)
				if c.gcless {
					s.Set(vitals.GCCPU, 0.1)
				}
			}, c.at...)
			if !equal(got, c.want) {
				t.Errorf("fired at %v, want %v", got, c.want)
			}
		})
	}
}

func TestEveryTexts(t *testing.T) {
	_, texts := due(t, rule.Rule{Name: "test", When: rule.Condition{Every: rule.Duration(time.Hour)}}, nil, -time.Second,
		0)
	if len(texts) != 1 || texts[0] != "on schedule, every 1h" {
		t.Errorf("%q", texts)
	}
	both := rule.Condition{All: []rule.Condition{{Every: rule.Duration(time.Hour)}, {Signal: "gc_cpu", Above: ptr(0.5)}}}
	_, texts = due(t, rule.Rule{Name: "test", Warmup: -1, When: both}, func(s *vitals.Sample) { s.Set(vitals.GCCPU, 0.9) },
		-time.Second/10, 0)
	if len(texts) != 1 || texts[0] != "gc_cpu was 90 %, above 50 % for 100ms" {
		t.Errorf("%q, want what was wrong and not that the hour was full", texts)
	}
	if got, want := both.String(), "every 1h and gc_cpu above 50 %"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The hour is not missed because the target restarts. A gap in a recording is not an hour.
func TestEveryAndRestarts(t *testing.T) {
	e, err := rule.NewEngine([]rule.Rule{{Name: "test", When: rule.Condition{Every: rule.Duration(time.Hour)}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := vitals.NewSample(start.Add(-time.Second))
	e.Step(&s, vitals.NewHistory(1))
	if got, want := e.Explain(&s, nil)[0].Reason, "next at 13:00:00"; got != want {
		t.Errorf("says %q, want %q", got, want)
	}
	e.Reset()
	s.Time = start
	if len(e.Step(&s, vitals.NewHistory(1))) != 1 {
		t.Error("after a restart of the target the full hour passes unseen")
	}
	day := start.Add(24*time.Hour + 30*time.Minute)
	samples := append(recording(start.Add(time.Minute), 0.1, 0.1), recording(day, 0.1, 0.1)...)
	out, err := rule.Replay([]rule.Rule{{Name: "test", When: rule.Condition{Every: rule.Duration(time.Hour)}}}, samples,
		nil, nil)
	if err != nil || len(out[0].Firings) > 0 {
		t.Fatalf("%v, %+v: fired in a gap of the recording", err, out)
	}
	if near := out[0].Closest; len(near) != 1 || near[0].Text != "not due at any sample of the "+
		"recording" || near[0].Condition != "every 1h" {
		t.Errorf("%+v", near)
	}
}
