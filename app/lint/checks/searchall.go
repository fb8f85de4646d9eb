package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var searchAll = check("searchall", findSearchAll, `report loops over all of a kept slice or map that look for what matches

A look-up that walks what a service keeps takes as long as that is: a map by what is compared, or a sorted slice, takes
the same however much is kept.

It counts only with heat, by the CPU of walking and comparing. Reported are ranges over a map of a field, over a slice of
what has a mutex beside it, so that many use it, over a package variable, or an element of one, whose turns do nothing but
compare something of the element with a parameter or a variable from outside of the loop, and leave, or act, where it
matches. Not reported: the parts of one item, which are a handful; what only sums, sorts or writes all of it; conditions that
know nothing but the element, that ask whether all of them hold, that match patterns or parts of texts, which no index
finds, or that do work under a context; and what runs once.`)

func findSearchAll(u *unit) {
	for cur, l := range each[*ast.RangeStmt](u) {
		f, ok := function(cur)
		if !ok || !u.isKept(l.X) || u.runsOnce(cur) {
			continue
		}
		cond, leaves := u.onlyCompares(l)
		if cond == nil || leaves && isNegated(cond) || u.beyondIndex(cond) || !u.asksOutside(cond, l, f) {
			continue
		}
		name := types.ExprString(l.X)
		message := "all of " + name + " is compared at each call, for those that match: keep an index by what is compared"
		if leaves {
			message = "this walks " + name + " to what matches at each call: keep an index by what is compared"
		}
		u.Report(analysis.Diagnostic{Pos: l.Pos(), End: cond.End(), Category: u.Analyzer.Name, Message: message})
	}
}

// isKept reports whether an expression is a slice or a map that outlives the call and may have many elements: a map in a
// field, a slice in what is guarded by a mutex, a package variable, or an element of one.
func (u *unit) isKept(e ast.Expr) bool {
	if !u.isCollection(e) {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return u.ofPackage(e)
	case *ast.SelectorExpr:
		_, isVar := u.TypesInfo.Uses[e.Sel].(*types.Var)
		return isVar && (isPlainMap(u.TypesInfo.TypeOf(e)) || isGuarded(u.TypesInfo.TypeOf(e.X)))
	case *ast.IndexExpr:
		return u.isKept(e.X)
	}
	return false
}

// isGuarded reports whether a struct has a mutex.
func isGuarded(t types.Type) bool {
	if t == nil {
		return false
	}
	s, ok := deref(t).Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool {
		return isAny(f.Type(), "sync.Mutex", "sync.RWMutex")
	})
}

// onlyCompares is the condition of a loop that does nothing but compare its elements, and act or leave where one matches;
// nil for any other.
func (u *unit) onlyCompares(l *ast.RangeStmt) (cond ast.Expr, leaves bool) {
	for i, s := range l.Body.List {
		switch s := s.(type) {
		case *ast.AssignStmt:
			if s.Tok != token.DEFINE {
				return nil, false
			}
		case *ast.ExprStmt: // a lock of the element
			call, ok := s.X.(*ast.CallExpr)
			if !ok || !isMutex(u.Callee(call), "Lock", "RLock", "Unlock", "RUnlock") {
				return nil, false
			}
		case *ast.IfStmt:
			if cond != nil || s.Else != nil {
				return nil, false
			}
			cond = s.Cond
			leaves = endsLoop(s.Body)
			if len(s.Body.List) == 1 && isBranch(s.Body.List[0], token.CONTINUE) && i < len(l.Body.List)-1 {
				return ast.Unparen(cond), false // whatever follows acts
			}
		default:
			return nil, false
		}
	}
	return cond, leaves
}

// isNegated reports whether a condition holds where something does not.
func isNegated(e ast.Expr) bool {
	not, ok := ast.Unparen(e).(*ast.UnaryExpr)
	return ok && not.Op == token.NOT
}

// beyondIndex reports whether a condition calls what no index answers: patterns, parts of texts, or work, which what takes
// a context is.
func (u *unit) beyondIndex(e ast.Expr) bool {
	return some(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return false
		}
		fn := u.Callee(call)
		return len(call.Args) > 0 && isNamed(u.TypesInfo.TypeOf(call.Args[0]), "context", "Context") ||
			fn != nil && slices.ContainsFunc(words(fn.Name()), func(w string) bool {
				return slices.Contains([]string{"match", "matches", "glob", "regexp", "contains", "index"}, w)
			})
	})
}

// endsLoop reports whether a block ends in a return or a break.
func endsLoop(b *ast.BlockStmt) bool {
	last := syntax.Last(b.List)
	_, returns := last.(*ast.ReturnStmt)
	return returns || isBranch(last, token.BREAK)
}

func isBranch(s ast.Stmt, how token.Token) bool {
	b, ok := s.(*ast.BranchStmt)
	return ok && b.Tok == how
}

// asksOutside reports whether a condition compares something of the loop's element with a variable of the function from
// outside of the loop.
func (u *unit) asksOutside(cond ast.Expr, l *ast.RangeStmt, f inspector.Cursor) bool {
	var element, outside bool
	ast.Inspect(cond, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := u.TypesInfo.Uses[id].(*types.Var)
		switch {
		case !ok || v.IsField():
		case within(l, v.Pos()):
			element = true
		case within(f.Node(), v.Pos()) && !isReceiver(u.Signature(f), v) && !isError(v.Type()):
			outside = true
		}
		return true
	})
	return element && outside && !u.comparesLength(cond)
}

func isReceiver(sig *types.Signature, v *types.Var) bool { return sig != nil && sig.Recv() == v }

// comparesLength reports whether a condition orders numbers and no more: no index answers what is larger.
func (u *unit) comparesLength(cond ast.Expr) bool {
	e, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && slices.Contains([]token.Token{token.LSS, token.GTR, token.LEQ, token.GEQ}, e.Op)
}
