// Package setup looks at a service's source and proposes how Casebook gets at it: the change that serves profiles, or
// the one that watches from inside, and a gate for its benchmarks in CI.
//
// The problem: between a Go service and its first diagnosis stand a few questions that its engineers answer from memory:
// does it serve net/http/pprof, at which address, is that open to the network, what would watching from inside need?
// All of them can be read.
//
// The approach: the go command lists the main packages and what they import; the syntax of the module's own packages
// shows where profiles are served, what listens and which handlers there are. A change is a new file beside main and one
// line in it, so that it can be read in a moment and taken back as easily. It is compiled before it is shown.
//
// The limits: an address that is not a literal is not known. Handlers are found where package net/http is given them by
// the main package; those of routers and frameworks that listen themselves are named, not changed.
package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/tool"
)

// A Survey is what the source of a module says.
type Survey struct {
	Module     string    `json:"module"`
	Dir        string    `json:"dir"` // the module's
	Programs   []Program `json:"programs"`
	Benchmarks []string  `json:"benchmarks,omitempty"` // packages that have some, as the go command names them
	CI         []string  `json:"ci,omitempty"`         // "github", "gitlab"
	Left       []string  `json:"left,omitempty"`       // what could not be read, and why
}

// A Program is a main package.
type Program struct {
	Package  string   `json:"package"` // its import path
	Dir      string   `json:"dir"`
	Main     Place    `json:"main"` // the function
	Pprof    []Pprof  `json:"pprof,omitempty"`
	Listens  []Listen `json:"listens,omitempty"`
	Watched  *Place   `json:"watched,omitempty"`  // where package casebook is started
	Measured *Place   `json:"measured,omitempty"` // where package middleware is used
	// Serves is true if the module's own code listens for the program, so that it is a service and not a tool.
	Serves bool `json:"serves"`
	// Example is true if it is in a folder of examples, tools or scripts.
	Example bool `json:"example,omitempty"`

	names map[string]bool // that its package declares
}

// A Place is a line of a file.
type Place struct {
	File string `json:"file"` // below the module's folder
	Line int    `json:"line"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// A Pprof is one way in which profiles are served.
type Pprof struct {
	How   string `json:"how"`
	Place *Place `json:"place,omitempty"` // nil in a dependency
}

// A Listen is a call that serves HTTP.
type Listen struct {
	Place   Place  `json:"place"`
	Address string `json:"address,omitempty"` // where it is a literal
	Default bool   `json:"default,omitempty"` // it serves http.DefaultServeMux, where importing net/http/pprof puts profiles
}

// Services are the programs that somebody operates, as far as the source shows: those that listen, otherwise the only one.
func (s *Survey) Services() (services []*Program) {
	var others []*Program
	for i := range s.Programs {
		switch p := &s.Programs[i]; {
		case p.Example:
		case p.Serves:
			services = append(services, p)
		default:
			others = append(others, p)
		}
	}
	if len(services) == 0 && len(others) == 1 {
		return others
	}
	return services
}

// listed is what of a package the go command says.
type listed struct {
	ImportPath   string
	Name         string
	Dir          string
	GoFiles      []string
	CgoFiles     []string
	TestGoFiles  []string
	XTestGoFiles []string
	Imports      []string
	Deps         []string
	Module       *struct {
		Path, Dir string
		Main      bool
	}
	Error *struct{ Err string }
}

// Look reads the module that a folder is in.
func Look(ctx context.Context, dir string) (*Survey, error) {
	own, err := list(ctx, dir, "-e", "./...")
	if err != nil {
		return nil, fmt.Errorf("listing the packages of %s: %w; run casebook init in the folder of a Go module", dir, err)
	}
	s := &Survey{}
	var all []listed
	for _, p := range own {
		switch {
		case p.Error != nil:
			s.Left = append(s.Left, p.ImportPath+": "+firstLine(p.Error.Err))
		case p.Module != nil && p.Module.Main:
			s.Module, s.Dir = p.Module.Path, p.Module.Dir
			all = append(all, p)
		}
	}
	if s.Module == "" {
		return nil, fmt.Errorf("%s has no package of a Go module: run casebook init in a service's folder", dir)
	}
	files := make(map[string]*source) // of packages, by import path
	for i := range all {
		files[all[i].ImportPath] = s.parse(&all[i])
		if files[all[i].ImportPath].benchmarks {
			s.Benchmarks = append(s.Benchmarks, "./"+strings.TrimPrefix(s.within(all[i].Dir), "./"))
		}
	}
	for i := range all {
		if all[i].Name != "main" || strings.Contains(all[i].Dir, string(filepath.Separator)+"testdata"+string(filepath.Separator)) {
			continue
		}
		if p, ok := s.program(ctx, &all[i], files); ok {
			s.Programs = append(s.Programs, p)
		}
	}
	for name, path := range map[string]string{"github": ".github/workflows", "gitlab": ".gitlab-ci.yml"} {
		if _, err := os.Stat(filepath.Join(s.Dir, path)); err == nil {
			s.CI = append(s.CI, name)
		}
	}
	slices.Sort(s.CI)
	return s, nil
}

func list(ctx context.Context, dir string, args ...string) (out []listed, err error) {
	text, err := tool.Go{Dir: dir}.Output(ctx, "list", append([]string{"-json=ImportPath,Name,Dir,GoFiles,CgoFiles," +
		"TestGoFiles,XTestGoFiles,Imports,Deps,Module,Error"}, args...)...)
	if err != nil {
		return nil, err
	}
	for dec := json.NewDecoder(bytes.NewReader(text)); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("reading what go list says: %w", err)
		}
		out = append(out, p)
	}
}

func firstLine(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return text
}

// within is a path below the module's folder, with slashes.
func (s *Survey) within(path string) string {
	if rel, err := filepath.Rel(s.Dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(path)
}

// A source is a package's syntax, and what was seen in it.
type source struct {
	fset       *token.FileSet
	files      []*ast.File
	names      map[string]bool // that it declares
	pprof      []Pprof
	listens    []Listen
	main       *Place
	watched    *Place
	measured   *Place
	benchmarks bool
	serves     bool
}

func (s *Survey) parse(p *listed) *source {
	src := &source{fset: token.NewFileSet(), names: make(map[string]bool)}
	for _, name := range append(slices.Clone(p.GoFiles), p.CgoFiles...) {
		f, err := parser.ParseFile(src.fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			s.Left = append(s.Left, firstLine(err.Error()))
			continue
		}
		src.files = append(src.files, f)
		s.look(src, f)
	}
	for _, name := range append(slices.Clone(p.TestGoFiles), p.XTestGoFiles...) {
		if f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution); err == nil {
			src.benchmarks = src.benchmarks || slices.ContainsFunc(f.Decls, isBenchmark)
		}
	}
	return src
}

func isBenchmark(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	return ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Benchmark") && len(f.Type.Params.List) == 1
}

// pprofPackages are packages that serve profiles, and what one says of them.
var pprofPackages = map[string]string{
	"net/http/pprof":                               "net/http/pprof",
	"github.com/gin-contrib/pprof":                 "gin-contrib/pprof",
	"github.com/labstack/echo-contrib/pprof":       "echo-contrib/pprof",
	"github.com/gofiber/fiber/v2/middleware/pprof": "fiber's pprof middleware",
	"github.com/gofiber/fiber/v3/middleware/pprof": "fiber's pprof middleware",
	"github.com/go-chi/chi/v5/middleware":          "", // only if its Profiler is used
	"github.com/felixge/fgprof":                    "", // serves no index
}

const (
	repository     = "gocasebook/casebook" // this one, as GitHub names it
	rootPath       = "github.com/" + repository
	middlewarePath = rootPath + "/middleware"
)

// look notes what a file has.
func (s *Survey) look(src *source, f *ast.File) {
	names := make(map[string]string) // of imports in this file → path
	for _, spec := range f.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		name := lastName(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = path
		if how := pprofPackages[path]; how != "" {
			if name == "_" {
				how += ", imported for http.DefaultServeMux"
			}
			src.pprof = append(src.pprof, Pprof{how, s.place(src, spec)})
		}
	}
	for _, d := range f.Decls {
		for _, name := range declared(d) {
			src.names[name] = true
		}
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "main" && f.Name.Name == "main" {
			src.main = s.place(src, fn)
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			s.call(src, names, call)
		}
		return true
	})
}

// listening are functions and methods of net, net/http, gRPC and frameworks that only servers call.
var listening = map[string]bool{"Listen": true, "ListenTCP": true, "ListenPacket": true, "ListenUDP": true, "ListenUnix": true,
	"ListenTLS": true, "ListenAndServe": true, "ListenAndServeTLS": true, "ListenConfig": true, "NewServer": true,
	"RunTLS": true, "StartTLS": true}

// asides are folders of programs that nobody operates.
var asides = map[string]bool{"example": true, "examples": true, "_examples": true, "hack": true, "tools": true, "tool": true,
	"scripts": true, "script": true, "testdata": true, "test": true, "tests": true, "benchmarks": true, "plugin": true,
	"plugins": true}

func (s *Survey) call(src *source, names map[string]string, call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	src.serves = src.serves || listening[sel.Sel.Name]
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return
	}
	switch name := sel.Sel.Name; names[pkg.Name] {
	case rootPath:
		if name == "Start" || name == "New" {
			src.watched = s.place(src, call)
		}
	case middlewarePath:
		if name == "New" {
			src.measured = s.place(src, call)
		}
	case "github.com/go-chi/chi/v5/middleware":
		if name == "Profiler" {
			src.pprof = append(src.pprof, Pprof{"chi's middleware.Profiler", s.place(src, call)})
		}
	case "net/http":
		if strings.HasPrefix(name, "ListenAndServe") && len(call.Args) >= 2 {
			src.listens = append(src.listens, Listen{*s.place(src, call), literal(call.Args[0]),
				isDefaultMux(call.Args[len(call.Args)-1])})
		}
	}
}

func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		text, _ := strconv.Unquote(lit.Value)
		return text
	}
	return ""
}

func isDefaultMux(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name == "nil"
	case *ast.SelectorExpr:
		return e.Sel.Name == "DefaultServeMux"
	}
	return false
}

func declared(d ast.Decl) (names []string) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			names = append(names, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, n := range spec.Names {
					names = append(names, n.Name)
				}
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			}
		}
	}
	return names
}

// lastName is the name that a package of this path most likely has.
func lastName(path string) string {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) > 1 && last[0] == 'v' && strings.Trim(last[1:], "0123456789") == "" {
		last = parts[len(parts)-2]
	}
	return last
}

func (s *Survey) place(src *source, n ast.Node) *Place {
	at := src.fset.Position(n.Pos())
	return &Place{s.within(at.Filename), at.Line}
}

// program puts together what a main package and the packages of the module that it uses show.
func (s *Survey) program(ctx context.Context, p *listed, files map[string]*source) (Program, bool) {
	src := files[p.ImportPath]
	if src.main == nil {
		return Program{}, false
	}
	out := Program{Package: p.ImportPath, Dir: p.Dir, Main: *src.main, names: src.names}
	for _, path := range append([]string{p.ImportPath}, p.Deps...) {
		used := files[path]
		if used == nil {
			continue
		}
		out.Serves = out.Serves || used.serves
		out.Pprof, out.Listens = append(out.Pprof, used.pprof...), append(out.Listens, used.listens...)
		if used.watched != nil {
			out.Watched = used.watched
		}
		if used.measured != nil {
			out.Measured = used.measured
		}
	}
	out.Example = slices.ContainsFunc(strings.Split(s.within(p.Dir), "/"), func(part string) bool { return asides[part] })
	if len(out.Pprof) == 0 && slices.Contains(p.Deps, "net/http/pprof") {
		out.Pprof = append(out.Pprof, Pprof{How: "net/http/pprof, imported by " + s.importer(ctx, p)})
	}
	return out, true
}

// importer is the dependency that imports net/http/pprof.
func (s *Survey) importer(ctx context.Context, p *listed) string {
	deps, err := list(ctx, p.Dir, "-e", "-deps", ".")
	if err == nil {
		for _, d := range deps {
			if slices.Contains(d.Imports, "net/http/pprof") {
				return d.ImportPath
			}
		}
	}
	return "a dependency"
}
