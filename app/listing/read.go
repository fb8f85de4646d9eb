package listing

import (
	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// Read reads what an Input has of evidence. What cannot be read is a problem; some says that a profile could be.
func Read(in diagnose.Input) (out Input, problems []*stacks.Problem, some bool) {
	sets, problems := heat.Read(in)
	return Input{Heat: heat.Of(sets, nil), Goroutines: lastGoroutines(in)}, problems, len(sets) > 0
}

// lastGoroutines is the last profile of goroutines; nil without one. What cannot be read is none: Read says what of the
// evidence cannot.
func lastGoroutines(in diagnose.Input) (last *stacks.Set) {
	table := stacks.NewTable(in.Build.Module)
	for _, e := range in.Evidence {
		if e.Kind != "" && e.Kind != casefile.Goroutine && e.Kind != casefile.GoroutineDump {
			continue
		}
		set, err := table.Read(stacks.Source{Name: e.Name, Kind: e.Kind, Taken: e.Taken, Seconds: e.Seconds}, e.Data)
		if err == nil && set.Kind == casefile.Goroutine && (last == nil || !set.Taken.Before(last.Taken)) {
			last = set
		}
	}
	return last
}
