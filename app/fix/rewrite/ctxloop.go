package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// contextLoop begins each turn of a loop that gives its context values, and a deadline, with the one from before the
// loop: otherwise it is a chain that grows with each turn.
func contextLoop(u *Unit) (out changes) {
	done := make(map[ast.Node]bool)
	for cur, s := range each[*ast.AssignStmt](u) {
		if s.Tok != token.ASSIGN || len(s.Rhs) != 1 {
			continue
		}
		id, ok := s.Lhs[0].(*ast.Ident)
		call, isCall := s.Rhs[0].(*ast.CallExpr)
		if !ok || !isCall || len(call.Args) == 0 || !isNamed(u.Info.TypeOf(id), "context", "Context") {
			continue
		}
		v, ok := u.Info.Uses[id].(*types.Var)
		l, again := loop(cur)
		if !ok || !again || done[l.Node()] || !u.IsUse(call.Args[0], v) {
			continue
		}
		n := l.Node()
		if syntax.Within(n, v.Pos()) {
			continue
		}
		done[n] = true
		block := loopBody(n)
		f, _ := function(cur)
		if v.Kind() == types.PackageVar || v.IsField() {
			out.add(u.refuse(s, "the context is kept outside of the function"))
			continue
		}
		if !u.All(f, v, func(use inspector.Cursor) bool {
			at := use.Node().Pos()
			return at < n.Pos() || syntax.Within(block, at)
		}) {
			out.add(u.refuse(s, "what the last turn made of the context is used behind the loop, or in its head"))
			continue
		}
		c := u.change(s, "begin each turn with the context from before the loop")
		c.cures(n)
		first := block.List[0]
		c.before(first, v.Name()+" := "+v.Name()+" // each turn adds to the one from before the loop")
		out.add(c)
	}
	return out
}
