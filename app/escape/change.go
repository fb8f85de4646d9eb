package escape

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// smallValue is how many bytes are cheap to copy: a cache line or two.
const smallValue = 128

// change is what would keep a candidate off the heap; "" where nothing general is known. It never says that there is a
// change for what has none: a channel is on the heap.
func (c *candidate) change(f *sourceFile) string {
	s := sinkOf(c.remark)
	switch c.kind {
	case Variable, New:
		return c.changeObject(f, s)
	case Make:
		return c.changeMake(s)
	case Append:
		return c.changeAppend(f)
	case Moved:
		return "Let the caller pass a slice with room, if it can keep one."
	case MakeMap, MapLit:
		return c.changeMap(f)
	case MapGrow:
		return c.changeGrowth(f)
	case SliceLit:
		return c.changeLiteral(f)
	case MakeChan:
		return "Make it once and use it again, or wait with a sync.WaitGroup: a channel is always on the heap."
	case Concat:
		return c.changeConcat(f)
	case ToBytes, ToString:
		return c.changeConversion(f)
	case Box, Variadic:
		return c.changeBox(f)
	case Closure:
		return c.changeClosure(s)
	case Method:
		return "Take the method value once and keep it, or pass the receiver: x.M makes a closure each time."
	case Go:
		return "Give the work to goroutines that stay: what a new one is called with is always on the heap."
	case Defer:
		return "Move the body of the loop into a function: outside of loops a defer takes nothing."
	}
	return ""
}

// changeObject is for a variable or an object of which the address gets away.
func (c *candidate) changeObject(f *sourceFile, s sink) string {
	small := c.alloc != nil && c.alloc.size > 0 && c.alloc.size <= smallValue
	switch {
	case s.how == "too large for stack":
		return "Keep one and use it again: variables up to 128 KiB and new objects up to 64 KiB have room on the stack."
	case c.captured():
		return "Pass it to the function literal as an argument, or assign it only once: then it is captured by value."
	case s.returned() && c.becomesError(f):
		return "Make it once, as a package's variable, if it is always the same."
	case s.returned() && small:
		return "Return the value and not its address, or let the caller pass what is to be filled."
	case s.returned():
		return "Let the caller pass what is to be filled, if it can keep one."
	case s.how == "call parameter" && f.dynamicAt(s.at):
		return "Call a function that the compiler knows, not one of an interface or a variable; or keep the object " +
			"between calls, in a field or a sync.Pool."
	case s.how == "call parameter":
		return "Keep the object between calls, in a field or a sync.Pool, or pass it by value."
	case s.how == "send" && small:
		return "Send the value and not its address."
	case strings.HasPrefix(s.how, "assign") && small:
		return "Store the value and not its address, so that it is a part of what holds it."
	case strings.HasPrefix(s.how, "assign"):
		return "Use objects again (a free list, a sync.Pool) where it is known when they are done with."
	}
	return ""
}

// captured reports whether the address is what a function literal captures.
func (c *candidate) captured() bool {
	if c.remark == nil || c.kind != Variable {
		return false
	}
	for _, f := range c.remark.Flow {
		for _, s := range f.Steps {
			if s.Why == "reference" {
				return true
			}
		}
	}
	return false
}

// becomesError reports whether an object is returned as an error.
func (c *candidate) becomesError(f *sourceFile) bool {
	e, ok := node[ast.Expr](c.alloc)
	if !ok {
		return false
	}
	t := f.typeOf(e)
	errorType := types.Universe.Lookup("error").Type().Underlying().(*types.Interface)
	return t != nil && types.Implements(t, errorType)
}

func (c *candidate) changeMake(s sink) string {
	switch {
	case s.how == "too large for stack":
		return "Keep one and use it again: up to 64 KiB have room on the stack."
	case c.remark == nil:
		return "Make it of a constant size, up to 64 KiB, and take a part of it; or keep one and use it again."
	case s.returned():
		return "Let the caller pass the buffer in, as append-like functions do, so that it can be used again."
	case s.how == "call parameter":
		return "Keep the buffer between calls, in a field or a sync.Pool."
	}
	return "Use buffers again (a sync.Pool, a free list) where it is known when they are done with."
}

func (c *candidate) changeAppend(f *sourceFile) string {
	call, ok := node[*ast.CallExpr](c.alloc)
	if !ok || len(call.Args) == 0 {
		return ""
	}
	dest := ast.Unparen(call.Args[0])
	if c.copies(f) {
		if n, ok := ast.Unparen(call.Args[len(call.Args)-1]).(*ast.CallExpr); ok && callsBuiltin(n, "make") {
			return c.changeMake(sinkOf(c.remark))
		}
		return "This copies: do it only where the original is changed afterwards."
	}
	if over, t := c.rangesOver(f), f.typeOf(dest); over != "" && c.madeHere(f, dest) {
		return fmt.Sprintf("Make it with room before the loop: %s := make(%s, 0, %s).", f.text(dest), f.typeText(t), over)
	}
	switch {
	case c.madeHere(f, dest):
		return "Make it with room for what will come, make(…, 0, n), or keep one and begin again with s = s[:0]."
	case isField(dest):
		return "Begin again with s = s[:0] and not with nil, so that its room is used again; or make room once with " +
			"slices.Grow."
	}
	return "Let the caller pass a slice with room, or make room once with slices.Grow."
}

// isEmpty reports whether an expression is a slice with nothing in it, made on the spot: []byte(nil), []T{}.
func (f *sourceFile) isEmpty(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		tv := f.info.Types[e.Fun]
		return tv.IsType() && len(e.Args) == 1 && f.info.Types[e.Args[0]].IsNil()
	case *ast.Ident:
		return f.info.Types[e].IsNil()
	}
	return false
}

func isField(e ast.Expr) bool {
	_, ok := e.(*ast.SelectorExpr)
	return ok
}

// rangesOver is the length of what the loop around goes over: "len(xs)"; "" without such a loop.
func (c *candidate) rangesOver(f *sourceFile) string {
	for i := len(c.alloc.parents) - 1; i >= 0; i-- {
		switch p := c.alloc.parents[i].(type) {
		case *ast.FuncLit, *ast.FuncDecl, *ast.ForStmt:
			return ""
		case *ast.RangeStmt:
			x := f.text(p.X)
			t := f.typeOf(p.X)
			if t == nil || strings.ContainsAny(x, "(…") {
				return ""
			}
			switch u := t.Underlying().(type) {
			case *types.Slice, *types.Map:
				return "len(" + x + ")"
			case *types.Basic:
				if u.Info()&types.IsInteger != 0 {
					return x
				}
			}
			return ""
		}
	}
	return ""
}

// madeHere reports whether a variable is one that the function around declares without anything in it.
func (c *candidate) madeHere(f *sourceFile, e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	o := f.info.Uses[id]
	if o == nil {
		return false
	}
	found := false
	ast.Inspect(c.enclosing(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			for _, name := range n.Names {
				found = found || f.info.Defs[name] == o && len(n.Values) == 0
			}
		case *ast.AssignStmt:
			for i, l := range n.Lhs {
				if d, ok := l.(*ast.Ident); ok && f.info.Defs[d] == o && n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
					found = found || f.isEmpty(ast.Unparen(n.Rhs[i])) || f.isUnsized(n.Rhs[i])
				}
			}
		}
		return !found
	})
	return found
}

// isUnsized reports whether an expression makes a map without a hint, or a slice of length 0 without room.
func (f *sourceFile) isUnsized(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !callsBuiltin(call, "make") {
		return false
	}
	if len(call.Args) == 1 {
		return true
	}
	n, ok := f.constant(call.Args[len(call.Args)-1])
	return ok && n == 0
}

// callsBuiltin reports whether a call is of a function with one of the language's names.
func callsBuiltin(call *ast.CallExpr, name string) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == name
}

// enclosing is the outermost function around.
func (c *candidate) enclosing() ast.Node {
	for _, p := range c.alloc.parents {
		if isFunc(p) {
			return p
		}
	}
	return c.alloc.node
}

func (c *candidate) changeMap(f *sourceFile) string {
	if lit, ok := node[*ast.CompositeLit](c.alloc); ok && f.allConstant(lit) {
		return "Make it once, as a package's variable."
	}
	if call, ok := node[*ast.CallExpr](c.alloc); ok && len(call.Args) > 1 {
		return "Keep the map and clear it: one that stays in its function and is small (8 entries) has room on the stack."
	}
	return "Make it with a size where that is known, or keep the map and clear it."
}

// changeGrowth is for a map that grows.
func (c *candidate) changeGrowth(f *sourceFile) string {
	index, ok := node[*ast.IndexExpr](c.alloc)
	if !ok {
		return ""
	}
	dest := ast.Unparen(index.X)
	if c.madeHere(f, dest) {
		if over := c.rangesOver(f); over != "" {
			return fmt.Sprintf("Make the map for what will come: make(%s, %s).", f.typeText(f.typeOf(dest)), over)
		}
		return "Make the map with the number of entries that will come, or keep one and clear it."
	}
	return "Make the map with the number of entries that will come; if it is made anew each time, keep it and clear it."
}

func (c *candidate) changeLiteral(f *sourceFile) string {
	if lit, ok := node[*ast.CompositeLit](c.alloc); ok && f.allConstant(lit) {
		return "Make it once, as a package's variable, if nobody changes it."
	}
	return "Keep a slice between calls and append to s[:0], or let the caller pass one."
}

func (f *sourceFile) allConstant(lit *ast.CompositeLit) bool {
	for _, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if !f.isConst(kv.Key) {
				return false
			}
			e = kv.Value
		}
		inner, ok := e.(*ast.CompositeLit)
		if ok && !f.allConstant(inner) || !ok && !f.isConst(e) {
			return false
		}
	}
	return len(lit.Elts) > 0
}

func (c *candidate) changeConcat(f *sourceFile) string {
	if c.alloc == nil {
		return ""
	}
	if a, ok := c.alloc.node.(*ast.AssignStmt); ok && a.Tok == token.ADD_ASSIGN && f.inLoop(c.alloc.at.Line) {
		return "Use a strings.Builder, with Grow where the length is known: each += copies all that is there."
	}
	switch p := parent(c.alloc).(type) {
	case *ast.IndexExpr:
		if _, ok := typeAs[*types.Map](f.typeOf(p.X)); ok {
			return "Use a struct of the parts as the key: it takes no new string."
		}
	case *ast.CallExpr:
		if name, _ := f.callee(p); strings.HasSuffix(name, ".WriteString") {
			return "Write the parts one after the other."
		}
	}
	return "Append the parts to a []byte that is used again, or write them one after the other where they go."
}

func parent(a *allocation) ast.Node {
	if a == nil || len(a.parents) == 0 {
		return nil
	}
	return a.parents[len(a.parents)-1]
}

func (c *candidate) changeConversion(f *sourceFile) string {
	call, ok := node[*ast.CallExpr](c.alloc)
	if !ok {
		return ""
	}
	if s, ok := typeAs[*types.Slice](f.typeOf(call)); ok && c.kind == ToBytes {
		if b, ok := s.Elem().Underlying().(*types.Basic); ok && b.Kind() == types.Int32 {
			return "Range over the string itself, or use unicode/utf8: that takes no copy."
		}
	}
	var taker ast.Expr
	if p, ok := parent(c.alloc).(*ast.CallExpr); ok {
		taker = p.Fun
	}
	switch {
	case c.kind == ToBytes && f.isWrite(taker):
		return "Write the string as it is: io.WriteString(w, s)."
	case c.kind == ToBytes && taker != nil && f.fullName(taker) == "bytes.NewReader":
		return "Read the string as it is: strings.NewReader(s)."
	case c.kind == ToBytes:
		return "Keep it as bytes from where it comes, or append the string to a []byte that is used again."
	}
	return "Keep the bytes as they are (package bytes has what strings has), or make the string once and keep it."
}

// isWrite reports whether a function is the Write method of an io.Writer.
func (f *sourceFile) isWrite(fun ast.Expr) bool {
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Write" {
		return false
	}
	sig, ok := typeAs[*types.Signature](f.typeOf(fun))
	return ok && sig.Params().Len() == 1 && sig.Results().Len() == 2 && isSlice(sig.Params().At(0).Type())
}

func (c *candidate) changeClosure(s sink) string {
	switch parentOf := c.calledBy(); parentOf.(type) {
	case *ast.GoStmt:
		return "Give the work to goroutines that stay: what a new one runs is always on the heap."
	case *ast.DeferStmt:
		return "Move the body of the loop into a function: outside of loops a defer takes nothing."
	}
	if s.how == "" {
		return ""
	}
	return "Make it once, outside of what runs often, or pass something that is kept anyway with a method."
}

// calledBy is the go or defer statement that runs a function literal; nil if it is something else.
func (c *candidate) calledBy() ast.Node {
	if c.alloc == nil {
		return nil
	}
	p := c.alloc.parents
	if len(p) < 2 {
		return nil
	}
	if call, ok := p[len(p)-1].(*ast.CallExpr); ok && ast.Unparen(call.Fun) == c.alloc.node {
		switch p[len(p)-2].(type) {
		case *ast.GoStmt, *ast.DeferStmt:
			return p[len(p)-2]
		}
	}
	return nil
}

// dynamicAt reports whether the call at a place is one of which the compiler does not know the function.
func (f *sourceFile) dynamicAt(at Place) bool {
	call := f.callAt(at)
	if call == nil {
		return false
	}
	_, dynamic := f.callee(call)
	return dynamic
}

// callAt is the call at a place of this file; nil if there is none.
func (f *sourceFile) callAt(at Place) (found *ast.CallExpr) {
	if at.File != f.path {
		return nil
	}
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil || found != nil || f.line(n.Pos()) > at.Line || f.line(n.End()) < at.Line {
			return false
		}
		if call, ok := n.(*ast.CallExpr); ok {
			if p := f.at(call.Lparen); p.Line == at.Line && p.Column == at.Column {
				found = call
			}
		}
		return true
	})
	return found
}
