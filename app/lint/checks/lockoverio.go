package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var lockOverIO = &analysis.Analyzer{
	Name: "lockoverio",
	Doc: `report calls that wait for a network, a database, a disk, a process or other goroutines while a mutex is held

Everyone who wants the mutex waits as long as the slowest such call takes: a lock of 50 ns becomes one of 50 ms, and a
service of a thousand requests a second does twenty. Take what is needed under the lock, unlock, and do the waiting
outside.

Related names the Lock, at which others wait. A function of the same package counts as waiting when it surely does: not
in a branch or a loop of its own. Sends count on channels that the package makes without a buffer only, receives and
select without default always; but not what takes the last value of a timer.

Not reported: writes to files and connections, which a mutex often keeps whole; sync.Cond; what clears up after an
error; waiting for one's goroutines to end in Close, Stop and the like; what runs once; calls behind interfaces and in
other packages, except the standard library's, gRPC's and go-redis'.`,
	Requires: needs,
	Run:      over(findLockOverIO),
}

func findLockOverIO(u *unit) {
	w := &lockWalk{unit: u, known: u.summaries(), rooms: u.rooms()}
	for cur, d := range each[*ast.FuncDecl](u) {
		if d.Body != nil && !u.runsOnce(cur.ChildAt(edge.FuncDecl_Body, -1)) {
			w.stops = isStop(d.Name.Name)
			w.list(d.Body.List, held{})
		}
	}
	for cur, f := range each[*ast.FuncLit](u) {
		if isStatement(cur) {
			continue // called where it stands: walked with what is held there
		}
		if d := declaration(cur); d == nil || !u.runsOnce(cur) {
			w.stops = d != nil && isStop(d.Name.Name)
			w.list(f.Body.List, held{})
		}
	}
}

// isStatement reports whether a literal is called at once, and nothing is done with the result.
func isStatement(lit inspector.Cursor) bool {
	_, alone := lit.Parent().Parent().Node().(*ast.ExprStmt)
	return alone && lit.ParentEdgeKind() == edge.CallExpr_Fun
}

// isStop reports whether a function's name says that it ends something.
func isStop(name string) bool {
	w := words(name)
	return len(w) > 0 && slices.Contains([]string{"stop", "close", "end", "cancel", "disconnect", "release"}, w[0])
}

// held has the Lock of each mutex that is held, by the mutex's name in the source.
type held map[string]*ast.CallExpr

// both keeps what is held on two ways that meet.
func both(a, b held) held {
	out := held{}
	for k, lock := range a {
		if b[k] != nil {
			out[k] = lock
		}
	}
	return out
}

// A lockWalk follows the statements of a function with what they hold.
type lockWalk struct {
	*unit
	known map[*types.Func]reason
	rooms map[types.Object]room
	quiet int  // above 0, nothing is reported
	stops bool // the function ends something: it may wait for its goroutines
}

// list walks statements, and answers what is held behind them; ends means that nothing comes behind them.
func (w *lockWalk) list(list []ast.Stmt, h held) (after held, ends bool) {
	for _, s := range list {
		if h, ends = w.stmt(s, h); ends {
			return h, true
		}
	}
	return h, false
}

func (w *lockWalk) stmt(s ast.Stmt, h held) (after held, ends bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		return w.expr(s, h)
	case *ast.BlockStmt:
		return w.list(s.List, h)
	case *ast.LabeledStmt:
		return w.stmt(s.Stmt, h)
	case *ast.ReturnStmt, *ast.BranchStmt:
		w.look(s, h)
		return h, true
	case *ast.GoStmt, *ast.DeferStmt:
		return h, false
	case *ast.SendStmt:
		w.send(s, h)
	case *ast.IfStmt:
		return w.branches(s, h)
	case *ast.ForStmt:
		if s.Init != nil {
			w.look(s.Init, h)
		}
		if s.Cond != nil {
			w.look(s.Cond, h)
		}
		return w.inner(h, true, s.Body.List), s.Cond == nil && !leaves(s.Body)
	case *ast.RangeStmt:
		w.look(s.X, h)
		if isChan(w.TypesInfo.TypeOf(s.X)) && !w.stops {
			w.complain(s.X, h, "ranges over a channel")
		}
		return w.inner(h, true, s.Body.List), false
	case *ast.SwitchStmt:
		if s.Tag != nil {
			w.look(s.Tag, h)
		}
		return w.inner(h, true, clauses(s.Body)...), false
	case *ast.TypeSwitchStmt:
		return w.inner(h, true, clauses(s.Body)...), false
	case *ast.SelectStmt:
		if !hasDefault(s) && !w.stops {
			w.complain(keyword{s.Select, "select"}, h, "waits in a select")
		}
		return w.inner(h, false, clauses(s.Body)...), false
	default:
		w.look(s, h)
	}
	return h, false
}

// expr walks a call that stands alone: Lock, Unlock, panic or another.
func (w *lockWalk) expr(s *ast.ExprStmt, h held) (after held, ends bool) {
	call, ok := ast.Unparen(s.X).(*ast.CallExpr)
	if !ok {
		w.look(s, h)
		return h, false
	}
	fn := w.callee(call)
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch lit, isLit := ast.Unparen(call.Fun).(*ast.FuncLit); {
	case sel != nil && isMutex(fn, "Lock", "RLock"):
		h = maps.Clone(h)
		h[types.ExprString(sel.X)] = call
	case sel != nil && isMutex(fn, "Unlock", "RUnlock"):
		h = maps.Clone(h)
		delete(h, types.ExprString(sel.X))
	case isLit:
		w.list(lit.Body.List, h)
	case w.builtin(call) == "panic" || isFunc(fn, "os", "Exit"):
		return h, true
	default:
		w.look(s, h)
	}
	return h, false
}

func (w *lockWalk) branches(s *ast.IfStmt, h held) (after held, ends bool) {
	if s.Init != nil {
		h, _ = w.stmt(s.Init, h)
	}
	w.look(s.Cond, h)
	if w.asksError(s.Cond) {
		w.quiet++ // what went wrong is cleared up: that is rare
	}
	then, thenEnds := w.list(s.Body.List, h)
	if w.asksError(s.Cond) {
		w.quiet--
	}
	other, otherEnds := h, false
	if s.Else != nil {
		other, otherEnds = w.stmt(s.Else, h)
	}
	switch {
	case thenEnds:
		return other, otherEnds
	case otherEnds:
		return then, false
	}
	return both(then, other), false
}

// inner walks blocks of which one runs, or none when that is possible, and answers what is held after any of them.
func (w *lockWalk) inner(h held, none bool, blocks ...[]ast.Stmt) held {
	var out held
	if none {
		out = h
	}
	for _, b := range blocks {
		after, ends := w.list(b, h)
		switch {
		case ends && !jumps(b):
		case out == nil:
			out = after
		default:
			out = both(out, after)
		}
	}
	if out == nil {
		return h
	}
	return out
}

// jumps reports whether statements end in break or continue: they go on behind the block, and not out of the function.
func jumps(list []ast.Stmt) bool {
	_, ok := list[len(list)-1].(*ast.BranchStmt)
	return ok
}

func clauses(b *ast.BlockStmt) (all [][]ast.Stmt) {
	for _, c := range b.List {
		switch c := c.(type) {
		case *ast.CaseClause:
			all = append(all, c.Body)
		case *ast.CommClause:
			all = append(all, c.Body)
		}
	}
	return all
}

func hasDefault(s *ast.SelectStmt) bool {
	for _, c := range s.Body.List {
		if c.(*ast.CommClause).Comm == nil {
			return true
		}
	}
	return false
}

// look complains of what blocks in a statement or an expression without blocks of its own.
func (w *lockWalk) look(n ast.Node, h held) {
	if len(h) == 0 {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && !w.isTimer(n.X) && !w.isDone(n.X) && !w.stops {
				w.complain(n, h, "receives from a channel")
			}
		case *ast.CallExpr:
			if why, ok := w.whyBlocks(n, w.known); ok && !(w.stops && why.does == waitsForGoroutines) {
				does := why.does
				if why.via != "" {
					does = fmt.Sprintf("calls %s, which %s,", why.via, why.does)
				}
				w.complain(n, h, does)
			}
		}
		return true
	})
}

// isTimer reports whether a channel is that of a timer: <-t.C after Stop does not wait.
func (w *lockWalk) isTimer(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && isNamed(w.TypesInfo.TypeOf(sel.X), "time", "Timer")
}

// isDone reports whether a channel is a context's: who waits for that under a lock wants the others to wait, too.
func (w *lockWalk) isDone(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := w.callee(call)
	return fn != nil && fn.Name() == "Done" && fn.Pkg() != nil && fn.Pkg().Path() == "context"
}

func (w *lockWalk) send(s *ast.SendStmt, h held) {
	w.look(s.Value, h)
	if w.rooms[w.named(s.Chan)] == unbuffered {
		w.complain(s, h, "sends on a channel without a buffer")
	}
}

func (w *lockWalk) complain(at analysis.Range, h held, does string) {
	name := ""
	for n := range h { // the outermost, or the first by name: several are rare
		if name == "" || h[n].Pos() < h[name].Pos() {
			name = n
		}
	}
	if name == "" || w.quiet > 0 {
		return
	}
	lock := h[name]
	w.Report(analysis.Diagnostic{
		Pos: at.Pos(), End: at.End(), Category: w.Analyzer.Name,
		Message: fmt.Sprintf("this %s while %s is held, since line %d: take what is needed, unlock, then wait",
			does, name, w.Fset.Position(lock.Pos()).Line),
		Related: []analysis.RelatedInformation{{Pos: lock.Pos(), End: lock.End(), Message: "others wait here for " + name}},
	})
}

// A keyword is the range of a word of the language.
type keyword struct {
	at   token.Pos
	word string
}

func (k keyword) Pos() token.Pos { return k.at }
func (k keyword) End() token.Pos { return k.at + token.Pos(len(k.word)) }
