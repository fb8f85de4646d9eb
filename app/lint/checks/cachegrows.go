package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var cacheGrows = check("cachegrows", findCacheGrows, `report a package's map that functions fill as a cache and that nothing ever takes entries out of

Each new key stays for the life of the process, and the collector walks all of them in each cycle: 10 million entries
of map[string]string are 1 GB and half a second of CPU per cycle (docs/remedies.md has caches with a bound).

A cache is a map of which a function looks a value up and stores one when there was none. Not reported: registries (the
value that is found is not used), maps that are deleted from, cleared, replaced, measured with len or passed on, keys
of which a program has few (reflect.Type, bool, small and named integers), and entries that only run-once code adds.`)

func findCacheGrows(u *unit) {
	caches := make(map[types.Object]*mapUse)
	for cur, id := range each[*ast.Ident](u) {
		v, ok := u.TypesInfo.Uses[id].(*types.Var)
		if !ok || v.Parent() != u.Pkg.Scope() || v.Exported() {
			continue
		}
		if at, obj, ok := u.mapOf(cur, v); ok {
			if caches[obj] == nil {
				caches[obj] = &mapUse{unit: u, reads: make(map[ast.Node]bool)}
			}
			caches[obj].see(at)
		}
	}
	byPlace := func(a, b types.Object) int { return int(a.Pos() - b.Pos()) }
	for _, obj := range slices.SortedFunc(maps.Keys(caches), byPlace) {
		m := caches[obj]
		if m.shrinks {
			continue
		}
		for _, w := range m.writes {
			if f, ok := function(w.at); ok && m.reads[outermost(f)] && !u.runsOnce(w.at) && !u.few(w.key) {
				u.report(w.at.Node(), fmt.Sprintf("%s only grows: give it a bound, or delete what is no longer used",
					obj.Name()))
				break
			}
		}
	}
}

// mapOf is the expression that names a map: the variable, or the field of a variable that groups a map and its lock.
func (u *unit) mapOf(cur inspector.Cursor, v *types.Var) (inspector.Cursor, types.Object, bool) {
	if isMap(v.Type()) {
		return cur, v, true
	}
	if _, anonymous := types.Unalias(v.Type()).(*types.Struct); !anonymous {
		return cur, nil, false
	}
	sel, ok := cur.Parent().Node().(*ast.SelectorExpr)
	if !ok || cur.ParentEdgeKind() != edge.SelectorExpr_X {
		return cur, nil, false
	}
	field, ok := u.TypesInfo.Uses[sel.Sel].(*types.Var)
	return cur.Parent(), field, ok && isMap(field.Type())
}

func isMap(t types.Type) bool {
	return isPlainMap(t) || !isPointer(t) && isNamed(t, "sync", "Map")
}

// mapUse is what a package does with a map.
type mapUse struct {
	*unit
	shrinks bool              // or may: it is passed on
	reads   map[ast.Node]bool // functions that use a value found in it
	writes  []mapWrite
}

type mapWrite struct {
	at  inspector.Cursor
	key ast.Expr
}

func (m *mapUse) see(cur inspector.Cursor) {
	switch p := cur.Parent().Node().(type) {
	case *ast.IndexExpr:
		m.index(cur.Parent(), p)
	case *ast.SelectorExpr:
		m.method(cur.Parent())
	case *ast.RangeStmt:
		m.shrinks = m.shrinks || cur.ParentEdgeKind() != edge.RangeStmt_X
	case *ast.AssignStmt:
		// Made by init: what it had was the start.
		m.shrinks = m.shrinks || cur.ParentEdgeKind() != edge.AssignStmt_Lhs || !m.runsOnce(cur) && !m.lazily(cur)
	case *ast.BinaryExpr:
		m.shrinks = m.shrinks || p.Op != token.EQL && p.Op != token.NEQ
	default:
		m.shrinks = true // delete, clear, len, an argument, a return value
	}
}

// lazily reports whether an assignment is within if m == nil.
func (m *mapUse) lazily(cur inspector.Cursor) bool {
	for up := range cur.Enclosing((*ast.IfStmt)(nil)) {
		b, ok := up.Node().(*ast.IfStmt).Cond.(*ast.BinaryExpr)
		return ok && b.Op == token.EQL && m.TypesInfo.Types[b.Y].IsNil() && m.Same(b.X, cur.Node().(ast.Expr))
	}
	return false
}

func (m *mapUse) index(cur inspector.Cursor, e *ast.IndexExpr) {
	f, ok := function(cur)
	if !ok || cur.Node().(*ast.IndexExpr).X == nil {
		return
	}
	switch p := cur.Parent().Node().(type) {
	case *ast.AssignStmt:
		if cur.ParentEdgeKind() == edge.AssignStmt_Lhs {
			m.writes = append(m.writes, mapWrite{cur, e.Index})
			return
		}
		if id, ok := p.Lhs[0].(*ast.Ident); ok && id.Name == "_" {
			return // a registry asks whether a name is taken
		}
	case *ast.IncDecStmt:
		return // counted
	}
	m.reads[outermost(f)] = true
}

// method sees the methods of a sync.Map.
func (m *mapUse) method(sel inspector.Cursor) {
	call, ok := sel.Parent().Node().(*ast.CallExpr)
	if !ok || sel.ParentEdgeKind() != edge.CallExpr_Fun {
		m.shrinks = true
		return
	}
	f, ok := function(sel)
	switch sel.Node().(*ast.SelectorExpr).Sel.Name {
	case "Load":
		m.reads[outermost(f)] = ok
	case "LoadOrStore":
		m.reads[outermost(f)] = ok
		m.writes = append(m.writes, mapWrite{sel.Parent(), call.Args[0]})
	case "Store", "Swap":
		m.writes = append(m.writes, mapWrite{sel.Parent(), call.Args[0]})
	case "Range":
	default:
		m.shrinks = true
	}
}

// outermost is the declaration around a function literal, or the function itself.
func outermost(f inspector.Cursor) ast.Node {
	if d := declaration(f); d != nil {
		return d
	}
	return f.Node()
}

// few reports whether a program has few different values of a key: its types, or an enumeration.
func (u *unit) few(key ast.Expr) bool {
	return u.IsConstant(key) || isFew(u.TypesInfo.TypeOf(key))
}

func isFew(t types.Type) bool {
	if isAny(t, "reflect.Type", "reflect.Kind") {
		return true
	}
	switch x := t.Underlying().(type) {
	case *types.Basic:
		_, named := types.Unalias(t).(*types.Named)
		return x.Info()&types.IsBoolean != 0 || x.Kind() == types.Uint8 || x.Kind() == types.Int8 ||
			named && x.Info()&types.IsInteger != 0
	case *types.Struct:
		return slices.ContainsFunc(slices.Collect(x.Fields()), func(f *types.Var) bool {
			return isNamed(f.Type(), "reflect", "Type")
		})
	}
	return false
}
