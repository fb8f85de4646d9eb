package rewrite

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/gocasebook/casebook/app/syntax"
)

// gcCall takes out runtime.GC() and debug.FreeOSMemory() as statements of functions that run again and again.
func gcCall(u *Unit) (out changes) {
	for cur, s := range each[*ast.ExprStmt](u) {
		call, ok := s.X.(*ast.CallExpr)
		if !ok || !isFunc(u.Callee(call), "runtime", "GC") && !isFunc(u.Callee(call), "runtime/debug", "FreeOSMemory") {
			continue
		}
		d := declaration(cur)
		switch {
		case d == nil:
		case d.Name.Name == "main" || d.Name.Name == "init":
			out.add(u.refuse(s, "it runs once"))
		case u.measures(d):
			out.add(u.refuse(s, "the function measures the heap, which needs a collection before it"))
		default:
			c := u.change(s, "leave collecting to the runtime")
			c.remove(s)
			out.add(c)
		}
	}
	return out
}

// measures reports whether a function reads the memory statistics or writes a heap profile.
func (u *Unit) measures(d *ast.FuncDecl) bool {
	return syntax.Some(d, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		fn, _ := u.Info.Uses[sel.Sel].(*types.Func)
		return isFunc(fn, "runtime", "ReadMemStats") || isFunc(fn, "runtime/metrics", "Read") ||
			isFunc(fn, "runtime/pprof", "WriteHeapProfile", "Lookup") ||
			isFunc(fn, "runtime/debug", "ReadGCStats", "WriteHeapDump")
	})
}

// procs takes out runtime.GOMAXPROCS(constant).
func procs(u *Unit) (out changes) {
	for _, s := range each[*ast.ExprStmt](u) {
		call, ok := s.X.(*ast.CallExpr)
		if !ok || !isFunc(u.Callee(call), "runtime", "GOMAXPROCS") || !u.IsConstant(call.Args[0]) {
			continue
		}
		if u.before(s, "go1.25") {
			out.add(u.refuse(s, "before Go 1.25 the runtime does not read the CPU quota"))
			continue
		}
		c := u.change(s, "leave GOMAXPROCS to the runtime")
		c.remove(s)
		out.add(c)
	}
	return out
}

// withContext makes requests and queries with the context that the function has.
func withContext(u *Unit) (out changes) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		request := isFunc(fn, "net/http", "NewRequest")
		query := isMethod(fn, "database/sql", "DB", "Query", "QueryRow", "Exec", "Prepare", "Ping") ||
			isMethod(fn, "database/sql", "Tx", "Query", "QueryRow", "Exec", "Prepare") ||
			isMethod(fn, "database/sql", "Stmt", "Query", "QueryRow", "Exec")
		if !request && !query {
			continue
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		f, inFunction := function(cur)
		if !ok || !inFunction {
			continue
		}
		ctx := u.contextOf(f)
		if ctx == "" {
			continue
		}
		if _, deferred := cur.Parent().Node().(*ast.DeferStmt); deferred {
			continue
		}
		c := u.change(call, "make it with the context of the function")
		if request {
			c.replace(sel.Sel.Pos(), sel.Sel.End(), "NewRequestWithContext")
		} else {
			c.replace(sel.Sel.Pos(), sel.Sel.End(), fn.Name()+"Context")
		}
		if len(call.Args) > 0 {
			ctx += ", "
		}
		c.insert(call.Lparen+1, ctx)
		out.add(c)
	}
	return out
}

// contextOf is the context that a function was given, or that of its request.
func (u *Unit) contextOf(f interface{ Node() ast.Node }) string {
	var fields *ast.FieldList
	switch f := f.Node().(type) {
	case *ast.FuncDecl:
		fields = f.Type.Params
	case *ast.FuncLit:
		fields = f.Type.Params
	}
	for _, field := range fields.List {
		i := slices.IndexFunc(field.Names, func(id *ast.Ident) bool { return id.Name != "_" })
		if i < 0 {
			continue
		}
		switch t := u.Info.TypeOf(field.Type); {
		case isNamed(t, "context", "Context"):
			return field.Names[i].Name
		case isNamed(t, "net/http", "Request"):
			return field.Names[i].Name + ".Context()"
		}
	}
	return ""
}
