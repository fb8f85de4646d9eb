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

// A second is what the sampler sees of one second of a service.
type second struct{ cores, limit, procs, rate, probe float64 }

// served is a service of 30 requests a second on two cores, between two bursts of its other work.
func served() second { return second{cores: 0.03, limit: 2, rate: 30, probe: 0.001} }

// builtIn is a built-in rule.
func builtIn(t *testing.T, name string) rule.Rule {
	t.Helper()
	for _, r := range rule.Default() {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no rule %s", name)
	return rule.Rule{}
}

// burstsOf plays a service for a time and returns when the rule on bursts tripped, in seconds; -1: never.
func burstsOf(t *testing.T, seconds int, every time.Duration, at func(i float64) second) (tripped int, text string) {
	t.Helper()
	e, err := rule.NewEngine([]rule.Rule{builtIn(t, "cpu-bursts")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	history := vitals.NewHistory(601)
	random := rand.New(rand.NewPCG(1, 2))
	const part = 20 // of a sample: means over its interval
	for i := every; i < time.Duration(seconds)*time.Second; i += every {
		var sum second
		for k := range part {
			now := at(i.Seconds() - every.Seconds()*(1-float64(k)/part))
			sum.cores, sum.rate, sum.probe = sum.cores+now.cores/part, sum.rate+now.rate/part, max(sum.probe, now.probe)
			sum.limit, sum.procs = now.limit, now.procs
		}
		s := vitals.NewSample(start.Add(i))
		s.Set(vitals.CPU, sum.cores*(0.95+0.05*random.Float64()))
		s.Set(vitals.CPUShare, s.Values[vitals.CPU]/sum.limit)
		s.Set(vitals.ProbeTime, sum.probe*math.Exp(0.5*random.NormFloat64()))
		if sum.rate >= 0 {
			s.Set(vitals.HTTPRate, sum.rate*(0.9+0.2*random.Float64()))
		}
		if sum.procs > 0 {
			s.Set(vitals.GoMaxProcs, sum.procs)
		}
		if fired := e.Step(&s, history); len(fired) > 0 {
			return int(i.Seconds()), fired[0].Text
		}
		history.Add(s)
	}
	return -1, ""
}

// job is a service with a job that takes this many seconds, at fixed intervals.
func job(period, long float64, busy second) func(float64) second {
	return func(i float64) second {
		if i > period && math.Mod(i+0.4, period) < long {
			return busy
		}
		return served()
	}
}

func TestBursts(t *testing.T) {
	full := second{cores: 2, limit: 2, rate: 30, probe: 0.03}
	one := second{cores: 1, limit: 2, procs: 1, rate: 30, probe: 0.02}
	with := func(s second, change func(*second)) second {
		change(&s)
		return s
	}
	procs := func(at func(float64) second, n float64) func(float64) second {
		return func(i float64) second { s := at(i); s.procs = n; return s }
	}
	random := rand.New(rand.NewPCG(3, 4))
	starts := []float64{0}
	for len(starts) < 100 {
		starts = append(starts, starts[len(starts)-1]+10+60*random.Float64())
	}
	for _, c := range []struct {
		name  string
		every time.Duration
		by    int // seconds; 0: never
		at    func(float64) second
	}{
		{"a price list read again every 25 s, GOMAXPROCS=1", time.Second, 125, procs(job(25, 2.2, one), 1)},
		{"a recommendation model of all cores every minute, 6 s", time.Second, 300, job(60, 6, full)},
		{"a report every 5 minutes, 18 s", time.Second, 1500, job(300, 18, full)},
		{"a search index that is merged every 40 s, 4 s, answers in 80 ms " +
			"meanwhile", time.Second, 200, job(40, 4, with(full, func(s *second) { s.probe = 0.08 }))},
		{"a full scan of sessions every 15 s, 1.8 s", time.Second, 75, job(15, 1.8, full)},
		{"a job of 12 s every minute, sampled every 5 s", 5 * time.Second, 300, job(60, 12, full)},

		{"a cron job of moderate size every 30 " +
			"s", time.Second, 0, job(30, 3, with(full, func(s *second) { s.cores, s.probe = 0.4, 0.001 }))},
		{"a job on one core of eight", time.Second, 0, job(30, 5, second{cores: 1, limit: 8, rate: 30, probe: 0.001})},
		{"requests in bursts of thirty times as " +
			"many", time.Second, 0, job(40, 8, with(full, func(s *second) { s.rate = 900 }))},
		{"a consumer of batches that nobody " +
			"asks", time.Second, 0, func(i float64) second {
			return with(job(30, 6, full)(i),
				func(s *second) { s.rate = -1 })
		}},
		{"a health check now and then, and a batch every " +
			"minute", time.Second, 0, func(i float64) second {
			return with(job(60, 10, full)(i),
				func(s *second) { s.rate = 0.2 })
		}},
		{"the collector, marking a large heap on idle CPUs every 20 " +
			"s", time.Second, 0, job(20, 2, with(full, func(s *second) { s.probe = 0.0015 }))},
		{"a job of 2 s every ten minutes", time.Second, 0, job(600, 2, full)},
		{"a job of a tenth of a second every 10 s", time.Second, 0, job(10, 0.1, full)},
		{"warm-up, then level", time.Second, 0, func(i float64) second {
			if i < 15 || i > 20 && i < 26 || i > 40 && i < 45 {
				return full
			}
			return served()
		}},
		{"heavy requests now and then", time.Second, 0, func(i float64) second {
			for _, at := range starts {
				if i >= at && i < at+3 {
					return full
				}
			}
			return served()
		}},
		{"an autoscaled service at 80 % with noise", time.Second, 0, func(i float64) second {
			return second{cores: 0.8 + 0.1*math.Sin(i/7) + 0.08*math.Sin(i*1.7), limit: 1, rate: 200, probe: 0.004}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tripped, text := burstsOf(t, 3600, c.every, c.at)
			if (tripped >= 0) != (c.by > 0) || tripped > c.by {
				t.Fatalf("tripped at %d s (%s), want %d", tripped, text, c.by)
			}
			if c.by > 0 && !strings.Contains(text, "bursts above") {
				t.Errorf("%q does not say what was seen", text)
			}
		})
	}
}

// When the rule trips before a burst begins, the capture holds the whole burst.
func TestBurstsTripsBeforeTheNext(t *testing.T) {
	at := job(25, 2.2, second{cores: 2, limit: 2, rate: 30, probe: 0.02})
	tripped, _ := burstsOf(t, 600, time.Second, at)
	for i := tripped; i < tripped+4; i++ {
		if at(float64(i)).cores > 1 {
			if i == tripped {
				t.Errorf("tripped at %d s, within a burst", tripped)
			}
			return
		}
	}
	t.Errorf("tripped at %d s, and no burst began within 4 s", tripped)
}

// TestMinuteSpikes: latencies that are high at the same seconds of each minute, as of keys that all end then, are told
// from those that are high at other times, and from load. Five must speak, and seven must not.
func TestMinuteSpikes(t *testing.T) {
	quiet := func(float64) float64 { return 0.006 }
	every := func(period, at, long, height float64) func(float64) float64 {
		return func(i float64) float64 {
			if p := math.Mod(i-at+period, period); p < long {
				return height
			}
			return 0.006
		}
	}
	chance := rand.New(rand.NewPCG(3, 4))
	var random [900]bool
	for i := range random {
		random[i] = chance.Float64() < 0.05
	}
	for _, c := range []struct {
		name string
		p99  func(i float64) float64
		rate float64
		want bool
	}{
		{"all keys end at second 0: 40 ms for ten seconds", every(60, 20, 10, 0.040), 2000, true},
		{"one second of each minute", every(60, 47, 1, 0.250), 500, true},
		{"a job of fifteen seconds", every(60, 5, 15, 0.060), 300, true},
		{"a second early, a second late", func(i float64) float64 {
			return every(60, 20+math.Mod(math.Floor((i+20)/60), 2), 5, 0.050)(i)
		}, 800, true},
		{"on top of slow answers", func(i float64) float64 { return 0.050 + every(60, 30, 8, 0.600)(i) }, 200, true},

		{"no spikes", quiet, 2000, false},
		{"now and then", func(i float64) float64 {
			if random[int(i)] {
				return 0.080
			}
			return 0.006
		}, 2000, false},
		{"every fifteen seconds", every(15, 3, 1, 0.050), 2000, false},
		{"once, and from then on", func(i float64) float64 {
			if i > 300 {
				return 0.080
			}
			return 0.006
		}, 2000, false},
		{"too small to be felt", every(60, 20, 10, 0.015), 2000, false},
		{"hardly any requests", every(60, 20, 10, 0.040), 3, false},
		{"requests come then", every(60, 20, 10, 0.040), -500, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := rule.NewEngine([]rule.Rule{builtIn(t, "latency-spikes")}, nil)
			if err != nil {
				t.Fatal(err)
			}
			history, noise := vitals.NewHistory(601), rand.New(rand.NewPCG(1, 2))
			spoke := false
			for i := range len(random) {
				s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
				rate := c.rate
				if rate < 0 { // in the spikes four times as many
					rate = every(60, 20, 10, 4)(float64(i))*-c.rate + 100
				}
				s.Set(vitals.HTTPRate, rate*(0.9+0.2*noise.Float64()))
				s.Set(vitals.HTTPLatencyP99, c.p99(float64(i))*math.Exp(0.2*noise.NormFloat64()))
				spoke = len(e.Step(&s, history)) > 0 || spoke
				history.Add(s)
			}
			if spoke != c.want {
				t.Errorf("it tripped: %v, want %v", spoke, c.want)
			}
		})
	}
}

// noAnswers runs the built-in rule over the values of unanswered, one a second, NaN where it is absent, and counts.
func noAnswers(t *testing.T, values []float64) (fired int) {
	t.Helper()
	e, err := rule.NewEngine([]rule.Rule{builtIn(t, "no-answer")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(600)
	for i, v := range values {
		s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
		s.Set(vitals.Unanswered, v)
		fired += len(e.Step(&s, h))
		h.Add(s)
	}
	return fired
}

func TestNoAnswer(t *testing.T) {
	silent := func(seconds ...float64) []float64 { return append(make([]float64, 30), seconds...) }
	for _, c := range []struct {
		name   string
		values []float64
		want   int
	}{
		{"a process that answers", silent(0, 0, 0), 0},
		{"two ticks that ran out of time", silent(6, 0, 0, 6, 0), 0},
		{"a stall of ten seconds", silent(6, 0), 0},
		{"a process that hangs", silent(6, 11, 16, 21, 26), 1},
		{"one that hangs again after it had come back", silent(6, 11, 16, 0, 6, 11), 1}, // within the cool-down
	} {
		if got := noAnswers(t, c.values); got != c.want {
			t.Errorf("%s: %d cases, want %d", c.name, got, c.want)
		}
	}
}
