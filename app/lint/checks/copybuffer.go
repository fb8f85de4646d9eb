package checks

import (
	"go/ast"
	"go/types"
)

var copyBuffer = check("copybuffer", findCopyBuffer, `report io.Copy where it makes a buffer of 32 kB for each call

io.Copy needs none where the reader has a WriteTo or the writer a ReadFrom that copies by itself: bytes.Buffer, a file
to a connection. Otherwise it allocates 32 kB, and so does the ReadFrom of an os.File or a net.TCPConn when the kernel
cannot copy for it: to copy 1 kB takes 6 µs with it and 0.1 µs with a buffer that is used again
(BenchmarkCost/copybuffer). io.CopyBuffer takes one, but leaves it aside for a ReadFrom or a WriteTo.

It counts only with heat, by what io.Copy allocates. Not reported: what runs once.`)

func findCopyBuffer(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.callee(call), "io", "Copy", "CopyN") || u.runsOnce(cur) || len(call.Args) < 2 {
			continue
		}
		do := "io.Copy makes a buffer of 32 kB at every call: give io.CopyBuffer one of a sync.Pool"
		if to, ok := u.method(call.Args[0], "ReadFrom"); ok {
			do += ", and hide the ReadFrom of " + to + ", which would not use it, in struct{ io.Writer }"
		}
		u.report(call, do)
	}
}

// method reports whether the type of an expression has a method, and what that type is called.
func (u *unit) method(e ast.Expr, name string) (of string, ok bool) {
	t := u.TypesInfo.TypeOf(e)
	if t == nil {
		return "", false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, true, u.Pkg, name)
	_, ok = obj.(*types.Func)
	return types.TypeString(t, func(p *types.Package) string { return p.Name() }), ok
}
