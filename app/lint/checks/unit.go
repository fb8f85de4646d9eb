package checks

import (
	"fmt"
	"go/ast"
	"go/types"
	"go/version"
	"iter"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
)

// A unit is a package under analysis, without tests and generated files.
type unit struct {
	*analysis.Pass
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
		u := &unit{Pass: pass, names: make(map[string]bool)}
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
		for _, file := range u.files {
			for cur := range file.Preorder(zero) {
				if !yield(cur, cur.Node().(N)) {
					return
				}
			}
		}
	}
}

// below yields the nodes of one type within a node, itself included.
func below[N ast.Node](cur inspector.Cursor) iter.Seq2[inspector.Cursor, N] {
	return syntax.Below[N](cur)
}

// report says what to do about an expression. A fix of what cgo made would not fit the file.
func (u *unit) report(at analysis.Range, message string, fixes ...analysis.SuggestedFix) {
	if strings.HasSuffix(u.Fset.File(at.Pos()).Name(), cgo) {
		fixes = nil
	}
	u.Report(analysis.Diagnostic{Pos: at.Pos(), End: at.End(), Category: u.Analyzer.Name, Message: message,
		SuggestedFixes: fixes})
}

// callee is the function or method that a call names, or nil: a conversion, a builtin, a variable.
func (u *unit) callee(call *ast.CallExpr) *types.Func { return syntax.Callee(u.TypesInfo, call) }

// builtin is the name of the builtin that is called, or "".
func (u *unit) builtin(call *ast.CallExpr) string { return syntax.Builtin(u.TypesInfo, call) }

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
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == path && fn.Signature().Recv() == nil &&
		slices.Contains(names, fn.Name())
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

// constant reports whether an expression has a value that the compiler knows.
func (u *unit) constant(e ast.Expr) bool { return u.TypesInfo.Types[e].Value != nil }

// isBasic reports whether a type's underlying type is of this kind
func isBasic(t types.Type, kind types.BasicKind) bool {
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == kind
}

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
