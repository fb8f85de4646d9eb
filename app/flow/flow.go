// Package flow follows a value through a program's packages: from the line that makes it to where something outlives
// the call and has it.
//
// The problem: a profile shows who made what stays in memory. Who keeps it is in the code, often in another package;
// what lets it go depends on how it got there: whole or as a part of it, into a map or a queue, or into a function that
// a timer will call in two hours. The approach: what a line makes goes on through variables, fields, arguments, results
// and function literals, round by round until nothing new has it; then each place that puts it into what lives on is a
// Keep.
//
// Limits: a field has it in all values of its type, and a parameter in all calls. What code of other modules does with
// it is known where package known or a container of the standard library says so; of their calls' results, those that
// are no texts may have what the call was given. Of a value whose field is read only what that field refers to goes on,
// which may be all or next to nothing: that is a weaker trace, for where there is no other.
package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/diagnose/known"
)

// A Package is one of the program's, with its types as far as they are known.
type Package struct {
	Fset  *token.FileSet
	Files []*ast.File
	Info  *types.Info
	Types *types.Package
}

// A Had is how much of what was made something has.
type Had uint8

// The values of Had.
const (
	OfField Had = iota + 1 // what a field of it refers to
	Whole                  // it, or a part of a text, which keeps all of it
)

// A Trace is how something has what was made.
type Trace struct {
	Had
	Cut  ast.Expr     // takes the part of a text that it has; nil for all of it
	Lit  *ast.FuncLit // refers to it
	In   *Package     // of these two
	Once bool         // by a field that is given another value each time: each owner has one, and no more
}

func (t Trace) or(o Trace) Trace {
	if t.Had < o.Had || t.Had == o.Had && t.Once && !o.Once {
		return o
	}
	return t
}

// A Flow is where a value goes.
type Flow struct {
	Keeps []Keep

	pkgs  []*Package
	all   []*function          // of the packages, in their order: answers do not change from run to run
	decls map[string]*function // the same by their full names
	has   map[any]Trace        // by variables, names of what is lasting, and results
	made  map[ast.Node]bool
	from  *function
	line  int
	last  bool // all that has it is known
	more  bool // this round has found another one
}

// A function is a declared one.
type function struct {
	*Package
	decl *ast.FuncDecl
	fn   *types.Func
}

type (
	lasting struct { // a field, or a variable of a package, in whichever load of packages
		pkg, name string
		line      int
	}
	resultOf struct {
		name string
		i    int
	}
)

// rounds is how often all functions are looked at, at most; in each a value goes through several.
const rounds = 12

// Follow follows what the line makes in a function of the first of some packages, and nothing that functions of these
// packages make which it calls.
func Follow(pkgs []*Package, in *ast.FuncDecl, line int) *Flow {
	f := &Flow{pkgs: pkgs, decls: make(map[string]*function), has: make(map[any]Trace), made: make(map[ast.Node]bool),
		line: line}
	for _, p := range pkgs {
		for _, file := range p.Files {
			for _, d := range file.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Body == nil {
					continue
				}
				if fn, ok := p.Info.Defs[d.Name].(*types.Func); ok {
					f.all = append(f.all, &function{p, d, fn})
					f.decls[fn.FullName()] = f.all[len(f.all)-1]
				}
			}
		}
	}
	i := slices.IndexFunc(f.all, func(d *function) bool { return d.decl == in })
	if i < 0 {
		return f
	}
	f.from = f.all[i]
	f.seed()
	if len(f.has)+len(f.made) == 0 { // it but puts something in
		f.last = true
		f.walk(f.from)
	}
	for i := 0; !f.last; i++ {
		f.last, f.more = i == rounds || i > 0 && !f.more, false
		for _, d := range f.all {
			f.walk(d)
		}
	}
	return f
}

// Has is how a variable or field has what was made.
func (f *Flow) Has(p *Package, o types.Object) Trace {
	t := f.has[p.key(o)]
	if o != nil {
		t = t.or(f.has[p.typeKey(o)])
	}
	return t
}

// typeKey is by what all values of a variable's type are known, if it is a slice with a name, or points to one: methods
// of such a type are all of one container, as those of a heap.
func (p *Package) typeKey(o types.Object) any {
	n, ok := types.Unalias(syntax.Deref(o.Type())).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || syntax.Elem(n) == nil {
		return nil
	}
	return lasting{n.Obj().Pkg().Path(), n.Obj().Name(), 0}
}

// Same reports whether an expression names a variable that an object of another package's load is.
func (k *Keep) Same(p *Package, e ast.Expr) bool {
	return k.key != nil && p.key(syntax.Object(p.Info, e)) == k.key
}

func (p *Package) at(n ast.Node) int { return p.Fset.Position(n.Pos()).Line }

// seed finds what the line makes, or has code of another module fill.
func (f *Flow) seed() {
	p := f.from.Package
	ast.Inspect(f.from.decl.Body, func(n ast.Node) bool {
		if n == nil || p.at(n) != f.line {
			return true
		}
		switch n := n.(type) {
		case *ast.CompositeLit:
			f.made[n] = true
		case *ast.BinaryExpr:
			f.made[n] = n.Op == token.ADD
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if o := syntax.Object(p.Info, lhs); n.Tok == token.DEFINE && o != nil && f.from.refersTo(o) {
					f.has[o] = Trace{Had: Whole}
				}
			}
		case *ast.CallExpr:
			switch b := syntax.Builtin(p.Info, n); {
			case b != "":
				f.made[n] = b == "make" || b == "new" || b == "append"
			case p.Info.Types[n.Fun].IsType():
				f.made[n] = p.copies(n)
			case f.callees(p, n) == nil:
				f.made[n] = true
				f.fill(n)
			}
		}
		return true
	})
}

// refersTo reports whether a function takes the address of a variable: then that is made on the heap.
func (d *function) refersTo(o types.Object) (found bool) {
	ast.Inspect(d.decl.Body, func(n ast.Node) bool {
		x, ok := n.(*ast.UnaryExpr)
		found = found || ok && x.Op == token.AND && syntax.Object(d.Info, x.X) == o
		return !found
	})
	return found
}

// fill notes what a call that returns nothing of its own puts into what it is given: a pointer, or its receiver.
func (f *Flow) fill(call *ast.CallExpr) {
	p := f.from.Package
	if t := p.Info.TypeOf(call); t != nil && mayHave(t) {
		return
	}
	given := call.Args
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && p.Info.Selections[sel] != nil {
		given = append(slices.Clip(given), sel.X)
	}
	for i, e := range given {
		x, address := ast.Unparen(e).(*ast.UnaryExpr)
		if t := p.Info.TypeOf(e); address {
			e = x.X
		} else if _, pointer := t.(*types.Pointer); !pointer && i < len(call.Args) {
			continue
		}
		if o := syntax.Object(p.Info, e); o != nil {
			f.set(p.key(o), Trace{Had: Whole})
		}
	}
}

// copies reports whether a conversion copies: from bytes to a text, or back.
func (p *Package) copies(call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	to, from := p.Info.TypeOf(call), p.Info.TypeOf(call.Args[0])
	return to != nil && from != nil && isText(to) != isText(from)
}

func isText(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

// ofBytes reports whether a value is a text or bytes, of which a part keeps all, and can be copied.
func ofBytes(t types.Type) bool {
	if t == nil {
		return false
	}
	e := syntax.Elem(t)
	return isText(t) || e != nil && !syntax.Refers(e)
}

// mayHave reports whether a value of a type, or one of several, may have what was made.
func mayHave(t types.Type) bool {
	if all, ok := t.(*types.Tuple); ok {
		return slices.ContainsFunc(slices.Collect(all.Variables()), func(v *types.Var) bool { return mayHave(v.Type()) })
	}
	return !syntax.IsError(t) && syntax.Refers(t)
}

func isStruct(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// key is by what a variable is known in all packages; nil for none.
func (p *Package) key(o types.Object) any {
	v, ok := o.(*types.Var)
	switch {
	case !ok || v == nil || v.Name() == "_":
		return nil
	case v.Pkg() != nil && (v.IsField() || v.Parent() == v.Pkg().Scope()):
		return lasting{v.Pkg().Path(), v.Name(), p.Fset.Position(v.Pos()).Line}
	}
	return o
}

func (f *Flow) set(k any, t Trace) {
	if k == nil || t.Had == 0 {
		return
	}
	if better := f.has[k].or(t); better != f.has[k] {
		f.has[k], f.more = better, true
	}
}

// Of is how an expression has what was made.
func (f *Flow) Of(p *Package, e ast.Expr) Trace {
	if e == nil {
		return Trace{}
	}
	typ := p.Info.TypeOf(e)
	known := typ != nil && typ != types.Typ[types.Invalid]
	if _, many := typ.(*types.Tuple); known && !many && !mayHave(typ) {
		return Trace{}
	}
	t := f.within(p, e)
	if f.made[e] && t.Cut == nil { // what cuts a text makes no more than a list of parts
		return Trace{Had: Whole}
	}
	return t
}

func (f *Flow) within(p *Package, e ast.Expr) (t Trace) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.Of(p, e.X)
	case *ast.TypeAssertExpr:
		return f.Of(p, e.X)
	case *ast.IndexExpr:
		return f.Of(p, e.X)
	case *ast.UnaryExpr:
		if x := ast.Unparen(e.X); e.Op == token.AND { // of a value that itself may refer to nothing
			if f.made[x] {
				return Trace{Had: Whole}
			}
			return f.within(p, x)
		}
		return f.Of(p, e.X)
	case *ast.KeyValueExpr:
		return f.Of(p, e.Key).or(f.Of(p, e.Value))
	case *ast.Ident:
		return f.has[p.key(syntax.Object(p.Info, e))]
	case *ast.StarExpr:
		if t = f.Of(p, e.X); t.Had == Whole && isStruct(p.Info.TypeOf(e)) { // a copy has what it refers to
			t.Had = OfField
		}
	case *ast.SelectorExpr:
		sel := p.Info.Selections[e]
		if t = f.has[p.key(syntax.Object(p.Info, e))]; t.Had == 0 && sel != nil {
			if t = f.Of(p, e.X); t.Had > 0 && sel.Kind() == types.FieldVal {
				t.Had = OfField
			}
		}
	case *ast.SliceExpr:
		if t = f.Of(p, e.X); t.Had > 0 && ofBytes(p.Info.TypeOf(e.X)) && (e.Low != nil || e.High != nil) {
			t.Cut, t.In = e, p
		}
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok && isStruct(p.Info.TypeOf(e)) {
				x = kv.Value
			}
			t = t.or(f.Of(p, x))
		}
	case *ast.FuncLit:
		for o := range p.Captured(e) {
			t = t.or(f.has[o])
		}
		t.Lit, t.In = e, p
	case *ast.CallExpr:
		return f.result(p, e, 0)
	}
	return t
}

// Captured are the variables of the function around a literal that it uses, with where it does.
func (p *Package) Captured(lit *ast.FuncLit) map[types.Object][]*ast.Ident {
	out := make(map[types.Object][]*ast.Ident)
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, is := p.Info.Uses[id].(*types.Var)
			if is && !v.IsField() && v.Parent() != p.Types.Scope() && (v.Pos() < lit.Pos() || lit.End() <= v.Pos()) {
				out[v] = append(out[v], id)
			}
		}
		return true
	})
	return out
}

// result is how a result of a call has it.
func (f *Flow) result(p *Package, call *ast.CallExpr, i int) (t Trace) {
	switch b := syntax.Builtin(p.Info, call); {
	case b == "append":
		for k, e := range call.Args {
			if k == 0 || !call.Ellipsis.IsValid() || !ofBytes(p.Info.TypeOf(e)) { // else they are copied
				t = t.or(f.Of(p, e))
			}
		}
		return t
	case b != "":
		return t
	case p.Info.Types[call.Fun].IsType():
		if !p.copies(call) {
			t = f.Of(p, call.Args[0])
		}
		return t
	}
	if own := f.callees(p, call); own != nil {
		for _, d := range own {
			t = t.or(f.has[resultOf{d.fn.FullName(), i}])
		}
		return t
	}
	return f.foreign(p, call, i)
}

// foreign is how a result of another module's function has what that is given.
func (f *Flow) foreign(p *Package, call *ast.CallExpr, i int) (t Trace) {
	of := p.Info.TypeOf(call)
	if tuple, ok := of.(*types.Tuple); ok {
		of = tuple.At(min(i, tuple.Len()-1)).Type()
	}
	if of == nil || !mayHave(of) {
		return t
	}
	for _, e := range call.Args {
		t = t.or(f.Of(p, e))
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && p.Info.Selections[sel] != nil {
		t = t.or(f.Of(p, sel.X))
	}
	if t.Had == 0 {
		return t
	}
	does, elem := known.Of(nameOf(p, call)), syntax.Elem(of)
	switch {
	case does.Does(known.CutsPart):
		t.Cut, t.In = call, p
	case (ofBytes(of) || elem != nil && isText(elem)) && !does.Does(known.BuildsText, known.BuildsBytes):
		return Trace{} // another text
	}
	return t
}

// nameOf is the name of the function that a call names, as a profile has it; "" where types do not say.
func nameOf(p *Package, call *ast.CallExpr) string {
	fn, ok := typeutil.Callee(p.Info, call).(*types.Func)
	if !ok || fn.Pkg() == nil {
		return ""
	}
	if r := fn.Signature().Recv(); r != nil {
		if n, ok := types.Unalias(syntax.Deref(r.Type())).(*types.Named); ok {
			return fn.Pkg().Path() + ".(*" + n.Obj().Name() + ")." + fn.Name()
		}
	}
	return fn.Pkg().Path() + "." + fn.Name()
}

// callees are the program's functions that a call may run: the one that it names, or methods of that name and signature
// where it calls one of an interface.
func (f *Flow) callees(p *Package, call *ast.CallExpr) (out []*function) {
	fn, ok := typeutil.Callee(p.Info, call).(*types.Func)
	if !ok {
		return nil
	}
	if d := f.decls[fn.Origin().FullName()]; d != nil {
		return []*function{d}
	}
	r := fn.Signature().Recv()
	if r == nil || !types.IsInterface(r.Type()) {
		return nil
	}
	sig := types.TypeString(fn.Type(), nil)
	for _, d := range f.all {
		if d.fn.Name() == fn.Name() && d.decl.Recv != nil && types.TypeString(d.fn.Type(), nil) == sig {
			out = append(out, d)
		}
	}
	return out
}
