package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

var decoderOnce = check("decoderonce", findDecoderOnce, `report a json.Decoder for bytes that are there, or for one body, of which it decodes one value

A Decoder copies what it reads into a buffer of its own before it decodes: for 30 bytes it allocates 736 bytes more than
json.Unmarshal, and takes 1.6 times as long (BenchmarkCost/decoder).

It counts only with heat, by the Decoder's buffer, which grows for each body anew. Reported are Decoders of a bytes.Reader,
a strings.Reader or a bytes.Buffer that is made for them, or of the body of a request or an answer of HTTP, with one call
of Decode outside of loops. Not reported: those with UseNumber or
DisallowUnknownFields, which Unmarshal has not, and those that go elsewhere.`)

func findDecoderOnce(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.callee(call), "encoding/json", "NewDecoder") || u.runsOnce(cur) {
			continue
		}
		do := "the bytes are there: json.Unmarshal decodes them without the Decoder's buffer"
		if sel, ok := ast.Unparen(call.Args[0]).(*ast.SelectorExpr); ok && sel.Sel.Name == "Body" && u.isMessage(sel.X) {
			do = "a Decoder's buffer is made, and grows, for each body: read it into a bytes.Buffer of a sync.Pool, and " +
				"json.Unmarshal its Bytes"
		} else if !u.hasBytes(cur, call.Args[0]) {
			continue
		}
		f, ok := function(cur)
		if sel, direct := cur.Parent().Node().(*ast.SelectorExpr); direct && ok && sel.Sel.Name == "Decode" {
			u.report(call, do)
			continue
		}
		if v := u.assigned(cur); ok && v != nil && u.decodesOnce(f, v) {
			u.reportUses(f, v, call, do)
		}
	}
}

// hasBytes reports whether a reader is one of bytes or of a string, made in the function.
func (u *unit) hasBytes(cur inspector.Cursor, e ast.Expr) bool {
	makes := func(e ast.Expr) bool {
		call, ok := ast.Unparen(e).(*ast.CallExpr)
		if !ok {
			return false
		}
		fn := u.callee(call)
		return isFunc(fn, "bytes", "NewReader", "NewBuffer", "NewBufferString") || isFunc(fn, "strings", "NewReader")
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	f, within := function(cur)
	if !ok || !within {
		return makes(e)
	}
	v := u.TypesInfo.Uses[id]
	for at, call := range below[*ast.CallExpr](f) {
		if w := u.assigned(at); v != nil && w == v {
			return makes(call)
		}
	}
	return false
}

// decodesOnce reports whether a Decoder does nothing but decode one value. It may be given to a function that looks at
// what is left.
func (u *unit) decodesOnce(f inspector.Cursor, v *types.Var) bool {
	decodes := 0
	for _, use := range u.uses(f, v) {
		switch p := use.Parent().Node().(type) {
		case *ast.SelectorExpr:
			switch p.Sel.Name {
			case "Decode":
				if _, again := loop(use); again {
					return false
				}
				decodes++
			case "More", "Buffered", "InputOffset":
			default:
				return false
			}
		case *ast.CallExpr:
		default:
			return false
		}
	}
	return decodes == 1
}
