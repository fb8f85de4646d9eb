package settle

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/diagnose/known"
	"github.com/gocasebook/casebook/diagnose/stacks"
)

// full is a function's name as profiles have it.
func (c callee) full() string {
	if c.recv != "" {
		return fmt.Sprintf("%s.(*%s).%s", c.path, c.recv, c.name)
	}
	return c.path + "." + c.name
}

// makes reports whether a function makes what is meant to be kept.
func (c callee) makes() bool {
	return known.Of(c.full()).Does(known.CompilesPattern, known.ParsesTemplate, known.MakesStream, known.CompilesType) ||
		c.is("strings", "NewReplacer") || c.is("time", "LoadLocation")
}

// madePerCall looks for the call that makes the value, and for what it depends on.
func madePerCall(q *inquiry) (out []answer) {
	for _, p := range q.places {
		if _, _, elsewhere := stacks.ModuleOf(p.frame.File); elsewhere {
			continue // what a dependency makes anew, only its authors can keep
		}
		calls := onLine[*ast.CallExpr](p)
		if made := slices.DeleteFunc(slices.Clone(calls),
			func(c *ast.CallExpr) bool { return !p.callee(c).makes() }); len(made) > 0 {
			calls = slices.DeleteFunc(made[1:], func(c *ast.CallExpr) bool { return inside(made[0], c) })
			calls = append([]*ast.CallExpr{made[0]}, calls...)
		} else if made := within(p.body, func(c *ast.CallExpr) bool { return p.callee(c).makes() }); len(made) > 0 &&
			q.finding.Kind != "alloc-loop-invariant" {
			calls = made
		} else if q.finding.Kind != "alloc-loop-invariant" {
			continue
		} else {
			calls = slices.DeleteFunc(slices.Clone(calls),
				func(c *ast.CallExpr) bool { return !named(p.callee(c).name) })
		}
		for _, call := range calls {
			if a := p.made(q.finding.Kind, call); a != nil && len(out) < 2 {
				out = append(out, a...)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return out
}

// named reports whether a function's name says that it makes something.
func named(name string) bool {
	return name == "New" || strings.HasPrefix(name, "New") || strings.HasPrefix(name, "Must")
}

// made says what is known of a call that makes a value.
func (p *place) made(kind string, call *ast.CallExpr) []answer {
	what := text(call.Fun)
	if once := p.runsOnce(call); once != "" {
		return p.contradicts(fmt.Sprintf("%s at %s is in %s, which runs once", what, p.ref(call.Pos()), once),
			call.Pos())
	}
	if ls := p.loopsAround(call); len(ls) > 0 && p.invariant(ls[0], call) && p.sameEachTime(call) {
		return becomes(p.confirms(fmt.Sprintf("%s at %s is in the loop at %s, and nothing that it is given changes "+
			"there", what,
			p.ref(call.Pos()), p.ref(ls[0].stmt.Pos())), call.Pos(), ls[0].stmt.Pos()), change{name: "hoist",
			at:  ls[0].stmt,
			not: []string{keepEach}, title: fmt.Sprintf("Make %s before the loop at %s", what, p.ref(ls[0].stmt.Pos())),
			text: fmt.Sprintf("%s at %s is given the same in each turn.", code(call), p.ref(call.Pos()))})
	}
	if kind == "alloc-buffer-per-call" || kind == "reflect-per-call" {
		if p.kept(call) {
			return p.adds(fmt.Sprintf("%s at %s goes into a pool, or is reset there", what, p.ref(call.Pos())),
				call.Pos())
		}
		return becomes(p.confirms(fmt.Sprintf("%s at %s makes one for each call of %s, and nothing resets or keeps it",
			what, p.ref(call.Pos()), p.decl.Name.Name), call.Pos()), p.pooled(call))
	}
	on := p.dependsOn(call)
	if p.callee(call).name == "Clone" {
		return p.confirms(fmt.Sprintf("%s at %s copies it for each call of %s: what was parsed and escaped is done "+
			"anew", what, p.ref(call.Pos()), p.decl.Name.Name), call.Pos())
	}
	same := p.sameEachTime(call)
	switch {
	case on == "" && !same:
		return nil
	case on != "" && same && p.setOnce(call): // one for each of its owners
		return becomes(p.adds(fmt.Sprintf("%s at %s is given what is set when a %s is made", what, p.ref(call.Pos()),
			p.fieldsOf(call)), call.Pos()), p.once(call))
	case on == "":
		return becomes(p.confirms(fmt.Sprintf("%s at %s is given nothing that changes from call to call", what,
			p.ref(call.Pos())), call.Pos()), p.once(call))
	}
	if p.storedAway(call) {
		return nil
	}
	return becomes(p.adds(fmt.Sprintf("%s at %s depends on %s: it can be kept by that, and not in one variable", what,
		p.ref(call.Pos()), on), call.Pos()), p.forEach(call))
}

// dependsOn is the first local variable that a call mentions, with what it calls its method of; "" for none.
func (p *place) dependsOn(call *ast.CallExpr) string {
	for _, e := range call.Args {
		for _, id := range within[*ast.Ident](e, nil) {
			if o := p.info.ObjectOf(id); o != nil && p.local(o) {
				return p.variable(o)
			}
		}
	}
	return ""
}

// fixed are packages whose functions return the same for the same arguments.
var fixed = strings.Fields("bytes errors fmt html math net/url path path/filepath regexp strconv strings unicode " +
	"unicode/utf8")

// sameEachTime reports whether what a call is given is the same each time, as far as its local variables are: nothing
// in it asks for the time, a random number or a variable's present value. What a function of the program's own returns
// is not known, nor what a method returns of a value that may have changed.
func (p *place) sameEachTime(call *ast.CallExpr) bool {
	for _, e := range call.Args {
		asks := within(e, func(c *ast.CallExpr) bool {
			got := p.callee(c)
			return !p.info.Types[c.Fun].IsType() && p.builtin(c) == "" && !got.makes() &&
				!(got.recv == "" && (named(got.name) || slices.Contains(fixed, got.path)))
		})
		changes := within(e, func(id *ast.Ident) bool {
			v, ok := p.info.ObjectOf(id).(*types.Var)
			return ok && !v.IsField() && !p.local(v) && p.assigned(v)
		})
		if len(asks)+len(changes) > 0 {
			return false
		}
	}
	return true
}

// assigned reports whether a function other than init changes a variable of the package, or takes its address.
func (p *place) assigned(v *types.Var) bool {
	of := func(e ast.Expr) bool { return p.object(e) == v }
	changes := everywhere(p.unit, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			return slices.ContainsFunc(n.Lhs, of) && !p.inInit(n)
		case *ast.IncDecStmt:
			return of(n.X)
		case *ast.UnaryExpr:
			return n.Op == token.AND && of(n.X)
		}
		return false
	})
	return len(changes) > 0
}

// inInit reports whether a node is in an init function, or in main, outside of function literals.
func (p *place) inInit(n ast.Node) bool {
	d, ok := p.function(n).(*ast.FuncDecl)
	return ok && d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "main")
}

// variable is a variable in words.
func (p *place) variable(o types.Object) string {
	if p.decl.Type.Pos() <= o.Pos() && o.Pos() < p.decl.Body.Pos() {
		return o.Name() + ", a parameter of " + p.decl.Name.Name
	}
	if p.decl.Recv != nil && p.decl.Recv.Pos() <= o.Pos() && o.Pos() < p.decl.Recv.End() {
		return o.Name() + ", whose method this is"
	}
	return o.Name()
}

// invariant reports whether nothing that a node mentions is changed in a loop.
func (p *place) invariant(l loop, n ast.Node) bool {
	for _, id := range find[*ast.Ident](n, nil) {
		o := p.info.ObjectOf(id)
		if v, ok := o.(*types.Var); !ok || v.IsField() {
			continue
		}
		if l.stmt.Pos() <= o.Pos() && o.Pos() < l.stmt.End() {
			return false
		}
		changed := find(l.stmt, func(s ast.Node) bool {
			switch s := s.(type) {
			case *ast.AssignStmt:
				return slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return p.object(e) == o })
			case *ast.IncDecStmt:
				return p.object(s.X) == o
			case *ast.UnaryExpr:
				return s.Op.String() == "&" && p.object(s.X) == o
			}
			return false
		})
		if len(changed) > 0 {
			return false
		}
	}
	return true
}

// runsOnce is what makes a node run once: "init", "main", "sync.Once", or "". What main starts may run again.
func (p *place) runsOnce(n ast.Node) string {
	for i, up := range p.outward(n) {
		switch up := up.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return ""
		case *ast.FuncLit:
			next := p.outward(n)[i+1]
			call, ok := next.(*ast.CallExpr)
			if !ok {
				return ""
			}
			if c := p.callee(call); c.method("sync", "Once", "Do") || c.is("sync", "OnceFunc", "OnceValue",
				"OnceValues") {
				return "sync." + c.recv + c.name
			}
			if ast.Unparen(call.Fun) != up {
				return "" // a callback
			}
		case *ast.FuncDecl:
			if up.Recv == nil && (up.Name.Name == "main" || up.Name.Name == "init") {
				return up.Name.Name
			}
			return ""
		}
	}
	return ""
}

// kept reports whether what a call makes is reset, or goes to a pool or out of the function.
func (p *place) kept(call *ast.CallExpr) bool {
	for i, up := range p.outward(call) {
		if kv, ok := up.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok && id.Name == "New" && i > 0 {
				return true // sync.Pool{New: func() any { … }}
			}
		}
	}
	obj := p.assignedTo(call)
	if obj != nil && !p.local(obj) {
		return true
	}
	return len(within(p.body, func(c *ast.CallExpr) bool {
		got := p.callee(c)
		sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		return got.method("sync", "Pool", "Put") || ok && got.name == "Reset" && obj != nil && p.object(sel.X) == obj
	})) > 0
}

// madeOfTheSame answers if a map that a function fills from one of its parameters alone is made for each turn of a
// caller's loop, which hands the same over each time.
func madeOfTheSame(q *inquiry) []answer {
	p := q.first()
	param := p.filledFrom()
	if param < 0 {
		return nil
	}
	for _, call := range p.callsOf(p.decl) {
		ls := p.loopsAround(call)
		if len(ls) == 0 || param >= len(call.Args) || !p.sameIn(ls[0], call.Args[param]) {
			continue
		}
		made, what := "the map", text(call.Args[param])
		if s := onLine[*ast.AssignStmt](p); len(s) > 0 {
			made = text(s[0].Lhs[0])
		}
		at, by := p.ref(ls[0].stmt.Pos()), p.declared(call)
		return becomes(p.confirms(fmt.Sprintf("the loop at %s calls %s (%s) with the same %s in each turn, and the "+
			"map at :%d holds nothing else", at, p.decl.Name.Name, p.ref(call.Pos()), what, p.frame.Line),
			ls[0].stmt.Pos(), call.Pos()), change{name: "hoist", at: ls[0].stmt, title: fmt.Sprintf("Make %s before "+
			"the loop at %s of %s, and hand it over", made, at, by.Name.Name), text: fmt.Sprintf("%s is made of %s "+
			"alone, which is the same for all: make it once in %s, and give %s the map in place of %s.", made, what,
			by.Name.Name, p.decl.Name.Name, what)})
	}
	return nil
}

// filledFrom is the number of the parameter that a map which is made at the place's line has its entries from, all of
// them; -1 without one.
func (p *place) filledFrom() int {
	if p.fn != p.decl {
		return -1
	}
	var made types.Object
	for _, s := range onLine[*ast.AssignStmt](p) {
		if s.Tok == token.DEFINE && len(s.Lhs) == 1 {
			made = p.object(s.Lhs[0])
		}
	}
	from := -1
	for _, s := range within[*ast.AssignStmt](p.body, nil) {
		x, ok := s.Lhs[0].(*ast.IndexExpr)
		if !ok || made == nil || p.object(x.X) != made {
			continue
		}
		ls := p.loopsAround(s)
		if len(ls) == 0 || ls[0].over == nil {
			return -1
		}
		over := p.object(ls[0].over)
		i := slices.IndexFunc(p.params(), func(o types.Object) bool { return o != nil && o == over })
		if i < 0 || from >= 0 && i != from || !p.onlyOf(ls[0], x.Index) || !p.onlyOf(ls[0], s.Rhs[0]) {
			return -1
		}
		from = i
	}
	return from
}

// params are the parameters of the place's function.
func (p *place) params() (out []types.Object) {
	for _, f := range p.decl.Type.Params.List {
		for _, name := range f.Names {
			out = append(out, p.info.Defs[name])
		}
	}
	return out
}

// onlyOf reports whether an expression names no variable of the function's but those of a range statement.
func (p *place) onlyOf(l loop, e ast.Expr) bool {
	r, ok := l.stmt.(*ast.RangeStmt)
	return ok && len(find(e, func(id *ast.Ident) bool {
		o, is := p.info.ObjectOf(id).(*types.Var)
		return is && !o.IsField() && p.local(o) && o != p.object(r.Key) && o != p.object(r.Value)
	})) == 0
}

// sameIn reports whether an expression is a variable that is made outside of a loop and not assigned in it.
func (p *place) sameIn(l loop, e ast.Expr) bool {
	o := p.object(e)
	if o == nil || l.stmt.Pos() <= o.Pos() && o.Pos() < l.stmt.End() {
		return false
	}
	return len(find(l.body, func(s *ast.AssignStmt) bool {
		return slices.ContainsFunc(s.Lhs, func(lhs ast.Expr) bool { return p.object(lhs) == o })
	})) == 0
}
