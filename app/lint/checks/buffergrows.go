package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var bufferGrows = check("buffergrows", findBufferGrows, `report a bytes.Buffer that grows from nothing at each call

It doubles until all has room, and each time copies what it had: 10 kB written in pieces of a kilobyte take 39 kB, and
none in a buffer of a sync.Pool (BenchmarkCost/buffer).

It counts only with heat, by what growing allocates on the lines that use the buffer. Reported are buffers of a function
whose bytes do not leave it, so that the next call can have the buffer. Not reported: those with a Grow, and what runs
once.`)

func findBufferGrows(u *unit) {
	for cur, at := range u.emptyBuffers() {
		f, ok := function(cur)
		v := u.bufferVar(cur)
		if !ok || v == nil || v.Kind() != types.LocalVar || u.runsOnce(cur) {
			continue
		}
		uses := u.uses(f, v)
		if len(uses) == 0 || !u.reusable(uses) {
			continue
		}
		u.reportUses(f, v, at, "this buffer grows from nothing at every call: Grow it to what is needed, or take one of a sync.Pool")
	}
}

// reportUses reports where a value is made whose cost is where it is used: the statements that use it, or what it was put
// into, are related.
func (u *unit) reportUses(f inspector.Cursor, v *types.Var, at ast.Node, message string) {
	d := analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Category: u.Analyzer.Name, Message: message,
		Related: []analysis.RelatedInformation{{Pos: at.Pos(), End: at.End(), Message: "is made here"}}}
	for _, use := range u.throughOthers(f, u.uses(f, v)) {
		n := statement(use)
		d.Related = append(d.Related, analysis.RelatedInformation{Pos: n.Pos(), End: n.End(), Message: "is used here"})
	}
	u.Report(d)
}

// bufferVar is the variable that has a new buffer, or its address.
func (u *unit) bufferVar(cur inspector.Cursor) *types.Var {
	if spec, ok := cur.Node().(*ast.ValueSpec); ok {
		v, _ := u.TypesInfo.Defs[spec.Names[0]].(*types.Var)
		return v
	}
	if addr, ok := cur.Parent().Node().(*ast.UnaryExpr); ok && addr.Op == token.AND {
		cur = cur.Parent()
	}
	return u.assigned(cur)
}

// throughOthers adds to the uses of a value those of what it is given to: an encoder that writes to a buffer, an answer
// that writes to a compressor.
func (u *unit) throughOthers(f inspector.Cursor, uses []inspector.Cursor) []inspector.Cursor {
	all := slices.Clone(uses)
	for _, use := range uses {
		for up := use; isExpr(up.Parent().Node()); {
			up = up.Parent()
			if w := u.assigned(up); w != nil && !isError(w.Type()) {
				all = append(all, u.uses(f, w)...)
			}
		}
	}
	return all
}

func isExpr(n ast.Node) bool { _, ok := n.(ast.Expr); return ok }

// emptyBuffers yields where a bytes.Buffer is made without anything in it: var b bytes.Buffer, bytes.Buffer{},
// new(bytes.Buffer), bytes.NewBuffer(nil).
func (u *unit) emptyBuffers() func(func(inspector.Cursor, ast.Node) bool) {
	return func(yield func(inspector.Cursor, ast.Node) bool) {
		for cur := range nodes(u, (*ast.ValueSpec)(nil), (*ast.CompositeLit)(nil), (*ast.CallExpr)(nil)) {
			if at := u.emptyBuffer(cur); at != nil && !yield(cur, at) {
				return
			}
		}
	}
}

func (u *unit) emptyBuffer(cur inspector.Cursor) ast.Node {
	switch n := cur.Node().(type) {
	case *ast.ValueSpec:
		if len(n.Names) == 1 && len(n.Values) == 0 && isBuffer(u.TypesInfo.TypeOf(n.Type)) {
			return n
		}
	case *ast.CompositeLit:
		if len(n.Elts) == 0 && isBuffer(u.TypesInfo.TypeOf(n)) {
			return n
		}
	case *ast.CallExpr:
		switch {
		case u.builtin(n) == "new" && isBuffer(u.TypesInfo.TypeOf(n.Args[0])):
			return n
		case isFunc(u.callee(n), "bytes", "NewBuffer") && u.isEmpty(n.Args[0]):
			return n
		}
	}
	return nil
}

func isBuffer(t types.Type) bool { return t != nil && !isPointer(t) && isNamed(t, "bytes", "Buffer") }

// reusable reports whether a buffer and its bytes stay in the function: it is written to by its methods or by a call
// that takes a writer, and its bytes go to a writer, a hash or a decoder, or become a string.
func (u *unit) reusable(uses []inspector.Cursor) bool {
	for _, use := range uses {
		if addr, ok := use.Parent().Node().(*ast.UnaryExpr); ok && addr.Op == token.AND {
			use = use.Parent()
		}
		switch p := use.Parent().Node().(type) {
		case *ast.SelectorExpr:
			switch p.Sel.Name {
			case "Grow":
				return false
			case "Bytes":
				if !u.passes(use.Parent().Parent()) {
					return false
				}
			}
		case *ast.CallExpr:
			if use.ParentEdgeKind() != edge.CallExpr_Args || !u.takesWriter(p, use.ParentEdgeIndex()) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// passes reports whether the bytes of a buffer go where nobody keeps them: into Write, Unmarshal, a hash, string() or len.
func (u *unit) passes(call inspector.Cursor) bool {
	p, ok := call.Parent().Node().(*ast.CallExpr)
	if !ok || call.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	if to, _ := u.conversion(p); to != nil {
		return isBasic(to, types.String)
	}
	if u.builtin(p) == "len" || u.builtin(p) == "append" && p.Ellipsis.IsValid() {
		return true
	}
	fn := u.callee(p)
	return fn != nil && (fn.Name() == "Write" || fn.Name() == "Unmarshal" || fn.Name() == "Equal" || fn.Name() == "Clone")
}

// takesWriter reports whether a function takes an argument as an io.Writer, and returns nothing that could keep it but an
// encoder or another writer.
func (u *unit) takesWriter(call *ast.CallExpr, i int) bool {
	fn := u.callee(call)
	if fn == nil {
		return false
	}
	params := fn.Signature().Params()
	if i >= params.Len() {
		return false
	}
	return isNamed(params.At(i).Type(), "io", "Writer")
}

// statement is the innermost statement that an expression is in; of a condition the expression, and not all that depends
// on it.
func statement(cur inspector.Cursor) ast.Node {
	child := cur.Node()
	for up := cur; up.Node() != nil; up = up.Parent() {
		switch n := up.Node().(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.BlockStmt:
			return child
		case ast.Stmt:
			return n
		}
		child = up.Node()
	}
	return child
}
