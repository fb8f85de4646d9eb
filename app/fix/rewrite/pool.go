package rewrite

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// pool keeps compressors that a function makes for itself: their tables are hundreds of kB.
func pool(u *Unit) (out changes) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		d := declaration(cur)
		if d == nil || d.Name.Name == "main" || d.Name.Name == "init" {
			continue
		}
		switch {
		case isFunc(fn, "compress/gzip", "NewWriter"), isFunc(fn, "compress/zlib", "NewWriter"):
			out.add(u.pooled(cur, call, d, fn.Pkg().Path(), fn.Pkg().Name()))
		case isFunc(fn, "github.com/klauspost/compress/zstd", "NewWriter"):
			out.add(u.oneEncoder(cur, call, d))
		}
	}
	return out
}

// pooled takes a writer from a pool, resets it, and puts it back when the function ends.
func (u *Unit) pooled(cur inspector.Cursor, call *ast.CallExpr, d *ast.FuncDecl, path, what string) *Change {
	f, _ := function(cur)
	s, ok := statement(cur)
	if !ok {
		return u.refuse(call, "it is made where there is no place to reset one")
	}
	v := u.Assigned(cur)
	var closes int
	var why string
	if v != nil {
		closes, why = u.staysInside(f, v)
	} else if v = u.holder(cur); v != nil {
		closes, why = u.servesOnly(f, v)
	} else {
		return u.refuse(call, "it is stored or returned, and may be used later")
	}
	switch {
	case why != "":
		return u.refuse(call, why)
	case closes == 0:
		return u.refuse(call, "it is not closed here: somebody may write to it later")
	}
	if _, again := loop(cur); again {
		return u.refuse(call, "it is made in a loop: putting it back waits for the end of the function")
	}
	pkg, syncPkg := u.pkg(call, path), u.pkg(call, "sync")
	if syncPkg == "" || u.pkg(call, "io") != "io" {
		return u.refuse(call, "the name sync or io means something else here")
	}
	name := u.fresh(lower(d.Name.Name) + "Writers")
	c := u.change(call, "take the writer from a sync.Pool, and reset it")
	c.needs(call, "sync", "io")
	c.insert(above(d), "var "+name+" = "+syncPkg+".Pool{New: func() any { return "+pkg+".NewWriter(io.Discard) }}\n\n")
	in := u.indent(s.Node())
	get := name + ".Get().(*" + pkg + ".Writer)"
	if u.Assigned(cur) != nil {
		c.replace(call.Pos(), call.End(), get)
		c.after(s.Node(), "defer "+name+".Put("+v.Name()+")\n"+in+v.Name()+".Reset("+u.text(call.Args[0])+")")
		return c
	}
	local := u.freshIn(f, "pooled")
	c.before(s.Node(), local+" := "+get+"\n"+in+"defer "+name+".Put("+local+")\n"+in+local+".Reset("+
		u.text(call.Args[0])+")")
	c.replace(call.Pos(), call.End(), local)
	return c
}

// staysInside counts how often a function closes a writer, and says if it gives it away.
func (u *Unit) staysInside(f inspector.Cursor, v *types.Var) (closes int, why string) {
	for _, use := range u.Uses(f, v) {
		if g, ok := function(use); !ok || g != f {
			return 0, "a function literal uses it, too"
		}
		switch p := use.Parent().Node().(type) {
		case *ast.SelectorExpr:
			if use.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
				return 0, "a method of it, or a field, is kept"
			}
			if p.Sel.Name == "Reset" {
				return 0, "it is reset and used again already"
			}
			if p.Sel.Name == "Close" {
				closes++
			}
		case *ast.CallExpr:
			fn := u.Callee(p)
			if !isFunc(fn, "io", "Copy", "CopyN", "CopyBuffer", "WriteString") &&
				!isFunc(fn, "fmt", "Fprintf", "Fprint", "Fprintln") && !u.encodes(fn, use.Parent()) {
				return 0, "another function gets it, which may keep it"
			}
		default:
			return 0, "it is stored or returned, and may be used later"
		}
	}
	return closes, ""
}

// encodes reports whether a call makes an encoder that is used at once.
func (u *Unit) encodes(fn *types.Func, call inspector.Cursor) bool {
	_, chained := call.Parent().Node().(*ast.SelectorExpr)
	return chained && (isFunc(fn, "encoding/json", "NewEncoder") || isFunc(fn, "encoding/xml", "NewEncoder") ||
		isFunc(fn, "encoding/gob", "NewEncoder"))
}

// holder is the local variable that a composite literal with the writer in it goes to.
func (u *Unit) holder(cur inspector.Cursor) *types.Var {
	for cur = cur.Parent(); ; cur = cur.Parent() {
		switch cur.Parent().Node().(type) {
		case *ast.UnaryExpr, *ast.CompositeLit, *ast.KeyValueExpr:
			continue
		}
		v := u.Assigned(cur)
		if v != nil && v.Kind() == types.LocalVar {
			return v
		}
		return nil
	}
}

// servesOnly counts how often a function closes the writer within a value that it gives to ServeHTTP and to nobody
// else: a handler must not use its ResponseWriter after it has returned (net/http's Handler).
func (u *Unit) servesOnly(f inspector.Cursor, v *types.Var) (closes int, why string) {
	for _, use := range u.Uses(f, v) {
		if g, ok := function(use); !ok || g != f {
			return 0, "a function literal uses it, too"
		}
		if call, ok := use.Parent().Node().(*ast.CallExpr); ok {
			if fn := u.Callee(call); fn == nil || fn.Name() != "ServeHTTP" {
				return 0, "another function gets it, which may keep it"
			}
			continue
		}
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !ok {
			return 0, "it is stored or returned, and may be used later"
		}
		name, last := sel.Sel.Name, use.Parent()
		if inner, ok := last.Parent().Node().(*ast.SelectorExpr); ok {
			name, last = inner.Sel.Name, last.Parent()
		}
		if last.ParentEdgeKind() != edge.CallExpr_Fun {
			return 0, "it is stored or returned, and may be used later"
		}
		if name == "Close" {
			closes++
		}
	}
	return closes, ""
}

// oneEncoder makes one zstd encoder for all calls: EncodeAll may be called by several goroutines at once.
func (u *Unit) oneEncoder(cur inspector.Cursor, call *ast.CallExpr, d *ast.FuncDecl) *Change {
	f, _ := function(cur)
	v := u.Assigned(cur)
	s, ok := statement(cur)
	if v == nil || !ok || !u.IsNil(call.Args[0]) || !u.fixed(cur) {
		return u.refuse(call, "it writes to something of this call, or its options depend on it")
	}
	c := u.change(call, "make one encoder for all calls of EncodeAll")
	for _, use := range u.Uses(f, v) {
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !ok || use.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
			return u.refuse(call, "it is stored or returned, and may be used later")
		}
		switch sel.Sel.Name {
		case "EncodeAll":
		case "Close":
			at, ok := statement(use)
			if !ok {
				return u.refuse(call, "the error of Close is used")
			}
			c.remove(at.Node())
		default:
			return u.refuse(call, "it is used for a stream, which is one at a time")
		}
	}
	syncPkg := u.pkg(call, "sync")
	if syncPkg == "" {
		return u.refuse(call, "the name sync means something else here")
	}
	name := u.fresh(lower(d.Name.Name) + "Encoder")
	pkg := u.text(call.Fun.(*ast.SelectorExpr).X)
	c.needs(call, "sync")
	c.insert(above(d), "var "+name+" = "+syncPkg+".OnceValues(func() (*"+pkg+".Encoder, error) {\n\treturn "+u.text(call)+
		"\n})\n\n")
	c.replace(call.Pos(), call.End(), name+"()")
	c.cures(s.Node())
	return c
}
