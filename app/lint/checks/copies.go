package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
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
		u.relate(span{u.makeBefore(cur, call).Pos(), call.End()},
			text+" is copied at each pass: share it where nobody changes it, or copy only what is changed",
			there(call, counts))
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
	fn := u.Callee(call)
	switch name := u.Builtin(call); {
	case name == "append" && len(call.Args) == 2 && call.Ellipsis.IsValid() && u.isEmpty(call.Args[0]) &&
		u.isWhole(call.Args[1]), name == "copy" && u.makeBefore(cur, call) != ast.Node(call):
		return call.Args[1], inRuntime
	case fn == nil:
		return nil, ""
	case isOfAny(fn, []string{"slices", "maps", "bytes"}, "Clone"), isProto(fn, "Clone", "CloneOf"):
		if !u.isWhole(call.Args[0]) {
			return nil, ""
		}
		return call.Args[0], profileName(fn)
	case !isCopier(fn.Name()) || !givesOne(fn.Signature()):
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
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr:
		return !isBytes(u.TypesInfo.TypeOf(e))
	}
	return false
}

// makeBefore is the statement before a copy which makes what it fills, as long as what it copies; otherwise the call.
func (u *unit) makeBefore(cur inspector.Cursor, call *ast.CallExpr) ast.Node {
	if u.Builtin(call) != "copy" || !u.isWhole(call.Args[1]) {
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
	if !ok || len(s.Lhs) != 1 || !u.Same(s.Lhs[0], call.Args[0]) {
		return call
	}
	made, ok := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
	if !ok || u.Builtin(made) != "make" || len(made.Args) < 2 {
		return call
	}
	length, ok := ast.Unparen(made.Args[1]).(*ast.CallExpr)
	if !ok || u.Builtin(length) != "len" || !u.Same(length.Args[0], call.Args[1]) {
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

var jsonRoundTrip = check("jsonroundtrip", findJSONRoundTrip, `report JSON that is read into map[string]any and written again, and values that are copied by way of JSON or Protobuf

A map[string]any costs an allocation for each value. An order of 20 lines takes 78 µs and 602 allocations that way, and
34 µs and 25 allocations by map[string]json.RawMessage, which leaves as it is what nobody looks at (BenchmarkCost/json).
A small struct that is marshaled and unmarshaled at once is copied in 1.5 µs, by assignment in 2 ns
(BenchmarkCost/copy).

Not reported: a map that goes elsewhere, or is only read; text that is used for anything else; values of an interface or
a map, for which JSON is the way to a struct.`)

func findJSONRoundTrip(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		f, ok := function(cur)
		if !ok || u.runsOnce(cur) {
			continue
		}
		switch {
		case isJSON(fn, "Unmarshal") && len(call.Args) >= 2:
			v, _ := u.Root(call.Args[1]).(*types.Var)
			if v != nil && isAnyMap(v.Type()) && u.marshaled(f, v, call) {
				u.report(call, "this JSON is read into a map and written again: use a struct, or map[string]json.RawMessage "+
					"for what stays as it is")
			}
		case isProto(fn, "Marshal") && len(call.Args) == 1:
			back := u.onlyUnmarshaled(f, u.Assigned(cur), call)
			if back != nil && u.sameType(call.Args[0], back.Args[1]) {
				u.report(back, "this copies a message by encoding and decoding it: use proto.Clone, or copy what is changed alone")
			}
		case isJSON(fn, "Marshal"):
			t := u.TypesInfo.TypeOf(call.Args[0])
			back := u.onlyUnmarshaled(f, u.Assigned(cur), call)
			// Of an interface or a map of such there are no fields to assign, and JSON is the way to a struct.
			if back != nil && !types.IsInterface(t) && !isAnyMap(t) {
				u.report(back, "this copies a value by way of JSON: assign its fields, or write a Clone")
			}
		}
	}
}

// jsonPackages have the functions of encoding/json.
var jsonPackages = []string{"encoding/json", "encoding/json/v2", "github.com/goccy/go-json",
	"github.com/segmentio/encoding/json", "github.com/go-json-experiment/json"}

// protoPackages have Marshal, Unmarshal and Clone of messages.
var protoPackages = []string{protoPath, "github.com/golang/protobuf/proto", "github.com/gogo/protobuf/proto"}

func isJSON(fn *types.Func, names ...string) bool { return isOfAny(fn, jsonPackages, names...) }

func isProto(fn *types.Func, names ...string) bool { return isOfAny(fn, protoPackages, names...) }

// isOfAny reports whether fn is one of these functions of one of some packages.
func isOfAny(fn *types.Func, paths []string, names ...string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { return isFunc(fn, path, names...) })
}

// sameType reports whether two expressions are of one type that is no interface, or pointers to it: another type of the
// same fields is made by way of its bytes.
func (u *unit) sameType(a, b ast.Expr) bool {
	from, to := u.TypesInfo.TypeOf(a), u.TypesInfo.TypeOf(b)
	return from != nil && to != nil && !types.IsInterface(from) && types.Identical(deref(from), deref(to))
}

// isAnyMap reports whether a type is map[string]any, or any itself.
func isAnyMap(t types.Type) bool {
	m, ok := t.Underlying().(*types.Map)
	if !ok {
		return false
	}
	i, ok := m.Elem().Underlying().(*types.Interface)
	return ok && i.Empty()
}

// marshaled reports whether a function writes a map again that it has read, and does not give it to anyone else.
func (u *unit) marshaled(f inspector.Cursor, v *types.Var, read *ast.CallExpr) bool {
	written := false
	return u.All(f, v, func(use inspector.Cursor) bool {
		if p, ok := use.Parent().Node().(*ast.UnaryExpr); ok && p.X == use.Node() {
			use = use.Parent()
		}
		switch p := use.Parent().Node().(type) {
		case *ast.CallExpr:
			if isJSON(u.Callee(p), "Marshal", "MarshalIndent") && p.Pos() > read.Pos() {
				written = true
				return true
			}
			return p == read || u.Builtin(p) == "delete" || u.Builtin(p) == "len"
		case *ast.IndexExpr, *ast.RangeStmt, *ast.BinaryExpr:
			return true
		}
		return use.ParentEdgeKind() == edge.AssignStmt_Lhs
	}) && written
}

// onlyUnmarshaled is the Unmarshal that is all that a text is used for, or nil.
func (u *unit) onlyUnmarshaled(f inspector.Cursor, text *types.Var, made *ast.CallExpr) (back *ast.CallExpr) {
	if text == nil {
		return nil
	}
	for _, use := range u.Uses(f, text) {
		call, ok := use.Parent().Node().(*ast.CallExpr)
		if !ok || back != nil || call.Pos() < made.Pos() || call.Args[0] != use.Node() ||
			!isJSON(u.Callee(call), "Unmarshal") && !isProto(u.Callee(call), "Unmarshal") {
			return nil
		}
		back = call
	}
	return back
}
