package doctor

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gocasebook/casebook/app/notes"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// linked are modules of which profiles have functions, by path and version. That a module is in the binary says less:
// its package with the fault may not be.
type linked map[known.Release]map[string]bool

// read takes what a profile names. A file in a module cache has the release that was compiled, from afar, too; one that
// was replaced or vendored has none.
func (l linked) read(kind string, data []byte) {
	if kind == casefile.Trace || kind == casefile.GoroutineDump {
		return
	}
	table := stacks.NewTable("")
	if _, err := table.Read(stacks.Source{Name: kind}, data); err != nil {
		return // what is wrong with evidence, a diagnosis says
	}
	for i := range table.Funcs {
		f := &table.Funcs[i]
		path, version, ok := stacks.ModuleOf(f.File)
		if !ok {
			continue
		}
		m := known.Release{Path: path, Version: version}
		if l[m] == nil {
			l[m] = make(map[string]bool)
		}
		l[m][f.Package] = true
	}
}

func (l linked) modules() (out []notes.Module) {
	for _, m := range slices.SortedFunc(maps.Keys(l), func(a, b known.Release) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Version, b.Version))
	}) {
		out = append(out, notes.Module{Path: m.Path, Version: m.Version, Packages: slices.Collect(maps.Keys(l[m]))})
	}
	return out
}
