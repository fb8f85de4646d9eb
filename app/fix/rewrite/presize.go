package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// presize gives a slice that a loop appends to, once in each turn, the room for all turns. One that begins as nil stays
// nil when there are none.
func presize(u *Unit) (out changes) {
	for cur, l := range each[*ast.RangeStmt](u) {
		v := u.filledBy(l)
		if v == nil {
			continue
		}
		for s, ok := cur.PrevSibling(); ok; s, ok = s.PrevSibling() {
			if s.ParentEdgeKind() != cur.ParentEdgeKind() {
				break
			}
			if c := u.sized(s, l, v); c != nil {
				c.cures(l)
				out.add(c)
				break
			}
			if len(u.Uses(s, v)) > 0 || u.Changes(s, u.Root(l.X)) {
				break
			}
		}
	}
	return out
}

// filledBy is the local slice that a loop appends one element to in each turn.
func (u *Unit) filledBy(l *ast.RangeStmt) *types.Var {
	if !isPath(l.X) || u.Root(l.X) == nil {
		return nil
	}
	switch u.Info.TypeOf(l.X).Underlying().(type) {
	case *types.Slice, *types.Map, *types.Array:
	default:
		return nil
	}
	for _, s := range l.Body.List {
		if syntax.Leaves(s) {
			return nil
		}
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 {
			continue
		}
		call, ok := a.Rhs[0].(*ast.CallExpr)
		if !ok || u.Builtin(call) != "append" || len(call.Args) != 2 || call.Ellipsis.IsValid() {
			continue
		}
		id, ok := a.Lhs[0].(*ast.Ident)
		if !ok || !u.IsUse(call.Args[0], u.Info.ObjectOf(id)) {
			continue
		}
		if v, ok := u.Info.ObjectOf(id).(*types.Var); ok && v.Kind() == types.LocalVar {
			return v
		}
	}
	return nil
}

// sized gives the declaration of a slice that begins empty the room for a loop.
func (u *Unit) sized(s inspector.Cursor, l *ast.RangeStmt, v *types.Var) *Change {
	obj := u.Root(l.X)
	if obj.Pos() >= s.Node().Pos() && obj.Parent() != u.Pkg.Scope() {
		return nil
	}
	length := "len(" + u.text(l.X) + ")"
	c := u.change(s.Node(), "give "+v.Name()+" room for "+length)
	value, ok := u.Given(s.Node(), v)
	switch n := s.Node().(type) {
	case *ast.AssignStmt:
		if !ok || n.Tok != token.DEFINE {
			return nil
		}
		switch e := value.(type) {
		case *ast.CompositeLit:
			if len(e.Elts) > 0 || e.Type == nil {
				return nil
			}
			c.replace(e.Pos(), e.End(), "make("+u.text(e.Type)+", 0, "+length+")")
			return c
		case *ast.CallExpr:
			if u.Builtin(e) != "make" || len(e.Args) != 2 || u.text(e.Args[1]) != "0" {
				return nil
			}
			c.insert(e.Args[1].End(), ", "+length)
			return c
		}
	case *ast.DeclStmt:
		pkg := u.pkg(n, "slices")
		if !ok || value != nil || pkg == "" || u.before(n, "go1.21") {
			return nil
		}
		spec := n.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		c.replace(n.Pos(), n.End(), v.Name()+" := "+pkg+".Grow("+u.text(spec.Type)+"(nil), "+length+")")
		c.needs(n, "slices")
		return c
	}
	return nil
}
