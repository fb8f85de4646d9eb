package settle

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
)

// once is the change for a value that is made for each call and is given nothing that changes.
func (p *place) once(call *ast.CallExpr) change {
	what, in := text(call.Fun), p.files[0].Name.Name
	c := change{name: "once", not: []string{keepEach}, title: fmt.Sprintf("Make %s once, in a variable of package %s",
		what, in), text: fmt.Sprintf("Each call of %s makes it anew at %s, of nothing that changes. At package "+
		"level: %s.", p.decl.Name.Name, p.ref(call.Pos()), p.asVariable(call))}
	if owner := p.fieldsOf(call); owner != "" {
		c.title = fmt.Sprintf("Make %s once, in a field of %s", what, owner)
		c.text = fmt.Sprintf("Each call of %s makes it anew at %s, of what is set when a %s is made: make it there, "+
			"and use it here.", p.decl.Name.Name, p.ref(call.Pos()), owner)
	}
	c.price = "several goroutines use it at once: see whether " + p.madeType(call) + " allows it"
	return c
}

// asVariable is the declaration of a variable that has what a call makes.
func (p *place) asVariable(call *ast.CallExpr) string {
	if tuple, ok := p.typeOf(call).(*types.Tuple); !ok || tuple.Len() < 2 {
		return "var made = " + code(call)
	}
	if must := p.mustOf(call); must != "" {
		return fmt.Sprintf("var made = %s(%s)", must, codes(call.Args))
	}
	return "var made = sync.OnceValues(func() (…) { return " + code(call) + " })"
}

func codes(list []ast.Expr) string {
	var out []string
	for _, e := range list {
		out = append(out, code(e))
	}
	return strings.Join(out, ", ")
}

// mustOf is the function of the same package that makes the same, and panics where that returns an error.
func (u *unit) mustOf(call *ast.CallExpr) string {
	c := u.callee(call)
	if c.fn == nil || c.fn.Pkg() == nil || c.recv != "" {
		return ""
	}
	if _, ok := c.fn.Pkg().Scope().Lookup("Must" + c.name).(*types.Func); !ok {
		return ""
	}
	return c.fn.Pkg().Name() + ".Must" + c.name
}

// madeType is the type of what a call makes.
func (u *unit) madeType(call *ast.CallExpr) string {
	t := u.made1(call)
	if t == nil {
		return "its type"
	}
	return types.TypeString(t, (*types.Package).Name)
}

// made1 is the type of a call's first result; nil where types do not say.
func (u *unit) made1(call *ast.CallExpr) types.Type {
	t := u.typeOf(call)
	if tuple, ok := t.(*types.Tuple); ok {
		if tuple.Len() == 0 {
			return nil
		}
		t = tuple.At(0).Type()
	}
	return t
}

// fieldsOf is the type of the receiver whose fields a call's arguments name, if nothing changes them once it is made.
func (p *place) fieldsOf(call *ast.CallExpr) string {
	owner := ""
	for _, e := range call.Args {
		for _, sel := range find[*ast.SelectorExpr](e, nil) {
			v, ok := p.object(sel).(*types.Var)
			if !ok || !v.IsField() || !p.isReceiver(sel.X) {
				continue
			}
			owner = typeName(p.typeOf(sel.X))
		}
	}
	return owner
}

// isReceiver reports whether an expression is the receiver of the place's function.
func (p *place) isReceiver(e ast.Expr) bool {
	if p.decl.Recv == nil || len(p.decl.Recv.List[0].Names) == 0 {
		return false
	}
	o := p.object(e)
	return o != nil && o == p.info.Defs[p.decl.Recv.List[0].Names[0]]
}

// setOnce reports whether what a call is given are constants, and fields of the receiver that nothing in the package
// assigns.
func (p *place) setOnce(call *ast.CallExpr) bool {
	for _, e := range call.Args {
		for _, id := range within[*ast.Ident](e, nil) {
			o, ok := p.info.ObjectOf(id).(*types.Var)
			if !ok {
				continue
			}
			if o.IsField() && p.changed(syntax.Origin(o)) || !o.IsField() && p.local(o) && !p.isReceiver(id) {
				return false
			}
		}
	}
	return p.fieldsOf(call) != ""
}

// forEach is the change for a value that is made of what the function is given: before the loop of a caller that gives
// the same each time, or kept by it. ok is false where it cannot be told apart.
func (p *place) forEach(call *ast.CallExpr) change {
	params := p.paramsIn(call)
	if len(params) == 0 {
		return change{}
	}
	what := text(call.Fun)
	if l, by, ok := p.sameInCaller(params); ok {
		return change{name: "hoist", at: l.stmt, not: []string{keepEach, buildItOnce},
			title: fmt.Sprintf("Make %s before the loop at %s of %s, and hand it over", what, p.ref(l.stmt.Pos()),
				p.declared(by).Name.Name), text: fmt.Sprintf("%s calls %s at %s with the same %s in each turn of its "+
				"loop, and %s makes it anew at %s.", p.declared(by).Name.Name, p.decl.Name.Name, p.ref(by.Pos()),
				among(names2(params)), p.decl.Name.Name, p.ref(call.Pos()))}
	}
	if len(params) > 1 || !types.Comparable(params[0].Type()) || p.fn != p.decl {
		return change{}
	}
	name := params[0].Name()
	return change{name: "keep-by", not: []string{buildItOnce}, title: fmt.Sprintf("Keep what %s makes by %s", what,
		name), text: fmt.Sprintf("At %s it depends on %s alone: look it up in a sync.Map from %s to %s first, with a "+
		"bound if %s comes from requests.", p.ref(call.Pos()), name, types.TypeString(params[0].Type(),
		(*types.Package).Name), p.madeType(call), name), price: "memory for each " + name}
}

func names2(vars []*types.Var) (out []string) {
	for _, v := range vars {
		out = append(out, v.Name())
	}
	return out
}

// paramsIn are the parameters of the place's function that a call's arguments name; nil if they name another local
// variable, too.
func (p *place) paramsIn(call *ast.CallExpr) (out []*types.Var) {
	params := p.params()
	for _, e := range call.Args {
		for _, id := range within[*ast.Ident](e, nil) {
			o, ok := p.info.ObjectOf(id).(*types.Var)
			switch {
			case !ok || o.IsField() || !p.local(o):
			case slices.Contains(params, types.Object(o)):
				if !slices.Contains(out, o) {
					out = append(out, o)
				}
			default:
				return nil
			}
		}
	}
	return out
}

// sameInCaller is the loop of a caller that gives some parameters the same in each turn, and its call.
func (p *place) sameInCaller(params []*types.Var) (l loop, by *ast.CallExpr, ok bool) {
	all := p.params()
	for _, call := range p.callsOf(p.decl) {
		ls := slices.DeleteFunc(p.loopsAround(call), func(l loop) bool { return !l.repeats(call) })
		if len(ls) == 0 || p.declared(call) == nil {
			continue
		}
		same := !slices.ContainsFunc(params, func(v *types.Var) bool {
			i := slices.Index(all, types.Object(v))
			return i >= len(call.Args) || !p.invariant(ls[0], call.Args[i]) || !p.known(call.Args[i])
		})
		if same {
			return ls[0], call, true
		}
	}
	return l, nil, false
}

// known reports whether an expression is made of constants and variables, so that nothing in it is asked anew.
func (p *place) known(e ast.Expr) bool {
	return len(find(e, func(c *ast.CallExpr) bool { return !p.info.Types[c.Fun].IsType() })) == 0
}

// pooled is the change for a value with a buffer of its own that is made for each call.
func (p *place) pooled(call *ast.CallExpr) change {
	t := p.made1(call)
	if t == nil {
		return change{}
	}
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, "Reset")
	reset, is := o.(*types.Func)
	if !is || !reset.Exported() {
		return change{}
	}
	args := make([]string, reset.Signature().Params().Len())
	for i := range args {
		args[i] = "…"
		if i < len(call.Args) && types.AssignableTo(p.info.TypeOf(call.Args[i]),
			reset.Signature().Params().At(i).Type()) {
			args[i] = code(call.Args[i])
		}
	}
	name := types.TypeString(t, (*types.Package).Name)
	return change{name: "pool", title: fmt.Sprintf("Keep each %s in a sync.Pool, and Reset it", name),
		text: fmt.Sprintf("At %s: x := pool.Get().(%s); x.Reset(%s), in place of %s, and pool.Put(x) where %s ends "+
			"with it.", p.ref(call.Pos()), name, strings.Join(args, ", "), text(call.Fun), p.decl.Name.Name),
		price: "nobody may use it after Put"}
}

// storedAway reports whether what a call makes goes to what outlives its function, through Must or a literal.
func (p *place) storedAway(call *ast.CallExpr) bool {
	for _, up := range p.outward(call)[1:] {
		switch up := up.(type) {
		case *ast.CallExpr, *ast.ParenExpr, *ast.KeyValueExpr, *ast.CompositeLit, *ast.UnaryExpr:
		case *ast.AssignStmt:
			return slices.ContainsFunc(up.Lhs, func(e ast.Expr) bool {
				if index, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
					e = index.X
				}
				o := p.object(e)
				return o != nil && !p.local(o)
			})
		default:
			return false
		}
	}
	return false
}
