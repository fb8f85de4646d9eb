package rule_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// spikes is a CPU of half a core that uses 3 cores in the seconds given, for a while each.
func spikes(length int, at ...int) func(i int) float64 {
	return func(i int) float64 {
		for _, a := range at {
			if i >= a && i < a+length {
				return 3
			}
		}
		return 0.5
	}
}

func TestPeriodic(t *testing.T) {
	nan := math.NaN()
	without := func(cpu func(int) float64, gone ...int) func(int) float64 {
		return func(i int) float64 {
			for _, g := range gone {
				if i == g {
					return nan
				}
			}
			return cpu(i)
		}
	}
	three := rule.Condition{Signal: "cpu", Periodic: &rule.Periodic{Rise: 100}}
	five := rule.Condition{Signal: "cpu", Periodic: &rule.Periodic{Rise: 100, Times: 5}}
	lasting, floored, capped := three, three, three
	high := rule.Condition{Signal: "cpu", Periodic: &rule.Periodic{Rise: 20}, For: rule.Duration(35 * time.Second)}
	fast := rule.Condition{Signal: "cpu", Periodic: &rule.Periodic{Rise: 100, Period: rule.Duration(5 * time.Second)}}
	lasting.For, floored.Min, capped.Max = rule.Duration(2*time.Second), ptr(3.5), ptr(2.5)
	for _, c := range []struct {
		name string
		when rule.Condition
		cpu  func(i int) float64
		want []int
	}{
		{"at the same second of each minute", three, spikes(1, 12, 72, 132, 192), []int{132}},
		{"a second early, a second late", three, spikes(1, 12, 73, 132, 191), []int{132}},
		{"two seconds late", three, spikes(1, 12, 72, 134), nil},
		{"one period missed", three, spikes(1, 12, 132, 192), nil},
		{"five in a row", five, spikes(1, 12, 72, 132, 192, 252, 312), []int{252}},
		{"spikes that last", three, spikes(20, 12, 72, 132), []int{132}},
		{"the third does not last", lasting, spikes(2, 12, 72, 132), nil},
		{"the third lasts", lasting, spikes(3, 12, 72, 132), []int{134}},
		{"a spike in two parts", three, func(i int) float64 {
			return max(spikes(2, 12, 72, 132)(i),
				spikes(2, 16, 76, 136)(i))
		}, []int{132}},
		{"one spike at another time", three, spikes(1, 12, 72, 100, 132), []int{132}},
		{"spikes at other times", three, spikes(1, 12, 30, 72, 90, 100, 132), nil},
		{"longer than half a period", high, spikes(40, 12, 72, 132, 192), nil},
		{"too few samples a period", fast, func(i int) float64 { return 0.5 + 3*float64(i%5/4) }, nil},
		{"the level has risen for good", three, func(i int) float64 { return 0.5 + 3*float64(i/150) }, nil},
		{"always high", three, func(int) float64 { return 3 }, nil},
		{"no excess", three, func(i int) float64 { return 0.5 + 0.4*float64(i%60/59) }, nil},
		{"from nothing", three, func(i int) float64 { return spikes(1, 12, 72, 132)(i) - 0.5 }, []int{132}},
		{"below the floor", floored, spikes(1, 12, 72, 132, 192), nil},
		{"above the cap", capped, spikes(1, 12, 72, 132, 192), nil},
		{"absent away from the phase", three, without(spikes(1, 12, 72, 132), 30, 31, 80), []int{132}},
		{"absent at the phase", three, without(spikes(1, 12, 72, 132), 72), nil},
		{"absent now", three, without(spikes(1, 12, 72, 132), 132), nil},
		{"too young", three, spikes(1, 12, 72), nil},
		{"the first sample is within a spike", three, spikes(1, 0, 60, 120, 180), []int{180}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, _ := run(t, c.when, 400, func(i int, s *vitals.Sample) { s.Set(vitals.CPU, c.cpu(i)) })
			if !same(got, c.want) {
				t.Errorf("fired at %v, want %v", got, c.want)
			}
		})
	}
}

// Samples of a real watch are neither exactly on the second nor evenly spaced.
func TestPeriodicWithJitter(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	e, err := rule.NewEngine([]rule.Rule{{Name: "test", Warmup: -1,
		When: rule.Condition{Signal: "cpu", Periodic: &rule.Periodic{Rise: 100, Times: 4}}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(600)
	fired := -1
	for i := range 300 {
		at := float64(i) + 0.3*random.Float64()
		s := vitals.NewSample(start.Add(time.Duration(at * float64(time.Second))))
		v := 0.5 + 0.2*random.Float64()
		if int(at)%60 == 17 {
			v = 2
		}
		s.Set(vitals.CPU, v)
		if len(e.Step(&s, h)) > 0 && fired < 0 {
			fired = i
		}
		h.Add(s)
	}
	if fired != 197 {
		t.Errorf("fired at %d, want 197: the fourth spike", fired)
	}
}

// Spikes that come once a minute, but at random moments, are not periodic.
func TestPeriodicIsSilentOnRandomSpikes(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const hours = 10
	e, err := rule.NewEngine([]rule.Rule{{Name: "test", Warmup: -1, Cooldown: rule.Duration(time.Second),
		When: rule.Condition{
			Signal: "cpu", Periodic: &rule.Periodic{Rise: 100, Times: 4},
		}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(600)
	fired := 0
	for i := range hours * 3600 {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		v := 0.5
		if random.IntN(60) == 0 {
			v = 3
		}
		s.Set(vitals.CPU, v)
		fired += len(e.Step(&s, h))
		h.Add(s)
	}
	t.Logf("%d firings in %d hours", fired, hours)
	if fired > 1 {
		t.Errorf("fired %d times in %d hours of random spikes", fired, hours)
	}
}

func TestPeriodicTexts(t *testing.T) {
	when := rule.Condition{Signal: "cpu", Periodic: &rule.Periodic{Rise: 100}}
	_, texts := run(t, when, 200, func(i int, s *vitals.Sample) { s.Set(vitals.CPU, spikes(1, 12, 72, 132)(i)) })
	want := "cpu was 3 cores, a spike over the mean of 0.5 cores, 3 in a row every 1m"
	if len(texts) != 1 || texts[0] != want {
		t.Errorf("%q, want %q", texts, want)
	}
	for _, c := range []struct {
		name    string
		seconds int
		cpu     func(i int) float64
		want    string
	}{
		{"young", 60, spikes(1), "cpu is 0.5 cores; needs values over 2m, 10 per period"},
		{"quiet", 200, spikes(1, 12, 72), "cpu is 0.5 cores; no spike, which begins above 1 core"},
		{"broken row", 193, spikes(1, 12, 132, 192),
			"cpu is 3 cores; a spike over the mean of 0.5 cores, 2 in a row every 1m"},
		{"noise", 193, spikes(1, 72, 90, 110, 132, 192),
			"cpu is 3 cores; a spike over the mean of 0.5 cores, 3 in a row every 1m and 2 at other times"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var samples []vitals.Sample
			for i := range c.seconds {
				s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
				s.Set(vitals.CPU, c.cpu(i))
				samples = append(samples, s)
			}
			out, err := rule.Replay([]rule.Rule{{Name: "test", Warmup: -1, When: when}}, samples, nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(out[0].Last, c.want) {
				t.Errorf("%q, want %q", out[0].Last, c.want)
			}
		})
	}
}
