package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
)

// enoughOfAll answers for a function that waits for all of what it has begun, and asks then whether some of it went
// well: it knows enough before the last one has ended.
func enoughOfAll(q *inquiry) []answer {
	for _, p := range q.places {
		join := p.joinsAll()
		for _, s := range find(p.decl.Body, func(s *ast.IncDecStmt) bool {
			return join != nil && s.Tok == token.INC && syntax.WentWell(p.info, s, p.outward(s)[1:])
		}) {
			than, at := syntax.ComparedWith(p.info, p.decl.Body, p.object(s.X))
			if than == nil {
				continue
			}
			enough := code(than)
			return becomes(p.confirms(fmt.Sprintf("%s waits for all that were begun, and what went well of them (%s at %s) is "+
				"compared with %s at %s: fewer are enough", p.ref(join.Pos()), text(s.X), p.ref(s.Pos()), enough, p.ref(at)),
				join.Pos(), s.Pos(), at), change{name: "enough-of-all", not: []string{doItLess}, title: fmt.Sprintf("Return "+
				"when %s of them went well, and let the others go on", enough), text: fmt.Sprintf("In place of the wait at %s: "+
				"each hands what came of it over by a channel with room for all of them, %s counts as they come, and returns when "+
				"it has %s, or when too many have failed. The others need a context that does not end with the request "+
				"(context.WithoutCancel), and a deadline of their own.", p.ref(join.Pos()), p.decl.Name.Name, enough),
				price: "what the last ones say is not seen"})
		}
	}
	return nil
}

// joinsAll is what waits on the place's line for all that its function has begun: Wait of a group, or a loop that
// receives and does not leave before its last turn; nil without.
func (p *place) joinsAll() ast.Node {
	for _, n := range p.waitsHere() {
		if call, ok := n.(*ast.CallExpr); ok {
			if c := p.callee(call); c.method("sync", "WaitGroup", "Wait") || strings.HasSuffix(c.path, "errgroup") && c.name == "Wait" {
				return call
			}
		} else if ls := p.loopsAround(n); len(ls) > 0 && !p.inSelect(n) && !leavesLoop(ls[0]) {
			if r, ok := ls[0].stmt.(*ast.RangeStmt); ok && r.Pos() < n.Pos() {
				return r
			}
		}
	}
	return nil
}
