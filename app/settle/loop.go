package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
)

// A loop is a for statement around a place.
type loop struct {
	stmt ast.Stmt // *ast.ForStmt or *ast.RangeStmt
	body *ast.BlockStmt
	over ast.Expr // the collection; nil if there is none
	elem ast.Expr // the variable of the element, or of the index; nil if there is none
}

func (u *unit) asLoop(n ast.Node) (loop, bool) {
	switch s := n.(type) {
	case *ast.RangeStmt:
		l := loop{stmt: s, body: s.Body, over: s.X, elem: s.Value}
		if l.elem == nil {
			l.elem = s.Key
		}
		if t := u.typeOf(s.X); t != nil && !syntax.Collection(t) {
			l.over = nil // a number, a channel, a function
			if call, ok := ast.Unparen(s.X).(*ast.CallExpr); ok && u.builtin(call) == "len" {
				l.over = call.Args[0]
			}
		}
		return l, true
	case *ast.ForStmt:
		l := loop{stmt: s, body: s.Body}
		if b, ok := s.Cond.(*ast.BinaryExpr); ok { // i < len(s), i < s.Len()
			if call, ok := ast.Unparen(b.Y).(*ast.CallExpr); ok && u.builtin(call) == "len" {
				l.over, l.elem = call.Args[0], b.X
			} else if ok && len(call.Args) == 0 {
				l.over, l.elem = u.counted(call), b.X
			}
		}
		if l.over == nil {
			l.over, l.elem = u.linked(s)
		}
		return l, true
	}
	return loop{}, false
}

// counted is what a call tells the number of elements of, by a method: s of s.Len(); nil if it does not.
func (u *unit) counted(call *ast.CallExpr) ast.Expr {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Len", "Size", "Count", "NumField"}, sel.Sel.Name) {
		return nil
	}
	return sel.X
}

// linked is the list that a loop goes through, from each element to the one that it names, and the variable of the
// element: e = e.Next(), n = n.next.
func (u *unit) linked(s *ast.ForStmt) (over, elem ast.Expr) {
	next, ok := s.Post.(*ast.AssignStmt)
	if !ok || next.Tok != token.ASSIGN || len(next.Lhs) != 1 || len(next.Rhs) != 1 {
		return nil, nil
	}
	from := ast.Unparen(next.Rhs[0])
	if call, ok := from.(*ast.CallExpr); ok && len(call.Args) == 0 {
		from = ast.Unparen(call.Fun)
	}
	sel, ok := from.(*ast.SelectorExpr)
	if e := u.object(next.Lhs[0]); !ok || e == nil || u.object(sel.X) != e {
		return nil, nil
	}
	if init, ok := s.Init.(*ast.AssignStmt); ok && len(init.Rhs) == 1 {
		return init.Rhs[0], next.Lhs[0]
	}
	return next.Lhs[0], next.Lhs[0]
}

// loops are those of the function around the place's line, the innermost first. The line of a range statement is in
// it.
func (p *place) loops() (out []loop) {
	for _, n := range within[ast.Stmt](p.body, nil) {
		if l, ok := p.asLoop(n); ok && p.spans(n, p.frame.Line) {
			out = append(out, l)
		}
	}
	slices.Reverse(out)
	return out
}

// loopsAround are the loops of the function around a node, the innermost first.
func (u *unit) loopsAround(n ast.Node) (out []loop) {
	for _, up := range u.outward(n)[1:] {
		switch up.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return out
		}
		if l, ok := u.asLoop(up); ok {
			out = append(out, l)
		}
	}
	return out
}

// mentions reports whether a node mentions an object.
func (u *unit) mentions(n ast.Node, obj types.Object) bool {
	return obj != nil && n != nil && len(find(n, func(id *ast.Ident) bool { return u.info.ObjectOf(id) == obj })) > 0
}

// seeks reports whether a loop goes through a collection for the sake of some of its elements: it compares each, and
// leaves, or keeps, counts or skips what it compared. What it does to every element is work.
func (u *unit) seeks(l loop) (cond ast.Expr, ok bool) {
	if l.over == nil || l.elem == nil || u.isText(l.over) { // who goes through a text reads it
		return nil, false
	}
	elem := u.object(l.elem)
	derived := map[types.Object]bool{elem: true}
	if r, is := l.stmt.(*ast.RangeStmt); is && r.Key != nil {
		derived[u.object(r.Key)] = true
	}
	about := func(n ast.Node) bool {
		return len(find(n, func(id *ast.Ident) bool {
			o := u.info.ObjectOf(id)
			return o != nil && derived[o]
		})) > 0
	}
	for _, s := range l.body.List {
		switch s := s.(type) {
		case *ast.AssignStmt: // a := t.sailings[i]
			if s.Tok == token.DEFINE && len(s.Rhs) == 1 && about(s.Rhs[0]) {
				for _, lhs := range s.Lhs {
					derived[u.object(lhs)] = true
				}
			}
		case *ast.IfStmt:
			if s.Init != nil && about(s.Init) {
				if a, ok := s.Init.(*ast.AssignStmt); ok {
					for _, lhs := range a.Lhs {
						derived[u.object(lhs)] = true
					}
				}
			}
			if about(s.Cond) && syntax.Compares(s.Cond) && u.keeps(s.Body) {
				return s.Cond, true
			}
		}
	}
	return nil, false
}

// isText reports whether an expression is a string or bytes.
func (u *unit) isText(e ast.Expr) bool {
	t := u.typeOf(e)
	if t == nil {
		return false
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		t = s.Elem()
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && (b.Kind() == types.Byte || b.Kind() == types.Rune || b.Info()&types.IsString != 0 && t == u.typeOf(e))
}

// keeps reports whether a block does no more than leave, skip, count, or note what was found.
func (u *unit) keeps(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	for _, s := range b.List {
		switch s := s.(type) {
		case *ast.ReturnStmt, *ast.BranchStmt, *ast.IncDecStmt:
		case *ast.AssignStmt:
			for _, r := range s.Rhs {
				if call, ok := ast.Unparen(r).(*ast.CallExpr); ok && u.builtin(call) == "" &&
					!u.info.Types[call.Fun].IsType() {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// seekers are functions that look at all elements until one fits.
func (c callee) seeks() bool {
	return c.is("slices", "Contains", "ContainsFunc", "Index", "IndexFunc") || c.is("bytes", "Contains", "Index",
		"Count") || c.is("strings", "Contains", "Index", "Count", "ContainsAny")
}

// search is an answer if the place is in a loop that searches, or calls a function that does.
func (p *place) search() []answer {
	for _, l := range p.loops() {
		cond, ok := p.seeks(l)
		if !ok {
			continue
		}
		how := "until one fits"
		if !leavesLoop(l) {
			how = "to the last, for those that fit"
		}
		return becomes(p.confirms(fmt.Sprintf("the loop at %s looks at one element of %s after another, %s (%s)",
			p.ref(l.stmt.Pos()), text(l.over), how, text(cond)), l.stmt.Pos(), cond.Pos()), p.indexed(l, cond))
	}
	for _, call := range onLine[*ast.CallExpr](p) {
		c := p.callee(call)
		if ls := p.loopsAround(call); c.seeks() && (c.path == "slices" || len(ls) > 0) {
			at := []token.Pos{call.Pos()}
			in := ""
			if len(ls) > 0 {
				in, at = ", in each turn of the loop at "+p.ref(ls[0].stmt.Pos()), append(at, ls[0].stmt.Pos())
			}
			return p.confirms(fmt.Sprintf("%s at %s looks through what it is given%s", text(call.Fun),
				p.ref(call.Pos()), in), at...)
		}
	}
	return nil
}

// leavesLoop reports whether a loop can end before its last element, by a statement of its own body.
func leavesLoop(l loop) bool {
	return len(within(l.body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ReturnStmt:
			return true
		case *ast.BranchStmt:
			return n.Tok == token.BREAK || n.Tok == token.GOTO || n.Label != nil
		}
		return false
	})) > 0
}

// searches answers for findings that say so.
func searches(q *inquiry) []answer {
	for _, p := range q.places {
		if a := p.search(); a != nil {
			return a
		}
	}
	p := q.first()
	for _, l := range p.loops() {
		if l.over != nil && len(find(l.body, func(n *ast.IfStmt) bool { return true })) == 0 &&
			len(find(l.body, func(c *ast.CallExpr) bool { return true })) == 0 {
			return p.contradicts(fmt.Sprintf("the loop at %s does the same with every element of %s, and looks for "+
				"none", p.ref(l.stmt.Pos()), text(l.over)), l.stmt.Pos())
		}
	}
	return nil
}

// searchesHot answers for hot lines that turn out to be a search.
func searchesHot(q *inquiry) []answer {
	p := q.first()
	a := p.search()
	if len(a) == 0 || len(p.loops()) == 0 { // one call is no loop of this program
		return nil
	}
	a[0].text += ": an index, or an order kept beside it, would not"
	return a
}

// calledInLoop answers for a hot function whose caller asks it in each turn of a loop.
func calledInLoop(q *inquiry) []answer {
	for _, p := range q.places[1:] {
		for _, call := range onLine[*ast.CallExpr](p) {
			if c := p.callee(call); c.name == "" || !strings.HasSuffix(q.first().frame.Function, "."+c.name) {
				continue
			}
			ls := slices.DeleteFunc(p.loopsAround(call), func(l loop) bool { return !l.repeats(call) })
			if len(ls) == 0 {
				return nil
			}
			if cond, ok := p.seeks(ls[0]); ok {
				return becomes(p.confirms(fmt.Sprintf("the loop at %s asks %s (%s) of one element of %s after another (%s)",
					p.ref(ls[0].stmt.Pos()), text(call.Fun), p.ref(call.Pos()), text(ls[0].over), text(cond)),
					ls[0].stmt.Pos(), call.Pos()), p.indexed(ls[0], cond))
			}
			turns := "in each turn"
			if ls[0].over != nil {
				turns = "for each of " + text(ls[0].over)
			}
			return p.adds(fmt.Sprintf("the loop at %s calls %s (%s) %s", p.ref(ls[0].stmt.Pos()), text(call.Fun),
				p.ref(call.Pos()), turns), ls[0].stmt.Pos(), call.Pos())
		}
	}
	return nil
}

// repeats reports whether a loop comes to a call in each turn, and not once before the first.
func (l loop) repeats(call *ast.CallExpr) bool {
	if s, ok := l.stmt.(*ast.ForStmt); ok {
		return s.Init == nil || call.Pos() >= s.Init.End()
	}
	return call.Pos() >= l.body.Pos()
}

// loopsInLoops looks for the second loop of work that grows by the square: around the first, in a caller, or in what
// is called.
func loopsInLoops(q *inquiry) []answer {
	p := q.first()
	var over []loop
	for _, l := range p.loops() {
		if l.over != nil {
			over = append(over, l)
		}
	}
	switch {
	case len(over) >= 2:
		a := p.confirms(fmt.Sprintf("for each of %s (%s) the loop at %s goes through %s", text(over[1].over),
			p.ref(over[1].stmt.Pos()), p.ref(over[0].stmt.Pos()), text(over[0].over)), over[1].stmt.Pos(),
			over[0].stmt.Pos())
		if cond, ok := p.seeks(over[0]); ok {
			a = becomes(a, p.indexed(over[0], cond))
		}
		return a
	case len(over) == 1:
		for _, call := range find(over[0].body, func(c *ast.CallExpr) bool { return p.callee(c).seeks() }) {
			return p.confirms(fmt.Sprintf("for each of %s (%s), %s at %s looks through what it is given",
				text(over[0].over),
				p.ref(over[0].stmt.Pos()), text(call.Fun), p.ref(call.Pos())), over[0].stmt.Pos(), call.Pos())
		}
		for _, call := range p.callsOf(p.decl) {
			for _, l := range p.loopsAround(call) {
				if l.over != nil {
					return p.confirms(fmt.Sprintf("the loop at %s calls %s (%s) for each of %s, and that goes "+
						"through %s (%s)", p.ref(l.stmt.Pos()), p.decl.Name.Name, p.ref(call.Pos()), text(l.over),
						text(over[0].over), p.ref(over[0].stmt.Pos())), l.stmt.Pos(), call.Pos(), over[0].stmt.Pos())
				}
			}
		}
	}
	return nil
}

// large is how many bytes of a value are expensive to copy: four cache lines.
const large = 256

// copies looks at hot look-ups of large values: the line of one pays for the copy, and for little else.
func copies(q *inquiry) []answer {
	for _, p := range q.places {
		for _, s := range onLine[*ast.AssignStmt](p) {
			x, ok := ast.Unparen(s.Rhs[0]).(*ast.IndexExpr)
			if !ok || p.partial != "" || p.typeOf(x.X) == nil || !isMap(p.typeOf(x.X)) {
				continue
			}
			t := p.typeOf(x.X).Underlying().(*types.Map).Elem()
			if n := p.sizes.Sizeof(t); n >= large {
				return becomes(p.confirms(fmt.Sprintf("%s at %s copies %d bytes, a %s, out of the map", code(x),
					p.ref(s.Pos()), n, typeName(t)), s.Pos()), change{name: "by-pointer", not: []string{doItLess},
					title: fmt.Sprintf("Keep pointers in %s: map[…]*%s", text(x.X), typeName(t)), text: fmt.Sprintf(
						"At %s each look-up copies the whole value to %s.", p.ref(s.Pos()), text(s.Lhs[0])),
					price: "who has the pointer can change the value"})
			}
		}
	}
	return nil
}

// asksInLoop answers if what asks over the network is called in a loop, one after another.
func asksInLoop(q *inquiry) []answer {
	for _, p := range q.places {
		if a := p.inLoop(onLine[*ast.CallExpr](p)); a != nil {
			return a
		}
	}
	p := q.first()
	if p.fn == p.decl {
		return p.inLoop(p.callsOf(p.decl))
	}
	return nil
}

func (p *place) inLoop(calls []*ast.CallExpr) []answer {
	for _, call := range calls {
		if c := p.callee(call); c.name == "" || p.builtin(call) != "" {
			continue
		}
		call = p.asking(call)
		for _, l := range p.loopsAround(call) {
			if l.body.Pos() > call.Pos() {
				continue // what is ranged over
			}
			if _, apart := p.outward(call)[1].(*ast.GoStmt); apart {
				return p.adds(fmt.Sprintf("the loop at %s starts %s (%s) side by side", p.ref(l.stmt.Pos()),
					text(call.Fun), p.ref(call.Pos())), l.stmt.Pos(), call.Pos())
			}
			what := "again and again, one after another"
			switch {
			case l.over != nil:
				what = "for each of " + text(l.over) + ", one after another"
			case leavesLoop(l) && !p.pauses(l, call):
				what = "again until it leaves, and nothing waits between two tries"
			}
			return becomes(p.confirms(fmt.Sprintf("the loop at %s calls %s (%s) %s", p.ref(l.stmt.Pos()),
				text(call.Fun), p.ref(call.Pos()), what), l.stmt.Pos(), call.Pos()), p.askedOnce(l, call))
		}
	}
	return nil
}

// asking is the call of a chain of them that waits: QueryRow of QueryRow(…).Scan(…); the last one where none is known
// to.
func (u *unit) asking(call *ast.CallExpr) *ast.CallExpr {
	for inner, ok := call, true; ok; {
		if _, does := u.callWaits(inner, false); does != "" {
			return inner
		}
		sel, is := ast.Unparen(inner.Fun).(*ast.SelectorExpr)
		if !is {
			break
		}
		inner, ok = ast.Unparen(sel.X).(*ast.CallExpr)
	}
	return call
}

// pauses reports whether anything but a call waits in a loop.
func (p *place) pauses(l loop, call *ast.CallExpr) bool {
	return len(within(l.body, func(n ast.Node) bool {
		if call.Pos() <= n.Pos() && n.End() <= call.End() {
			return false
		}
		_, waits := p.waitsIn(n, false)
		return waits
	})) > 0
}

// literal is the composite literal of x or &x.
func literal(e ast.Expr) *ast.CompositeLit {
	if x, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && x.Op == token.AND {
		e = x.X
	}
	lit, _ := ast.Unparen(e).(*ast.CompositeLit)
	return lit
}
