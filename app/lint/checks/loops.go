package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var countInLoop = check("countinloop", findCountInLoop, `report loops that add to an atomic number in each turn

An atomic addition takes 5 ns, and many times that where another processor adds to the same number, or to one beside it
in the same 64 bytes: the line of the cache goes from one to the other each time. A variable of the function's own takes
less than 1 ns.

It counts only with heat. Reported are the Add of sync/atomic's types and its functions Add… in loops over what is there:
a slice, a map, a text, a number, where nobody uses the result, and the number is not the loop's own. Not reported: loops
that receive or have no end, and what runs once.`)

func findCountInLoop(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" || !strings.HasPrefix(fn.Name(), "Add") ||
			cur.ParentEdgeKind() != edge.ExprStmt_X || u.runsOnce(cur) {
			continue
		}
		number := receiver(call)
		if fn.Signature().Recv() == nil {
			number = call.Args[0]
		}
		l, ok := loop(cur)
		if !ok || u.isReceiving(l) {
			continue
		}
		f, endless := l.Node().(*ast.ForStmt)
		if of := u.Root(number); endless && f.Cond == nil || of == nil || within(l.Node(), of.Pos()) {
			continue
		}
		u.report(call, "each turn of the loop adds to a number that others may have: add up in a variable, and add that "+
			"once after the loop")
	}
}

var deferInLoop = check("deferinloop", findDeferInLoop, `report defer in a loop: the calls pile up until the function ends

Files, rows, bodies and timers stay open for all turns of the loop, and such a defer takes 23 ns instead of 2.5 ns
(BenchmarkCost/defer). Call it at the end of the turn, or move the turn into a function.

Not reported: a turn that surely leaves the loop, loops over a few constants, mutexes of several shards that are meant
to be held together, calls with arguments that do not sound like giving something back, and what runs once. (go-critic's
deferInLoop, which is not of its performance set, reports these, too; staticcheck reports loops without an end.)`)

func findDeferInLoop(u *unit) {
	for cur, d := range each[*ast.DeferStmt](u) {
		if l, ok := u.turns(cur); ok && u.releases(d.Call) && !u.runsOnce(l) {
			u.report(d, "this runs only when the function ends, once for each turn of the loop: end it in the turn, or make "+
				"the turn a function")
		}
	}
}

// releases reports whether a deferred call gives something back. It does when it has no arguments, as Close and cancel,
// and by some names; other work may be meant to wait for the end.
func (u *unit) releases(call *ast.CallExpr) bool {
	fn := u.Callee(call)
	return !isMutex(fn, "Unlock", "RUnlock") && (len(call.Args) == 0 || fn != nil &&
		slices.Contains([]string{"close", "put", "remove", "release", "free", "stop", "rollback"},
			firstWord(fn.Name())))
}

// leavesAfter reports whether the block of a statement, or one around it within the loop, ends by leaving the loop.
func (u *unit) leavesAfter(cur, l inspector.Cursor) bool {
	for up := cur; up != l; up = up.Parent() {
		switch last := syntax.Last(syntax.List(up.Node())).(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			if last.Tok == token.BREAK || last.Tok == token.GOTO {
				return true
			}
		case *ast.ExprStmt:
			if call, ok := last.X.(*ast.CallExpr); ok && u.Builtin(call) == "panic" {
				return true
			}
		}
	}
	return false
}

// shortLoop reports whether a loop is over a literal: as many turns as somebody wrote.
func (u *unit) shortLoop(l inspector.Cursor) bool {
	r, ok := l.Node().(*ast.RangeStmt)
	if !ok {
		return false
	}
	_, literal := ast.Unparen(r.X).(*ast.CompositeLit)
	return literal
}

var writeInLoop = check("writeinloop", findWriteInLoop, `report loops that write piece by piece to a file or a connection

Each write is a system call: 5.6 µs for 32 bytes to a connection, 0.1 µs with a bufio.Writer between
(docs/evidence/lab.md, "Buffers before writes"). Put a bufio.Writer around it, and Flush after the loop.

It counts only with heat. Reported are os.File, net.Conn, the stream connections of package net and tls.Conn, written to
by a method, fmt.Fprint and its like, or io.WriteString. Not reported: a loop that also reads, receives or accepts,
because then each turn answers something; one that writes the rest of what it wrote before; a turn that surely leaves
the loop; datagrams; and what runs once.`)

func findWriteInLoop(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		to := u.writtenTo(call)
		if to == nil || !isStream(u.TypesInfo.TypeOf(to)) {
			continue
		}
		if l, ok := u.turns(cur); ok && !u.runsOnce(cur) && !u.answers(l) && !u.writesRest(l, call) {
			u.report(call, "each turn is a system call: write to a bufio.Writer, and flush it after the loop")
		}
	}
}

// writtenTo is what a call writes to, or nil.
func (u *unit) writtenTo(call *ast.CallExpr) ast.Expr {
	fn := u.Callee(call)
	switch {
	case isFunc(fn, "fmt", "Fprint", "Fprintf", "Fprintln"), isFunc(fn, "io", "WriteString"):
		return call.Args[0]
	case fn != nil && fn.Signature().Recv() != nil && (fn.Name() == "Write" || fn.Name() == "WriteString"):
		return receiver(call)
	}
	return nil
}

// isStream reports whether each write to a type is a system call, and its pieces may be joined.
func isStream(t types.Type) bool {
	return isAny(t, "os.File", "net.Conn", "net.TCPConn", "net.UnixConn", "crypto/tls.Conn")
}

// waiting are first words of what waits for somebody.
var waiting = []string{"read", "accept", "recv", "receive", "scan", "wait", "sleep", "next"}

// answers reports whether a loop waits for something in each turn.
func (u *unit) answers(l inspector.Cursor) bool {
	return u.isReceiving(l) || some(l.Node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectStmt:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.CallExpr:
			fn := u.Callee(n)
			return fn != nil && slices.Contains(waiting, firstWord(fn.Name()))
		}
		return false
	})
}

// writesRest reports whether a loop cuts off what was written: for len(p) > 0 { n, err := f.Write(p); p = p[n:] }.
func (u *unit) writesRest(l inspector.Cursor, call *ast.CallExpr) bool {
	f, ok := l.Node().(*ast.ForStmt)
	if !ok || f.Cond == nil || len(call.Args) != 1 {
		return false
	}
	obj := u.Root(call.Args[0])
	if s, ok := ast.Unparen(call.Args[0]).(*ast.SliceExpr); ok {
		obj = u.Root(s.X)
	}
	return obj != nil && some(f.Cond, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && u.TypesInfo.Uses[id] == obj
	})
}
