package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

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
		l, again := loop(cur)
		if !again || u.leavesAfter(cur, l) || u.shortLoop(l) || u.runsOnce(cur) || u.answers(l) || u.writesRest(l, call) {
			continue
		}
		u.report(call, "each turn is a system call: write to a bufio.Writer, and flush it after the loop")
	}
}

// writtenTo is what a call writes to, or nil.
func (u *unit) writtenTo(call *ast.CallExpr) ast.Expr {
	fn := u.callee(call)
	switch {
	case isFunc(fn, "fmt", "Fprint", "Fprintf", "Fprintln"), isFunc(fn, "io", "WriteString"):
		return call.Args[0]
	case fn != nil && fn.Signature().Recv() != nil && (fn.Name() == "Write" || fn.Name() == "WriteString"):
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
			return sel.X
		}
	}
	return nil
}

// isStream reports whether each write to a type is a system call, and its pieces may be joined.
func isStream(t types.Type) bool {
	return isNamed(t, "os", "File") || isNamed(t, "net", "Conn") || isNamed(t, "net", "TCPConn") ||
		isNamed(t, "net", "UnixConn") || isNamed(t, "crypto/tls", "Conn")
}

// answers reports whether a loop waits for something in each turn.
func (u *unit) answers(l inspector.Cursor) bool {
	if r, ok := l.Node().(*ast.RangeStmt); ok && isChan(u.TypesInfo.TypeOf(r.X)) {
		return true
	}
	for cur := range l.Preorder((*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil), (*ast.SelectStmt)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.SelectStmt:
			return true
		case *ast.UnaryExpr:
			if n.Op.String() == "<-" {
				return true
			}
		case *ast.CallExpr:
			fn := u.callee(n)
			if fn == nil {
				continue
			}
			switch w := words(fn.Name()); {
			case len(w) > 0 && (w[0] == "read" || w[0] == "accept" || w[0] == "recv" || w[0] == "receive" ||
				w[0] == "scan" || w[0] == "wait" || w[0] == "sleep" || w[0] == "next"):
				return true
			}
		}
	}
	return false
}

// writesRest reports whether a loop cuts off what was written: for len(p) > 0 { n, err := f.Write(p); p = p[n:] }.
func (u *unit) writesRest(l inspector.Cursor, call *ast.CallExpr) bool {
	if len(call.Args) != 1 {
		return false
	}
	obj := u.root(call.Args[0])
	if s, ok := ast.Unparen(call.Args[0]).(*ast.SliceExpr); ok {
		obj = u.root(s.X)
	}
	if obj == nil {
		return false
	}
	if f, ok := l.Node().(*ast.ForStmt); ok && f.Cond != nil {
		for _, id := range below[*ast.Ident](l) {
			if within(f.Cond, id.Pos()) && u.TypesInfo.Uses[id] == obj {
				return true
			}
		}
	}
	return false
}
