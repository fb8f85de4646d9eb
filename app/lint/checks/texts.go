package checks

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var concatInLoop = check("concatinloop", findConcatInLoop, `report strings that grow in a loop in other ways than s += t of a local variable

Each turn copies all that was there before: 1,000 pieces of 10 bytes allocate 5.3 MB in 3.9 ms, with a strings.Builder
47 kB in 0.04 ms (BenchmarkCost/concat). x/tools' stringsbuilder reports and mends s += t of local strings. These are
the others: s = s + t, s = fmt.Sprintf("…", s, …) and x.field += t.

Not reported: a string that the loop starts afresh, and a loop that is left after the first time.`)

func findConcatInLoop(u *unit) {
	for cur, s := range each[*ast.AssignStmt](u) {
		if len(s.Lhs) != 1 || !u.isString(s.Lhs[0]) || !u.grows(s) {
			continue
		}
		l, ok := u.turns(cur)
		obj := u.Root(s.Lhs[0])
		if ok && !u.runsOnce(l) && obj != nil && !within(l.Node(), obj.Pos()) && !u.startsAfresh(l, s) {
			u.report(s, "each turn copies the whole string: write the pieces to a strings.Builder")
		}
	}
}

// grows reports whether a string is assigned to itself with something before or behind it.
func (u *unit) grows(s *ast.AssignStmt) bool {
	switch s.Tok {
	case token.ADD_ASSIGN:
		_, field := ast.Unparen(s.Lhs[0]).(*ast.SelectorExpr)
		return field
	case token.ASSIGN:
		switch e := ast.Unparen(s.Rhs[0]).(type) {
		case *ast.BinaryExpr:
			return e.Op == token.ADD && u.Same(leftmost(e), s.Lhs[0])
		case *ast.CallExpr:
			return isFunc(u.Callee(e), "fmt", "Sprintf") && len(e.Args) > 2 && u.Same(e.Args[1], s.Lhs[0])
		}
	}
	return false
}

func leftmost(e *ast.BinaryExpr) ast.Expr {
	for {
		left, ok := ast.Unparen(e.X).(*ast.BinaryExpr)
		if !ok || left.Op != token.ADD {
			return e.X
		}
		e = left
	}
}

// startsAfresh reports whether a loop, or one around it in the same function, assigns the string anew.
func (u *unit) startsAfresh(l inspector.Cursor, growth *ast.AssignStmt) bool {
	for _, s := range below[*ast.AssignStmt](l) {
		for _, lhs := range s.Lhs {
			if s != growth && u.Same(lhs, growth.Lhs[0]) && !u.grows(s) && s.Tok != token.ADD_ASSIGN {
				return true
			}
		}
	}
	// x[i].field += t, x.field += t where the loop gives x another value
	_, plain := ast.Unparen(growth.Lhs[0]).(*ast.Ident)
	obj := u.Root(growth.Lhs[0])
	return obj != nil && !plain && u.Changes(l, obj)
}

var replaceAgain = check("replaceagain", findReplaceAgain, `report texts that strings.ReplaceAll goes through once for each of many pairs

Each pass reads the whole text, and copies it where anything fits. A strings.Replacer of all pairs goes through it once.
It looks at each place once, too: where a pair matches what another one has made, the result is another.

It counts only with heat. Reported are ReplaceAll, and Replace, of strings and bytes whose result takes the place of what
it is given, in a loop, or three times and more in a function, and three and more within one another. Not reported: one
or two pairs, loops over texts, and what runs once.`)

// manyPairs is how many passes are more than one of a Replacer, with the look-ups that it makes.
const manyPairs = 3

func findReplaceAgain(u *unit) {
	const message = "each pair goes through the whole text again: make one strings.NewReplacer of all pairs, once if they are " +
		"fixed, where no pair matches what another one makes"
	passes := make(map[*types.Var][]*ast.CallExpr)
	for cur, call := range each[*ast.CallExpr](u) {
		if !u.replaces(call) || u.runsOnce(cur) {
			continue
		}
		v := u.Assigned(cur)
		l, in := loop(cur)
		switch {
		case v == nil || !u.IsUse(call.Args[0], v):
			if !u.isReplaced(cur) && u.passesWithin(call) >= manyPairs {
				u.report(call, message)
			}
		case in && !within(l.Node(), v.Pos()):
			u.report(call, message)
		default:
			passes[v] = append(passes[v], call)
		}
	}
	for _, calls := range passes {
		for _, call := range calls {
			if len(calls) >= manyPairs {
				u.report(call, message)
			}
		}
	}
}

func (u *unit) replaces(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && isOfAny(u.Callee(call), []string{"strings", "bytes"}, "ReplaceAll", "Replace")
}

// isReplaced reports whether a call's result is what another pass goes through at once.
func (u *unit) isReplaced(cur inspector.Cursor) bool {
	up, ok := cur.Parent().Node().(*ast.CallExpr)
	return ok && u.replaces(up) && up.Args[0] == cur.Node()
}

// passesWithin is how many passes are within one another.
func (u *unit) passesWithin(call *ast.CallExpr) int {
	n := 1
	for u.replaces(call.Args[0]) {
		call, _ = ast.Unparen(call.Args[0]).(*ast.CallExpr)
		n++
	}
	return n
}

var splitOne = check("splitone", findSplitOne, `report strings.Split of which one field is used

Split allocates a slice for all fields, and looks through the whole string: a long one from outside makes that as
expensive as it likes (CVE-2025-30204 of golang-jwt was this). Cut stops at the first separator: 50 ns instead of 148
for a host and a port (BenchmarkCost/split). For the last field there is LastIndex.

Reported is strings.Split or bytes.Split with [0] behind it, or whose result is only used for its first pieces, or its
last. Not reported: fields in the middle, results that must have a number of pieces, and constants.`)

const onlyFirst = "only the first of its pieces is used: find it with Cut or SplitN, without a slice of all"

func findSplitOne(u *unit) {
	for cur, call := range u.calls(callee{"strings", "", "Split", ""}, callee{"bytes", "", "Split", ""}) {
		index, indexed := cur.Parent().Node().(*ast.IndexExpr)
		switch {
		case !u.separates(call.Args[1]) || u.fixedText(call.Args[0]) || indexed && !u.isZero(index.Index):
		case indexed:
			u.report(index, onlyFirst, u.cut(cur.Parent(), call.CallExpr)...)
		case u.used(cur) == beginning:
			u.report(call, onlyFirst)
		case u.used(cur) == ending:
			u.report(call, "only the last of its pieces is used: find it with strings.LastIndex, without a slice of all")
		}
	}
}

// separates reports whether a separator is known and not empty: Split of "" is another thing.
func (u *unit) separates(e ast.Expr) bool {
	if _, of := u.conversion(e); of != nil {
		e = of
	}
	text, ok := u.Text(e)
	return ok && text != ""
}

// fixedText reports whether a string is a constant, or cut from one: a version, mostly.
func (u *unit) fixedText(e ast.Expr) bool {
	return u.IsConstant(e) || some(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && isFunc(u.Callee(call), "strings", "Split") && u.IsConstant(call.Args[0])
	})
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
	if !ok || !isFunc(u.Callee(call), "strings", "Split") {
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

var stringCompare = check("stringcompare", findStringCompare, `report values that become text only to be compared

a.String() == b.String() formats and allocates twice: for two IP addresses 32 bytes and 74 ns, where Equal takes 5 ns
(BenchmarkCost/stringcompare).

It counts only with heat, by what passes the comparison. Reported are String methods of values of one type that has an
Equal or Compare method for it, or that == compares, such as netip.Addr. Not reported: types with a String method of
this module and no Equal, whose text may mean less than the value; what compares nothing but the text; and what is made
for a test or runs once.`)

func findStringCompare(u *unit) {
	for cur, e := range each[*ast.BinaryExpr](u) {
		if e.Op != token.EQL && e.Op != token.NEQ || u.runsOnce(cur) {
			continue
		}
		a, b := u.texted(e.X), u.texted(e.Y)
		if a == nil || b == nil || !types.Identical(a, b) {
			continue
		}
		if how := u.comparison(a); how != "" {
			u.report(e, "both become text only to be compared: "+how)
		}
	}
}

// texted is the type of x in x.String(), or nil.
func (u *unit) texted(e ast.Expr) types.Type {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return nil
	}
	of, fn := receiver(call), u.Callee(call)
	if of == nil || fn == nil || fn.Name() != "String" || fn.Signature().Recv() == nil {
		return nil
	}
	return u.TypesInfo.TypeOf(of)
}

// comparison says how two values of a type compare without their text, "" where that may be something else.
func (u *unit) comparison(t types.Type) string {
	switch {
	case types.IsInterface(t):
		return ""
	case isAny(t, "net/netip.Addr", "net/netip.AddrPort", "net/netip.Prefix", "github.com/google/uuid.UUID"):
		return "== compares the values themselves"
	}
	for _, name := range []string{"Equal", "Compare"} {
		obj, _, _ := types.LookupFieldOrMethod(t, true, u.Pkg, name)
		if fn, ok := obj.(*types.Func); ok && takesItself(fn, t) {
			return "use its " + name
		}
	}
	return ""
}

// takesItself reports whether a method has one parameter, of its receiver's type or a pointer to it.
func takesItself(fn *types.Func, t types.Type) bool {
	params := fn.Signature().Params()
	return params.Len() == 1 && types.Identical(deref(params.At(0).Type()), deref(t))
}
