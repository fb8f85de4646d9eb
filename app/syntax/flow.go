package syntax

import (
	"go/ast"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// A Flow follows the ways through the statements of a function, with a state of what has happened on the way: what is
// held, or whether something that was begun is ended.
type Flow[S any] struct {
	// Step gets each statement that has no block of its own. ends means that nothing comes behind it; of return, break
	// and the like that is known.
	Step func(s ast.Stmt, at S) (after S, ends bool)
	// See gets each for, range and select before its blocks, and conditions and what is ranged over or chosen by.
	See func(n ast.Node, at S)
	// Join is the state where two ways meet.
	Join func(a, b S) S
	// Skip reports whether the block of a condition is no way; nil: none.
	Skip func(s *ast.IfStmt, at S) bool
	// Then is called before the block that runs if a condition is true, and what it returns behind it; it may be nil.
	Then func(s *ast.IfStmt) (behind func())
	// Turn is the state behind a loop by that before it and that behind its body; nil: where these two meet.
	Turn func(loop ast.Stmt, before, after S, ends bool) S
	// Comms has Step get what a case of a select sends or receives, too.
	Comms bool
}

// List walks statements, and answers the state behind them; ends means that nothing comes behind them.
func (w *Flow[S]) List(list []ast.Stmt, at S) (after S, ends bool) {
	for _, s := range list {
		if at, ends = w.stmt(s, at); ends {
			return at, true
		}
	}
	return at, false
}

func (w *Flow[S]) stmt(s ast.Stmt, at S) (after S, ends bool) {
	switch s := s.(type) {
	case *ast.BlockStmt:
		return w.List(s.List, at)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, at)
	case *ast.ReturnStmt, *ast.BranchStmt:
		at, _ = w.Step(s, at)
		return at, true
	case *ast.IfStmt:
		return w.branches(s, at)
	case *ast.ForStmt:
		w.See(s, at)
		w.seeStmts(at, s.Init, s.Post)
		if s.Cond != nil {
			w.See(s.Cond, at)
		}
		return w.turns(s, s.Body, at), s.Cond == nil && !Leaves(s.Body)
	case *ast.RangeStmt:
		w.See(s, at)
		w.See(s.X, at)
		return w.turns(s, s.Body, at), false
	case *ast.SwitchStmt:
		w.seeStmts(at, s.Init)
		if s.Tag != nil {
			w.See(s.Tag, at)
		}
		return w.cases(s.Body, at, true)
	case *ast.TypeSwitchStmt:
		return w.cases(s.Body, at, true)
	case *ast.SelectStmt:
		w.See(s, at)
		return w.cases(s.Body, at, false)
	}
	return w.Step(s, at)
}

func (w *Flow[S]) seeStmts(at S, stmts ...ast.Stmt) {
	for _, s := range stmts {
		if s != nil {
			w.See(s, at)
		}
	}
}

func (w *Flow[S]) branches(s *ast.IfStmt, at S) (after S, ends bool) {
	if s.Init != nil {
		at, _ = w.stmt(s.Init, at)
	}
	other, otherEnds := at, false
	if w.Skip != nil && w.Skip(s, at) {
		if s.Else != nil {
			return w.stmt(s.Else, at)
		}
		return at, false
	}
	w.See(s.Cond, at)
	behind := func() {}
	if w.Then != nil {
		behind = w.Then(s)
	}
	then, thenEnds := w.List(s.Body.List, at)
	behind()
	if s.Else != nil {
		other, otherEnds = w.stmt(s.Else, at)
	}
	switch {
	case thenEnds:
		return other, otherEnds
	case otherEnds:
		return then, false
	}
	return w.Join(then, other), false
}

// turns walks a loop's body, which may run no time.
func (w *Flow[S]) turns(s ast.Stmt, body *ast.BlockStmt, at S) S {
	after, ends := w.List(body.List, at)
	switch {
	case w.Turn != nil:
		return w.Turn(s, at, after, ends)
	case ends && !Jumps(body.List):
		return at
	}
	return w.Join(at, after)
}

// cases walks the clauses of a switch or a select, of which one runs, or none where that is possible.
func (w *Flow[S]) cases(body *ast.BlockStmt, at S, none bool) (S, bool) {
	out, any := at, none
	for _, c := range body.List {
		in := at
		if comm, ok := c.(*ast.CommClause); ok && w.Comms && comm.Comm != nil {
			in, _ = w.Step(comm.Comm, at)
		}
		after, ends := w.List(List(c), in)
		switch {
		case ends && !Jumps(List(c)):
		case any:
			out = w.Join(out, after)
		default:
			out, any = after, true
		}
	}
	return out, !any && len(body.List) > 0
}

// Jumps reports whether statements end in break or continue: they go on behind the block, and not out of the function.
func Jumps(list []ast.Stmt) bool {
	_, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok
}

// Last is the last of some statements; nil without any.
func Last(list []ast.Stmt) ast.Stmt {
	if len(list) == 0 {
		return nil
	}
	return list[len(list)-1]
}

// Others are the clauses of a select beside one of its.
func Others(clause inspector.Cursor) (all []*ast.CommClause) {
	for _, c := range clause.Parent().Node().(*ast.BlockStmt).List {
		if c != clause.Node() {
			all = append(all, c.(*ast.CommClause))
		}
	}
	return all
}

// Clauses are the bodies of a switch or a select.
func Clauses(b *ast.BlockStmt) (all [][]ast.Stmt) {
	for _, c := range b.List {
		all = append(all, List(c))
	}
	return all
}

// List are the statements of a block, or of a clause of a switch or a select; nil for other nodes.
func List(n ast.Node) []ast.Stmt {
	switch n := n.(type) {
	case *ast.BlockStmt:
		return n.List
	case *ast.CaseClause:
		return n.Body
	case *ast.CommClause:
		return n.Body
	}
	return nil
}

// HasDefault reports whether a select does not wait.
func HasDefault(s *ast.SelectStmt) bool {
	return slices.ContainsFunc(s.Body.List, func(c ast.Stmt) bool { return c.(*ast.CommClause).Comm == nil })
}

// Leaves reports whether a return, a break, a continue or a goto is in a node.
func Leaves(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.BranchStmt:
			found = true
		}
		return !found
	})
	return found
}
