package checks

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var fmtCall = check("fmtcall", findFmtCall, `report fmt and reflection where the work is

A line of a string and an integer takes 158 ns with fmt, 14 ns when it is appended with strconv (BenchmarkCost/fmt).
reflect.DeepEqual and binary.Read walk over types again for each value, and reflect's look-ups by name go through all
fields or methods.

It counts only with heat: a function that carries a percent of the CPU is worth writing out, most are not. Not reported:
what is on the way to an error or a panic; functions that pass on their own arguments, because their callers know the
format; formats that pad or that show how Go writes a value, which strconv does not; HTML; and sort.Slice, which
sortslice has.`)

// logged reports whether a call makes an argument of a logger's.
func (u *unit) logged(cur inspector.Cursor) bool {
	outer, ok := cur.Parent().Node().(*ast.CallExpr)
	if !ok || cur.ParentEdgeKind() != edge.CallExpr_Args {
		return false
	}
	fn := u.Callee(outer)
	return fn != nil && fn.Signature().Recv() != nil && isLevel(fn.Name())
}

// instead is what to write in place of a call that prints, "" where that is nothing better.
func (u *unit) instead(fn *types.Func, call *ast.CallExpr) string {
	const (
		numbers = "on a hot path, append with strconv to a buffer instead of fmt"
		texts   = "on a hot path, concatenate these strings instead of fmt"
		written = "on a hot path, concatenate these strings and write them with io.WriteString instead of fmt"
		added   = "on a hot path, append these strings instead of fmt"
		quoted  = "on a hot path, quote with strconv.Quote or AppendQuote instead of fmt"
	)
	first := 0 // of the values
	if fn.Name()[0] != 'S' {
		first = 1 // behind the writer, or the buffer
	}
	if fn.Name()[len(fn.Name())-1] == 'f' {
		format, ok := u.Text(call.Args[first])
		switch {
		case ok && (columns.MatchString(format) || markup.MatchString(format)):
			return ""
		case ok && strings.Contains(format, "%q"):
			return quoted
		}
		first++
	}
	for _, arg := range call.Args[first:] {
		if !isText(u.TypesInfo.TypeOf(arg)) {
			return numbers
		}
	}
	switch fn.Name()[0] {
	case 'F':
		return written
	case 'A':
		return added
	}
	return texts
}

// isText reports whether fmt prints a value of this type as the string that it is. A named type may say how it is printed.
func isText(t types.Type) bool {
	if t == nil {
		return false
	}
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Info()&types.IsString != 0 &&
		!slices.ContainsFunc([]string{"String", "Error", "Format", "GoString"}, func(method string) bool {
			obj, _, _ := types.LookupFieldOrMethod(t, false, nil, method)
			return obj != nil
		})
}

// columns are verbs that pad with spaces, or that show how Go writes a value.
var columns = regexp.MustCompile(`%[+ 0]*[-#]|%[+ ]*[1-9*]|%\+v`)

// markup is HTML: a page is for people, and who makes many of them has templates.
var markup = regexp.MustCompile(`</?[a-zA-Z]+[ >]`)

var formats = []callee{
	{"fmt", "", "Sprintf Sprint Sprintln Fprintf Fprint Fprintln Appendf", ""},
	{"fmt", "", "Sscanf Sscan Sscanln Fscanf Fscan Fscanln",
		"on a hot path, cut the text and parse its parts with strconv instead of fmt"},
	{"reflect", "", "DeepEqual",
		"on a hot path, compare the fields, or with slices.Equal and maps.Equal, instead of by reflection"},
	{"reflect", "Value", "Call FieldByName MethodByName",
		"on a hot path, look it up once for each type and keep what was found, or write it out for the type"},
	{"encoding/binary", "", "Read Write",
		"on a hot path, use binary.Append or the methods of binary.LittleEndian instead of reflection"},
}

func findFmtCall(u *unit) {
	for cur, c := range u.calls(formats...) {
		do := c.says
		if do == "" {
			do = u.instead(c.fn, c.CallExpr)
		}
		switch {
		case do == "" || c.Ellipsis.IsValid() || u.cold(cur):
		case u.logged(cur):
			u.report(c, "this is formatted also when nothing of that level is logged: pass the value, and let the "+
				"logger format it")
		default:
			u.report(c, do)
		}
	}
}

var sprintfKey = check("sprintfkey", findSprintfKey, `report map keys that fmt.Sprintf makes of strings and integers

A look-up by a key of two parts takes 184 ns and two allocations when Sprintf makes it, 25 ns and none with a struct of
the parts, 38 ns with a concatenation (BenchmarkCost/key). On the lab's ads service it was a quarter of a request's CPU
(docs/evidence/lab.md, ads/sprintf-keys).

Reported is a Sprintf of %s, %d and %v alone, of two or more plain values, whose result looks an entry up in a map or a
sync.Map, there or by a variable that is only that. Not reported: maps that a function only fills, values with methods
(String), other verbs, and Sprintf of a single value, which perfsprint has.`)

func findSprintfKey(u *unit) {
	for cur, c := range u.calls(callee{"fmt", "", "Sprintf", ""}) {
		format, ok := u.Text(c.Args[0])
		if ok && len(c.Args) > 2 && u.simple(format, c.Args[1:]) && u.isKey(cur) {
			u.report(c, "Sprintf allocates at each look-up: use a struct of these parts as the map's key, or "+
				"concatenate them",
				u.concatenate(c.CallExpr, format)...)
		}
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
	looksUp := false
	f, v := u.Local(cur)
	return v != nil && u.All(f, v, func(use inspector.Cursor) bool {
		is := u.indexes(use)
		looksUp = looksUp || is && !stores(use)
		return is || use.ParentEdgeKind() == edge.AssignStmt_Lhs
	}) && looksUp
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
			return u.Builtin(p) == "delete"
		}
		return isMethod(u.Callee(p), "sync", "Map", "Load", "Store", "LoadOrStore", "LoadAndDelete", "Delete", "Swap")
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

var errorHot = check("errorhot", findErrorHot, `report errors that are formatted, or made with a stack, where that costs

An error that says "not found" at each second look-up is no exception but an answer. fmt.Errorf formats it, with three
allocations, for a caller who only asks whether it is nil (BenchmarkCostAgain/error); errors of github.com/pkg/errors
walk the stack as well. A package variable, a bool or a type that formats in Error costs nothing until somebody prints
it.

It counts only with heat: an error that is rare costs nothing. Not reported: package variables, and what runs once.`)

const (
	formatted = "this error is made so often that it is an answer: return one that was made once, a bool, or a type " +
		"that formats when it is printed"
	traced = "this error is made so often that it is an answer, and each time the stack is walked: return one of the " +
		"errors package that was made once, or a bool"
)

var findErrorHot = tell([]callee{
	{"fmt", "", "Errorf", formatted},
	{"github.com/pkg/errors", "", "New Errorf Wrap Wrapf WithStack", traced},
	{"github.com/cockroachdb/errors", "", "New Newf Errorf Wrap Wrapf WithStack", traced},
	{"golang.org/x/xerrors", "", "New Errorf", traced},
})
