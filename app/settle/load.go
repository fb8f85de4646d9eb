package settle

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/app/tool"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// A loader has the packages of the places that findings name, each read once.
type loader struct {
	places *source.Places
	limit  time.Duration
	waits  []casefile.Frame // where requests wait for an answer
	facts  []facts.Fact
	crowds []facts.Crowd

	files map[string]string // where a file of the evidence is here; "" if it is not
	units map[string]*unit  // by folder
	left  []string          // what was left out, and why
	built []string          // the files that the program is built of, once they were asked for
}

const (
	maxFile  = 4 << 20 // bytes of a file that is parsed
	maxFiles = 500     // of a package
)

func (l *loader) leaveOut(why string) {
	if !slices.Contains(l.left, why) {
		l.left = append(l.left, why)
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
	typed := l.types(ctx, dirs)
	for _, dir := range dirs {
		u := typed[dir]
		if u == nil {
			u = l.parse(dir)
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
		if data, err := os.ReadFile(file); err == nil && len(data) <= maxFile && bytes.Contains(data, []byte(name)) {
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

// key is what tells files of the evidence apart: a file of package main is told by its name only.
func key(f casefile.Frame) string { return f.Function + "\x00" + f.File }

// std reports whether a folder is of the standard library, about which nobody can do anything.
func (l *loader) std(dir string) bool { return l.places.Std(dir) }

// types loads packages with their types, if that takes no longer than the limit.
func (l *loader) types(ctx context.Context, dirs []string) map[string]*unit {
	out := make(map[string]*unit)
	ctx, cancel := context.WithTimeout(ctx, l.limit)
	defer cancel()
	fset := token.NewFileSet()
	for module, patterns := range l.byModule(dirs) {
		pkgs, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
				packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo,
			Context: ctx, Dir: module, Fset: fset, ParseFile: parseFile,
			Env: tool.Go{Offline: true}.Environment(), BuildFlags: []string{tool.NoVCS},
		}, patterns...)
		switch {
		case ctx.Err() != nil:
			l.leaveOut(fmt.Sprintf("types were not there within %s, so that names are taken for what they say",
				l.limit))
			return out
		case err != nil:
			l.leaveOut("types could not be loaded: " + firstLine(err.Error()))
			continue
		}
		for _, p := range pkgs {
			if u := typedUnit(p); u != nil {
				out[u.dir] = u
			} else if len(p.Errors) > 0 {
				l.leaveOut(fmt.Sprintf("types of %s could not be loaded: %s", p.PkgPath, firstLine(p.Errors[0].Msg)))
			}
		}
	}
	return out
}

// byModule are the folders to load, as patterns, by the module that the go command is run in. A folder outside of the
// program's module is one of its dependencies, and is loaded from there by its import path.
func (l *loader) byModule(dirs []string) map[string][]string {
	out := make(map[string][]string)
	root := l.places.Tree.Dir
	for _, dir := range dirs {
		if rel, err := filepath.Rel(root, dir); err == nil && filepath.IsLocal(rel) {
			out[root] = append(out[root], "./"+filepath.ToSlash(rel))
		} else if path := l.places.ImportPath(dir); path != "" {
			out[root] = append(out[root], path)
		}
	}
	return out
}

// parseFile is how packages are parsed: comments are of no use here.
func parseFile(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
	if len(src) > maxFile {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, maxFile)
	}
	return parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
}

// typedUnit is a package as go/packages has it; nil without files, or of which no types are known.
func typedUnit(p *packages.Package) *unit {
	if len(p.Syntax) == 0 || len(p.GoFiles) == 0 || p.TypesInfo == nil || len(p.Syntax) > maxFiles {
		return nil
	}
	u := &unit{dir: filepath.Dir(p.GoFiles[0]), fset: p.Fset, files: p.Syntax, info: p.TypesInfo, pkg: p.Types,
		sizes: p.TypesSizes}
	for _, e := range p.Errors { // what the compiler says begins with the package's name alone
		if u.partial = firstLine(e.Msg); e.Kind != packages.ListError && e.Kind != packages.UnknownError {
			u.partial = strings.TrimPrefix(filepath.Base(e.Pos)+": "+u.partial, "-: ")
			break
		}
	}
	return u
}

// parse reads the syntax of a folder's package, and of its types what the package itself says.
func (l *loader) parse(dir string) *unit {
	entries, err := os.ReadDir(dir)
	if err != nil {
		l.leaveOut(firstLine(err.Error()))
		return nil
	}
	u := &unit{dir: dir, fset: token.NewFileSet(), sizes: types.SizesFor("gc", "amd64"),
		partial: "what it imports is not known"}
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			len(u.files) == maxFiles {
			continue
		}
		if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		f, err := parseFile(u.fset, filepath.Join(dir, name), data)
		if err != nil {
			l.leaveOut("a file cannot be parsed: " + firstLine(err.Error()))
		}
		if f != nil && (len(u.files) == 0 || f.Name.Name == u.files[0].Name.Name) {
			u.files = append(u.files, f)
		}
	}
	if len(u.files) == 0 {
		return nil
	}
	u.check()
	return u
}

// check finds what types the package has by itself. Errors are expected: its imports are not read.
func (u *unit) check() {
	u.info = &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Instances: make(map[*ast.Ident]types.Instance), Implicits: make(map[ast.Node]types.Object)}
	c := types.Config{Error: func(error) {}, FakeImportC: true, Sizes: u.sizes}
	u.pkg, _ = c.Check(u.files[0].Name.Name, u.fset, u.files, u.info) // c.Error has taken the errors
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

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
