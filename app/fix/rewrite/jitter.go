package rewrite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// A lifetimeCall is a method of a cache that is given how long an entry stays.
type lifetimeCall struct {
	path  string // of the package, or its beginning: major versions differ
	names []string
	arg   int // the lifetime
}

// lifetimeCalls are of caches whose lifetimes are exact. SETNX is not among them: it is a lock as a rule, and a lock
// that ends early is held twice.
func lifetimeCalls() []lifetimeCall {
	return []lifetimeCall{
		{"github.com/patrickmn/go-cache", []string{"Set", "Add", "Replace"}, 2},
		{"github.com/bluele/gcache", []string{"SetWithExpire"}, 2},
		{"github.com/dgraph-io/ristretto", []string{"SetWithTTL"}, 3},
		{"github.com/karlseguin/ccache", []string{"Set"}, 2},
		{"github.com/jellydator/ttlcache", []string{"Set"}, 2},
		{"github.com/redis/go-redis", []string{"Set", "SetEx"}, 3},
	}
}

// jitter shortens lifetimes by a random part of up to a tenth: what was put into a cache together does not end
// together. 0 and below mean no lifetime, or a default one, to all of these caches, and stay what they are.
func jitter(u *Unit) (out changes) {
	var home ast.Node // whose file gets the helper, which all changes of the package share
	for cur, call := range each[*ast.CallExpr](u) {
		ttl := u.lifetimeOf(call)
		if ttl == nil {
			ttl = u.lifetimeKept(cur, call)
		}
		if ttl == nil || u.noLifetime(ttl) {
			continue
		}
		if why := u.spread(cur, call, ttl); why != "" {
			out.add(u.refuse(call, why))
			continue
		}
		if home == nil {
			home = call
		}
		out = append(out, u.jittered(cur, call, ttl, home))
	}
	return out
}

// lifetimeOf is the argument of a cache's method that is a lifetime, or nil.
func (u *Unit) lifetimeOf(call *ast.CallExpr) ast.Expr {
	fn := u.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Recv() == nil {
		return nil
	}
	for _, c := range lifetimeCalls() {
		rest, ok := strings.CutPrefix(fn.Pkg().Path(), c.path)
		if ok && (rest == "" || rest[0] == '/') && slices.Contains(c.names, fn.Name()) && c.arg < len(call.Args) &&
			isNamed(u.Info.TypeOf(call.Args[c.arg]), "time", "Duration") {
			return call.Args[c.arg]
		}
	}
	return nil
}

// lifetimeKept is ttl of time.Now().Add(ttl), or of now.Add(ttl), where that becomes the end of what a map of the
// package keeps.
func (u *Unit) lifetimeKept(cur inspector.Cursor, call *ast.CallExpr) ast.Expr {
	if !isMethod(u.Callee(call), "time", "Time", "Add") || len(call.Args) != 1 {
		return nil
	}
	if _, minus := ast.Unparen(call.Args[0]).(*ast.UnaryExpr); minus {
		return nil // a time before now
	}
	owner, field := u.fieldSet(cur)
	if owner == nil || !u.keptInMap(owner) || !slices.ContainsFunc(endWords(), func(w string) bool {
		return strings.Contains(strings.ToLower(field), w)
	}) {
		return nil
	}
	return call.Args[0]
}

// endWords are parts of the names that people give to the end of an entry. A deadline is none: it is how long somebody
// waits.
func endWords() []string { return []string{"expir", "until", "stale", "ttl", "valid", "evict", "ends"} }

// fieldSet is the struct and the name of the field that an expression's value goes to.
func (u *Unit) fieldSet(cur inspector.Cursor) (owner types.Type, field string) {
	switch p := cur.Parent().Node().(type) {
	case *ast.KeyValueExpr:
		lit, ok := cur.Parent().Parent().Node().(*ast.CompositeLit)
		if key, isName := p.Key.(*ast.Ident); ok && isName && cur.ParentEdgeKind() == edge.KeyValueExpr_Value {
			return u.Info.TypeOf(lit), key.Name
		}
	case *ast.CompositeLit:
		t := u.Info.TypeOf(p)
		if ptr, ok := t.Underlying().(*types.Pointer); ok { // elided in a map of pointers
			t = ptr.Elem()
		}
		if s, ok := t.Underlying().(*types.Struct); ok && cur.ParentEdgeKind() == edge.CompositeLit_Elts {
			return t, s.Field(cur.ParentEdgeIndex()).Name()
		}
	case *ast.AssignStmt:
		if len(p.Lhs) == len(p.Rhs) && cur.ParentEdgeKind() == edge.AssignStmt_Rhs && p.Tok == token.ASSIGN {
			if sel, ok := p.Lhs[cur.ParentEdgeIndex()].(*ast.SelectorExpr); ok {
				return u.Info.TypeOf(sel.X), sel.Sel.Name
			}
		}
	}
	return nil, ""
}

// keptInMap reports whether a field or variable of the package is a map of a struct type, or of pointers to it.
func (u *Unit) keptInMap(t types.Type) bool {
	of, ok := types.Unalias(syntax.Deref(t)).(*types.Named)
	if !ok || of.Obj().Pkg() != u.Pkg {
		return false
	}
	for _, m := range each[*ast.MapType](u) {
		if n, ok := types.Unalias(syntax.Deref(u.Info.TypeOf(m.Value))).(*types.Named); ok && n.Obj() == of.Obj() {
			return true
		}
	}
	return false
}

// noLifetime reports whether a lifetime is a constant that means none, or the cache's default.
func (u *Unit) noLifetime(ttl ast.Expr) bool {
	v := u.Info.Types[ttl].Value
	return v != nil && constant.Sign(v) <= 0
}

// spread says why a lifetime is left alone.
func (u *Unit) spread(cur inspector.Cursor, at *ast.CallExpr, ttl ast.Expr) string {
	if inner, ok := ast.Unparen(ttl).(*ast.CallExpr); ok && !u.isConversion(inner) {
		return "its lifetime comes from a call, which may spread it already: look there"
	}
	switch known := u.Pkg.Scope().Lookup(shortenedName); {
	case u.draws(cur, ttl):
		return "its lifetime has a random part already"
	case u.before(at, "go1.20"):
		return "before Go 1.20 math/rand draws the same in each process: what several of them keep would end together"
	case u.pkg(at, "math/rand") != "rand" || u.pkg(at, "time") != "time":
		return "the name rand or time means something else here"
	case known != nil && !u.isShortened(known):
		return "the package calls something else " + shortenedName
	}
	return ""
}

const (
	shortenedName = "shortened"
	shortenedBody = `{
	return ttl - time.Duration(rand.Float64()*float64(ttl)/10)
}`
	shortenedText = `
// ` + shortenedName + ` is a lifetime less a random part of up to a tenth: what comes together does not end together.
func ` + shortenedName + `(ttl time.Duration) time.Duration ` + shortenedBody + "\n"
)

// isShortened reports whether a name of the package is the function of an earlier change.
func (u *Unit) isShortened(known types.Object) bool {
	fn, ok := known.(*types.Func)
	if !ok {
		return false
	}
	d := u.declared(fn)
	return d != nil && d.Body != nil && u.text(d.Body) == shortenedBody
}

// jittered makes the change of a lifetime.
func (u *Unit) jittered(cur inspector.Cursor, at *ast.CallExpr, ttl ast.Expr, home ast.Node) Change {
	c := u.change(at, "shorten the lifetime by a random part of up to a tenth")
	if d := declaration(cur); d != nil {
		c.cures(d)
	}
	if u.Pkg.Scope().Lookup(shortenedName) == nil {
		c.insert(u.file(home.Pos()).FileEnd, shortenedText)
		c.needs(home, "math/rand", "time")
	}
	c.replace(ttl.Pos(), ttl.End(), shortenedName+"("+u.text(ttl)+")")
	return *c
}

// draws reports whether a lifetime, or the variable that it is, is made with a random number.
func (u *Unit) draws(cur inspector.Cursor, ttl ast.Expr) bool {
	random := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return false
		}
		fn, _ := u.Info.Uses[id].(*types.Func)
		return fn != nil && fn.Pkg() != nil &&
			slices.Contains([]string{"math/rand", "math/rand/v2", "crypto/rand"}, fn.Pkg().Path())
	}
	f, ok := function(cur)
	v := u.Root(ttl)
	if syntax.Some(ttl, random) || !ok || v == nil {
		return syntax.Some(ttl, random)
	}
	for _, s := range below[*ast.AssignStmt](f) {
		if slices.ContainsFunc(s.Lhs, func(e ast.Expr) bool { return u.IsUse(e, v) }) && syntax.Some(s, random) {
			return true
		}
	}
	return false
}
