package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// hedgePath is the package that sends a second request when the first is late.
const hedgePath = "github.com/gocasebook/casebook/remedy/hedge"

// hedged puts a hedge.Transport around what an http.Client sends with. Only requests that may be sent twice by their
// method are hedged (GET, HEAD, OPTIONS), and five in a hundred at the most.
func hedged(u *Unit) (out changes) {
	for cur, lit := range each[*ast.CompositeLit](u) {
		if !isNamed(u.Info.TypeOf(lit), "net/http", "Client") {
			continue
		}
		out.add(u.hedge(cur, lit))
	}
	return out
}

func (u *Unit) hedge(cur inspector.Cursor, lit *ast.CompositeLit) *Change {
	var base ast.Expr
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return u.refuse(lit, "the client is a literal without the names of its fields")
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Transport" {
			base = kv.Value
		}
	}
	d := declaration(cur)
	switch {
	case base != nil && isNamed(u.Info.TypeOf(base), hedgePath, "Transport"):
		return nil
	case u.mentions(hedgePath):
		return u.refuse(lit, "the package hedges calls already: a call that is hedged twice is sent four times")
	case u.wantsTransport():
		return u.refuse(lit, "the package asks a client for its *http.Transport, which would be within another then")
	case d != nil && u.sends(d):
		return u.refuse(lit, "it is made where it is used, for each call anew: a policy learns from the calls before")
	case u.transportSet():
		return u.refuse(lit, "the Transport of a client is set later")
	}
	pkg := u.pkg(lit, hedgePath)
	if pkg == "" {
		return u.refuse(lit, "the name hedge means something else here")
	}
	name := u.fresh("hedges")
	at := u.above(cur)
	c := u.change(lit, "send a second request when the first is late")
	if d != nil {
		c.cures(d)
	}
	c.needs(lit, hedgePath)
	c.insert(at, "// "+name+" limits how many requests are sent twice. The zero Config has no error.\nvar "+name+", _ = "+
		pkg+".New("+pkg+".Config{})\n\n")
	transport := "&" + pkg + ".Transport{Policy: " + name
	if base != nil {
		c.replace(base.Pos(), base.End(), transport+", Base: "+u.text(base)+"}")
		return c
	}
	text := "Transport: " + transport + "}"
	if len(lit.Elts) > 0 {
		text += ", "
	}
	c.insert(lit.Lbrace+1, text)
	return c
}

// above is where a declaration may be put above the one that a node is in.
func (u *Unit) above(cur inspector.Cursor) token.Pos {
	for _, d := range u.file(cur.Node().Pos()).Decls {
		if d.Pos() > cur.Node().Pos() || cur.Node().Pos() >= d.End() {
			continue
		}
		switch d := d.(type) {
		case *ast.FuncDecl:
			return above(d)
		case *ast.GenDecl:
			if d.Doc != nil {
				return d.Doc.Pos()
			}
			return d.Pos()
		}
	}
	return cur.Node().Pos()
}

// mentions reports whether the package imports another one, and uses something of it.
func (u *Unit) mentions(path string) bool {
	for _, obj := range u.Info.Uses {
		if p, ok := obj.(*types.PkgName); ok && p.Imported().Path() == path {
			return true
		}
	}
	return false
}

// wantsTransport reports whether the package asserts that an interface is an *http.Transport.
func (u *Unit) wantsTransport() bool {
	is := func(e ast.Expr) bool {
		return e != nil && u.Info.Types[e].IsType() && isNamed(u.Info.TypeOf(e), "net/http", "Transport")
	}
	for cur := range u.root.Preorder((*ast.TypeAssertExpr)(nil), (*ast.CaseClause)(nil)) {
		switch n := cur.Node().(type) {
		case *ast.TypeAssertExpr:
			if is(n.Type) {
				return true
			}
		case *ast.CaseClause:
			if slices.ContainsFunc(n.List, is) {
				return true
			}
		}
	}
	return false
}

// transportSet reports whether the package assigns the Transport of a client.
func (u *Unit) transportSet() bool {
	for _, a := range each[*ast.AssignStmt](u) {
		for _, l := range a.Lhs {
			if sel, ok := l.(*ast.SelectorExpr); ok && sel.Sel.Name == "Transport" &&
				isNamed(u.Info.TypeOf(sel.X), "net/http", "Client") {
				return true
			}
		}
	}
	return false
}

// sends reports whether a function sends requests with a client itself.
func (u *Unit) sends(d *ast.FuncDecl) bool {
	return !strings.EqualFold(d.Name.Name, "main") && syntax.Some(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && isMethod(u.Callee(call), "net/http", "Client", "Do", "Get", "Head", "Post", "PostForm")
	})
}
