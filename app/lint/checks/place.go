package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// function is the innermost function that a node is in, and whether there is one.
func function(cur inspector.Cursor) (inspector.Cursor, bool) {
	for f := range cur.Parent().Enclosing((*ast.FuncDecl)(nil), (*ast.FuncLit)(nil)) {
		return f, true
	}
	return inspector.Cursor{}, false
}

// body is the block of a function.
func body(f inspector.Cursor) *ast.BlockStmt {
	switch f := f.Node().(type) {
	case *ast.FuncDecl:
		return f.Body
	case *ast.FuncLit:
		return f.Body
	}
	return nil
}

// signature is the type of a function.
func (u *unit) signature(f inspector.Cursor) *types.Signature {
	switch f := f.Node().(type) {
	case *ast.FuncDecl:
		if fn, ok := u.TypesInfo.Defs[f.Name].(*types.Func); ok {
			return fn.Signature()
		}
	case *ast.FuncLit:
		if s, ok := u.TypesInfo.TypeOf(f).(*types.Signature); ok {
			return s
		}
	}
	return nil
}

// declaration is the function declaration that a node is in, or nil.
func declaration(cur inspector.Cursor) *ast.FuncDecl {
	for f := range cur.Enclosing((*ast.FuncDecl)(nil)) {
		return f.Node().(*ast.FuncDecl)
	}
	return nil
}

// loop is the innermost loop of the same function that runs a node again and again.
func loop(cur inspector.Cursor) (inspector.Cursor, bool) {
	for child, up := cur, cur.Parent(); up.Node() != nil; child, up = up, up.Parent() {
		switch up.Node().(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return inspector.Cursor{}, false
		case *ast.RangeStmt:
			if child.ParentEdgeKind() == edge.RangeStmt_Body {
				return up, true
			}
		case *ast.ForStmt:
			if child.ParentEdgeKind() != edge.ForStmt_Init {
				return up, true
			}
		}
	}
	return inspector.Cursor{}, false
}

// How often a function runs, as far as can be seen.
type often int

const (
	unknowable often = iota // nobody knows
	once                    // by main: a loop of it may run for ever
	atStart                 // before or after the service serves: what loops then has an end
)

// runsOnce reports whether a node runs once in the life of a program, as far as can be seen: it belongs to a package
// variable, to init or main, to what only these call, to a sync.Once, or to what is named after the start, the end or
// the configuration of a service.
func (u *unit) runsOnce(cur inspector.Cursor) bool { return u.howOften(cur) > unknowable }

func (u *unit) howOften(cur inspector.Cursor) often {
	if u.once == nil {
		u.findOnce()
	}
	for looped := false; ; {
		for l, again := loop(cur); again; l, again = loop(cur) {
			looped, cur = true, l
		}
		f, ok := function(cur)
		if !ok {
			return atStart
		}
		switch n := f.Node().(type) {
		case *ast.FuncDecl:
			level := u.once[u.TypesInfo.Defs[n.Name]]
			if level == once && looped {
				return unknowable
			}
			return level
		case *ast.FuncLit:
			if u.isOnce(f) {
				return atStart
			}
			if f.ParentEdgeKind() != edge.CallExpr_Fun {
				return unknowable // a function value: nobody knows how often it is called
			}
			if _, started := f.Parent().Parent().Node().(*ast.GoStmt); started && looped {
				return unknowable // it works beside what started it
			}
		}
		cur = f
	}
}

// rare are first words of functions' names that a service calls when it starts, ends or is configured.
var rare = []string{"init", "initialize", "setup", "provision", "bootstrap", "configure", "restore", "recover",
	"migrate", "shutdown", "validate"}

// isRare reports whether a function is named after the start, the end or the configuration of a service.
func isRare(name string) bool {
	words := words(name)
	return len(words) > 0 && slices.Contains(rare, words[0]) || slices.Contains(words, "config") ||
		slices.Contains(words, "flags")
}

// words are the words of a name, in lower case: parseURLPath is parse, url, path.
func words(name string) (all []string) {
	r := []rune(name)
	start := 0
	for i := 1; i <= len(r); i++ {
		end := i == len(r) || r[i] == '_' || unicode.IsUpper(r[i]) &&
			(!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1]))
		if end {
			if w := strings.ToLower(strings.Trim(string(r[start:i]), "_")); w != "" {
				all = append(all, w)
			}
			start = i
		}
	}
	return all
}

// isOnce reports whether a function literal is given to sync.Once or its like.
func (u *unit) isOnce(lit inspector.Cursor) bool {
	call, ok := lit.Parent().Node().(*ast.CallExpr)
	if !ok || lit.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	fn := u.callee(call)
	return isMethod(fn, "sync", "Once", "Do") || isFunc(fn, "sync", "OnceFunc", "OnceValue", "OnceValues")
}

// findOnce fills u.once. A function that only those call which run once, outside of loops, runs once itself, or as
// often as somebody wrote the call.
func (u *unit) findOnce() {
	u.once = make(map[types.Object]often)
	calls := make(map[types.Object][]inspector.Cursor)
	var decls []types.Object
	for _, d := range each[*ast.FuncDecl](u) {
		obj := u.TypesInfo.Defs[d.Name]
		switch {
		case d.Recv == nil && d.Name.Name == "init", isRare(d.Name.Name):
			u.once[obj] = atStart
		case d.Recv == nil && d.Name.Name == "main" && u.Pkg.Name() == "main":
			u.once[obj] = once
		case !d.Name.IsExported():
			decls = append(decls, obj)
		}
	}
	for cur, id := range each[*ast.Ident](u) {
		if fn, ok := u.TypesInfo.Uses[id].(*types.Func); ok && fn.Pkg() == u.Pkg {
			calls[fn] = append(calls[fn], cur)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, obj := range decls {
			if level := u.called(calls[obj]); u.once[obj] < level {
				u.once[obj], changed = level, true
			}
		}
	}
}

// called is how often a function runs by its uses: the least of them, if all are calls, or given to sync.Once.
func (u *unit) called(uses []inspector.Cursor) often {
	if len(uses) == 0 {
		return unknowable
	}
	least := atStart
	for _, use := range uses {
		if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
			use = use.Parent()
		}
		switch {
		case u.isOnce(use):
		case use.ParentEdgeKind() == edge.CallExpr_Fun:
			least = min(least, u.howOften(use))
		default:
			return unknowable
		}
	}
	return least
}

// outlives reports whether an expression's value goes directly where it lives longer than the call: into a field, an
// element, a package variable, or to the caller.
func (u *unit) outlives(cur inspector.Cursor) bool {
	for ; ; cur = cur.Parent() {
		switch p := cur.Parent().Node().(type) {
		case *ast.ParenExpr, *ast.UnaryExpr:
			continue
		case *ast.ReturnStmt, *ast.KeyValueExpr, *ast.CompositeLit:
			return true
		case *ast.CallExpr:
			return u.builtin(p) == "append"
		case *ast.AssignStmt:
			i := cur.ParentEdgeIndex()
			if len(p.Lhs) != len(p.Rhs) {
				i = 0
			}
			return cur.ParentEdgeKind() == edge.AssignStmt_Rhs && u.lives(p.Lhs[i])
		}
		return false
	}
}

// lives reports whether what is assigned to an expression outlives the function.
func (u *unit) lives(lhs ast.Expr) bool {
	id, ok := ast.Unparen(lhs).(*ast.Ident)
	if !ok {
		return true
	}
	obj := u.TypesInfo.ObjectOf(id)
	return obj != nil && obj.Parent() == u.Pkg.Scope()
}

// assigned is the local variable that an expression's value goes to, in x := e, x, err := e, x = e or var x = e.
func (u *unit) assigned(cur inspector.Cursor) *types.Var {
	var id *ast.Ident
	switch p := cur.Parent().Node().(type) {
	case *ast.AssignStmt:
		if cur.ParentEdgeKind() != edge.AssignStmt_Rhs {
			return nil
		}
		i := cur.ParentEdgeIndex()
		if len(p.Lhs) != len(p.Rhs) {
			i = 0
		}
		id, _ = p.Lhs[i].(*ast.Ident)
	case *ast.ValueSpec:
		if i := cur.ParentEdgeIndex(); cur.ParentEdgeKind() == edge.ValueSpec_Values && i < len(p.Names) {
			id = p.Names[i]
		}
	}
	if id == nil || id.Name == "_" {
		return nil
	}
	v, _ := u.TypesInfo.ObjectOf(id).(*types.Var)
	if v == nil || v.Parent() == u.Pkg.Scope() {
		return nil
	}
	return v
}

// uses lists where a variable is mentioned within a node, its definition left out.
func (u *unit) uses(in inspector.Cursor, obj types.Object) (all []inspector.Cursor) {
	for cur, id := range below[*ast.Ident](in) {
		if u.TypesInfo.Uses[id] == obj {
			all = append(all, cur)
		}
	}
	return all
}

// isUse reports whether an expression is a mention of obj.
func (u *unit) isUse(e ast.Expr, obj types.Object) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && obj != nil && u.TypesInfo.ObjectOf(id) == obj
}

// same reports whether two expressions name the same variable or field of it: x, x.y.z.
func (u *unit) same(a, b ast.Expr) bool {
	a, b = ast.Unparen(a), ast.Unparen(b)
	switch a := a.(type) {
	case *ast.Ident:
		b, ok := b.(*ast.Ident)
		return ok && u.TypesInfo.ObjectOf(a) != nil && u.TypesInfo.ObjectOf(a) == u.TypesInfo.ObjectOf(b)
	case *ast.SelectorExpr:
		b, ok := b.(*ast.SelectorExpr)
		return ok && a.Sel.Name == b.Sel.Name && u.same(a.X, b.X)
	}
	return false
}

// root is the variable that x, x.y, *x, x[i] or &x begins with, or nil.
func (u *unit) root(e ast.Expr) types.Object {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.Ident:
			return u.TypesInfo.ObjectOf(x)
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return nil
			}
			e = x.X
		default:
			return nil
		}
	}
}

// changes reports whether a variable may get another value within a node: it is assigned, counted, or its address is
// taken.
func (u *unit) changes(in inspector.Cursor, obj types.Object) bool {
	for _, use := range u.uses(in, obj) {
		switch kind := use.ParentEdgeKind(); kind {
		case edge.AssignStmt_Lhs, edge.IncDecStmt_X, edge.RangeStmt_Key, edge.RangeStmt_Value:
			return true
		case edge.UnaryExpr_X:
			if use.Parent().Node().(*ast.UnaryExpr).Op == token.AND {
				return true
			}
		}
	}
	return false
}

// serves reports whether a function handles requests: it gets an http.Request, or, as gRPC's do, a context and a
// pointer to a message, and answers with a pointer and an error.
func (u *unit) serves(f inspector.Cursor) bool {
	sig := u.signature(f)
	if sig == nil {
		return false
	}
	for v := range sig.Params().Variables() {
		if isNamed(v.Type(), "net/http", "Request") || isNamed(v.Type(), "net/http", "ResponseWriter") ||
			isNamed(v.Type(), "github.com/gin-gonic/gin", "Context") {
			return true
		}
	}
	return false
}

// cold reports whether a node is on the way out of a function by an error, a panic or the end of the process: within
// the arguments of panic, log.Fatal, errors.New, or of a call that makes the error which is returned.
func (u *unit) cold(cur inspector.Cursor) bool {
	for up := range cur.Enclosing((*ast.CallExpr)(nil)) {
		call := up.Node().(*ast.CallExpr)
		fn := u.callee(call)
		if u.builtin(call) == "panic" || isFunc(fn, "log", "Fatal", "Fatalf", "Fatalln", "Panic", "Panicf") ||
			isFunc(fn, "errors", "New", "Join") || isFunc(fn, "fmt", "Errorf") || isFunc(fn, "os", "Exit") {
			return true
		}
	}
	n := cur.Node()
	for up := range cur.Enclosing((*ast.ReturnStmt)(nil)) {
		for _, r := range up.Node().(*ast.ReturnStmt).Results {
			within := r != n && r.Pos() <= n.Pos() && n.End() <= r.End()
			if t := u.TypesInfo.TypeOf(r); within && t != nil && makesError(t) {
				return true
			}
		}
	}
	return false
}

func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}

// makesError reports whether a type is an error, or one's own kind of it.
func makesError(t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}
