package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// deferLoop makes the body of a loop a function, so that what it defers runs at the end of each turn and not when the
// function around it ends.
func deferLoop(u *Unit) (out changes) {
	done := make(map[ast.Node]bool)
	for cur, d := range each[*ast.DeferStmt](u) {
		l, ok := loop(cur)
		f, inFunction := function(cur)
		if !ok || !inFunction || done[l.Node()] || !u.givesBack(d) {
			continue
		}
		done[l.Node()] = true
		t := turn{Unit: u, f: f, l: l, block: loopBody(l.Node())}
		if why := t.look(); why != "" {
			out.add(u.refuse(d, why))
			continue
		}
		out.add(t.made(d))
	}
	return out
}

// givesBack reports whether a deferred call closes or stops what a variable holds. A cancel is left alone: what else
// has its context is not known.
func (u *Unit) givesBack(d *ast.DeferStmt) bool {
	sel, ok := d.Call.Fun.(*ast.SelectorExpr)
	if !ok || len(d.Call.Args) > 0 || !isPath(sel.X) {
		return false
	}
	fn := u.Callee(d.Call)
	return fn != nil && (fn.Name() == "Close" || fn.Name() == "Stop")
}

func loopBody(l ast.Node) *ast.BlockStmt {
	switch l := l.(type) {
	case *ast.RangeStmt:
		return l.Body
	case *ast.ForStmt:
		return l.Body
	}
	return nil
}

// A turn is the body of a loop that becomes a function.
type turn struct {
	*Unit
	f, l  inspector.Cursor
	block *ast.BlockStmt

	continues []*ast.BranchStmt // of this loop
	returns   []*ast.ReturnStmt // of the function around it: they have an error for sure
}

// look reads how a turn ends, and where what it closes goes.
func (t *turn) look() (why string) {
	if t.block == nil {
		return "the loop's head has it"
	}
	body, _ := t.l.FindNode(t.block)
	for cur, b := range below[*ast.BranchStmt](body) {
		if g, _ := function(cur); g != t.f {
			continue
		}
		switch {
		case b.Label != nil || b.Tok == token.GOTO:
			return "a turn jumps out of it"
		case b.Tok == token.CONTINUE && t.of(cur):
			t.continues = append(t.continues, b)
		case b.Tok == token.BREAK && t.of(cur):
			return "a turn ends the loop"
		}
	}
	for cur, r := range below[*ast.ReturnStmt](body) {
		if g, _ := function(cur); g != t.f {
			continue
		}
		if why := t.returned(cur, r); why != "" {
			return why
		}
		t.returns = append(t.returns, r)
	}
	for cur, d := range below[*ast.DeferStmt](body) {
		if g, _ := function(cur); g != t.f {
			continue
		}
		if why := t.staysInTurn(d); why != "" {
			return why
		}
	}
	return ""
}

// of reports whether a break or continue is the loop's own, and not that of a loop, select or switch within.
func (t *turn) of(cur inspector.Cursor) bool {
	isBreak := cur.Node().(*ast.BranchStmt).Tok == token.BREAK
	for up := cur.Parent(); up != t.l; up = up.Parent() {
		switch up.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			return false
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			if isBreak {
				return false
			}
		}
	}
	return true
}

// returned says why a return of the function cannot be one of the turn. It can if it has an error that is not nil, and
// otherwise what all returns of the loop have alike.
func (t *turn) returned(cur inspector.Cursor, r *ast.ReturnStmt) string {
	const other = "a turn returns from the function with more than an error"
	sig := t.Signature(t.f)
	if sig == nil || sig.Results().Len() == 0 || len(r.Results) != sig.Results().Len() ||
		!isError(sig.Results().At(sig.Results().Len()-1).Type()) {
		return other
	}
	for i, e := range r.Results[:len(r.Results)-1] {
		lit, isLit := e.(*ast.BasicLit)
		if !t.IsNil(e) && !(isLit && lit.Value != "") && t.text(e) != "false" {
			return other
		}
		if len(t.returns) > 0 && t.text(t.returns[0].Results[i]) != t.text(e) {
			return other
		}
	}
	if !t.isFailure(cur, r.Results[len(r.Results)-1]) {
		return "a turn may return without an error, which ends the loop"
	}
	return ""
}

// isFailure reports whether an error is not nil: it was made here, or is returned where it was found not to be nil.
func (t *turn) isFailure(cur inspector.Cursor, e ast.Expr) bool {
	if call, ok := e.(*ast.CallExpr); ok {
		return isFunc(t.Callee(call), "fmt", "Errorf") || isFunc(t.Callee(call), "errors", "New")
	}
	if cur.ParentEdgeKind() != edge.BlockStmt_List {
		return false
	}
	i, ok := cur.Parent().Parent().Node().(*ast.IfStmt)
	if !ok || cur.Parent().ParentEdgeKind() != edge.IfStmt_Body {
		return false
	}
	b, ok := i.Cond.(*ast.BinaryExpr)
	id, isIdent := e.(*ast.Ident)
	return ok && isIdent && b.Op == token.NEQ && t.IsUse(b.X, t.Info.ObjectOf(id)) && t.IsNil(b.Y)
}

// staysInTurn says if what a deferred call closes may be used after the turn.
func (t *turn) staysInTurn(d *ast.DeferStmt) string {
	sel, ok := d.Call.Fun.(*ast.SelectorExpr)
	if !ok {
		return "another call is deferred in the turn"
	}
	v, ok := t.Root(sel.X).(*types.Var)
	if !ok || v.Pos() < t.block.Pos() || v.Pos() > t.block.End() {
		return "what it closes is from outside of the turn"
	}
	for _, use := range t.Uses(t.f, v) {
		if g, _ := function(use); g != t.f {
			return "a function literal uses what it closes, and may run later"
		}
		if !t.passes(use) {
			return "what it closes is stored, returned or given away, and may be used after the turn"
		}
	}
	return ""
}

// passes reports whether a mention of a variable only calls a method of it, compares it, reads a field, or gives it to
// a function that is known to be done with it when it returns, or whose result does not leave the turn.
func (t *turn) passes(use inspector.Cursor) bool {
	for {
		switch p := use.Parent().Node().(type) {
		case *ast.SelectorExpr:
			if use.Parent().ParentEdgeKind() == edge.CallExpr_Fun {
				return true
			}
			use = use.Parent()
			continue
		case *ast.BinaryExpr:
			return true
		case *ast.AssignStmt:
			return use.ParentEdgeKind() == edge.AssignStmt_Lhs && use.ParentEdgeIndex() < len(p.Lhs)
		case *ast.CallExpr:
			if use.ParentEdgeKind() != edge.CallExpr_Args {
				return false
			}
			fn := t.Callee(p)
			if isFunc(fn, "io", "ReadAll", "Copy", "CopyN", "CopyBuffer", "ReadFull", "WriteString") ||
				isFunc(fn, "fmt", "Fprintf", "Fprint", "Fprintln", "Fscan", "Fscanf", "Fscanln") {
				return true
			}
			if !isFunc(fn, "bufio", "NewReader", "NewScanner", "NewWriter", "NewReaderSize") &&
				!isFunc(fn, "encoding/json", "NewDecoder", "NewEncoder") && !isFunc(fn, "encoding/csv", "NewReader") &&
				!isFunc(fn, "io", "LimitReader") {
				return false
			}
			if sel, ok := use.Parent().Parent().Node().(*ast.SelectorExpr); ok && sel.X == p {
				return true // json.NewDecoder(f).Decode(&v)
			}
			v := t.Assigned(use.Parent())
			return v != nil && t.block.Pos() <= v.Pos() && v.Pos() < t.block.End() && t.staysHere(v)
		}
		return false
	}
}

// staysHere reports whether a reader around what is closed is only used by its methods.
func (t *turn) staysHere(v *types.Var) bool {
	return t.All(t.f, v, func(use inspector.Cursor) bool {
		g, _ := function(use)
		_, selected := use.Parent().Node().(*ast.SelectorExpr)
		return g == t.f && selected && use.Parent().ParentEdgeKind() == edge.CallExpr_Fun
	})
}

// made is the change.
func (t *turn) made(d *ast.DeferStmt) *Change {
	c := t.change(d, "make the turn a function, at whose end this runs")
	c.cures(t.l.Node())
	in := t.indent(t.l.Node())
	for _, b := range t.continues {
		text := "return"
		if len(t.returns) > 0 {
			text = "return nil"
		}
		c.replace(b.Pos(), b.End(), text)
	}
	if len(t.returns) == 0 {
		c.insert(t.block.Lbrace+1, "\n"+in+"\tfunc() {")
		c.insert(t.block.Rbrace, "\t}()\n"+in)
		return c
	}
	first := t.returns[0].Results
	before := ""
	for _, e := range first[:len(first)-1] {
		before += t.text(e) + ", "
	}
	for _, r := range t.returns {
		last := r.Results[len(r.Results)-1]
		c.replace(r.Results[0].Pos(), last.Pos(), "")
	}
	c.insert(t.block.Lbrace+1, "\n"+in+"\tif err := func() error {")
	tail := "\treturn nil\n" + in + "\t}(); err != nil {\n" + in + "\t\treturn " + before + "err\n" + in + "\t}\n" + in
	c.insert(t.block.Rbrace, tail)
	return c
}
