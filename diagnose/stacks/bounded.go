package stacks

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// Detectors add, subtract and multiply values. So that nothing overflows, the values of a file add up to at most
// maxTotal: nine years in nanoseconds, 256 PiB. A file with more is damaged or crafted; it keeps its shares and loses
// its level.
const maxTotal = 1 << 58

// maxPeriod bounds the sampling's period: a TiB between two samples of the heap, 18 minutes between two of the CPU.
const maxPeriod = 1 << 40

// bound scales down the values of each type whose sum is above maxTotal, and says so.
func (s *Set) bound() {
	s.Period = min(max(s.Period, 0), maxPeriod)
	for i := range s.Types {
		sum := 0.0
		if i < len(s.Observed) {
			sum = math.Abs(float64(s.Observed[i]))
		}
		for _, samples := range [][]Sample{s.Samples, s.Own} {
			for k := range samples {
				sum += math.Abs(float64(samples[k].Values[i]))
			}
		}
		if sum > maxTotal {
			s.divide(i, int64(math.Ceil(sum/maxTotal)))
			s.addRemark(fmt.Sprintf("its %s add up to more than is possible: shares mean something, levels do not",
				s.Types[i].Type))
		}
	}
}

func (s *Set) divide(i int, by int64) {
	for _, samples := range [][]Sample{s.Samples, s.Own} {
		for k := range samples {
			samples[k].Values[i] /= by
		}
	}
	if i < len(s.Observed) {
		s.Observed[i] /= by
	}
}

func (s *Set) addRemark(text string) {
	if s.Remark != "" {
		s.Remark += "; "
	}
	s.Remark += text
}

// short is the beginning of a text, at most n bytes. Names of a few KB are those of deeply nested generics. Longer ones
// are crafted, and would be copied into every finding and page.
func short[T string | []byte](text T, n int) T {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// plausibleSeconds is a time that evidence can span, a microsecond to 300 years; 0 for any other.
func plausibleSeconds(s float64) float64 {
	if s >= 1e-6 && s < 1e10 {
		return s
	}
	return 0
}
