package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var copyHot = check("copyhot", findCopyHot, `report copies of whole slices, maps and messages where they cost

A copy that is made so that nobody can change what others have is paid for by all who only read it. What is never changed
can be shared; what is changed rarely can be replaced as a whole, behind an atomic pointer, and read without a copy.

It counts only with heat, by what the copying takes. Reported are slices.Clone, maps.Clone, bytes.Clone, proto.Clone,
append to an empty slice of all of another one, make and copy of a whole slice, and functions that are named clone or
copy, take nothing but what they copy, and give back its type, perhaps with an error. Not reported: the inside of such functions, whose callers
decide; copies of what a buffer has; and what runs once.`)

func findCopyHot(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if f, ok := function(cur); !ok || u.runsOnce(cur) || isCopier(nameOf(f)) {
			continue
		}
		what, counts := u.wholeCopy(cur, call)
		if what == nil {
			continue
		}
		text := types.ExprString(what)
		if strings.ContainsAny(text, "({") || len(text) > 40 {
			text = "all of it"
		}
		// The one related message is what counts on the line, as a profile names it: lint's Check.Named.
		u.Report(analysis.Diagnostic{Pos: u.makeBefore(cur, call).Pos(), End: call.End(), Category: u.Analyzer.Name,
			Message: text + " is copied at each pass: share it where nobody changes it, or copy only what is changed",
			Related: []analysis.RelatedInformation{{Pos: call.Pos(), End: call.End(), Message: counts}}})
	}
}

// nameOf is the name of a function declaration, "" for a literal.
func nameOf(f inspector.Cursor) string {
	if d, ok := f.Node().(*ast.FuncDecl); ok {
		return d.Name.Name
	}
	return ""
}

// isCopier reports whether a function's name says that it copies.
func isCopier(name string) bool {
	w := words(name)
	return len(w) > 0 && (slices.Contains([]string{"clone", "copy", "dup"}, w[0]) ||
		w[0] == "deep" && len(w) > 1 && slices.Contains([]string{"clone", "copy"}, w[1]))
}

const protoPath = "google.golang.org/protobuf/proto"

// wholeCopy is what a call copies as a whole, and the function that counts for that; nil for any other call.
func (u *unit) wholeCopy(cur inspector.Cursor, call *ast.CallExpr) (what ast.Expr, counts string) {
	const inRuntime = "runtime."
	switch u.builtin(call) {
	case "append":
		if len(call.Args) == 2 && call.Ellipsis.IsValid() && u.isEmpty(call.Args[0]) && u.isWhole(call.Args[1]) {
			return call.Args[1], inRuntime
		}
		return nil, ""
	case "copy":
		if u.makeBefore(cur, call) != ast.Node(call) {
			return call.Args[1], inRuntime
		}
		return nil, ""
	}
	fn := u.callee(call)
	switch {
	case isFunc(fn, "slices", "Clone"), isFunc(fn, "maps", "Clone"), isFunc(fn, "bytes", "Clone"),
		isFunc(fn, protoPath, "Clone", "CloneOf"), isFunc(fn, "github.com/golang/protobuf/proto", "Clone"),
		isFunc(fn, "github.com/gogo/protobuf/proto", "Clone"):
		if !u.isWhole(call.Args[0]) {
			return nil, ""
		}
		return call.Args[0], profileName(fn)
	case fn == nil || !isCopier(fn.Name()) || !givesOne(fn.Signature()):
		return nil, ""
	}
	return u.ofOwnType(call, fn), profileName(fn)
}

// givesOne reports whether a function returns one value, or one and an error.
func givesOne(sig *types.Signature) bool {
	r := sig.Results()
	return r.Len() == 1 || r.Len() == 2 && isError(r.At(1).Type())
}

// ofOwnType is what a function gets and gives back the type of: its receiver, or its only argument.
func (u *unit) ofOwnType(call *ast.CallExpr, fn *types.Func) ast.Expr {
	var from ast.Expr
	sel, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	switch {
	case fn.Signature().Recv() != nil && isMethod && len(call.Args) == 0:
		from = sel.X
	case fn.Signature().Recv() == nil && len(call.Args) == 1:
		from = call.Args[0]
	default:
		return nil
	}
	recv := u.TypesInfo.TypeOf(from)
	if recv == nil || types.IsInterface(recv) || !types.Identical(deref(recv), deref(fn.Signature().Results().At(0).Type())) {
		return nil
	}
	if _, pair := deref(recv).Underlying().(*types.Basic); pair {
		return nil // a text
	}
	return from
}

// isWhole reports whether an expression is a slice or a map that is there, and not a part of one, nor what a buffer has.
func (u *unit) isWhole(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return !isBytes(u.TypesInfo.TypeOf(e))
	case *ast.IndexExpr:
		return !isBytes(u.TypesInfo.TypeOf(e))
	}
	return false
}

// makeBefore is the statement before a copy which makes what it fills, as long as what it copies; otherwise the call.
func (u *unit) makeBefore(cur inspector.Cursor, call *ast.CallExpr) ast.Node {
	if u.builtin(call) != "copy" || !u.isWhole(call.Args[1]) {
		return call
	}
	if _, alone := cur.Parent().Node().(*ast.ExprStmt); !alone {
		return call
	}
	before, ok := cur.Parent().PrevSibling()
	if !ok {
		return call
	}
	s, ok := before.Node().(*ast.AssignStmt)
	if !ok || len(s.Lhs) != 1 || !u.same(s.Lhs[0], call.Args[0]) {
		return call
	}
	made, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || u.builtin(made) != "make" || len(made.Args) < 2 {
		return call
	}
	length, ok := ast.Unparen(made.Args[1]).(*ast.CallExpr)
	if !ok || u.builtin(length) != "len" || !u.same(length.Args[0], call.Args[1]) {
		return call
	}
	return s
}

// profileName is a function as a profile names it: path.F, path.T.M or path.(*T).M.
func profileName(fn *types.Func) string {
	fn = fn.Origin()
	path := symbolPath(fn.Pkg())
	recv := fn.Signature().Recv()
	if recv == nil {
		return path + "." + fn.Name()
	}
	n, ok := types.Unalias(deref(recv.Type())).(*types.Named)
	if !ok {
		return path + "."
	}
	if isPointer(recv.Type()) {
		return path + ".(*" + n.Obj().Name() + ")." + fn.Name()
	}
	return path + "." + n.Obj().Name() + "." + fn.Name()
}

// symbolPath is an import path as symbols have it: main for programs, and dots of the last element escaped
// (cmd/internal/objabi/path.go).
func symbolPath(pkg *types.Package) string {
	if pkg.Name() == "main" {
		return "main"
	}
	i := strings.LastIndexByte(pkg.Path(), '/') + 1
	return pkg.Path()[:i] + strings.ReplaceAll(pkg.Path()[i:], ".", "%2e")
}
