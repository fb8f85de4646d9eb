package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// buffer puts a bufio.Writer before a connection, a file or an io.Writer that a function writes to in small pieces, and
// flushes it when the last piece is written. It does so where each write's error ends the function, and nothing between
// the writes waits for an answer to them.
func buffer(u *Unit) (out changes) {
	for _, d := range each[*ast.FuncDecl](u) {
		if d.Body == nil {
			continue
		}
		seen := make(map[string]bool)
		for cur := range u.root.Preorder((*ast.CallExpr)(nil), (*ast.CompositeLit)(nil)) {
			if f, ok := function(cur); !ok || f.Node() != d {
				continue
			}
			w := u.writerIn(cur.Node())
			if w == nil || seen[u.text(w)] || !unbuffered(u.Info.TypeOf(w)) {
				continue
			}
			seen[u.text(w)] = true
			f, _ := function(cur)
			p := pieces{Unit: u, f: f, w: w, name: "buffered"}
			out.add(p.rewrite())
		}
	}
	return out
}

// writerIn is what a call writes to, or what a literal gets to write to.
func (u *Unit) writerIn(n ast.Node) ast.Expr {
	switch n := n.(type) {
	case *ast.CallExpr:
		return u.writer(n)
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			if id, ok := e.(*ast.Ident); ok && u.Info.TypeOf(id) != nil && unbuffered(u.Info.TypeOf(id)) {
				return id
			}
		}
	}
	return nil
}

// writer is what a call writes a piece to, or nil.
func (u *Unit) writer(call *ast.CallExpr) ast.Expr {
	fn := u.Callee(call)
	var w ast.Expr
	switch {
	case isFunc(fn, "fmt", "Fprintf", "Fprint", "Fprintln"), isFunc(fn, "encoding/binary", "Write"),
		isFunc(fn, "io", "WriteString"),
		isMethod(fn, "text/template", "Template", "Execute", "ExecuteTemplate"),
		isMethod(fn, "html/template", "Template", "Execute", "ExecuteTemplate"):
		w = call.Args[0]
	case fn != nil && fn.Signature().Recv() != nil && (fn.Name() == "Write" || fn.Name() == "WriteString"):
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		w = sel.X
	}
	if w == nil || !isPath(w) {
		return nil
	}
	return w
}

// unbuffered reports whether each write to a type may be a system call.
func unbuffered(t types.Type) bool {
	return isNamed(t, "io", "Writer") || isNamed(t, "io", "WriteCloser") || isNamed(t, "io", "ReadWriteCloser") ||
		isNamed(t, "io", "ReadWriter") || isNamed(t, "net", "Conn") || isNamed(t, "net", "TCPConn") ||
		isNamed(t, "net", "UnixConn") || isNamed(t, "crypto/tls", "Conn") || isNamed(t, "os", "File")
}

// pieces are the writes of a function to one writer.
type pieces struct {
	*Unit
	f      inspector.Cursor
	w      ast.Expr
	name   string
	writes []inspector.Cursor // calls
	holds  *types.Var         // a local value that has the writer, and writes to it
	other  string             // a use that is not understood
	many   bool               // a loop writes, or a template, or there are three
}

func (p *pieces) rewrite() *Change {
	p.look()
	if !p.many || len(p.writes) == 0 {
		return nil
	}
	first := p.writes[0].Node()
	refused := func(why string) *Change {
		c := p.refuse(first, why)
		for _, w := range p.writes {
			c.cures(w.Node())
		}
		return c
	}
	switch pkg := p.pkg(first, "bufio"); {
	case p.other != "":
		return refused(p.other)
	case pkg == "":
		return refused("the name bufio means something else here")
	}
	last, why := p.last()
	if why != "" {
		return refused(why)
	}
	if why = p.waits(last); why != "" {
		return refused(why)
	}
	flush, why := p.flush(last)
	if why != "" {
		return refused(why)
	}
	c := p.change(first, "write through a bufio.Writer, and flush it behind the last write")
	c.needs(first, "bufio")
	p.name = p.freshIn(p.f, p.name)
	for _, w := range p.writes {
		c.cures(w.Node())
	}
	c.before(p.begin(), p.name+" := "+p.pkg(first, "bufio")+".NewWriter("+p.text(p.w)+")")
	for cur := range p.mentions() {
		if _, asserted := cur.Parent().Node().(*ast.TypeAssertExpr); !asserted {
			c.replace(cur.Node().Pos(), cur.Node().End(), p.name)
		}
	}
	flush(c)
	return c
}

// mentions yields the writer's expressions in the function.
func (p *pieces) mentions() func(yield func(inspector.Cursor) bool) {
	return func(yield func(inspector.Cursor) bool) {
		for cur := range p.f.Preorder((*ast.Ident)(nil), (*ast.SelectorExpr)(nil)) {
			if p.Same(cur.Node().(ast.Expr), p.w) && cur.ParentEdgeKind() != edge.SelectorExpr_Sel {
				if id, ok := cur.Node().(*ast.Ident); ok && p.Info.Defs[id] != nil {
					continue // the parameter
				}
				if !yield(cur) {
					return
				}
			}
		}
	}
}

// look finds what the function does with the writer.
func (p *pieces) look() {
	for cur := range p.mentions() {
		if g, ok := function(cur); !ok || g != p.f {
			p.other = "a function literal writes, too"
			continue
		}
		switch up := cur.Parent(); n := up.Node().(type) {
		case *ast.CallExpr:
			if p.writer(n) == nil || !p.Same(p.writer(n), p.w) {
				p.other = "another function gets the writer, too"
				continue
			}
			p.add(up)
		case *ast.SelectorExpr:
			call, ok := up.Parent().Node().(*ast.CallExpr)
			if !ok || p.writer(call) == nil {
				p.other = "the function uses more of it than Write: " + n.Sel.Name
				continue
			}
			p.add(up.Parent())
		case *ast.TypeAssertExpr:
		case *ast.KeyValueExpr, *ast.CompositeLit:
			p.hold(up)
		default:
			p.other = "the writer is kept or given away"
		}
	}
	p.many = p.many || len(p.writes) > 2
}

func (p *pieces) add(call inspector.Cursor) {
	p.writes = append(p.writes, call)
	_, again := loop(call)
	fn := p.Callee(call.Node().(*ast.CallExpr))
	p.many = p.many || again || fn.Name() == "Execute" || fn.Name() == "ExecuteTemplate"
}

// hold follows x := &T{w}, where x is only asked to write.
func (p *pieces) hold(lit inspector.Cursor) {
	if _, kv := lit.Node().(*ast.KeyValueExpr); kv {
		lit = lit.Parent()
	}
	if _, address := lit.Parent().Node().(*ast.UnaryExpr); address {
		lit = lit.Parent()
	}
	v := p.Assigned(lit)
	if v == nil || v.Kind() != types.LocalVar || v.Pkg() != p.Pkg {
		p.other = "the writer is kept or given away"
		return
	}
	p.holds = v
	for _, use := range p.Uses(p.f, v) {
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if g, in := function(use); !ok || !in || g != p.f {
			p.other = "what has the writer is kept or given away"
			return
		}
		fn, method := p.Info.Uses[sel.Sel].(*types.Func)
		if !method {
			continue
		}
		call := use.Parent().Parent()
		if _, is := call.Node().(*ast.CallExpr); !is || fn.Pkg() != p.Pkg {
			p.other = "what has the writer is kept or given away"
			return
		}
		p.writes = append(p.writes, call)
		_, again := loop(call)
		p.many = p.many || again
	}
}

// last is the statement of the function's body that has the last write.
func (p *pieces) last() (last inspector.Cursor, why string) {
	found := false
	for _, w := range p.writes {
		for s, ok := statement(w); ok; s, ok = statement(s.Parent()) {
			if s.Parent().Node() == body(p.f) {
				if !found || s.Node().Pos() > last.Node().Pos() {
					last, found = s, true
				}
				break
			}
			if _, lit := s.Parent().Node().(*ast.FuncLit); lit {
				return last, "a function literal writes, too"
			}
		}
	}
	if !found {
		return last, "its writes are not in the function's own statements"
	}
	return last, ""
}

// waits says what between the writes may wait for somebody who wants to read them, or never comes to an end.
func (p *pieces) waits(last inspector.Cursor) (why string) {
	end := last.Node().End()
	for cur := range p.f.Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.SelectStmt)(nil),
		(*ast.UnaryExpr)(nil), (*ast.CallExpr)(nil), (*ast.GoStmt)(nil)) {
		if cur.Node().Pos() >= end {
			break
		}
		switch n := cur.Node().(type) {
		case *ast.ForStmt:
			if n.Cond == nil {
				why = "it writes in a loop without an end"
			}
		case *ast.RangeStmt:
			switch p.Info.TypeOf(n.X).Underlying().(type) {
			case *types.Chan, *types.Signature:
				why = "it writes what comes from elsewhere, at its own time"
			}
		case *ast.SelectStmt:
			why = "it waits between writes"
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				why = "it waits between writes"
			}
		case *ast.CallExpr:
			fn := p.Callee(n)
			if isFunc(fn, "time", "Sleep") || fn != nil && slices.Contains([]string{"Read", "ReadFull", "Scan",
				"ReadString", "ReadLine", "Flush", "Sync", "Wait"}, fn.Name()) {
				why = "it calls " + fn.Name() + " between writes"
			}
		}
	}
	return why
}

// flush says how to flush behind the last statement that writes, if all ways out before it are failed writes.
func (p *pieces) flush(last inspector.Cursor) (func(*Change), string) {
	sig := p.Signature(p.f)
	n := sig.Results().Len()
	if n > 1 || n == 1 && !isError(sig.Results().At(0).Type()) {
		return nil, "the function has other results than an error, and flushing may fail"
	}
	for cur, ret := range below[*ast.ReturnStmt](p.f) {
		if g, _ := function(cur); g != p.f || ret.Pos() >= last.Node().End() || ret.Pos() < p.begin().Pos() {
			continue
		}
		if ret == last.Node() {
			continue
		}
		if !p.failedWrite(cur) {
			return nil, "it may return between the writes for another reason than a failed one: what was written until " +
				"then would be lost"
		}
	}
	if ret, ok := last.Node().(*ast.ReturnStmt); ok {
		call, ok := ret.Results[0].(*ast.CallExpr)
		if !ok || p.writer(call) == nil || len(ret.Results) != 1 {
			return nil, "it returns what a write has answered"
		}
		return func(c *Change) {
			in := p.indent(ret)
			c.replace(ret.Pos(), call.Pos(), "if err := ")
			c.insert(call.End(), "; err != nil {\n"+in+"\treturn err\n"+in+"}\n"+in+"return "+p.name+".Flush()")
		}, ""
	}
	if n == 0 {
		return func(c *Change) { c.after(last.Node(), p.name+".Flush()") }, ""
	}
	if next, ok := last.NextSibling(); ok && next.ParentEdgeKind() == last.ParentEdgeKind() {
		if ret, ok := next.Node().(*ast.ReturnStmt); ok && len(ret.Results) == 1 && p.IsNil(ret.Results[0]) {
			return func(c *Change) {
				c.replace(ret.Results[0].Pos(), ret.Results[0].End(), p.name+".Flush()")
			}, ""
		}
	}
	return func(c *Change) {
		in := p.indent(last.Node())
		c.after(last.Node(), "if err := "+p.name+".Flush(); err != nil {\n"+in+"\treturn err\n"+in+"}")
	}, ""
}

// failedWrite reports whether a return is in an if that looks at the error of a write: if err := write; err != nil, or
// the statement before it.
func (p *pieces) failedWrite(ret inspector.Cursor) bool {
	iff := ret.Parent().Parent()
	s, ok := iff.Node().(*ast.IfStmt)
	if !ok || s.Body != ret.Parent().Node() {
		return false
	}
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok || cond.Op != token.NEQ || !p.IsNil(cond.Y) || !isError(p.Info.TypeOf(cond.X)) {
		return false
	}
	var from ast.Node = s.Init
	if s.Init == nil {
		prev, ok := iff.PrevSibling()
		if !ok {
			return false
		}
		from = prev.Node()
	}
	a, ok := from.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return false
	}
	return slices.ContainsFunc(p.writes, func(w inspector.Cursor) bool { return w.Node() == a.Rhs[0] })
}

// begin is the statement of the function's body before which the writer is made: the one with the first mention of it.
func (p *pieces) begin() ast.Node {
	for cur := range p.mentions() {
		for s, ok := statement(cur); ok; s, ok = statement(s.Parent()) {
			if s.Parent().Node() == body(p.f) {
				return s.Node()
			}
		}
	}
	return body(p.f).List[0]
}
