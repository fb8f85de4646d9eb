package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// snapshot takes out an RWMutex that guards one field which is only ever replaced as a whole: readers load a pointer to
// the last value, and wait for nobody.
func snapshot(u *Unit) (out changes) {
	for cur, field := range each[*ast.Field](u) {
		if !isNamed(u.Info.TypeOf(field.Type), "sync", "RWMutex") || len(field.Names) != 1 {
			continue
		}
		spec, ok := cur.Parent().Parent().Parent().Node().(*ast.TypeSpec)
		if !ok {
			continue
		}
		mu, ok := u.Info.Defs[field.Names[0]].(*types.Var)
		if !ok || !mu.IsField() || mu.Exported() {
			continue
		}
		g := guarded{Unit: u, spec: spec, field: field, mu: mu}
		if !g.written() {
			continue // nobody locks it for writing, or nobody for reading: it is another rewriter's, or no RWMutex's
		}
		if why := g.look(); why != "" {
			out.add(u.refuse(field, why))
			continue
		}
		out.add(g.made())
	}
	return out
}

// A guarded is a field with the RWMutex that guards it.
type guarded struct {
	*Unit
	spec  *ast.TypeSpec
	field *ast.Field // of the mutex
	mu    *types.Var

	value    *types.Var // what it guards
	decl     *ast.Field // of value
	sections []section
	literals []inspector.Cursor // x := &T{value: v} and return &T{value: v}
}

// A section is what a function does between a Lock and its Unlock.
type section struct {
	f     inspector.Cursor
	lock  *ast.ExprStmt
	open  ast.Stmt // x.mu.Unlock() or its defer
	reads []ast.Expr
	write *ast.AssignStmt // of a Lock
}

// uses of the mutex as x.mu.METHOD, by method.
func (g *guarded) method(cur inspector.Cursor) string {
	sel := cur.Parent()
	m, ok := sel.Parent().Node().(*ast.SelectorExpr)
	if cur.ParentEdgeKind() != edge.SelectorExpr_Sel || !ok || sel.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
		return ""
	}
	return m.Sel.Name
}

// written reports whether the mutex is locked both ways.
func (g *guarded) written() bool {
	var read, write bool
	for cur, id := range each[*ast.Ident](g.Unit) {
		if g.Info.Uses[id] == g.mu {
			m := g.method(cur)
			read, write = read || m == "RLock", write || m == "Lock"
		}
	}
	return read && write
}

// look finds all sections of the mutex, and what it guards; if there is more than the form has, it says what.
func (g *guarded) look() (why string) {
	if g.spec.TypeParams != nil {
		return "the struct has type parameters"
	}
	for cur, id := range each[*ast.Ident](g.Unit) {
		if g.Info.Uses[id] != g.mu {
			continue
		}
		switch g.method(cur) {
		case "Lock", "RLock":
			if why := g.section(cur); why != "" {
				return why
			}
		case "Unlock", "RUnlock": // of the section
		default:
			return "the lock is used for more than Lock and RLock"
		}
	}
	for _, s := range g.sections {
		if s.write == nil {
			continue
		}
		v := g.fieldOf(s.write.Lhs[0])
		if g.value != nil && v != g.value {
			return "the lock guards more than one field: " + g.value.Name() + " and " + v.Name()
		}
		g.value = v
	}
	if g.value == nil || g.value.Exported() {
		return "what the lock guards is no field of this package alone"
	}
	if why := g.find(); why != "" {
		return why
	}
	return g.touched()
}

// section reads one, which begins with x.mu.Lock() or x.mu.RLock() as a statement.
func (g *guarded) section(cur inspector.Cursor) (why string) {
	s, ok := statement(cur)
	if !ok {
		return "a Lock is not a statement"
	}
	lock, ok := s.Node().(*ast.ExprStmt)
	x, isLock := g.lockCall(s.Node(), "Lock", "RLock")
	if !ok || !isLock {
		return "a Lock is not a statement"
	}
	f, _ := function(s)
	for _, o := range g.sections {
		if o.f == f {
			return "a function takes the lock more than once"
		}
	}
	out := section{f: f, lock: lock}
	back := map[string]string{"Lock": "Unlock", "RLock": "RUnlock"}[g.method(cur)]
	n := 0
	for c, call := range below[*ast.CallExpr](f) {
		y, ok := g.lockExpr(call, "Unlock", "RUnlock")
		if !ok || !g.Same(x, y) {
			continue
		}
		n++
		at, inList := statement(c)
		same := inList && at.Parent() == s.Parent()
		if _, right := g.lockExpr(call, back); !right || !same || c.Parent() != at {
			return "the lock is given back on one way of several"
		}
		out.open = at.Node().(ast.Stmt)
	}
	if n != 1 {
		return "the lock is given back at several places, or in another function"
	}
	if back == "Unlock" {
		next, ok := s.NextSibling()
		if _, deferred := out.open.(*ast.DeferStmt); ok && deferred {
			next, ok = next.NextSibling()
		}
		if !ok {
			return "the writer does more than replace one field as a whole"
		}
		a, isAssign := next.Node().(*ast.AssignStmt)
		if !isAssign || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
			return "the writer does more than replace one field as a whole"
		}
		sel, isField := a.Lhs[0].(*ast.SelectorExpr)
		muOf, _ := x.(*ast.SelectorExpr)
		if !isField || muOf == nil || !g.Same(sel.X, muOf.X) || !g.ends(next, out.open) {
			return "the writer does more than replace one field as a whole"
		}
		if g.worksOut(a, a.End()) {
			return "what is stored is worked out under the lock: two writers would no longer wait for each other"
		}
		out.write = a
	}
	g.sections = append(g.sections, out)
	return ""
}

// worksOut reports whether a node calls functions before a place.
func (g *guarded) worksOut(n ast.Node, before token.Pos) bool {
	return syntax.Some(n, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && g.Builtin(call) == "" && !g.isConversion(call) && call.Pos() < before
	})
}

// ends reports whether a writer's section is over after its assignment: what gives the lock back follows, or the
// function ends.
func (g *guarded) ends(assign inspector.Cursor, open ast.Stmt) bool {
	next, ok := assign.NextSibling()
	if _, deferred := open.(*ast.DeferStmt); deferred {
		return !ok || next.ParentEdgeKind() != assign.ParentEdgeKind()
	}
	return ok && next.Node() == open
}

// find looks for the declaration of the value.
func (g *guarded) find() string {
	list := g.spec.Type.(*ast.StructType).Fields.List
	for _, f := range list {
		for _, name := range f.Names {
			if g.Info.Defs[name] == g.value && len(f.Names) == 1 {
				g.decl = f
			}
		}
	}
	switch {
	case g.decl == nil:
		return "the lock and what it guards are not of one struct, or it is declared with others"
	case g.decl.Tag != nil:
		return "the field has a tag: it is encoded"
	case g.before(g.field, "go1.19"):
		return "before Go 1.19 there is no atomic.Pointer"
	case g.pkg(g.field, "sync/atomic") != "atomic":
		return "the name atomic means something else here"
	}
	if n, ok := g.Info.Defs[g.spec.Name].Type().(*types.Named); ok {
		for m := range n.Methods() {
			if m.Name() == g.loader() {
				return "it has a method " + g.loader() + " already"
			}
		}
	}
	return ""
}

// loader is the name of the method that loads the value.
func (g *guarded) loader() string {
	return "load" + strings.ToUpper(g.value.Name()[:1]) + g.value.Name()[1:]
}

// touched looks at all mentions of the value: in sections, in literals, and nowhere else.
func (g *guarded) touched() string {
	for cur, id := range each[*ast.Ident](g.Unit) {
		if g.Info.Uses[id] != g.value {
			continue
		}
		if cur.ParentEdgeKind() == edge.KeyValueExpr_Key {
			if why := g.literal(cur.Parent()); why != "" {
				return why
			}
			continue
		}
		read := cur.Parent()
		if cur.ParentEdgeKind() != edge.SelectorExpr_Sel {
			return "the field is set by its place in a literal"
		}
		if why := g.read(read, read.Node().(*ast.SelectorExpr)); why != "" {
			return why
		}
	}
	if !g.keyed(g.value) {
		return "the field is set by its place in a literal"
	}
	return ""
}

// read adds a mention to the section that it is in.
func (g *guarded) read(cur inspector.Cursor, sel *ast.SelectorExpr) string {
	f, _ := function(cur)
	for i := range g.sections {
		s := &g.sections[i]
		if s.write != nil && s.write.Lhs[0] == sel {
			return ""
		}
		if s.f != f || s.write != nil {
			continue
		}
		x := s.lock.X.(*ast.CallExpr).Fun.(*ast.SelectorExpr).X.(*ast.SelectorExpr).X
		_, deferred := s.open.(*ast.DeferStmt)
		switch {
		case !g.Same(x, sel.X), sel.Pos() < s.lock.End(), !deferred && sel.Pos() > s.open.Pos():
			return g.value.Name() + " is read without the lock"
		case g.modified(cur):
			return g.value.Name() + " is changed in place"
		case !g.sees(cur, s.lock):
			return g.value.Name() + " is read outside of the block that takes the lock"
		}
		s.reads = append(s.reads, sel)
		return ""
	}
	return g.value.Name() + " is read or changed without the lock"
}

// modified reports whether a mention of the value is the way to change it: an assignment to its elements, its address,
// delete, clear, append into its room.
func (g *guarded) modified(cur inspector.Cursor) bool {
	for {
		switch p := cur.Parent().Node().(type) {
		case *ast.IndexExpr, *ast.SelectorExpr, *ast.ParenExpr, *ast.SliceExpr, *ast.StarExpr:
			cur = cur.Parent()
			continue
		case *ast.AssignStmt:
			return cur.ParentEdgeKind() == edge.AssignStmt_Lhs
		case *ast.IncDecStmt:
			return true
		case *ast.UnaryExpr:
			return p.Op == token.AND
		case *ast.CallExpr:
			b := g.Builtin(p)
			return b == "delete" || b == "clear" || b == "append" || b == "copy" && cur.ParentEdgeIndex() == 0
		}
		return false
	}
}

// sees reports whether a node is in the block of a statement, and not in a function literal there.
func (g *guarded) sees(cur inspector.Cursor, lock *ast.ExprStmt) bool {
	for ; cur.Node() != nil; cur = cur.Parent() {
		if _, lit := cur.Node().(*ast.FuncLit); lit {
			return false
		}
		b, ok := cur.Node().(*ast.BlockStmt)
		if !ok {
			continue
		}
		for _, s := range b.List {
			if s == lock {
				return true
			}
		}
	}
	return false
}

// literal notes &T{value: v} where a statement can follow it, or come before it.
func (g *guarded) literal(kv inspector.Cursor) string {
	const other = "a literal sets it where nothing can be stored behind it"
	address, ok := kv.Parent().Parent().Node().(*ast.UnaryExpr)
	if !ok || address.Op != token.AND {
		return other
	}
	at := kv.Parent().Parent()
	switch p := at.Parent().Node().(type) {
	case *ast.ReturnStmt:
		if len(p.Results) != 1 {
			return other
		}
	case *ast.AssignStmt:
		if g.Assigned(at) == nil || len(p.Lhs) != 1 {
			return other
		}
	default:
		return other
	}
	if s, ok := statement(at); !ok || s != at.Parent() {
		return other
	}
	if g.worksOut(kv.Parent().Node(), kv.Node().Pos()) {
		return "what a literal sets before it calls functions, whose order would change"
	}
	g.literals = append(g.literals, kv)
	return ""
}

// made is the change.
func (g *guarded) made() *Change {
	name := g.value.Name()
	c := g.change(g.field, "load "+name+" from an atomic.Pointer, in place of locking "+g.mu.Name())
	typ := g.text(g.decl.Type)
	c.needs(g.field, "sync/atomic")
	c.remove(g.field)
	c.replace(g.decl.Type.Pos(), g.decl.Type.End(), "atomic.Pointer["+typ+"]")
	file := g.file(g.spec.Pos())
	c.insert(file.FileEnd, strings.NewReplacer("LOAD", g.loader(), "TYPE", g.spec.Name.Name, "VALUE", typ, "NAME", name).
		Replace(`
// LOAD is the NAME that was stored last.
func (from *TYPE) LOAD() (last VALUE) {
	if p := from.NAME.Load(); p != nil {
		last = *p
	}
	return last
}
`))
	for _, s := range g.sections {
		c.cures(body(s.f))
		if s.write != nil {
			g.store(c, s)
			continue
		}
		if len(s.reads) == 0 {
			c.remove(s.lock)
			c.remove(s.open)
			continue
		}
		local := g.freshIn(s.f, "current")
		x := s.reads[0].(*ast.SelectorExpr).X
		c.replace(s.lock.Pos(), s.lock.End(), local+" := "+g.text(x)+"."+g.loader()+"()")
		c.remove(s.open)
		for _, r := range s.reads {
			c.replace(r.Pos(), r.End(), local)
		}
	}
	for _, kv := range g.literals {
		g.constructed(c, kv)
	}
	return c
}

// store makes a writer's section a Store.
func (g *guarded) store(c *Change, s section) {
	in := g.indent(s.lock)
	sel := s.write.Lhs[0].(*ast.SelectorExpr)
	local := g.freshIn(s.f, "next")
	c.remove(s.lock)
	c.remove(s.open)
	c.replace(s.write.Pos(), s.write.End(), "var "+local+" "+g.text(g.decl.Type)+" = "+g.text(s.write.Rhs[0])+"\n"+in+
		g.text(sel)+".Store(&"+local+")")
}

// constructed stores what a literal sets.
func (g *guarded) constructed(c *Change, kv inspector.Cursor) {
	at := kv.Parent().Parent()
	s, _ := statement(at)
	f, _ := function(at)
	in := g.indent(s.Node())
	value := g.freshIn(f, "first")
	pair := kv.Node().(*ast.KeyValueExpr)
	c.before(s.Node(), "var "+value+" "+g.text(g.decl.Type)+" = "+g.text(pair.Value))
	g.cutElement(c, kv)
	switch p := s.Node().(type) {
	case *ast.AssignStmt:
		c.after(p, g.text(p.Lhs[0])+"."+g.value.Name()+".Store(&"+value+")")
	case *ast.ReturnStmt:
		made := g.freshIn(f, "made")
		c.replace(p.Pos(), p.Results[0].Pos(), made+" := ")
		c.after(p, made+"."+g.value.Name()+".Store(&"+value+")\n"+in+"return "+made)
	}
}

// cutElement takes an element out of a literal, with its comma.
func (g *guarded) cutElement(c *Change, kv inspector.Cursor) {
	lit := kv.Parent().Node().(*ast.CompositeLit)
	i := kv.ParentEdgeIndex()
	switch {
	case i+1 < len(lit.Elts):
		c.replace(lit.Elts[i].Pos(), lit.Elts[i+1].Pos(), "")
	case i > 0:
		c.replace(lit.Elts[i-1].End(), lit.Elts[i].End(), "")
	default:
		c.replace(lit.Lbrace+1, lit.Rbrace, "")
	}
}
