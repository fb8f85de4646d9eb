package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

var invariantCall = check("invariantcall", findInvariantCall, `report what a loop computes again at each turn from values that it does not change

The compiler does not move calls out of loops. What strings.Split, ToLower, url.Parse, json.Marshal and their like
make of the same values is the same each time; before the loop it costs once. To look for a name among 100 others
without regard to case makes 100 objects where each turn lowers it again, and one where it is lowered before
(BenchmarkCostAgain/invariant).

It counts only with heat. Reported are calls of the standard library's functions that depend on their arguments alone,
of the package's own that do nothing else, and of other packages' that by their names and types take a text apart or
put one together: in the loop itself, or in a function of the package that the loop gives the same argument at each
turn; there the call is reported, and the loop named. Not reported: arguments that the loop sets, whose address it
takes, or that have methods called there which may change them; what leaves the loop afterwards; and what runs once.`)

// pure are functions whose results depend on their arguments alone, and which do enough work to be moved.
var pure = []callee{
	{"strings", "", "ToLower ToUpper Title Split SplitN SplitAfter Fields Replace ReplaceAll Repeat Join " +
		"NewReplacer", ""},
	{"bytes", "", "ToLower ToUpper Split SplitN Fields ReplaceAll Repeat Join", ""},
	{"strconv", "", "Itoa FormatInt FormatUint FormatFloat Quote ParseInt ParseUint ParseFloat Atoi Unquote", ""},
	{"fmt", "", "Sprintf Sprint", ""},
	{"net", "", "ParseIP ParseCIDR JoinHostPort SplitHostPort", ""},
	{"net/netip", "", "ParseAddr ParsePrefix ParseAddrPort MustParseAddr MustParsePrefix", ""},
	{"net/url", "", "Parse ParseRequestURI QueryEscape PathEscape QueryUnescape PathUnescape ParseQuery", ""},
	{"time", "", "Parse ParseDuration LoadLocation", ""},
	{"regexp", "", "Compile MustCompile QuoteMeta", ""},
	{"path", "", "Join Clean", ""},
	{"path/filepath", "", "Join Clean", ""},
	{"encoding/json", "", "Marshal", ""},
	{"google.golang.org/protobuf/proto", "", "Marshal", ""},
	{"mime", "", "ParseMediaType", ""},
	{"crypto/sha256", "", "Sum256", ""},
	{"crypto/sha1", "", "Sum", ""},
	{"crypto/md5", "", "Sum", ""},
	{"html", "", "EscapeString UnescapeString", ""},
}

// derives are first words of functions that make something of a text and of nothing else.
var derives = []string{"parse", "split", "normalize", "canonical", "canonicalize", "format", "escape", "unescape",
	"clean", "encode", "join", "lower", "trim", "strip", "tokenize", "sanitize", "hash"}

func findInvariantCall(u *unit) {
	i := invariants{unit: u, own: u.pureFunctions(), seen: make(map[token.Pos]bool)}
	for cur, call := range each[*ast.CallExpr](u) {
		l, again := loop(cur)
		fixed := func(at inspector.Cursor, _ *ast.CallExpr) bool { return i.fixed(at, l) }
		switch {
		case !again || u.runsOnce(cur) || i.largerToo(cur, fixed):
		case i.isWork(call) && i.fixed(cur, l) && !u.coldIn(cur, l):
			i.found(call, nil)
		default:
			i.inCallee(cur, call, l)
		}
	}
}

// invariants looks for work that a loop repeats.
type invariants struct {
	*unit
	own  map[*types.Func]bool // functions of the package that only derive
	seen map[token.Pos]bool   // what was reported
	decl map[*types.Func]inspector.Cursor
}

func (i *invariants) found(call, from *ast.CallExpr) {
	if i.seen[call.Pos()] {
		return
	}
	i.seen[call.Pos()] = true
	message := "the same at each turn of the loop: do it once, before"
	if from != nil {
		message = fmt.Sprintf("the same at each turn of the loop that calls %s: do it once, before the loop, and pass what "+
			"it gives", i.Callee(from).Name())
	}
	counts := "runtime.stringtoslicebyte"
	if fn := i.Callee(call); fn != nil {
		counts = profileName(fn)
	}
	// The one related message is the function whose samples count, as a profile names it: lint's Check.Named.
	i.relate(call, message, there(call, counts))
}

// isWork reports whether a call's result depends on its arguments alone, and costs something.
func (i *invariants) isWork(call *ast.CallExpr) bool {
	if to, of := i.conversion(call); to != nil {
		return isBytes(to) && i.isString(of) && !i.IsConstant(of)
	}
	fn := i.Callee(call)
	switch {
	case fn == nil || fn.Pkg() == nil || fn.Signature().Recv() != nil || call.Ellipsis.IsValid():
		return false
	case rowOf(pure, fn) != nil:
		return true
	case fn.Pkg() == i.Pkg:
		return i.own[fn.Origin()]
	}
	ofModule := strings.Contains(fn.Pkg().Path(), ".")
	return ofModule && isOfText(fn.Signature()) && slices.Contains(derives, firstWord(fn.Name()))
}

// isOfText reports whether a function takes texts and numbers and gives such back, or an error beside them.
func isOfText(sig *types.Signature) bool {
	basic := func(t types.Type) bool {
		_, ok := t.Underlying().(*types.Basic)
		return ok
	}
	texts := 0
	for v := range sig.Params().Variables() {
		if isBasic(v.Type(), types.String) {
			texts++
		} else if !basic(v.Type()) {
			return false
		}
	}
	for v := range sig.Results().Variables() {
		s, slice := v.Type().Underlying().(*types.Slice)
		if !basic(v.Type()) && !isError(v.Type()) && !(slice && basic(s.Elem())) {
			return false
		}
	}
	return texts > 0 && sig.Results().Len() > 0
}

// pureFunctions are those of the package that only derive something from texts and numbers: they call nothing but such
// functions, set nothing but variables of their own, and start nothing.
func (u *unit) pureFunctions() map[*types.Func]bool {
	i := &invariants{unit: u, own: make(map[*types.Func]bool)}
	for changed := true; changed; {
		changed = false
		for cur, d := range each[*ast.FuncDecl](u) {
			fn, ok := u.TypesInfo.Defs[d.Name].(*types.Func)
			if !ok || d.Body == nil || d.Recv != nil || i.own[fn] || !isOfText(fn.Signature()) {
				continue
			}
			if works, only := i.derivesOnly(cur, d); works && only {
				i.own[fn], changed = true, true
			}
		}
	}
	return i.own
}

// derivesOnly reports whether a function does work worth moving, and whether it does nothing else.
func (i *invariants) derivesOnly(f inspector.Cursor, d *ast.FuncDecl) (works, only bool) {
	only = true
	for n := range f.Preorder((*ast.CallExpr)(nil), (*ast.AssignStmt)(nil), (*ast.GoStmt)(nil), (*ast.DeferStmt)(nil),
		(*ast.SendStmt)(nil), (*ast.UnaryExpr)(nil), (*ast.SelectStmt)(nil), (*ast.FuncLit)(nil), (*ast.Ident)(nil)) {
		switch n := n.Node().(type) {
		case *ast.CallExpr:
			switch to, _ := i.conversion(n); {
			case i.isWork(n):
				works = true
			case to != nil || i.Builtin(n) != "" || i.harmless(n):
			default:
				return works, false
			}
		case *ast.UnaryExpr:
			if n.Op == token.ARROW || n.Op == token.AND {
				return works, false
			}
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				if root := i.Root(lhs); root != nil && (root.Parent() == i.Pkg.Scope() || root.Pkg() != i.Pkg) {
					return works, false
				}
			}
		case *ast.Ident:
			v, ok := i.TypesInfo.Uses[n].(*types.Var)
			if ok && !v.IsField() && v.Parent() != nil && v.Parent() == v.Pkg().Scope() {
				return works, false // what a package variable has may change
			}
		default:
			return works, false
		}
	}
	return works, only
}

// harmless reports whether a call is one of the standard library's that looks at texts only.
func (i *invariants) harmless(call *ast.CallExpr) bool {
	fn := i.Callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Signature().Recv() == nil &&
		slices.Contains([]string{"strings", "bytes", "strconv", "unicode", "unicode/utf8", "errors"}, fn.Pkg().Path())
}

// largerToo reports whether an expression around a call is work for which something holds, too: that is reported.
func (i *invariants) largerToo(cur inspector.Cursor, holds func(inspector.Cursor, *ast.CallExpr) bool) bool {
	for up := cur.Parent(); isExpr(up.Node()); up = up.Parent() {
		if call, ok := up.Node().(*ast.CallExpr); ok && i.isWork(call) && holds(up, call) {
			return true
		}
	}
	return false
}

// coldIn reports whether the loop surely ends after a node, or runs it on the way out only.
func (u *unit) coldIn(cur, l inspector.Cursor) bool {
	return u.cold(cur) || u.leavesAfter(cur, l) || u.shortLoop(l)
}

// fixed reports whether a call has arguments that are not all constant, and that the loop does not change.
func (i *invariants) fixed(cur, l inspector.Cursor) bool {
	return i.allArguments(cur.Node().(*ast.CallExpr), func(arg ast.Expr) bool {
		_, basic := i.under(arg).(*types.Basic) // others have parts that others may change
		return i.unchanging(arg, l) && (basic || i.onlyHere(arg, cur, l))
	})
}

// allArguments reports whether a call has arguments that are no constants, and something holds of these.
func (i *invariants) allArguments(call *ast.CallExpr, holds func(ast.Expr) bool) bool {
	vary := slices.DeleteFunc(slices.Clone(call.Args), i.IsConstant)
	return len(vary) > 0 && !slices.ContainsFunc(vary, func(arg ast.Expr) bool { return !holds(arg) })
}

// onlyHere reports whether a loop mentions the variable of an argument in this call alone.
func (i *invariants) onlyHere(arg ast.Expr, cur, l inspector.Cursor) bool {
	root := i.Root(arg)
	here := func(use inspector.Cursor) bool { return within(cur.Node(), use.Node().Pos()) }
	return root != nil && i.All(l, root, here)
}

// unchanging reports whether an expression has the same value at each turn of a loop, as far as can be seen: a variable
// that the loop does not set, a field of it, a getter, or work on such.
func (i *invariants) unchanging(e ast.Expr, l inspector.Cursor) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		switch obj := i.TypesInfo.ObjectOf(e).(type) {
		case *types.Const, *types.Nil, *types.TypeName:
			return true
		case *types.Var:
			return !within(l.Node(), obj.Pos()) && obj.Parent() != i.Pkg.Scope() && !i.mayChange(obj, l)
		}
	case *ast.SelectorExpr:
		if i.IsConstant(e) {
			return true
		}
		s := i.TypesInfo.Selections[e]
		return s != nil && s.Kind() == types.FieldVal && i.unchanging(e.X, l)
	case *ast.BinaryExpr:
		return i.unchanging(e.X, l) && i.unchanging(e.Y, l)
	case *ast.CallExpr:
		if to, of := i.conversion(e); to != nil {
			return i.unchanging(of, l)
		}
		sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr)
		if ok && len(e.Args) == 0 && isGetter(sel.Sel.Name) {
			return i.unchanging(sel.X, l)
		}
		return i.isWork(e) && !slices.ContainsFunc(e.Args, func(a ast.Expr) bool { return !i.unchanging(a, l) })
	}
	return false
}

func isGetter(name string) bool {
	w := words(name)
	return len(w) > 1 && w[0] == "get" || name == "String" || name == "Name"
}

// mayChange reports whether a loop sets a variable or a part of it, takes its address, or calls a method that may.
func (i *invariants) mayChange(v *types.Var, l inspector.Cursor) bool {
	return slices.ContainsFunc(i.Uses(l, v), func(use inspector.Cursor) bool {
		top := pathFrom(use)
		return syntax.IsChanged(top) || top != use && top.ParentEdgeKind() == edge.CallExpr_Fun &&
			i.changesReceiver(top)
	})
}

// changesReceiver reports whether a method that is called may change what it is called on: it has a pointer, and is no
// getter by its name.
func (i *invariants) changesReceiver(sel inspector.Cursor) bool {
	e, ok := sel.Node().(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := i.TypesInfo.Uses[e.Sel].(*types.Func)
	if !ok || fn.Signature().Recv() == nil {
		return false
	}
	word := firstWord(fn.Name())
	if _, direct := ast.Unparen(e.X).(*ast.Ident); direct && isPointer(fn.Signature().Recv().Type()) && fn.Pkg() == i.Pkg {
		return !isGetter(fn.Name()) && !slices.Contains(reads, word)
	}
	return slices.Contains(writes, word)
}

// First words of methods that only look at what they are called on, and of those that change it.
var (
	reads = []string{"is", "has", "get", "match", "matches", "contains", "find", "lookup", "len", "log", "check",
		"compare", "equal", "validate", "format"}
	writes = []string{"set", "add", "reset", "next", "scan", "read", "write", "append", "update", "push", "pop", "advance"}
)

// inCallee reports work in a function of the package that a loop calls with the same argument at each turn.
func (i *invariants) inCallee(cur inspector.Cursor, call *ast.CallExpr, l inspector.Cursor) {
	fn := i.Callee(call)
	if fn == nil || fn.Pkg() != i.Pkg || call.Ellipsis.IsValid() || i.coldIn(cur, l) {
		return
	}
	f, d := i.declared(fn.Origin())
	if d == nil || d.Body == nil {
		return
	}
	same := i.sameArguments(call, fn.Signature(), d, l)
	if len(same) == 0 {
		return
	}
	ofSame := func(_ inspector.Cursor, call *ast.CallExpr) bool {
		return i.allArguments(call, func(arg ast.Expr) bool { return i.made(arg, same, f) })
	}
	for at, inner := range below[*ast.CallExpr](f) {
		own, ok := function(at)
		if ok && own == f && i.isWork(inner) && !i.cold(at) && ofSame(at, inner) && !i.largerToo(at, ofSame) {
			i.found(inner, call)
		}
	}
}

func (i *invariants) made(e ast.Expr, same []types.Object, f inspector.Cursor) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := i.TypesInfo.ObjectOf(e).(*types.Var)
		return ok && slices.Contains(same, types.Object(v)) && !i.mayChange(v, f)
	case *ast.SelectorExpr:
		s := i.TypesInfo.Selections[e]
		return s != nil && s.Kind() == types.FieldVal && i.made(e.X, same, f)
	case *ast.CallExpr:
		if to, of := i.conversion(e); to != nil {
			return i.made(of, same, f)
		}
		if sel, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok && len(e.Args) == 0 && isGetter(sel.Sel.Name) {
			return i.made(sel.X, same, f)
		}
	}
	return false
}

// sameArguments are the parameters of a function, and its receiver, that are the same at each turn of a loop.
func (i *invariants) sameArguments(call *ast.CallExpr, sig *types.Signature, d *ast.FuncDecl, l inspector.Cursor) (
	same []types.Object) {
	names := fieldNames(d.Type.Params)
	for k, arg := range call.Args {
		one := k < len(names) && (!sig.Variadic() || k < sig.Params().Len()-1)
		if one && !i.IsConstant(arg) && i.unchanging(arg, l) {
			same = append(same, i.TypesInfo.Defs[names[k]])
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && d.Recv != nil && i.unchanging(sel.X, l) {
		if names := fieldNames(d.Recv); len(names) == 1 {
			same = append(same, i.TypesInfo.Defs[names[0]])
		}
	}
	return slices.DeleteFunc(same, func(o types.Object) bool { return o == nil })
}

func fieldNames(fields *ast.FieldList) (out []*ast.Ident) {
	for _, f := range fields.List {
		out = append(out, f.Names...)
	}
	return out
}

// declared is where a function of the package is declared.
func (i *invariants) declared(fn *types.Func) (inspector.Cursor, *ast.FuncDecl) {
	if i.decl == nil {
		i.decl = make(map[*types.Func]inspector.Cursor)
		for cur, d := range each[*ast.FuncDecl](i.unit) {
			if fn, ok := i.TypesInfo.Defs[d.Name].(*types.Func); ok {
				i.decl[fn] = cur
			}
		}
	}
	cur, ok := i.decl[fn]
	if !ok {
		return inspector.Cursor{}, nil
	}
	return cur, cur.Node().(*ast.FuncDecl)
}
