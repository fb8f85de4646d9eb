package rewrite

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/gocasebook/casebook/app/syntax"
)

// A logger is a type with a method for debug lines, and how to ask whether they are on.
type logger struct {
	path, typ string
	methods   []string
	enabled   func(u *Unit, at ast.Node, x string) (cond string, imports []string)
}

func loggers() []logger {
	in := func(format string, pkg string, more ...string) func(*Unit, ast.Node, string) (string, []string) {
		return func(u *Unit, at ast.Node, x string) (string, []string) {
			for _, p := range append([]string{pkg}, more...) {
				if u.pkg(at, p) == "" {
					return "", nil
				}
			}
			return strings.NewReplacer("LOGGER", x, "PKG", u.pkg(at, pkg)).Replace(format), append(more, pkg)
		}
	}
	const zap, logrus, slog = "go.uber.org/zap", "github.com/sirupsen/logrus", "log/slog"
	return []logger{
		{zap, "SugaredLogger", []string{"Debug", "Debugf", "Debugw", "Debugln"},
			in("LOGGER.Desugar().Core().Enabled(PKG.DebugLevel)", zap)},
		{zap, "Logger", []string{"Debug"}, in("LOGGER.Core().Enabled(PKG.DebugLevel)", zap)},
		{logrus, "Logger", []string{"Debug", "Debugf", "Debugln"}, in("LOGGER.IsLevelEnabled(PKG.DebugLevel)", logrus)},
		{logrus, "Entry", []string{"Debug", "Debugf", "Debugln"}, in("LOGGER.Logger.IsLevelEnabled(PKG.DebugLevel)", logrus)},
		{slog, "Logger", []string{"Debug"}, in("LOGGER.Enabled(context.Background(), PKG.LevelDebug)", slog, "context")},
		{slog, "", []string{"Debug"}, in("PKG.Default().Enabled(context.Background(), PKG.LevelDebug)", slog, "context")},
	}
}

// logGuard asks whether debug lines are on before it formats what one says.
func logGuard(u *Unit) (out changes) {
	for cur, s := range each[*ast.ExprStmt](u) {
		call, ok := s.X.(*ast.CallExpr)
		if !ok || !u.formats(call.Args) {
			continue
		}
		sel, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			continue
		}
		fn := u.Callee(call)
		i := slices.IndexFunc(loggers(), func(l logger) bool {
			if l.typ == "" {
				return isFunc(fn, l.path, l.methods...)
			}
			return isMethod(fn, l.path, l.typ, l.methods...)
		})
		if i < 0 {
			continue
		}
		if in, ok := cur.Parent().Parent().Node().(*ast.IfStmt); ok && mentionsLevel(in.Cond) {
			continue // it asks already
		}
		l := loggers()[i]
		if l.typ != "" && !isPath(sel.X) {
			out.add(u.refuse(s, "the logger is made here: it must be asked whether it is on"))
			continue
		}
		if !u.onlyText(call.Args) {
			out.add(u.refuse(s, "the arguments call functions that may do more than make text"))
			continue
		}
		cond, imports := l.enabled(u, s, u.text(sel.X))
		if cond == "" {
			out.add(u.refuse(s, "the name of its package means something else here"))
			continue
		}
		c := u.change(s, "format the line only when debug lines are on")
		c.needs(s, imports...)
		in := u.indent(s)
		c.replace(s.Pos(), s.End(), "if "+cond+" {\n"+in+"\t"+u.text(s)+"\n"+in+"}")
		out.add(c)
	}
	return out
}

// formats reports whether arguments have a call that makes text.
func (u *Unit) formats(args []ast.Expr) bool {
	return someOf(args, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		return ok && (isFunc(u.Callee(call), "fmt", "Sprint", "Sprintf", "Sprintln") ||
			isFunc(u.Callee(call), "encoding/json", "Marshal"))
	})
}

// someOf reports whether something holds of an expression, or of a node below one.
func someOf(list []ast.Expr, holds func(ast.Node) bool) bool {
	return slices.ContainsFunc(list, func(e ast.Expr) bool { return syntax.Some(e, holds) })
}

// onlyText reports whether all calls in arguments are known to do nothing but make a value.
func (u *Unit) onlyText(args []ast.Expr) bool {
	return !someOf(args, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return true
		case *ast.UnaryExpr:
			return n.Op == token.ARROW
		case *ast.CallExpr:
			return !u.pure(n)
		}
		return false
	})
}

func (u *Unit) pure(call *ast.CallExpr) bool {
	if u.isConversion(call) || u.Builtin(call) == "len" || u.Builtin(call) == "string" {
		return true
	}
	fn := u.Callee(call)
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "strconv", "strings", "log/slog", "go.uber.org/zap":
		return true
	case "fmt":
		return isFunc(fn, "fmt", "Sprint", "Sprintf", "Sprintln")
	case "time":
		return isMethod(fn, "time", "Time", fn.Name()) || isMethod(fn, "time", "Duration", fn.Name())
	}
	return fn.Name() == "String" || fn.Name() == "Error"
}

// mentionsLevel reports whether a condition asks for a level.
func mentionsLevel(e ast.Expr) bool {
	return syntax.Some(e, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		return ok && slices.Contains([]string{"Enabled", "IsLevelEnabled", "GetLevel", "Level", "Check"}, sel.Sel.Name)
	})
}
