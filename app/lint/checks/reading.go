package checks

import (
	"go/ast"
	"go/types"

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

// readAll are the functions that read all of something.
var readAll = []callee{{"io", "", "ReadAll", ""}, {"io/ioutil", "", "ReadAll", ""}}

func findReadAllSize(u *unit) {
	for cur, call := range u.calls(readAll...) {
		arg := ast.Unparen(call.Args[0])
		switch f, v := u.Local(cur); {
		case v != nil && u.onlyDecoded(f, v): // readallunmarshal has it
		case isNamed(u.TypesInfo.TypeOf(arg), "bytes", "Buffer"):
			// The related place tells lint that all of it is saved, however small; see Check.Least.
			u.relate(call, "the buffer has these bytes: use its Bytes, or bytes.Clone of them",
				there(arg, "has the bytes"))
		case u.isBody(arg):
			u.report(call, "ReadAll grows step by step: where ContentLength is known, and below what you accept, "+
				"read into a buffer of that size, or of a sync.Pool")
		default:
			u.report(call, "ReadAll grows step by step from 512 bytes: where the length is known, or passed along with the "+
				"reader, read into a buffer of that size")
		}
	}
}

// isBody reports whether an expression is the body of a request or an answer of HTTP.
func (u *unit) isBody(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && sel.Sel.Name == "Body" && isAny(u.TypesInfo.TypeOf(sel.X), "net/http.Request", "net/http.Response")
}

var readAllUnmarshal = check("readallunmarshal", findReadAllUnmarshal, `report io.ReadAll of what is only decoded

The bytes are garbage once they are decoded, and ReadAll allocates them for each call. Read them into a bytes.Buffer of a
sync.Pool. A json.Decoder, which is the usual advice, is no faster, and has a buffer of its own: it allocates up to 25 %
more (BenchmarkCost/readall has all three ways).

It counts only with heat, by the bytes that ReadAll allocates. Reported are results that go to Unmarshal of encoding/json
or encoding/xml, which keep nothing of them. Not reported: what is used elsewhere, too, and what runs once.`)

func findReadAllUnmarshal(u *unit) {
	for cur, call := range u.calls(readAll...) {
		if f, v := u.Local(cur); v != nil && u.onlyDecoded(f, v) {
			u.report(call, "these bytes are only decoded: read them into a bytes.Buffer of a sync.Pool, and decode its Bytes")
		}
	}
}

// onlyDecoded reports whether all that a function does with bytes is to decode them and to look at their length.
func (u *unit) onlyDecoded(f inspector.Cursor, v *types.Var) bool {
	decoded := false
	return u.All(f, v, func(use inspector.Cursor) bool {
		switch p := use.Parent().Node().(type) {
		case *ast.CallExpr:
			fn := u.Callee(p)
			decodes := isFunc(fn, "encoding/json", "Unmarshal", "Valid") || isFunc(fn, "encoding/xml", "Unmarshal")
			decoded = decoded || decodes
			return decodes || u.Builtin(p) == "len"
		case *ast.BinaryExpr:
			return true
		}
		return use.ParentEdgeKind() == edge.AssignStmt_Lhs
	}) && decoded
}

var decoderOnce = check("decoderonce", findDecoderOnce, `report a json.Decoder for bytes that are there, or for one body, of which it decodes one value

A Decoder copies what it reads into a buffer of its own before it decodes: for 30 bytes it allocates 736 bytes more than
json.Unmarshal, and takes 1.6 times as long (BenchmarkCost/decoder).

It counts only with heat, by the Decoder's buffer, which grows for each body anew. Reported are Decoders of a bytes.Reader,
a strings.Reader or a bytes.Buffer that is made for them, or of the body of a request or an answer of HTTP, with one call
of Decode outside of loops. Not reported: those with UseNumber or
DisallowUnknownFields, which Unmarshal has not, and those that go elsewhere.`)

func findDecoderOnce(u *unit) {
	for cur, call := range u.calls(callee{"encoding/json", "", "NewDecoder", ""}) {
		do := "the bytes are there: json.Unmarshal decodes them without the Decoder's buffer"
		if u.isBody(call.Args[0]) {
			do = "a Decoder's buffer is made, and grows, for each body: read it into a bytes.Buffer of a sync.Pool, and " +
				"json.Unmarshal its Bytes"
		} else if !u.hasBytes(cur, call.Args[0]) {
			continue
		}
		f, _ := function(cur)
		if v := u.Assigned(cur); methodUsed(cur) == "Decode" {
			u.report(call, do)
		} else if v != nil && u.decodesOnce(f, v) {
			u.reportUses(f, v, call, do)
		}
	}
}

// hasBytes reports whether a reader is one of bytes or of a string, made in the function.
func (u *unit) hasBytes(cur inspector.Cursor, e ast.Expr) bool {
	f, _ := function(cur)
	call, ok := ast.Unparen(u.valueOf(e, f)).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := u.Callee(call)
	return isFunc(fn, "bytes", "NewReader", "NewBuffer", "NewBufferString") || isFunc(fn, "strings", "NewReader")
}

// decodesOnce reports whether a Decoder does nothing but decode one value. It may be given to a function that looks at
// what is left.
func (u *unit) decodesOnce(f inspector.Cursor, v *types.Var) bool {
	decodes := 0
	return u.All(f, v, func(use inspector.Cursor) bool {
		switch methodUsed(use) {
		case "Decode":
			decodes++
			_, again := loop(use)
			return !again
		case "More", "Buffered", "InputOffset":
			return true
		}
		_, given := use.Parent().Node().(*ast.CallExpr)
		return given
	}) && decodes == 1
}
