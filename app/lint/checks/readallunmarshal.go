package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var readAllUnmarshal = check("readallunmarshal", findReadAllUnmarshal, `report io.ReadAll of what is only decoded

The bytes are garbage once they are decoded, and ReadAll allocates them for each call. Read them into a bytes.Buffer of a
sync.Pool. A json.Decoder, which is the usual advice, is no faster, and has a buffer of its own: it allocates up to 25 %
more (BenchmarkCost/readall has all three ways).

It counts only with heat, by the bytes that ReadAll allocates. Reported are results that go to Unmarshal of encoding/json
or encoding/xml, which keep nothing of them. Not reported: what is used elsewhere, too, and what runs once.`)

func findReadAllUnmarshal(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if !isFunc(fn, "io", "ReadAll") && !isFunc(fn, "io/ioutil", "ReadAll") || u.runsOnce(cur) {
			continue
		}
		v := u.assigned(cur)
		if f, ok := function(cur); ok && v != nil && u.onlyDecoded(f, v) {
			u.report(call, "these bytes are only decoded: read them into a bytes.Buffer of a sync.Pool, and decode its Bytes")
		}
	}
}

// onlyDecoded reports whether all that a function does with bytes is to decode them and to look at their length.
func (u *unit) onlyDecoded(f inspector.Cursor, v *types.Var) bool {
	if n := f.Node(); v.Pos() < n.Pos() || n.End() <= v.Pos() || v.Kind() != types.LocalVar {
		return false
	}
	decoded := false
	for _, use := range u.uses(f, v) {
		switch p := use.Parent().Node().(type) {
		case *ast.CallExpr:
			fn := u.callee(p)
			switch {
			case isFunc(fn, "encoding/json", "Unmarshal", "Valid") || isFunc(fn, "encoding/xml", "Unmarshal"):
				decoded = true
			case u.builtin(p) != "len":
				return false
			}
		case *ast.BinaryExpr:
		case *ast.AssignStmt:
			if use.ParentEdgeKind() != edge.AssignStmt_Lhs {
				return false
			}
		default:
			return false
		}
	}
	return decoded
}
