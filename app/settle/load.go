package settle

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/app/typed"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A loader has the packages of the places that findings name, each read once.
type loader struct {
	places *source.Places
	limit  time.Duration
	cache  string           // of types
	waits  []casefile.Frame // where requests wait for an answer
	facts  []facts.Fact
	crowds []facts.Crowd

	packages *typed.Loader

	files map[string]string // where a file of the evidence is here; "" if it is not
	units map[string]*unit  // by folder
	left  []string          // what was left out, and why
	built []string          // the files that the program is built of, once they were asked for
}

func (l *loader) leaveOut(list ...string) {
	for _, why := range list {
		if !slices.Contains(l.left, why) {
			l.left = append(l.left, why)
		}
	}
}

// load reads the packages of some places.
func (l *loader) load(ctx context.Context, wanted []wantedPlace) {
	l.files, l.units = make(map[string]string), make(map[string]*unit)
	var dirs []string
	for _, w := range wanted {
		found := l.places.File(w.frame)
		if found.Stale != "" {
			l.leaveOut(found.Stale)
			found.File = ""
		}
		l.files[key(w.frame)] = found.File
		if dir := filepath.Dir(found.File); found.File != "" && !slices.Contains(dirs, dir) && !l.std(dir) {
			dirs = append(dirs, dir)
		}
	}
	modules := make(map[string]string)
	for _, w := range wanted {
		if mod, version, ok := stacks.ModuleOf(w.frame.File); ok {
			modules[filepath.Dir(l.files[key(w.frame)])] = mod + " " + version
		}
	}
	units := l.types(ctx, dirs)
	for _, dir := range dirs {
		u := units[dir]
		if u == nil {
			p, left := typed.Parse(dir)
			l.leaveOut(left...)
			u = unitOf(p)
		}
		if u != nil {
			u.index()
			u.module = modules[dir]
			l.units[dir] = u
		}
	}
}

// heldBy is the fact of what is held at a finding's first place, nil without one, and the user's lines by which most of
// it was made, that place first.
func (l *loader) heldBy(f *casefile.Finding) (*facts.Fact, []casefile.Frame) {
	for i := range l.facts {
		held := &l.facts[i]
		if held.Sort == facts.Hold && len(held.Bounds) > 0 && held.Bounds[0].Resource == "memory" && len(f.Where) > 0 {
			at := framesOf(held)
			if len(at) > 0 && at[0].Function == f.Where[0].Function && at[0].Line == f.Where[0].Line {
				return held, at
			}
		}
	}
	return nil, nil
}

// imports is how far packages are followed to those that they import, and mostRead how many are read.
const imports, mostRead = 2, 40

// around are the packages of the program about the places: their own, and what these import.
func (l *loader) around(ctx context.Context) []*unit {
	own := func() (out []*unit) {
		for _, dir := range slices.Sorted(maps.Keys(l.units)) {
			if u := l.units[dir]; u.module == "" && u.pkg != nil {
				out = append(out, u)
			}
		}
		return out
	}
	for range imports {
		var dirs []string
		for _, u := range own() {
			for _, i := range u.pkg.Imports() {
				rel, ok := strings.CutPrefix(i.Path(), l.places.Tree.Module+"/")
				dir := filepath.Join(l.places.Tree.Dir, filepath.FromSlash(rel))
				if ok && l.units[dir] == nil && !slices.Contains(dirs, dir) && len(l.units)+len(dirs) < mostRead {
					dirs = append(dirs, dir)
				}
			}
		}
		for dir, u := range l.types(ctx, dirs) {
			u.index()
			l.units[dir] = u
		}
	}
	return own()
}

// builtOf has the go command list the files of the program's own modules that it is built of.
const builtOf = `{{if .Module}}{{if .Module.Main}}{{range .GoFiles}}{{$.Dir}}/{{.}}
{{end}}{{end}}{{end}}`

// having are the packages that the program is built of in whose files a name is written.
func (l *loader) having(ctx context.Context, name string) (out []*unit) {
	if l.built == nil {
		list, _ := tool.Go{Dir: l.places.Tree.Dir, Offline: true}.Output(ctx, "list", "-e", "-deps", "-f", builtOf,
			cmp.Or(l.places.Tree.Main, "./...")) // without them nothing is known to set it
		l.built = append(strings.Split(string(list), "\n"), "")
	}
	var dirs, missing []string
	for _, file := range l.built {
		dir := filepath.Dir(file)
		if file == "" || slices.Contains(dirs, dir) || len(dirs) == mostRead {
			continue
		}
		if data, err := os.ReadFile(file); err == nil && len(data) <= typed.MaxFile && bytes.Contains(data, []byte(name)) {
			if dirs = append(dirs, dir); l.units[dir] == nil {
				missing = append(missing, dir)
			}
		}
	}
	for dir, u := range l.types(ctx, missing) {
		u.index()
		l.units[dir] = u
	}
	for _, dir := range dirs {
		if u := l.units[dir]; u != nil && u.pkg != nil {
			out = append(out, u)
		}
	}
	return out
}

// types are the packages of some folders that the go command says enough of within the limit.
func (l *loader) types(ctx context.Context, dirs []string) map[string]*unit {
	if l.packages == nil {
		l.packages = &typed.Loader{Root: l.places.Tree.Dir, Path: l.places.ImportPath, Limit: l.limit, Cache: l.cache}
	}
	all, left := l.packages.Load(ctx, dirs)
	l.leaveOut(left...)
	out := make(map[string]*unit)
	for dir, p := range all {
		out[dir] = unitOf(p)
	}
	return out
}

// unitOf is a package to ask about; nil for nil.
func unitOf(p *typed.Package) *unit {
	if p == nil {
		return nil
	}
	return &unit{dir: p.Dir, fset: p.Fset, files: p.Files, info: p.Info, pkg: p.Types, sizes: p.Sizes, partial: p.Partial}
}

// key is what tells files of the evidence apart: a file of package main is told by its name only.
func key(f casefile.Frame) string { return f.Function + "\x00" + f.File }

// std reports whether a folder is of the standard library, about which nobody can do anything.
func (l *loader) std(dir string) bool { return l.places.Std(dir) }

// place is where a frame is in the source; nil if it is not there, or another function is on that line now.
func (l *loader) place(f casefile.Frame) *place {
	file := l.files[key(f)]
	u := l.units[filepath.Dir(file)]
	if file == "" || u == nil {
		return nil
	}
	if u.partial != "" {
		l.leaveOut(fmt.Sprintf("the types of package %s are not all known: %s", u.files[0].Name.Name, u.partial))
	}
	for _, syntax := range u.files {
		if u.fset.File(syntax.FileStart).Name() == file {
			return u.place(syntax, f)
		}
	}
	return nil
}
