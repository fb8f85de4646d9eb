package checks

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var sprintfKey = check("sprintfkey", findSprintfKey, `report map keys that fmt.Sprintf makes of strings and integers

A look-up by a key of two parts takes 184 ns and two allocations when Sprintf makes it, 25 ns and none with a struct of
the parts, 38 ns with a concatenation (BenchmarkCost/key). On the lab's ads service it was a quarter of a request's CPU
(docs/evidence/lab.md, ads/sprintf-keys).

Reported is a Sprintf of %s, %d and %v alone, of two or more plain values, whose result looks an entry up in a map or a
sync.Map, there or by a variable that is only that. Not reported: maps that a function only fills, values with methods
(String), other verbs, and Sprintf of a single value, which perfsprint has.`)

func findSprintfKey(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.callee(call), "fmt", "Sprintf") || len(call.Args) < 3 || u.runsOnce(cur) {
			continue
		}
		format := u.TypesInfo.Types[call.Args[0]].Value
		if format == nil || !u.simple(constant.StringVal(format), call.Args[1:]) || !u.isKey(cur) {
			continue
		}
		u.report(call, "Sprintf allocates at each look-up: use a struct of these parts as the map's key, or concatenate them",
			u.concatenate(call, constant.StringVal(format))...)
	}
}

var verb = regexp.MustCompile(`%[^%]|%%`)

// simple reports whether a format has only verbs that concatenation can replace, one for each of the values, which are
// strings and integers.
func (u *unit) simple(format string, args []ast.Expr) bool {
	verbs := verb.FindAllString(format, -1)
	if len(verbs) != len(args) {
		return false
	}
	for i, v := range verbs {
		if v != "%s" && v != "%d" && v != "%v" || !isPlain(u.TypesInfo.TypeOf(args[i])) {
			return false
		}
	}
	return true
}

// isPlain reports whether fmt prints a value by its kind alone: a string or an integer without methods.
func isPlain(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsString|types.IsInteger) != 0 && types.NewMethodSet(t).Len() == 0
}

// isKey reports whether a value looks something up in a map, itself or by a variable that is used for nothing else. A
// map that is only filled is somebody else's to look up.
func (u *unit) isKey(cur inspector.Cursor) bool {
	if u.indexes(cur) {
		return !stores(cur)
	}
	v := u.assigned(cur)
	f, ok := function(cur)
	if v == nil || !ok || v.Kind() != types.LocalVar {
		return false
	}
	looksUp := false
	for _, use := range u.uses(f, v) {
		switch {
		case u.indexes(use):
			looksUp = looksUp || !stores(use)
		case use.ParentEdgeKind() != edge.AssignStmt_Lhs:
			return false
		}
	}
	return looksUp
}

// stores reports whether a key is only that of an entry that is added or replaced.
func stores(key inspector.Cursor) bool {
	if call, ok := key.Parent().Node().(*ast.CallExpr); ok {
		sel, ok := call.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Store"
	}
	s, ok := key.Parent().Parent().Node().(*ast.AssignStmt)
	return ok && key.Parent().ParentEdgeKind() == edge.AssignStmt_Lhs && s.Tok == token.ASSIGN
}

// indexes reports whether an expression is the index of a map, the key of delete, or of a sync.Map.
func (u *unit) indexes(cur inspector.Cursor) bool {
	switch p := cur.Parent().Node().(type) {
	case *ast.IndexExpr:
		return cur.ParentEdgeKind() == edge.IndexExpr_Index && isPlainMap(u.TypesInfo.TypeOf(p.X))
	case *ast.CallExpr:
		if cur.ParentEdgeKind() != edge.CallExpr_Args || cur.ParentEdgeIndex() != 0 {
			return u.builtin(p) == "delete"
		}
		return isMethod(u.callee(p), "sync", "Map", "Load", "Store", "LoadOrStore", "LoadAndDelete", "Delete", "Swap")
	}
	return false
}

// concatenate makes a Sprintf of strings alone a sum of them.
func (u *unit) concatenate(call *ast.CallExpr, format string) []analysis.SuggestedFix {
	var parts []string
	text := func(s string) {
		if s != "" {
			parts = append(parts, strconv.Quote(s))
		}
	}
	for _, arg := range call.Args[1:] {
		before, behind, _ := strings.Cut(format, "%")
		if _, simple := ast.Unparen(arg).(*ast.BinaryExpr); simple || behind == "" || behind[0] == 'd' ||
			!types.Identical(u.TypesInfo.TypeOf(arg), types.Typ[types.String]) {
			return nil
		}
		text(before)
		parts = append(parts, u.source(arg))
		format = behind[1:]
	}
	text(format)
	return []analysis.SuggestedFix{{
		Message: "Concatenate the parts",
		TextEdits: []analysis.TextEdit{{Pos: call.Pos(), End: call.End(),
			NewText: fmt.Append(nil, strings.Join(parts, " + "))}},
	}}
}
