package stacks

import (
	"math"
	"strings"
	"testing"
)

// TestBound: values whose sum would overflow keep their shares, and any two of them can be added or multiplied by 20.
func TestBound(t *testing.T) {
	s := &Set{Types: []ValueType{{"inuse_space", "bytes"}, {"inuse_objects", "count"}}, Period: math.MaxInt64,
		Observed: []int64{math.MinInt64, 1}}
	for _, v := range []int64{math.MaxInt64, math.MinInt64, math.MaxInt64 / 2, 1 << 62} {
		s.Samples = append(s.Samples, Sample{Values: []int64{v, 7}})
	}
	s.bound()
	sum := 0.0
	for i := range s.Samples {
		sum += math.Abs(float64(s.Samples[i].Values[0]))
		if n := s.Samples[i].Values[1]; n != 7 {
			t.Errorf("a count of 7 became %d", n)
		}
	}
	if sum += math.Abs(float64(s.Observed[0])); sum > maxTotal {
		t.Errorf("they add up to %v, want %v at most", sum, float64(maxTotal))
	}
	if a, b := s.Samples[0].Values[0], s.Samples[2].Values[0]; math.Abs(float64(a)/float64(b)-2) > 1e-6 {
		t.Errorf("2 to 1 became %d to %d", a, b)
	}
	if s.Period != maxPeriod || !strings.Contains(s.Remark, "inuse_space") ||
		strings.Contains(s.Remark, "inuse_objects") {
		t.Errorf("period %d, remark %q: want it bounded, and said of the bytes alone", s.Period, s.Remark)
	}
}
