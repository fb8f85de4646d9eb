package checks

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var bufferGrows = check("buffergrows", findBufferGrows, `report a bytes.Buffer that grows from nothing at each call

It doubles until all has room, and each time copies what it had: 10 kB written in pieces of a kilobyte take 39 kB, and
none in a buffer of a sync.Pool (BenchmarkCost/buffer).

It counts only with heat, by what growing allocates on the lines that use the buffer. Reported are buffers of a function
whose bytes do not leave it, so that the next call can have the buffer. Not reported: those with a Grow, and what runs
once.`)

func findBufferGrows(u *unit) {
	for cur := range u.madeEmptyOf("bytes", "Buffer") {
		f, v := u.ownBuffer(cur)
		if v != nil && !u.runsOnce(cur) && len(u.Uses(f, v)) > 0 && u.All(f, v, u.reusable) {
			u.reportUses(f, v, cur.Node(), "this buffer grows from nothing at every call: Grow it to what is needed, "+
				"or take one of a sync.Pool")
		}
	}
}

// reportUses reports where a value is made whose cost is where it is used: the statements that use it, or what it was put
// into, are related.
func (u *unit) reportUses(f inspector.Cursor, v *types.Var, at analysis.Range, message string) {
	related := []analysis.RelatedInformation{there(at, "is made here")}
	for _, use := range u.throughOthers(f, u.Uses(f, v)) {
		related = append(related, there(statement(use), "is used here"))
	}
	u.relate(at, message, related...)
}

// ownBuffer is the variable of its function that has a new buffer, or its address, and the function; nil without.
func (u *unit) ownBuffer(cur inspector.Cursor) (f inspector.Cursor, v *types.Var) {
	f, ok := function(cur)
	if spec, is := cur.Node().(*ast.ValueSpec); is {
		v, _ = u.TypesInfo.Defs[spec.Names[0]].(*types.Var)
	} else {
		if isAddress(cur.Parent().Node()) {
			cur = cur.Parent()
		}
		v = u.Assigned(cur)
	}
	if !ok || v == nil || v.Kind() != types.LocalVar {
		return f, nil
	}
	return f, v
}

// isAddress reports whether a node is &x.
func isAddress(n ast.Node) bool {
	addr, ok := n.(*ast.UnaryExpr)
	return ok && addr.Op == token.AND
}

// throughOthers adds to the uses of a value those of what it is given to: an encoder that writes to a buffer, an answer
// that writes to a compressor.
func (u *unit) throughOthers(f inspector.Cursor, uses []inspector.Cursor) []inspector.Cursor {
	all := slices.Clone(uses)
	for _, use := range uses {
		for up := use; isExpr(up.Parent().Node()); {
			up = up.Parent()
			if w := u.Assigned(up); w != nil && !isError(w.Type()) {
				all = append(all, u.Uses(f, w)...)
			}
		}
	}
	return all
}

func isExpr(n ast.Node) bool { _, ok := n.(ast.Expr); return ok }

// madeEmptyOf yields where a value of a type is made without anything in it: var b bytes.Buffer, bytes.Buffer{},
// new(bytes.Buffer), bytes.NewBuffer(nil).
func (u *unit) madeEmptyOf(path, name string) iter.Seq[inspector.Cursor] {
	return func(yield func(inspector.Cursor) bool) {
		is := func(e ast.Expr) bool {
			t := u.TypesInfo.TypeOf(e)
			return t != nil && !isPointer(t) && isNamed(t, path, name)
		}
		for cur := range nodes(u, (*ast.ValueSpec)(nil), (*ast.CompositeLit)(nil), (*ast.CallExpr)(nil)) {
			empty := false
			switch n := cur.Node().(type) {
			case *ast.ValueSpec:
				empty = len(n.Names) == 1 && len(n.Values) == 0 && is(n.Type)
			case *ast.CompositeLit:
				empty = len(n.Elts) == 0 && is(n)
			case *ast.CallExpr:
				empty = u.Builtin(n) == "new" && is(n.Args[0]) ||
					isFunc(u.Callee(n), path, "New"+name) && u.isEmpty(n.Args[0])
			}
			if empty && !yield(cur) {
				return
			}
		}
	}
}

// reusable reports whether a use of a buffer leaves it and its bytes in the function: it is written to by its methods
// or by a call that takes a writer, and its bytes go to a writer, a hash or a decoder, or become a string.
func (u *unit) reusable(use inspector.Cursor) bool {
	if isAddress(use.Parent().Node()) {
		use = use.Parent()
	}
	switch p := use.Parent().Node().(type) {
	case *ast.SelectorExpr:
		return p.Sel.Name != "Grow" && (p.Sel.Name != "Bytes" || u.passes(use.Parent().Parent()))
	case *ast.CallExpr:
		return use.ParentEdgeKind() == edge.CallExpr_Args && u.takesWriter(p, use.ParentEdgeIndex())
	}
	return false
}

// passes reports whether the bytes of a buffer go where nobody keeps them: into Write, Unmarshal, a hash, string() or len.
func (u *unit) passes(call inspector.Cursor) bool {
	p, ok := call.Parent().Node().(*ast.CallExpr)
	if !ok || call.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	if to, _ := u.conversion(p); to != nil {
		return isBasic(to, types.String)
	}
	if u.Builtin(p) == "len" || u.Builtin(p) == "append" && p.Ellipsis.IsValid() {
		return true
	}
	fn := u.Callee(p)
	return fn != nil && (fn.Name() == "Write" || fn.Name() == "Unmarshal" || fn.Name() == "Equal" || fn.Name() == "Clone")
}

// takesWriter reports whether a function takes an argument as an io.Writer, and returns nothing that could keep it but an
// encoder or another writer.
func (u *unit) takesWriter(call *ast.CallExpr, i int) bool {
	fn := u.Callee(call)
	return fn != nil && i < fn.Signature().Params().Len() &&
		isNamed(fn.Signature().Params().At(i).Type(), "io", "Writer")
}

// statement is the innermost statement that an expression is in; of a condition the expression, and not all that depends
// on it.
func statement(cur inspector.Cursor) ast.Node {
	child := cur.Node()
	for up := cur; up.Node() != nil; up = up.Parent() {
		switch n := up.Node().(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt, *ast.SwitchStmt, *ast.BlockStmt:
			return child
		case ast.Stmt:
			return n
		}
		child = up.Node()
	}
	return child
}

var builderGrows = check("buildergrows", findBuilderGrows, `report a strings.Builder that grows from nothing

It doubles as append does, and copies what it had: a text of 10 kB that is put together of pieces takes twice that and more.
Grow makes room once, for what the pieces come to or a text usually is.

It counts only with heat, by what growing allocates on the lines that write. Reported are builders of a function that are
written to in a loop, or by many statements. Not reported: those with a Grow, or that are given to others, which may have
one; and what runs once.`)

// manyWrites is how many statements write to a builder that grows several times without a loop.
const manyWrites = 4

func findBuilderGrows(u *unit) {
	for cur := range u.madeEmptyOf("strings", "Builder") {
		f, v := u.ownBuffer(cur)
		if v == nil || u.runsOnce(cur) {
			continue
		}
		if writes := u.buildsText(f, v); writes != nil {
			u.relate(cur.Node(),
				v.Name()+" grows from nothing: Grow it to what the pieces come to, or to what is usual", writes...)
		}
	}
}

// buildsText are the statements that write to a builder; nil where these are few, or it is given room, or to others than
// fmt.
func (u *unit) buildsText(f inspector.Cursor, v *types.Var) (writes []analysis.RelatedInformation) {
	looped := false
	for _, use := range u.Uses(f, v) {
		if isAddress(use.Parent().Node()) {
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
			if !isFunc(u.Callee(p), "fmt", "Fprintf", "Fprint", "Fprintln") {
				return nil
			}
		default:
			return nil
		}
		l, again := loop(use)
		looped = looped || again && !within(l.Node(), v.Pos())
		writes = append(writes, there(statement(use), "is written to here"))
	}
	if !looped && len(writes) < manyWrites {
		return nil
	}
	return writes
}

var copyBuffer = check("copybuffer", findCopyBuffer, `report io.Copy where it makes a buffer of 32 kB for each call

io.Copy needs none where the reader has a WriteTo or the writer a ReadFrom that copies by itself: bytes.Buffer, a file
to a connection. Otherwise it allocates 32 kB, and so does the ReadFrom of an os.File or a net.TCPConn when the kernel
cannot copy for it: to copy 1 kB takes 6 µs with it and 0.1 µs with a buffer that is used again
(BenchmarkCost/copybuffer). io.CopyBuffer takes one, but leaves it aside for a ReadFrom or a WriteTo.

It counts only with heat, by what io.Copy allocates. Not reported: what runs once.`)

func findCopyBuffer(u *unit) {
	for _, call := range u.calls(callee{"io", "", "Copy CopyN", ""}) {
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
	return types.TypeString(t, (*types.Package).Name), ok
}

var proxyBuffer = check("proxybuffer", findProxyBuffer, `report a httputil.ReverseProxy without a BufferPool

It copies each answer through a buffer of 32 kB, which it makes for that answer (BenchmarkCost/copybuffer) unless BufferPool
has one.

It counts only with heat, by what the proxy's copying allocates anywhere in the program. Not reported: proxies of a
package that sets a BufferPool somewhere.`)

const proxies = "net/http/httputil"

func findProxyBuffer(u *unit) {
	const do = "each answer is copied through a new buffer of 32 kB: give the proxy a BufferPool"
	var found []ast.Expr
	for _, lit := range each[*ast.CompositeLit](u) {
		if t := u.TypesInfo.TypeOf(lit); isNamed(t, proxies, "ReverseProxy") && !isPointer(t) {
			found = append(found, lit)
		}
	}
	for _, call := range each[*ast.CallExpr](u) {
		if isFunc(u.Callee(call), proxies, "NewSingleHostReverseProxy") ||
			u.Builtin(call) == "new" && isNamed(u.TypesInfo.TypeOf(call.Args[0]), proxies, "ReverseProxy") {
			found = append(found, call)
		}
	}
	if len(found) == 0 || u.pools() {
		return
	}
	for _, e := range found {
		u.report(e, do)
	}
}

func isPointer(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.Pointer)
	return ok
}

// pools reports whether a package gives a proxy a BufferPool: as a field of a literal, or by assignment.
func (u *unit) pools() bool {
	for cur, id := range each[*ast.Ident](u) {
		v, ok := u.TypesInfo.Uses[id].(*types.Var)
		if ok && v.IsField() && v.Name() == "BufferPool" && v.Pkg() != nil && v.Pkg().Path() == proxies && isSet(cur) {
			return true
		}
	}
	return false
}

// isSet reports whether a field's name is where it gets its value.
func isSet(name inspector.Cursor) bool {
	switch name.ParentEdgeKind() {
	case edge.KeyValueExpr_Key:
		return true
	case edge.SelectorExpr_Sel:
		return name.Parent().ParentEdgeKind() == edge.AssignStmt_Lhs
	}
	return false
}
