package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// builder makes a local string that grows in a loop a strings.Builder.
func builder(u *Unit) (out changes) {
	done := make(map[*types.Var]bool)
	for cur, s := range each[*ast.AssignStmt](u) {
		v, _, ok := u.growth(s)
		if !ok || done[v] {
			continue
		}
		if l, again := loop(cur); !again || syntax.Within(l.Node(), v.Pos()) {
			continue // one turn does not make it long
		}
		done[v] = true
		f, _ := function(cur)
		g := grown{Unit: u, f: f, v: v}
		out.add(g.rewrite(s))
	}
	return out
}

// growth is the variable that s += x or s = s + x makes longer, and the pieces.
func (u *Unit) growth(s *ast.AssignStmt) (v *types.Var, pieces []ast.Expr, ok bool) {
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return nil, nil, false
	}
	id, isIdent := s.Lhs[0].(*ast.Ident)
	if !isIdent {
		return nil, nil, false
	}
	v, isVar := u.Info.Uses[id].(*types.Var)
	if !isVar || v.Kind() != types.LocalVar || !isString(v.Type()) {
		return nil, nil, false
	}
	pieces = u.pieces(s.Rhs[0])
	switch s.Tok {
	case token.ADD_ASSIGN:
		return v, pieces, true
	case token.ASSIGN:
		return v, pieces[1:], len(pieces) > 1 && u.IsUse(pieces[0], v)
	}
	return nil, nil, false
}

// pieces are the operands of a concatenation. Constants stay together.
func (u *Unit) pieces(e ast.Expr) []ast.Expr {
	b, ok := ast.Unparen(e).(*ast.BinaryExpr)
	if !ok || b.Op != token.ADD || u.IsConstant(e) {
		return []ast.Expr{ast.Unparen(e)}
	}
	return append(u.pieces(b.X), u.pieces(b.Y)...)
}

// A grown is a string that grows.
type grown struct {
	*Unit
	f inspector.Cursor
	v *types.Var
}

func (g *grown) rewrite(first *ast.AssignStmt) *Change {
	c := g.change(first, "write the pieces of "+g.v.Name()+" to a strings.Builder")
	pkg := g.pkg(first, "strings")
	if pkg == "" {
		return g.refuse(first, "the name strings means something else here")
	}
	if why := g.declare(c, pkg); why != "" {
		return g.refuse(first, why)
	}
	for _, use := range g.Uses(g.f, g.v) {
		if why := g.use(c, use); why != "" {
			return g.refuse(first, why)
		}
	}
	c.needs(first, "strings")
	return c
}

// declare makes the variable a Builder.
func (g *grown) declare(c *Change, pkg string) (why string) {
	for cur, id := range below[*ast.Ident](g.f) {
		if g.Info.Defs[id] != g.v {
			continue
		}
		s, ok := statement(cur)
		if !ok {
			return "it is declared where a Builder cannot be"
		}
		switch s.Node().(type) {
		case *ast.AssignStmt, *ast.DeclStmt:
		default:
			return "it is declared where a Builder cannot be"
		}
		first, ok := g.Given(s.Node(), g.v)
		if !ok {
			return "it is declared with others"
		}
		text := "var " + g.v.Name() + " " + pkg + ".Builder"
		if first != nil {
			if value, known := g.Text(first); !known || value != "" {
				for _, p := range g.pieces(first) {
					text += "\n" + g.indent(s.Node()) + g.write(p)
				}
			}
		}
		c.replace(s.Node().Pos(), s.Node().End(), text)
		c.cures(s.Node())
		return ""
	}
	return "it is a parameter or a result"
}

func (g *grown) write(piece ast.Expr) string {
	if text, ok := g.Text(piece); ok && len(text) == 1 {
		return g.v.Name() + ".WriteByte(" + strconv.QuoteRune(rune(text[0])) + ")"
	}
	return g.v.Name() + ".WriteString(" + g.text(piece) + ")"
}

// use rewrites a mention of the string.
func (g *grown) use(c *Change, use inspector.Cursor) (why string) {
	if f, ok := function(use); !ok || f != g.f {
		return "a function literal uses it, too"
	}
	if s, ok := use.Parent().Node().(*ast.AssignStmt); ok && use.ParentEdgeKind() == edge.AssignStmt_Lhs {
		v, pieces, grows := g.growth(s)
		switch value, known := g.Text(s.Rhs[0]); {
		case grows && v == g.v:
			return g.grow(c, use.Parent(), s, pieces)
		case known && value == "" && s.Tok == token.ASSIGN && len(s.Lhs) == 1:
			c.replace(s.Pos(), s.End(), g.v.Name()+".Reset()")
			return ""
		}
		return "it gets another value than a longer one"
	}
	if s, ok := use.Parent().Node().(*ast.BinaryExpr); ok {
		for up := range use.Enclosing((*ast.AssignStmt)(nil)) {
			if v, pieces, grows := g.growth(up.Node().(*ast.AssignStmt)); grows && v == g.v && s.X == use.Node() &&
				pieces[0].Pos() > use.Node().Pos() {
				return "" // s = s + x: rewritten as a whole
			}
			break
		}
	}
	if call, ok := use.Parent().Node().(*ast.CallExpr); ok && g.Builtin(call) == "len" {
		c.replace(call.Pos(), call.End(), g.v.Name()+".Len()")
		return ""
	}
	if u, ok := use.Parent().Node().(*ast.UnaryExpr); ok && u.Op == token.AND {
		return "its address is taken"
	}
	c.insert(use.Node().End(), ".String()") // which copies nothing
	return ""
}

func (g *grown) grow(c *Change, at inspector.Cursor, s *ast.AssignStmt, pieces []ast.Expr) (why string) {
	switch at.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
	default:
		return "it grows in the head of a statement"
	}
	text := ""
	for i, p := range pieces {
		if syntax.Some(p, func(n ast.Node) bool { id, ok := n.(*ast.Ident); return ok && g.Info.Uses[id] == g.v }) {
			return "it is added to itself"
		}
		if i > 0 {
			text += "\n" + g.indent(s)
		}
		text += g.write(p)
	}
	c.replace(s.Pos(), s.End(), text)
	c.cures(s)
	return ""
}
