package stacks

import "github.com/gocasebook/casebook/diagnose/known"

// deepestKept is the smallest number of frames in a stack that the runtime truncated, inlined calls counted: it records
// 64 in CPU profiles since Go 1.23.
const deepestKept = 60

// CutWeight is the weight of the samples whose stacks lost their outer frames and did not get them back: deep ones that
// begin with a function with which no complete stack begins.
func (s *Set) CutWeight(w Weight) (sum int64) {
	roots := s.roots()
	for i := range s.Samples {
		stack := s.Samples[i].Stack
		if len(stack) < deepestKept || !s.mayBeCut(i, roots) || s.Table.Func(stack[len(stack)-1]).Does(known.BeginsStack) {
			continue
		}
		sum = addSat(sum, max(w(&s.Samples[i]), 0))
	}
	return sum
}
