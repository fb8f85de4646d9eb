package difference

import (
	"math"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// totals are what either side shows of the whole process.
func totals(base, now *side) []Total {
	out, load := []Total{}, loadOf(base, now)
	for _, t := range [...]struct {
		name    string
		unit    vitals.Unit
		of      func(*side) *float64
		sampled string  // the resource whose samples it is a sum of; "" for what is counted
		least   float64 // by which it must be more to be worse; 0: it is not judged
	}{
		{"CPU", vitals.Cores, all(CPU), CPU, 0.25},
		{"collector", vitals.Cores, collector, CPU, 0},
		{"CPU a request", vitals.Seconds, cpuEach, "", 100e-6},
		{"heap", vitals.Bytes, all(Memory), Memory, 64 << 20},
		{"memory", vitals.Bytes, signal(vitals.RSS), "", 64 << 20},
		{"goroutines", vitals.Count, all(Goroutines), "", 500},
		{"requests", vitals.PerSecond, signal(vitals.HTTPRate), "", 0},
		{"latency p99", vitals.Seconds, signal(vitals.HTTPLatencyP99), "", 10e-3},
		{"errors", vitals.Share, signal(vitals.HTTPErrors), "", 0.01},
	} {
		b, n := t.of(base), t.of(now)
		if b == nil && n == nil {
			continue
		}
		x := Total{Name: t.name, Amount: Amount{t.unit, b, n}}
		if p, q := base.by[t.sampled], now.by[t.sampled]; p != nil && q != nil {
			x.Chance = *b != *n && math.Abs(*n-*b) < chanceBand*scatter(p, q, *b, *n)
		}
		x.judge(t.least, load)
		out = append(out, x)
	}
	return out
}

// muchMore is how many times as much a total must be to be worse. Who compares two captures wants to know of that, also
// where nobody counted what was asked for: of less than this the time of day may be why.
const muchMore = 2

// judge says whether a total is worse. load is how many times as many requests came; 0 where they were not counted. With
// it, the CPU of a request is judged in place of all CPU, and memory and goroutines may grow with the load.
func (t *Total) judge(least, load float64) {
	if t.Base == nil || t.Now == nil || t.Chance || least == 0 || t.Name == "CPU" && load > 0 {
		return
	}
	by := 1.0
	if t.Unit == vitals.Bytes || t.Unit == vitals.Count {
		by = max(load, 1)
	}
	t.Worse = *t.Now >= muchMore*by**t.Base && *t.Now-*t.Base >= least
	t.Unloaded = t.Worse && load == 0
}

// loadOf is how many times as many requests came; 0 where one side did not count them.
func loadOf(base, now *side) float64 {
	b, n := signal(vitals.HTTPRate)(base), signal(vitals.HTTPRate)(now)
	if b == nil || n == nil || *b <= 0 || *n <= 0 {
		return 0
	}
	return *n / *b
}

// chanceBand is how many standard errors two sums differ by at random once in twenty times.
const chanceBand = 1.96

// all is the whole of a resource.
func all(resource string) func(*side) *float64 {
	return func(s *side) *float64 {
		if m := s.by[resource]; m != nil {
			return &m.total
		}
		return nil
	}
}

// collector is the CPU that the garbage collector takes, on CPUs that were idle, too.
func collector(s *side) *float64 {
	m := s.by[CPU]
	if m == nil {
		return nil
	}
	v := m.sum(func(x *stacks.Sample) bool { return x.Class.GC() })
	return &v
}

// signal is the mean of a signal while the evidence was taken, or of all vitals where there are none from that time.
func signal(id vitals.ID) func(*side) *float64 {
	return func(s *side) *float64 {
		if s.reading == nil {
			return nil
		}
		for _, r := range resources {
			m := s.by[r.name]
			if m == nil {
				continue
			}
			if v, n := s.reading.MeanDuring(id, m.set); n > 0 {
				return &v
			}
			if v, n := s.reading.MeanNear(id, m.set); n > 0 {
				return &v
			}
		}
		if v, ok := s.reading.Mean(id); ok {
			return &v
		}
		return nil
	}
}

// cpuEach is the CPU time that one request costs, where requests are counted.
func cpuEach(s *side) *float64 {
	m, rate := s.by[CPU], signal(vitals.HTTPRate)(s)
	if m == nil || rate == nil || *rate <= 0 {
		return nil
	}
	v := m.total / *rate
	return &v
}
