package escape

import (
	"fmt"
	"go/ast"
)

// what is the code that a candidate is.
func (c *candidate) what(f *sourceFile) string {
	switch {
	case c.kind == Variadic:
		if call, ok := node[*ast.CallExpr](c.alloc); ok {
			name, _ := f.callee(call)
			return fmt.Sprintf("the slice of %s's arguments", name)
		}
		return "the slice of a call's arguments"
	case c.kind == Wait:
		return "what the runtime keeps of a goroutine that waits"
	case c.alloc != nil:
		return f.text(c.alloc.node)
	}
	return shorten(c.remark.subject(), maxExpr)
}

// node is the syntax of an allocation, if it is of a type.
func node[T ast.Node](a *allocation) (n T, ok bool) {
	if a == nil {
		return n, false
	}
	n, ok = a.node.(T)
	return n, ok
}

// why is the end of a sentence that begins with what, and how it is known.
func (c *candidate) why(f *sourceFile) (text, from string) {
	switch {
	case c.remark == nil:
		return c.whySyntax(), FromSyntax
	case c.kind == MapGrow || c.kind == Defer || c.kind == Go || c.kind == Wait:
		return c.whySyntax(), FromCompiler
	}
	s := sinkOf(c.remark)
	call, dynamic := "", false
	if at := f.callAt(s.at); at != nil {
		call, dynamic = f.callee(at)
	}
	end := s.say(call, dynamic)
	switch c.kind {
	case Box:
		switch name := c.taker(f); {
		case len(c.with) > 0:
			return "become interfaces, as arguments of " + name, FromCompiler
		case name != "":
			return "becomes an interface, as an argument of " + name, FromCompiler
		}
		if s.how == "" {
			return "becomes an interface", FromCompiler
		}
		return "becomes an interface and " + end, FromCompiler
	case Variable:
		if c.captured() {
			return "is captured by reference" + where(c.remark, f), FromCompiler
		}
		return "is moved to the heap: its address " + end, FromCompiler
	case Append:
		if c.copies(f) {
			return "makes a new slice, which " + end, FromCompiler
		}
		return "outgrows its slice, which " + end, FromCompiler
	case Concat:
		return "makes a string, which " + end, FromCompiler
	case ToBytes, ToString:
		return "makes a copy, which " + end, FromCompiler
	case Closure:
		switch c.calledBy().(type) {
		case *ast.GoStmt:
			return "is what a goroutine runs", FromCompiler
		case *ast.DeferStmt:
			return "is deferred in a loop", FromCompiler
		}
	}
	return end, FromCompiler
}

// copies reports whether append begins with nothing.
func (c *candidate) copies(f *sourceFile) bool {
	call, ok := node[*ast.CallExpr](c.alloc)
	return ok && len(call.Args) > 0 && f.isEmpty(ast.Unparen(call.Args[0]))
}

// where is the function literal that captures something.
func where(r *remark, f *sourceFile) string {
	for _, flow := range r.Flow {
		for _, s := range flow.Steps {
			if s.Why == "reference" || s.Why == "captured by a closure" {
				return " by the function literal that uses it at " + s.At.Short()
			}
		}
	}
	return ""
}

// whySyntax is why, where the compiler leaves it to the runtime.
func (c *candidate) whySyntax() string {
	switch c.kind {
	case Append:
		return "outgrows its slice: append allocates a larger one"
	case Moved:
		return "is moved to the heap by the return: append had begun it on the stack"
	case Make:
		return "has a size that is known only when it runs: more than 32 bytes are on the heap"
	case MakeMap, MapLit:
		return "has more entries than the 8 for which there is room on the stack, or outlives its function"
	case MapGrow:
		return "makes the map grow"
	case MakeChan:
		return "is a channel: those are always on the heap"
	case Concat:
		return "makes a string of more than 32 bytes"
	case ToBytes, ToString:
		return "makes a copy of more than 32 bytes"
	case Wait:
		return "is allocated when more goroutines wait than before"
	case Go:
		return "starts a goroutine: what it is called with is on the heap"
	case Defer:
		return "is a defer in a loop: those are on the heap"
	}
	return "escapes; what the compiler says of it was overwritten by what it says of another file of that name"
}
