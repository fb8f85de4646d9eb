package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var boxInLoop = check("boxinloop", findBoxInLoop, `report values that are put into an interface, which allocates each

A value that is not a pointer is copied to the heap when it becomes an any: 30 ns and 8 bytes for an integer
(BenchmarkCost/box). Use a type parameter, a slice of the type itself, or a pointer to what is there already.

It counts only with heat. Reported are arguments of a parameter of type any (or a list of them) where the type can be
kept: those of a function of this module, which can have a type parameter; of the containers of the standard library,
which can be written for the type; and of any function where a loop passes the same value at each turn. So are package
variables that a function returns as an interface. Not reported:
methods, which can have no type parameter; other modules' functions, which take an any by contract; pointers, maps,
channels and functions, which need no copy; constants; what is on the way to an error, a log line or a panic; fmt's
calls, which fmtcall has.`)

func findBoxInLoop(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		if fn != nil && fn.Pkg() != nil && !writesText(fn) && !call.Ellipsis.IsValid() && !u.cold(cur) &&
			!u.returnsError(cur) && !u.runsOnce(cur) {
			u.boxed(cur, call, fn)
		}
	}
	u.boxedVariables()
}

// boxedVariables reports package variables that a return makes an interface, each time anew.
func (u *unit) boxedVariables() {
	for cur, ret := range each[*ast.ReturnStmt](u) {
		f, ok := function(cur)
		if !ok || u.runsOnce(cur) {
			continue
		}
		results := u.Signature(f).Results()
		for i, e := range ret.Results {
			id, ok := ast.Unparen(e).(*ast.Ident)
			if !ok || results.Len() != len(ret.Results) || !types.IsInterface(results.At(i).Type()) {
				continue
			}
			if v, ok := u.TypesInfo.Uses[id].(*types.Var); ok && v.Kind() == types.PackageVar && u.copied(e) {
				u.report(e, "each return allocates a copy of "+v.Name()+" to make it an interface: declare the variable with "+
					"that interface's type")
			}
		}
	}
}

// returnsError reports whether a call is what a return gives as an error.
func (u *unit) returnsError(cur inspector.Cursor) bool {
	_, ok := cur.Parent().Node().(*ast.ReturnStmt)
	t := u.TypesInfo.TypeOf(cur.Node().(ast.Expr))
	return ok && t != nil && makesError(t)
}

// boxed reports the arguments of a call that are copied to become an any and need not be.
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
		if _, param := types.Unalias(t).(*types.TypeParam); !ok || param || !to.Empty() || !u.copied(arg) {
			continue
		}
		if do := u.unboxed(cur, fn, arg); do != "" {
			u.report(arg, do)
		}
	}
}

// unboxed says how a call does without the copy of an argument, "" where it does not.
func (u *unit) unboxed(cur inspector.Cursor, fn *types.Func, arg ast.Expr) string {
	when := "this call"
	l, again := loop(cur)
	if again {
		when = "each turn"
	}
	when += " allocates a copy of this to make it an any: "
	switch {
	case again && u.invariant(l, arg):
		return when + "it is the same at each turn, so make it one before the loop"
	case isMethod(fn, "sync", "Map", fn.Name()):
		return when + "a map of its type with a lock does not"
	case isMethod(fn, "sync/atomic", "Value", fn.Name()):
		return "" // an atomic.Pointer needs the same copy
	case strings.HasPrefix(fn.Pkg().Path(), "container/"):
		return when + "write the container for its type"
	case u.isOurs(fn.Pkg()) && fn.Signature().Recv() == nil:
		return when + "keep its type, with a type parameter or a pointer"
	}
	return ""
}

// invariant reports whether an expression is a variable that a loop does not change.
func (u *unit) invariant(l inspector.Cursor, e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := u.TypesInfo.ObjectOf(id).(*types.Var)
	return ok && v.Kind() != types.PackageVar && !within(l.Node(), v.Pos()) && !u.Changes(l, v)
}

// copied reports whether a value must be copied to become an interface.
func (u *unit) copied(e ast.Expr) bool {
	t := u.TypesInfo.TypeOf(e)
	if t == nil || u.IsConstant(e) || u.IsNil(e) {
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

// writesText reports whether a function prints: it is of a logger, it takes a format and its values, or its name is
// that of a printing function.
func writesText(fn *types.Func) bool {
	sig, name := fn.Signature(), fn.Name()
	return loggers[fn.Pkg().Path()] || len(name) > 1 && strings.HasSuffix(name, "f") || isLevel(name) ||
		sig.Variadic() && sig.Params().Len() > 1 && isBasic(sig.Params().At(sig.Params().Len()-2).Type(), types.String)
}

// isLevel reports whether a name is that of a log level.
func isLevel(name string) bool {
	return slices.Contains([]string{"Debug", "Info", "Warn", "Warning", "Error", "Fatal", "Panic", "Print", "Println",
		"Trace", "Log"}, name)
}

var capturedVar = check("capturedvar", findCapturedVar, `report variables that move to the heap because a function literal captures them by reference

A literal gets a copy of a variable that is assigned once and has at most 128 bytes. A variable that is assigned again
is shared: when the literal outlives the call, each run of the declaration allocates it, beside the literal
(cmd/compile/internal/escape; "captured together" in docs/evidence/lab.md). Give the literal a copy, as an argument or
by v := v.

It counts only with heat, at the declaration, where a profile has the bytes. Reported are literals that a goroutine runs,
or that go into a field, a slice, a channel, a timer or to the caller. Not reported: what the literal itself changes,
what is assigned after the literal or whose address is taken, because these are meant to be shared; and what runs once.`)

func findCapturedVar(u *unit) {
	seen := make(map[*types.Var]bool)
	for cur, lit := range each[*ast.FuncLit](u) {
		home, ok := function(cur)
		if !ok || !u.escapes(cur) || u.runsOnce(cur) {
			continue
		}
		for _, id := range below[*ast.Ident](cur) {
			v, ok := u.TypesInfo.Uses[id].(*types.Var)
			if !ok || seen[v] || v.IsField() || within(lit, v.Pos()) || !within(home.Node(), v.Pos()) {
				continue
			}
			seen[v] = true
			if u.moves(home, cur, v) {
				u.report(span{v.Pos(), v.Pos() + token.Pos(len(v.Name()))}, v.Name()+" moves to the heap: it is "+
					"assigned again, and a function literal that outlives the call captures it; give the literal a copy")
			}
		}
	}
}

// runners start what they get.
var runners = []callee{{"time", "", "AfterFunc", ""}, {"context", "", "AfterFunc", ""},
	{"golang.org/x/sync/errgroup", "Group", "Go", ""}, {"sync", "WaitGroup", "Go", ""}}

// escapes reports whether a function literal goes where it lives longer than the call, as far as can be seen.
func (u *unit) escapes(lit inspector.Cursor) bool {
	call, ok := lit.Parent().Node().(*ast.CallExpr)
	switch {
	case !ok:
		_, sent := lit.Parent().Node().(*ast.SendStmt)
		return sent || u.outlives(lit)
	case lit.ParentEdgeKind() == edge.CallExpr_Fun:
		return lit.Parent().ParentEdgeKind() == edge.GoStmt_Call
	}
	return u.Builtin(call) == "append" || rowOf(runners, u.Callee(call)) != nil
}

// moves reports whether a variable of a function is on the heap only because of how a literal captures it: it is
// assigned again before the literal is made, and not by it.
func (u *unit) moves(home, lit inspector.Cursor, v *types.Var) bool {
	again := false
	for _, cur := range u.Uses(home, v) {
		at, kind := u.part(cur)
		if kind == ofPointerMethod {
			return false
		}
		if kind == ofPointee || !isWritten(at) {
			continue
		}
		if isAddress(at.Parent().Node()) || at.Node().Pos() >= lit.Node().Pos() {
			return false
		}
		if _, slice := at.Parent().Node().(*ast.SliceExpr); slice {
			continue
		}
		again = true
	}
	return again && !u.madeBy(home, lit, v)
}

// madeBy reports whether the statement that a literal is in assigns the variable: t = time.AfterFunc(d, func() { t… }).
func (u *unit) madeBy(home, lit inspector.Cursor, v *types.Var) bool {
	for s := range lit.Enclosing((*ast.AssignStmt)(nil)) {
		if s.Node().Pos() < home.Node().Pos() {
			return false
		}
		if slices.ContainsFunc(s.Node().(*ast.AssignStmt).Lhs, func(e ast.Expr) bool { return u.Root(e) == v }) {
			return true
		}
	}
	return false
}
