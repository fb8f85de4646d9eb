package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"

	"github.com/gocasebook/casebook/app/syntax"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var lockOverIO = check("lockoverio", findLockOverIO, `report calls that wait for a network, a database, a disk, a process or other goroutines while a mutex is held

Everyone who wants the mutex waits as long as the slowest such call takes: a lock of 50 ns becomes one of 50 ms, and a
service of a thousand requests a second does twenty. Take what is needed under the lock, unlock, and do the waiting
outside.

Related is from the Lock, at which others wait, to the Unlock, which mutex profiles blame. A function of the same
package counts as waiting when it surely does: not in a branch or a loop of its own. Sends count on channels that the package makes without a buffer only, receives and
select without default always; but not what takes the last value of a timer.

Not reported: writes to files and connections, which a mutex often keeps whole; sync.Cond; what clears up after an
error; waiting for one's goroutines to end in Close, Stop and the like; what runs once; calls behind interfaces and in
other packages, except the standard library's, gRPC's and go-redis'.`)

func findLockOverIO(u *unit) {
	w := &lockWalk{unit: u, known: u.summaries(), rooms: u.rooms()}
	for cur, d := range each[*ast.FuncDecl](u) {
		if d.Body != nil && !u.runsOnce(cur.ChildAt(edge.FuncDecl_Body, -1)) {
			w.stops = isStop(d.Name.Name)
			w.walk(d.Body)
		}
	}
	for cur, f := range each[*ast.FuncLit](u) {
		if isStatement(cur) {
			continue // called where it stands: walked with what is held there
		}
		if d := declaration(cur); d == nil || !u.runsOnce(cur) {
			w.stops = d != nil && isStop(d.Name.Name)
			w.walk(f.Body)
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

// look complains of what blocks in a statement or an expression without blocks of its own.
func (w *lockWalk) look(n ast.Node, h syntax.Held) {
	if len(h) == 0 {
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.UnaryExpr:
			if n.Op == token.ARROW && w.works == nil && !w.isTimer(n.X) && !w.isDone(n.X) && !w.stops {
				w.complain(n, h, "receives from a channel")
			}
		case *ast.CallExpr:
			if why, ok := w.why(n); ok && !(w.stops && why.does == waitsForGoroutines) {
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

// why says what a call does for long: it waits, or computes where that is asked for.
func (w *lockWalk) why(call *ast.CallExpr) (reason, bool) {
	if w.works != nil {
		return w.computes(call, w.works)
	}
	return w.whyBlocks(call, w.known)
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

func (w *lockWalk) send(s *ast.SendStmt, h syntax.Held) {
	w.look(s.Value, h)
	if w.works == nil && w.rooms[w.named(s.Chan)] == unbuffered {
		w.complain(s, h, "sends on a channel without a buffer")
	}
}

func (w *lockWalk) complain(at analysis.Range, h syntax.Held, does string) {
	name := ""
	for n := range h { // the outermost, or the first by name: several are rare
		if name == "" || h[n].At.Pos() < h[name].At.Pos() {
			name = n
		}
	}
	if name == "" || w.quiet > 0 {
		return
	}
	lock := h[name].At
	then := "take what is needed, unlock, then wait"
	_, walks := at.(*ast.RangeStmt)
	switch {
	case walks:
		then = "keep an index of what it looks for, or copy it and unlock before the work"
	case w.works != nil:
		then = "take what is needed, unlock, then do it, or do it before"
	}
	w.Report(analysis.Diagnostic{
		Pos: at.Pos(), End: at.End(), Category: w.Analyzer.Name,
		// Without the Lock's line: a baseline must know the message again when lines move.
		Message: fmt.Sprintf("this %s while %s is held: %s", does, name, then),
		Related: []analysis.RelatedInformation{{Pos: lock.Pos(), End: w.until(name, lock), Message: name + " is held here"}},
	})
}

// A keyword is the range of a word of the language.
type keyword struct {
	at   token.Pos
	word string
}

func (k keyword) Pos() token.Pos { return k.at }
func (k keyword) End() token.Pos { return k.at + token.Pos(len(k.word)) }
