package checks

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var boxInLoop = &analysis.Analyzer{
	Name: "boxinloop",
	Doc: `report values that are put into an interface, which allocates each

A value that is not a pointer is copied to the heap when it becomes an any: 30 ns and 8 bytes for an integer
(BenchmarkCost/box). Use a type parameter, a slice of the type itself, or a pointer to what is there already.

It counts only with heat. Reported are arguments of a parameter of type any (or a list of them). Not reported: pointers,
maps, channels and functions, which need no copy; constants; a variable of the function that another module takes, whose
type that cannot keep, and whose address would move it to the heap as well; what is on the way to an error, a log line or
a panic; fmt's calls, which fmtcall has.`,
	Requires: needs,
	Run:      over(findBoxInLoop),
}

func findBoxInLoop(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil || writesText(fn) || call.Ellipsis.IsValid() {
			continue
		}
		if u.cold(cur) || u.returnsError(cur) || u.runsOnce(cur) {
			continue
		}
		u.boxed(cur, call, fn)
	}
}

// returnsError reports whether a call is what a return gives as an error.
func (u *unit) returnsError(cur inspector.Cursor) bool {
	_, ok := cur.Parent().Node().(*ast.ReturnStmt)
	t := u.TypesInfo.TypeOf(cur.Node().(ast.Expr))
	return ok && t != nil && makesError(t)
}

// escapesAnyway reports whether an argument is a struct in a variable of the function, for a function of another module.
func (u *unit) escapesAnyway(fn *types.Func, arg ast.Expr) bool {
	id, ok := ast.Unparen(arg).(*ast.Ident)
	if !ok || u.isOurs(fn.Pkg()) {
		return false
	}
	v, ok := u.TypesInfo.ObjectOf(id).(*types.Var)
	if !ok || v.Parent() == nil || v.Parent() == u.Pkg.Scope() {
		return false
	}
	_, ok = v.Type().Underlying().(*types.Struct)
	return ok
}

func (u *unit) boxed(cur inspector.Cursor, call *ast.CallExpr, fn *types.Func) {
	sig := fn.Signature()
	for i, arg := range call.Args {
		n := sig.Params().Len()
		if n == 0 {
			return
		}
		t := sig.Params().At(min(i, n-1)).Type()
		if s, ok := t.(*types.Slice); ok && sig.Variadic() && i >= n-1 {
			t = s.Elem()
		}
		to, ok := t.Underlying().(*types.Interface)
		if _, param := types.Unalias(t).(*types.TypeParam); !ok || param || !to.Empty() {
			continue
		}
		if u.copied(arg) && !u.escapesAnyway(fn, arg) {
			when := "this call"
			if _, again := loop(cur); again {
				when = "each turn"
			}
			u.report(arg, when+" allocates a copy of this to make it an any: keep its type, with a type parameter or a "+
				"pointer")
		}
	}
}

// copied reports whether a value must be copied to become an interface.
func (u *unit) copied(e ast.Expr) bool {
	t := u.TypesInfo.TypeOf(e)
	if t == nil || u.constant(e) || u.TypesInfo.Types[e].IsNil() {
		return false
	}
	switch x := t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Chan, *types.Signature, *types.Interface, *types.Tuple:
		return false
	case *types.Basic:
		// A byte or a bool is one of 256 that the runtime has.
		return x.Kind() != types.UnsafePointer && x.Kind() != types.Bool && x.Kind() != types.Uint8 && x.Kind() != types.Int8
	}
	return u.size(t) > 0
}

// loggers are packages whose calls make lines of text for people.
var loggers = map[string]bool{"fmt": true, "log": true, "log/slog": true, "errors": true, "testing": true,
	"go.uber.org/zap": true, "github.com/sirupsen/logrus": true, "github.com/rs/zerolog": true,
	"github.com/go-kit/log": true, "k8s.io/klog/v2": true, "github.com/pkg/errors": true}

// writesText reports whether a function prints: it is of a logger, or its name is that of a printing function.
func writesText(fn *types.Func) bool {
	if loggers[fn.Pkg().Path()] {
		return true
	}
	if sig := fn.Signature(); sig.Variadic() && sig.Params().Len() > 1 {
		if isBasic(sig.Params().At(sig.Params().Len()-2).Type(), types.String) {
			return true // a format and its values
		}
	}
	name := fn.Name()
	return len(name) > 1 && name[len(name)-1] == 'f' || isLevel(name)
}

// isLevel reports whether a name is that of a log level.
func isLevel(name string) bool {
	switch name {
	case "Debug", "Info", "Warn", "Warning", "Error", "Fatal", "Panic", "Print", "Println", "Trace", "Log":
		return true
	}
	return false
}
