package rewrite

import (
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

// sprintf makes a Sprintf of strings and integers a concatenation with strconv.
func sprintf(u *Unit) (out changes) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !isFunc(u.Callee(call), "fmt", "Sprintf") || len(call.Args) < 2 || call.Ellipsis.IsValid() {
			continue
		}
		format, ok := u.Text(call.Args[0])
		if !ok {
			continue
		}
		p := printed{Unit: u, pkg: u.pkg(call, "strconv")}
		if why := p.parts(format, call.Args[1:]); why != "" {
			out.add(u.refuse(call, why))
			continue
		}
		c := u.change(call, "concatenate the parts of the string")
		if p.strconv {
			c.needs(call, "strconv")
		}
		text := p.sum(call)
		if needsParens(cur) {
			text = "(" + text + ")"
		}
		c.replace(call.Pos(), call.End(), text)
		out.add(c)
	}
	return out
}

// sum joins the parts, on several lines where one would be long.
func (p *printed) sum(call *ast.CallExpr) string {
	column := p.Fset.PositionFor(call.Pos(), false).Column
	var b strings.Builder
	for i, part := range p.out {
		switch {
		case i == 0:
		case column+len(part) > maxColumn:
			b.WriteString(" +\n" + p.indent(call) + "\t")
			column = len(p.indent(call))
		default:
			b.WriteString(" + ")
		}
		b.WriteString(part)
		column += len(part) + len(" + ")
	}
	return b.String()
}

// maxColumn is where a sum goes on in the next line.
const maxColumn = 100

func needsParens(cur inspector.Cursor) bool {
	switch p := cur.Parent().Node().(type) {
	case *ast.SelectorExpr, *ast.StarExpr:
		return true
	case *ast.IndexExpr:
		return p.X == cur.Node()
	case *ast.SliceExpr:
		return p.X == cur.Node()
	}
	return false
}

// printed is what a format prints, in parts.
type printed struct {
	*Unit
	pkg     string // strconv's name; "" if it cannot be used
	strconv bool   // is used
	out     []string
}

var verbs = regexp.MustCompile(`%%|%[-+# 0-9.*\[\]]*[a-zA-Z]`)

// parts reads a format; if a part is not plain, it says which.
func (p *printed) parts(format string, args []ast.Expr) (why string) {
	text := func(s string) {
		if s = strings.ReplaceAll(s, "%%", "%"); s != "" {
			p.out = append(p.out, strconv.Quote(s))
		}
	}
	rest, literal := format, ""
	for {
		at := verbs.FindStringIndex(rest)
		if at == nil {
			break
		}
		verb := rest[at[0]:at[1]]
		literal += rest[:at[0]]
		rest = rest[at[1]:]
		if verb == "%%" {
			literal += "%%"
			continue
		}
		if len(args) == 0 {
			return "it has more verbs than values"
		}
		if date, verbs := p.date(verb+rest, args); date != "" {
			text(literal)
			literal = ""
			p.out = append(p.out, date)
			rest, args = rest[len(verbs)-len(verb):], args[3:]
			continue
		}
		value := p.value(verb, args[0])
		if value == "" {
			return fmt.Sprintf("%s of %s is more than a concatenation can do", verb, p.text(args[0]))
		}
		text(literal)
		literal = ""
		p.out = append(p.out, value)
		args = args[1:]
	}
	if len(args) > 0 {
		return "it has more values than verbs"
	}
	text(literal + rest)
	return ""
}

// dates begin with the verbs of a year, a month and a day.
var dates = regexp.MustCompile(`^%04d([-/.:]?)%02d([-/.:]?)%02d`)

// date is t.Format for t.Year(), t.Month() and t.Day() in a row, with the verbs that it prints. (The years before 0
// have a digit more there.)
func (p *printed) date(format string, args []ast.Expr) (text, verbs string) {
	m := dates.FindStringSubmatch(format)
	if m == nil || len(args) < 3 {
		return "", ""
	}
	var of ast.Expr
	for i, name := range []string{"Year", "Month", "Day"} {
		call, ok := ast.Unparen(args[i]).(*ast.CallExpr)
		if ok && p.isConversion(call) && isInt(p.Info.TypeOf(call)) { // int(t.Month())
			call, ok = ast.Unparen(call.Args[0]).(*ast.CallExpr)
		}
		if !ok || !isMethod(p.Callee(call), "time", "Time", name) {
			return "", ""
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || !isPath(sel.X) || of != nil && !p.Same(of, sel.X) {
			return "", ""
		}
		of = sel.X
	}
	return p.text(of) + ".Format(" + strconv.Quote("2006"+m[1]+"01"+m[2]+"02") + ")", m[0]
}

func isInt(t types.Type) bool { return types.Identical(t, types.Typ[types.Int]) }

// value is an expression for a value as a verb prints it, "" if there is no simple one.
func (p *printed) value(verb string, arg ast.Expr) string {
	t := p.Info.TypeOf(arg)
	b, ok := t.Underlying().(*types.Basic)
	if !ok || types.NewMethodSet(t).Len() > 0 || types.NewMethodSet(types.NewPointer(t)).Len() > 0 {
		return "" // it may have a String method
	}
	switch {
	case verb == "%c" && (b.Kind() == types.Uint8 || b.Kind() == types.Int32):
		return "string(" + p.converted("rune", arg, types.Identical(t, types.Typ[types.Rune])) + ")"
	case b.Info()&types.IsString != 0 && (verb == "%s" || verb == "%v"):
		if isString(t) || b.Kind() == types.UntypedString {
			return p.operand(arg)
		}
		return "string(" + p.text(arg) + ")"
	case p.pkg == "":
		return ""
	case b.Info()&types.IsInteger != 0 && b.Kind() != types.UntypedRune:
		return p.integer(verb, arg, b)
	case b.Info()&types.IsBoolean != 0 && (verb == "%t" || verb == "%v"):
		p.strconv = true
		return p.pkg + ".FormatBool(" + p.converted("bool", arg, types.Identical(t, types.Typ[types.Bool])) + ")"
	}
	return ""
}

// operand is an expression as a part of a sum.
func (p *printed) operand(arg ast.Expr) string {
	if _, binary := ast.Unparen(arg).(*ast.BinaryExpr); binary {
		return "(" + p.text(ast.Unparen(arg)) + ")"
	}
	return p.text(arg)
}

func (p *printed) converted(to string, arg ast.Expr, is bool) string {
	if is {
		return p.text(arg)
	}
	return to + "(" + p.text(arg) + ")"
}

func (p *printed) integer(verb string, arg ast.Expr, b *types.Basic) string {
	signed := b.Info()&types.IsUnsigned == 0
	exactly := func(k types.BasicKind) bool { return types.Identical(p.Info.TypeOf(arg), types.Typ[k]) }
	out := ""
	switch {
	case verb == "%02x" && b.Kind() == types.Uint8:
		out = p.pkg + ".FormatUint(0x100|uint64(" + p.text(arg) + "), 16)[1:]" // two digits
	case verb == "%x" && !signed:
		out = p.pkg + ".FormatUint(" + p.converted("uint64", arg, exactly(types.Uint64)) + ", 16)"
	case verb != "%d" && verb != "%v":
		return ""
	case !signed:
		out = p.pkg + ".FormatUint(" + p.converted("uint64", arg, exactly(types.Uint64)) + ", 10)"
	case exactly(types.Int64):
		out = p.pkg + ".FormatInt(" + p.text(arg) + ", 10)"
	case b.Kind() == types.Int || b.Kind() == types.UntypedInt:
		out = p.pkg + ".Itoa(" + p.converted("int", arg, exactly(types.Int) || b.Kind() == types.UntypedInt) + ")"
	default:
		out = p.pkg + ".FormatInt(int64(" + p.text(arg) + "), 10)"
	}
	p.strconv = true
	return out
}
