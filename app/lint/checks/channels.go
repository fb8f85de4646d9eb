package checks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// A room is what is known of a channel's buffer.
type room int

const (
	unknown    room = iota
	unbuffered      // every make of it is without a buffer
	buffered        // some make of it has a buffer, or may have
)

// rooms finds the buffers of the package's channels, by the variable or field that each make is assigned to.
func (u *unit) rooms() map[types.Object]room {
	all := make(map[types.Object]room)
	for cur, call := range each[*ast.CallExpr](u) {
		if u.Builtin(call) != "make" || !isChan(u.TypesInfo.TypeOf(call)) {
			continue
		}
		var obj types.Object
		switch p := cur.Parent().Node().(type) {
		case *ast.AssignStmt:
			if len(p.Lhs) == len(p.Rhs) {
				obj = u.Object(p.Lhs[cur.ParentEdgeIndex()])
			}
		case *ast.ValueSpec:
			if cur.ParentEdgeKind() == edge.ValueSpec_Values {
				obj = u.TypesInfo.Defs[p.Names[cur.ParentEdgeIndex()]]
			}
		case *ast.KeyValueExpr:
			obj = u.Object(p.Key)
		}
		switch {
		case obj == nil:
		case u.isUnbuffered(call):
			all[obj] = max(all[obj], unbuffered)
		default:
			all[obj] = buffered
		}
	}
	return all
}

func (u *unit) isUnbuffered(make *ast.CallExpr) bool {
	if len(make.Args) == 1 {
		return true
	}
	v := u.TypesInfo.Types[make.Args[1]].Value
	return v != nil && constant.Sign(v) == 0
}

func isChan(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Chan)
	return ok
}

var handoff = check("handoff", findHandoff, `report loops that send values one by one on a channel without a buffer

Each send waits until the receiver takes the value, and each receive until the sender has one: 130 ns of CPU a number,
52 ns with room for 16, 43 ns with room for 256 (docs/evidence/lab.md, "Channels with and without a buffer"). With a
buffer both go on; several values in one send save more.

It counts only with heat. Reported are channels that the package makes without a buffer only. Not reported: channels of
struct{}, error and bool, which are signals; values that have a channel for the answer; a select with default or with
another send; a turn that surely leaves the loop; and what runs once.`)

func findHandoff(u *unit) {
	rooms := u.rooms()
	for cur, s := range each[*ast.SendStmt](u) {
		if _, ok := u.turns(cur); ok && rooms[u.Object(s.Chan)] == unbuffered && !u.isSignal(s.Chan) && !mayPass(cur) &&
			!u.runsOnce(cur) {
			u.report(s, "each of these waits until the value is taken: give the channel a buffer, or send several at a time")
		}
	}
}

// isSignal reports whether a channel's values say only that something happened, or where to answer.
func (u *unit) isSignal(e ast.Expr) bool {
	c, ok := u.under(e).(*types.Chan)
	if !ok {
		return true
	}
	t := c.Elem()
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	switch t := t.Underlying().(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if isChan(f.Type()) {
				return true
			}
		}
		return t.NumFields() == 0
	case *types.Chan, *types.Signature:
		return true
	case *types.Basic:
		return t.Info()&types.IsBoolean != 0
	}
	return isError(t)
}

// mayPass reports whether a send is a case of a select that another case of can do without it.
func mayPass(cur inspector.Cursor) bool {
	return cur.ParentEdgeKind() == edge.CommClause_Comm &&
		slices.ContainsFunc(syntax.Others(cur.Parent()), func(other *ast.CommClause) bool {
			_, sends := other.Comm.(*ast.SendStmt)
			return other.Comm == nil || sends
		})
}

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
		if u.Builtin(call) != "make" || !isChan(u.TypesInfo.TypeOf(call)) || !u.isUnbuffered(call) {
			continue
		}
		f, v := u.Local(cur)
		w := channelUse{unit: u, in: f}
		if v == nil || !w.understood(v) || len(w.sends) == 0 || !w.gaveUp && !w.takesOne() || w.plain > 1 ||
			w.gaveUp && w.plain > 0 {
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

// understood looks at each use of the channel; false means that one is not understood, or that something else receives.
func (w *channelUse) understood(v *types.Var) bool {
	return w.All(w.in, v, func(use inspector.Cursor) bool {
		switch p := use.Parent().Node().(type) {
		case *ast.SendStmt:
			if use.Parent().ParentEdgeKind() != edge.CommClause_Comm {
				w.sends = append(w.sends, use.Parent())
			}
			return use.ParentEdgeKind() == edge.SendStmt_Chan && w.inGoroutine(use)
		case *ast.UnaryExpr:
			return p.Op == token.ARROW && w.receive(use.Parent())
		case *ast.RangeStmt:
			f, ok := function(use)
			return ok && f == w.in && w.returnsEarly(use.Parent())
		case *ast.CallExpr:
			start := use.Parent().Parent()
			if _, started := start.Node().(*ast.GoStmt); started && w.sendsOn(p, use) {
				w.sends = append(w.sends, start)
				return true
			}
			return w.Builtin(p) == "close"
		}
		return false
	})
}

// sendsOn reports whether a function of the package that is started with a channel does nothing but send on it, and
// not in a select.
func (w *channelUse) sendsOn(call *ast.CallExpr, arg inspector.Cursor) bool {
	fn := w.Callee(call)
	if arg.ParentEdgeKind() != edge.CallExpr_Args || fn == nil || fn.Signature().Variadic() {
		return false
	}
	for d, decl := range each[*ast.FuncDecl](w.unit) {
		if w.TypesInfo.Defs[decl.Name] == fn.Origin() {
			ch := fn.Origin().Signature().Params().At(arg.ParentEdgeIndex())
			return len(w.Uses(d, ch)) > 0 && w.All(d, ch, func(use inspector.Cursor) bool {
				return use.ParentEdgeKind() == edge.SendStmt_Chan &&
					use.Parent().ParentEdgeKind() != edge.CommClause_Comm
			})
		}
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
		for _, other := range syntax.Others(up) {
			_, leaves := syntax.Last(other.Body).(*ast.ReturnStmt)
			w.gaveUp = w.gaveUp || leaves && other.Comm != nil
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
	if _, again := loop(send); again || syntax.Last(body(lit).List) != send.Node() {
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

var selectSpin = check("selectspin", findSelectSpin, `report a loop over a select whose default does nothing that takes time

The loop asks its channels some ten million times a second and uses a core while nothing happens. Leave default out, and
select waits; or wait in it.

Reported is a default of nothing but continue, break of the select, counting, or runtime.Gosched. Not reported: an empty
one (staticcheck's SA5004), and one that calls anything else or leaves the loop.`)

func findSelectSpin(u *unit) {
	for _, l := range each[*ast.ForStmt](u) {
		if l.Cond != nil || len(l.Body.List) != 1 {
			continue
		}
		s, ok := l.Body.List[0].(*ast.SelectStmt)
		if !ok {
			continue
		}
		for _, c := range s.Body.List {
			if c := c.(*ast.CommClause); c.Comm == nil && len(c.Body) > 0 && u.idle(c.Body) {
				u.report(c, "this loop uses a whole core while nothing happens: leave default out, or wait in it")
			}
		}
	}
}

// idle reports whether statements take no time and stay in the loop.
func (u *unit) idle(list []ast.Stmt) bool {
	return !slices.ContainsFunc(list, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.BranchStmt:
			return s.Label != nil || s.Tok != token.CONTINUE && s.Tok != token.BREAK
		case *ast.IncDecStmt:
			return false
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			return !ok || !isFunc(u.Callee(call), "runtime", "Gosched")
		}
		return true
	})
}
