package flow

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gocasebook/casebook/app/syntax"
)

// A Kind is what keeps something.
type Kind uint8

// The kinds.
const (
	Entry     Kind = iota // of a map, a slice, a list or a sync.Map that outlives the call
	Timer                 // of time.AfterFunc: its function, until it has run
	Context               // a child of another one, until it is cancelled
	Finalizer             // of runtime.SetFinalizer, with all that refers to each other
)

// A Keep is a place that puts what was made into what keeps it, or that puts anything into a container on that line.
type Keep struct {
	Kind
	Trace
	P    *Package
	Decl *ast.FuncDecl // around it
	At   ast.Node      // the statement, or the call
	Into ast.Expr      // the container; of a Context its parent, as far as the function shows
	Key  ast.Expr      // of the entry; nil without one
	Own  bool          // it is on the line itself
	key  any
}

// keep notes one.
func (f *Flow) keep(d *function, k Keep) {
	if !f.last {
		return
	}
	k.P, k.Decl = d.Package, d.decl
	if k.Kind == Entry {
		k.key = d.key(syntax.Object(d.Info, k.Into))
		k.Own = d == f.from && d.at(k.At) <= f.line && f.line <= d.Fset.Position(k.At.End()).Line
		if sel, ok := ast.Unparen(k.Into).(*ast.SelectorExpr); !d.outlives(k.key, k.At) ||
			ok && d.fresh(syntax.Object(d.Info, sel.X)) { // it goes with its owner, which the function makes
			return
		}
	}
	if k.Had > 0 || k.Own {
		f.Keeps = append(f.Keeps, k)
	}
}

// outlives reports whether a container lives on when the function that fills it has returned: it is a field, or of a
// package, or a variable of main's that a literal uses.
func (d *function) outlives(key any, at ast.Node) bool {
	switch key := key.(type) {
	case lasting:
		return true
	case *types.Var:
		lit := d.literal(at)
		return d.decl.Name.Name == "main" && lit != nil && (key.Pos() < lit.Pos() || lit.End() <= key.Pos())
	}
	return false
}

// literal is the innermost function literal around a node; nil without one.
func (d *function) literal(at ast.Node) (lit *ast.FuncLit) {
	ast.Inspect(d.decl.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() > at.Pos() || n.End() < at.End() {
			return false
		}
		if l, ok := n.(*ast.FuncLit); ok {
			lit = l
		}
		return true
	})
	return lit
}

// walk passes on what a function's statements pass on.
func (f *Flow) walk(d *function) {
	p, depth := d.Package, []ast.Node(nil)
	ast.Inspect(d.decl.Body, func(n ast.Node) bool {
		if n == nil {
			depth = depth[:len(depth)-1]
			return true
		}
		depth = append(depth, n)
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if n.Tok == token.ASSIGN || n.Tok == token.DEFINE {
					f.assign(d, n, ast.Unparen(lhs), f.value(p, n.Rhs, i, len(n.Lhs)))
				}
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				f.set(p.key(p.Info.Defs[name]), f.value(p, n.Values, i, len(n.Names)))
			}
		case *ast.CompositeLit:
			f.literal(p, n)
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil {
					f.set(p.key(syntax.Object(p.Info, e)), f.Of(p, n.X))
				}
			}
		case *ast.SendStmt:
			f.set(p.key(syntax.Object(p.Info, n.Chan)), f.Of(p, n.Value))
		case *ast.ReturnStmt:
			f.returns(d, n, depth)
		case *ast.CallExpr:
			f.call(d, n)
		}
		return true
	})
}

func (f *Flow) returns(d *function, s *ast.ReturnStmt, around []ast.Node) {
	for _, n := range around {
		if _, ok := n.(*ast.FuncLit); ok {
			return
		}
	}
	all := d.fn.Signature().Results()
	for i := range all.Len() {
		t := f.value(d.Package, s.Results, i, all.Len())
		if len(s.Results) == 0 {
			t = f.has[all.At(i)]
		}
		f.set(resultOf{d.fn.FullName(), i}, t)
	}
}

// value is what the i-th of n gets of some expressions: one for each, or one call for all.
func (f *Flow) value(p *Package, of []ast.Expr, i, n int) Trace {
	switch {
	case len(of) == n:
		return f.Of(p, of[i])
	case len(of) != 1:
		return Trace{}
	}
	call, ok := ast.Unparen(of[0]).(*ast.CallExpr)
	switch {
	case ok:
		if t := f.result(p, call, i); t.Cut != nil || !f.made[call] {
			return t
		}
		return Trace{Had: Whole}
	case i == 0: // v, ok
		return f.Of(p, of[0])
	}
	return Trace{}
}

// assign passes on what is assigned.
func (f *Flow) assign(d *function, a *ast.AssignStmt, lhs ast.Expr, t Trace) {
	p := d.Package
	if v := p.Info.TypeOf(lhs); v != nil && v != types.Typ[types.Invalid] && !mayHave(v) {
		t = Trace{}
	}
	o := syntax.Object(p.Info, lhs)
	switch x := lhs.(type) {
	case *ast.IndexExpr:
		o, t = syntax.Object(p.Info, x.X), t.or(f.Of(p, x.Index))
		if typ := p.Info.TypeOf(x.X); typ != nil {
			if _, ok := typ.Underlying().(*types.Map); ok {
				f.keep(d, Keep{At: a, Into: x.X, Key: x.Index, Trace: t})
			}
		}
	case *ast.SelectorExpr:
		if owner := syntax.Object(p.Info, x.X); owner != nil {
			of := t
			if call := appended(p, a, lhs); call != nil { // else each that is appended to has what is in one of them
				of = f.given(p, call, true)
			}
			of.Once = of.Once || !d.fresh(owner)
			f.set(p.key(owner), of)
		}
	case *ast.StarExpr: // of whoever has given the pointer
		t.Once = true
		if o != nil {
			f.set(p.typeKey(o), t)
		}
	}
	f.set(p.key(o), t)
	if call := appended(p, a, lhs); call != nil {
		f.keep(d, Keep{At: a, Into: lhs, Trace: f.given(p, call, false)})
	}
}

// appended is the call by which an assignment appends to what it assigns to.
func appended(p *Package, a *ast.AssignStmt, lhs ast.Expr) *ast.CallExpr {
	for i, e := range a.Rhs {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if ok && len(a.Lhs) == len(a.Rhs) && ast.Unparen(a.Lhs[i]) == lhs && len(call.Args) > 1 &&
			syntax.Builtin(p.Info, call) == "append" && types.ExprString(call.Args[0]) == types.ExprString(lhs) {
			return call
		}
	}
	return nil
}

// given is how what is appended has it, or the array that the call makes.
func (f *Flow) given(p *Package, call *ast.CallExpr, array bool) (t Trace) {
	if array && f.made[call] {
		t.Had = Whole
	}
	for _, e := range call.Args[1:] {
		t = t.or(f.Of(p, e))
	}
	return t
}

// fresh reports whether a variable of a function is only ever given what the function makes.
func (d *function) fresh(o types.Object) bool {
	if o == nil || o.Pos() < d.decl.Body.Pos() || d.decl.Body.End() <= o.Pos() {
		return false
	}
	for _, e := range syntax.Values(d.Info, d.Files, o) {
		if x, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
			e = x.X
		}
		_, lit := ast.Unparen(e).(*ast.CompositeLit)
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !lit && !(ok && syntax.Builtin(d.Info, call) == "new") {
			return false
		}
	}
	return true
}

// literal passes on what fields of a struct's literal are given.
func (f *Flow) literal(p *Package, lit *ast.CompositeLit) {
	t := p.Info.TypeOf(lit)
	if !isStruct(t) {
		return
	}
	s := t.Underlying().(*types.Struct)
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			f.set(p.key(syntax.Object(p.Info, kv.Key)), f.Of(p, kv.Value))
		} else if i < s.NumFields() {
			f.set(p.key(syntax.Origin(s.Field(i))), f.Of(p, e))
		}
	}
}

// call passes on what a call is given.
func (f *Flow) call(d *function, call *ast.CallExpr) {
	p := d.Package
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	own := f.callees(p, call)
	for _, to := range own {
		f.give(p, call.Args, to)
		if r := to.fn.Signature().Recv(); r != nil && sel != nil {
			f.pass(p, sel.X, r)
		}
	}
	if fn, ok := typeutil.Callee(p.Info, call).(*types.Func); ok && own == nil {
		f.stores(d, call, fn, sel)
	}
}

// give passes arguments on to parameters.
func (f *Flow) give(p *Package, args []ast.Expr, to *function) {
	in := to.fn.Signature().Params()
	for i, e := range args {
		if n := in.Len() - 1; n >= 0 {
			f.pass(p, e, in.At(min(i, n)))
		}
	}
}

// pass gives a parameter what an argument has, and the argument what the function puts into what the parameter points
// to.
func (f *Flow) pass(p *Package, e ast.Expr, to *types.Var) {
	f.set(p.key(to), f.Of(p, e))
	if x, ok := ast.Unparen(e).(*ast.UnaryExpr); ok {
		e = x.X
	}
	if t := f.has[to]; t.Once && f.has[p.key(syntax.Object(p.Info, e))].Had == 0 {
		f.set(p.key(syntax.Object(p.Info, e)), t)
	}
}

// stores notes what the standard library keeps of what it is given.
func (f *Flow) stores(d *function, call *ast.CallExpr, fn *types.Func, sel *ast.SelectorExpr) {
	p := d.Package
	of := func(i int) Trace { return f.Of(p, call.Args[i]) }
	isMethod := func(path, typ string, names ...string) bool {
		return sel != nil && syntax.IsMethod(fn, path, typ, names...)
	}
	switch {
	case syntax.IsFunc(fn, "container/heap", "Push", "Pop"): // by the methods of the heap
		n, ok := types.Unalias(syntax.Deref(p.Info.TypeOf(call.Args[0]))).(*types.Named)
		for _, format := range []string{"(*", "("} {
			if ok && n.Obj().Pkg() != nil {
				to := f.decls[format+n.Obj().Pkg().Path()+"."+n.Obj().Name()+")."+fn.Name()]
				if to != nil {
					f.give(p, call.Args[1:], to)
					f.pass(p, call.Args[0], to.fn.Signature().Recv())
				}
			}
		}
	case isMethod("sync", "Map", "Store", "LoadOrStore", "Swap"):
		f.set(p.key(syntax.Object(p.Info, sel.X)), of(0).or(of(1)))
		f.keep(d, Keep{At: call, Into: sel.X, Key: call.Args[0], Trace: of(0).or(of(1))})
	case isMethod("container/list", "List", "PushBack", "PushFront", "InsertBefore", "InsertAfter"):
		f.set(p.key(syntax.Object(p.Info, sel.X)), of(0))
		f.keep(d, Keep{At: call, Into: sel.X, Trace: of(0)})
	case syntax.IsFunc(fn, "runtime", "SetFinalizer"):
		f.keep(d, Keep{Kind: Finalizer, At: call, Into: call.Args[0], Trace: of(0)})
	case syntax.IsFunc(fn, "time", "AfterFunc"):
		f.keep(d, Keep{Kind: Timer, At: call, Trace: of(1)})
	case syntax.IsFunc(fn, "context", "WithCancel", "WithCancelCause", "WithTimeout", "WithDeadline"):
		f.keep(d, Keep{Kind: Context, At: call, Into: d.parent(call.Args[0]), Trace: of(0)})
	}
}

// parent is the context that others are derived of, as far as a function shows.
func (d *function) parent(e ast.Expr) ast.Expr {
	for range rounds {
		switch x := ast.Unparen(e).(type) {
		case *ast.CallExpr:
			fn, ok := typeutil.Callee(d.Info, x).(*types.Func)
			if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "context" || len(x.Args) == 0 {
				return e
			}
			e = x.Args[0]
		case *ast.Ident:
			values := syntax.Values(d.Info, d.Files, d.Info.ObjectOf(x))
			if len(values) != 1 {
				return e
			}
			e = values[0]
		default:
			return e
		}
	}
	return e
}
