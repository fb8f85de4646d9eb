package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var mapHint = check("maphint", findMapHint, `report a map without a size that a loop over something of known length then fills

A map that grows to 1,000 entries takes 136 µs and 109 kB, one that was made for them 48 µs and 55 kB
(BenchmarkCost/maphint).

It counts only with heat: most such maps are small, and made rarely. Reported is a loop that adds an entry in each turn:
in a branch, or behind a continue, the length says too little. Not reported: maps that group (m[k] = append(m[k], v)),
loops that copy maps, which x/tools' mapsloop reports where the file is for Go 1.23 or later; loops over functions,
channels and constants.`)

func findMapHint(u *unit) {
	for cur, l := range each[*ast.RangeStmt](u) {
		if !u.hasLength(l.X) || u.shortLoop(cur) || l.Key == nil && l.Value == nil {
			continue
		}
		for _, s := range l.Body.List {
			if syntax.Leaves(s) {
				break // the rest may not run
			}
			if v := u.adds(s); v != nil && (u.before(cur, "go1.23") || !u.copiesMap(l, s)) {
				u.filled(cur, l, v)
				break
			}
		}
	}
}

// hasLength reports whether len of an expression costs nothing and is the number of turns of a loop over it.
func (u *unit) hasLength(e ast.Expr) bool {
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return u.Root(e) != nil && u.isCollection(e)
	}
	return false
}

// adds is the local map that a statement adds an entry to, or nil. A constant key is the same entry each time.
func (u *unit) adds(s ast.Stmt) *types.Var {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN {
		return nil
	}
	for _, lhs := range assign.Lhs {
		index, ok := lhs.(*ast.IndexExpr)
		if !ok || u.IsConstant(index.Index) || u.groups(assign, index) {
			continue
		}
		id, _ := index.X.(*ast.Ident)
		if v, ok := u.TypesInfo.Uses[id].(*types.Var); ok && v.Kind() == types.LocalVar && isPlainMap(v.Type()) {
			return v
		}
	}
	return nil
}

// groups reports whether an entry is made of itself, as in m[k] = append(m[k], v): several elements share one.
func (u *unit) groups(assign *ast.AssignStmt, entry *ast.IndexExpr) bool {
	return slices.ContainsFunc(assign.Rhs, func(rhs ast.Expr) bool {
		return some(rhs, func(n ast.Node) bool {
			e, ok := n.(*ast.IndexExpr)
			return ok && u.Same(e.X, entry.X)
		})
	})
}

func isPlainMap(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// copiesMap reports whether a loop's statement is m[k] = v for the loop's own k and v over a map.
func (u *unit) copiesMap(l *ast.RangeStmt, s ast.Stmt) bool {
	if !isPlainMap(u.TypesInfo.TypeOf(l.X)) || len(l.Body.List) != 1 {
		return false
	}
	assign := s.(*ast.AssignStmt)
	index := assign.Lhs[0].(*ast.IndexExpr)
	return l.Key != nil && l.Value != nil && u.Same(index.Index, l.Key) && u.Same(assign.Rhs[0], l.Value)
}

// filled reports the make of a map that a loop fills, when it is in the same list of statements and nothing else
// happens to the map between them.
func (u *unit) filled(cur inspector.Cursor, l *ast.RangeStmt, v *types.Var) {
	for s, ok := cur.PrevSibling(); ok; s, ok = s.PrevSibling() {
		if made, rhs := u.madeEmpty(s, v); made {
			u.report(rhs, "the map will have an entry for each element: make it with that size", u.sizeFix(s, rhs, l)...)
			return
		}
		if len(u.Uses(s, v)) > 0 {
			return
		}
	}
}

// madeEmpty reports whether a statement is v := make(map[K]V) or v := map[K]V{}, or with var or =, and what it assigns.
func (u *unit) madeEmpty(s inspector.Cursor, v *types.Var) (bool, ast.Expr) {
	rhs, _ := u.Given(s.Node(), v)
	switch e := rhs.(type) {
	case *ast.CallExpr:
		return u.Builtin(e) == "make" && len(e.Args) == 1, rhs
	case *ast.CompositeLit:
		return len(e.Elts) == 0 && isPlainMap(u.TypesInfo.TypeOf(e)), rhs
	}
	return false, nil
}

// sizeFix gives make the length of what the loop goes over, when that exists and is the same already at the make.
func (u *unit) sizeFix(s inspector.Cursor, rhs ast.Expr, l *ast.RangeStmt) []analysis.SuggestedFix {
	obj := u.Root(l.X)
	if _, ident := ast.Unparen(l.X).(*ast.Ident); !ident || obj == nil || obj.Pos() >= s.Node().Pos() {
		return nil // a field may be of a nil pointer, or change
	}
	for n := s; ; {
		next, ok := n.NextSibling()
		if !ok {
			return nil
		}
		if next.Node() == l {
			break
		}
		if u.Changes(next, obj) || next.ParentEdgeKind() != edge.BlockStmt_List {
			return nil
		}
		n = next
	}
	if obj.Parent() == u.Pkg.Scope() || u.captured(s, obj) {
		return nil
	}
	length := u.source(l.X)
	var edit analysis.TextEdit
	switch e := rhs.(type) {
	case *ast.CallExpr:
		edit = analysis.TextEdit{Pos: e.Args[0].End(), End: e.Args[0].End(), NewText: []byte(", len(" + length + ")")}
	case *ast.CompositeLit:
		edit = analysis.TextEdit{Pos: e.Pos(), End: e.End(),
			NewText: []byte("make(" + u.source(e.Type) + ", len(" + length + "))")}
	}
	if inner := u.Pkg.Scope().Innermost(rhs.Pos()); inner == nil {
		return nil
	} else if _, is := inner.LookupParent("len", rhs.Pos()); is != types.Universe.Lookup("len") {
		return nil
	} else if _, is := inner.LookupParent("make", rhs.Pos()); is != types.Universe.Lookup("make") {
		return nil
	}
	return []analysis.SuggestedFix{{Message: "Make the map with that size", TextEdits: []analysis.TextEdit{edit}}}
}

// captured reports whether a function literal around or beside a statement may change a variable in between.
func (u *unit) captured(s inspector.Cursor, obj types.Object) bool {
	f, ok := function(s)
	if !ok {
		return true
	}
	for lit := range f.Preorder((*ast.FuncLit)(nil)) {
		if lit != f && u.Changes(lit, obj) {
			return true
		}
	}
	return false
}
