package escape

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// An allocation is a piece of syntax that may put something on the heap.
type allocation struct {
	kind     Kind
	node     ast.Node
	parents  []ast.Node // around it, the file first
	text     string
	at       Place // as the compiler gives it
	from, to int   // lines of the statement or expression
	size     int64 // bytes of the object; 0 where it depends on the run
	pointers bool
	group    int64    // of a map that grows: the size of a group of entries; 0 if not known
	takes    ast.Expr // of a Box or a Variadic: the call's function, or nil
	zero     bool     // nothing is allocated: a constant, or nothing in it
}

// A walker finds the allocations of a file.
type walker struct {
	file  *sourceFile
	stack []ast.Node
}

func (w *walker) visit(n ast.Node) bool {
	if n == nil {
		w.stack = w.stack[:len(w.stack)-1]
		return true
	}
	w.note(n)
	w.stack = append(w.stack, n)
	return true
}

func (w *walker) note(n ast.Node) {
	f := w.file
	s := span{n, f.line(n.Pos()), f.line(n.End())}
	switch n := n.(type) {
	case *ast.FuncDecl:
		f.funcs = append(f.funcs, s)
		w.parameters(n.Recv, n.Type)
	case *ast.FuncLit:
		f.funcs = append(f.funcs, s)
		w.parameters(nil, n.Type)
		w.add(Closure, n, w.captured(n), true)
	case *ast.ForStmt, *ast.RangeStmt:
		f.loops = append(f.loops, s)
	case *ast.GoStmt:
		w.add(Go, n, 0, true)
	case *ast.DeferStmt:
		if w.within(func(p ast.Node) bool { return isLoop(p) }) {
			w.add(Defer, n, 0, true)
		}
	case *ast.Ident:
		w.ident(n)
	case *ast.CompositeLit:
		w.literal(n)
	case *ast.UnaryExpr:
		w.unary(n)
	case *ast.CallExpr:
		w.call(n)
	case *ast.BinaryExpr:
		w.binary(n)
	case *ast.SelectorExpr:
		w.methodValue(n)
	case *ast.AssignStmt:
		w.assign(n)
	case *ast.ReturnStmt:
		w.returned(n)
	case *ast.IncDecStmt:
		w.mapElement(n.X)
	case *ast.SendStmt, *ast.SelectStmt:
		w.add(Wait, n, 0, true)
	}
	if e, ok := n.(ast.Expr); ok {
		w.box(e)
	}
}

func (w *walker) add(k Kind, n ast.Node, size int64, pointers bool) *allocation {
	f := w.file
	a := &allocation{kind: k, node: n, parents: slices.Clone(w.stack), at: f.at(position(n)), from: f.line(n.Pos()),
		to: f.line(n.End()), size: size, pointers: pointers}
	f.sites = append(f.sites, a)
	return a
}

// within reports whether there is a node, between here and the function around it, for which match is true.
func (w *walker) within(match func(ast.Node) bool) bool {
	for _, p := range slices.Backward(w.stack) {
		if isFunc(p) {
			return false
		}
		if match(p) {
			return true
		}
	}
	return false
}

func isFunc(n ast.Node) bool {
	switch n.(type) {
	case *ast.FuncDecl, *ast.FuncLit:
		return true
	}
	return false
}

func isLoop(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

// parameters may be moved to the heap when their function begins.
func (w *walker) parameters(recv *ast.FieldList, t *ast.FuncType) {
	for _, list := range []*ast.FieldList{recv, t.Params, t.Results} {
		if list == nil {
			continue
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				if o := w.file.info.Defs[name]; o != nil {
					a := w.variable(name, o)
					a.from = min(a.from, w.file.line(t.Pos()))
				}
			}
		}
	}
}

func (w *walker) variable(id *ast.Ident, o types.Object) *allocation {
	a := w.add(Variable, id, sizeOf(w.file.sizes, o.Type()), hasPointers(o.Type()))
	a.text = id.Name
	return a
}

// ident is a variable where it is declared.
func (w *walker) ident(id *ast.Ident) {
	o, ok := w.file.info.Defs[id].(*types.Var)
	if !ok || o.IsField() || id.Name == "_" {
		return
	}
	if len(w.stack) > 0 {
		if _, ok := w.stack[len(w.stack)-1].(*ast.Field); ok {
			return // a parameter
		}
	}
	w.variable(id, o)
}

// captured is the size of a closure: the code's address, and what it captures, by value or by reference.
func (w *walker) captured(lit *ast.FuncLit) int64 {
	vars, wide := make(map[types.Object]bool), int64(0)
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		o, ok := w.file.info.Uses[id].(*types.Var)
		if ok && !o.IsField() && o.Parent() != nil && o.Pkg() != nil && o.Parent() != o.Pkg().Scope() &&
			(o.Pos() < lit.Pos() || o.Pos() > lit.End()) {
			vars[o] = true
			if s := sizeOf(w.file.sizes, o.Type()); s != 8 {
				wide++
			}
		}
		return true
	})
	if len(vars) == 0 || wide > 0 { // strings are captured by value or by reference: the size is not known
		return 0
	}
	return 8 * int64(1+len(vars))
}

func (w *walker) literal(n *ast.CompositeLit) {
	t := w.file.typeOf(n)
	if t == nil {
		return
	}
	if _, ok := t.(*types.TypeParam); ok {
		w.add(SliceLit, n, 0, true).zero = len(n.Elts) == 0
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		a := w.add(SliceLit, n, sizeOf(w.file.sizes, u.Elem())*int64(len(n.Elts)), hasPointers(u.Elem()))
		a.zero = len(n.Elts) == 0
	case *types.Map:
		w.add(MapLit, n, 0, true)
	case *types.Pointer: // []*T{{…}}
		w.add(New, n, sizeOf(w.file.sizes, u.Elem()), hasPointers(u.Elem()))
	}
}

func (w *walker) unary(n *ast.UnaryExpr) {
	switch n.Op {
	case token.AND:
		if lit, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok {
			if t := w.file.typeOf(lit); t != nil {
				w.add(New, n, sizeOf(w.file.sizes, t), hasPointers(t))
			}
		}
	case token.ARROW:
		w.add(Wait, n, 0, true)
	}
}

func (w *walker) binary(n *ast.BinaryExpr) {
	if n.Op != token.ADD || !isString(w.file.typeOf(n)) || w.file.isConst(n) {
		return
	}
	if len(w.stack) > 0 {
		if p, ok := w.stack[len(w.stack)-1].(*ast.BinaryExpr); ok && p.Op == token.ADD {
			return // a part of a longer one, which is one allocation
		}
	}
	w.add(Concat, n, 0, false)
}

func isString(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsString != 0
}

func (w *walker) call(n *ast.CallExpr) {
	f := w.file
	if tv := f.info.Types[n.Fun]; tv.IsType() {
		w.conversion(n, tv.Type)
		return
	}
	if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
		if b, ok := f.info.Uses[id].(*types.Builtin); ok {
			w.builtin(n, b.Name())
			return
		}
	}
	sig, ok := typeAs[*types.Signature](f.typeOf(n.Fun))
	if !ok || !sig.Variadic() || n.Ellipsis.IsValid() {
		return
	}
	extra := len(n.Args) - sig.Params().Len() + 1
	slice, ok := typeAs[*types.Slice](sig.Params().At(sig.Params().Len() - 1).Type())
	if !ok || extra <= 0 {
		return
	}
	a := w.add(Variadic, n, sizeOf(f.sizes, slice.Elem())*int64(extra), hasPointers(slice.Elem()))
	a.takes = n.Fun
}

func typeAs[T types.Type](t types.Type) (T, bool) {
	if t == nil {
		var zero T
		return zero, false
	}
	u, ok := t.Underlying().(T)
	return u, ok
}

func (w *walker) builtin(n *ast.CallExpr, name string) {
	f := w.file
	switch t := f.typeOf(n); name {
	case "append":
		w.add(Append, n, 0, true)
	case "new":
		if p, ok := typeAs[*types.Pointer](t); ok {
			w.add(New, n, sizeOf(f.sizes, p.Elem()), hasPointers(p.Elem()))
		}
	case "make":
		if t == nil {
			return
		}
		switch u := t.Underlying().(type) {
		case *types.Map:
			w.add(MakeMap, n, 0, true)
		case *types.Chan:
			w.add(MakeChan, n, 0, true)
		case *types.Slice:
			size := int64(0)
			if c, ok := f.constant(n.Args[len(n.Args)-1]); ok {
				size = c * sizeOf(f.sizes, u.Elem())
			}
			w.add(Make, n, size, hasPointers(u.Elem())).zero = w.extends(n)
		default:
			w.add(Make, n, 0, true)
		}
	}
}

// extends reports whether a make is only how much append is to add: append(s, make([]byte, n)...) makes no other slice.
func (w *walker) extends(n *ast.CallExpr) bool {
	if len(w.stack) == 0 {
		return false
	}
	p, ok := w.stack[len(w.stack)-1].(*ast.CallExpr)
	return ok && p.Ellipsis.IsValid() && len(p.Args) == 2 && p.Args[1] == n && callsBuiltin(p, "append")
}

func (w *walker) conversion(n *ast.CallExpr, to types.Type) {
	f := w.file
	if len(n.Args) != 1 || f.isConst(n) {
		return
	}
	from := f.typeOf(n.Args[0])
	if from == nil {
		return
	}
	switch {
	case isString(to) && !isString(from):
		if _, ok := from.(*types.TypeParam); !ok {
			w.add(ToString, n, 0, false).at = f.at(position(n.Args[0])) // the compiler puts conversions there
		}
	case isString(from) && isSlice(to):
		w.add(ToBytes, n, 0, false).at = f.at(position(n.Args[0]))
	}
}

func isSlice(t types.Type) bool {
	_, ok := typeAs[*types.Slice](t)
	return ok
}

// methodValue is a method that is not called where it is named.
func (w *walker) methodValue(n *ast.SelectorExpr) {
	sel := w.file.info.Selections[n]
	if sel == nil || sel.Kind() != types.MethodVal || len(w.stack) == 0 {
		return
	}
	for _, p := range slices.Backward(w.stack) {
		switch p := p.(type) {
		case *ast.ParenExpr:
			continue
		case *ast.CallExpr:
			if ast.Unparen(p.Fun) == n {
				return
			}
		}
		break
	}
	w.add(Method, n, 0, true)
}

// assign notes assignments to maps, and s += t.
func (w *walker) assign(n *ast.AssignStmt) {
	for _, l := range n.Lhs {
		w.mapElement(l)
	}
	if n.Tok == token.ADD_ASSIGN && isString(w.file.typeOf(n.Lhs[0])) {
		a := w.add(Concat, n, 0, false)
		a.at = w.file.at(n.Pos())
	}
}

// returned notes local slices that are returned. Since Go 1.26 append may begin on the stack, and what is there then is
// moved to the heap by the return.
func (w *walker) returned(n *ast.ReturnStmt) {
	for _, e := range n.Results {
		id, ok := e.(*ast.Ident)
		if !ok {
			continue
		}
		if v, ok := w.file.info.Uses[id].(*types.Var); ok && isSlice(v.Type()) && v.Parent() != nil && v.Pkg() != nil &&
			v.Parent() != v.Pkg().Scope() {
			w.add(Moved, id, 0, true)
		}
	}
}

func (w *walker) mapElement(e ast.Expr) {
	index, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return
	}
	if m, ok := typeAs[*types.Map](w.file.typeOf(index.X)); ok {
		a := w.add(MapGrow, index, 0, true)
		a.from = w.file.line(e.Pos())
		a.group = groupSize(w.file.sizes, m)
	}
}
