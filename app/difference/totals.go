package difference

import (
	"math"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/vitals"
)

// totals are what either side shows of the whole process.
func totals(base, now *side) []Total {
	out := []Total{}
	for _, t := range [...]struct {
		name    string
		unit    vitals.Unit
		of      func(*side) *float64
		sampled string // the resource whose samples it is a sum of; "" for what is counted
	}{
		{"CPU", vitals.Cores, all(CPU), CPU},
		{"collector", vitals.Cores, collector, CPU},
		{"CPU a request", vitals.Seconds, cpuEach, ""},
		{"heap", vitals.Bytes, all(Memory), Memory},
		{"memory", vitals.Bytes, signal(vitals.RSS), ""},
		{"goroutines", vitals.Count, all(Goroutines), ""},
		{"requests", vitals.PerSecond, signal(vitals.HTTPRate), ""},
		{"latency p99", vitals.Seconds, signal(vitals.HTTPLatencyP99), ""},
		{"errors", vitals.Share, signal(vitals.HTTPErrors), ""},
	} {
		b, n := t.of(base), t.of(now)
		if b == nil && n == nil {
			continue
		}
		x := Total{Name: t.name, Amount: Amount{t.unit, b, n}}
		if p, q := base.by[t.sampled], now.by[t.sampled]; p != nil && q != nil {
			x.Chance = *b != *n && math.Abs(*n-*b) < chanceBand*scatter(p, q, *b, *n)
		}
		out = append(out, x)
	}
	return out
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
