package checks

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var jsonRoundTrip = check("jsonroundtrip", findJSONRoundTrip, `report JSON that is read into map[string]any and written again, and values that are copied by way of JSON or Protobuf

A map[string]any costs an allocation for each value. An order of 20 lines takes 78 µs and 602 allocations that way, and
34 µs and 25 allocations by map[string]json.RawMessage, which leaves as it is what nobody looks at (BenchmarkCost/json).
A small struct that is marshaled and unmarshaled at once is copied in 1.5 µs, by assignment in 2 ns
(BenchmarkCost/copy).

Not reported: a map that goes elsewhere, or is only read; text that is used for anything else; values of an interface or
a map, for which JSON is the way to a struct.`)

func findJSONRoundTrip(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		f, ok := function(cur)
		if !ok || u.runsOnce(cur) {
			continue
		}
		switch {
		case isJSON(fn, "Unmarshal") && len(call.Args) >= 2:
			v, _ := u.root(call.Args[1]).(*types.Var)
			if v != nil && isAnyMap(v.Type()) && u.marshaled(f, v, call) {
				u.report(call, "this JSON is read into a map and written again: use a struct, or map[string]json.RawMessage "+
					"for what stays as it is")
			}
		case isProto(fn, "Marshal") && len(call.Args) == 1:
			text := u.assigned(cur)
			if text == nil {
				continue
			}
			if back := u.onlyUnmarshaled(f, text, call); back != nil && u.sameType(call.Args[0], back.Args[1]) {
				u.report(back, "this copies a message by encoding and decoding it: use proto.Clone, or copy what is changed alone")
			}
		case isJSON(fn, "Marshal"):
			text := u.assigned(cur)
			if text == nil {
				continue
			}
			if back := u.onlyUnmarshaled(f, text, call); back != nil && !u.convertsEnvelope(call, back) {
				u.report(back, "this copies a value by way of JSON: assign its fields, or write a Clone")
			}
		}
	}
}

// jsonPackages have the functions of encoding/json.
var jsonPackages = []string{"encoding/json", "encoding/json/v2", "github.com/goccy/go-json",
	"github.com/segmentio/encoding/json", "github.com/go-json-experiment/json"}

func isJSON(fn *types.Func, names ...string) bool {
	return fn != nil && fn.Pkg() != nil && slices.Contains(jsonPackages, fn.Pkg().Path()) &&
		isFunc(fn, fn.Pkg().Path(), names...)
}

// protoPackages have Marshal, Unmarshal and Clone of messages.
var protoPackages = []string{protoPath, "github.com/golang/protobuf/proto", "github.com/gogo/protobuf/proto"}

func isProto(fn *types.Func, names ...string) bool {
	return fn != nil && fn.Pkg() != nil && slices.Contains(protoPackages, fn.Pkg().Path()) &&
		isFunc(fn, fn.Pkg().Path(), names...)
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
	for _, use := range u.uses(f, v) {
		cur := use
		if p, ok := use.Parent().Node().(*ast.UnaryExpr); ok && p.X == use.Node() {
			cur = use.Parent()
		}
		switch p := cur.Parent().Node().(type) {
		case *ast.CallExpr:
			switch fn := u.callee(p); {
			case isJSON(fn, "Marshal", "MarshalIndent") && p.Pos() > read.Pos():
				written = true
			case p == read, u.builtin(p) == "delete", u.builtin(p) == "len":
			default:
				return false
			}
		case *ast.IndexExpr, *ast.RangeStmt:
		case *ast.AssignStmt:
			if cur.ParentEdgeKind() != edge.AssignStmt_Lhs {
				return false
			}
		case *ast.BinaryExpr:
		default:
			return false
		}
	}
	return written
}

// onlyUnmarshaled is the Unmarshal that is all that a text is used for, or nil.
func (u *unit) onlyUnmarshaled(f inspector.Cursor, text *types.Var, made *ast.CallExpr) (back *ast.CallExpr) {
	for _, use := range u.uses(f, text) {
		call, ok := use.Parent().Node().(*ast.CallExpr)
		if !ok || back != nil || call.Pos() < made.Pos() || call.Args[0] != use.Node() ||
			!isJSON(u.callee(call), "Unmarshal") && !isProto(u.callee(call), "Unmarshal") {
			return nil
		}
		back = call
	}
	return back
}

// convertsEnvelope reports whether the value that is copied is an interface or a map of such: there are no fields to
// assign, and JSON is the way to make a struct of it.
func (u *unit) convertsEnvelope(made, back *ast.CallExpr) bool {
	t := u.TypesInfo.TypeOf(made.Args[0])
	_, dynamic := t.Underlying().(*types.Interface)
	return dynamic || isAnyMap(t)
}
