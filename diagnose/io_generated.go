package diagnose

import (
	"strings"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// usedFrom is where in a stack the code begins that uses the transport at index at. That is the next frame, but for
// Thrift: its compiler generates code in the user's own module, which writes the fields one by one, and which nobody
// changes. There it is who calls the generated client: the first of the user's frames above Thrift's outermost one
// (TStandardClient.Call) that is in another file than the generated code. A server's answers have no such caller.
func usedFrom(t *stacks.Table, stack []stacks.FrameID, at int) int {
	next := at + 1
	outermost, fields := -1, false
	for i := next; i < len(stack); i++ {
		if f := t.Func(stack[i]); ofThrift(f) {
			outermost, fields = i, fields || thriftProtocol(f.Name)
		}
	}
	_, generated := t.UserFrame(stack[min(next, len(stack)):])
	if !fields || generated < 0 || next+generated > outermost {
		return next
	}
	file := t.Func(stack[next+generated]).File
	for i := outermost + 1; i < len(stack); i++ {
		if f := t.Func(stack[i]); f.Owner == stacks.User && f.File != file {
			return i
		}
	}
	return next
}

// ofThrift reports whether a function is of the library's package, wherever it is kept.
func ofThrift(f *stacks.Func) bool {
	return f.Owner == stacks.Dependency && strings.HasSuffix(f.Package, "/thrift")
}
