package rule_test

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

var start = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

// replay feeds a signal's values, one a second, and returns the seconds at which the rule fired. NaN: absent.
func replay(t *testing.T, r rule.Rule, values ...float64) []int {
	t.Helper()
	e, err := rule.NewEngine([]rule.Rule{r}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(1000)
	var fired []int
	for i, v := range values {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.GCCPU, v)
		for range e.Step(&s, h) {
			fired = append(fired, i)
		}
		h.Add(s)
	}
	return fired
}

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

func TestEngine(t *testing.T) {
	nan := math.NaN()
	above := rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}
	held := above
	held.For = rule.Duration(2 * time.Second)
	capped := above
	capped.Max = ptr(0.9)
	rise := rule.Condition{Signal: "gc_cpu", Rise: ptr(100), Over: rule.Duration(time.Minute)}
	mean := above
	mean.Mean = rule.Duration(2 * time.Second)
	meanRise := rise
	meanRise.Mean = rule.Duration(2 * time.Second)
	floored := rise
	floored.Min = ptr(0.3)
	for _, c := range []struct {
		name   string
		when   rule.Condition
		change func(*rule.Rule)
		values []float64
		want   []int
	}{
		{"above", above, nil, []float64{0.1, 0.5, 0.6}, []int{2}},
		{"below", rule.Condition{Signal: "gc_cpu", Below: ptr(0.2)}, nil, []float64{0.3, 0.2, 0.1}, []int{2}},
		{"held long enough", held, nil, []float64{0.6, 0.6, 0.6}, []int{2}},
		{"a break begins the hold again", held, nil, []float64{0.6, 0.6, 0.1, 0.6, 0.6}, nil},
		{"absent neither confirms nor breaks a hold", held, nil, []float64{0.6, nan, nan, 0.6}, []int{3}},
		{"absent never fires", above, nil, []float64{nan, nan}, nil},
		{"max is a safety cap", capped, nil, []float64{0.95}, nil},
		{"rise over the mean", rise, nil, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.19, 0.25}, []int{6}},
		{"rise below the floor", floored, nil, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.25}, nil},
		{"rise needs a baseline", rise, nil, []float64{0.1, 0.9}, nil},
		{"the mean, when there is a whole one", mean, nil, []float64{0.9, 0.9, 0.2}, []int{2}},
		{"one high value is not the mean", mean, nil, []float64{0.1, 0.1, 0.1, 0.9, 0.1}, nil},
		{"of an absent signal there is no mean", mean, nil, []float64{0.9, 0.9, 0.9, nan}, []int{2}},
		{"a rise of the mean over what was before", meanRise, nil, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.29, 0.29, 0.29},
			[]int{7}},
		{"a spike that hardly moves the mean", meanRise, nil, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.29}, nil},
		{"cool-down", above, func(r *rule.Rule) { r.Cooldown = rule.Duration(3 * time.Second) },
			[]float64{0.6, 0.6, 0.6, 0.6},
			[]int{0, 3}},
		{"warm-up", above, func(r *rule.Rule) { r.Warmup = rule.Duration(2 * time.Second) }, []float64{0.6, 0.6, 0.6},
			[]int{2}},
		{"any", rule.Condition{Any: []rule.Condition{{Signal: "cpu", Above: ptr(9)}, above}}, nil, []float64{0.1, 0.6},
			[]int{1}},
		{"all with an absent signal", rule.Condition{All: []rule.Condition{{Signal: "cpu", Above: ptr(9)}, above}}, nil,
			[]float64{0.6}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := rule.Rule{Name: "test", When: c.when, Warmup: -1}
			if c.change != nil {
				c.change(&r)
			}
			if got := replay(t, r, c.values...); !same(got, c.want) {
				t.Errorf("fired at %v, want %v", got, c.want)
			}
		})
	}
}

// A spike must not raise the mean that it is compared with.
func TestCurrentSampleIsNotInItsBaseline(t *testing.T) {
	r := rule.Rule{Name: "test", Warmup: -1, When: rule.Condition{Signal: "gc_cpu", Rise: ptr(400),
		Over: rule.Duration(5 * time.Second)}}
	if got := replay(t, r, 0.1, 0.1, 0.1, 0.1, 0.1, 0.6); !same(got, []int{5}) {
		t.Errorf("fired at %v, want at 5: six times the mean of the samples before", got)
	}
}

func TestStepAllocatesNothing(t *testing.T) {
	for name, rules := range map[string][]rule.Rule{"default": rule.Default(), "every": everyCondition()} {
		t.Run(name, func(t *testing.T) {
			e, err := rule.NewEngine(rules, nil)
			if err != nil {
				t.Fatal(err)
			}
			h := vitals.NewHistory(600)
			s := vitals.NewSample(start)
			for k := range 600 {
				s.Time = start.Add(time.Duration(k) * time.Second)
				for i := range s.Values {
					s.Values[i] = 0.01
				}
				if k%60 == 59 { // a spike now and before, so that all code of periodic runs
					s.Set(vitals.CPU, 0.05)
				}
				e.Step(&s, h)
				h.Add(s)
			}
			s.Time = s.Time.Add(time.Minute)
			e.Census(s.Time, []vitals.Place{{Key: 1, Func: "main.main", Wait: vitals.WaitMutexLock, Count: 1}})
			if n := testing.AllocsPerRun(100, func() { e.Step(&s, h) }); n != 0 {
				t.Errorf("a step in which nothing fires allocates %g times, want 0", n)
			}
		})
	}
}

// everyCondition is a rule set with each kind of condition. None fires on the samples of the test above.
func everyCondition() []rule.Rule {
	trend := rule.Condition{Signal: "rss", Trend: &rule.Trend{Reach: &rule.Level{Signal: "memory_limit"},
		Within: rule.Duration(time.Hour)}}
	above := rule.Condition{Signal: "gc_cpu", Above: ptr(0.5)}
	return []rule.Rule{
		{Name: "trend", When: trend},
		{Name: "periodic", When: rule.Condition{Signal: "cpu", Periodic: &rule.Periodic{Rise: 100, Times: 20}}},
		{Name: "recovered", When: rule.Condition{Recovered: &above, For: rule.Duration(time.Minute)}},
		{Name: "of", When: rule.Condition{Signal: "cpu", Above: ptr(9.0), Of: "cpu_limit", Min: ptr(1.0)}},
		{Name: "mean", When: rule.Condition{Signal: "cpu", Above: ptr(9.0), Mean: rule.Duration(time.Minute)}},
		{Name: "every", When: rule.Condition{Every: rule.Duration(168 * time.Hour)}},
		{Name: "stuck", When: rule.Condition{Stuck: &rule.Stuck{For: rule.Duration(time.Minute)}}},
		{Name: "group", When: rule.Condition{All: []rule.Condition{trend,
			{Any: []rule.Condition{above, {Recovered: &trend}}}}}},
	}
}

func TestExplain(t *testing.T) {
	e, err := rule.NewEngine([]rule.Rule{
		{Name: "held", Warmup: -1, When: rule.Condition{Signal: "gc_cpu", Above: ptr(0.2),
			For: rule.Duration(5 * time.Second)}},
		{Name: "quiet", Warmup: -1, When: rule.Condition{Signal: "goroutines", Above: ptr(100)}},
		{Name: "absent", Warmup: -1, When: rule.Condition{Signal: "throttled", Above: ptr(0.2)}},
		{Name: "fires", Warmup: -1, When: rule.Condition{Signal: "cpu", Above: ptr(1)}},
		{Name: "mean", Warmup: -1, When: rule.Condition{Signal: "cpu", Above: ptr(1), Mean: rule.Duration(time.Second)}},
		{Name: "warming", When: rule.Condition{Signal: "cpu", Above: ptr(1)}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := vitals.NewSample(start)
	s.Set(vitals.GCCPU, 0.3)
	s.Set(vitals.Goroutines, 12)
	s.Set(vitals.CPU, 2)
	e.Step(&s, vitals.NewHistory(1))
	want := []string{
		"gc_cpu is 30 %; held 0s of 5s", "goroutines is 12", "throttled is absent: no quota",
		"cpu was 2 cores, above 1 core", "cpu is 2 cores in the mean of 1s",
		"warming up",
	}
	for i, v := range e.Explain(&s, map[string]string{"throttled": "no quota"}) {
		if v.Reason != want[i] {
			t.Errorf("%s: %q, want %q", v.Rule, v.Reason, want[i])
		}
	}
}

func TestConditionString(t *testing.T) {
	for _, c := range []struct {
		when rule.Condition
		want string
	}{
		{rule.Condition{Signal: "gc_cpu", Above: ptr(0.15), For: rule.Duration(5 * time.Second)}, "gc_cpu above 15 % for 5s"},
		{rule.Condition{Signal: "cpu", Above: ptr(0.75), Of: "gomaxprocs", Mean: rule.Duration(20 * time.Second)},
			"cpu in the mean of 20s above 0.75 cores × gomaxprocs"},
		{rule.Condition{Signal: "goroutines", Rise: ptr(100), Min: ptr(1000)},
			"goroutines more than 100 % over the mean of the last 1m, at least 1,000"},
		{rule.Condition{Any: []rule.Condition{{Signal: "cpu", Below: ptr(1)}, {Signal: "rss", Above: ptr(1 << 30)}}},
			"cpu below 1 core or rss above 1 GiB"},
		{
			rule.Condition{All: []rule.Condition{{Signal: "cpu", Below: ptr(1)}, {Signal: "rss", Above: ptr(1 << 30)}},
				For: rule.Duration(time.Minute)},
			"(cpu below 1 core and rss above 1 GiB) for 1m",
		},
		{
			rule.Condition{Signal: "rss", Trend: &rule.Trend{Reach: &rule.Level{Signal: "memory_limit"},
				Within: rule.Duration(30 * time.Minute)}},
			"rss certain to reach memory_limit within 30m, rising as in the last 10m",
		},
		{
			rule.Condition{Signal: "memory_share", Trend: &rule.Trend{Reach: &rule.Level{Value: 0.1},
				Within:  rule.Duration(time.Hour),
				Falling: true}, Max: ptr(0.5)},
			"memory_share certain to reach 10 % within 1h, falling as in the last 10m, at most 50 %",
		},
		{
			rule.Condition{Signal: "cpu", Periodic: &rule.Periodic{Rise: 100}, Min: ptr(1)},
			"cpu spiking every 1m, 3 times in a row, by more than 100 % over the mean between, at least 1 core",
		},
		{
			rule.Condition{Any: []rule.Condition{
				{All: []rule.Condition{{Signal: "cpu", Below: ptr(1)}, {Signal: "cpu", Above: ptr(2)}},
					For: rule.Duration(time.Minute)},
				{All: []rule.Condition{{Signal: "cpu", Above: ptr(1)}, {Signal: "cpu", Below: ptr(2)}}},
			}},
			"(cpu below 1 core and cpu above 2 cores) for 1m or (cpu above 1 core and cpu below 2 cores)",
		},
		{rule.Condition{Signal: "go_memory", Above: ptr(0.95), Of: "go_memory_limit"},
			"go_memory above 95 % of go_memory_limit"},
		{rule.Condition{Signal: "mutex_wait", Below: ptr(0.5), Of: "gomaxprocs", Min: ptr(4.0)},
			"mutex_wait below 50 % of gomaxprocs, at least 4"},
		{
			rule.Condition{Recovered: &rule.Condition{Signal: "gc_cpu", Above: ptr(0.15), For: rule.Duration(5 * time.Second)},
				For: rule.Duration(30 * time.Second)},
			"recovery from (gc_cpu above 15 % for 5s) for 30s",
		},
	} {
		if got := c.when.String(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestDefaultRoundTrip(t *testing.T) {
	data, err := json.Marshal(rule.File{Schema: 1, Rules: rule.Default()})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := rule.Parse(data, nil)
	if err != nil {
		t.Fatalf("the default rules do not parse: %v", err)
	}
	again, err := json.Marshal(rule.File{Schema: 1, Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	if string(again) != string(data) {
		t.Errorf("the default rules came back changed:\n%s\n%s", data, again)
	}
}

func ptr(v float64) *float64 { return &v }

// TestFiringTellsWhenAndByWhat: a rule fires when its condition has been true for its "for", not when it became true.
// It names the signal that decided, which need not be the first of the condition.
func TestFiringTellsWhenAndByWhat(t *testing.T) {
	e, err := rule.NewEngine([]rule.Rule{{Name: "test", Warmup: -1,
		When: rule.Condition{For: rule.Duration(3 * time.Second), Any: []rule.Condition{
			{Signal: "cpu", Above: ptr(9)}, {Signal: "gc_cpu", Above: ptr(0.5)},
		}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var fired []rule.Firing
	for i := range 10 {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.CPU, 1)
		s.Set(vitals.GCCPU, 0.1)
		if i >= 4 {
			s.Set(vitals.GCCPU, 0.75)
		}
		fired = append(fired, e.Step(&s, vitals.NewHistory(1))...)
	}
	if len(fired) == 0 {
		t.Fatal("the rule did not fire")
	}
	f := fired[0]
	if at, since := f.Time.Sub(start), f.Since.Sub(start); at != 7*time.Second || since != 4*time.Second {
		t.Errorf("fired at %s, true since %s; want 7s and 4s", at, since)
	}
	if f.Signal.Name != "gc_cpu" || f.Value != 0.75 {
		t.Errorf("decided by %s at %g, want gc_cpu at 0.75", f.Signal.Name, f.Value)
	}
}

// An engine with other rules goes on where the one before was: its target has been watched since then.
func TestFollow(t *testing.T) {
	warm := rule.Rule{Name: "a", Warmup: rule.Duration(10 * time.Second), Cooldown: rule.Duration(time.Hour),
		When: rule.Condition{
			Signal: "goroutines", Rise: ptr(20.0), Over: rule.Duration(10 * time.Second)}}
	other := warm
	other.Name = "b"
	history, now := vitals.NewHistory(100), time.Unix(1_700_000_000, 0)
	var e *rule.Engine
	follow := func(r rule.Rule) {
		next, err := rule.NewEngine([]rule.Rule{r}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if e != nil {
			next.Follow(e, now)
		}
		e = next
	}
	step := func(v float64) bool {
		now = now.Add(time.Second)
		s := vitals.NewSample(now)
		s.Set(vitals.Goroutines, v)
		fired := e.Step(&s, history)
		history.Add(s)
		return len(fired) > 0
	}
	follow(other)
	for range 11 {
		if step(100) {
			t.Fatal("it fired at rest")
		}
	}
	follow(warm)
	if !step(130) {
		t.Error("a rule set after eleven samples did not fire in the next one")
	}
	follow(other)
	step(100)
	follow(warm)
	if step(200) {
		t.Error("a rule that was away for a sample forgot that it cools down for an hour")
	}
	if _, known := e.State().Fired["b"]; known {
		t.Error("a rule that never fired is in the state")
	}
	if got := len(e.State().Fired["a"]); got != 1 {
		t.Errorf("the state has %d firings, want the one", got)
	}
}
