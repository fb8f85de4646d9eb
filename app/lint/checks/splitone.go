package checks

import (
	"go/ast"
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var splitOne = check("splitone", findSplitOne, `report strings.Split of which one field is used

Split allocates a slice for all fields, and looks through the whole string: a long one from outside makes that as
expensive as it likes (CVE-2025-30204 of golang-jwt was this). Cut stops at the first separator: 50 ns instead of 148
for a host and a port (BenchmarkCost/split). For the last field there is LastIndex.

Reported is strings.Split or bytes.Split with [0] behind it, or whose result is only used for its first pieces, or its
last. Not reported: fields in the middle, results that must have a number of pieces, and constants.`)

const onlyFirst = "only the first of its pieces is used: find it with Cut or SplitN, without a slice of all"

func findSplitOne(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if !isFunc(fn, "strings", "Split") && !isFunc(fn, "bytes", "Split") || !u.separates(call.Args[1]) ||
			u.runsOnce(cur) || u.fixedText(call.Args[0]) {
			continue
		}
		if index, ok := cur.Parent().Node().(*ast.IndexExpr); ok {
			if u.isZero(index.Index) {
				u.report(index, onlyFirst, u.cut(cur.Parent(), call)...)
			}
			continue
		}
		switch u.used(cur) {
		case beginning:
			u.report(call, onlyFirst)
		case ending:
			u.report(call, "only the last of its pieces is used: find it with strings.LastIndex, without a slice of all")
		}
	}
}

// separates reports whether a separator is known and not empty: Split of "" is another thing.
func (u *unit) separates(e ast.Expr) bool {
	if _, of := u.conversion(e); of != nil {
		e = of
	}
	v := u.TypesInfo.Types[e].Value
	return v != nil && v.Kind() == constant.String && constant.StringVal(v) != ""
}

// fixedText reports whether a string is a constant, or cut from one: a version, mostly.
func (u *unit) fixedText(e ast.Expr) bool {
	fixed := false
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && isFunc(u.callee(call), "strings", "Split") {
			fixed = fixed || u.constant(call.Args[0])
		}
		return true
	})
	return fixed || u.constant(e)
}

func (u *unit) isZero(e ast.Expr) bool {
	v := u.TypesInfo.Types[e].Value
	return v != nil && v.Kind() == constant.Int && constant.Sign(v) == 0
}

// cut makes x := strings.Split(s, sep)[0] an x, _, _ := strings.Cut(s, sep).
func (u *unit) cut(index inspector.Cursor, call *ast.CallExpr) []analysis.SuggestedFix {
	assign, ok := index.Parent().Node().(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || assign.Tok != token.DEFINE && assign.Tok != token.ASSIGN {
		return nil
	}
	if u.before(index, "go1.18") || index.Parent().ParentEdgeKind() == edge.ForStmt_Post {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !isFunc(u.callee(call), "strings", "Split") {
		return nil // an append to what bytes.Cut answers writes over the rest, unlike to a field of bytes.Split
	}
	return []analysis.SuggestedFix{{
		Message: "Use Cut",
		TextEdits: []analysis.TextEdit{
			{Pos: assign.Lhs[0].End(), End: assign.Lhs[0].End(), NewText: []byte(", _, _")},
			{Pos: sel.Sel.Pos(), End: sel.Sel.End(), NewText: []byte("Cut")},
			{Pos: call.End(), End: index.Node().End()},
		},
	}}
}
