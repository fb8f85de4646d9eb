// Package typed loads packages of Go source with their types.
//
// The problem: to say where the types of what is imported are, the go command looks at each file of each dependency.
// That takes half a second where a build has left them (Kubernetes' client, 790 packages, two cores), ten times as much
// beside other work, and a minute where they have to be compiled: who has five seconds has types at one run, and none
// at the next. The approach: what it says is kept in a folder, and holds until a source file of the program, what
// decides on its dependencies, or the go command is another (listing.go); types are read from the export data that it
// named.
//
// The limits: what is loaded is checked from its source and what it imports from export data, so that two packages do
// not share types; a package of another platform than this one's is left out, as the go command does.
package typed

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/tools/go/gcexportdata"
)

const (
	MaxFile  = 4 << 20 // bytes of a file that is parsed
	maxFiles = 500     // of a package
)

// A Package is one with its types.
type Package struct {
	Path    string // import path; the package's name where only its folder was read
	Dir     string
	Fset    *token.FileSet
	Files   []*ast.File
	Info    *types.Info // of partly checked code, too
	Types   *types.Package
	Sizes   types.Sizes
	Partial string // why types are not all known; "" if they are
}

// A Loader loads packages of one module, and of what it depends on.
type Loader struct {
	Root  string                  // of the module
	Path  func(dir string) string // how the module imports a folder outside of Root; "" if it does not
	Limit time.Duration           // for what the go command says; zero is no limit
	Cache string                  // folder where that is kept; "" keeps nothing

	fset     *token.FileSet
	listing  *listing
	imported map[string]*types.Package
	ask      func(ctx context.Context, patterns []string) ([]byte, error) // of tests; nil is the go command
}

// Load returns the packages of some folders, by these, and says what was left out.
func (l *Loader) Load(ctx context.Context, dirs []string) (out map[string]*Package, left []string) {
	if l.fset == nil {
		l.fset, l.imported = token.NewFileSet(), make(map[string]*types.Package)
	}
	if l.Limit > 0 {
		limited, cancel := context.WithTimeout(ctx, l.Limit)
		defer cancel()
		ctx = limited
	}
	out = make(map[string]*Package)
	err := l.list(ctx, dirs)
	if ctx.Err() != nil {
		return out, []string{fmt.Sprintf("types were not there within %s, so that names are taken for what they say",
			l.Limit)}
	} else if err != nil {
		left = append(left, "types could not be loaded: "+firstLine(err.Error()))
	}
	for _, dir := range dirs {
		p := l.listing.in(dir)
		if p == nil {
			continue
		}
		if pkg := l.typed(p); pkg != nil {
			out[dir] = pkg
		} else if p.Error != nil {
			left = append(left, fmt.Sprintf("types of %s could not be loaded: %s", p.ImportPath, firstLine(p.Error.Err)))
		}
	}
	return out, left
}

// typed checks a package; nil without files.
func (l *Loader) typed(p *listed) *Package {
	names := p.CompiledGoFiles
	if len(names) == 0 {
		names = p.GoFiles
	}
	out := &Package{Path: p.ImportPath, Dir: p.Dir, Fset: l.fset}
	for _, name := range names[:min(len(names), maxFiles)] {
		if !filepath.IsAbs(name) {
			name = filepath.Join(p.Dir, name)
		}
		f, err := parseFile(l.fset, name)
		if out.Partial == "" && err != nil {
			out.Partial = strings.TrimPrefix(firstLine(err.Error()), p.Dir+string(filepath.Separator))
		}
		if f != nil {
			out.Files = append(out.Files, f)
		}
	}
	if len(out.Files) == 0 {
		return nil
	}
	c := types.Config{Importer: exports{l, p}, Error: func(err error) {
		if e := (types.Error{}); out.Partial == "" && errors.As(err, &e) {
			at := e.Fset.Position(e.Pos)
			out.Partial = fmt.Sprintf("%s:%d:%d: %s", filepath.Base(at.Filename), at.Line, at.Column, firstLine(e.Msg))
		}
	}}
	if p.Module != nil && p.Module.GoVersion != "" {
		c.GoVersion = "go" + p.Module.GoVersion
	}
	out.check(c)
	if out.Partial == "" && p.Error != nil {
		out.Partial = firstLine(p.Error.Err)
	}
	return out
}

// check finds the types. Errors go to c.Error, which is there.
func (p *Package) check(c types.Config) {
	p.Sizes = types.SizesFor("gc", cmp.Or(os.Getenv("GOARCH"), runtime.GOARCH))
	p.Info = &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Instances: make(map[*ast.Ident]types.Instance), Implicits: make(map[ast.Node]types.Object),
		Scopes: make(map[ast.Node]*types.Scope), FileVersions: make(map[*ast.File]string)}
	c.Sizes = p.Sizes
	p.Types, _ = c.Check(p.Path, p.Fset, p.Files, p.Info)
}

// Parse reads the syntax of a folder's package, and of its types what the package itself says. It says what cannot be
// parsed; the package is nil without files.
func Parse(dir string) (p *Package, left []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, []string{firstLine(err.Error())}
	}
	p = &Package{Dir: dir, Fset: token.NewFileSet(), Partial: "what it imports is not known"}
	for _, e := range entries {
		name := e.Name()
		if !e.Type().IsRegular() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") ||
			len(p.Files) == maxFiles {
			continue
		}
		if ok, err := build.Default.MatchFile(dir, name); err != nil || !ok {
			continue
		}
		f, err := parseFile(p.Fset, filepath.Join(dir, name))
		if err != nil {
			left = append(left, "a file cannot be parsed: "+firstLine(err.Error()))
		}
		if f != nil && (len(p.Files) == 0 || f.Name.Name == p.Files[0].Name.Name) {
			p.Files = append(p.Files, f)
		}
	}
	if len(p.Files) == 0 {
		return nil, left
	}
	p.Path = p.Files[0].Name.Name
	p.check(types.Config{Error: func(error) {}, FakeImportC: true}) // its imports are not read
	return p, left
}

// parseFile is how files are parsed: comments are of no use here.
func parseFile(fset *token.FileSet, name string) (*ast.File, error) {
	if i, err := os.Stat(name); err != nil {
		return nil, err
	} else if i.Size() > MaxFile {
		return nil, fmt.Errorf("%s is larger than %d bytes", name, MaxFile)
	}
	return parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
}

// exports are where a package finds what it imports.
type exports struct {
	*Loader
	by *listed
}

// Import reads the types of a package from its export data.
func (e exports) Import(path string) (*types.Package, error) {
	if to, ok := e.by.ImportMap[path]; ok {
		path = to
	}
	if pkg := e.imported[path]; pkg != nil && pkg.Complete() {
		return pkg, nil
	}
	p := e.listing.Of[path]
	switch {
	case path == "unsafe":
		return types.Unsafe, nil
	case p == nil || p.Export == "" && p.Error == nil:
		return nil, fmt.Errorf("there is no export data of %s", path)
	case p.Export == "":
		return nil, errors.New(firstLine(p.Error.Err))
	}
	f, err := os.Open(p.Export)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	//lint:ignore SA1019 what the go command names are archives until Go 1.29, and go/packages reads them so, too
	r, err := gcexportdata.NewReader(bufio.NewReader(f))
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, e.fset, e.imported, path)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}
