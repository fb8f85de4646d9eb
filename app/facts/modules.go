package facts

import (
	"cmp"
	"context"
	"slices"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// addModules lists the modules on the stacks of facts, those of the most harmful fact first.
func (s *Sheet) addModules() {
	for i := range s.Facts {
		for _, stack := range s.Facts[i].Stacks {
			for _, f := range stack.Frames {
				s.addModule(f)
			}
		}
	}
}

func (s *Sheet) addModule(f Frame) {
	if f.Owner != Dependency {
		return
	}
	m := Module{Path: f.Module}
	if path, version, ok := stacks.ModuleOf(f.File); ok {
		m = Module{path, version}
	}
	if m.Path == "" || slices.ContainsFunc(s.Modules, func(o Module) bool { return o.Path == m.Path }) {
		return
	}
	s.Modules = append(s.Modules, m)
}

// complete adds what follows from the facts of the evidence: modules, what is known of them, and source.
func (s *Sheet) complete(ctx context.Context, src Source) {
	s.addModules()
	s.addKnown()
	s.addCode(ctx, src)
	slices.SortStableFunc(s.Facts, func(a, b Fact) int { return cmp.Compare(b.Harm, a.Harm) })
}
