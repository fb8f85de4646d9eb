package checks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var coderPerCall = check("coderpercall", findCoderPerCall, `report compressors that a function makes for one use

A gzip.Writer is 814 kB of tables, which it makes when it is first written to: packing 1 kB takes 670 µs with a new one
and 23 µs with one that was Reset (BenchmarkCost/build=gzip). A Reader's window is 40 kB.

Reported are those that only the function uses, those that it closes in a defer, whoever writes to them in between, and
those that it returns to functions of the package which use them up.
Not reported: what is kept, what is Reset in the same function, what a pool gives, and what runs once.`)

var coders = []callee{
	{"compress/gzip", "", "NewWriter NewWriterLevel", "a gzip.Writer is 800 kB"},
	{"compress/gzip", "", "NewReader", "a gzip.Reader is 40 kB"},
	{"compress/flate", "", "NewWriter NewWriterDict", "a flate.Writer is 800 kB"},
	{"compress/zlib", "", "NewWriter NewWriterLevel NewWriterLevelDict", "a zlib.Writer is 800 kB"},
	{"github.com/klauspost/compress/gzip", "", "NewWriter NewWriterLevel", "a gzip.Writer is some hundred kB"},
	{"github.com/klauspost/compress/gzip", "", "NewReader", "a gzip.Reader is 40 kB"},
	{"github.com/klauspost/compress/flate", "", "NewWriter NewWriterDict", "a flate.Writer is some hundred kB"},
	{"github.com/klauspost/compress/zlib", "", "NewWriter NewWriterLevel", "a zlib.Writer is some hundred kB"},
	{"github.com/klauspost/compress/zstd", "", "NewWriter NewReader", "a zstd coder is some MB"},
	{"github.com/andybalholm/brotli", "", "NewWriter NewWriterLevel NewWriterV2", "a brotli.Writer is some hundred kB"},
}

const eachTime = ", made at every call: keep them in a sync.Pool and Reset them"

func findCoderPerCall(u *unit) {
	for cur, c := range u.calls(coders...) {
		if related := u.usersOf(cur); related != nil {
			u.relate(c, c.says+eachTime, related...)
			continue
		}
		v := u.Assigned(cur)
		f, ok := function(cur)
		if v != nil && ok && !u.outlives(cur) && !u.resets(f, v) && (u.stays(f, v) || u.closes(f, v)) {
			u.reportUses(f, v, c, c.says+eachTime)
		}
	}
}

// resets reports whether a function gives a coder something else to work on.
func (u *unit) resets(f inspector.Cursor, v *types.Var) bool {
	return !u.All(f, v, func(use inspector.Cursor) bool { return methodUsed(use) != "Reset" })
}

// closes reports whether a function closes what it made whichever way it ends: then nobody uses it afterwards.
func (u *unit) closes(f inspector.Cursor, v *types.Var) bool {
	return slices.ContainsFunc(u.Uses(f, v), func(use inspector.Cursor) bool {
		for d := range use.Enclosing((*ast.DeferStmt)(nil)) {
			if methodUsed(use) == "Close" && f.Contains(d) {
				return true
			}
		}
		return false
	})
}

// stays reports whether a variable is only used by its methods but Reset, or as an argument of io.Copy and its like, in
// its own function.
func (u *unit) stays(f inspector.Cursor, v *types.Var) bool {
	return within(f.Node(), v.Pos()) && v.Kind() == types.LocalVar && len(u.Uses(f, v)) > 0 &&
		u.All(f, v, func(use inspector.Cursor) bool {
			switch p := use.Parent().Node().(type) {
			case *ast.SelectorExpr:
				fn, ok := u.TypesInfo.Uses[p.Sel].(*types.Func)
				return !ok || fn.Name() != "Reset" // it is used again already
			case *ast.CallExpr:
				return rowOf(borrowers, u.Callee(p)) != nil
			case *ast.AssignStmt, *ast.BinaryExpr:
				return true
			}
			return false
		})
}

// borrowers are done with what they get when they return, or give back what is.
var borrowers = []callee{{"io", "", "Copy CopyN CopyBuffer ReadAll WriteString", ""},
	{"fmt", "", "Fprintf Fprint Fprintln", ""}, {"encoding/json", "", "NewEncoder NewDecoder", ""}}

// usersOf is where a compressor is made that its function returns, alone or in something around it, and where the
// functions of the package use it that call this one and keep it in a variable of theirs: all of them behind the call,
// because it makes its tables when these write to it, whatever they wrap it in. nil where one of them does anything
// else with it.
func (u *unit) usersOf(cur inspector.Cursor) []analysis.RelatedInformation {
	f, ok := function(cur)
	if !ok {
		return nil
	}
	d, isDecl := f.Node().(*ast.FuncDecl)
	if !isDecl || !u.leavesBy(cur, f) || u.hasPool(f) {
		return nil
	}
	fn, _ := u.TypesInfo.Defs[d.Name].(*types.Func)
	users := u.callers(fn)
	if len(users) == 0 {
		return nil
	}
	related := []analysis.RelatedInformation{there(cur.Node(), "is made here")}
	for _, use := range users {
		in, ok := function(use)
		v := u.Assigned(use)
		if !ok || v == nil || v.Kind() != types.LocalVar || u.runsOnce(use) || u.resets(in, v) {
			return nil
		}
		related = append(related, analysis.RelatedInformation{Pos: use.Node().Pos(), End: in.Node().End(),
			Message: "is used from here"})
	}
	return related
}

// leavesBy reports whether a value is returned by its function: there, by a variable, or in a literal that is returned.
func (u *unit) leavesBy(cur, f inspector.Cursor) bool {
	if isReturned(cur) {
		return true
	}
	v := u.Assigned(cur)
	if v == nil || v.Kind() != types.LocalVar {
		return false
	}
	return slices.ContainsFunc(u.Uses(f, v), isReturned)
}

// isReturned reports whether an expression is what a return statement gives back, or a part of the literal that it does.
func isReturned(cur inspector.Cursor) bool {
	_, ok := partOfLiteral(cur).Parent().Node().(*ast.ReturnStmt)
	return ok
}

// partOfLiteral climbs from an expression to the outermost literal that it is a part of; the expression without any.
func partOfLiteral(cur inspector.Cursor) inspector.Cursor {
	for {
		switch cur.Parent().Node().(type) {
		case *ast.KeyValueExpr, *ast.CompositeLit, *ast.UnaryExpr, *ast.ParenExpr:
			cur = cur.Parent()
		default:
			return cur
		}
	}
}

// hasPool reports whether a function takes something of a sync.Pool: what it makes then is for the pool.
func (u *unit) hasPool(f inspector.Cursor) bool {
	return some(f.Node(), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && isMethod(u.Callee(call), "sync", "Pool", "Get", "Put")
	})
}

// callers are the calls of a function in its package; nil where it is used in another way, too.
func (u *unit) callers(fn *types.Func) (calls []inspector.Cursor) {
	if fn == nil {
		return nil
	}
	for cur, id := range each[*ast.Ident](u) {
		if u.TypesInfo.Uses[id] != fn {
			continue
		}
		if cur.ParentEdgeKind() == edge.SelectorExpr_Sel {
			cur = cur.Parent()
		}
		if cur.ParentEdgeKind() != edge.CallExpr_Fun {
			return nil
		}
		calls = append(calls, cur.Parent())
	}
	return calls
}

var coderWrapped = check("coderwrapped", findCoderWrapped, `report compressors that are made at each call for something around them

A writer of answers with a gzip.Writer in it, or a function that others get a compressor from, makes its tables each
time (figures at coderpercall), in whatever method writes first.

It counts only with heat, by what compressors of that type allocate below the functions of the file. Reported are those
that are made in a literal, and those that are returned to other packages. Not reported: what coderpercall and coderfield
have, what a pool makes, packages that Reset a compressor of the type, and what runs once.`)

func findCoderWrapped(u *unit) {
	for cur, c := range u.calls(coders...) {
		f, ok := function(cur)
		typ := coderType(c.fn)
		if !ok || typ == "" || u.hasPool(f) || u.inPool(f) || !u.leavesBy(cur, f) && !inLiteral(cur) ||
			u.usersOf(cur) != nil || u.resetsType(u.TypesInfo.TypeOf(c.CallExpr)) {
			continue
		}
		// What counts, as a profile names it: lint's Check.Named.
		u.relate(c, c.says+", made at every call for what is around it: keep them in a sync.Pool and Reset them",
			there(c, typ))
	}
}

// coderType begins the names of the methods of what a function makes, as a profile has them.
func coderType(fn *types.Func) string {
	n, ok := types.Unalias(deref(fn.Signature().Results().At(0).Type())).(*types.Named)
	if !ok || n.Obj().Pkg() == nil {
		return ""
	}
	return symbolPath(n.Obj().Pkg()) + ".(*" + n.Obj().Name() + ")."
}

// inLiteral reports whether an expression is a part of a literal.
func inLiteral(cur inspector.Cursor) bool {
	for top := partOfLiteral(cur); cur != top; cur = cur.Parent() {
		if _, ok := cur.Parent().Node().(*ast.CompositeLit); ok {
			return true
		}
	}
	return false
}

// inPool reports whether a function is the New of a sync.Pool.
func (u *unit) inPool(f inspector.Cursor) bool {
	for lit := range f.Enclosing((*ast.CompositeLit)(nil)) {
		return isNamed(u.TypesInfo.TypeOf(lit.Node().(*ast.CompositeLit)), "sync", "Pool")
	}
	return false
}

// resetsType reports whether the package gives any compressor of a type something else to work on.
func (u *unit) resetsType(t types.Type) bool {
	if pair, ok := t.(*types.Tuple); ok {
		t = pair.At(0).Type()
	}
	for _, sel := range each[*ast.SelectorExpr](u) {
		if sel.Sel.Name == "Reset" && types.Identical(u.TypesInfo.TypeOf(sel.X), t) {
			return true
		}
	}
	return false
}

var coderField = check("coderfield", findCoderField, `report compressors that a method makes anew for a field that has one

The field's compressor has its tables already: Reset gives it something else to write to (figures at coderpercall).

It counts only with heat, by what compressors cost that are made below this file's functions: a gzip.Writer makes its
tables when it is first written to. Reported are assignments to a field of the receiver, also in a method that is called
initialize: it is the profile that says how often. Not reported: fields that are Reset somewhere in the package.`)

func findCoderField(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		row := rowOf(coders, u.Callee(call))
		if row == nil || cur.ParentEdgeKind() != edge.AssignStmt_Rhs {
			continue
		}
		field, ok := ast.Unparen(cur.Parent().Node().(*ast.AssignStmt).Lhs[0]).(*ast.SelectorExpr)
		if ok && u.ofReceiver(cur, field) && !u.fieldIsReset(field) {
			u.report(call, row.says+", made anew for a field that may have one: Reset that")
		}
	}
}

// ofReceiver reports whether a field is of the receiver of the method that a node is in.
func (u *unit) ofReceiver(cur inspector.Cursor, field *ast.SelectorExpr) bool {
	d := declaration(cur)
	if d == nil || d.Recv == nil || len(d.Recv.List) != 1 || len(d.Recv.List[0].Names) != 1 {
		return false
	}
	return u.IsUse(field.X, u.TypesInfo.Defs[d.Recv.List[0].Names[0]])
}

// fieldIsReset reports whether a package resets what is in a field.
func (u *unit) fieldIsReset(field *ast.SelectorExpr) bool {
	of := u.TypesInfo.ObjectOf(field.Sel)
	for cur, sel := range each[*ast.SelectorExpr](u) {
		if u.TypesInfo.ObjectOf(sel.Sel) != of {
			continue
		}
		if up, ok := cur.Parent().Node().(*ast.SelectorExpr); ok && up.Sel.Name == "Reset" {
			return true
		}
	}
	return false
}
