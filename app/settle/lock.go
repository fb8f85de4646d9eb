package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/casefile"
)

// heldOverWaiting asks whether a lock is held at the place that waits.
func heldOverWaiting(q *inquiry) []answer {
	if a := heldOver(q); a != nil {
		return a
	}
	return q.first().notHeld()
}

func heldOver(q *inquiry) []answer {
	for _, p := range q.places {
		if a := p.heldAt(p.body, p.frame.Line); a != nil {
			return a
		}
	}
	for _, p := range q.places { // a caller may hold it
		if p.decl != p.fn {
			continue
		}
		for _, call := range p.callsOf(p.decl) {
			if fn := p.function(call); fn != nil {
				if a := p.heldAt(syntax.BodyOf(fn), p.line(call.Pos())); a != nil {
					return a
				}
			}
		}
	}
	return nil
}

// heldAt is an answer if a lock is held over a call on a line.
func (p *place) heldAt(body *ast.BlockStmt, line int) []answer {
	var by syntax.Lock
	var best wait
	p.walkHeld(body, func(n ast.Node, h syntax.Held) {
		l := h.Outermost()
		if l.At == nil || p.line(n.Pos()) > line || p.line(n.End()) < line {
			return
		}
		w, ok := p.waitsIn(n, true)
		if call, is := n.(*ast.CallExpr); is && p.callee(call).method("sync", "Cond", "Wait") {
			return // it gives the lock back
		} else if !ok && is && p.line(call.Pos()) == line && best.at == 0 {
			if _, does := p.mutexCall(call); does == "" { // the profile says that it waits
				w, ok = wait{at: call.Pos(), what: text(call.Fun)}, true
			}
		}
		if ok && (best.at == 0 || best.does == "" && w.does != "") {
			by, best = l, w
		}
	})
	if best.at == 0 {
		return nil
	}
	return becomes(p.confirms("the lock taken at "+p.ref(by.At.Pos())+" is held over "+p.waitText(best), by.At.Pos(),
		best.at, best.in), p.section(body, by).withoutLock(best))
}

// waitText is a wait in words: "s.fetch at :49, which waits for an HTTP response (:63)".
func (p *place) waitText(w wait) string {
	s := w.what + " at " + p.ref(w.at)
	if w.does != "" {
		s += ", which " + w.does
	}
	if w.via != nil {
		s += " (" + p.ref(w.in) + ")"
	}
	return s
}

// notHeld contradicts where the function takes and leaves its locks, and the line is outside.
func (p *place) notHeld() []answer {
	takes := false
	var at token.Pos
	p.walkHeld(p.body, func(n ast.Node, h syntax.Held) {
		if l := h.Outermost(); l.At != nil {
			takes, at = true, l.At.Pos()
			if p.spans(n, p.frame.Line) {
				takes = false // something without a call is on the line
			}
		}
	})
	end := p.line(p.body.Rbrace)
	if !takes || p.frame.Line >= end || len(p.callsOf(p.decl)) > 0 && strings.HasSuffix(p.decl.Name.Name, "Locked") {
		return nil
	}
	reached := false
	p.walkHeld(p.body, func(n ast.Node, h syntax.Held) {
		reached = reached || p.line(n.Pos()) == p.frame.Line && len(h) == 0
	})
	if !reached {
		return nil
	}
	return p.contradicts(fmt.Sprintf("no lock that %s takes is held at :%d", p.decl.Name.Name, p.frame.Line), at)
}

// callsOf are the calls of a function in its package.
func (u *unit) callsOf(d *ast.FuncDecl) []*ast.CallExpr {
	obj := u.info.Defs[d.Name]
	return everywhere(u, func(call *ast.CallExpr) bool {
		c := u.callee(call)
		return obj != nil && c.fn == obj
	})
}

// heldForLong asks what is done while a lock is held that others wait for.
func heldForLong(q *inquiry) []answer {
	for _, p := range q.places {
		if p.frame.Part == casefile.WaitsForLock {
			continue
		}
		var by syntax.Lock
		var waits wait
		var loop ast.Node
		var via *ast.CallExpr
		short := true
		p.walkHeld(p.body, func(n ast.Node, h syntax.Held) {
			l := h.Outermost()
			if l.At == nil || p.frame.Line < p.line(l.At.Pos()) {
				return
			}
			by = l
			if call, is := n.(*ast.CallExpr); is && p.callee(call).method("sync", "Cond", "Wait") {
				return
			}
			if w, ok := p.waitsIn(n, true); ok && (waits.at == 0 || waits.does == "writes" && w.does != "writes") {
				waits = w
			}
			switch n := n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				if loop == nil || via != nil {
					loop, via = n, nil
				}
			case *ast.CallExpr:
				inner, known := p.loopBelow(n, depth)
				if inner != nil && loop == nil {
					loop, via = inner, n
				}
				short = short && known
			}
		})
		if by.At == nil {
			continue
		}
		s := p.section(p.body, by)
		costs, isCostly := s.costly(q)
		switch {
		case waits.at != 0:
			return becomes(p.confirms("the lock taken at "+p.ref(by.At.Pos())+" is held over "+p.waitText(waits),
				by.At.Pos(), waits.at, waits.in), s.withoutLock(waits))
		case isCostly:
			return becomes(p.confirms(fmt.Sprintf("the lock taken at %s is held over %s at %s, which %s is about",
				p.ref(by.At.Pos()), text(costs.call.Fun), p.ref(costs.call.Pos()), costs.by), by.At.Pos(),
				costs.call.Pos()), s.withoutWork(costs))
		case loop != nil && via == nil:
			return becomes(p.confirms(fmt.Sprintf("the lock taken at %s is held over the loop at %s",
				p.ref(by.At.Pos()), p.ref(loop.Pos())), by.At.Pos(), loop.Pos()), s.inLoop(loop))
		case loop != nil:
			return becomes(p.confirms(fmt.Sprintf("the lock taken at %s is held over the loop at %s, which %s at %s "+
				"leads to", p.ref(by.At.Pos()), p.ref(loop.Pos()), text(via.Fun), p.ref(via.Pos())), by.At.Pos(),
				via.Pos(), loop.Pos()), s.withLoopBelow(via))
		case short:
			return becomes(p.adds("no loop, no I/O, no sleep and no channel is between its Lock and its Unlock: it "+
				"is held for short, and taken often", by.At.Pos()), s.forShort())
		}
	}
	return nil
}

// loopBelow is a loop in a function of this package that a call runs. known is false if what runs is elsewhere.
func (u *unit) loopBelow(call *ast.CallExpr, left int) (loop ast.Node, known bool) {
	if u.builtin(call) != "" || u.info.Types[call.Fun].IsType() {
		return nil, true
	}
	bodies := u.bodies(call)
	if left == 0 || len(bodies) == 0 {
		c := u.callee(call)
		return nil, c.path == "time" && (c.name == "Now" || c.recv != "") || c.path == "sync" || c.path == "sync/atomic"
	}
	known = true
	for _, d := range bodies {
		for _, n := range within[ast.Node](d.Body, nil) {
			switch n := n.(type) {
			case *ast.ForStmt, *ast.RangeStmt:
				return n, true
			case *ast.CallExpr:
				inner, ok := u.loopBelow(n, left-1)
				if inner != nil {
					return inner, true
				}
				known = known && ok
			}
		}
	}
	return nil, known
}

// neverUnlocked looks for a way out of a function on which a lock stays locked, first in the places, then in the
// functions that take the same mutex.
func neverUnlocked(q *inquiry) []answer {
	part := q.first().frame.Part
	if q.finding.Kind != "lock-never-released" && part != casefile.WaitsForLock && part != casefile.HoldsLock {
		return nil
	}
	p := q.first()
	bodies := []*ast.BlockStmt{}
	for _, place := range q.places {
		if place.unit == p.unit {
			bodies = append(bodies, place.body)
		}
	}
	for d := range p.functions() {
		bodies = append(bodies, d.Body)
	}
	for _, body := range bodies {
		if a := p.leftLocked(body); a != nil {
			return a
		}
	}
	return nil
}

// leftLocked is an answer if a return leaves a lock locked that other ways out of the function unlock.
func (p *place) leftLocked(body *ast.BlockStmt) []answer {
	var leaves *ast.ReturnStmt
	var by syntax.Lock
	unlocks := make(map[string]bool)
	p.walkHeld(body, func(n ast.Node, h syntax.Held) {
		if r, ok := n.(*ast.ReturnStmt); ok && leaves == nil {
			if l := h.Outermost(); l.At != nil && !l.Deferred {
				leaves, by = r, l
			}
		}
	})
	for _, call := range within[*ast.CallExpr](body, nil) {
		if name, does := p.mutexCall(call); does == "Unlock" || does == "RUnlock" {
			unlocks[name] = true
		}
	}
	if leaves == nil || !unlocks[by.Name] {
		return nil
	}
	return becomes(p.confirms(fmt.Sprintf("the return at %s leaves %s locked, which %s has taken", p.ref(leaves.Pos()),
		by.Name, p.ref(by.At.Pos())), by.At.Pos(), leaves.Pos()), change{name: "unlock-on-each-way", at: leaves,
		not: []string{heldForLess}, title: fmt.Sprintf("Give %s back before the return at %s", by.Name,
			p.ref(leaves.Pos())), text: fmt.Sprintf("It is taken at %s: a deferred Unlock behind that gives it back on "+
			"each way out.", p.ref(by.At.Pos()))})
}

// twoLocks looks for a lock that is taken while another of the same field is held, or the same one again.
func twoLocks(q *inquiry) (out []answer) {
	for _, p := range q.places {
		p.walkHeld(p.body, func(n ast.Node, h syntax.Held) {
			call, ok := n.(*ast.CallExpr)
			l := h.Outermost()
			if !ok || l.At == nil || out != nil {
				return
			}
			for _, inner := range p.locksIn(call) {
				first, then := p.mutexOf(l.At), p.mutexOf(inner.At)
				if first == nil || first != then {
					continue
				}
				also := ""
				if inner.At != call {
					also = fmt.Sprintf(" (%s at %s)", text(inner.At.Fun), p.ref(inner.At.Pos()))
				}
				if inner.Name == l.Name {
					out = becomes(p.confirms(fmt.Sprintf("%s at %s takes %s again%s, which %s has taken: it waits for "+
						"itself", text(call.Fun), p.ref(call.Pos()), l.Name, also, p.ref(l.At.Pos())), l.At.Pos(),
						call.Pos()),
						change{name: "lock-once", at: call, title: fmt.Sprintf("Do not take %s again at %s", l.Name,
							p.ref(call.Pos())), text: fmt.Sprintf("%s holds it from %s on: move what %s does into a "+
							"function that expects it held.", p.decl.Name.Name, p.ref(l.At.Pos()), text(call.Fun))})
				} else {
					out = becomes(p.confirms(fmt.Sprintf("%s at %s takes %s%s while %s is held, taken at %s: two "+
						"that do it the other way round wait for each other", text(call.Fun), p.ref(call.Pos()),
						inner.Name, also, l.Name, p.ref(l.At.Pos())), l.At.Pos(), call.Pos(), inner.At.Pos()),
						change{name: "lock-in-order", at: l.At, title: fmt.Sprintf("Take %s and %s in one order",
							l.Name, inner.Name), text: fmt.Sprintf("By a key that all have, before %s; or give %s back "+
							"before %s takes the other.", p.ref(l.At.Pos()), l.Name, text(call.Fun))})
				}
			}
		})
		if out != nil {
			return out
		}
	}
	return nil
}

// locksIn are the locks that a call takes, with their names as the caller would write them.
func (u *unit) locksIn(call *ast.CallExpr) (out []syntax.Lock) {
	if name, does := u.mutexCall(call); does == "Lock" || does == "RLock" {
		return []syntax.Lock{{Name: name, At: call}}
	}
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	for _, d := range u.bodies(call) {
		for _, inner := range within[*ast.CallExpr](d.Body, nil) {
			name, does := u.mutexCall(inner)
			if does != "Lock" && does != "RLock" {
				continue
			}
			if sel != nil && d.Recv != nil && len(d.Recv.List) == 1 && len(d.Recv.List[0].Names) == 1 {
				if rest, ok := strings.CutPrefix(name, d.Recv.List[0].Names[0].Name+"."); ok {
					name = text(sel.X) + "." + rest
				}
			}
			out = append(out, syntax.Lock{Name: name, At: inner})
		}
	}
	return out
}

// mutexOf is the field or variable of a mutex that a call locks; an embedded one is its type.
func (u *unit) mutexOf(call *ast.CallExpr) any {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if o := u.object(sel.X); o != nil && strings.HasSuffix(typeName(o.Type()), "Mutex") {
		return o
	}
	if t := u.typeOf(sel.X); t != nil {
		return typeName(t)
	}
	return nil
}
