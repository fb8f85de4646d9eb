package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var leakySender = check("leakysender", findLeakySender, `report a goroutine that sends its result on a channel without a buffer to a function that may have given up

When the receiver's select takes a timeout or a cancelled context, nobody ever receives: the goroutine, its stack and
all that it refers to stay for the life of the process, one more for each timeout. With room for what is sent, the send
ends.

Reported is a channel that a function makes without a buffer, on which its goroutines send outside of a select, and
which it receives from only in selects with another case that leaves, in loops that may return before the last was
received, or once while a loop starts the senders. Not reported: channels that are passed on to anything but a sender,
or received from anywhere else.`)

func findLeakySender(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if u.builtin(call) != "make" || !isChan(u.TypesInfo.TypeOf(call)) || !u.isUnbuffered(call) {
			continue
		}
		v := u.assigned(cur)
		f, ok := function(cur)
		if v == nil || !ok {
			continue
		}
		w := channelUse{unit: u, in: f}
		if !w.all(v) || len(w.sends) == 0 || !w.gaveUp && !w.takesOne() || w.plain > 1 || w.gaveUp && w.plain > 0 {
			continue
		}
		for _, send := range w.sends {
			u.report(send.Node(), "when the receiver has given up, this send waits for ever: make the channel with "+
				"room for all that is sent, or send in a select that gives up, too", w.fix(call)...)
		}
	}
}

// channelUse is what a function does with a channel that it made.
type channelUse struct {
	*unit
	in     inspector.Cursor
	sends  []inspector.Cursor // in its goroutines, where nothing else can happen
	gaveUp bool               // a select may leave without having received
	plain  int                // receives that wait for a sender, and run once
}

// takesOne reports whether a function starts several senders and receives once.
func (w *channelUse) takesOne() bool {
	for _, send := range w.sends {
		start := send
		if _, started := send.Node().(*ast.GoStmt); !started {
			start, _ = function(send)
		}
		if _, several := loop(start); several && w.plain == 1 {
			return true
		}
	}
	return false
}

// all looks at each use of the channel; false means that one is not understood, or that something else receives.
func (w *channelUse) all(v *types.Var) bool {
	for _, use := range w.uses(w.in, v) {
		switch p := use.Parent().Node().(type) {
		case *ast.SendStmt:
			if use.ParentEdgeKind() != edge.SendStmt_Chan || !w.inGoroutine(use) {
				return false
			}
			if use.Parent().ParentEdgeKind() != edge.CommClause_Comm {
				w.sends = append(w.sends, use.Parent())
			}
		case *ast.UnaryExpr:
			if p.Op != token.ARROW || !w.receive(use.Parent()) {
				return false
			}
		case *ast.RangeStmt:
			if f, ok := function(use); !ok || f != w.in || !w.returnsEarly(use.Parent()) {
				return false
			}
		case *ast.CallExpr:
			if _, started := use.Parent().Parent().Node().(*ast.GoStmt); started && w.sendsOn(p, use) {
				w.sends = append(w.sends, use.Parent().Parent())
			} else if w.builtin(p) != "close" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// sendsOn reports whether a function of the package that is started with a channel does nothing but send on it, and
// not in a select.
func (w *channelUse) sendsOn(call *ast.CallExpr, arg inspector.Cursor) bool {
	if arg.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	fn := w.callee(call)
	for d, decl := range each[*ast.FuncDecl](w.unit) {
		if fn == nil || w.TypesInfo.Defs[decl.Name] != fn.Origin() || fn.Signature().Variadic() {
			continue
		}
		uses := w.uses(d, fn.Origin().Signature().Params().At(arg.ParentEdgeIndex()))
		for _, use := range uses {
			if use.ParentEdgeKind() != edge.SendStmt_Chan || use.Parent().ParentEdgeKind() == edge.CommClause_Comm {
				return false
			}
		}
		return len(uses) > 0
	}
	return false
}

// inGoroutine reports whether a node is in a literal that the function starts with go.
func (w *channelUse) inGoroutine(cur inspector.Cursor) bool {
	f, ok := function(cur)
	if !ok || f == w.in || f.ParentEdgeKind() != edge.CallExpr_Fun {
		return false
	}
	g := f.Parent()
	_, started := g.Parent().Node().(*ast.GoStmt)
	owner, ok := function(g)
	return started && ok && owner == w.in
}

// receive reports whether a receive in the function itself may be the last: it is a case of a select of which another
// leaves the function, or in a loop that may return before all was received. Others wait for a sender, and are counted.
func (w *channelUse) receive(cur inspector.Cursor) bool {
	f, ok := function(cur)
	if !ok || f != w.in {
		return false
	}
	for up := range cur.Enclosing((*ast.CommClause)(nil)) {
		clause := up.Node().(*ast.CommClause)
		if clause.Comm == nil || clause.Comm.End() < cur.Node().End() {
			return false
		}
		for _, c := range up.Parent().Node().(*ast.BlockStmt).List {
			if other := c.(*ast.CommClause); other != clause && other.Comm != nil && w.leavesFor(other) {
				w.gaveUp = true
			}
		}
		return true
	}
	l, again := loop(cur)
	if !again {
		w.plain++
		return true
	}
	return w.returnsEarly(l)
}

// returnsEarly notes whether a loop that receives has a return.
func (w *channelUse) returnsEarly(l inspector.Cursor) bool {
	for c := range below[*ast.ReturnStmt](l) {
		if sameFunction(c, l) {
			w.gaveUp = true
			return true
		}
	}
	return false
}

// leavesFor reports whether a case ends the function, or goes on behind a select that is not in a loop.
func (w *channelUse) leavesFor(c *ast.CommClause) bool {
	if len(c.Body) == 0 {
		return false
	}
	_, ok := c.Body[len(c.Body)-1].(*ast.ReturnStmt)
	return ok
}

// fix gives the channel room for one value, where one goroutine sends one, as the last thing that it does.
func (w *channelUse) fix(call *ast.CallExpr) []analysis.SuggestedFix {
	if len(w.sends) != 1 || len(call.Args) != 1 {
		return nil
	}
	send := w.sends[0]
	if _, started := send.Node().(*ast.GoStmt); started {
		return nil
	}
	lit, _ := function(send)
	if _, again := loop(send); again || !isLast(body(lit), send.Node().(ast.Stmt)) {
		return nil
	}
	if _, again := loop(lit); again {
		return nil
	}
	at := call.Args[0].End()
	return []analysis.SuggestedFix{{
		Message:   "Make the channel with room for one value",
		TextEdits: []analysis.TextEdit{{Pos: at, End: at, NewText: []byte(", 1")}},
	}}
}

func isLast(b *ast.BlockStmt, s ast.Stmt) bool {
	return len(b.List) > 0 && b.List[len(b.List)-1] == s
}
