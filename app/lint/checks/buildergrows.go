package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

var builderGrows = check("buildergrows", findBuilderGrows, `report a strings.Builder that grows from nothing

It doubles as append does, and copies what it had: a text of 10 kB that is put together of pieces takes twice that and more.
Grow makes room once, for what the pieces come to or a text usually is.

It counts only with heat, by what growing allocates on the lines that write. Reported are builders of a function that are
written to in a loop, or by many statements. Not reported: those with a Grow, or that are given to others, which may have
one; and what runs once.`)

// manyWrites is how many statements write to a builder that grows several times without a loop.
const manyWrites = 4

func findBuilderGrows(u *unit) {
	for cur := range nodes(u, (*ast.ValueSpec)(nil), (*ast.CompositeLit)(nil), (*ast.CallExpr)(nil)) {
		f, ok := function(cur)
		if !ok || !u.emptyBuilder(cur) || u.runsOnce(cur) {
			continue
		}
		v := u.bufferVar(cur)
		if v == nil || v.Kind() != types.LocalVar {
			continue
		}
		if writes := u.buildsText(f, v); writes != nil {
			u.Report(analysis.Diagnostic{Pos: cur.Node().Pos(), End: cur.Node().End(), Category: u.Analyzer.Name,
				Message: v.Name() + " grows from nothing: Grow it to what the pieces come to, or to what is usual", Related: writes})
		}
	}
}

// emptyBuilder reports whether a node makes a strings.Builder: var b strings.Builder, strings.Builder{},
// new(strings.Builder).
func (u *unit) emptyBuilder(cur inspector.Cursor) bool {
	isBuilder := func(e ast.Expr) bool {
		t := u.TypesInfo.TypeOf(e)
		return t != nil && !isPointer(t) && isNamed(t, "strings", "Builder")
	}
	switch n := cur.Node().(type) {
	case *ast.ValueSpec:
		return len(n.Names) == 1 && len(n.Values) == 0 && isBuilder(n.Type)
	case *ast.CompositeLit:
		return len(n.Elts) == 0 && isBuilder(n)
	case *ast.CallExpr:
		return u.builtin(n) == "new" && isBuilder(n.Args[0])
	}
	return false
}

// buildsText are the statements that write to a builder; nil where these are few, or it is given room, or to others than
// fmt.
func (u *unit) buildsText(f inspector.Cursor, v *types.Var) (writes []analysis.RelatedInformation) {
	looped := false
	for _, use := range u.uses(f, v) {
		if addr, ok := use.Parent().Node().(*ast.UnaryExpr); ok && addr.Op == token.AND {
			use = use.Parent()
		}
		switch p := use.Parent().Node().(type) {
		case *ast.SelectorExpr:
			switch p.Sel.Name {
			case "String", "Len":
				continue
			case "WriteString", "WriteByte", "WriteRune", "Write":
			default:
				return nil
			}
		case *ast.CallExpr:
			if !isFunc(u.callee(p), "fmt", "Fprintf", "Fprint", "Fprintln") {
				return nil
			}
		default:
			return nil
		}
		l, again := loop(use)
		looped = looped || again && !within(l.Node(), v.Pos())
		n := statement(use)
		writes = append(writes, analysis.RelatedInformation{Pos: n.Pos(), End: n.End(), Message: "is written to here"})
	}
	if !looped && len(writes) < manyWrites {
		return nil
	}
	return writes
}
