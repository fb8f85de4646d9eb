package assess

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"

	"github.com/gocasebook/casebook/diagnose/known"
)

// A KnownModule is a module that a go.mod requires, with what is known of it.
type KnownModule struct {
	Path    string     `json:"path"`
	Version string     `json:"version"`
	Rows    int        `json:"rows"`             // what is known of it in this release
	Faults  []KnownRow `json:"faults,omitempty"` // of this release
}

// A KnownModules is what is known of the modules of a go.mod.
type KnownModules struct {
	Schema  int           `json:"schema"`
	File    string        `json:"file"`
	Modules []KnownModule `json:"modules"`
}

// KnownOfModules are the modules that a go.mod, or that of a folder, requires and of which something is known. Nothing of
// them is downloaded or built.
func KnownOfModules(name string) (out KnownModules, err error) {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		name = filepath.Join(name, "go.mod")
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return out, err
	}
	file, err := modfile.ParseLax(name, data, nil)
	if err != nil {
		return out, fmt.Errorf("%s is no go.mod: %w", name, err)
	}
	rows, err := known.Advices()
	if err != nil {
		return out, err
	}
	out = KnownModules{Schema: 1, File: name, Modules: []KnownModule{}}
	for _, require := range file.Require {
		m := KnownModule{Path: require.Mod.Path, Version: require.Mod.Version}
		var faults []*known.Advice
		for _, a := range rows {
			if !ofModule(a, m.Path) || !a.HoldsFor(m.Version) {
				continue
			}
			m.Rows++
			if a.About == known.AboutFault {
				faults = append(faults, a)
			}
		}
		if m.Faults = KnownOf(faults).Rows; m.Rows > 0 {
			out.Modules = append(out.Modules, m)
		}
	}
	return out, nil
}
