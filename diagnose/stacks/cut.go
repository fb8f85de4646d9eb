package stacks

// deepestKept is the smallest number of frames in a stack that the runtime truncated, inlined calls counted: it records
// 64 in CPU profiles since Go 1.23.
const deepestKept = 60

// CutWeight is the weight of the samples whose stacks lost their outer frames and did not get them back: deep ones that
// begin with a function with which no complete stack begins.
func (s *Set) CutWeight(w Weight) (sum int64) {
	roots := s.roots()
	for i := range s.Samples {
		stack := s.Samples[i].Stack
		if len(stack) < deepestKept || !s.mayBeCut(i, roots) || isRoot(s.Table.Func(stack[len(stack)-1]).Name) {
			continue
		}
		sum = addSat(sum, max(w(&s.Samples[i]), 0))
	}
	return sum
}

// isRoot reports whether a stack that begins with a function is complete.
func isRoot(name string) bool {
	switch name {
	case "main.main", "runtime.main", "runtime.goexit", "runtime.mstart", "runtime.mcall", "runtime.systemstack",
		"net/http.(*conn).serve":
		return true
	}
	return false
}
