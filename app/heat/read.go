package heat

import (
	"errors"
	"slices"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Read reads the profiles of some evidence, all of one process, into sets with one table. What cannot be read is a
// problem and does not stop the rest; what has no stacks, and goroutine dumps, which cost nothing, are left out.
func Read(in diagnose.Input) (sets []*stacks.Set, problems []*stacks.Problem) {
	table := stacks.NewTable(in.Build.Module)
	for _, e := range in.Evidence {
		if e.Kind != "" && !slices.Contains(kinds(), e.Kind) {
			continue
		}
		set, err := table.Read(stacks.Source{Name: e.Name, Kind: e.Kind, Taken: e.Taken, Seconds: e.Seconds}, e.Data)
		var p *stacks.Problem
		switch {
		case errors.As(err, &p):
			if e.Kind != "" || !diagnose.LooksLikeEvidence(e.Data) {
				problems = append(problems, p)
			}
		case err == nil && slices.Contains(kinds(), set.Kind):
			sets = append(sets, set)
		}
	}
	return sets, problems
}

// kinds are the kinds of evidence that say what lines cost.
func kinds() []string {
	return []string{casefile.CPU, casefile.Heap, casefile.Allocs, casefile.Block, casefile.Mutex}
}
