package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// bufferPool takes a bytes.Buffer that a function makes and leaves behind from a sync.Pool, and resets it.
func bufferPool(u *Unit) (out changes) {
	for cur := range u.root.Preorder((*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil)) {
		if v := u.Assigned(cur); u.makesBuffer(cur.Node()) && v != nil && v.Kind() == types.LocalVar {
			out.add(u.pooledBuffer(cur, v))
		}
	}
	for cur, spec := range each[*ast.ValueSpec](u) { // var b bytes.Buffer
		if len(spec.Names) != 1 || len(spec.Values) > 0 || spec.Type == nil {
			continue
		}
		if v, ok := u.Info.Defs[spec.Names[0]].(*types.Var); ok && v.Kind() == types.LocalVar && isBuffer(v.Type()) {
			out.add(u.pooledBuffer(cur, v))
		}
	}
	return out
}

func isBuffer(t types.Type) bool {
	_, pointer := types.Unalias(t).(*types.Pointer)
	return !pointer && isNamed(t, "bytes", "Buffer")
}

// makesBuffer reports whether an expression is a new, empty buffer: new(bytes.Buffer), &bytes.Buffer{},
// bytes.NewBuffer(nil).
func (u *Unit) makesBuffer(n ast.Node) bool {
	switch e := n.(type) {
	case *ast.CallExpr:
		if u.Builtin(e) == "new" && len(e.Args) == 1 {
			return isBuffer(u.Info.TypeOf(e.Args[0]))
		}
		return isFunc(u.Callee(e), "bytes", "NewBuffer") && u.IsNil(e.Args[0])
	case *ast.UnaryExpr:
		lit, ok := e.X.(*ast.CompositeLit)
		return ok && e.Op == token.AND && isBuffer(u.Info.TypeOf(lit)) && len(lit.Elts) == 0
	}
	return false
}

func (u *Unit) pooledBuffer(cur inspector.Cursor, v *types.Var) *Change {
	f, ok := function(cur)
	d := declaration(cur)
	s, inList := statement(cur)
	if !ok || d == nil || d.Name.Name == "main" || d.Name.Name == "init" || !inList {
		return nil
	}
	switch s.Node().(type) {
	case *ast.AssignStmt, *ast.DeclStmt:
	default:
		return nil
	}
	if a, ok := s.Node().(*ast.AssignStmt); ok && (a.Tok != token.DEFINE || len(a.Lhs) != 1) {
		return nil
	}
	if decl, ok := s.Node().(*ast.DeclStmt); ok && len(decl.Decl.(*ast.GenDecl).Specs) != 1 {
		return nil
	}
	b := pooledUse{Unit: u, f: f, v: v}
	if why := b.look(); why != "" {
		return u.refuse(s.Node(), why)
	}
	if _, again := loop(cur); again {
		return u.refuse(s.Node(), "it is made in a loop: giving it back would wait for the end of the function")
	}
	bytesPkg, syncPkg := u.pkg(s.Node(), "bytes"), u.pkg(s.Node(), "sync")
	if bytesPkg != "bytes" || syncPkg != "sync" {
		return u.refuse(s.Node(), "the name bytes or sync means something else here")
	}
	name := u.fresh(lower(d.Name.Name) + "Buffers")
	c := u.change(s.Node(), "take the buffer from a sync.Pool, and reset it")
	c.cures(d)
	c.needs(s.Node(), "bytes", "sync")
	c.insert(above(d), "var "+name+" = sync.Pool{New: func() any { return new(bytes.Buffer) }}\n\n")
	in := u.indent(s.Node())
	c.replace(s.Node().Pos(), s.Node().End(), v.Name()+" := "+name+".Get().(*bytes.Buffer)\n"+in+v.Name()+".Reset()\n"+
		in+"defer func() {\n"+in+"\tif "+v.Name()+".Cap() <= 64<<10 { // a larger one would stay in memory for small ones\n"+
		in+"\t\t"+name+".Put("+v.Name()+")\n"+in+"\t}\n"+in+"}()")
	for _, a := range b.addresses {
		c.replace(a.Pos(), a.End(), v.Name())
	}
	return c
}

// A pooledUse is how a function uses a buffer.
type pooledUse struct {
	*Unit
	f         inspector.Cursor
	v         *types.Var
	addresses []ast.Node // &b of a buffer that is a value
}

// look says why the buffer, or its bytes, may be used when the function has ended.
func (b *pooledUse) look() string {
	used := false
	for _, use := range b.Uses(b.f, b.v) {
		if g, ok := function(use); !ok || g != b.f {
			return "a function literal uses it, too"
		}
		used = true
		if a, ok := use.Parent().Node().(*ast.UnaryExpr); ok && a.Op == token.AND {
			b.addresses = append(b.addresses, a)
			use = use.Parent()
		}
		if why := b.use(use); why != "" {
			return why
		}
	}
	if !used {
		return "it is not used"
	}
	return ""
}

func (b *pooledUse) use(use inspector.Cursor) string {
	switch p := use.Parent().Node().(type) {
	case *ast.SelectorExpr:
		if use.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
			return "a method of it is kept"
		}
		call := use.Parent().Parent()
		switch p.Sel.Name {
		case "Bytes", "Next", "AvailableBuffer":
			if !b.copied(call) {
				return "its bytes are kept: the next who gets the buffer would write over them"
			}
		}
		return ""
	case *ast.CallExpr:
		fn := b.Callee(p)
		if isFunc(fn, "io", "Copy", "CopyN", "CopyBuffer", "WriteString", "ReadAll") ||
			isFunc(fn, "fmt", "Fprintf", "Fprint", "Fprintln") || b.encodes(fn, use.Parent()) ||
			isMethod(fn, "text/template", "Template", "Execute", "ExecuteTemplate") ||
			isMethod(fn, "html/template", "Template", "Execute", "ExecuteTemplate") ||
			isFunc(fn, "encoding/binary", "Write", "Read") || isFunc(fn, "encoding/json", "Compact", "Indent", "HTMLEscape") {
			return ""
		}
		return "another function gets it, which may keep it"
	}
	return "it is stored or returned, and may be used later"
}

// copied reports whether bytes are only looked at, copied or written: string(x), w.Write(x), len(x), append(y, x...).
func (b *pooledUse) copied(cur inspector.Cursor) bool {
	call, ok := cur.Parent().Node().(*ast.CallExpr)
	if !ok || cur.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	if b.isConversion(call) {
		return isString(b.Info.TypeOf(call).Underlying())
	}
	switch b.Builtin(call) {
	case "len", "cap":
		return true
	case "append":
		return cur.ParentEdgeIndex() == 1 && call.Ellipsis.IsValid()
	case "copy":
		return cur.ParentEdgeIndex() == 1
	}
	fn := b.Callee(call)
	if isFunc(fn, "bytes", "Equal", "Compare", "Contains", "Clone", "HasPrefix", "HasSuffix") ||
		isFunc(fn, "os", "WriteFile") || isFunc(fn, "crypto/sha256", "Sum256") {
		return true
	}
	// an io.Writer must not keep what it is given (package io); http.ResponseWriter, os.File and net.Conn do not
	return fn != nil && fn.Name() == "Write" && fn.Signature().Recv() != nil && fn.Signature().Params().Len() == 1
}
