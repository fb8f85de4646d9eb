package escape

import (
	"bytes"
	"go/ast"
	"go/constant"
	"go/printer"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A sourceFile is a file of which lines were hot, with what is known of its types.
type sourceFile struct {
	path   string
	fset   *token.FileSet
	syntax *ast.File
	info   *types.Info
	sizes  types.Sizes
	pkg    *types.Package

	sites []*allocation // all that may allocate, in the order of the file
	funcs []span        // its functions, outer ones first
	loops []span
}

// A span is a function or a loop.
type span struct {
	node     ast.Node
	from, to int // lines
}

// newSourceFile looks a file over once.
func newSourceFile(path string, p *packages.Package, syntax *ast.File) *sourceFile {
	f := &sourceFile{path: path, fset: p.Fset, syntax: syntax, info: p.TypesInfo, sizes: p.TypesSizes, pkg: p.Types}
	w := &walker{file: f}
	ast.Inspect(syntax, w.visit)
	return f
}

// typeText is a type as this file writes it.
func (f *sourceFile) typeText(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string {
		if p == f.pkg {
			return ""
		}
		return p.Name()
	})
}

func (f *sourceFile) line(p token.Pos) int { return f.fset.Position(p).Line }

func (f *sourceFile) at(p token.Pos) Place {
	pos := f.fset.Position(p)
	return Place{File: f.path, Line: pos.Line, Column: pos.Column}
}

// typeOf is the type of an expression; nil where it is not known.
func (f *sourceFile) typeOf(e ast.Expr) types.Type {
	if t := f.info.TypeOf(e); t != nil && t != types.Typ[types.Invalid] {
		return t
	}
	return nil
}

func (f *sourceFile) isConst(e ast.Expr) bool { return f.info.Types[e].Value != nil }

// begins reports whether a function begins on a line. A profile says where the functions of its stacks begin, so that
// source which was edited since is noticed.
func (f *sourceFile) begins(line int) bool {
	for _, s := range f.funcs {
		if s.from == line {
			return true
		}
	}
	return false
}

// function is the innermost function around a line; nil for none.
func (f *sourceFile) function(line int) (inner ast.Node) {
	for _, s := range f.funcs {
		if s.from <= line && line <= s.to {
			inner = s.node
		}
	}
	return inner
}

// inLoop reports whether a line is within a loop.
func (f *sourceFile) inLoop(line int) bool {
	for _, s := range f.loops {
		if s.from <= line && line <= s.to {
			return true
		}
	}
	return false
}

// maxExpr is how many bytes of an expression are shown.
const maxExpr = 48

// text is an expression as a person needs it: on one line, and not long.
func (f *sourceFile) text(n ast.Node) string {
	if lit, ok := n.(*ast.FuncLit); ok {
		return "func" + strings.TrimPrefix(f.text(lit.Type), "func") + " {…}"
	}
	var b bytes.Buffer
	if printer.Fprint(&b, f.fset, n) != nil {
		return ""
	}
	return shorten(strings.Join(strings.Fields(b.String()), " "), maxExpr)
}

// shorten cuts a text to n characters at most.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// position is where the compiler says that an expression is (cmd/compile/internal/syntax): at its operator, its
// parenthesis, its brace.
func position(e ast.Node) token.Pos {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.OpPos
	case *ast.CallExpr:
		return e.Lparen
	case *ast.SelectorExpr:
		return e.X.End()
	case *ast.IndexExpr:
		return e.Lbrack
	case *ast.IndexListExpr:
		return e.Lbrack
	case *ast.SliceExpr:
		return e.Lbrack
	case *ast.CompositeLit:
		return e.Lbrace
	case *ast.TypeAssertExpr:
		return e.X.End()
	case *ast.KeyValueExpr:
		return e.Colon
	}
	return e.Pos()
}

// object is what an expression that is called stands for; nil if it is not a name.
func (f *sourceFile) object(fun ast.Expr) types.Object {
	fun = ast.Unparen(fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	switch x := fun.(type) {
	case *ast.Ident:
		return f.info.Uses[x]
	case *ast.SelectorExpr:
		return f.info.Uses[x.Sel]
	}
	return nil
}

// callee is the name of the function that is called: "fmt.Fprintf", "(*bytes.Buffer).Write", "w.Write" of an interface
// or a variable; dynamic is true of the latter, of which the compiler does not know what they do.
func (f *sourceFile) callee(call *ast.CallExpr) (name string, dynamic bool) {
	switch o := f.object(call.Fun).(type) {
	case *types.Func:
		return nameOf(o), isInterfaceMethod(o)
	case *types.Builtin, *types.TypeName:
		return o.Name(), false
	}
	return f.text(call.Fun), true
}

// fullName is the name of a function with the path of its package, "(*encoding/json.Encoder).Encode"; "" of a variable.
func (f *sourceFile) fullName(fun ast.Expr) string {
	switch o := f.object(fun).(type) {
	case *types.Func:
		return o.FullName()
	case *types.Builtin:
		return o.Name()
	}
	return ""
}

func isInterfaceMethod(o *types.Func) bool {
	recv := o.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// nameOf is a function as people write it: the package's last element, and the receiver's type.
func nameOf(o *types.Func) string {
	short := func(p *types.Package) string { return p.Name() }
	if recv := o.Signature().Recv(); recv != nil {
		t := types.TypeString(recv.Type(), short)
		if strings.HasPrefix(t, "*") {
			t = "(" + t + ")"
		}
		return t + "." + o.Name()
	}
	if o.Pkg() == nil {
		return o.Name()
	}
	return o.Pkg().Name() + "." + o.Name()
}

// constant is the value of a constant expression.
func (f *sourceFile) constant(e ast.Expr) (int64, bool) {
	v := f.info.Types[e].Value
	if v == nil {
		return 0, false
	}
	return constant.Int64Val(constant.ToInt(v))
}
