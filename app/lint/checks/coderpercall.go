package checks

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

var coderPerCall = check("coderpercall", findCoderPerCall, `report compressors that a function makes for one use

A gzip.Writer is 814 kB of tables, which it makes when it is first written to: packing 1 kB takes 670 µs with a new one
and 23 µs with one that was Reset (BenchmarkCost/build=gzip). A Reader's window is 40 kB.

Reported are those that only the function uses, those that it closes in a defer, whoever writes to them in between, and
those that it returns to functions of the package which use them up.
Not reported: what is kept, what is Reset in the same function, what a pool gives, and what runs once.`)

// A coder is a set of functions that make a compressor, or what unpacks.
type coder struct {
	path       string
	names      []string
	what, size string
}

var coders = []coder{
	{"compress/gzip", []string{"NewWriter", "NewWriterLevel"}, "a gzip.Writer", "800 kB"},
	{"compress/gzip", []string{"NewReader"}, "a gzip.Reader", "40 kB"},
	{"compress/flate", []string{"NewWriter", "NewWriterDict"}, "a flate.Writer", "800 kB"},
	{"compress/zlib", []string{"NewWriter", "NewWriterLevel", "NewWriterLevelDict"}, "a zlib.Writer", "800 kB"},
	{"github.com/klauspost/compress/gzip", []string{"NewWriter", "NewWriterLevel"}, "a gzip.Writer", "some hundred kB"},
	{"github.com/klauspost/compress/gzip", []string{"NewReader"}, "a gzip.Reader", "40 kB"},
	{"github.com/klauspost/compress/flate", []string{"NewWriter", "NewWriterDict"}, "a flate.Writer", "some hundred kB"},
	{"github.com/klauspost/compress/zlib", []string{"NewWriter", "NewWriterLevel"}, "a zlib.Writer", "some hundred kB"},
	{"github.com/klauspost/compress/zstd", []string{"NewWriter", "NewReader"}, "a zstd coder", "some MB"},
	{"github.com/andybalholm/brotli", []string{"NewWriter", "NewWriterLevel", "NewWriterV2"}, "a brotli.Writer",
		"some hundred kB"},
}

func findCoderPerCall(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil {
			continue
		}
		i := slices.IndexFunc(coders, func(c coder) bool { return isFunc(fn, c.path, c.names...) })
		if i < 0 || u.runsOnce(cur) || u.returned(cur, call, coders[i]) || u.outlives(cur) {
			continue
		}
		v := u.assigned(cur)
		f, ok := function(cur)
		if v == nil || !ok || u.resets(f, v) || !u.stays(f, v) && !u.closes(f, v) {
			continue
		}
		u.reportUses(f, v, call, coders[i].madeEachTime())
	}
}

func (c *coder) madeEachTime() string {
	return fmt.Sprintf("%s is %s, made at every call: keep them in a sync.Pool and Reset them", c.what, c.size)
}

// resets reports whether a function gives a coder something else to work on.
func (u *unit) resets(f inspector.Cursor, v *types.Var) bool {
	return slices.ContainsFunc(u.uses(f, v), func(use inspector.Cursor) bool {
		p, ok := use.Parent().Node().(*ast.SelectorExpr)
		return ok && p.Sel.Name == "Reset"
	})
}

// closes reports whether a function closes what it made whichever way it ends: then nobody uses it afterwards.
func (u *unit) closes(f inspector.Cursor, v *types.Var) bool {
	return slices.ContainsFunc(u.uses(f, v), func(use inspector.Cursor) bool {
		p, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !ok || p.Sel.Name != "Close" {
			return false
		}
		for d := range use.Enclosing((*ast.DeferStmt)(nil)) {
			if n := d.Node(); f.Node().Pos() <= n.Pos() && n.End() <= f.Node().End() {
				return true
			}
		}
		return false
	})
}

// stays reports whether a variable is only used by its methods, or as an argument of io.Copy and its like, in its own
// function.
func (u *unit) stays(f inspector.Cursor, v *types.Var) bool {
	if n := f.Node(); v.Pos() < n.Pos() || n.End() <= v.Pos() || v.Kind() != types.LocalVar {
		return false
	}
	uses := u.uses(f, v)
	for _, use := range uses {
		switch p := use.Parent().Node().(type) {
		case *ast.SelectorExpr:
			fn, ok := u.TypesInfo.Uses[p.Sel].(*types.Func)
			if ok && fn.Name() == "Reset" {
				return false // it is used again already
			}
		case *ast.CallExpr:
			if fn := u.callee(p); !isFunc(fn, "io", "Copy", "CopyN", "CopyBuffer", "ReadAll", "WriteString") &&
				!isFunc(fn, "fmt", "Fprintf", "Fprint", "Fprintln") && !isFunc(fn, "encoding/json", "NewEncoder", "NewDecoder") {
				return false
			}
		case *ast.AssignStmt, *ast.BinaryExpr:
		default:
			return false
		}
	}
	return len(uses) > 0
}
