package rule_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gocasebook/casebook/internal/race"
	"github.com/gocasebook/casebook/rule"
	"github.com/gocasebook/casebook/vitals"
)

// A service is a synthetic one. Each sample starts as a healthy one at its load, and the scenario then changes it.
type service struct {
	cores  float64
	random *rand.Rand
}

// sample is a healthy one at a load from 0 to 1, with noise of a tenth.
func (v *service) sample(i int, load float64) vitals.Sample {
	s := vitals.NewSample(start.Add(time.Duration(i) * time.Second))
	noisy := func(x float64) float64 { return x * (1 + 0.1*(2*v.random.Float64()-1)) }
	rate := 800 * v.cores * load
	for _, x := range [...]struct {
		id    vitals.ID
		value float64
	}{
		{vitals.CPU, v.cores * math.Min(load, 1)}, {vitals.CPUShare, math.Min(noisy(load), 1)},
		{vitals.Throttled, noisy(0.1 * load)}, {vitals.GCCPU, noisy(0.08 * load)},
		{vitals.Goroutines, 20 + noisy(600*v.cores*load)}, {vitals.MutexWait, noisy(0.1 * v.cores * load)},
		{vitals.GoMemory, noisy(6e8)}, {vitals.MemoryShare, noisy(0.5 + 0.1*load)}, {vitals.OpenFilesShare, noisy(0.2)},
		{vitals.HTTPRate, noisy(rate)}, {vitals.HTTPInFlight, noisy(rate * 0.02)}, {vitals.HTTPErrors, noisy(0.005)},
		{vitals.HTTPLatencyP50, noisy(0.02 * (1 + load))}, {vitals.HTTPLatencyP99, noisy(0.08 * (1 + 2*load))},
		{vitals.GoMemoryLimit, 1e9}, {vitals.CPULimit, v.cores}, {vitals.GoMaxProcs, math.Max(v.cores, 2)},
	} {
		s.Set(x.id, x.value)
	}
	if rate < 1 { // most seconds have no request
		s.Set(vitals.HTTPLatencyP50, math.NaN())
		s.Set(vitals.HTTPLatencyP99, math.NaN())
		s.Set(vitals.HTTPErrors, math.NaN())
	}
	if i%7 != 0 { // changes when a cycle ends
		s.Set(vitals.GCCPU, math.NaN())
	}
	return s
}

// watch runs the default rules over a scenario and counts what fired.
func (v *service) watch(t *testing.T, seconds int, scenario func(i int) (vitals.Sample, bool)) map[string][]string {
	t.Helper()
	e, err := rule.NewEngine(rule.Default(), nil)
	if err != nil {
		t.Fatal(err)
	}
	h := vitals.NewHistory(600)
	fired := make(map[string][]string)
	for i := range seconds {
		s, restarted := scenario(i)
		if restarted {
			e.Reset()
		}
		for _, f := range e.Step(&s, h) {
			fired[f.Rule.Name] = append(fired[f.Rule.Name], fmt.Sprintf("second %d: %s", i, f.Text))
		}
		h.Add(s)
	}
	return fired
}

// sizes are the machines that the defaults must suit.
var sizes = [...]float64{0.5, 2, 64}

func onEachSize(t *testing.T, test func(t *testing.T, v *service)) {
	for _, cores := range sizes {
		t.Run(fmt.Sprintf("cores=%g", cores), func(t *testing.T) {
			test(t, &service{cores, rand.New(rand.NewPCG(1, uint64(cores*2)))})
		})
	}
}

const hour = 3600

func TestDefaultIsSilentOnHealth(t *testing.T) {
	race.Skip(t)
	for _, c := range []struct {
		name    string
		seconds int
		change  func(v *service, i int) (s vitals.Sample, restarted bool)
	}{
		{"idle", 2 * hour, func(v *service, i int) (vitals.Sample, bool) { return v.sample(i, 0.0001), false }},
		{"busy at 70 %", 2 * hour, func(v *service, i int) (vitals.Sample, bool) { return v.sample(i, 0.7), false }},
		{"a day", 24 * hour, func(v *service, i int) (vitals.Sample, bool) {
			return v.sample(i, 0.4-0.3*math.Cos(2*math.Pi*float64(i)/(24*hour))), false
		}},
		{"load that swings each two minutes", 2 * hour, func(v *service, i int) (vitals.Sample, bool) {
			return v.sample(i, 0.5+0.2*math.Sin(float64(i)/20)), false
		}},
		{"a cron job that takes all cores for 15 s", 2 * hour, func(v *service, i int) (vitals.Sample, bool) {
			s := v.sample(i, 0.3)
			if i%600 < 15 {
				s.Set(vitals.CPUShare, 0.99)
				s.Set(vitals.GCCPU, 0.12)
				s.Set(vitals.Goroutines, s.Values[vitals.Goroutines]+200)
				s.Set(vitals.HTTPLatencyP99, 0.2)
				s.Set(vitals.MemoryShare, 0.75)
				s.Set(vitals.MutexWait, 1.5)
			}
			return s, false
		}},
		{"restarts", 2 * hour, func(v *service, i int) (vitals.Sample, bool) {
			age := float64(i % 1200) // in the first minute load arrives, caches fill and the first requests are slow
			s := v.sample(i, 0.6*math.Min(age/60, 1))
			cold := math.Max(1-age/60, 0)
			s.Set(vitals.MemoryShare, 0.5*math.Min(0.1+age/300, 1))
			s.Set(vitals.HTTPLatencyP50, 0.03+0.3*cold)
			s.Set(vitals.HTTPLatencyP99, 0.15+2*cold)
			return s, i%1200 == 0
		}},
		{"GOGC=off below GOMEMLIMIT", 2 * hour, func(v *service, i int) (vitals.Sample, bool) {
			s := v.sample(i, 0.5)
			s.Set(vitals.GoMemory, 1e9*(0.90+0.10*float64(i%10)/10))
			s.Set(vitals.MemoryShare, 0.82)
			return s, false
		}},
		{"no requests, no limits", 2 * hour, func(v *service, i int) (vitals.Sample, bool) {
			s := v.sample(i, 0.5)
			for _, id := range []vitals.ID{vitals.MemoryShare, vitals.GoMemoryLimit, vitals.CPULimit, vitals.GoMaxProcs,
				vitals.HTTPRate,
				vitals.HTTPErrors, vitals.HTTPLatencyP50, vitals.HTTPLatencyP99, vitals.HTTPInFlight,
				vitals.Throttled} {
				s.Set(id, math.NaN())
			}
			return s, false
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEachSize(t, func(t *testing.T, v *service) {
				if c.seconds > 2*hour && v.cores != 2 {
					t.Skip("a day takes seconds of CPU, and its rules look at hours, not at the size")
				}
				fired := v.watch(t, c.seconds, func(i int) (vitals.Sample, bool) { return c.change(v, i) })
				for name, texts := range fired {
					t.Errorf("%s fired %d times, first in %s", name, len(texts), texts[0])
				}
			})
		})
	}
}

// TestDefaultSeesExpensiveRequests: two minutes at a fifth of the CPU, then other requests, or more of them.
func TestDefaultSeesExpensiveRequests(t *testing.T) {
	for _, c := range []struct {
		name                string
		cpu, latency, times float64 // share of all, and multiples
		want                bool
	}{
		{"all are in memory, and scanned", 0.88, 8, 1, true},
		{"a few more come", 0.88, 8, 1.2, true},
		{"four times as many come", 0.88, 8, 4, false},
		{"half of the CPU is left", 0.5, 8, 1, false},
		{"nobody waits longer", 0.88, 1.5, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEachSize(t, func(t *testing.T, v *service) {
				fired := v.watch(t, 240, func(i int) (vitals.Sample, bool) {
					s := v.sample(i, 0.2)
					if i >= 120 {
						s.Set(vitals.CPU, c.cpu*v.cores)
						s.Set(vitals.CPUShare, c.cpu)
						s.Set(vitals.HTTPLatencyP50, c.latency*s.Values[vitals.HTTPLatencyP50])
						s.Set(vitals.HTTPRate, c.times*s.Values[vitals.HTTPRate])
					}
					return s, false
				})
				if got := len(fired["cpu-surge"]) > 0; got != c.want {
					t.Errorf("cpu-surge fired: %t, want %t: %v", got, c.want, fired)
				}
			})
		})
	}
}

// Ten minutes of health, then the fault. The list has exactly what fires in the ten minutes after.
func TestDefaultSeesFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		fault func(v *service, s *vitals.Sample, since float64)
		want  []string
	}{
		{"garbage", func(_ *service, s *vitals.Sample, _ float64) { s.Set(vitals.GCCPU, 0.2) }, []string{"gc-cpu"}},
		{"all cores", func(_ *service, s *vitals.Sample, _ float64) { s.Set(vitals.CPUShare, 0.97) },
			[]string{"cpu-saturated"}},
		{"throttled", func(_ *service, s *vitals.Sample, _ float64) { s.Set(vitals.Throttled, 0.5) },
			[]string{"throttled"}},
		{"a goroutine each request", func(v *service, s *vitals.Sample, since float64) {
			s.Set(vitals.Goroutines, s.Values[vitals.Goroutines]+400*v.cores*since)
		}, []string{"goroutine-growth", "goroutines"}},
		{"memory climbs to the end", func(_ *service, s *vitals.Sample, since float64) {
			s.Set(vitals.MemoryShare, math.Min(0.6+since/1000, 0.99))
		}, []string{"memory-85", "memory-92", "memory-97"}},
		{"memory leaps", func(_ *service, s *vitals.Sample, since float64) {
			s.Set(vitals.MemoryShare, math.Min(0.6+since/5, 0.99))
		}, []string{"memory-85", "memory-92", "memory-97"}},
		{"memory stays at 88 %", func(_ *service, s *vitals.Sample, _ float64) { s.Set(vitals.MemoryShare, 0.88) },
			[]string{"memory-85"}},
		{"GOMEMLIMIT that costs", func(_ *service, s *vitals.Sample, _ float64) {
			s.Set(vitals.GoMemory, 0.99e9)
			s.Set(vitals.GCCPU, 0.12)
		}, []string{"go-memory-limit"}},
		{"GOMEMLIMIT overrun", func(_ *service, s *vitals.Sample, _ float64) { s.Set(vitals.GoMemory, 1.1e9) },
			[]string{"go-memory-limit"}},
		{"one lock for all", func(v *service, s *vitals.Sample, _ float64) {
			s.Set(vitals.MutexWait, math.Max(0.8*v.cores, 5))
		}, []string{"mutex-wait"}},
		{"files leak", func(_ *service, s *vitals.Sample, since float64) {
			s.Set(vitals.OpenFilesShare, math.Min(0.2+since/300, 1))
		}, []string{"open-files", "open-files-growth"}},
		{"errors", func(_ *service, s *vitals.Sample, _ float64) { s.Set(vitals.HTTPErrors, 0.2) },
			[]string{"http-errors"}},
		{"a slow tail", func(_ *service, s *vitals.Sample, _ float64) {
			s.Set(vitals.HTTPLatencyP99, 2)
			s.Set(vitals.HTTPRate, 2000)
		}, []string{"failing-tail", "http-latency"}},
		{"a few slow calls that fail", func(_ *service, s *vitals.Sample, _ float64) {
			s.Set(vitals.HTTPRate, 2000)
			s.Set(vitals.HTTPLatencyP50, 0.002)
			s.Set(vitals.HTTPLatencyP99, 0.06)
			s.Set(vitals.HTTPErrors, 0.003)
		}, []string{"failing-tail"}},
		{"everything hangs", func(_ *service, s *vitals.Sample, since float64) {
			s.Set(vitals.HTTPRate, 0)
			s.Set(vitals.HTTPErrors, math.NaN())
			s.Set(vitals.HTTPInFlight, 100+since)
			s.Set(vitals.HTTPLatencyP50, since/2)
			s.Set(vitals.HTTPLatencyP99, since)
		}, []string{"http-latency", "requests-stay"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onEachSize(t, func(t *testing.T, v *service) {
				fired := v.watch(t, 1200, func(i int) (vitals.Sample, bool) {
					s := v.sample(i, 0.6)
					if i >= 600 {
						c.fault(v, &s, float64(i-600))
					}
					return s, false
				})
				var got []string
				for name := range fired {
					got = append(got, name)
				}
				slices.Sort(got)
				if !slices.Equal(got, c.want) {
					t.Errorf("%v fired, want %v: %v", got, c.want, fired)
				}
			})
		})
	}
}

// Each level of memory gives one case per climb, and another when memory climbs again.
func TestMemoryLevelsFireOncePerClimb(t *testing.T) {
	v := &service{2, rand.New(rand.NewPCG(1, 1))}
	fired := v.watch(t, 2*hour, func(i int) (vitals.Sample, bool) {
		s := v.sample(i, 0.5)
		up := math.Min(float64(i%hour)/1000, 1) // each hour up to 99 % within 17 minutes, where it stays for 20 more
		if i%hour > 2200 {
			up = 0
		}
		sawtooth := 0.05 * float64(i%10) / 10
		s.Set(vitals.MemoryShare, 0.5+0.49*up-sawtooth*(1-up))
		return s, false
	})
	for _, name := range []string{"memory-85", "memory-92", "memory-97"} {
		if n := len(fired[name]); n != 2 {
			t.Errorf("%s fired %d times in two climbs: %v", name, n, fired[name])
		}
	}
}

func TestDefaultIsValid(t *testing.T) {
	if err := rule.Validate(rule.Default(), nil); err != nil {
		t.Fatal(err)
	}
	if e, err := rule.NewEngine(rule.Default(), nil); err != nil || !e.Needs() {
		t.Errorf("no default rule looks where goroutines wait; %v", err)
	}
}
