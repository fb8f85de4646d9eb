package setup

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A source is a package's syntax, and what was seen in it.
type source struct {
	fset       *token.FileSet
	files      []*ast.File
	names      map[string]bool // that it declares
	main       *Place
	watched    *Place
	measured   *Place
	benchmarks bool

	paths    []string // of its imports
	imported []Pprof  // of net/http/pprof: handlers at http.DefaultServeMux
	mounted  []Pprof  // where code names a handler for profiles
	listens  []Listen // by package net/http
	mux      *Place   // where http.DefaultServeMux is named
	routed   *Place   // where a path is that of profiles, whoever serves it
	routes   []string // literal paths
	atMux    []string // those at http.DefaultServeMux

	listening bool // it takes a port
	ports     bool // and serves there otherwise than by package net/http
	http      bool // it serves HTTP by package net/http
	assigned  bool // it gives a server its handler later
	runs      bool // it calls what a framework may listen in: Run, Start, Serve
	forever   bool // select {}
	signals   bool // it asks to be told of signals
	loops     bool // without an end, or by a ticker
}

const (
	repository     = "gocasebook/casebook" // this one, as GitHub names it
	rootPath       = "github.com/" + repository
	middlewarePath = rootPath + "/middleware"
	pprofPath      = "net/http/pprof"
)

// mounts are the functions that serve profiles, by the package that has them. Importing any of the packages serves
// none.
var mounts = map[string]struct {
	how   string
	names []string
}{
	pprofPath:                                   {pprofPath, []string{"Index", "Handler", "Profile"}},
	"github.com/gin-contrib/pprof":              {"gin-contrib/pprof", []string{"Register", "RouteRegister"}},
	"github.com/go-chi/chi/middleware":          {"chi's middleware.Profiler", []string{"Profiler"}},
	"github.com/labstack/echo-contrib/pprof":    {"echo-contrib/pprof", []string{"Register"}},
	"github.com/gofiber/fiber/middleware/pprof": {"fiber's pprof middleware", []string{"New"}},
}

// commanders are modules that make subcommands of a main function.
var commanders = []string{"github.com/spf13/cobra", "github.com/urfave/cli", "github.com/alecthomas/kong"}

// look notes what a file has.
func (s *Survey) look(src *source, f *ast.File) {
	names := imports(f)
	for _, spec := range f.Imports {
		if p, _ := strconv.Unquote(spec.Path.Value); p == pprofPath {
			src.imported = append(src.imported, Pprof{pprofPath + ", imported for http.DefaultServeMux", s.place(src, spec)})
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
		switch n := n.(type) {
		case *ast.CallExpr:
			s.call(src, names, n)
		case *ast.SelectorExpr:
			s.selector(src, names, n)
		case *ast.CompositeLit:
			if selected(n.Type, names, "net/http") == "Server" {
				src.http = true
				src.listens = append(src.listens, Listen{Place: *s.place(src, n), Address: literal(field(n, "Addr")),
					Default: isDefaultMux(field(n, "Handler"), names)})
			}
		case *ast.AssignStmt:
			src.assigned = src.assigned || slices.ContainsFunc(n.Lhs, isHandlerField)
		case *ast.SelectStmt:
			src.forever = src.forever || len(n.Body.List) == 0
		case *ast.ForStmt:
			src.loops = src.loops || n.Cond == nil && n.Init == nil
		}
		return true
	})
}

// imports are a file's: the names that it uses, and the paths that they stand for, without a major version.
func imports(f *ast.File) map[string]string {
	names := make(map[string]string)
	for _, spec := range f.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		name := lastName(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}

// unversioned is an import path without the major version in it.
func unversioned(p string) string {
	parts := strings.Split(p, "/")
	parts = slices.DeleteFunc(parts, func(part string) bool {
		return len(part) > 1 && part[0] == 'v' && strings.Trim(part[1:], "0123456789") == ""
	})
	return strings.Join(parts, "/")
}

// selector notes what a file names, called or given to a router.
func (s *Survey) selector(src *source, names map[string]string, n *ast.SelectorExpr) {
	x, ok := n.X.(*ast.Ident)
	if !ok {
		return
	}
	p := names[x.Name]
	if p == "net/http" && n.Sel.Name == "DefaultServeMux" {
		src.mux = s.place(src, n)
	}
	if m, ok := mounts[unversioned(p)]; ok && slices.Contains(m.names, n.Sel.Name) {
		at := s.place(src, n)
		again := func(p Pprof) bool { return p.How == m.how && p.Place.File == at.File }
		if !slices.ContainsFunc(src.mounted, again) {
			src.mounted = append(src.mounted, Pprof{m.how, at})
		}
	}
}

// asides are folders of programs that nobody operates.
var asides = map[string]bool{"example": true, "examples": true, "_examples": true, "hack": true, "tools": true, "tool": true,
	"scripts": true, "script": true, "testdata": true, "test": true, "tests": true, "benchmarks": true, "plugin": true,
	"plugins": true}

func (s *Survey) call(src *source, names map[string]string, call *ast.CallExpr) {
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	name, p := sel.Sel.Name, ""
	if x, ok := sel.X.(*ast.Ident); ok {
		p = names[x.Name]
	}
	if len(call.Args) > 0 {
		if route := literal(call.Args[0]); routing(name) && isRoute(route) {
			src.routes = append(src.routes, route)
			if strings.Contains(route, "/debug/pprof") {
				src.routed = s.place(src, call)
			}
			if p == "net/http" {
				src.atMux = append(src.atMux, route)
			}
		}
	}
	src.runs = src.runs || begins(name, "Run", "Start", "Serve", "Listen", "NewServer")
	if listens(p, name) {
		src.listening, src.ports = true, src.ports || p == "net" || p == "crypto/tls"
	}
	at := s.place(src, call)
	switch {
	case p == rootPath && (name == "Start" || name == "New"):
		src.watched = at
	case p == middlewarePath && name == "New":
		src.measured = at
	case p == "net/http" && begins(name, "ListenAndServe", "Serve") && name != "ServeContent" && name != "ServeFile" &&
		name != "ServeFileFS" && len(call.Args) >= 2:
		src.http, src.listening = true, true
		src.listens = append(src.listens, Listen{Place: *at, Address: literal(call.Args[0]),
			Default: isDefaultMux(handlerOf(name, call), names), called: true})
	case p == "os/signal" && begins(name, "Notify"):
		src.signals = true
	case p == "time" && (name == "NewTicker" || name == "Tick"):
		src.loops = true
	}
}

// handlerOf is the argument of a function of net/http that is served.
func handlerOf(name string, call *ast.CallExpr) ast.Expr {
	if begins(name, "Serve") {
		return call.Args[1]
	}
	return call.Args[len(call.Args)-1]
}

// routing reports a method that a router is told a path by.
func routing(name string) bool {
	return slices.Contains([]string{"Handle", "HandleFunc", "Handler", "HandlerFunc", "Method", "Mount", "Route", "Group", "Any",
		"All", "Get", "Post", "Put", "Patch", "Delete", "GET", "POST", "PUT", "PATCH", "DELETE", "Path", "PathPrefix"}, name)
}

// isRoute reports a path, or one behind a method: "GET /items".
func isRoute(text string) bool {
	_, path, ok := strings.Cut(text, " ")
	return strings.HasPrefix(text, "/") || ok && strings.HasPrefix(path, "/")
}

// operational reports a path that those ask who operate a program, and its users do not.
func operational(route string) bool {
	_, route, _ = strings.Cut(route, "/") // "GET /healthz"
	first, _, _ := strings.Cut(strings.ToLower(route), "/")
	return begins(first, "metrics", "health", "ready", "live", "debug", "ping", "status", "version", "-", "varz", "expvar") &&
		first != ""
}

func begins(name string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// listens reports a call that takes a port: of a package of the standard library, or a method of something.
func listens(p, name string) bool {
	switch p {
	case "net", "crypto/tls", "net/http":
		return begins(name, "Listen")
	case "":
		return begins(name, "Listen") && !begins(name, "Listener")
	}
	return false
}

// An other is a package outside of the module.
type other struct {
	listed
	known, listens bool
}

// listensItself reports whether a package's own code takes a port, as those of frameworks for HTTP do: its syntax says
// so.
func (s *Survey) listensItself(p string) bool {
	o := s.others[p]
	if o == nil || o.Module == nil { // the standard library's takes what it is told by
		return false
	}
	if !o.known {
		o.known = true
		o.listens = slices.ContainsFunc(o.GoFiles, func(name string) bool {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(o.Dir, name), nil, parser.SkipObjectResolution)
			return err == nil && takesPort(f)
		})
	}
	return o.listens
}

func takesPort(f *ast.File) (found bool) {
	names := imports(f)
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
				x, _ := sel.X.(*ast.Ident)
				found = x != nil && names[x.Name] != "" && listens(names[x.Name], sel.Sel.Name) ||
					begins(sel.Sel.Name, "ListenAndServe")
			}
		}
		return !found
	})
	return found
}

// field is the value of a field in a composite literal; nil if it has none.
func field(lit *ast.CompositeLit, name string) ast.Expr {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == name {
				return kv.Value
			}
		}
	}
	return nil
}

func isHandlerField(e ast.Expr) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Handler"
}

func literal(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		text, _ := strconv.Unquote(lit.Value)
		return text
	}
	return ""
}

// isDefaultMux reports a handler for which package net/http takes http.DefaultServeMux: none is one.
func isDefaultMux(e ast.Expr, names map[string]string) bool {
	if id, ok := e.(*ast.Ident); ok {
		return id.Name == "nil"
	}
	return e == nil || selected(e, names, "net/http") == "DefaultServeMux"
}

// selected is the name that is selected of a package in an expression.
func selected(e ast.Expr, names map[string]string, pkg string) string {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if x, ok := sel.X.(*ast.Ident); !ok || names[x.Name] != pkg {
		return ""
	}
	return sel.Sel.Name
}

// program puts together what a main package and the packages of the module that it uses show.
func (s *Survey) program(p *listed, files map[string]*source) (Program, bool) {
	src := files[p.ImportPath]
	if src.main == nil {
		return Program{}, false
	}
	out := Program{Package: p.ImportPath, Dir: p.Dir, Main: *src.main, names: src.names}
	var all source
	for _, dep := range append([]string{p.ImportPath}, p.Deps...) {
		if used := files[dep]; used != nil {
			all.add(used)
			if used.watched != nil {
				out.Watched = used.watched
			}
			if used.measured != nil {
				out.Measured = used.measured
			}
			frameworks := slices.ContainsFunc(used.paths, s.listensItself)
			all.listening = all.listening || used.runs && frameworks
		}
		if i := slices.Index(commanders, unversioned(dep)); i >= 0 {
			out.commands = commanders[i]
		}
	}
	out.Example = slices.ContainsFunc(strings.Split(s.within(p.Dir), "/"), func(part string) bool { return asides[part] })
	out.Listens, out.Serves, out.Kind = all.listens, all.listening, all.kind()
	out.appOnMux = slices.ContainsFunc(all.atMux, func(route string) bool { return !operational(route) })
	out.defaultMux = all.mux
	for i := range all.listens {
		if all.listens[i].Default {
			out.defaultMux = &all.listens[i].Place
		}
	}
	s.profiles(&out, p, &all)
	return out, true
}

// profiles tells where a program serves profiles from where it only imports net/http/pprof.
func (s *Survey) profiles(out *Program, p *listed, all *source) {
	imported := all.imported
	if len(imported) == 0 && slices.Contains(p.Deps, pprofPath) {
		imported = []Pprof{{How: pprofPath + ", imported by " + s.importer(p)}}
	}
	out.Pprof = all.mounted
	switch {
	case out.defaultMux != nil:
		out.Pprof = append(out.Pprof, imported...)
	case len(out.Pprof) == 0 && all.routed == nil:
		out.Unserved = imported
	}
	if len(out.Pprof) == 0 && all.routed != nil {
		out.Pprof = []Pprof{{"a handler of its own at /debug/pprof/", all.routed}}
	}
}

// importer is the dependency that imports net/http/pprof.
func (s *Survey) importer(p *listed) string {
	for _, dep := range p.Deps {
		if o := s.others[dep]; o != nil && slices.Contains(o.Imports, pprofPath) {
			return dep
		}
	}
	return "a dependency"
}

// add puts together what two packages show.
func (s *source) add(more *source) {
	s.imported, s.mounted = append(s.imported, more.imported...), append(s.mounted, more.mounted...)
	for _, l := range more.listens {
		l.Default = l.Default && (!more.assigned || l.called) // srv.Handler = mux comes later
		s.listens = append(s.listens, l)
	}
	s.routes, s.atMux = append(s.routes, more.routes...), append(s.atMux, more.atMux...)
	s.mux, s.routed = cmp.Or(more.mux, s.mux), cmp.Or(more.routed, s.routed)
	s.listening, s.ports, s.http = s.listening || more.listening, s.ports || more.ports, s.http || more.http
	s.forever, s.signals, s.loops = s.forever || more.forever, s.signals || more.signals, s.loops || more.loops
}

// kind is what the code of a program makes of it. A worker that serves its metrics is a worker.
func (s *source) kind() Kind {
	users := slices.ContainsFunc(s.routes, func(route string) bool { return !operational(route) })
	worker := s.forever || s.signals && s.loops
	switch {
	case s.listening && (users || s.http && len(s.routes) == 0):
		return Web
	case s.listening && (s.ports || len(s.routes) == 0):
		return Server
	case s.listening || worker:
		return Worker
	}
	return ""
}
