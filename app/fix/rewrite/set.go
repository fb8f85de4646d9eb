package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// A search is code within a loop that looks for a value in a list, element by element.
type search struct {
	*Unit
	at   inspector.Cursor // the call, or the inner loop
	list ast.Expr
	x    ast.Expr    // what is looked for
	hit  *ast.IfStmt // of an inner loop: what is done when it is there
}

// lookup makes a set of a list before the loop that looks through it in each turn.
func lookup(u *Unit) (out changes) {
	for cur, call := range each[*ast.CallExpr](u) {
		if list, x := u.contains(call); list != nil {
			s := search{Unit: u, at: cur, list: list, x: x}
			out.add(s.change())
		}
	}
	for cur, r := range each[*ast.RangeStmt](u) {
		if hit, x := u.compares(cur, r); hit != nil {
			s := search{Unit: u, at: cur, list: r.X, x: x, hit: hit}
			out.add(s.change())
		}
	}
	return out
}

// contains is the list and the value of slices.Contains, or of a function of the package that does the same.
func (u *Unit) contains(call *ast.CallExpr) (list, x ast.Expr) {
	fn := u.Callee(call)
	switch {
	case len(call.Args) != 2 || fn == nil:
		return nil, nil
	case isFunc(fn, "slices", "Contains"), isFunc(fn, "golang.org/x/exp/slices", "Contains"):
		return call.Args[0], call.Args[1]
	case fn.Pkg() != u.Pkg || fn.Signature().Recv() != nil:
		return nil, nil
	}
	d := u.declared(fn)
	if d == nil || d.Body == nil || len(d.Body.List) != 2 {
		return nil, nil
	}
	r, ok := d.Body.List[0].(*ast.RangeStmt)
	last, returns := d.Body.List[1].(*ast.ReturnStmt)
	if !ok || !returns || len(last.Results) != 1 || u.text(last.Results[0]) != "false" {
		return nil, nil
	}
	hit, want := u.compared(r)
	if hit == nil || len(hit.Body.List) != 1 || u.text(hit.Body.List[0]) != "return true" {
		return nil, nil
	}
	for i := range 2 { // the parameters may be either way round
		params := fn.Signature().Params()
		if u.IsUse(r.X, params.At(i)) && u.IsUse(want, params.At(1-i)) {
			return call.Args[i], call.Args[1-i]
		}
	}
	return nil, nil
}

// compared is the if of a loop over a list that does nothing but compare each element with a value, and that value.
func (u *Unit) compared(r *ast.RangeStmt) (hit *ast.IfStmt, x ast.Expr) {
	v, ok := r.Value.(*ast.Ident)
	if key, named := r.Key.(*ast.Ident); !ok || len(r.Body.List) != 1 || named && key.Name != "_" {
		return nil, nil
	}
	hit, ok = r.Body.List[0].(*ast.IfStmt)
	if !ok || hit.Init != nil || hit.Else != nil {
		return nil, nil
	}
	eq, ok := hit.Cond.(*ast.BinaryExpr)
	if !ok || eq.Op != token.EQL {
		return nil, nil
	}
	obj := u.Info.Defs[v]
	switch {
	case u.IsUse(eq.X, obj):
		x = eq.Y
	case u.IsUse(eq.Y, obj):
		x = eq.X
	default:
		return nil, nil
	}
	return hit, x
}

// compares is compared of a loop whose answer is the same however often the value is in the list.
func (u *Unit) compares(cur inspector.Cursor, r *ast.RangeStmt) (hit *ast.IfStmt, x ast.Expr) {
	hit, x = u.compared(r)
	if hit == nil || !isPath(x) || len(hit.Body.List) == 0 {
		return nil, nil
	}
	if v := u.Info.Defs[r.Value.(*ast.Ident)]; len(u.Uses(cur, v)) != 1 || u.Root(x) == v {
		return nil, nil // the element is used
	}
	if u.branches(hit.Body.List[:len(hit.Body.List)-1]) {
		return nil, nil
	}
	switch last := hit.Body.List[len(hit.Body.List)-1].(type) {
	case *ast.ReturnStmt:
		return hit, x
	case *ast.BranchStmt:
		if last.Label != nil || last.Tok == token.BREAK && len(hit.Body.List) > 1 {
			return hit, x
		}
	case *ast.AssignStmt: // found = true
		if id, ok := last.Lhs[0].(*ast.Ident); ok && len(hit.Body.List) == 1 && len(last.Lhs) == 1 &&
			last.Tok == token.ASSIGN && u.IsConstant(last.Rhs[0]) && id.Name != "_" {
			return hit, x
		}
	}
	return nil, nil
}

// branches reports whether statements may leave the innermost loop, or go on with it.
func (u *Unit) branches(list []ast.Stmt) bool {
	return slices.ContainsFunc(list, func(s ast.Stmt) bool {
		return syntax.Some(s, func(n ast.Node) bool { _, branch := n.(*ast.BranchStmt); return branch })
	})
}

func (s *search) change() *Change {
	l, ok := loop(s.at)
	f, in := function(s.at)
	if !ok || !in || !isPath(s.list) {
		return nil
	}
	slice, ok := s.Info.TypeOf(s.list).Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	elem, ok := slice.Elem().Underlying().(*types.Basic)
	if !ok || elem.Info()&(types.IsString|types.IsInteger) == 0 ||
		!types.AssignableTo(s.Info.TypeOf(s.x), slice.Elem()) {
		return nil // a number that is not one is never in a list, and a value of an interface may not be comparable
	}
	name := s.typeText(s.at.Node(), slice.Elem())
	why := s.unstable(f, l)
	if name == "" {
		why = "the file cannot name the type of the list's elements"
	}
	if why != "" {
		return s.refuse(s.at.Node(), why)
	}
	for { // the loop around it may have the same list
		outer, ok := loop(l)
		if !ok || s.unstable(f, outer) != "" {
			break
		}
		l = outer
	}
	return s.made(f, l, name)
}

// made is the change: the set stands before the loop.
func (s *search) made(f, l inspector.Cursor, elem string) *Change {
	list := s.text(s.list)
	last := list[strings.LastIndexByte(list, '.')+1:]
	set, one := s.freshIn(f, "in"+strings.ToUpper(last[:1])+last[1:]), s.freshIn(f, "element")
	c := s.Unit.change(s.at.Node(), "look into a set of "+list+", made before the loop")
	c.cures(l.Node())
	at, _ := statement(l)
	in := s.indent(at.Node())
	c.before(at.Node(), set+" := make(map["+elem+"]bool, len("+list+"))\n"+in+"for _, "+one+" := range "+list+" {\n"+in+
		"\t"+set+"["+one+"] = true\n"+in+"}")
	if s.hit == nil {
		c.replace(s.at.Node().Pos(), s.at.Node().End(), set+"["+s.text(s.x)+"]")
		return c
	}
	inner := s.at.Node().(*ast.RangeStmt)
	c.replace(inner.Pos(), s.hit.Body.Lbrace, "if "+set+"["+s.text(s.x)+"] ")
	end := s.hit.Body.List[len(s.hit.Body.List)-1]
	if b, ok := end.(*ast.BranchStmt); ok && b.Label == nil {
		c.remove(b)
	}
	c.replace(s.hit.Body.Rbrace+1, inner.Body.Rbrace+1, "")
	return c
}

// unstable says why a list may not be the same in all turns of a loop.
func (s *search) unstable(f, l inspector.Cursor) string {
	root := s.Root(s.list)
	v, ok := root.(*types.Var)
	switch {
	case !ok:
		return "the list is not a variable"
	case syntax.Within(l.Node(), v.Pos()):
		return "the list is made anew in each turn"
	case s.Changes(l, v), s.takesAddress(f, v):
		return "the list changes in the loop, or its address is taken"
	case v.Kind() == types.PackageVar:
		return "the list is a package variable, which others may change meanwhile"
	}
	for _, a := range below[*ast.AssignStmt](l) {
		for _, lhs := range a.Lhs {
			if s.mayWrite(lhs) {
				return "the loop writes to a list of the same kind, which may be this one"
			}
		}
	}
	for _, i := range below[*ast.IncDecStmt](l) {
		if s.mayWrite(i.X) {
			return "the loop writes to a list of the same kind, which may be this one"
		}
	}
	for _, e := range below[*ast.UnaryExpr](l) {
		if e.Op == token.ARROW {
			return "the loop waits for another goroutine, which may change the list"
		}
	}
	for _, call := range below[*ast.CallExpr](l) {
		if call != s.at.Node() && !s.harmless(call, 3) {
			return "a call in the loop may change the list: " + s.text(call.Fun)
		}
	}
	return ""
}

// takesAddress reports whether a function takes a variable's address, or a literal in it assigns it.
func (s *search) takesAddress(f inspector.Cursor, v *types.Var) bool {
	return slices.ContainsFunc(s.Uses(f, v), func(use inspector.Cursor) bool {
		g, ok := function(use)
		return isAddress(use.Parent().Node()) || ok && g != f && s.Changes(g, v)
	})
}

// isAddress reports whether a node is &x.
func isAddress(n ast.Node) bool {
	a, ok := n.(*ast.UnaryExpr)
	return ok && a.Op == token.AND
}

// mayWrite reports whether an assignment may be to the list, to a field on the way to it, or to an element.
func (s *search) mayWrite(lhs ast.Expr) bool {
	switch lhs := ast.Unparen(lhs).(type) {
	case *ast.IndexExpr:
		t, ok := s.Info.TypeOf(lhs.X).Underlying().(*types.Slice)
		return ok && types.Identical(t, s.Info.TypeOf(s.list).Underlying())
	case *ast.SelectorExpr:
		for e := ast.Unparen(s.list); ; {
			sel, ok := e.(*ast.SelectorExpr)
			if !ok {
				return false
			}
			if sel.Sel.Name == lhs.Sel.Name {
				return true
			}
			e = ast.Unparen(sel.X)
		}
	case *ast.StarExpr:
		return true
	}
	return false
}

// purePackages have functions that change nothing of what they are given, but sort, whose job that is.
func purePackages() []string {
	return []string{"strings", "strconv", "math", "math/bits", "unicode", "unicode/utf8", "errors", "bytes", "cmp"}
}

// harmless reports whether a call changes nothing that its caller has: it is a conversion, a builtin that writes to no
// list of the search, of a package of pure functions, or of a function of the package that only changes its own
// variables and calls such functions, so many deep.
func (s *search) harmless(call *ast.CallExpr, depth int) bool {
	if s.isConversion(call) {
		return true
	}
	switch s.Builtin(call) {
	case "":
	case "append": // into the room behind the list, if it is the list's own
		return !s.Same(call.Args[0], s.list) && !s.sliceOf(call.Args[0])
	case "copy", "clear":
		return false
	default:
		return true
	}
	fn := s.Callee(call)
	if fn == nil || fn.Pkg() == nil || depth == 0 {
		return false
	}
	if fn.Signature().Recv() == nil && slices.Contains(purePackages(), fn.Pkg().Path()) ||
		isFunc(fn, "slices", "Contains", "Index") || isFunc(fn, "fmt", "Errorf") {
		return true
	}
	d := s.declared(fn)
	if fn.Pkg() != s.Pkg || d == nil || d.Body == nil {
		return false
	}
	return !syntax.Some(d.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return !s.isLocal(e) })
		case *ast.IncDecStmt:
			return !s.isLocal(n.X)
		case *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt, *ast.FuncLit:
			return true
		case *ast.CallExpr:
			return !s.harmless(n, depth-1)
		}
		return false
	})
}

// sliceOf reports whether an expression is a part of the list: list[:0].
func (s *search) sliceOf(e ast.Expr) bool {
	part, ok := ast.Unparen(e).(*ast.SliceExpr)
	return ok && s.Same(part.X, s.list)
}

func (u *Unit) isLocal(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := u.Info.ObjectOf(id).(*types.Var)
	return id.Name == "_" || ok && v.Parent() != u.Pkg.Scope() && !v.IsField()
}

// typeText is how the file of a node writes a type, "" if it cannot: a package is not imported there, or a name is
// hidden.
func (u *Unit) typeText(at ast.Node, t types.Type) string {
	ok := true
	text := types.TypeString(t, func(p *types.Package) string {
		if p == u.Pkg {
			return ""
		}
		name := u.name(at, p.Path())
		ok = ok && name != ""
		return name
	})
	if !ok {
		return ""
	}
	return text
}
