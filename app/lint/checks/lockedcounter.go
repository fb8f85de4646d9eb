package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var lockedCounter = check("lockedcounter", findLockedCounter, `report locks that are taken for one number alone, where an atomic number does

A mutex takes 11 ns alone and 30 ns with seven others, atomic.Add 5 and 8 ns (docs/evidence/lab.md, "A mutex against
compare-and-swap"). Make the field an atomic.Int64 or its like, and leave the lock out.

It counts only with heat. Reported are sections that change or read one integer or bool, when every use of it in the
package is such a section: then the lock keeps nothing else together with it. Not reported: exported fields, numbers that
a longer section uses, too, and what only set-up code changes. A loop of CompareAndSwap is not suggested: with two
goroutines it loses to the mutex.`)

// A section is a Lock, one operation on a number, and the Unlock.
type section struct {
	lock   *ast.CallExpr
	writes bool
}

func findLockedCounter(u *unit) {
	sections := make(map[*types.Var][]section)
	within := make(map[*ast.Ident]bool) // uses of the numbers in sections
	for cur, b := range each[*ast.BlockStmt](u) {
		for i := range b.List {
			u.section(cur, b.List[i:], func(v *types.Var, s section, ids []*ast.Ident) {
				sections[v] = append(sections[v], s)
				for _, id := range ids {
					within[id] = true
				}
			})
		}
	}
	for cur, id := range each[*ast.Ident](u) {
		v, ok := u.TypesInfo.Uses[id].(*types.Var)
		if ok && len(sections[v.Origin()]) > 0 && !within[id] && cur.ParentEdgeKind() != edge.KeyValueExpr_Key {
			delete(sections, v.Origin())
		}
	}
	for _, list := range sections {
		written := false
		for _, s := range list {
			written = written || s.writes
		}
		for _, s := range list {
			if written {
				u.report(s.lock, "this lock is for one number: an atomic one does without it")
			}
		}
	}
}

// section looks whether statements begin with a section, and tells of it.
func (u *unit) section(cur inspector.Cursor, list []ast.Stmt, tell func(*types.Var, section, []*ast.Ident)) {
	lock, mutex := u.lockCall(list[0], "Lock", "RLock")
	if mutex == "" || len(list) < 3 {
		return
	}
	var ops []ast.Stmt
	if d, ok := list[1].(*ast.DeferStmt); ok {
		if _, whole := cur.Parent().Node().(*ast.FuncDecl); !whole || u.mutexOf(d.Call, "Unlock", "RUnlock") != mutex {
			return
		}
		ops = list[2:]
	} else {
		if _, unlocked := u.lockCall(list[2], "Unlock", "RUnlock"); unlocked != mutex {
			return
		}
		ops = list[1:2]
	}
	if len(ops) > 2 {
		return
	}
	var v *types.Var
	s := section{lock: lock}
	var ids []*ast.Ident
	for _, op := range ops {
		e, writes := u.operation(op)
		field, ok := u.Object(e).(*types.Var)
		if !ok || field.Exported() || v != nil && v != field || !isNumber(field.Type()) {
			return
		}
		v, s.writes = field, s.writes || writes
		ast.Inspect(op, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && syntax.Origin(u.TypesInfo.Uses[id]) == types.Object(field) {
				ids = append(ids, id)
			}
			return true
		})
	}
	if v != nil && (v.IsField() || v.Parent() == u.Pkg.Scope()) {
		tell(v, s, ids)
	}
}

// lockCall is a statement's call of one of these methods of a mutex, and the mutex's name in the source.
func (u *unit) lockCall(s ast.Stmt, names ...string) (*ast.CallExpr, string) {
	if e, ok := s.(*ast.ExprStmt); ok {
		if call, ok := e.X.(*ast.CallExpr); ok {
			return call, u.mutexOf(call, names...)
		}
	}
	return nil, ""
}

// operation is the number that a statement changes or reads, and whether it changes it. Nothing is called meanwhile.
func (u *unit) operation(s ast.Stmt) (number ast.Expr, writes bool) {
	if some(s, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && !u.TypesInfo.Types[call.Fun].IsType()
	}) {
		return nil, false
	}
	switch s := s.(type) {
	case *ast.IncDecStmt:
		return s.X, true
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
			return nil, false
		}
		switch s.Tok {
		case token.DEFINE:
			return s.Rhs[0], false
		case token.ASSIGN:
			if v, ok := u.Object(s.Lhs[0]).(*types.Var); ok && !v.IsField() && v.Parent() != u.Pkg.Scope() {
				return s.Rhs[0], false // into a local variable
			}
			return s.Lhs[0], true
		case token.ADD_ASSIGN, token.SUB_ASSIGN, token.OR_ASSIGN, token.AND_ASSIGN:
			return s.Lhs[0], true
		}
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			return s.Results[0], false
		}
	}
	return nil, false
}

func isNumber(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsInteger|types.IsBoolean) != 0
}
