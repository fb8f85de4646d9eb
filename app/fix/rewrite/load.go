package rewrite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/app/tool"
)

// A Unit is a package with its syntax and types, without tests.
type Unit struct {
	Fset  *token.FileSet
	Files []*ast.File
	syntax.Typed
	Source map[string][]byte // by file
	Path   string
	Module string // its path; "" outside of one
	Dir    string // the module's folder

	root  inspector.Cursor
	names map[string]bool // that changes have introduced, or files declare that this build leaves out
}

// A Loader gives the packages of a folder. The go command compiles what they import; what it prints of broken code is
// in the error.
type Loader struct {
	Dir  string // where the go command runs
	Tags string // as for go build
	// Tests compiles the packages' tests, too: one that does not compile is skipped, by a name of its own.
	Tests bool
	// Overlay are files with other contents than on the disk, by absolute name.
	Overlay map[string][]byte
}

// A Skip is a package that could not be loaded, and why.
type Skip struct{ Path, Reason string }

type listed struct {
	ImportPath string
	Dir        string
	Export     string
	GoFiles    []string
	CgoFiles   []string
	DepOnly    bool
	Standard   bool
	ForTest    string
	ImportMap  map[string]string
	Module     *struct{ Path, Dir, GoVersion string }
	Error      *struct{ Pos, Err string }
	DepsErrors []*struct{ Pos, Err string }
}

// Load loads the packages that patterns of the go command name.
func (l Loader) Load(ctx context.Context, patterns ...string) (units []*Unit, skipped []Skip, err error) {
	pkgs, err := l.list(ctx, patterns)
	if err != nil {
		return nil, nil, err
	}
	exports := make(map[string]string)
	for _, p := range pkgs {
		exports[p.ImportPath] = p.Export
	}
	for i := range pkgs {
		p := &pkgs[i]
		if p.DepOnly || p.ForTest != "" || strings.HasSuffix(p.ImportPath, ".test") {
			if p.ForTest != "" && p.Error != nil {
				skipped = append(skipped, Skip{p.ImportPath, where(p.Error.Pos) + strings.TrimSpace(p.Error.Err)})
			}
			continue
		}
		u, err := l.check(p, exports)
		if err != nil {
			skipped = append(skipped, Skip{p.ImportPath, err.Error()})
			continue
		}
		units = append(units, u)
	}
	return units, skipped, nil
}

func (l Loader) list(ctx context.Context, patterns []string) (out []listed, err error) {
	args := []string{"-e", "-export", "-deps", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,DepOnly,Standard,ForTest," +
		"ImportMap,Module,Error,DepsErrors"}
	if l.Tests {
		args = append(args, "-test")
	}
	if l.Tags != "" {
		args = append(args, "-tags="+l.Tags)
	}
	if len(l.Overlay) > 0 {
		name, remove, err := WriteOverlay(l.Overlay)
		if err != nil {
			return nil, err
		}
		defer remove()
		args = append(args, "-overlay="+name)
	}
	ask := tool.Go{Dir: l.Dir, Limit: tool.CompileLimit}
	stdout, stderr, err := ask.Run(ctx, "list", append(append(args, "--"), patterns...)...)
	var exit *exec.ExitError // of broken code, of which the rest is listed
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	out, err = tool.Values[listed](stdout)
	if err == nil && len(out) == 0 {
		err = errors.New(strings.TrimSpace(string(stderr)))
	}
	if err != nil {
		return nil, fmt.Errorf("loading %s: %w", strings.Join(patterns, " "), err)
	}
	return out, nil
}

// WriteOverlay writes what go's -overlay takes to temporary files.
func WriteOverlay(files map[string][]byte) (name string, remove func(), err error) {
	dir, err := os.MkdirTemp("", "casebook-fix-")
	if err != nil {
		return "", nil, err
	}
	remove = func() { os.RemoveAll(dir) } // a temporary folder: the system clears what is left
	replace := make(map[string]string)
	for file, data := range files {
		to := filepath.Join(dir, fmt.Sprintf("%d-%s", len(replace), filepath.Base(file)))
		if err := os.WriteFile(to, data, 0o600); err != nil {
			remove()
			return "", nil, err
		}
		replace[file] = to
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	name = filepath.Join(dir, "overlay.json")
	if err == nil {
		err = os.WriteFile(name, text, 0o600)
	}
	if err != nil {
		remove()
	}
	return name, remove, err
}

// check parses a package and works out its types.
func (l Loader) check(p *listed, exports map[string]string) (*Unit, error) {
	switch {
	case p.Error != nil:
		return nil, errors.New(where(p.Error.Pos) + strings.TrimSpace(p.Error.Err))
	case len(p.CgoFiles) > 0:
		return nil, errors.New("it uses cgo, whose types only cgo knows")
	case len(p.DepsErrors) > 0:
		return nil, errors.New(where(p.DepsErrors[0].Pos) + strings.TrimSpace(p.DepsErrors[0].Err))
	}
	u := &Unit{Fset: token.NewFileSet(), Path: p.ImportPath, Source: make(map[string][]byte), names: make(map[string]bool)}
	conf := types.Config{Sizes: types.SizesFor("gc", build.Default.GOARCH)}
	if p.Module != nil {
		u.Module, u.Dir = p.Module.Path, p.Module.Dir
		if p.Module.GoVersion != "" {
			conf.GoVersion = "go" + p.Module.GoVersion
		}
	}
	for _, name := range p.GoFiles {
		name = filepath.Join(p.Dir, name)
		data, ok := l.Overlay[name]
		if !ok {
			var err error
			if data, err = os.ReadFile(name); err != nil {
				return nil, err
			}
		}
		f, err := parser.ParseFile(u.Fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		u.Files, u.Source[name] = append(u.Files, f), data
	}
	if err := u.leaveFree(p.Dir); err != nil {
		return nil, err
	}
	u.Info = &types.Info{Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Implicits: make(map[ast.Node]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection), Scopes: make(map[ast.Node]*types.Scope),
		FileVersions: make(map[*ast.File]string), Instances: make(map[*ast.Ident]types.Instance)}
	conf.Importer = importer.ForCompiler(u.Fset, "gc", func(path string) (io.ReadCloser, error) {
		if to, ok := p.ImportMap[path]; ok {
			path = to
		}
		if exports[path] == "" {
			return nil, fmt.Errorf("%s was not compiled", path)
		}
		return os.Open(exports[path])
	})
	var err error
	if u.Pkg, err = conf.Check(p.ImportPath, u.Fset, u.Files, u.Info); err != nil {
		return nil, err
	}
	u.root = inspector.New(u.Files).Root()
	return u, nil
}

// leaveFree notes the names that tests and files for other systems declare in the package, or call an import: a change
// that takes one of them compiles here, and neither there nor in the tests.
func (u *Unit) leaveFree(dir string) error {
	files, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range files {
		file := filepath.Join(dir, entry.Name())
		if _, ok := u.Source[file]; ok || filepath.Ext(file) != ".go" || len(u.Files) == 0 {
			continue
		}
		// What of a broken file can be read counts as well.
		f, _ := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if f == nil || f.Name.Name != u.Files[0].Name.Name {
			continue
		}
		for _, imp := range f.Imports {
			if path, err := strconv.Unquote(imp.Path.Value); imp.Name == nil && err == nil {
				u.names[lastName(path)] = true
			} else if imp.Name != nil {
				u.names[imp.Name.Name] = true
			}
		}
		for _, d := range f.Decls {
			u.declares(d)
		}
	}
	return nil
}

func (u *Unit) declares(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			u.names[d.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				u.names[s.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range s.Names {
					u.names[name.Name] = true
				}
			}
		}
	}
}

func where(pos string) string {
	if pos == "" {
		return ""
	}
	return pos + ": "
}
