package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var usedPart = check("usedpart", findUsedPart, `report what is read, gathered or decoded whole for its beginning, its end, or a field or two

The last lines of a log, the type of an upload, the tenant of an order: all of it is read and copied, and most of that is
garbage at once. The last 80 lines of a log of 6 MB cost 8 ms and 13 MB that way, and 0.1 ms read from the end
(docs/evidence/unseen-eighteenth.md, foundries).

It counts only with heat. Reported are os.ReadFile, io.ReadAll, FindAll of a regular expression and slices that a loop
appends to, where all that the function does with them, through texts, trimmed ones and pieces of them, is to take some
from the first on, or some to the last; and json.Unmarshal into a local map or a struct of eight fields or more, of which
one or two are used. Not reported: what is returned, stored or passed on whole, on any way; both ends of it; and what
runs once.`)

// A usedAs is which part of a value a function uses.
type usedAs int

const (
	nothing   usedAs = iota // or its length alone
	beginning               // its first element, or some from the first on
	ending                  // its last element, or some to the last
	whole                   // or something that is not followed
)

func (a usedAs) and(b usedAs) usedAs {
	switch {
	case a == nothing || a == b:
		return b
	case b == nothing:
		return a
	}
	return whole
}

func findUsedPart(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if u.runsOnce(cur) {
			continue
		}
		if u.decodedFor(cur, call); u.Builtin(call) == "append" {
			u.gathered(cur, call)
			continue
		}
		fn := u.Callee(call)
		reads := isFunc(fn, "os", "ReadFile") || isFunc(fn, "io", "ReadAll")
		finds := fn != nil && strings.HasPrefix(fn.Name(), "FindAll") && isMethod(fn, "regexp", "Regexp", fn.Name())
		if !reads && !finds {
			continue
		}
		switch of := u.used(cur); {
		case finds && of == beginning:
			u.report(call, "only the first match is used: find it alone, by Find")
		case of == beginning:
			u.report(call, "only the beginning of what is read is used: read no more than that, by io.ReadFull or io.LimitReader")
		case of == ending && isFunc(fn, "os", "ReadFile"):
			u.report(call, "only the end of what is read is used: read the file from its end, block by block (Seek, ReadAt)")
		}
	}
}

// used says which part of an expression's value its function uses.
func (u *unit) used(cur inspector.Cursor) usedAs {
	up, at := cur.Parent(), cur.ParentEdgeKind()
	switch n := up.Node().(type) {
	case *ast.ParenExpr:
		return u.used(up)
	case *ast.CallExpr:
		return u.usedByCall(up, n, at == edge.CallExpr_Args && cur.ParentEdgeIndex() == 0)
	case *ast.IndexExpr:
		switch {
		case at != edge.IndexExpr_X || up.ParentEdgeKind() == edge.AssignStmt_Lhs:
		case u.isZero(n.Index):
			return beginning
		case u.fromEnd(up, n.Index):
			return ending
		}
	case *ast.SliceExpr:
		first := n.Low == nil || u.isZero(n.Low)
		switch {
		case at != edge.SliceExpr_X:
		case first && n.High == nil:
			return u.used(up)
		case first && !u.asksLen(n.High):
			return beginning
		case n.High == nil && n.Low != nil && u.fromEnd(up, n.Low):
			return ending
		}
	case *ast.AssignStmt:
		f, ok := function(cur)
		if v := u.Assigned(cur); v != nil && ok {
			return u.usedOf(f, v, n.End())
		}
	}
	return whole
}

// usedByCall is the use of what a call is given as its first argument.
func (u *unit) usedByCall(cur inspector.Cursor, call *ast.CallExpr, first bool) usedAs {
	fn := u.Callee(call)
	to, _ := u.conversion(call)
	switch {
	case !first:
	case u.Builtin(call) == "len":
		if b, ok := cur.Parent().Node().(*ast.BinaryExpr); ok && (b.Op == token.EQL || b.Op == token.NEQ) && !u.isZero(b.Y) {
			return whole // they must be so many
		}
		return nothing
	case isFunc(fn, "net/http", "DetectContentType"), isFunc(fn, "image", "DecodeConfig"):
		return beginning
	case to != nil, isFunc(fn, "bytes", "NewReader"), isFunc(fn, "strings", "NewReader"):
		return u.used(cur)
	case fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "strings" || fn.Pkg().Path() == "bytes"):
		for _, name := range []string{"Split", "Fields", "Trim"} {
			if strings.HasPrefix(fn.Name(), name) && !strings.HasSuffix(fn.Name(), "Seq") {
				return u.used(cur)
			}
		}
	}
	return whole
}

// usedOf is the use of a variable behind a position of its function. What is cut off it and put into it again is all
// that is left there.
func (u *unit) usedOf(f inspector.Cursor, v *types.Var, after token.Pos) (all usedAs) {
	for _, cur := range u.Uses(f, v) {
		if cur.Node().Pos() < after || cur.ParentEdgeKind() == edge.AssignStmt_Lhs {
			continue
		}
		all = all.and(u.used(cur))
		if _, cut := cur.Parent().Node().(*ast.SliceExpr); cut && u.Assigned(cur.Parent()) == v {
			return all
		}
	}
	return all
}

// fromEnd reports whether an index counts from the end: len(v)-n, max(len(v)-n, 0), or a variable that is that.
func (u *unit) fromEnd(cur inspector.Cursor, e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr:
		call, ok := ast.Unparen(e.X).(*ast.CallExpr)
		return ok && e.Op == token.SUB && u.Builtin(call) == "len"
	case *ast.CallExpr:
		return u.Builtin(e) == "max" && slices.ContainsFunc(e.Args, func(e ast.Expr) bool { return u.fromEnd(cur, e) })
	case *ast.Ident:
		f, ok := function(cur)
		v, is := u.TypesInfo.ObjectOf(e).(*types.Var)
		if !ok || !is {
			return false
		}
		for of, value := range below[*ast.BinaryExpr](f) {
			if u.Assigned(of) == v && u.fromEnd(cur, value) {
				return true
			}
		}
	}
	return false
}

// asksLen reports whether an expression is less than the length by some, and not at most so much.
func (u *unit) asksLen(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return !(ok && u.Builtin(call) == "min") && strings.Contains(types.ExprString(e), "len(")
}

// gathered looks at an append in a loop to a slice of which only an end is used behind it.
func (u *unit) gathered(cur inspector.Cursor, call *ast.CallExpr) {
	v := u.Assigned(cur)
	l, in := loop(cur)
	f, ok := function(cur)
	if v == nil || !in || !ok || !u.IsUse(call.Args[0], v) || within(l.Node(), v.Pos()) ||
		!u.All(l, v, func(use inspector.Cursor) bool {
			return use.Node() == call.Args[0] || use.ParentEdgeKind() == edge.AssignStmt_Lhs
		}) || u.usedOf(f, v, l.Node().End()) != ending { // of a beginning the loop may have looked at all
		return
	}
	u.report(call, "only the last of what is gathered is used: keep no more than that in the loop, or read from the end")
}

const (
	fewFields  = 2 // that are used
	manyFields = 8 // of a struct
)

// decodedFor looks at json.Unmarshal into a local variable of which some fields are used.
func (u *unit) decodedFor(cur inspector.Cursor, call *ast.CallExpr) {
	if !isFunc(u.Callee(call), "encoding/json", "Unmarshal") {
		return
	}
	into, ok := ast.Unparen(call.Args[1]).(*ast.UnaryExpr)
	f, in := function(cur)
	if !ok || !in {
		return
	}
	v, ok := u.Root(into.X).(*types.Var)
	if _, whole := ast.Unparen(into.X).(*ast.Ident); !ok || !whole || v.Parent() == u.Pkg.Scope() {
		return
	}
	switch t := v.Type().Underlying().(type) {
	case *types.Map:
	case *types.Struct:
		if t.NumFields() < manyFields {
			return
		}
	default:
		return
	}
	var names []string
	for _, use := range u.Uses(f, v) {
		name := ""
		switch p := use.Parent().Node().(type) {
		case *ast.UnaryExpr:
			if p == into {
				continue
			}
		case *ast.SelectorExpr:
			if _, isField := u.TypesInfo.ObjectOf(p.Sel).(*types.Var); isField {
				name = p.Sel.Name
			}
		case *ast.IndexExpr:
			if c := u.TypesInfo.Types[p.Index].Value; c != nil && use.ParentEdgeKind() == edge.IndexExpr_X {
				name = c.ExactString()
			}
		}
		if name == "" || use.Parent().ParentEdgeKind() == edge.AssignStmt_Lhs {
			return
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 || len(names) > fewFields {
		return
	}
	what := strings.Join(names, " and ")
	u.report(call, "of all that is decoded only "+what+" is used: decode into structs of the fields in use, and no others")
}
