package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var marshalCopy = check("marshalcopy", findMarshalCopy, `report json.Marshal of what is only written to a writer

Marshal encodes into a buffer that it has of a pool, and copies that for the caller. An Encoder writes the same buffer
to the writer, after everything was encoded, so that an error leaves nothing half written: for an answer of 24 kB it
allocates 24 kB less (BenchmarkCostAgain/marshal). It ends the text with a newline, and escapes HTML as Marshal does.

It counts only with heat, by what Marshal's own copy allocates. Not reported: bytes of which the length is asked, that
go to several writers, or anywhere else; and what runs once.`)

func findMarshalCopy(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.callee(call), "encoding/json", "Marshal") || u.runsOnce(cur) {
			continue
		}
		v := u.assigned(cur)
		f, ok := function(cur)
		if v == nil || !ok || v.Kind() != types.LocalVar || !within(f.Node(), v.Pos()) {
			continue
		}
		if u.onlyWritten(f, v) {
			u.report(call, "Marshal copies what it encoded to be written once: json.NewEncoder(w).Encode writes it without "+
				"the copy")
		}
	}
}

// onlyWritten reports whether bytes have no other use than one write to a writer that is no hash.
func (u *unit) onlyWritten(f inspector.Cursor, v *types.Var) bool {
	writes := 0
	for _, use := range u.uses(f, v) {
		if use.ParentEdgeKind() == edge.AssignStmt_Lhs {
			continue
		}
		if !u.isWrite(use) {
			return false
		}
		writes++
	}
	return writes == 1
}

// isWrite reports whether bytes are an argument of Write, or become the text that Fprint or WriteString writes.
func (u *unit) isWrite(use inspector.Cursor) bool {
	call, ok := use.Parent().Node().(*ast.CallExpr)
	if !ok || use.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	if to, _ := u.conversion(call); to != nil {
		return isBasic(to, types.String) && u.isWrite(use.Parent())
	}
	fn := u.callee(call)
	if isFunc(fn, "io", "WriteString") {
		return true
	}
	if isFunc(fn, "fmt", "Fprint", "Fprintln") {
		return len(call.Args) == 2
	}
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || fn == nil || fn.Name() != "Write" || !isWriter(fn) {
		return false
	}
	return isAnswer(u.TypesInfo.TypeOf(sel.X))
}

// isAnswer reports whether a writer sends what it gets, or keeps it: one write of the same bytes by the Encoder is the
// same to it. Frames of a protocol that are a message for each write, and hashes, are not meant to get a newline.
func isAnswer(t types.Type) bool {
	return isNamed(t, "net/http", "ResponseWriter") || isNamed(t, "bytes", "Buffer") || isNamed(t, "bufio", "Writer") ||
		isNamed(t, "os", "File") || isNamed(t, "io", "Writer") || isNamed(t, "github.com/gin-gonic/gin", "ResponseWriter") ||
		isNamed(t, "github.com/labstack/echo/v4", "Response")
}

// isWriter reports whether a method is Write of an io.Writer.
func isWriter(fn *types.Func) bool {
	sig := fn.Signature()
	return sig.Recv() != nil && sig.Params().Len() == 1 && isBytes(sig.Params().At(0).Type()) && sig.Results().Len() == 2
}
