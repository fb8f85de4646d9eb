package notes

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/gocasebook/casebook/app/tool"
)

// A Program is what the go command says of packages, and of all that they import.
type Program struct {
	Modules []Module // those that its own packages import first: of the others somebody else chooses the release
	own     []listed // packages that were asked for
	names   map[string]string
}

// A listed is a package as go list prints it.
type listed struct {
	ImportPath, Dir, Name      string
	Standard, DepOnly          bool
	GoFiles, CgoFiles, Imports []string
	Module                     *struct {
		Path, Version string
		Replace       *struct{}
	}
}

// Look asks the go command for the packages of some patterns in a folder, with build tags ("" for none). Nothing is built.
func Look(ctx context.Context, dir, tags string, patterns []string) (*Program, error) {
	args := []string{"-deps", "-e", "-json=ImportPath,Dir,Name,Standard,DepOnly,GoFiles,CgoFiles,Imports,Module"}
	if tags != "" {
		args = append(args, "-tags="+tags)
	}
	text, err := tool.Go{Dir: dir, Offline: true}.Output(ctx, "list", append(append(args, "--"), patterns...)...)
	if err != nil {
		return nil, fmt.Errorf("listing what the packages import: %w", err)
	}
	p, byPath := &Program{names: map[string]string{}}, map[string]*Module{}
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("reading what go list says: %w", err)
		}
		p.names[l.ImportPath] = l.Name
		if !l.DepOnly {
			p.own = append(p.own, l)
		}
		if l.Module == nil || l.Module.Replace != nil { // another's code under that name
			continue
		}
		m := byPath[l.Module.Path]
		if m == nil {
			m = &Module{Path: l.Module.Path, Version: l.Module.Version}
			byPath[m.Path] = m
		}
		m.Packages = append(m.Packages, l.ImportPath)
	}
	p.sort(byPath)
	return p, nil
}

func (p *Program) sort(byPath map[string]*Module) {
	imported := map[string]bool{}
	for _, pkg := range p.own {
		for _, path := range pkg.Imports {
			imported[path] = true
		}
	}
	var others []Module
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		m := *byPath[path]
		if slices.ContainsFunc(m.Packages, func(pkg string) bool { return imported[pkg] }) {
			p.Modules = append(p.Modules, m)
		} else {
			others = append(others, m)
		}
	}
	p.Modules = append(p.Modules, others...)
}
