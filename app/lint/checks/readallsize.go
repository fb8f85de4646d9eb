package checks

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
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
