package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var readAllSize = check("readallsize", findReadAllSize, `report io.ReadAll of what has, or may have, a known length

io.ReadAll grows its result step by step and copies it at the end: 308 kB take 679 kB, and nearly twice as long as in
a buffer that was made for them (BenchmarkCost/readsize). The body of a request or an answer has its length in
ContentLength, if it is not sent in chunks; a bytes.Buffer has its bytes already; of another reader who gives it often
knows the length.

It counts only with heat, by the bytes that ReadAll allocates, and where these are large. Not reported: what is only
decoded, which readallunmarshal has, and what runs once.`)

func findReadAllSize(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if !isFunc(fn, "io", "ReadAll") && !isFunc(fn, "io/ioutil", "ReadAll") || u.runsOnce(cur) || u.isDecoded(cur) {
			continue
		}
		arg := ast.Unparen(call.Args[0])
		sel, isSel := arg.(*ast.SelectorExpr)
		switch {
		case isNamed(u.TypesInfo.TypeOf(arg), "bytes", "Buffer"):
			// The related place tells lint that all of it is saved, however small; see Check.Least.
			u.Report(analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: u.Analyzer.Name,
				Message: "the buffer has these bytes: use its Bytes, or bytes.Clone of them",
				Related: []analysis.RelatedInformation{{Pos: arg.Pos(), End: arg.End(), Message: "has the bytes"}}})
		case isSel && sel.Sel.Name == "Body" && u.isMessage(sel.X):
			u.report(call, "ReadAll grows step by step: where ContentLength is known, and below what you accept, "+
				"read into a buffer of that size, or of a sync.Pool")
		default:
			u.report(call, "ReadAll grows step by step from 512 bytes: where the length is known, or passed along with the "+
				"reader, read into a buffer of that size")
		}
	}
}

// isMessage reports whether an expression is a request or an answer of HTTP.
func (u *unit) isMessage(e ast.Expr) bool {
	t := u.TypesInfo.TypeOf(e)
	return isNamed(t, "net/http", "Request") || isNamed(t, "net/http", "Response")
}

// isDecoded reports whether what ReadAll returns is only decoded.
func (u *unit) isDecoded(cur inspector.Cursor) bool {
	v := u.assigned(cur)
	f, ok := function(cur)
	return ok && v != nil && u.onlyDecoded(f, v)
}

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
