package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var unboundedGo = check("unboundedgo", findUnboundedGo, `report goroutines that a loop starts for each message or each element, with nothing that bounds how many run

A goroutine costs 2 kB and a microsecond, but what it does costs more: a thousand at once are a thousand connections,
queries or buffers. When what they wait for gets slow, their number grows with the load until memory or the other side
gives up.

Reported are loops that receive from a channel, and loops over a slice or a map whose goroutines themselves wait for a
network, a database or a disk. Not reported: loops that acquire something (a send to a channel, Acquire, Wait), or whose
group has a limit (SetLimit); loops that accept connections, over a fixed number, over ticks and signals; what runs
once.`)

func findUnboundedGo(u *unit) {
	known := u.surely(blocking)
	for cur, call := range each[*ast.CallExpr](u) {
		start, ok := u.starts(cur, call)
		if !ok || u.runsOnce(start) {
			continue
		}
		l, ok := loop(start)
		if !ok || u.bounded(l, start) {
			continue
		}
		switch kind := u.fed(l); {
		case kind == fromChannel:
			u.report(start.Node(), "a goroutine for each message, however many come: bound them with a semaphore or "+
				"a fixed number of workers")
		case kind == fromData && u.waits(call, known):
			u.report(start.Node(), "a goroutine for each element, however many there are, and each waits for something "+
				"outside: bound them (errgroup's SetLimit, a semaphore, a fixed number of workers)")
		}
	}
}

// starts is the node that starts a goroutine of a call, if it is one: go f(), or g.Go(f).
func (u *unit) starts(cur inspector.Cursor, call *ast.CallExpr) (inspector.Cursor, bool) {
	if cur.ParentEdgeKind() == edge.GoStmt_Call {
		return cur.Parent(), true
	}
	return cur, u.Callee(call) != nil && u.Callee(call).Name() == "Go" && rowOf(runners, u.Callee(call)) != nil
}

// What a loop runs for.
type feed int

const (
	fixed feed = iota
	fromChannel
	fromData
)

func (u *unit) fed(l inspector.Cursor) feed {
	switch l := l.Node().(type) {
	case *ast.RangeStmt:
		switch t := u.under(l.X).(type) {
		case *types.Chan:
			return u.messages(t)
		case *types.Slice, *types.Map:
			return u.data(l.X)
		}
	case *ast.ForStmt:
		if l.Cond != nil || l.Post != nil {
			return fixed
		}
		for _, s := range l.Body.List {
			if t := u.received(s); t != nil {
				return u.messages(t)
			}
		}
	}
	return fixed
}

// data reports whether a slice or map may have any number of elements: it is a parameter or comes from a call. A field
// or a package variable is mostly configuration.
func (u *unit) data(e ast.Expr) feed {
	id, named := ast.Unparen(e).(*ast.Ident)
	if _, call := ast.Unparen(e).(*ast.CallExpr); call || named && !u.ofPackage(id) {
		return fromData
	}
	return fixed
}

// messages leaves out channels of ticks, signals and the empty struct, which is a signal as well.
func (u *unit) messages(c *types.Chan) feed {
	if isAny(c.Elem(), "time.Time", "os.Signal") || isEmptyChan(c) {
		return fixed
	}
	return fromChannel
}

// received is the channel that a statement receives a value from.
func (u *unit) received(s ast.Stmt) *types.Chan {
	assign, ok := s.(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 {
		return nil
	}
	r, ok := ast.Unparen(assign.Rhs[0]).(*ast.UnaryExpr)
	if !ok || r.Op != token.ARROW {
		return nil
	}
	c, _ := u.under(r.X).(*types.Chan)
	return c
}

// bounded reports whether something in the function holds the loop back, or bounds the group that starts.
func (u *unit) bounded(l, start inspector.Cursor) bool {
	for c, send := range below[*ast.SendStmt](l) {
		if send.Pos() < start.Node().Pos() && sameFunction(c, start) {
			return true
		}
	}
	f, _ := function(l)
	for c, call := range below[*ast.CallExpr](f) {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		switch sel.Sel.Name {
		case "SetLimit":
			return true
		case "Acquire", "TryAcquire", "Wait", "Accept", "AcceptTCP", "AcceptStream", "Lock", "Take", "Get":
			if l.Contains(c) && sameFunction(c, start) && call.Pos() != start.Node().Pos() {
				return true
			}
		}
	}
	for c, r := range below[*ast.UnaryExpr](l) { // a token taken from a channel, or the end of the goroutine awaited
		if r.Op == token.ARROW && isEmptyChan(u.TypesInfo.TypeOf(r.X)) && sameFunction(c, start) && !inSelect(c) {
			return true
		}
	}
	return false
}

func isEmptyChan(t types.Type) bool {
	c, ok := t.Underlying().(*types.Chan)
	if !ok {
		return false
	}
	s, ok := c.Elem().Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// inSelect reports whether a receive is one of several ways to go on.
func inSelect(cur inspector.Cursor) bool {
	return cur.Parent().ParentEdgeKind() == edge.CommClause_Comm
}

func sameFunction(a, b inspector.Cursor) bool {
	f, ok := function(a)
	g, ok2 := function(b)
	return ok && ok2 && f == g
}

// waits reports whether what is started waits for something outside: the call itself, or what a literal surely does.
func (u *unit) waits(call *ast.CallExpr, known map[*types.Func]reason) bool {
	for _, e := range append([]ast.Expr{call.Fun}, call.Args...) {
		if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
			if why, ok := u.onPath(lit.Body.List, known, blocking); ok && outside(why) {
				return true
			}
		}
	}
	why, ok := u.why(call, known, blocking)
	return ok && outside(why)
}

// outside leaves out waits that cost nobody anything.
func outside(why reason) bool {
	return why.does != "sleeps" && why.does != waitsForGoroutines
}
