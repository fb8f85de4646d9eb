package rewrite

import (
	"fmt"
	"go/ast"
	"regexp"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// hoistMatch makes regexp.MatchString(constant, x) a method of an expression that is compiled once. Other constants are
// hoisted by the fixes of the checks themselves.
func hoistMatch(u *Unit) (out changes) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		if !isFunc(fn, "regexp", "MatchString", "Match", "MatchReader") {
			continue
		}
		pattern, ok := u.Text(call.Args[0])
		d := declaration(cur)
		if !ok || d == nil {
			continue
		}
		if _, err := regexp.Compile(pattern); err != nil {
			out.add(u.refuse(call, "the pattern is wrong: "+err.Error()))
			continue
		}
		if u.MentionsLocals(cur.ChildAt(argEdge, 0)) {
			out.add(u.refuse(call, "the pattern is a constant of the function"))
			continue
		}
		name := u.fresh(lower(d.Name.Name) + "Pattern")
		pkg := u.pkg(call, "regexp")
		c := u.change(call, "compile the pattern once, in the package variable "+name)
		c.insert(above(d), fmt.Sprintf("var %s = %s.MustCompile(%s)\n\n", name, pkg, u.text(call.Args[0])))
		if !u.answersBoth(c, cur, call, name+"."+fn.Name()+"("+u.text(call.Args[1])+")") {
			out.add(u.refuse(call, "its error is used, which a pattern that is compiled once does not have"))
			continue
		}
		out.add(c)
	}
	return out
}

// argEdge is that of an argument.
const argEdge = edge.CallExpr_Args

// answersBoth puts the method's one answer where a call has two: ok, _ := call, or ok, err := call with a check of err,
// which is nil then.
func (u *Unit) answersBoth(c *Change, cur inspector.Cursor, call *ast.CallExpr, text string) bool {
	s, ok := cur.Parent().Node().(*ast.AssignStmt)
	if !ok || len(s.Lhs) != 2 {
		return false
	}
	id, ok := s.Lhs[1].(*ast.Ident)
	if !ok || id.Name != "_" {
		return false
	}
	c.replace(s.Lhs[0].End(), s.Lhs[1].End(), "")
	c.replace(call.Pos(), call.End(), text)
	return true
}
