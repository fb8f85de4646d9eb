package checks

import (
	"go/ast"
	"go/types"
)

var jsonNested = check("jsonnested", findJSONNested, `report json.Unmarshal within UnmarshalJSON

Before it decodes, json.Unmarshal scans all of its bytes to see whether they are JSON. An UnmarshalJSON gets bytes that were
scanned, and who calls json.Unmarshal there has them scanned again: once more for each level of such types. Checking what
was decoded needs no method of that name, and a type that only wants another form of a field can have a type for that field.

It counts only with heat, by what the scanning takes. Reported are calls with the method's own argument. Not reported: what
decodes another text.`)

func findJSONNested(u *unit) {
	for cur, d := range each[*ast.FuncDecl](u) {
		fn, ok := u.TypesInfo.Defs[d.Name].(*types.Func)
		if !ok || d.Body == nil || d.Recv == nil || d.Name.Name != "UnmarshalJSON" || fn.Signature().Params().Len() != 1 {
			continue
		}
		data := fn.Signature().Params().At(0)
		for _, call := range below[*ast.CallExpr](cur) {
			if isFunc(u.callee(call), "encoding/json", "Unmarshal") && u.isUse(call.Args[0], data) {
				u.report(call, "these bytes were scanned already, and json.Unmarshal scans them again at each such level: check "+
					"what was decoded outside of UnmarshalJSON, or give the fields types of their own")
			}
		}
	}
}
