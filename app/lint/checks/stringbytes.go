package checks

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"
)

var stringBytes = check("stringbytes", findStringBytes, `report conversions between strings and bytes that copy for nothing

A conversion that the compiler cannot see through allocates and copies: 1 kB is 0.7 µs (BenchmarkCost/stringbytes).
Reported are []byte(string(b)) and string([]byte(s)), which copy twice; []byte(strings.Trim(string(b), …)) and its
like, where package bytes has the same function; strings.F(string(b), …) where bytes.F answers
the same without a copy; bytes.NewReader([]byte(s)), where strings.NewReader reads the string; []rune(s)[0], which decodes
all of the string for its first letter; Write([]byte(s)) of an http.ResponseWriter, or of another interface that has a
WriteString, where that needs no copy; and the conversion at each turn of a value that does not change in the loop.

Not reported: what the compiler does without a copy (map index, comparison, range, concatenation, switch, bytes of a
string that a function only reads), constants, and conversions outside of loops that are needed once. So go-critic's
stringXbytes, about copy and append, has nothing to save today.`)

func findStringBytes(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		switch {
		case u.roundTrip(call):
		case u.searched(call):
		case u.readAgain(call):
		case u.firstRune(cur, call):
		case u.written(cur, call):
		default:
			u.sameEachTurn(cur, call)
		}
	}
}

// crosses reports whether an expression is a conversion from bytes to a string or back, and of what.
func (u *unit) crosses(e ast.Expr) (of ast.Expr, toString, ok bool) {
	to, of := u.conversion(e)
	if of == nil || u.IsConstant(of) {
		return nil, false, false
	}
	from := u.TypesInfo.TypeOf(of)
	toString = isBasic(to, types.String) && isBytes(from)
	return of, toString, toString || isBytes(to) && isBasic(from, types.String)
}

// makers are the functions of strings that make a text of another, and have a twin in bytes.
var makers = []string{"Trim", "TrimSpace", "TrimLeft", "TrimRight", "TrimFunc", "ToLower", "ToUpper", "ToTitle",
	"Repeat"}

func (u *unit) roundTrip(call *ast.CallExpr) bool {
	inner, toString, ok := u.crosses(call)
	if !ok {
		return false
	}
	if made, is := ast.Unparen(inner).(*ast.CallExpr); is && !toString && isFunc(u.Callee(made), "strings", makers...) {
		if _, back, ok := u.crosses(made.Args[0]); ok && back {
			u.report(call, "this copies the bytes to a string and back: call bytes."+u.Callee(made).Name()+
				", which makes the same of them")
			return true
		}
	}
	_, innerToString, ok := u.crosses(inner)
	if !ok || toString == innerToString {
		return false
	}
	if toString {
		u.report(call, "this copies the string twice: use it as it is")
	} else {
		u.report(call, "this copies the bytes twice: use bytes.Clone, or the bytes as they are")
	}
	return true
}

// searches are the functions of strings that have a twin in bytes with the same answer, by their number of arguments
// that must be converted.
var searches = []string{"Contains", "HasPrefix", "HasSuffix", "Index", "LastIndex", "Count", "EqualFold"}

// searched reports strings.F(string(b), t) for t a constant or string(c).
func (u *unit) searched(call *ast.CallExpr) bool {
	fn := u.Callee(call)
	one := isFunc(fn, "strings", "ContainsRune", "ContainsAny", "IndexByte", "IndexRune", "IndexAny", "LastIndexByte")
	if !one && !isFunc(fn, "strings", searches...) {
		return false
	}
	_, toString, ok := u.crosses(call.Args[0])
	if !ok || !toString {
		return false
	}
	if !one && !u.IsConstant(call.Args[1]) {
		if _, toString, ok := u.crosses(call.Args[1]); !ok || !toString {
			return false
		}
	}
	u.report(call, "this copies the bytes to search them: bytes."+fn.Name()+" answers the same without a copy")
	return true
}

// readAgain reports bytes.NewReader([]byte(s)) and strings.NewReader(string(b)).
func (u *unit) readAgain(call *ast.CallExpr) bool {
	fn := u.Callee(call)
	ofBytes := isFunc(fn, "bytes", "NewReader")
	if !ofBytes && !isFunc(fn, "strings", "NewReader") {
		return false
	}
	_, toString, ok := u.crosses(call.Args[0])
	if !ok || toString == ofBytes {
		return false
	}
	if ofBytes {
		u.report(call, "this copies the string to read it: strings.NewReader reads it as it is")
	} else {
		u.report(call, "this copies the bytes to read them: bytes.NewReader reads them as they are")
	}
	return true
}

// firstRune reports []rune(s)[0].
func (u *unit) firstRune(cur inspector.Cursor, call *ast.CallExpr) bool {
	index, ok := cur.Parent().Node().(*ast.IndexExpr)
	to, of := u.conversion(call)
	if !ok || of == nil || !u.isZero(index.Index) || u.IsConstant(of) || !u.isString(of) {
		return false
	}
	if s, ok := to.Underlying().(*types.Slice); !ok || !isBasic(s.Elem(), types.Int32) {
		return false
	}
	u.report(call, "this decodes the whole string for its first letter: utf8.DecodeRuneInString decodes that one")
	return true
}

// written reports w.Write([]byte(s)) where w is an interface, and what is in it takes strings.
func (u *unit) written(cur inspector.Cursor, call *ast.CallExpr) bool {
	if _, toString, ok := u.crosses(call); !ok || toString || !u.readOnly(cur) || !u.takesStrings(cur) || u.runsOnce(cur) {
		return false
	}
	inner, ok := ast.Unparen(call.Args[0]).(*ast.CallExpr)
	if ok && isFunc(u.Callee(inner), "fmt", "Sprintf", "Sprint") {
		return false // fmtappendf has it
	}
	if l, again := loop(cur); again && !u.leavesAfter(cur, l) {
		if v, ok := u.Root(call.Args[0]).(*types.Var); ok && !within(l.Node(), v.Pos()) && !u.Changes(l, v) {
			return false // converted once, before the loop, it costs nothing at all: sameEachTurn
		}
	}
	u.report(call, "this copies the string to write it: io.WriteString(w, s) does not, where the writer takes strings")
	return true
}

// takesStrings reports whether the writer whose Write a conversion is the argument of has a WriteString: its type says so,
// or it is an http.ResponseWriter, behind which net/http's has one. A hash has none.
func (u *unit) takesStrings(cur inspector.Cursor) bool {
	to := receiver(cur.Parent().Node().(*ast.CallExpr))
	if to == nil {
		return false
	}
	_, has := u.method(to, "WriteString")
	return has || isNamed(u.TypesInfo.TypeOf(to), "net/http", "ResponseWriter")
}

// sameEachTurn reports the conversion of a variable in a loop that does not change it, nor what is in it.
func (u *unit) sameEachTurn(cur inspector.Cursor, call *ast.CallExpr) {
	of, toString, ok := u.crosses(call)
	if !ok || u.free(cur) {
		return
	}
	l, ok := loop(cur)
	v, isVar := u.Root(of).(*types.Var)
	_, ident := ast.Unparen(of).(*ast.Ident)
	if !ok || !isVar || !ident || v.Kind() == types.PackageVar || within(l.Node(), v.Pos()) || u.Changes(l, v) ||
		u.leavesAfter(cur, l) || toString && !u.onlyRead(l, v) || !toString && !u.readOnly(cur) || u.runsOnce(l) ||
		u.captured(cur, v) || u.cold(cur) {
		return
	}
	u.report(call, "the loop makes this copy at each turn, of a value that stays the same: convert it before the loop")
}

// readOnly reports whether the bytes made from a string go to an interface's Write, which keeps and changes nothing. A
// function that the compiler sees through gets the string's own bytes without a copy, since Go 1.22.
func (u *unit) readOnly(cur inspector.Cursor) bool {
	call, ok := cur.Parent().Node().(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := u.Callee(call)
	return fn != nil && fn.Name() == "Write" && fn.Signature().Recv() != nil &&
		types.IsInterface(fn.Signature().Recv().Type())
}

// onlyRead reports whether a loop does nothing to a slice of bytes but read and convert it.
func (u *unit) onlyRead(l inspector.Cursor, v *types.Var) bool {
	return u.All(l, v, func(use inspector.Cursor) bool {
		switch p := use.Parent().Node().(type) {
		case *ast.CallExpr:
			return u.TypesInfo.Types[p.Fun].IsType() || u.Builtin(p) == "len"
		case *ast.BinaryExpr, *ast.RangeStmt:
			return true
		}
		return false
	})
}

// free reports whether the compiler converts without a copy (cmd/compile/internal/walk/convert.go of Go 1.26): in a map
// index, a comparison, a concatenation, a range, a switch.
func (u *unit) free(cur inspector.Cursor) bool {
	switch p := cur.Parent().Node().(type) {
	case *ast.IndexExpr, *ast.RangeStmt, *ast.SwitchStmt, *ast.CaseClause:
		return true
	case *ast.BinaryExpr:
		return p.Op != token.LAND && p.Op != token.LOR
	}
	return false
}
