package diagnose

import (
	"context"
	"fmt"

	"github.com/gocasebook/casebook/diagnose/view"
)

// A Deriver turns one kind of evidence into another before detectors read it: an execution trace into a summary, or a
// format of somebody's own into stacks.
type Deriver struct {
	Name string // in messages: "trace summary"
	Kind string // of the evidence that it reads: one of package casefile or a custom kind

	// Run turns one piece of evidence into what replaces it. It also returns e if detectors should read that as well.
	// The result is either something that Casebook reads (a pprof profile, a goroutine dump, vitals) as Data, or
	// anything else as Value, under a Kind that a detector names in its Needs and asks for with Reading.Values.
	//
	// An error becomes a Problem of the file. What is returned with it is used nevertheless. A panic becomes a Problem
	// too, and leaves the evidence as it was. Run must end when ctx does.
	Run func(ctx context.Context, e Evidence) ([]Evidence, error)
}

// derive is the evidence after all derivers. Each gets what the ones before it made.
func derive(ctx context.Context, derivers []Deriver, evidence []Evidence) ([]Evidence, []Problem) {
	var problems []Problem
	for _, d := range derivers {
		var next []Evidence
		for _, e := range evidence {
			if e.Kind != d.Kind || ctx.Err() != nil {
				next = append(next, e)
				continue
			}
			made, err := d.apply(ctx, e)
			if err != nil {
				problems = append(problems, Problem{e.Name, fmt.Sprintf("%s: %v", d.Name, err),
					"the other evidence is judged without it"})
			}
			next = append(next, made...)
		}
		evidence = next
	}
	return evidence, problems
}

// apply runs a deriver; a panic leaves the evidence as it was.
func (d Deriver) apply(ctx context.Context, e Evidence) (made []Evidence, err error) {
	defer func() {
		if p := recover(); p != nil {
			made, err = []Evidence{e}, fmt.Errorf("panic: %v", p)
		}
	}()
	return d.Run(ctx, e)
}

// readValue stores evidence that a deriver made for custom detectors.
func readValue(r *Reading, e Evidence, rep *Report) {
	r.Made = append(r.Made, view.Made{Name: e.Name, Kind: e.Kind, Taken: e.Taken, Value: e.Value})
	text := e.Kind
	if s, ok := e.Value.(fmt.Stringer); ok {
		text = s.String()
	}
	rep.Read = append(rep.Read, Artefact{Name: e.Name, Kind: e.Kind, Text: text})
}
