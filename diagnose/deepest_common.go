package diagnose

import (
	"cmp"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A weighed is a stack with the weight that counts for it, which may be negative in a difference of two captures.
type weighed struct {
	stack  []stacks.FrameID
	weight float64
}

// weigh are samples as a weight counts them.
func weigh(samples []*stacks.Sample, w stacks.Weight) []weighed {
	out := make([]weighed, len(samples))
	for i, s := range samples {
		out[i] = weighed{s.Stack, float64(w(s))}
	}
	return out
}

// atLeast needs the same share of each function.
func atLeast(of float64) func(stacks.FuncID) float64 {
	return func(stacks.FuncID) float64 { return of }
}

// A reach is how much weight is below a function, and how deep.
type reach struct{ weight, positive, depth float64 }

// deepestCommon is, among the functions that match (such as those of a package), the one nearest to the leaves that has
// the needed share of the weight below it, and how much that is. The share is of the samples that have one of these
// functions on their stacks. If no function has that share, it is the one with the most. An entry of a map has several
// parts; the function that they have in common puts them in. ok is false if none is on a stack.
func deepestCommon(t *stacks.Table, samples []weighed, match func(*stacks.Func) bool,
	need func(stacks.FuncID) float64) (fn stacks.FuncID, below float64, ok bool) {
	reached := make(map[stacks.FuncID]*reach)
	all := 0.0
	for _, s := range samples {
		if addReach(t, reached, s, match) {
			all += s.weight
		}
	}
	fns := make([]stacks.FuncID, 0, len(reached))
	for fn := range reached {
		fns = append(fns, fn)
	}
	if len(fns) == 0 {
		return 0, 0, false
	}
	slices.SortFunc(fns, func(a, b stacks.FuncID) int {
		ra, rb := reached[a], reached[b]
		return cmp.Or(cmp.Compare(ra.depth/max(ra.positive, 1), rb.depth/max(rb.positive, 1)), cmp.Compare(a, b))
	})
	for _, fn := range fns {
		if reached[fn].weight >= need(fn)*all {
			return fn, reached[fn].weight, true
		}
	}
	most := slices.MaxFunc(fns, func(a, b stacks.FuncID) int {
		return cmp.Compare(reached[a].weight,
			reached[b].weight)
	})
	return most, reached[most].weight, true
}

// addReach counts a sample for every function on its stack that matches, once each. It returns false if none does. In a
// difference of two captures weights may be negative: they count for the weight, and not for the depth.
func addReach(t *stacks.Table, reached map[stacks.FuncID]*reach, s weighed, match func(*stacks.Func) bool) bool {
	n := s.weight
	seen := make(map[stacks.FuncID]bool)
	for depth, id := range s.stack {
		fn := t.FuncID(id)
		if seen[fn] || !match(&t.Funcs[fn]) {
			continue
		}
		seen[fn] = true
		if reached[fn] == nil {
			reached[fn] = &reach{}
		}
		reached[fn].weight += n
		reached[fn].positive += max(n, 0)
		reached[fn].depth += max(n, 0) * float64(depth)
	}
	return len(seen) > 0
}

// ofPackage matches a package's functions.
func ofPackage(pkg string) func(*stacks.Func) bool {
	return func(f *stacks.Func) bool { return f.Package == pkg }
}
