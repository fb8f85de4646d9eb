package setup

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// inside proposes a watch in the service. The requests of a web server are measured where the main package gives
// package net/http a handler; profiles are served with those of the CPU from the watch, which has the process's only
// profiler.
func (s *Survey) inside(c *Change, p *Program, version string) error {
	if p.Watched != nil {
		c.Text = p.is() + "it watches itself: " + p.Watched.String()
		return nil
	}
	c.Get = rootPath + "@" + version
	w := wrapper{web: p.Kind == Web, mux: p.muxServes()}
	if err := w.wrap(p.Dir, c.files); err != nil {
		return err
	}
	own := w.hand+w.profiles+w.apart == 0 // no server of profiles is at hand, so that the change brings one
	watch := watchFile{Service: lastName(p.Package), Web: w.web, Own: own, Mux: w.profiles+w.apart > 0,
		Apart: w.apart > 0}
	text, err := watch.source()
	if err != nil {
		return err
	}
	if own {
		if err := s.change(c, p, p.pprofServer(s.port(p), cpuParameter)); err != nil {
			return err
		}
	}
	if err := s.change(c, p, addition{"casebook.go", text, "defer startCasebook()()", watch.declares()}); err != nil {
		return err
	}
	c.Text, c.Hints = p.insideText(own), p.insideHints(&w)
	return nil
}

// muxHasProfiles reports whether profiles are served because http.DefaultServeMux is.
func (p *Program) muxHasProfiles() bool {
	return p.defaultMux != nil && slices.ContainsFunc(p.Pprof, func(use Pprof) bool {
		return strings.HasPrefix(use.How, pprofPath+", imported")
	})
}

// muxServes says what requests come for where http.DefaultServeMux is served.
func (p *Program) muxServes() string {
	switch {
	case !p.muxHasProfiles():
		return "requests.Handler"
	case p.appOnMux && p.Kind == Web:
		return "apart"
	}
	return "profiles"
}

func (p *Program) insideText(own bool) string {
	text := p.is() + "a watch from inside"
	if p.Kind == Web {
		text += ", with the requests that the service serves"
	}
	if own {
		text += "; and a server for net/http/pprof on this machine alone"
	}
	return text
}

// insideHints are what the change leaves to a person.
func (p *Program) insideHints(w *wrapper) (hints []string) {
	if p.Kind == Web && w.requests+w.apart == 0 {
		hint := "no handler was found in the main package: give your router to requests.Handler before it is served"
		for _, l := range p.Listens {
			if filepath.Dir(l.Place.File) != filepath.Dir(p.Main.File) {
				hint += fmt.Sprintf("; one is served at %s", l.Place)
				break
			}
		}
		hints = append(hints, hint)
	}
	if len(p.Pprof) > 0 && w.hand+w.profiles+w.apart == 0 {
		hints = append(hints, "profiles are served outside of the main package, and /debug/pprof/profile there will answer "+
			"that the profiler is in use: ask the new server, or give that one the watch's ProfileHandler: "+served(p.Pprof))
	}
	return hints
}

// A wrapper rewrites the files of a main package: what package net/http serves there, and what serves profiles.
type wrapper struct {
	web                             bool
	mux                             string // the function around http.DefaultServeMux
	requests, profiles, apart, hand int    // how many were found of each
}

// An edit puts text before and behind a piece of a file, or in its place.
type edit struct {
	from, to      int
	before, after string
	whole         bool // before takes the place of the piece
}

// wrap rewrites the files of a folder that have something to be rewritten, into files.
func (w *wrapper) wrap(dir string, files map[string][]byte) error {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		old, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "", old, parser.SkipObjectResolution)
		if err != nil {
			continue // the survey says so
		}
		if edits := w.find(fset, f); len(edits) > 0 {
			files[name] = apply(old, edits)
		}
	}
	return nil
}

func apply(text []byte, edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(b.from, a.from) }) // from the end
	next := bytes.Clone(text)
	for _, e := range edits {
		piece := next[e.from:e.to]
		if e.whole {
			piece = nil
		}
		next = slices.Concat(next[:e.from], []byte(e.before), piece, []byte(e.after), next[e.to:])
	}
	return next
}

// find lists the edits of a file.
func (w *wrapper) find(fset *token.FileSet, f *ast.File) (edits []edit) {
	names, offset := imports(f), func(p token.Pos) int { return fset.Position(p).Offset }
	forProfiles, assigned := routers(f, names), false
	handler := func(h ast.Expr) {
		if around := w.around(h, names, forProfiles); around != "" {
			edits = append(edits, edit{from: offset(h.Pos()), to: offset(h.End()), before: around + "(", after: ")"})
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			assigned = assigned || slices.ContainsFunc(a.Lhs, isHandlerField)
		}
		return true
	})
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := selected(n.Fun, names, "net/http")
			if slices.Contains([]string{"ListenAndServe", "ListenAndServeTLS", "Serve", "ServeTLS"}, name) && len(n.Args) >= 2 {
				handler(handlerOf(name, n))
			}
		case *ast.CompositeLit:
			if selected(n.Type, names, "net/http") != "Server" {
				return true
			}
			if h := field(n, "Handler"); h != nil {
				handler(h)
			} else if around := w.around(nil, names, forProfiles); around != "" && !assigned {
				at := offset(n.Lbrace) + 1
				edits = append(edits, edit{from: at, to: at, before: "Handler: " + around + "(nil), "})
			}
		case *ast.SelectorExpr:
			if selected(n, names, pprofPath) == "Profile" {
				w.hand++
				edits = append(edits, edit{from: offset(n.Pos()), to: offset(n.End()), before: "cpuProfile.ServeHTTP", whole: true})
			}
		}
		return true
	})
	return edits
}

// around is the function that is put around a handler, which is counted; "" leaves it alone: who asks for a profile
// waits as long as it takes, which is no request of the service's.
func (w *wrapper) around(h ast.Expr, names map[string]string, forProfiles map[string]bool) string {
	function := "requests.Handler"
	if isDefaultMux(h, names) {
		function = w.mux
	} else if id, ok := h.(*ast.Ident); ok && forProfiles[id.Name] {
		return ""
	}
	switch {
	case function == "profiles":
		w.profiles++
	case !w.web:
		return ""
	case function == "apart":
		w.apart++
	default:
		w.requests++
	}
	return function
}

// routers are the variables of a file that serve profiles, and nothing for the service's users.
func routers(f *ast.File, names map[string]string) map[string]bool {
	profiles, users := make(map[string]bool), make(map[string]bool)
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if !ok || names[x.Name] != "" {
			return true
		}
		if route := literal(call.Args[0]); routing(sel.Sel.Name) && isRoute(route) {
			profiles[x.Name] = profiles[x.Name] || strings.Contains(route, "pprof")
			users[x.Name] = users[x.Name] || !operational(route)
		}
		return true
	})
	for name := range users {
		if users[name] {
			delete(profiles, name)
		}
	}
	for name, is := range profiles {
		if !is {
			delete(profiles, name)
		}
	}
	return profiles
}
