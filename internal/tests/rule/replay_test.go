package rule_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// recording is gc_cpu, a sample a second; NaN is absent.
func recording(from time.Time, gc ...float64) []vitals.Sample {
	var samples []vitals.Sample
	for i, v := range gc {
		s := vitals.NewSample(from.Add(time.Duration(i) * time.Second))
		s.Set(vitals.GCCPU, v)
		samples = append(samples, s)
	}
	return samples
}

func TestReplayFirings(t *testing.T) {
	r := rule.Rule{Name: "test", Warmup: -1, Cooldown: rule.Duration(2 * time.Second),
		When: rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}}
	out, err := rule.Replay([]rule.Rule{r}, recording(start, 0.1, 0.6, 0.7, 0.8, 0.1), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := out[0]
	if len(o.Firings) != 2 || o.Firings[0].Value != 0.6 || o.Firings[1].Time != start.Add(3*time.Second) ||
		len(o.Closest) != 0 {
		t.Errorf("%+v, want firings at 1 and 3 s and nothing else", o)
	}
	if o.Last != "gc_cpu is 10 %" || o.Rule.Name != "test" {
		t.Errorf("rule %q, last reason %q", o.Rule.Name, o.Last)
	}
}

func TestReplayClosest(t *testing.T) {
	nan := math.NaN()
	above := rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}
	held := above
	held.For = rule.Duration(5 * time.Second)
	capped := above
	capped.Max = ptr(0.7)
	rise := rule.Condition{Signal: "gc_cpu", Rise: ptr(100)}
	floored := rise
	floored.Min = ptr(0.45)
	cpu := rule.Condition{Signal: "cpu", Above: ptr(1)}
	type near struct {
		second    int // −1 for none
		condition string
		text      string
	}
	for _, c := range []struct {
		name   string
		when   rule.Condition
		warmup time.Duration
		values []float64
		want   []near
	}{
		{"above", above, -1, []float64{0.1, 0.4, 0.2}, []near{{1, "gc_cpu above 50 %", "gc_cpu was 40 %"}}},
		{"below", rule.Condition{Signal: "gc_cpu", Below: ptr(0.1)}, -1, []float64{0.3, 0.2, 0.4},
			[]near{{1, "gc_cpu below 10 %", "gc_cpu was 20 %"}}},
		{"not held", held, -1, []float64{0.6, 0.6, 0.1, 0.9}, []near{{3, "gc_cpu above 50 % for 5s",
			"gc_cpu was 90 %; held 1s of 5s at most"}}},
		{"above the cap", capped, -1, []float64{0.1, 0.9},
			[]near{{1, "gc_cpu above 50 %, at most 70 %", "gc_cpu was 90 %"}}},
		{"rise", rise, -1, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.19, 0.1}, []near{
			{5, "gc_cpu more than 100 % over the mean of the last 1m",
				"gc_cpu was 19 %; the mean of the 1m before is 10 %"},
		}},
		{"rise below the floor", floored, -1, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.4, 0.1}, []near{
			{5, "gc_cpu more than 100 % over the mean of the last 1m, at least 45 %",
				"gc_cpu was 40 %; the mean of the 1m before is 10 %"},
		}},
		{"rise without a past", rise, -1, []float64{0.1, 0.9}, []near{
			{-1, "gc_cpu more than 100 % over the mean of the last 1m", "never enough history; a mean needs 5 values"},
		}},
		{"absent", cpu, -1, []float64{0.1}, []near{{-1, "cpu above 1 core", "cpu is absent: not asked for"}}},
		{"absent without a reason", above, -1, []float64{nan}, []near{{-1, "gc_cpu above 50 %",
			"gc_cpu is missing in the recording"}}},
		{"both of a group", rule.Condition{All: []rule.Condition{above, cpu}}, -1, []float64{0.6}, []near{
			{0, "gc_cpu above 50 %", "gc_cpu was 60 %; true"},
			{-1, "cpu above 1 core", "cpu is absent: not asked for"},
		}},
		{"not recovered", rule.Condition{Recovered: &above, For: rule.Duration(5 * time.Second)}, -1,
			[]float64{0.6, 0.1, 0.1, 0.1}, []near{
				{-1, "recovery from (gc_cpu above 50 %) for 5s", "held 2s of 5s at most"}, {0, "gc_cpu above 50 %",
					"gc_cpu was 60 %; true"},
			}},
		{"warming up", above, time.Minute, []float64{0.6, 0.6, 0.1}, []near{
			{0, "gc_cpu above 50 %", "gc_cpu was 60 %; true"},
			{-1, "the rule as a whole", "true in 2 samples, all during the warm-up"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := rule.Replay([]rule.Rule{{Name: "test", Warmup: rule.Duration(c.warmup), When: c.when}},
				recording(start, c.values...), nil,
				map[string]string{"cpu": "not asked for"})
			if err != nil {
				t.Fatal(err)
			}
			if len(out[0].Firings) > 0 || len(out[0].Closest) != len(c.want) {
				t.Fatalf("%+v, want no firing and %d closest", out[0], len(c.want))
			}
			for i, w := range c.want {
				var at time.Time
				if w.second >= 0 {
					at = start.Add(time.Duration(w.second) * time.Second)
				}
				if want := (rule.Near{Condition: w.condition, Time: at, Text: w.text}); out[0].Closest[i] != want {
					t.Errorf("%+v, want %+v", out[0].Closest[i], want)
				}
			}
		})
	}
}

// Two incidents a day apart are not one that lasted a day, and the first is not the past of the second.
func TestReplayBeginsAnewAfterAGap(t *testing.T) {
	day := start.Add(24 * time.Hour)
	samples := append(recording(start, 0.6, 0.6), recording(day, 0.6, 0.6)...)
	out, err := rule.Replay([]rule.Rule{{Name: "test", Warmup: -1,
		When: rule.Condition{Signal: "gc_cpu", Above: ptr(0.5), For: rule.Duration(3 * time.Second)}}}, samples, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(out[0].Firings) > 0 {
		t.Errorf("%s", out[0].Firings[0].Text)
	}
}

func TestReplayOfNothing(t *testing.T) {
	out, err := rule.Replay(rule.Default(), nil, nil, nil)
	if err != nil || len(out) != len(rule.Default()) || out[0].Last != "no sample yet" {
		t.Errorf("%+v, %v", out, err)
	}
	if _, err := rule.Replay([]rule.Rule{{}}, nil, nil, nil); err == nil {
		t.Error("an invalid rule is replayed")
	}
}

func TestLookback(t *testing.T) {
	trend := rule.Condition{Signal: "rss", Trend: &rule.Trend{Reach: &rule.Level{Value: 1}, Within: 1}}
	for _, c := range []struct {
		when rule.Condition
		want time.Duration
	}{
		{rule.Condition{Signal: "cpu", Above: ptr(1), For: rule.Duration(time.Hour)}, 0},
		{rule.Condition{Signal: "cpu", Rise: ptr(1)}, time.Minute},
		{trend, 10 * time.Minute},
		{rule.Condition{Signal: "cpu", Periodic: &rule.Periodic{Rise: 1, Period: rule.Duration(time.Hour), Times: 4}},
			4 * time.Hour},
		{rule.Condition{All: []rule.Condition{{Any: []rule.Condition{{Recovered: &trend}}}, {Signal: "cpu", Rise: ptr(1)}}},
			10 * time.Minute},
	} {
		if got := rule.Lookback([]rule.Rule{{When: c.when}}); got != c.want {
			t.Errorf("%s looks back %s, want %s", c.when.String(), got, c.want)
		}
	}
}

func TestConditionSignals(t *testing.T) {
	c := rule.Condition{Any: []rule.Condition{
		{Signal: "rss", Trend: &rule.Trend{Reach: &rule.Level{Signal: "memory_limit"}}},
		{Recovered: &rule.Condition{Signal: "cpu"}},
		{Signal: "rss"},
	}}
	got := c.Signals()
	if len(got) != 3 || got[0] != "rss" || got[1] != "memory_limit" || got[2] != "cpu" {
		t.Errorf("%v, want rss, memory_limit, cpu", got)
	}
}

func TestPace(t *testing.T) {
	for _, c := range []struct {
		rule rule.Rule
		want string
	}{
		{rule.Rule{}, "not for 5m after it fired, 4 times an hour at most, and not in the first 10s of watching"},
		{rule.Rule{Warmup: -1, Cooldown: rule.Duration(time.Hour)}, "not for 1h after it fired"},
		{rule.Rule{Warmup: -1, Cooldown: rule.Duration(time.Minute), PerHour: 10},
			"not for 1m after it fired, and 10 times an hour at most"},
		{rule.Rule{Warmup: -1, Once: true, PerHour: -1}, "once, and not again until 5m after it ended"},
		{rule.Rule{When: rule.Condition{Every: rule.Duration(time.Hour)}}, "at any time"},
		{rule.Rule{When: rule.Condition{Every: rule.Duration(time.Minute)}, PerHour: 6}, "6 times an hour at most"},
	} {
		if got := c.rule.Pace(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func BenchmarkStep(b *testing.B) {
	for name, rules := range map[string][]rule.Rule{
		"default":  rule.Default(),
		"trend":    {everyCondition()[0]},
		"periodic": {everyCondition()[1]},
	} {
		b.Run("rules="+name, func(b *testing.B) {
			e, err := rule.NewEngine(rules, nil)
			if err != nil {
				b.Fatal(err)
			}
			h := vitals.NewHistory(600)
			s := vitals.NewSample(start)
			for k := range 600 {
				s.Time = start.Add(time.Duration(k) * time.Second)
				for i := range s.Values {
					s.Values[i] = 0.01
				}
				e.Step(&s, h)
				h.Add(s)
			}
			b.ReportAllocs()
			for b.Loop() {
				e.Step(&s, h)
			}
		})
	}
}

// A replay with bursts that came close, and did not fire, panicked.
func TestReplayOfBurstsThatCameNear(t *testing.T) {
	when := rule.Condition{Signal: "cpu_share", Bursts: &rule.Bursts{Above: 0.5, Late: []string{"probe_time"}}}
	var samples []vitals.Sample
	for i := range 75 { // bursts at 20, 40 and 60 s
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.CPUShare, 0.1)
		s.Set(vitals.ProbeTime, 0.001)
		if i >= 20 && i%20 < 4 {
			s.Set(vitals.CPUShare, 0.9)
			s.Set(vitals.ProbeTime, 0.1)
		}
		samples = append(samples, s)
	}
	out, err := rule.Replay([]rule.Rule{{Name: "test", Warmup: -1, When: when}}, samples, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := "3 bursts above 50 % in a row every 20s"; len(out[0].Closest) != 1 ||
		!strings.Contains(out[0].Closest[0].Text, want) {
		t.Errorf("came near as %+v, want %q", out[0].Closest, want)
	}
}
