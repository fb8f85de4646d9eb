package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// A unit is a package under analysis, without tests and generated files.
type unit struct {
	*analysis.Pass
	syntax.Typed
	Pkg   *types.Package // of both
	files []inspector.Cursor
	once  map[types.Object]often // functions that run once; see runsOnce
	names map[string]bool        // that fixes have introduced
}

// check is an analyzer by the function that looks at a unit.
func check(name string, look func(*unit), doc string) *analysis.Analyzer {
	return &analysis.Analyzer{Name: name, Doc: doc, Requires: needs, Run: over(look)}
}

// over makes a Run function of one that looks at a unit.
func over(look func(*unit)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (_ any, err error) {
		defer func() {
			if p := recover(); p != nil { // of code that a check did not expect: the others still answer
				err = fmt.Errorf("%s cannot read this package: %v", pass.Analyzer.Name, p)
			}
		}()
		u := &unit{Pass: pass, Typed: syntax.Typed{Info: pass.TypesInfo, Pkg: pass.Pkg}, Pkg: pass.Pkg,
			names: make(map[string]bool)}
		root := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector).Root()
		for file := range root.Children() {
			f := file.Node().(*ast.File)
			name := pass.Fset.File(f.FileStart).Name()
			generated := ast.IsGenerated(f) && !strings.HasSuffix(name, cgo)
			if !strings.HasSuffix(name, "_test.go") && strings.HasSuffix(name, ".go") && !generated && !importsTesting(f) {
				u.files = append(u.files, file)
			}
		}
		look(u)
		return nil, nil
	}
}

// cgo ends the name of what cgo makes of a file that imports "C". Its lines are the file's, its columns are not.
const cgo = ".cgo1.go"

// importsTesting reports whether a file is a helper of tests.
func importsTesting(f *ast.File) bool {
	return slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"testing"` })
}

// needs is what over requires.
var needs = []*analysis.Analyzer{inspect.Analyzer}

// each yields the nodes of one type.
func each[N ast.Node](u *unit) iter.Seq2[inspector.Cursor, N] {
	return func(yield func(inspector.Cursor, N) bool) {
		var zero N
		for cur := range nodes(u, zero) {
			if !yield(cur, cur.Node().(N)) {
				return
			}
		}
	}
}

// below yields the nodes of one type within a node, itself included.
func below[N ast.Node](cur inspector.Cursor) iter.Seq2[inspector.Cursor, N] {
	return syntax.Below[N](cur)
}

func within(n ast.Node, at token.Pos) bool { return syntax.Within(n, at) }

// report says what to do about an expression. A fix of what cgo made would not fit the file.
func (u *unit) report(at analysis.Range, message string, fixes ...analysis.SuggestedFix) {
	if strings.HasSuffix(u.Fset.File(at.Pos()).Name(), cgo) {
		fixes = nil
	}
	u.Report(analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Category: u.Analyzer.Name, Message: message,
		SuggestedFixes: fixes})
}

// relate says what to do about an expression, with the places that pay for it.
func (u *unit) relate(at analysis.Range, message string, related ...analysis.RelatedInformation) {
	u.Report(analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Category: u.Analyzer.Name, Message: message,
		Related: related})
}

// there is a place that a diagnostic relates, and what it is to it.
func there(at analysis.Range, message string) analysis.RelatedInformation {
	return analysis.RelatedInformation{Pos: at.Pos(), End: at.End(), Message: message}
}

// A callee is some functions of a package, or methods of a type of it, and what is said of their calls.
type callee struct {
	path, typ string // typ is "" for functions, "*" for the methods of any type
	names     string // with spaces between
	says      string
}

// rowOf is the row of a table that has a function; nil if none has.
func rowOf(table []callee, fn *types.Func) *callee {
	if fn == nil || fn.Pkg() == nil {
		return nil
	}
	recv := fn.Signature().Recv()
	i := slices.IndexFunc(table, func(c callee) bool {
		return c.path == fn.Pkg().Path() && (recv == nil) == (c.typ == "") &&
			(recv == nil || c.typ == "*" || isNamed(recv.Type(), c.path, c.typ)) &&
			slices.Contains(strings.Fields(c.names), fn.Name())
	})
	if i < 0 {
		return nil
	}
	return &table[i]
}

// A site is a call of what a table has.
type site struct {
	*ast.CallExpr
	*callee // its row
	fn      *types.Func
}

// calls yields the calls of what a table has, but those that run once.
func (u *unit) calls(table ...callee) iter.Seq2[inspector.Cursor, site] {
	return func(yield func(inspector.Cursor, site) bool) {
		for cur, call := range each[*ast.CallExpr](u) {
			fn := u.Callee(call)
			if row := rowOf(table, fn); row != nil && !u.runsOnce(cur) && !yield(cur, site{call, row, fn}) {
				return
			}
		}
	}
}

// tell reports the calls of a table, but those that run once.
func tell(table []callee) func(*unit) {
	return func(u *unit) {
		for _, c := range u.calls(table...) {
			u.report(c, c.says)
		}
	}
}

// conversion reports whether a call is a conversion, and to what.
func (u *unit) conversion(e ast.Expr) (to types.Type, of ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || len(call.Args) != 1 || !u.TypesInfo.Types[call.Fun].IsType() {
		return nil, nil
	}
	return u.TypesInfo.TypeOf(call), call.Args[0]
}

// isFunc reports whether fn is one of these functions of a package.
func isFunc(fn *types.Func, path string, names ...string) bool {
	return syntax.IsFunc(fn, path, names...)
}

// isMethod, isNamed and most of place.go are questions of package syntax.
func isMethod(fn *types.Func, path, typ string, names ...string) bool {
	return syntax.IsMethod(fn, path, typ, names...)
}

func isNamed(t types.Type, path, name string) bool { return syntax.IsNamed(t, path, name) }

func deref(t types.Type) types.Type { return syntax.Deref(t) }

// under is the underlying type of an expression. The blank identifier has none, nor has the variable of a type switch.
func (u *unit) under(e ast.Expr) types.Type {
	if t := u.TypesInfo.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return types.Typ[types.Invalid]
}

// isBasic reports whether a type's underlying type is of this kind
func isBasic(t types.Type, kind types.BasicKind) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == kind
}

// isString reports whether an expression's type is a kind of string.
func (u *unit) isString(e ast.Expr) bool { return isBasic(u.TypesInfo.TypeOf(e), types.String) }

// isBytes reports whether a type is []byte.
func isBytes(t types.Type) bool {
	if t == nil {
		return false
	}
	s, ok := t.Underlying().(*types.Slice)
	return ok && isBasic(s.Elem(), types.Uint8)
}

// before reports whether the file is written for a Go older than this one. A file of unknown version is not.
func (u *unit) before(cur inspector.Cursor, release string) bool {
	for file := range cur.Enclosing((*ast.File)(nil)) {
		v := u.TypesInfo.FileVersions[file.Node().(*ast.File)]
		return version.IsValid(v) && version.Compare(v, release) < 0
	}
	return false
}

// nodes yields the nodes of some types.
func nodes(u *unit, kinds ...ast.Node) iter.Seq[inspector.Cursor] {
	return func(yield func(inspector.Cursor) bool) {
		for _, file := range u.files {
			for cur := range file.Preorder(kinds...) {
				if !yield(cur) {
					return
				}
			}
		}
	}
}

func function(cur inspector.Cursor) (inspector.Cursor, bool) { return syntax.Function(cur) }
func loop(cur inspector.Cursor) (inspector.Cursor, bool)     { return syntax.Loop(cur) }
func declaration(cur inspector.Cursor) *ast.FuncDecl         { return syntax.Declaration(cur) }
func body(f inspector.Cursor) *ast.BlockStmt                 { return syntax.Body(f) }

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
			return u.Builtin(p) == "append"
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
	return !ok || u.ofPackage(id)
}

// methodUsed is the method or field that a mention of a value selects; "" where it selects none.
func methodUsed(use inspector.Cursor) string {
	if sel, ok := use.Parent().Node().(*ast.SelectorExpr); ok && use.ParentEdgeKind() == edge.SelectorExpr_X {
		return sel.Sel.Name
	}
	return ""
}

// turns is the loop around a node that surely goes on behind it, of more turns than somebody wrote.
func (u *unit) turns(cur inspector.Cursor) (l inspector.Cursor, ok bool) {
	l, ok = loop(cur)
	return l, ok && !u.leavesAfter(cur, l) && !u.shortLoop(l)
}

// some reports whether something holds of a node, or of one below it.
func some(n ast.Node, holds func(ast.Node) bool) bool { return syntax.Some(n, holds) }

// receiver is what a method is called on; nil of other calls.
func receiver(call *ast.CallExpr) ast.Expr {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		return sel.X
	}
	return nil
}

// takesAny reports whether something holds of a parameter of a function.
func (u *unit) takesAny(f inspector.Cursor, holds func(*types.Var) bool) bool {
	sig := u.Signature(f)
	return sig != nil && slices.ContainsFunc(slices.Collect(sig.Params().Variables()), holds)
}

// isAny reports whether a type, or what it points to, is one of these: "net/http.Request".
func isAny(t types.Type, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		i := strings.LastIndexByte(name, '.')
		return isNamed(t, name[:i], name[i+1:])
	})
}

// serves reports whether a function handles requests of HTTP.
func (u *unit) serves(f inspector.Cursor) bool {
	return u.takesAny(f, func(v *types.Var) bool {
		return isAny(v.Type(), "net/http.Request", "net/http.ResponseWriter", "github.com/gin-gonic/gin.Context")
	})
}

// fatal are what ends a function by an error, a panic or the end of the process.
var fatal = []callee{{"log", "", "Fatal Fatalf Fatalln Panic Panicf", ""}, {"errors", "", "New Join", ""},
	{"fmt", "", "Errorf", ""}, {"os", "", "Exit", ""}}

// cold reports whether a node is on the way out of a function by an error, a panic or the end of the process: within
// the arguments of panic, log.Fatal, errors.New, or of a call that makes the error which is returned.
func (u *unit) cold(cur inspector.Cursor) bool {
	for up := range cur.Enclosing((*ast.CallExpr)(nil)) {
		call := up.Node().(*ast.CallExpr)
		if u.Builtin(call) == "panic" || rowOf(fatal, u.Callee(call)) != nil {
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

func isError(t types.Type) bool { return syntax.IsError(t) }

// makesError reports whether a type is an error, or one's own kind of it.
func makesError(t types.Type) bool {
	return types.Implements(t, types.Universe.Lookup("error").Type().Underlying().(*types.Interface))
}

// hoist makes an expression the value of a package variable above the function that it is in. It does so only when
// everything that the expression mentions exists there, too.
func (u *unit) hoist(cur inspector.Cursor, noun string) []analysis.SuggestedFix {
	decl := declaration(cur)
	e := cur.Node().(ast.Expr)
	if decl == nil || u.MentionsLocals(cur) {
		return nil
	}
	source := u.source(e)
	if source == "" {
		return nil
	}
	name := u.freshName(cur, syntax.Lower(decl.Name.Name)+noun)
	at := decl.Pos()
	if decl.Doc != nil {
		at = decl.Doc.Pos()
	}
	return []analysis.SuggestedFix{{
		Message: fmt.Sprintf("Make it once, in the package variable %s", name),
		TextEdits: []analysis.TextEdit{
			{Pos: at, End: at, NewText: []byte("var " + name + " = " + source + "\n\n")},
			{Pos: e.Pos(), End: e.End(), NewText: []byte(name)},
		},
	}}
}

// source is the text of a node, or "" if the file cannot be read.
func (u *unit) source(n ast.Node) string {
	file := u.Fset.File(n.Pos())
	text, err := u.ReadFile(file.Name())
	from, to := file.Offset(n.Pos()), file.Offset(n.End())
	if err != nil || to > len(text) {
		return ""
	}
	return string(text[from:to])
}

// freshName is a name that is free in the package and where it will be used.
func (u *unit) freshName(cur inspector.Cursor, want string) string {
	name := syntax.Numbered(want, func(name string) bool { return u.names[name] || u.taken(cur, name) })
	u.names[name] = true
	return name
}

// taken reports whether a name means something at a node, or in the package or a file of it.
func (u *unit) taken(cur inspector.Cursor, name string) bool {
	if types.Universe.Lookup(name) != nil || u.Pkg.Scope().Lookup(name) != nil {
		return true
	}
	for _, f := range u.Files {
		if s := u.TypesInfo.Scopes[f]; s != nil && s.Lookup(name) != nil {
			return true
		}
	}
	inner := u.Pkg.Scope().Innermost(cur.Node().Pos())
	if inner == nil {
		return true
	}
	_, obj := inner.LookupParent(name, cur.Node().Pos())
	return obj != nil
}
