package checks

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

var scratchPerCall = check("scratchpercall", findScratchPerCall, `report readers, writers and encoders that a function makes with a buffer of their own for one use

A bufio.Reader or Writer has 4 kB, and so have an xml.Encoder, an xml.Decoder, a csv.Reader and a csv.Writer, unless
they get one that has a buffer already: to encode 60 bytes of XML an encoder allocates 4.5 kB, and 0.3 kB with a
bufio.Writer that was Reset (BenchmarkCostAgain/scratch). A rand.New(rand.NewSource(…)) is 5.4 kB, all of which is
worked out before the first number. A channel with room for a hundred values is as large as these, however few are
sent.

It counts only with heat, by what making it allocates. Reported are those that only the function uses. Not reported:
what is kept, returned or given to others, what is Reset in the same function, what is made once for a loop that
surely serves a connection, and what runs once.`)

// A scratch is a set of functions that make something with a buffer, and what to do instead.
type scratch struct {
	path  string
	names []string
	do    string
}

const (
	poolReader = "a buffer of 4 kB or more at every call: take a bufio.Reader of a sync.Pool and Reset it"
	poolWriter = "a buffer of 4 kB or more at every call: take a bufio.Writer of a sync.Pool and Reset it"
)

var scratches = []scratch{
	{"bufio", []string{"NewReader", "NewReaderSize"}, poolReader},
	{"bufio", []string{"NewWriter", "NewWriterSize"}, poolWriter},
	{"encoding/xml", []string{"NewEncoder"},
		"it makes a bufio.Writer of 4 kB at every call: give it one of a sync.Pool, which it uses as it is"},
	{"encoding/xml", []string{"NewDecoder"},
		"it makes a bufio.Reader of 4 kB at every call: give it one of a sync.Pool, which it uses as it is"},
	{"encoding/csv", []string{"NewReader"},
		"it makes a bufio.Reader of 4 kB at every call: give it one of a sync.Pool, which it uses as it is"},
	{"encoding/csv", []string{"NewWriter"},
		"it makes a bufio.Writer of 4 kB at every call: give it one of a sync.Pool, which it uses as it is"},
	{"math/rand", []string{"NewSource"},
		"5 kB of state that is worked out at every call: use the functions of math/rand/v2, which need no seed and no lock"},
}

// manyInChannel is the size in bytes from which a channel's room is reported.
const manyInChannel = 512

func findScratchPerCall(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if u.builtin(call) == "make" {
			u.roomyChannel(cur, call)
			continue
		}
		if fn == nil || fn.Pkg() == nil {
			continue
		}
		k := slices.IndexFunc(scratches, func(s scratch) bool { return isFunc(fn, s.path, s.names...) })
		if k < 0 || u.runsOnce(cur) || u.buffered(call) {
			continue
		}
		if fn.Name() == "NewSource" {
			u.sourceForOne(cur, call, scratches[k].do)
			continue
		}
		do := scratches[k].do
		if fn.Pkg().Path() == "bufio" && u.inMemory(call.Args[0]) {
			do = "a buffer of 4 kB or more for what is in memory already: cut its lines with strings.Lines or bytes.Lines, or " +
				"read it as it is"
		}
		if u.usedAtOnce(cur) || u.usedHere(cur) {
			u.report(call, do)
		}
	}
}

// buffered reports whether what a reader or writer is made for has a buffer already: it makes none then.
func (u *unit) buffered(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return true
	}
	t := u.TypesInfo.TypeOf(call.Args[0])
	return isNamed(t, "bufio", "Reader") || isNamed(t, "bufio", "Writer") || isNamed(t, "bufio", "ReadWriter")
}

// inMemory reports whether a reader or a writer is one of a text or of bytes.
func (u *unit) inMemory(e ast.Expr) bool {
	t := u.TypesInfo.TypeOf(e)
	return isNamed(t, "strings", "Reader") || isNamed(t, "bytes", "Reader") || isNamed(t, "bytes", "Buffer") ||
		isNamed(t, "strings", "Builder")
}

// usedAtOnce reports whether a method is called on what was made, and nothing else is done with it:
// xml.NewEncoder(w).Encode.
func (u *unit) usedAtOnce(cur inspector.Cursor) bool {
	sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
	if !ok {
		return false
	}
	_, method := u.TypesInfo.Uses[sel.Sel].(*types.Func)
	return method
}

// usedHere reports whether what was made stays in a variable of the function, which does not Reset it.
func (u *unit) usedHere(cur inspector.Cursor) bool {
	v := u.assigned(cur)
	f, ok := function(cur)
	return ok && v != nil && !u.outlives(cur) && !u.resets(f, v) && u.stays(f, v)
}

// sourceForOne reports a source of random numbers that is made for the rand.Rand around it, which only the function
// uses.
func (u *unit) sourceForOne(cur inspector.Cursor, call *ast.CallExpr, do string) {
	outer, ok := cur.Parent().Node().(*ast.CallExpr)
	if !ok || !isFunc(u.callee(outer), "math/rand", "New") || u.constant(call.Args[0]) {
		return // a constant seed gives the same numbers each time, which may be meant
	}
	if u.usedAtOnce(cur.Parent()) || u.usedHere(cur.Parent()) {
		u.report(outer, do)
	}
}

// roomyChannel reports a channel of much room that a function makes for itself and its goroutines.
func (u *unit) roomyChannel(cur inspector.Cursor, call *ast.CallExpr) {
	c, ok := u.under(call).(*types.Chan)
	if !ok || len(call.Args) != 2 || u.runsOnce(cur) || u.outlives(cur) {
		return
	}
	n, exact := constant.Int64Val(constant.ToInt(value(u, call.Args[1])))
	if size := n * u.size(c.Elem()); !exact || size < manyInChannel {
		return
	}
	v := u.assigned(cur)
	if f, ok := function(cur); !ok || v == nil || v.Kind() != types.LocalVar || u.goesOn(f, v) {
		return
	}
	u.report(call, fmt.Sprintf("room for %d values at every call: make it for as many as are sent, or smaller", n))
}

// goesOn reports whether a channel may outlive the function that made it: by return, in a field, or because another
// function gets it.
func (u *unit) goesOn(f inspector.Cursor, v *types.Var) bool {
	return slices.ContainsFunc(u.uses(f, v), func(use inspector.Cursor) bool {
		if call, ok := use.Parent().Node().(*ast.CallExpr); ok && u.builtin(call) == "" && !startsLater(use.Parent()) {
			return true
		}
		received, ok := use.Parent().Node().(*ast.UnaryExpr)
		return !(ok && received.Op == token.ARROW) && u.outlives(use)
	})
}
