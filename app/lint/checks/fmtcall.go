package checks

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gocasebook/casebook/app/syntax"
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
	fn := u.callee(outer)
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
		format, ok := u.text(call.Args[first])
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
	if !ok || basic.Info()&types.IsString == 0 {
		return false
	}
	for _, method := range []string{"String", "Error", "Format", "GoString"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, false, nil, method); obj != nil {
			return false
		}
	}
	return true
}

// text is the value of a constant string.
func (u *unit) text(e ast.Expr) (string, bool) { return syntax.Text(u.TypesInfo, e) }

// columns are verbs that pad with spaces, or that show how Go writes a value.
var columns = regexp.MustCompile(`%[+ 0]*[-#]|%[+ ]*[1-9*]|%\+v`)

// markup is HTML: a page is for people, and who makes many of them has templates.
var markup = regexp.MustCompile(`</?[a-zA-Z]+[ >]`)

func findFmtCall(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		var do string
		switch fn := u.callee(call); {
		case isFunc(fn, "fmt", "Sprintf", "Sprint", "Sprintln", "Fprintf", "Fprint", "Fprintln", "Appendf"):
			if do = u.instead(fn, call); do == "" {
				continue
			}
		case isFunc(fn, "fmt", "Sscanf", "Sscan", "Sscanln", "Fscanf", "Fscan", "Fscanln"):
			do = "on a hot path, cut the text and parse its parts with strconv instead of fmt"
		case isFunc(fn, "reflect", "DeepEqual"):
			do = "on a hot path, compare the fields, or with slices.Equal and maps.Equal, instead of by reflection"
		case isMethod(fn, "reflect", "Value", "Call", "FieldByName", "MethodByName"):
			do = "on a hot path, look it up once for each type and keep what was found, or write it out for the type"
		case isFunc(fn, "encoding/binary", "Read", "Write"):
			do = "on a hot path, use binary.Append or the methods of binary.LittleEndian instead of reflection"
		default:
			continue
		}
		if _, ok := function(cur); !ok || call.Ellipsis.IsValid() || u.cold(cur) || u.runsOnce(cur) {
			continue
		}
		if u.logged(cur) {
			do = "this is formatted also when nothing of that level is logged: pass the value, and let the logger format it"
		}
		u.report(call, do)
	}
}
