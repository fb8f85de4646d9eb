package settle

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"time"

	"github.com/gocasebook/casebook/app/flow"
	"github.com/gocasebook/casebook/app/syntax"
)

// A keeper is what keeps what the place made, and the function around.
type keeper struct {
	flow.Keep
	*place
	goes *flow.Flow
	out  []ast.Node // what takes something out of it, in its package
	all  []keeper   // of the same
}

// follow follows what the first place makes, in all packages around.
func (q *inquiry) follow() *flow.Flow {
	var pkgs []*flow.Package
	for _, u := range q.packages() {
		u.flow = &flow.Package{Fset: u.fset, Files: u.files, Info: u.info, Types: u.pkg}
		pkgs = append(pkgs, u.flow)
	}
	return flow.Follow(pkgs, q.first().decl, q.first().frame.Line)
}

// unitOf is the package that was given to package flow.
func (q *inquiry) unitOf(p *flow.Package) *unit {
	return q.packages()[slices.IndexFunc(q.packages(), func(u *unit) bool { return u.flow == p })]
}

// whereItGoes answers by what keeps what the place makes: what it has to be taken out of, and where, or what it must
// not be put into as it is.
func whereItGoes(q *inquiry) []answer {
	f := q.goes()
	var all []keeper
	for _, k := range f.Keeps {
		x := keeper{Keep: k, place: q.unitOf(k.P).whole(k.Decl), goes: f}
		if k.Kind == flow.Entry {
			x.out = x.takenOut()
		}
		if !k.Once && !(k.Kind == flow.Entry && (x.inInit(k.At) || x.inConstructor(k.At))) {
			all = append(all, x)
		}
	}
	if slices.ContainsFunc(all, func(k keeper) bool { return k.Had == flow.Whole || k.Own }) {
		all = slices.DeleteFunc(all, func(k keeper) bool { return k.Had != flow.Whole && !k.Own })
	}
	for i := range all {
		all[i].all = all
	}
	asks := []func(*inquiry, keeper) []answer{partIn, roomOf, onlyPutIn, inFinalizer, inTimer, inContext, inQueue,
		putInAndOut}
	if q.finding.Kind == "mem-subslice-retained" {
		if asks = slices.Delete(asks, 1, 2); len(q.finding.Remedies) == 0 { // no evidence but the source's is of it
			asks = asks[:1]
		}
	}
	for _, ask := range asks {
		for _, k := range all {
			if a := ask(q, k); a != nil {
				return a
			}
		}
	}
	for _, p := range q.places {
		if a := p.labelled(); a != nil {
			return a
		}
	}
	return nil
}

// name is the container as a text names it.
func (k *keeper) name() string { return text(k.Into) }

func (k *keeper) growing() growing { return growing{k.name(), k.object(k.Into), k.At, k.Key} }

// goesIn says what goes where.
func (k *keeper) goesIn(q *inquiry) string {
	if k.Own {
		return fmt.Sprintf("%s grows at %s", k.name(), k.ref(k.At.Pos()))
	}
	return fmt.Sprintf("what %s makes goes into %s at %s", q.first().decl.Name.Name, k.name(), k.ref(k.At.Pos()))
}

// partIn is for a part of a text that is kept: it keeps all of the text.
func partIn(q *inquiry, k keeper) []answer {
	if k.Kind != flow.Entry || k.Cut == nil {
		return nil
	}
	in := q.unitOf(k.In)
	p, t := in.whole(in.declared(k.Cut)), in.typeOf(k.Cut)
	if tuple, ok := t.(*types.Tuple); ok {
		t = tuple.At(0).Type()
	}
	c := change{name: "copy-part", at: k.Cut, not: []string{boundIt, copyOrBound, doItLess}, title: fmt.Sprintf("Copy "+
		"the part at %s: %s(%s)", p.ref(k.Cut.Pos()), syntax.Clone(t), text(k.Cut)), text: fmt.Sprintf("It is a slice of "+
		"all that %s makes, and %s, which keeps it, keeps the whole.", q.first().decl.Name.Name, k.name()),
		price: "a copy of the part"}
	if e := syntax.Elem(t); e != nil && syntax.Refers(e) { // several
		c.at = k.At
		c.title = fmt.Sprintf("Copy the part that %s keeps at %s: %s", k.name(), k.ref(k.At.Pos()), syntax.Clone(e))
	}
	return becomes(p.confirms(fmt.Sprintf("%s at %s is a part of what %s makes, and %s keeps it (%s)", text(k.Cut),
		p.ref(k.Cut.Pos()), q.first().decl.Name.Name, k.name(), k.ref(k.At.Pos())), k.Cut.Pos()), c)
}

// roomOf is for a map that has room for all that it ever had: the line makes nothing but its entries, and they go.
func roomOf(q *inquiry, k keeper) []answer {
	if !k.Own || !q.level || k.Had > 0 || k.Key == nil {
		return nil
	}
	for _, n := range k.out {
		call, ok := n.(*ast.CallExpr)
		if !ok || k.builtin(call) == "" {
			return nil // another one takes its place
		}
	}
	if len(k.out) == 0 {
		return nil
	}
	call := k.out[0].(*ast.CallExpr)
	d, at := k.declared(call), k.ref(call.Pos())
	c := change{name: "new-map", at: call, not: []string{boundIt, doItLess}, title: fmt.Sprintf("Make a new %s in %s "+
		"when it has become small, and copy the rest", k.name(), d.Name.Name), price: "a copy of what is left"}
	c.text = fmt.Sprintf("What stays is the room of the map, and not its entries: %s at %s leaves the room for all that "+
		"it ever had. Copy what is left into a map of its size when len is below a quarter of the most that it had.",
		k.builtin(call), at)
	if k.emptied(call) {
		c.title = fmt.Sprintf("Let %s begin with a new map: %s = make(%s)", d.Name.Name, k.name(), types.TypeString(
			k.typeOf(k.Into), (*types.Package).Name))
		c.text = fmt.Sprintf("What stays is the room of the map, and not its entries: %s at %s leaves the room for all that "+
			"it ever had. Put a new map into its place, and let go of the old one.", k.builtin(call), at)
	}
	return becomes(k.confirms(fmt.Sprintf("%s is filled at %s and emptied at %s, and keeps its room", k.name(),
		k.ref(k.At.Pos()), at), call.Pos(), k.At.Pos()), c)
}

// emptied reports whether a call takes out all: it clears the map, or deletes in a walk over it without a condition.
func (k *keeper) emptied(call *ast.CallExpr) bool {
	up := k.outward(call)
	if k.builtin(call) == "clear" {
		return true
	}
	if len(up) < 4 {
		return false
	}
	r, ok := up[3].(*ast.RangeStmt)
	return ok && k.Same(k.P, r.X)
}

// onlyPutIn is for what nothing takes out.
func onlyPutIn(q *inquiry, k keeper) []answer {
	if k.Kind != flow.Entry || len(k.out) > 0 || k.bounded() ||
		(q.level || k.object(k.Into).Exported()) && k.decl != q.first().decl {
		return nil
	}
	c := k.ending(k.growing())
	toBeTold := k.toBeTold()
	if toBeTold {
		c = change{name: "take-out", title: fmt.Sprintf("Take it out of %s when who it is for has gone", k.name()),
			text: fmt.Sprintf("%s puts one in at %s, and nothing in the package takes any out: return a function from %s "+
				"that does, and call it there.", k.decl.Name.Name, k.ref(k.At.Pos()), k.decl.Name.Name), price: "none"}
	}
	other, at := k.beside()
	if at != nil {
		in := k.declared(at).Name.Name
		c = change{name: "delete-there-too", at: at, title: fmt.Sprintf("Take it out of %s in %s, too", k.name(), in),
			text: fmt.Sprintf("%s takes out of %s at %s, and not out of %s, which has the same and keeps it.", in, other.name(),
				k.ref(at.Pos()), k.name()), price: "none"}
	}
	if !k.Own || toBeTold || at != nil {
		if c.not = append(c.not, boundIt, doItLess, copyOrBound); c.at == nil {
			c.at = k.At
		}
	}
	return becomes(k.confirms(k.goesIn(q)+", and nothing in the package takes anything out of it", k.At.Pos()), c)
}

// toBeTold reports whether its elements are functions or channels: of others, who are told by them, or work that waits.
func (k *keeper) toBeTold() bool {
	switch entries(k.typeOf(k.Into)).Underlying().(type) {
	case *types.Signature, *types.Chan:
		return true
	}
	return false
}

// entries is the type of what is in a container, and in its containers.
func entries(t types.Type) types.Type {
	if t == nil {
		return types.Typ[types.Invalid]
	}
	if m, ok := t.Underlying().(*types.Map); ok {
		return entries(m.Elem())
	}
	if s, ok := t.Underlying().(*types.Slice); ok {
		return entries(s.Elem())
	}
	return t
}

// beside is another container of the same package that has the same whole, of which one is taken out: and where.
func (k *keeper) beside() (other *keeper, at ast.Node) {
	for i := range k.all {
		o := &k.all[i]
		if o.unit != k.unit || o.Kind != flow.Entry || o.Had != flow.Whole || k.Had != flow.Whole || o.Same(k.P, k.Into) ||
			!types.Identical(entries(o.typeOf(o.Into)), entries(k.typeOf(k.Into))) {
			continue
		}
		for _, n := range o.out {
			call, ok := n.(*ast.CallExpr)
			if d := k.declared(n); ok && k.builtin(call) != "clear" && d != nil && d != k.decl {
				return o, call
			}
		}
	}
	return nil, nil
}

// inFinalizer is for a value with a finalizer that refers to itself, by way of others: it frees none of them.
func inFinalizer(_ *inquiry, k keeper) []answer {
	if k.Kind != flow.Finalizer {
		return nil
	}
	t := syntax.Deref(k.typeOf(k.Into))
	by := refersBack(t, t, depth)
	if by == "" {
		return nil
	}
	at := k.ref(k.At.Pos())
	return becomes(k.confirms(fmt.Sprintf("%s has a finalizer, set at %s, and refers to itself by %s: what is in such a "+
		"cycle is never freed", text(k.Into), at, by), k.At.Pos()), change{name: "no-finalizer", at: k.At, not: []string{
		boundIt, doItLess, copyOrBound}, title: fmt.Sprintf("Set a cleanup in place of the finalizer at %s: "+
		"runtime.AddCleanup", at), text: fmt.Sprintf("A finalizer keeps what it is for until it has run, and does not run "+
		"where that refers to itself, as %s does by %s. runtime.AddCleanup does not keep it; its function must not refer to "+
		"%s. Or call its end yourself.", text(k.Into), by, text(k.Into)), price: "none"})
}

// refersBack names the fields by which values of a type refer to one of the same type; "" where they do not.
func refersBack(t, to types.Type, left int) string {
	if e := syntax.Elem(t); e != nil {
		t = e
	}
	s, ok := syntax.Deref(t).Underlying().(*types.Struct)
	if !ok || left == 0 {
		return ""
	}
	for f := range s.Fields() {
		of := f.Type()
		if e := syntax.Elem(of); e != nil {
			of = e
		}
		if _, pointer := of.Underlying().(*types.Pointer); pointer && types.Identical(syntax.Deref(of), to) {
			return f.Name()
		}
		if by := refersBack(of, to, left-1); by != "" {
			return f.Name() + "." + by
		}
	}
	return ""
}

// inTimer is for a function that a timer refers to until its time has come.
func inTimer(q *inquiry, k keeper) []answer {
	if k.Kind != flow.Timer {
		return nil
	}
	call, at := k.At.(*ast.CallExpr), k.ref(k.At.Pos())
	wait := text(call.Args[0])
	if v := k.info.Types[call.Args[0]].Value; v != nil {
		if n, ok := constant.Int64Val(v); ok {
			wait = time.Duration(n).String()
		}
	}
	what, fields := k.captured(q)
	said := fmt.Sprintf("the function that the timer of %s keeps for %s refers to %s", at, wait, what)
	c := change{name: "one-timer", at: k.At, not: []string{boundIt, doItLess, copyOrBound}, title: fmt.Sprintf("Keep the "+
		"timer of %s, and Reset or Stop it: one for each owner, not one for each call", at), text: fmt.Sprintf("Each call "+
		"makes a timer of %s, and its function keeps %s until then. Store what AfterFunc returns beside what it is for: "+
		"Reset it where there is one, Stop it where the work has ended.", wait, what)}
	switch {
	case len(fields) > 0:
		c.name, c.price = "copy-before", "none"
		c.title = fmt.Sprintf("Take %s out before the timer of %s: its function keeps all of %s", among(fields), at, what)
		c.text = fmt.Sprintf("The function uses %s alone, and keeps all that %s refers to for %s. Assign what it uses to "+
			"variables before, and use these in it.", among(fields), what, wait)
	case k.object(k.assigned(call)) != nil:
		c.title = fmt.Sprintf("Stop the timer of %s where its work has ended", at)
		c.text = fmt.Sprintf("Its function keeps %s for %s: Stop the one before when another is made, and where its work "+
			"has ended.", what, wait)
	}
	return becomes(k.confirms(said, k.At.Pos()), c)
}

// assigned is what a call's value is assigned to; nil for nothing.
func (k *keeper) assigned(call *ast.CallExpr) ast.Expr {
	if a, ok := k.outward(call)[1].(*ast.AssignStmt); ok && len(a.Lhs) == 1 {
		return a.Lhs[0]
	}
	return nil
}

// captured are the variables by which a function refers to what was made, and the fields of them that it uses, if it
// uses nothing else of them.
func (k *keeper) captured(q *inquiry) (what string, fields []string) {
	if k.Lit == nil {
		return "what " + q.first().decl.Name.Name + " makes", nil
	}
	var names []string
	whole := false
	for o, uses := range k.In.Captured(k.Lit) {
		if t := k.goes.Has(k.In, o); t.Had != flow.Whole || t.Once {
			continue
		}
		names = append(names, o.Name())
		for _, id := range uses {
			sel, ok := k.outward(id)[1].(*ast.SelectorExpr)
			if !ok || sel.X != ast.Expr(id) || k.info.Selections[sel] == nil || k.info.Selections[sel].Kind() != types.FieldVal {
				whole = true
			} else if !slices.Contains(fields, text(sel)) {
				fields = append(fields, text(sel))
			}
		}
	}
	slices.Sort(names)
	slices.Sort(fields)
	if whole {
		fields = nil
	}
	return among(names), fields
}

// inContext is for a context below one that lives on, which nothing cancels.
func inContext(_ *inquiry, k keeper) []answer {
	if k.Kind != flow.Context {
		return nil
	}
	a, ok := k.outward(k.At)[1].(*ast.AssignStmt)
	parent := k.object(k.Into)
	if v, is := parent.(*types.Var); !ok || len(a.Lhs) != 2 || !is || k.local(v) {
		return nil // of a request, mostly, with which it ends
	}
	cancel := k.object(a.Lhs[1])
	if cancel != nil && len(find(k.decl.Body, func(c *ast.CallExpr) bool { return k.object(c.Fun) == cancel })) > 0 {
		return nil
	}
	said := fmt.Sprintf("%s, which lives on, keeps each context that %s makes of it, with what that refers to, until it "+
		"is cancelled", text(k.Into), k.ref(a.Pos()))
	if drop := k.droppedBy(cancel); drop != nil {
		d, what := k.declared(drop), code(drop.Args[0])+"["+code(drop.Args[1])+"]"
		return becomes(k.confirms(said+fmt.Sprintf(", and %s drops its cancel function at %s without calling it", d.Name.Name,
			k.ref(drop.Pos())), drop.Pos(), a.Pos()), change{name: "cancel", at: drop, not: []string{boundIt, doItLess,
			copyOrBound}, title: fmt.Sprintf("Call %s() in %s before it is deleted: nothing else cancels the context of %s",
			what, d.Name.Name, k.ref(a.Pos())), text: "Call it before " + code(drop) + " at " + k.ref(drop.Pos()) + "."})
	}
	c := k.keepsCancel(a)
	c.not = append(c.not, boundIt, doItLess, copyOrBound)
	return becomes(k.confirms(said, a.Pos()), c)
}

// droppedBy is the delete that takes a function out of the map which that is put into, where what is deleted is not
// called; nil without one.
func (k *keeper) droppedBy(fn types.Object) (drop *ast.CallExpr) {
	puts := find(k.decl.Body, func(a *ast.AssignStmt) bool {
		_, ok := a.Lhs[0].(*ast.IndexExpr)
		return ok && len(a.Rhs) == 1 && fn != nil && k.object(a.Rhs[0]) == fn
	})
	if len(puts) == 0 {
		return nil
	}
	in := k.object(puts[0].Lhs[0].(*ast.IndexExpr).X)
	of := func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.IndexExpr)
		return ok && k.object(x.X) == in
	}
	for _, c := range everywhere(k.unit, func(c *ast.CallExpr) bool {
		return k.builtin(c) == "delete" && k.object(c.Args[0]) == in
	}) {
		if d := k.declared(c); d != nil && len(find(d.Body, func(c *ast.CallExpr) bool {
			return of(c.Fun) || slices.ContainsFunc(k.valuesOf(k.object(c.Fun)), of)
		})) == 0 {
			return c
		}
	}
	return nil
}

// inQueue is for work that waits: who takes one out of the front, or the end, does less than comes.
func inQueue(q *inquiry, k keeper) []answer {
	if k.Kind != flow.Entry || k.Key != nil || q.level || k.bounded() {
		return nil
	}
	for _, n := range k.out {
		d := k.declared(n)
		if d == nil || !k.takesOne(n) {
			continue
		}
		c := change{name: "bound-queue", at: k.At, not: []string{copyOrBound, boundIt, doItLess}, title: fmt.Sprintf("Bound "+
			"%s in %s: refuse what comes, or let it wait, when it is full", k.name(), k.decl.Name.Name), text: fmt.Sprintf(
			"%s takes one at a time at %s, and nothing bounds how many wait. Look at len(%s) before %s.", d.Name.Name,
			k.ref(n.Pos()), k.name(), k.ref(k.At.Pos())), price: "work is refused, or its caller waits"}
		if g := k.startOf(d, depth); g != nil {
			c.text += fmt.Sprintf(" If what is done with each bears it, start more of %s at %s.", text(g.Call.Fun),
				k.ref(g.Pos()))
		}
		return becomes(k.confirms(fmt.Sprintf("%s, and waits until %s takes it out at %s", k.goesIn(q), d.Name.Name,
			k.ref(n.Pos())), k.At.Pos(), n.Pos()), c)
	}
	return nil
}

// takesOne reports whether one element leaves at a node: the first, the last, or one of a list.
func (k *keeper) takesOne(n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		return k.callee(call).method("container/list", "List", "Remove")
	}
	a, ok := n.(*ast.AssignStmt)
	if !ok || len(a.Rhs) != 1 {
		return false
	}
	s, ok := ast.Unparen(a.Rhs[0]).(*ast.SliceExpr)
	return ok && k.Same(k.P, s.X) && (s.Low == nil) != (s.High == nil) && !syntax.IsZero(k.info, s.High) &&
		len(k.loopsAround(a)) <= 1
}

// bounded reports whether the function that puts something in asks how many there are.
func (k *keeper) bounded() bool {
	return len(find(k.decl.Body, func(b *ast.BinaryExpr) bool {
		return b.Op != token.ADD && b.Op != token.SUB && len(find(b, func(c *ast.CallExpr) bool {
			name := k.builtin(c)
			sel, ok := c.Fun.(*ast.SelectorExpr)
			return (name == "len" || name == "cap") && k.Same(k.P, c.Args[0]) || ok && sel.Sel.Name == "Len" &&
				k.Same(k.P, sel.X)
		})) > 0 && !syntax.IsZero(k.info, b.Y)
	})) > 0
}

// putInAndOut is for what something takes out, too: whether of these, the code does not show.
func putInAndOut(q *inquiry, k keeper) []answer {
	if k.Kind != flow.Entry || len(k.out) == 0 || !k.Own && k.decl != q.first().decl {
		return nil
	}
	return becomes(k.adds(fmt.Sprintf("%s and loses at %s: the question is whether that is reached for these", k.goesIn(q),
		k.ref(k.out[0].Pos())), k.At.Pos(), k.out[0].Pos()), k.callTheEnd(q, k.growing(), k.out))
}

// takenOut lists what makes the container smaller: delete, clear, a new value, a slice of it.
func (k *keeper) takenOut() (out []ast.Node) {
	is := func(e ast.Expr) bool { return k.Same(k.P, e) }
	entry := func(e ast.Expr) bool { // of a container of containers
		x, ok := ast.Unparen(e).(*ast.IndexExpr)
		return ok && is(x.X)
	}
	within := func(e ast.Expr) bool {
		return is(e) || entry(e) || slices.ContainsFunc(k.valuesOf(k.object(e)), entry)
	}
	return everywhere(k.unit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			b := k.builtin(n)
			sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
			c := k.callee(n)
			return (b == "delete" || b == "clear") && within(n.Args[0]) ||
				ok && within(sel.X) && (c.method("sync", "Map", "Delete",
					"LoadAndDelete", "CompareAndDelete", "Clear") || c.method("container/list", "List", "Remove", "Init")) ||
				c.is("container/heap", "Pop", "Remove") && is(n.Args[0])
		case *ast.UnaryExpr: // whoever has its address may
			return n.Op == token.AND && is(n.X)
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				inner := entry(lhs) && n != k.At && syntax.Elem(k.typeOf(lhs)) != nil
				if !is(lhs) && !inner || n.Tok == token.DEFINE {
					continue
				}
				call, ok := ast.Unparen(n.Rhs[min(i, len(n.Rhs)-1)]).(*ast.CallExpr)
				if ok && k.builtin(call) == "append" && within(call.Args[0]) || k.firstValue(n) {
					continue
				}
				return true
			}
		}
		return false
	})
}
