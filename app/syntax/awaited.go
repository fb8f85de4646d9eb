package syntax

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Awaited is what a select receives from, or sends to.
type Awaited struct{ Timers, Ends, Others int } // timers, ends of contexts, and all else

// AwaitedIn counts what a select waits for.
func AwaitedIn(info *types.Info, s *ast.SelectStmt) (a Awaited) {
	for _, c := range s.Body.List {
		var from ast.Expr
		ast.Inspect(c.(*ast.CommClause).Comm, func(n ast.Node) bool {
			if r, ok := n.(*ast.UnaryExpr); ok && r.Op == token.ARROW {
				from = r.X
			}
			return true
		})
		by := AwaitedBy(info, from)
		a.Timers, a.Ends, a.Others = a.Timers+by.Timers, a.Ends+by.Ends, a.Others+by.Others
	}
	return a
}

// AwaitedBy is what one channel of a select is; nil for one that is sent to.
func AwaitedBy(info *types.Info, from ast.Expr) Awaited {
	from = ast.Unparen(from)
	call, _ := from.(*ast.CallExpr)
	switch {
	case IsTimer(info, from):
		return Awaited{Timers: 1}
	case call != nil && Callee(info, call) != nil && Callee(info, call).Name() == "Done":
		return Awaited{Ends: 1}
	}
	return Awaited{Others: 1}
}

// IsTimer reports whether a channel is that of a timer or a ticker of package time.
func IsTimer(info *types.Info, ch ast.Expr) bool {
	switch x := ch.(type) {
	case *ast.CallExpr:
		f := Callee(info, x)
		return f != nil && f.Pkg() != nil && f.Pkg().Path() == "time" && (f.Name() == "After" || f.Name() == "Tick")
	case *ast.SelectorExpr:
		o := info.ObjectOf(x.Sel)
		return o != nil && o.Name() == "C" && o.Pkg() != nil && o.Pkg().Path() == "time"
	}
	return false
}

// LetsTimePass reports whether a node sleeps, or waits for a timer and maybe for more.
func LetsTimePass(info *types.Info, n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		f := Callee(info, n)
		return f != nil && f.FullName() == "time.Sleep"
	case *ast.UnaryExpr:
		return IsTimer(info, ast.Unparen(n.X))
	case *ast.SelectStmt:
		return AwaitedIn(info, n).Timers > 0
	}
	return false
}

// WritesAnswer reports whether a call is of a method of what answers a request of net/http, or is given it.
func WritesAnswer(info *types.Info, c *ast.CallExpr) bool {
	answers := func(e ast.Expr) bool {
		t := info.TypeOf(e)
		return t != nil && slices.ContainsFunc([]string{"ResponseWriter", "Flusher", "ResponseController"},
			func(of string) bool { return strings.HasSuffix(t.String(), "net/http."+of) })
	}
	sel, _ := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	return slices.ContainsFunc(c.Args, answers) || sel != nil && answers(sel.X)
}

// ComparedWith is what a number is compared with in a function that is neither none, one, nor the length of anything;
// nil without.
func ComparedWith(info *types.Info, body ast.Node, number types.Object) (than ast.Expr, at token.Pos) {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && number != nil && info.ObjectOf(id) == number
	}
	ast.Inspect(body, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || than != nil || b.Op.Precedence() != token.EQL.Precedence() || !is(b.X) && !is(b.Y) {
			return true
		}
		other := b.Y
		if is(b.Y) {
			other = b.X
		}
		call, _ := ast.Unparen(other).(*ast.CallExpr)
		constant := info.Types[other].Value != nil
		if !(call != nil && Builtin(info, call) == "len") && (!constant || IntOf(info, other) > 1) {
			than, at = other, b.Pos()
		}
		return true
	})
	return than, at
}

// WentWell reports whether a statement is reached only where an error is nil. Around are those around it, the innermost
// first.
func WentWell(info *types.Info, s ast.Stmt, around []ast.Node) bool {
	at := ast.Node(s)
	for _, up := range around {
		switch up := up.(type) {
		case *ast.FuncLit, *ast.FuncDecl, *ast.SelectStmt:
			return false
		case *ast.BlockStmt:
			for _, before := range up.List {
				if f, ok := before.(*ast.IfStmt); ok && f.End() <= at.Pos() && OfError(info, f.Cond, token.NEQ) &&
					Jumps(f.Body.List) {
					return true
				}
			}
		case *ast.IfStmt:
			if at == ast.Node(up.Body) {
				return OfError(info, up.Cond, token.EQL)
			}
			return at == ast.Node(up.Else) && OfError(info, up.Cond, token.NEQ)
		}
		at = up
	}
	return false
}

// OfError reports whether a condition compares an error with nil, in one way.
func OfError(info *types.Info, cond ast.Expr, how token.Token) bool {
	b, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	return ok && b.Op == how && info.Types[b.Y].IsNil() && IsError(info.TypeOf(b.X))
}

// IntOf is an expression's constant; 0 of others.
func IntOf(info *types.Info, e ast.Expr) int64 {
	if v := info.Types[e].Value; v != nil && v.Kind() == constant.Int {
		n, _ := constant.Int64Val(v)
		return n
	}
	return 0
}

// TakesEachStatus is what takes each status of HTTP but a good one for a failure in conditions and what they call; nil
// where one failure is told from another, or no status is looked at.
func TakesEachStatus(info *types.Info, in []ast.Node) (test *ast.BinaryExpr) {
	told := false
	for _, n := range in {
		ast.Inspect(n, func(n ast.Node) bool {
			if e, ok := n.(ast.Expr); ok && IntOf(info, e) > 300 && IntOf(info, e) < 600 {
				told = true
			}
			b, ok := n.(*ast.BinaryExpr)
			if !ok {
				return true
			}
			status := IntOf(info, b.Y)
			good := (b.Op == token.NEQ || b.Op == token.EQL) && status >= 200 && status < 300 ||
				(b.Op == token.GEQ || b.Op == token.LSS) && status == 300 || (b.Op == token.GTR || b.Op == token.LEQ) && status == 299
			if good && (test == nil || test.Op == token.EQL) {
				test = b
			}
			return true
		})
	}
	if told {
		return nil
	}
	return test
}

// EndsLeaving reports whether statements end with one that leaves the loop around them.
func EndsLeaving(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	_, returns := list[len(list)-1].(*ast.ReturnStmt)
	b, ok := list[len(list)-1].(*ast.BranchStmt)
	return returns || ok && b.Tok == token.BREAK
}

// SaysWell reports whether a condition is true where a call went well, and false where it is worth another try: there was
// no error, or another one than that is looked for, a row was changed, the status was good.
func SaysWell(info *types.Info, cond ast.Expr, failed types.Object) bool {
	switch x := ast.Unparen(cond).(type) {
	case *ast.UnaryExpr: // !errors.Is(err, conflict)
		call, asks := ast.Unparen(x.X).(*ast.CallExpr)
		return x.Op == token.NOT && asks && slices.ContainsFunc(call.Args, func(e ast.Expr) bool { return IsUse(info, e, failed) })
	case *ast.BinaryExpr:
		if x.Op == token.LAND {
			return SaysWell(info, x.X, failed) || SaysWell(info, x.Y, failed)
		}
		null, one := info.Types[x.Y].IsNil(), IntOf(info, x.Y) == 1
		if IsUse(info, x.X, failed) {
			return x.Op == token.EQL && null || x.Op == token.NEQ && !null
		}
		id, _ := ast.Unparen(x.X).(*ast.Ident)
		some := !one && IntOf(info, x.Y) == 0 && (x.Op == token.GTR || x.Op == token.NEQ) || one && (x.Op == token.EQL || x.Op == token.GEQ)
		v := info.Types[x.Y].Value
		return id != nil && v != nil && v.Kind() == constant.Int && some || TakesEachStatus(info, []ast.Node{x}) != nil
	}
	return false
}
