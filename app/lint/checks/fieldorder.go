package checks

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

var fieldOrder = check("fieldorder", findFieldOrder, `report allocations of a struct that another order of its fields would make smaller

Fields are aligned to their size, and what is left between them is allocated, cleared and cached for nothing. The
allocator rounds up to size classes, so only an order that reaches a smaller class saves memory.

It is reported where the struct is allocated (&T{}, new(T), make([]T, n)), because that is where a profile has the
bytes: x/tools' fieldalignment reports the type, where no profile has a line. It counts only with heat: for a type of
which ten live, the order that reads best is best. Not reported: less than a sixteenth of the struct, types of other
modules, messages that protoc generates, and structs that somewhere in the package are written without the names of
their fields, whose order means something.`)

// leastSaved is the part of a struct that another order must save: a sixteenth is 8 bytes of 128.
const leastSaved = 16

func findFieldOrder(u *unit) {
	ordered := u.ordered()
	for cur := range nodes(u, (*ast.UnaryExpr)(nil), (*ast.CallExpr)(nil)) {
		var t types.Type
		slice := false
		switch n := cur.Node().(type) {
		case *ast.UnaryExpr:
			if lit, ok := ast.Unparen(n.X).(*ast.CompositeLit); ok {
				t = u.TypesInfo.TypeOf(lit)
			}
		case *ast.CallExpr:
			t, slice = u.allocates(n)
		}
		if t == nil || u.runsOnce(cur) {
			continue
		}
		named, ok := types.Unalias(t).(*types.Named)
		if !ok || !u.ours(named) || ordered[named.Obj()] {
			continue
		}
		s, ok := named.Underlying().(*types.Struct)
		if !ok || s.NumFields() < 3 || named.TypeParams().Len() > 0 {
			continue
		}
		now, best := u.sizes(s)
		saved := now - best
		if !slice {
			saved = class(now) - class(best)
		}
		if saved*leastSaved < now {
			continue
		}
		u.report(cur.Node().(ast.Expr), fmt.Sprintf("%s has %d bytes and would have %d with its fields ordered by size, "+
			"the largest first", named.Obj().Name(), now, best))
	}
}

// ordered are the types of which literals without the names of fields are written.
func (u *unit) ordered() map[types.Object]bool {
	found := make(map[types.Object]bool)
	for _, lit := range each[*ast.CompositeLit](u) {
		if len(lit.Elts) == 0 {
			continue
		}
		if _, keyed := lit.Elts[0].(*ast.KeyValueExpr); keyed {
			continue
		}
		t := u.TypesInfo.TypeOf(lit)
		if p, ok := types.Unalias(t).(*types.Pointer); ok { // of an element of []*T
			t = p.Elem()
		}
		if named, ok := types.Unalias(t).(*types.Named); ok {
			found[named.Obj()] = true
		}
	}
	return found
}

// allocates is the type of which new(T) makes one or make([]T, n) makes several.
func (u *unit) allocates(call *ast.CallExpr) (t types.Type, slice bool) {
	switch u.Builtin(call) {
	case "new":
		return u.TypesInfo.TypeOf(call.Args[0]), false
	case "make":
		if s, ok := u.under(call).(*types.Slice); ok {
			return s.Elem(), true
		}
	}
	return nil, false
}

// ours reports whether a type can be changed: it is of this package, or of this module.
func (u *unit) ours(t *types.Named) bool {
	p := t.Obj().Pkg()
	generated, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), true, p, "ProtoMessage")
	if p == nil || generated != nil {
		return false
	}
	return u.isOurs(p)
}

// isOurs reports whether a package is this one, or of this module.
func (u *unit) isOurs(p *types.Package) bool {
	if p == u.Pkg {
		return true
	}
	m := u.Module
	return m != nil && m.Path != "" && (p.Path() == m.Path || strings.HasPrefix(p.Path(), m.Path+"/"))
}

// sizes are those of a struct as it is, and with its fields by falling alignment, and by falling size among these.
func (u *unit) sizes(s *types.Struct) (now, best int64) {
	var fields []*types.Var
	for f := range s.Fields() {
		fields = append(fields, f)
	}
	size := u.TypesSizes
	slices.SortStableFunc(fields, func(a, b *types.Var) int {
		x, y := a.Type(), b.Type()
		// A field of no size goes first: at the end it would be given a byte of its own.
		if zx, zy := size.Sizeof(x) == 0, size.Sizeof(y) == 0; zx != zy {
			if zx {
				return -1
			}
			return 1
		}
		if d := size.Alignof(y) - size.Alignof(x); d != 0 {
			return int(d)
		}
		return int(size.Sizeof(y) - size.Sizeof(x))
	})
	return size.Sizeof(s), size.Sizeof(types.NewStruct(fields, nil))
}

// classes are the runtime's size classes (internal/runtime/gc/sizeclasses.go of Go 1.26) up to a kilobyte; above, they
// are an eighth apart and a few bytes of padding hardly matter.
var classes = []int64{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256, 288, 320, 352,
	384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024}

// class is what the allocator takes for an object of some bytes.
func class(size int64) int64 {
	i, _ := slices.BinarySearch(classes, size)
	if i == len(classes) {
		return (size + 127) / 128 * 128
	}
	return classes[i]
}
