// Package setup looks at a service's source and proposes how Casebook gets at it: the change that serves profiles, or
// the one that watches from inside, and a gate for its benchmarks in CI.
//
// The problem: between a Go service and its first diagnosis stand a few questions that its engineers answer from
// memory: does it serve net/http/pprof, at which address, is that open to the network, what would watching from inside
// need? All of them can be read.
//
// The approach: the go command lists the main packages and what they import; the syntax of the module's own packages
// shows where profiles are served, what listens and which handlers there are. A change is a new file beside main and
// one line in it, so that it can be read in a moment and taken back as easily. It is compiled before it is shown.
//
// Importing net/http/pprof serves nothing: it registers at http.DefaultServeMux. Profiles are served where that is
// served, or where the code names a handler for them (serving.go). What kind of program it is decides what is proposed:
// a server of HTTP has its requests measured, a worker has none.
//
// The limits: an address that is not a literal is not known. Handlers are found where package net/http is given them by
// the main package; those of routers and frameworks that listen themselves are named, not changed. Types are not known:
// a method Listen of anything is a server's.
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

	others map[string]*other // packages outside of the module, by import path
}

// A Program is a main package.
type Program struct {
	Package  string   `json:"package"` // its import path
	Dir      string   `json:"dir"`
	Main     Place    `json:"main"` // the function
	Kind     Kind     `json:"kind,omitempty"`
	Pprof    []Pprof  `json:"pprof,omitempty"`    // where profiles are served
	Unserved []Pprof  `json:"unserved,omitempty"` // where net/http/pprof is imported and nothing serves it
	Listens  []Listen `json:"listens,omitempty"`
	Watched  *Place   `json:"watched,omitempty"`  // where package casebook is started
	Measured *Place   `json:"measured,omitempty"` // where package middleware is used
	// Serves is true if the module's own code listens for the program, so that it is a service and not a tool.
	Serves bool `json:"serves"`
	// Example is true if it is in a folder of examples, tools or scripts.
	Example bool `json:"example,omitempty"`

	names      map[string]bool // that its package declares
	defaultMux *Place          // where http.DefaultServeMux is served; nil if it is not
	appOnMux   bool            // that has routes of the service's own
	commands   string          // the module that makes subcommands of main, if one does
}

// A Kind is what a program is to those who operate it.
type Kind string

// Kinds. What is none of them is a tool, or listens and loops where nobody sees it.
const (
	Web    Kind = "web"    // it serves HTTP
	Server Kind = "server" // it listens, and not for HTTP
	Worker Kind = "worker" // it runs until it is stopped, and serves nobody, or only those who operate it
)

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

	called bool // by a function, not by a server's value
}

// Services are the programs that somebody operates, as far as the source shows: those that listen
// or work until they are stopped, otherwise the only one.
func (s *Survey) Services() (services []*Program) {
	var others []*Program
	for i := range s.Programs {
		switch p := &s.Programs[i]; {
		case p.Example:
		case p.Serves, p.Kind == Worker:
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
	found, err := list(ctx, dir, "-e", "-deps", "./...")
	if err != nil {
		return nil, fmt.Errorf("listing the packages of %s: %w; run casebook init in the folder of a Go module", dir, err)
	}
	s := &Survey{others: make(map[string]*other)}
	var all []listed
	for _, p := range found {
		switch {
		case p.Module == nil || !p.Module.Main: // of the standard library, and dependencies: one that is not there is no news
			s.others[p.ImportPath] = &other{listed: p}
		case p.Error != nil:
			s.Left = append(s.Left, p.ImportPath+": "+firstLine(p.Error.Err))
		default:
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
			s.Benchmarks = append(s.Benchmarks, s.pattern(all[i].Dir))
		}
	}
	for i := range all {
		if all[i].Name != "main" || strings.Contains(all[i].Dir, string(filepath.Separator)+"testdata"+string(filepath.Separator)) {
			continue
		}
		if p, ok := s.program(&all[i], files); ok {
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

// pattern is a package of the module as the go command names it.
func (s *Survey) pattern(dir string) string {
	if in := s.within(dir); in != "." {
		return "./" + in
	}
	return "."
}

func (s *Survey) parse(p *listed) *source {
	src := &source{fset: token.NewFileSet(), names: make(map[string]bool), paths: p.Imports}
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
