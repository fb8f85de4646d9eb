package settle

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/number"
)

// A remedy that sets something says to what, and seldom where. What the program sets by itself overrides its
// environment, and the settings of a library are somewhere in its code: so who sets it, to what, and from where that
// comes, is asked of all packages that the program is built of, and the change belongs there.

// A setter is where a program sets something, or makes what has the setting and leaves that as it is.
type setter struct {
	*place
	at    ast.Node
	what  string   // as code has it: "debug.SetGCPercent", "MaxConnsPerHost"
	of    string   // the type that has it: "net/http.Transport"; "" of a function
	value ast.Expr // nil where it is left as it is
	env   bool     // a variable of the environment does the same
}

// function is the function by which a program sets what a variable of the environment does; "" for other settings.
func function(variable string) (path, name string) {
	of := map[string][2]string{"GOGC": {"runtime/debug", "SetGCPercent"},
		"GOMEMLIMIT": {"runtime/debug", "SetMemoryLimit"}, "GOMAXPROCS": {"runtime", "GOMAXPROCS"}}[variable]
	return of[0], of[1]
}

// setInCode answers for each remedy that sets what the program sets: it is to be changed there.
func setInCode(q *inquiry) (out []answer) {
	for i := range q.finding.Remedies {
		r := &q.finding.Remedies[i]
		var all []answer
		for _, set := range strings.Fields(r.Env + " " + r.Sets) {
			name, want, _ := strings.Cut(set, "=")
			low := slices.DeleteFunc(q.setters(name), func(s setter) bool { return s.enough(want) })
			if len(low) == 0 || len(low) > 1 && low[0].of != "" { // which of them is meant is not known
				continue
			}
			all = append(all, becomes(low[0].adds(low[0].said(), low[0].at.Pos()), low[0].change(want, *r))...)
		}
		if len(all) > 0 {
			for _, more := range all[1:] {
				all[0].change.title += "; " + more.change.title
			}
			all[0].instead = r
			out = append(out, all[0])
		}
	}
	return out
}

// setters are the places that set something; of a type's setting that nothing sets, those that make one of that type.
func (q *inquiry) setters(name string) (out []setter) {
	if name == casefile.SetsPlaces {
		return q.limits()
	}
	from, fn := function(name)
	dot := strings.LastIndexByte(name, '.')
	of, field := name[:max(dot, 0)], cmp.Or(fn, name[dot+1:])
	for _, u := range q.having(field) {
		for _, n := range everywhere[ast.Node](u, nil) {
			s := setter{at: n, what: field, env: fn != ""}
			switch n := n.(type) {
			case *ast.CallExpr:
				sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
				if !ok || sel.Sel.Name != field || len(n.Args) == 0 || fn != "" && !u.callee(n).is(from, fn) {
					continue
				}
				if s.value = n.Args[0]; fn != "" {
					s.what = text(sel)
				} else {
					s.of = u.library(sel.X)
				}
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok && text(kv.Key) == field {
						s.at, s.value, s.of = kv, kv.Value, u.library(n)
					}
				}
			case *ast.AssignStmt:
				if sel, ok := ast.Unparen(n.Lhs[0]).(*ast.SelectorExpr); ok && sel.Sel.Name == field {
					s.value, s.of = n.Rhs[0], u.library(sel.X)
				}
			}
			_, call := s.at.(*ast.CallExpr)
			if s.value == nil || fn != "" && !call || fn == "" && (s.of == "" || of != "" && s.of != of) {
				continue
			}
			if s.place = u.around(n); fn == "" || s.inForce(name) {
				out = append(out, s)
			}
		}
	}
	if len(out) > 0 || of == "" {
		return out
	}
	for _, u := range q.having(of[strings.LastIndexByte(of, '.')+1:]) {
		for _, e := range everywhere(u, func(e ast.Expr) bool { return u.makes(e) && u.library(e) == of }) {
			out = append(out, setter{place: u.around(e), at: e, what: field, of: of})
		}
	}
	return out
}

// limits are where what a place waits for has its number, or its rate: the room of a channel, what a semaphore or a
// limiter is made with.
func (q *inquiry) limits() (out []setter) {
	for _, p := range q.places {
		for _, n := range p.waitsHere() {
			switch n := n.(type) {
			case *ast.SendStmt:
				if ch := p.channelOf(n.Chan); ch != nil && ch.room != 0 && ch.room != -1 {
					made := ch.made.(*ast.CallExpr)
					return []setter{{place: p, at: made, what: ch.name, value: made.Args[1]}}
				}
			case *ast.CallExpr:
				sel, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
				if !ok || p.object(sel.X) == nil {
					continue
				}
				for _, v := range p.valuesOf(p.object(sel.X)) {
					made, ok := ast.Unparen(v).(*ast.CallExpr)
					if ok && len(made.Args) > 0 && p.makes(made) && p.library(made) != "" {
						return []setter{{place: p, at: made, what: text(made.Fun), value: made.Args[0]}}
					}
				}
			}
		}
	}
	return nil
}

// makes reports whether an expression makes something of its own: a literal, or a call of another package.
func (u *unit) makes(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if ok {
		c := u.callee(call)
		return c.fn != nil && c.fn.Pkg() != u.pkg
	}
	_, ok = e.(*ast.CompositeLit)
	return ok
}

// around is the function of a node as a place.
func (u *unit) around(n ast.Node) *place {
	if d := u.declared(n); d != nil {
		return u.whole(d)
	}
	return &place{unit: u}
}

// library is the type of another package that an expression is of, or points to: "net/http.Transport"; "" of others.
// Of a call it is that of the first result.
func (u *unit) library(e ast.Expr) string {
	t := u.typeOf(e)
	if tuple, ok := t.(*types.Tuple); ok && tuple.Len() > 0 {
		t = tuple.At(0).Type()
	}
	n, ok := syntax.Deref(t).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || n.Obj().Pkg() == u.pkg {
		return ""
	}
	return n.Obj().Pkg().Path() + "." + n.Obj().Name()
}

// inForce reports whether a call sets what a variable of the environment does for good: one that asks only, is taken
// back in its function, leaves it to the variable if that is there, or is in a function that nothing calls, does not.
func (s setter) inForce(variable string) bool {
	n, known := s.number()
	if s.decl == nil || known && (n < 0 || n == 0 && variable != "GOGC") {
		return false
	}
	own := s.callee(s.at.(*ast.CallExpr))
	sets := func(e ast.Expr) bool {
		return len(find(e, func(c *ast.CallExpr) bool { return s.callee(c) == own })) > 0
	}
	for _, c := range find[*ast.CallExpr](s.decl.Body, nil) {
		if s.callee(c).is("os", "Getenv", "LookupEnv") && s.constantText(c.Args[0]) == variable || s.callee(c) == own &&
			(sets(c.Args[0]) || slices.ContainsFunc(s.valuesOf(s.object(c.Args[0])), sets)) {
			return false
		}
	}
	name := s.decl.Name
	return s.decl.Recv != nil || name.IsExported() || name.Name == "main" || name.Name == "init" ||
		len(s.callsOf(s.decl)) > 0 || s.usedAsValue(s.decl)
}

// number is the value where it is a constant.
func (s setter) number() (n float64, ok bool) {
	if v := s.info.Types[s.value].Value; s.value != nil && v != nil {
		n, _ = constant.Float64Val(constant.ToFloat(v))
		return n, true
	}
	return 0, false
}

// enough reports whether what is set is what a remedy wants, or more.
func (s setter) enough(want string) bool {
	n, ok := s.number()
	digits, mebi := strings.CutSuffix(want, "MiB")
	to, err := strconv.ParseFloat(digits, 64)
	if mebi {
		to *= 1 << 20
	}
	return ok && err == nil && (n == to || n > to && s.what != "runtime.GOMAXPROCS")
}

// now is what is set.
func (s setter) now() string {
	n, ok := s.number()
	switch {
	case !ok:
		return code(s.value)
	case n >= 1<<20:
		return number.Bytes(n)
	}
	return number.Digits(n)
}

// said is who sets it, to what, and where that comes from.
func (s setter) said() string {
	at := s.ref(s.at.Pos())
	if s.value == nil {
		return fmt.Sprintf("%s is not set where %s is made at %s", s.what, s.of, at)
	}
	said := fmt.Sprintf("%s is given %s at %s", s.what, s.now(), at)
	if s.env {
		said = fmt.Sprintf("%s at %s sets %s, whatever the environment says", s.what, at, s.now())
	}
	if from := s.origin(s.value, depth); from != "" {
		said += ": " + from
	}
	return said
}

// origin says where a value that is no constant comes from: a flag, the environment; "" where that is not seen.
func (s setter) origin(e ast.Expr, left int) string {
	for _, n := range find[ast.Node](e, nil) {
		switch n := n.(type) {
		case *ast.CallExpr:
			c := s.callee(n)
			i := slices.IndexFunc(n.Args, func(e ast.Expr) bool { return s.constantText(e) != "" })
			switch {
			case i < 0:
			case c.is("os", "Getenv", "LookupEnv"):
				return s.constantText(n.Args[i]) + " of the environment"
			case strings.HasSuffix(c.path, "flag") && i+1 < len(n.Args):
				return fmt.Sprintf("the flag %s, %s unless it is given", s.constantText(n.Args[i]), code(n.Args[i+1]))
			}
		case *ast.Ident:
			for _, v := range s.valuesOf(s.object(n)) {
				if left > 0 {
					return s.origin(v, left-1)
				}
			}
		}
	}
	return ""
}

// constantText is a constant string; "" of other expressions.
func (u *unit) constantText(e ast.Expr) string {
	if v := u.info.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

// change is the remedy, made where the program sets it.
func (s setter) change(want string, r casefile.Remedy) change {
	at, to := s.ref(s.at.Pos()), cmp.Or(want, "more")
	c := change{name: "set-in-code", price: r.Price, text: "In the program " + s.said() + ". " + r.Text}
	if s.env { // no line of the finding's is the place
		c.at = s.at
	}
	switch {
	case s.what == "runtime.GOMAXPROCS":
		c.title = fmt.Sprintf("Take %s at %s away, or give it %s", code(s.at.(ast.Expr)), at, to)
	case s.value != nil && want == "":
		c.title = fmt.Sprintf("Raise %s (%s at %s)", s.what, s.now(), at)
	case s.env:
		c.title = fmt.Sprintf("Give %s %s in place of %s, at %s", s.what, to, s.now(), at)
	case s.value == nil:
		c.title = fmt.Sprintf("Set %s to %s in the %s at %s", s.what, to, path.Base(s.of), at)
	default:
		c.title = fmt.Sprintf("Set %s to %s in place of %s, at %s", s.what, to, s.now(), at)
	}
	return c
}
