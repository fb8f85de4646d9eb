package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// How often a function runs, as far as can be seen.
type often int

const (
	unknowable often = iota // nobody knows
	once                    // by main: a loop of it may run for ever
	atStart                 // before or after the service serves: what loops then has an end
)

// runsOnce reports whether a node runs once in the life of a program, as far as can be seen: it belongs to a package
// variable, to init or main, to what only these call, to a sync.Once, or to what is named after the start, the end or
// the configuration of a service.
func (u *unit) runsOnce(cur inspector.Cursor) bool { return u.howOften(cur) > unknowable }

func (u *unit) howOften(cur inspector.Cursor) often {
	if u.once == nil {
		u.findOnce()
	}
	for looped := false; ; {
		for l, again := loop(cur); again; l, again = loop(cur) {
			looped, cur = true, l
		}
		f, ok := function(cur)
		if !ok {
			return atStart
		}
		switch n := f.Node().(type) {
		case *ast.FuncDecl:
			level := u.once[u.TypesInfo.Defs[n.Name]]
			if level == once && looped {
				return unknowable
			}
			return level
		case *ast.FuncLit:
			if u.isOnce(f) {
				return atStart
			}
			if f.ParentEdgeKind() != edge.CallExpr_Fun {
				return unknowable // a function value: nobody knows how often it is called
			}
			if _, started := f.Parent().Parent().Node().(*ast.GoStmt); started && looped {
				return unknowable // it works beside what started it
			}
		}
		cur = f
	}
}

// rare are first words of functions' names that a service calls when it starts, ends or is configured.
var rare = []string{"init", "initialize", "setup", "provision", "bootstrap", "configure", "restore", "recover",
	"migrate", "shutdown"}

// isRare reports whether a function is named after the start, the end or the configuration of a service.
func isRare(name string) bool {
	words := words(name)
	return slices.Contains(rare, firstWord(name)) || slices.Contains(words, "config") || slices.Contains(words, "flags")
}

// words are the words of a name, in lower case: parseURLPath is parse, url, path.
func words(name string) (all []string) {
	r := []rune(name)
	start := 0
	for i := 1; i <= len(r); i++ {
		end := i == len(r) || r[i] == '_' || unicode.IsUpper(r[i]) &&
			(!unicode.IsUpper(r[i-1]) || i+1 < len(r) && unicode.IsLower(r[i+1]))
		if end {
			if w := strings.ToLower(strings.Trim(string(r[start:i]), "_")); w != "" {
				all = append(all, w)
			}
			start = i
		}
	}
	return all
}

// firstWord is the first word of a name, in lower case; "" of one that has none.
func firstWord(name string) string {
	if w := words(name); len(w) > 0 {
		return w[0]
	}
	return ""
}

// isOnce reports whether a function literal is given to sync.Once or its like.
func (u *unit) isOnce(lit inspector.Cursor) bool {
	call, ok := lit.Parent().Node().(*ast.CallExpr)
	if !ok || lit.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	fn := u.Callee(call)
	return isMethod(fn, "sync", "Once", "Do") || isFunc(fn, "sync", "OnceFunc", "OnceValue", "OnceValues")
}

// findOnce fills u.once. A function that only those call which run once, outside of loops, runs once itself, or as
// often as somebody wrote the call.
func (u *unit) findOnce() {
	u.once = make(map[types.Object]often)
	calls := make(map[types.Object][]inspector.Cursor)
	var decls []types.Object
	for _, d := range each[*ast.FuncDecl](u) {
		obj := u.TypesInfo.Defs[d.Name]
		switch {
		case d.Recv == nil && d.Name.Name == "init", isRare(d.Name.Name):
			u.once[obj] = atStart
		case d.Recv == nil && d.Name.Name == "main" && u.Pkg.Name() == "main":
			u.once[obj] = once
		case !d.Name.IsExported():
			decls = append(decls, obj)
		}
	}
	for cur, id := range each[*ast.Ident](u) {
		if fn, ok := u.TypesInfo.Uses[id].(*types.Func); ok && fn.Pkg() == u.Pkg {
			calls[fn] = append(calls[fn], cur)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, obj := range decls {
			if level := u.called(calls[obj]); u.once[obj] < level {
				u.once[obj], changed = level, true
			}
		}
	}
}

// called is how often a function runs by its uses: the least of them, if all are calls, or given to sync.Once.
func (u *unit) called(uses []inspector.Cursor) often {
	if len(uses) == 0 {
		return unknowable
	}
	least := atStart
	for _, use := range uses {
		if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
			use = use.Parent()
		}
		switch {
		case u.isOnce(use):
		case use.ParentEdgeKind() == edge.CallExpr_Fun:
			least = min(least, u.howOften(use))
		default:
			return unknowable
		}
	}
	return least
}
