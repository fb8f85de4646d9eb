package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/astutil"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/flow"
	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/casefile"
)

// A unit is a package.
type unit struct {
	dir     string
	fset    *token.FileSet
	files   []*ast.File
	info    *types.Info // of partly checked code, too
	pkg     *types.Package
	sizes   types.Sizes
	partial string // why types are not all known; "" if they are
	module  string // of which it is, with its version; "" of the program's own

	decls   map[types.Object]*ast.FuncDecl
	results map[types.Object][]result // where variables get results of calls
	reports map[*analysis.Analyzer][]analysis.Diagnostic
	nodes   *inspector.Inspector // for reports
	flow    *flow.Package        // what it is for package flow, once that was asked
}

func (u *unit) index() {
	u.decls = make(map[types.Object]*ast.FuncDecl)
	for d := range u.functions() {
		if obj := u.info.Defs[d.Name]; obj != nil {
			u.decls[obj] = d
		}
	}
	u.indexResults()
}

// functions yields the functions and methods that have a body.
func (u *unit) functions() func(yield func(*ast.FuncDecl) bool) {
	return func(yield func(*ast.FuncDecl) bool) {
		for _, f := range u.files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && !yield(d) {
					return
				}
			}
		}
	}
}

// A place is a line of a function.
type place struct {
	*unit
	frame casefile.Frame
	file  *ast.File
	decl  *ast.FuncDecl  // around it
	fn    ast.Node       // the innermost function around it: decl, or a literal
	body  *ast.BlockStmt // of fn
	away  bool           // the finding's first place is in another file, which its sentences name no more
}

// place finds the function of a frame. Another function on its line means that the file is another.
func (u *unit) place(file *ast.File, f casefile.Frame) *place {
	for _, d := range file.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Body == nil || !u.spans(d, f.Line) || !syntax.Names(f.Function, d.Name.Name) {
			continue
		}
		p := &place{unit: u, frame: f, file: file, decl: d, fn: d, body: d.Body}
		for _, lit := range find(d.Body, func(lit *ast.FuncLit) bool { return u.spans(lit, f.Line) }) {
			if begin := u.line(lit.Pos()); begin == f.Line && u.line(lit.End()) == f.Line || begin < f.Line {
				p.fn, p.body = lit, lit.Body
			}
		}
		return p
	}
	return nil
}

// whole is a function as a place.
func (u *unit) whole(d *ast.FuncDecl) *place { return &place{unit: u, decl: d, fn: d, body: d.Body} }

// receiver is the name of the type that the place's function is a method of; "" for none.
func (p *place) receiver() string {
	if p.decl.Recv == nil {
		return ""
	}
	return typeName(p.info.TypeOf(p.decl.Recv.List[0].Type))
}

func (u *unit) line(p token.Pos) int { return u.fset.Position(p).Line }

func (u *unit) spans(n ast.Node, line int) bool {
	return u.line(n.Pos()) <= line && line <= u.line(n.End())
}

// find lists the nodes of a type below a node, itself included, in the order of the source.
func find[N ast.Node](root ast.Node, ok func(N) bool) (all []N) {
	ast.Inspect(root, func(n ast.Node) bool {
		if x, is := n.(N); is && (ok == nil || ok(x)) {
			all = append(all, x)
		}
		return true
	})
	return all
}

// within lists the nodes of a type that a function runs itself: not those in function literals.
func within[N ast.Node](root ast.Node, ok func(N) bool) (all []N) {
	ast.Inspect(root, func(n ast.Node) bool {
		if _, lit := n.(*ast.FuncLit); lit && n != root {
			return false
		}
		if x, is := n.(N); is && (ok == nil || ok(x)) {
			all = append(all, x)
		}
		return true
	})
	return all
}

// everywhere lists the nodes of a type in the package.
func everywhere[N ast.Node](u *unit, ok func(N) bool) (all []N) {
	for _, f := range u.files {
		all = append(all, find(f, ok)...)
	}
	return all
}

// onLine lists the nodes of a type that begin on the place's line in its function, or of which a statement there
// goes on over more lines.
func onLine[N ast.Node](p *place) []N {
	return find(p.body, func(n N) bool { return p.line(n.Pos()) == p.frame.Line })
}

// outward are a node and those around it, the innermost first.
func (u *unit) outward(n ast.Node) []ast.Node {
	for _, f := range u.files {
		if f.FileStart <= n.Pos() && n.Pos() < f.FileEnd {
			path, _ := astutil.PathEnclosingInterval(f, n.Pos(), n.End())
			i := slices.Index(path, n)
			return path[max(i, 0):]
		}
	}
	return nil
}

// function is the innermost function around a node: a declaration or a literal.
func (u *unit) function(n ast.Node) ast.Node {
	for _, up := range u.outward(n)[1:] {
		switch up.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return up
		}
	}
	return nil
}

// declared is the function declaration around a node.
func (u *unit) declared(n ast.Node) *ast.FuncDecl {
	for _, up := range u.outward(n) {
		if d, ok := up.(*ast.FuncDecl); ok {
			return d
		}
	}
	return nil
}

// A callee is the function that a call names.
type callee struct {
	fn   *types.Func // nil where types do not say
	path string      // of its package
	recv string      // the type of a method, without its package
	name string
}

// callee finds out whom a call calls. Without types a package's function is known by its import, and a method by its
// name only.
func (u *unit) callee(call *ast.CallExpr) callee {
	if fn, ok := typeutil.Callee(u.info, call).(*types.Func); ok {
		c := callee{fn: fn.Origin(), name: fn.Name()}
		if fn.Pkg() != nil {
			c.path = fn.Pkg().Path()
		}
		if r := fn.Signature().Recv(); r != nil {
			c.recv = typeName(r.Type())
		}
		return c
	}
	switch fun := syntax.Unpack(call.Fun).(type) {
	case *ast.Ident:
		return callee{name: fun.Name}
	case *ast.SelectorExpr:
		c := callee{name: fun.Sel.Name}
		if x, ok := fun.X.(*ast.Ident); ok {
			if p, ok := u.info.Uses[x].(*types.PkgName); ok {
				c.path = p.Imported().Path()
			}
		}
		return c
	}
	return callee{}
}

func typeName(t types.Type) string {
	if n, ok := types.Unalias(syntax.Deref(t)).(*types.Named); ok {
		return n.Obj().Name()
	}
	return ""
}

// is reports whether it is one of these functions of a package.
func (c callee) is(path string, names ...string) bool {
	return c.path == path && c.recv == "" && slices.Contains(names, c.name)
}

// method reports whether it is one of these methods of a type.
func (c callee) method(path, recv string, names ...string) bool {
	return c.path == path && c.recv == recv && slices.Contains(names, c.name)
}

// builtin is the name of the builtin that is called, or "".
func (u *unit) builtin(call *ast.CallExpr) string {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return ""
	}
	if _, ok := u.info.Uses[id].(*types.Builtin); ok {
		return id.Name
	}
	return ""
}

// bodies are the functions of this package that a call may run: the one that it names, or those that an interface of
// this package stands for.
func (u *unit) bodies(call *ast.CallExpr) []*ast.FuncDecl {
	c := u.callee(call)
	if c.fn == nil {
		return nil
	}
	if d := u.decls[c.fn]; d != nil {
		return []*ast.FuncDecl{d}
	}
	r := c.fn.Signature().Recv()
	if r == nil || c.fn.Pkg() != u.pkg {
		return nil
	}
	face, ok := r.Type().Underlying().(*types.Interface)
	if !ok {
		return nil
	}
	var out []*ast.FuncDecl
	for d := range u.functions() {
		fn, ok := u.info.Defs[d.Name].(*types.Func)
		if ok && fn.Name() == c.name && fn.Signature().Recv() != nil &&
			types.Implements(fn.Signature().Recv().Type(), face) {
			out = append(out, d)
		}
	}
	return out
}

// object is the variable, field or parameter that an expression names: x, s.x, (*s).x; nil for others.
func (u *unit) object(e ast.Expr) types.Object { return syntax.Object(u.info, e) }

// valuesOf are the expressions that a variable or field is given anywhere in the package.
func (u *unit) valuesOf(obj types.Object) []ast.Expr { return syntax.Values(u.info, u.files, obj) }

// local reports whether an object lives in a function only.
func (u *unit) local(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && !v.IsField() && u.pkg != nil && v.Parent() != u.pkg.Scope()
}

// typeOf is the type of an expression; nil where it is not known.
func (u *unit) typeOf(e ast.Expr) types.Type {
	if t := u.info.TypeOf(e); t != nil && t != types.Typ[types.Invalid] {
		return t
	}
	return nil
}

// ofType reports whether an expression is of a package's type, or points to it.
func (u *unit) ofType(e ast.Expr, path, name string) bool {
	return syntax.IsNamed(u.typeOf(e), path, name)
}

// maxText is how many characters of an expression are shown.
const maxText = 40

// text is an expression as a person needs it.
func text(e ast.Expr) string {
	s := []rune(types.ExprString(e))
	if len(s) > maxText {
		s = append(s[:maxText], '…')
	}
	return string(s)
}

// An inquiry is a finding with the places of it that are in the source.
type inquiry struct {
	finding *casefile.Finding
	places  []*place           // not empty
	others  []casefile.Finding // of the same diagnosis
	module  string             // of the program
	waits   []casefile.Frame   // where requests wait for an answer
	crowds  []facts.Crowd      // the program's goroutines

	grows, level bool // what is held at the first place, where facts tell

	stack    []*place             // by which most was made of what is held at the first place, the first here, too
	having   func(string) []*unit // of the program, in which a name is written
	packages func() []*unit       // those of the places and of that stack, and those of the program that they import
	goes     func() *flow.Flow    // where goes what the first place makes
}

func (q *inquiry) first() *place { return q.places[0] }

// An answer is what a question read.
type answer struct {
	verdict string
	text    string
	unit    *unit
	at      []token.Pos
	change  *change          // nil: the code does not say what is to be written
	refutes string           // what remedies need (casefile.Remedy.Needs), and is not so; "" for nothing
	instead *casefile.Remedy // in place of which the change comes; nil for none
	title   string           // what a finding is called that it makes; "" for the name of its kind
}

// settled is the answer as the finding has it. Its files are named as the finding's are, by the first of its places.
func (a answer) settled(q *inquiry) casefile.Settled {
	out := casefile.Settled{Verdict: a.verdict, Text: a.text}
	for _, at := range a.at {
		if !at.IsValid() {
			continue
		}
		line := casefile.SourceLine{File: q.fileOf(a.unit, at), Line: a.unit.line(at)}
		if !slices.Contains(out.Lines, line) {
			out.Lines = append(out.Lines, line)
		}
	}
	return out
}

// fileOf names a file as the files of the finding's places are named.
func (q *inquiry) fileOf(u *unit, at token.Pos) string {
	near, name := q.near(u), filepath.ToSlash(u.fset.Position(at).Filename)
	there := strings.ReplaceAll(near.frame.File, `\`, "/")
	if near.unit == u {
		return path.Join(path.Dir(there), path.Base(name))
	}
	here := filepath.ToSlash(near.fset.File(near.file.FileStart).Name())
	for path.Base(here) == path.Base(there) && path.Dir(here) != here {
		here, there = path.Dir(here), path.Dir(there)
	}
	return path.Join(there, strings.TrimPrefix(name, here))
}

// ref is a line as a text names it: ":41" in the file of the place, if it is one of the finding's, "token.go:41" in
// another.
func (p *place) ref(at token.Pos) string {
	pos := p.fset.Position(at)
	if p.file != nil && !p.away && pos.Filename == p.fset.File(p.file.FileStart).Name() {
		return fmt.Sprintf(":%d", pos.Line)
	}
	return fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line)
}

func (p *place) confirms(text string, at ...token.Pos) []answer {
	return []answer{{verdict: casefile.Confirms, text: text, unit: p.unit, at: at}}
}

func (p *place) contradicts(text string, at ...token.Pos) []answer {
	return []answer{{verdict: casefile.Contradicts, text: text, unit: p.unit, at: at}}
}

func (p *place) adds(text string, at ...token.Pos) []answer {
	return []answer{{verdict: casefile.Adds, text: text, unit: p.unit, at: at}}
}
