package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// An opened is a value that must be closed: x, err := call().
type opened struct {
	*Unit
	at     inspector.Cursor // the assignment
	f      inspector.Cursor // its function
	x      *types.Var
	err    types.Object
	body   bool // x.Body is what is closed
	closes []inspector.Cursor
}

// closers are types that hold a connection, a file or a place in a pool until they are closed.
func closes(t types.Type) (body, ok bool) {
	if isNamed(t, "net/http", "Response") {
		return true, true
	}
	return false, isNamed(t, "database/sql", "Rows") || isNamed(t, "github.com/jackc/pgx/v5", "Rows") ||
		isNamed(t, "os", "File")
}

// closeAlways closes what a function opens right behind the look at the error, in place of somewhere below, which some
// ways out do not pass, or of nowhere. It does so where the function keeps the value to itself.
func closeAlways(u *Unit) (out changes) {
	for cur, s := range each[*ast.AssignStmt](u) {
		o, ok := u.opened(cur, s)
		if !ok {
			continue
		}
		out.add(o.closeEarly())
	}
	return out
}

func (u *Unit) opened(cur inspector.Cursor, s *ast.AssignStmt) (o opened, ok bool) {
	if len(s.Lhs) != 2 || len(s.Rhs) != 1 || s.Tok != token.DEFINE {
		return o, false
	}
	if _, call := s.Rhs[0].(*ast.CallExpr); !call {
		return o, false
	}
	id, ok1 := s.Lhs[0].(*ast.Ident)
	errID, ok2 := s.Lhs[1].(*ast.Ident)
	if !ok1 || !ok2 || errID.Name == "_" {
		return o, false
	}
	x, isVar := u.Info.ObjectOf(id).(*types.Var)
	f, inFunction := function(cur)
	if !isVar || !inFunction || !isError(u.Info.TypeOf(errID)) {
		return o, false
	}
	body, closable := closes(x.Type())
	o = opened{Unit: u, at: cur, f: f, x: x, err: u.Info.ObjectOf(errID), body: body}
	return o, closable
}

func (o *opened) closeEarly() *Change {
	s := o.at.Node()
	check, ok := o.at.NextSibling()
	if !ok {
		return nil
	}
	iff, isCheck := o.isNilCheck(check.Node(), o.err)
	if !isCheck || iff.Else != nil {
		return nil
	}
	kept, deferred := o.staysHere()
	if deferred != nil && o.isNext(check, deferredStatement(*deferred)) {
		return nil // as it should be
	}
	direct := len(o.closes)
	if deferred != nil {
		direct--
	}
	if direct > 0 && !o.returnsBefore(check) {
		return nil
	}
	switch {
	case !kept:
		return o.refuse(s, "what it opens leaves the function, which may close it")
	case !o.leaves(iff.Body.List):
		return o.refuse(s, "the function goes on after an error, with nothing to close")
	}
	if _, again := loop(o.at); again {
		return o.refuse(s, "it is in a loop: a defer would wait for the end of the function")
	}
	if direct > 0 {
		return o.refuse(s, "it is closed by hand on some ways out and not on others: look at each")
	}
	closing := o.x.Name() + ".Close()"
	if o.body {
		closing = o.x.Name() + ".Body.Close()"
	}
	c := o.change(s, "defer "+closing+" right after the error is checked")
	for _, ret := range returns(o.f) {
		if ret.Pos() > s.End() {
			c.cures(ret)
		}
	}
	if deferred != nil {
		d := deferredStatement(*deferred)
		c.cures(d.Node())
		c.remove(d.Node())
	}
	c.after(check.Node(), "defer "+closing)
	return c
}

// deferredStatement is the defer statement that a mention of a variable is in.
func deferredStatement(use inspector.Cursor) inspector.Cursor {
	for d := range use.Enclosing((*ast.DeferStmt)(nil)) {
		return d
	}
	return inspector.Cursor{}
}

func (o *opened) isNext(check, d inspector.Cursor) bool {
	next, ok := check.NextSibling()
	return ok && next == d
}

// returnsBefore reports whether the function may return between the check and the last close.
func (o *opened) returnsBefore(check inspector.Cursor) bool {
	last := o.closes[len(o.closes)-1].Node().Pos()
	return slices.ContainsFunc(returns(o.f), func(ret *ast.ReturnStmt) bool {
		return ret.Pos() > check.Node().End() && ret.End() < last
	})
}

// returns are the return statements of a function itself.
func returns(f inspector.Cursor) (out []*ast.ReturnStmt) {
	for cur, ret := range below[*ast.ReturnStmt](f) {
		if g, ok := function(cur); ok && g == f {
			out = append(out, ret)
		}
	}
	return out
}

// staysHere reports whether all uses of the value end within the function, notes those that close it, and returns the
// one that is deferred.
func (o *opened) staysHere() (kept bool, deferred *inspector.Cursor) {
	kept = true
	for _, use := range o.Uses(o.f, o.x) {
		if g, ok := function(use); !ok || g != o.f {
			kept = false // a literal, which may run later
		}
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !ok {
			if _, compared := use.Parent().Node().(*ast.BinaryExpr); !compared {
				kept = false
			}
			continue
		}
		at := use.Parent()
		if o.body && sel.Sel.Name == "Body" {
			if method, is := at.Parent().Node().(*ast.SelectorExpr); is {
				sel, at = method, at.Parent()
			} else if !o.onlyRead(at) {
				kept = false
				continue
			} else {
				continue
			}
		}
		if sel.Sel.Name != "Close" {
			continue // a field, or a method that reads
		}
		o.closes = append(o.closes, use)
		if _, is := at.Parent().Parent().Node().(*ast.DeferStmt); is {
			deferred = &use
		}
	}
	return kept, deferred
}

// readers are functions that read what they are given and do not keep it.
func isReader(fn *types.Func) bool {
	return isFunc(fn, "io", "ReadAll", "Copy", "CopyN", "CopyBuffer", "ReadFull") || isFunc(fn, "io/ioutil", "ReadAll")
}

// wraps are functions whose result reads what they are given.
func wraps(fn *types.Func) bool {
	return isFunc(fn, "io", "LimitReader", "TeeReader") || isFunc(fn, "encoding/json", "NewDecoder") ||
		isFunc(fn, "encoding/xml", "NewDecoder") || isFunc(fn, "encoding/csv", "NewReader") ||
		isFunc(fn, "bufio", "NewReader", "NewScanner", "NewReaderSize") || isFunc(fn, "compress/gzip", "NewReader")
}

// onlyRead reports whether a reader is read here and not kept.
func (u *Unit) onlyRead(cur inspector.Cursor) bool {
	for {
		if _, paren := cur.Parent().Node().(*ast.ParenExpr); !paren {
			break
		}
		cur = cur.Parent()
	}
	switch p := cur.Parent().Node().(type) {
	case *ast.BinaryExpr:
		return true
	case *ast.SelectorExpr: // a method of a wrapper, such as Decode
		return cur.Parent().ParentEdgeKind() == edge.CallExpr_Fun
	case *ast.CallExpr:
		if cur.ParentEdgeKind() != edge.CallExpr_Args {
			return false
		}
		fn := u.Callee(p)
		return isReader(fn) || wraps(fn) && u.onlyRead(cur.Parent())
	case *ast.AssignStmt, *ast.ValueSpec: // of a wrapper
		v := u.Assigned(cur)
		f, ok := function(cur)
		return v != nil && ok && v.Pos() >= f.Node().Pos() && u.All(f, v, func(use inspector.Cursor) bool {
			g, ok := function(use)
			return ok && g == f && u.onlyRead(use)
		})
	}
	return false
}

// drain reads the rest of a response's body before it is closed, so that its connection is used again.
func drain(u *Unit) (out changes) {
	for cur, s := range each[*ast.AssignStmt](u) {
		o, ok := u.opened(cur, s)
		if !ok || !o.body || !u.before(s, "go1.27") {
			continue
		}
		kept, deferred := o.staysHere()
		if !kept || len(o.closes) != 1 || o.reads() || syntax.MentionsHead(o.f) {
			continue
		}
		io := u.pkg(s, "io")
		if io == "" {
			continue
		}
		body := o.x.Name() + ".Body"
		read := io + ".Copy(" + io + ".Discard, " + io + ".LimitReader(" + body + ", 256<<10)) // the connection is kept"
		c := u.change(s, "read the rest of the body before it is closed")
		c.needs(s, "io")
		if deferred != nil {
			d := deferredStatement(*deferred).Node()
			in := u.indent(d)
			c.cures(d)
			c.replace(d.Pos(), d.End(), "defer func() {\n"+in+"\t"+read+"\n"+in+"\t"+body+".Close()\n"+in+"}()")
		} else if at, ok := statement(o.closes[0]); ok {
			c.cures(at.Node())
			c.before(at.Node(), read)
		}
		out.add(c)
	}
	return out
}

// reads reports whether the body is used but to close it.
func (o *opened) reads() bool {
	return !o.All(o.f, o.x, func(use inspector.Cursor) bool {
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "Body" {
			return true
		}
		m, ok := use.Parent().Parent().Node().(*ast.SelectorExpr)
		return ok && m.Sel.Name == "Close"
	})
}
