package settle

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// A section is what a function does while it holds a lock. What the lock guards is what stands beside it: the fields
// of the same variable, or the variables of the package.
type section struct {
	*place
	lock  syntax.Lock
	nodes []ast.Node      // all, in order
	ends  []*ast.CallExpr // where it is given back by hand
}

func (p *place) section(body *ast.BlockStmt, l syntax.Lock) *section {
	s := &section{place: p, lock: l}
	p.walkHeld(body, func(n ast.Node, h syntax.Held) {
		if h[l.Name].At == l.At {
			s.nodes = append(s.nodes, n)
		}
	})
	for _, call := range within[*ast.CallExpr](body, nil) {
		if name, does := p.mutexCall(call); name == l.Name && call.Pos() > l.At.Pos() &&
			(does == "Unlock" || does == "RUnlock") {
			s.ends = append(s.ends, call)
		}
	}
	return s
}

// owner is what the lock is a field of, as the source writes it: "t" of t.mu; "" of a variable.
func (s *section) owner() string {
	return s.lock.Name[:max(strings.LastIndexByte(s.lock.Name, '.'), 0)]
}

// reads reports whether the lock lets others read meanwhile.
func (s *section) reads() bool {
	_, does := s.mutexCall(s.lock.At)
	return does == "RLock"
}

// guarded is the field or variable that an expression names and the lock guards, by how it is written; "" for none.
func (s *section) guarded(e ast.Expr) string {
	var o types.Object
	switch x := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		if o = s.object(x); s.owner() == "" || types.ExprString(x.X) != s.owner() {
			return ""
		}
	case *ast.Ident:
		if o = s.object(x); s.owner() != "" || s.local(o) {
			return ""
		}
	}
	v, ok := o.(*types.Var)
	if !ok || strings.HasSuffix(typeName(v.Type()), "Mutex") {
		return ""
	}
	return types.ExprString(e)
}

// guardedIn are the names of what the lock guards in a node, and in the methods of its owner that the node calls.
func (s *section) guardedIn(n ast.Node) (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, e := range find[ast.Expr](n, nil) {
		add(s.guarded(e))
	}
	for _, call := range find[*ast.CallExpr](n, nil) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || types.ExprString(sel.X) != s.owner() {
			continue
		}
		for _, name := range s.fieldsBelow(call, depth) {
			add(s.owner() + "." + name)
		}
	}
	return names
}

// fieldsBelow are the fields of their own receiver that methods use which a call runs.
func (u *unit) fieldsBelow(call *ast.CallExpr, left int) (out []string) {
	for _, d := range u.bodies(call) {
		if left == 0 || d.Recv == nil || len(d.Recv.List[0].Names) == 0 {
			continue
		}
		recv := u.info.Defs[d.Recv.List[0].Names[0]]
		for _, sel := range find[*ast.SelectorExpr](d.Body, nil) {
			if recv == nil || u.object(sel.X) != recv {
				continue
			}
			if v, ok := u.object(sel).(*types.Var); ok && v.IsField() && !strings.HasSuffix(typeName(v.Type()),
				"Mutex") {
				out = append(out, sel.Sel.Name)
			}
		}
		for _, inner := range find[*ast.CallExpr](d.Body, nil) {
			if sel, ok := ast.Unparen(inner.Fun).(*ast.SelectorExpr); ok && recv != nil && u.object(sel.X) == recv {
				out = append(out, u.fieldsBelow(inner, left-1)...)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// writes are the names of what the lock guards that the section changes.
func (s *section) writes() (names []string) {
	add := func(e ast.Expr) {
		e = partOf(e, func(x ast.Expr) bool { return s.guarded(x) != "" })
		if name := s.guarded(e); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, n := range s.nodes {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				add(lhs)
			}
		case *ast.IncDecStmt:
			add(n.X)
		case *ast.CallExpr:
			if b := s.builtin(n); (b == "delete" || b == "clear" || b == "copy") && len(n.Args) > 0 {
				add(n.Args[0])
			}
		}
	}
	return names
}

// partOf is what an expression is a part of: of s.m[k].n the selector that is meant (s.m), or else what all hangs on
// (s).
func partOf(e ast.Expr, meant func(ast.Expr) bool) ast.Expr {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			if meant(x) {
				return e
			}
			e = x.X
		default:
			return e
		}
	}
}

// unlock is how the lock is given back earlier.
func (s *section) unlock() string {
	if len(s.ends) > 0 && !s.lock.Deferred {
		return "behind the Unlock at " + s.ref(s.ends[len(s.ends)-1].Pos())
	}
	return "behind an Unlock by hand, in place of the deferred one"
}

// withoutLock is the change for a call that waits.
func (s *section) withoutLock(w wait) change {
	c := change{name: "wait-without-lock", not: []string{heldForLess}, title: fmt.Sprintf("Call %s without holding %s",
		w.what, s.lock.Name), price: "what was copied may be out of date when it is used"}
	if strings.HasPrefix(w.what, "<-") || strings.HasSuffix(w.what, "<-") || w.what == "select" ||
		strings.HasPrefix(w.what, "range ") {
		c.title = fmt.Sprintf("Do not wait at %s with %s held", s.ref(w.at), s.lock.Name)
	}
	node := s.nodeAt(w.at)
	loop := s.loopOver(node)
	needs := s.guardedIn(node)
	if loop != nil {
		needs = s.guardedIn(loop.stmt)
	}
	held := fmt.Sprintf("%s at %s %s with %s held since %s. ", w.what, s.ref(w.at), cmp.Or(w.does, "waits"),
		s.lock.Name, s.ref(s.lock.At.Pos()))
	if forced := s.forced(); forced != nil && (strings.HasSuffix(w.does, "writes") || forced.Pos() == w.at) {
		what := text(forced.Fun)
		c.name, c.title, c.price = "group-commit", fmt.Sprintf("One %s for all that wait (group commit)", what),
			"who comes while one is under way waits for the next"
		c.text = fmt.Sprintf("%s at %s is done for each by itself, with %s held since %s. One stands for all that was "+
			"written before it: hand what is to be written to one goroutine, with a channel for the answer; it takes what has "+
			"gathered, writes it whole, calls %s once, and answers each.", what, s.ref(forced.Pos()), s.lock.Name,
			s.ref(s.lock.At.Pos()), what)
		return c
	}
	if call, ok := node.(*ast.CallExpr); ok && w.via == nil && strings.HasSuffix(w.does, "writes") && s.guards(call) {
		c.name, c.title = "one-writer", fmt.Sprintf("Let one goroutine do %s", w.what)
		c.text = held + fmt.Sprintf("%s keeps what is written whole: put it into a buffer or a channel with room, "+
			"and let one goroutine write what has gathered.", s.lock.Name)
		c.price = "what is not written yet is lost when the process dies"
		return c
	}
	what := "it"
	if loop != nil {
		what = "the loop at " + s.ref(loop.stmt.Pos())
	}
	if len(needs) == 0 {
		c.text, c.price = held+fmt.Sprintf("It needs nothing that %s guards: move %s %s.", s.lock.Name, what,
			s.unlock()), ""
		return c
	}
	c.text = held + fmt.Sprintf("Copy %s while the lock is held%s, and do %s %s.", among(needs), s.copyWith(node, loop,
		needs), what, s.unlock())
	if stored := s.storedOf(node); stored != "" {
		c.text += fmt.Sprintf(" Lock again to store %s.", stored)
	}
	return c
}

// forced is the call that waits until what the section has written to a file of the lock's owner is on the disk; nil
// without one.
func (s *section) forced() *ast.CallExpr {
	for _, n := range s.nodes {
		if call, ok := n.(*ast.CallExpr); ok && s.callee(call).method("os", "File", "Sync") && s.guards(call) {
			return call
		}
	}
	return nil
}

// guards reports whether a call is of a method of something that stands beside the lock.
func (s *section) guards(call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	return ok && s.guarded(sel.X) != ""
}

// nodeAt is the node of the section that begins somewhere.
func (s *section) nodeAt(at token.Pos) ast.Node {
	for _, n := range s.nodes {
		if _, call := n.(*ast.CallExpr); call && n.Pos() == at {
			return n
		}
	}
	i := slices.IndexFunc(s.nodes, func(n ast.Node) bool { return n.Pos() == at })
	if i < 0 {
		return s.lock.At
	}
	return s.nodes[i]
}

// loopOver is the outermost loop around a node that is in the section as a whole; nil without one.
func (s *section) loopOver(n ast.Node) *loop {
	ls := s.loopsAround(n)
	for i := len(ls) - 1; i >= 0; i-- {
		if slices.Contains(s.nodes, ast.Node(ls[i].stmt)) {
			return &ls[i]
		}
	}
	return nil
}

// copyWith names the function that copies the one thing which a loop goes through.
func (s *section) copyWith(n ast.Node, l *loop, needs []string) string {
	if l == nil || l.over == nil || s.guarded(l.over) == "" || len(needs) != 1 {
		return ""
	}
	return " (" + s.cloner(l.over) + ")"
}

// cloner is a call that copies a map or a slice.
func (u *unit) cloner(e ast.Expr) string {
	if t := u.typeOf(e); t != nil && isMap(t) {
		return "maps.Clone"
	}
	return "slices.Clone"
}

// storedOf is what the lock guards that gets the value of a call.
func (s *section) storedOf(n ast.Node) string {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return ""
	}
	obj := s.assignedTo(call)
	for _, n := range s.nodes {
		a, ok := n.(*ast.AssignStmt)
		if !ok || obj == nil {
			continue
		}
		for i, lhs := range a.Lhs {
			x := lhs
			if index, ok := ast.Unparen(lhs).(*ast.IndexExpr); ok {
				x = index.X
			}
			if s.guarded(x) != "" && s.mentions(a.Rhs[min(i, len(a.Rhs)-1)], obj) {
				return text(lhs)
			}
		}
	}
	return ""
}

// inLoop is the change for a loop in the section.
func (s *section) inLoop(n ast.Node) change {
	l, _ := s.asLoop(n)
	at, name := s.ref(n.Pos()), s.lock.Name
	not := []string{heldForLess}
	over := ""
	if l.over != nil {
		over = s.guarded(l.over)
	}
	switch cond, seeks := s.seeks(l); {
	case over != "" && s.takesOut(l):
		return change{name: "in-parts", not: not, title: fmt.Sprintf("Go through %s in parts, and give %s back "+
			"between them", over, name), text: fmt.Sprintf("The loop at %s looks at all of %s with %s held, and "+
			"takes some out: split %s into parts by a hash of the key, each with a lock of its own, and do one part "+
			"a turn; or gather with the lock held for reading what is to go, and take it out a hundred at a time.", at,
			over, name, over), price: "what is to go stays a little longer"}
	case over != "" && seeks:
		key, _ := s.keyOf(l, cond)
		return change{name: "index", not: not, title: fmt.Sprintf("Keep an index beside %s, in place of the loop at "+
			"%s", over, at), text: fmt.Sprintf("The loop looks through %s with %s held: a map%s, changed where %s "+
			"is, finds it at once.", over, name, after(" by ", key), over), price: "memory for the index"}
	case over != "" && len(s.writes()) == 0:
		return change{name: "copy-out", not: not, title: fmt.Sprintf("Copy %s with %s held, and go through the copy "+
			"without it", over, name), text: fmt.Sprintf("The loop at %s goes through all of %s: %s under the lock, "+
			"the loop %s. Where it is read far more often than changed, keep it immutable behind an atomic.Pointer, "+
			"and no reader needs the lock.", at, over, s.cloner(l.over), s.unlock()), price: "a copy for each call; " +
			"the copy may be out of date"}
	case over != "":
		return change{name: "in-parts", not: not, title: fmt.Sprintf("Go through %s in parts, and give %s back "+
			"between them", over, name), text: fmt.Sprintf("The loop at %s changes all of %s with %s held: some "+
			"hundred elements at a time, or parts of it that each have a lock of their own.", at, over, name),
			price: "others see some of it changed"}
	case len(s.guardedIn(l.stmt)) == 0:
		return change{name: "before-lock", not: not, title: fmt.Sprintf("Do the loop at %s before %s is taken", at,
			name), text: fmt.Sprintf("The loop at %s uses nothing that %s guards: move it before the Lock at %s, and "+
			"store what comes out of it with the lock held.", at, name, s.ref(s.lock.At.Pos()))}
	default:
		return change{name: "lock-each-turn", not: not, title: fmt.Sprintf("Take %s in each turn of the loop at %s, "+
			"and not for all", name, at), text: fmt.Sprintf("The loop at %s does all its turns with %s held. Do in "+
			"each what needs no lock first, and hold it for %s alone.", at, name, among(s.guardedIn(l.stmt))),
			price: "others come between two turns"}
	}
}

// takesOut reports whether a loop deletes from what it goes through.
func (u *unit) takesOut(l loop) bool {
	return len(find(l.body, func(c *ast.CallExpr) bool {
		return u.builtin(c) == "delete" && text(c.Args[0]) == text(l.over)
	})) > 0
}

// forShort is the change for a section in which nothing takes long: by what it does. ok is false if that says nothing.
func (s *section) forShort() change {
	writes, uses := s.writes(), []string{}
	for _, n := range s.nodes {
		for _, name := range s.guardedIn(n) {
			if !slices.Contains(uses, name) {
				uses = append(uses, name)
			}
		}
	}
	name, at, not := s.lock.Name, s.ref(s.lock.At.Pos()), []string{heldForLess}
	switch {
	case len(uses) == 0:
		return change{}
	case len(writes) == 0 && !s.changedElsewhere():
		return change{name: "no-lock", not: not, title: fmt.Sprintf("Read %s without %s", among(uses), name),
			text: fmt.Sprintf("From %s on only %s is read, and nothing in the package changes it once it is made: it "+
				"needs no lock.", at, among(uses))}
	case len(writes) == 0:
		return change{name: "read-pointer", not: not, title: fmt.Sprintf("Read %s through an atomic.Pointer, without "+
			"%s", among(uses), name), text: fmt.Sprintf("From %s on only %s is read%s. Who changes it makes a copy "+
			"with %s held, and stores that.", at, among(uses), map[bool]string{true: ", and taking a read lock " +
			"writes to it, too"}[s.reads()], name), price: "a change copies the data"}
	case s.counts():
		return change{name: "atomic", not: append(not, readUnlocked), title: fmt.Sprintf("Make %s an atomic, without "+
			"%s", among(writes), name), text: fmt.Sprintf("From %s on %s is counted, and nothing else is done: "+
			"atomic.Int64's Add needs no lock.", at, among(writes))}
	case len(uses) == 1 && s.byKey(writes[0]):
		return change{name: "shards", not: append(not, readUnlocked), title: fmt.Sprintf("Split %s by a hash of its "+
			"key, each part with a lock", writes[0]), text: fmt.Sprintf("From %s on one entry of %s is looked up and "+
			"changed: in 64 parts, chosen by maphash of the key, one in 64 of those who wait now meets another.", at,
			writes[0]), price: "nobody sees all of it at one moment"}
	}
	return change{not: not}
}

// counts reports whether a section does no more than add to numbers.
func (s *section) counts() bool {
	n := 0
	for _, node := range s.nodes {
		switch x := node.(type) {
		case *ast.IncDecStmt:
			if s.guarded(x.X) == "" {
				return false
			}
			n++
		case *ast.AssignStmt:
			if x.Tok != token.ADD_ASSIGN || s.guarded(x.Lhs[0]) == "" || !isInteger(s.typeOf(x.Lhs[0])) {
				return false
			}
			n++
		case *ast.IndexExpr, *ast.CallExpr, *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.ReturnStmt:
			return false
		}
	}
	return n > 0
}

func isInteger(t types.Type) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

// byKey reports whether a map is used by keys alone.
func (s *section) byKey(name string) bool {
	indexed, whole := false, false
	for _, n := range s.nodes {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if t := s.typeOf(n.X); s.guarded(n.X) == name && t != nil && isMap(t) {
				indexed = true
			}
		case *ast.RangeStmt:
			whole = whole || s.guarded(n.X) == name
		case *ast.CallExpr:
			whole = whole || s.builtin(n) == "len" && s.guarded(n.Args[0]) == name
		}
	}
	return indexed && !whole
}

// changedElsewhere reports whether anything in the package changes what the section reads, but for the literals that
// make it and the functions that run once.
func (s *section) changedElsewhere() bool {
	for _, n := range s.nodes {
		e, ok := n.(ast.Expr)
		if !ok || s.guarded(e) == "" {
			continue
		}
		if obj := s.object(e); obj != nil && s.changed(obj) {
			return true
		}
	}
	return false
}

// changed reports whether a statement changes a field or variable, or what it holds, or takes its address. A method of
// it may, too, where it has any.
func (u *unit) changed(obj types.Object) bool {
	is := func(e ast.Expr) bool { return u.object(e) == obj }
	of := func(e ast.Expr) bool { return is(partOf(e, is)) }
	return len(everywhere(u, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, of)
		case *ast.IncDecStmt:
			return of(n.X)
		case *ast.UnaryExpr:
			return n.Op == token.AND && of(n.X)
		case *ast.CallExpr:
			b := u.builtin(n)
			return (b == "delete" || b == "clear" || b == "copy") && of(n.Args[0])
		}
		return false
	})) > 0
}

// A costly call is one in a section that a finding about the CPU is about.
type costly struct {
	call *ast.CallExpr
	by   string // that finding
	took float64
}

// costly is the call of the section below which another finding says that most of the CPU is spent.
func (s *section) costly(q *inquiry) (best costly, ok bool) {
	for _, f := range q.others {
		if f.Impact.Resource != "cpu" || f.Impact.Share < costlyShare || f.Impact.Share <= best.took {
			continue
		}
		for _, n := range s.nodes {
			call, is := n.(*ast.CallExpr)
			if !is || s.builtin(call) != "" {
				continue
			}
			if s.runsAt(call, f.Where, depth) {
				best, ok = costly{call, f.ID, f.Impact.Share}, true
				break
			}
		}
	}
	return best, ok
}

// costlyShare is of the CPU: a fifth, which the lock then lets one goroutine at a time do.
const costlyShare = 0.2

// runsAt reports whether a call runs one of some lines: on its own line, or in functions of this package.
func (s *section) runsAt(call *ast.CallExpr, where []casefile.Frame, left int) bool {
	for _, w := range where[:min(len(where), 2)] {
		if pos := s.fset.Position(call.Pos()); pos.Line == w.Line && filepath.Base(pos.Filename) == path.Base(w.File) {
			return true
		}
		for _, d := range s.bodies(call) {
			if s.spans(d, w.Line) && filepath.Base(s.fset.Position(d.Pos()).Filename) == path.Base(w.File) {
				return true
			}
		}
	}
	if left == 0 {
		return false
	}
	for _, d := range s.bodies(call) {
		for _, inner := range within[*ast.CallExpr](d.Body, nil) {
			if len(s.bodies(inner)) > 0 && s.runsAt(inner, where, left-1) {
				return true
			}
		}
	}
	return false
}

// withoutWork is the change for a call in the section that takes much of the CPU.
func (s *section) withoutWork(c costly) change {
	what, at, needs := text(c.call.Fun), s.ref(c.call.Pos()), s.guardedIn(c.call)
	out := change{name: "compute-without-lock", not: []string{heldForLess}, title: fmt.Sprintf("Call %s without "+
		"holding %s", what, s.lock.Name), text: fmt.Sprintf("%s at %s takes %s of the CPU, with %s held since %s: "+
		"one goroutine at a time does that. ", what, at, number.Share(c.took), s.lock.Name, s.ref(s.lock.At.Pos()))}
	if len(needs) == 0 {
		out.text += fmt.Sprintf("It needs nothing that %s guards: call it before the Lock.", s.lock.Name)
	} else {
		out.text += fmt.Sprintf("Take %s out with the lock held, call it without, and lock again to store what came.",
			among(needs))
		out.price = "what was taken out may have changed meanwhile"
	}
	out.text += fmt.Sprintf(" What %s says makes it cheaper, too.", c.by)
	return out
}

// withLoopBelow is the change for a call in the section that leads to a loop, where it needs nothing of what is
// guarded.
func (s *section) withLoopBelow(via *ast.CallExpr) change {
	if len(s.guardedIn(via)) > 0 {
		return change{}
	}
	return change{name: "before-lock", not: []string{heldForLess}, title: fmt.Sprintf("Call %s before %s is taken",
		text(via.Fun), s.lock.Name), text: fmt.Sprintf("%s at %s leads to a loop and uses nothing that %s guards: "+
		"call it before the Lock at %s, and store what comes out of it with the lock held.", text(via.Fun),
		s.ref(via.Pos()), s.lock.Name, s.ref(s.lock.At.Pos()))}
}

// after is a word and what follows it; "" without that.
func after(word, what string) string {
	if what == "" {
		return ""
	}
	return word + what
}
