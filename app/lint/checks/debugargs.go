package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
)

var debugArgs = check("debugargs", findDebugArgs, `report what is made for a debug log that nobody writes

The arguments of a call are there before the call finds out that its level is off: fields in a map, values put into
interfaces, texts that Sprintf makes. Ask the level first, if log.IsLevelEnabled(…), if logger.Enabled(…), or use a
logger whose fields cost nothing then.

It counts only with heat, and only where the profile shows that nothing below the line was written. Reported are calls
of Debug, Trace and V(n).Info in their forms, where fields, formatting or values are made for them. Not reported:
constant messages, calls below a condition that asks the level, and what runs once.`)

func findDebugArgs(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok || !u.logsDebug(sel) || u.runsOnce(cur) || u.asksLevel(cur) || !u.makesForLog(call, sel) {
			continue
		}
		u.report(call, "this is made whether or not debug is logged: ask for the level first")
	}
}

// logsDebug reports whether a method or a function logs at a level that is off in production: Debug and Trace in their
// forms, and logr's V(n).Info.
func (u *unit) logsDebug(sel *ast.SelectorExpr) bool {
	fn, ok := u.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return false
	}
	w := words(fn.Name())
	if len(w) == 0 || fn.Signature().Results().Len() > 0 {
		return false
	}
	word := strings.TrimRight(w[0], "f")
	if slices.Contains([]string{"debug", "trace", "debugw", "tracew", "debugln", "traceln", "debugctx"}, word) {
		return fn.Signature().Params().Len() > 0
	}
	v, ok := ast.Unparen(sel.X).(*ast.CallExpr)
	if !ok || w[0] != "info" && w[0] != "infof" || len(v.Args) != 1 {
		return false
	}
	of, ok := ast.Unparen(v.Fun).(*ast.SelectorExpr)
	return ok && of.Sel.Name == "V"
}

// makesForLog reports whether a call of a logger has something made for it: fields before, or arguments that are no
// constants.
func (u *unit) makesForLog(call *ast.CallExpr, sel *ast.SelectorExpr) bool {
	if before, ok := ast.Unparen(sel.X).(*ast.CallExpr); ok {
		if s, ok := ast.Unparen(before.Fun).(*ast.SelectorExpr); ok && strings.HasPrefix(s.Sel.Name, "With") {
			return true
		}
	}
	return slices.ContainsFunc(call.Args, func(a ast.Expr) bool {
		t := u.TypesInfo.TypeOf(a)
		return !u.constant(a) && t != nil && !isNamed(t, "context", "Context") && !isError(t)
	})
}

// asksLevel reports whether a call is below a condition that asks a logger for its level.
func (u *unit) asksLevel(cur inspector.Cursor) bool {
	for up := range cur.Enclosing((*ast.IfStmt)(nil)) {
		s := up.Node().(*ast.IfStmt)
		if !within(s.Body, cur.Node().Pos()) {
			continue
		}
		asks := false
		ast.Inspect(s.Cond, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				name := strings.ToLower(id.Name)
				asks = asks || strings.Contains(name, "enabled") || strings.Contains(name, "level") ||
					strings.Contains(name, "debug") || strings.Contains(name, "verbose") || strings.Contains(name, "trace")
			}
			return !asks
		})
		if asks {
			return true
		}
	}
	return false
}
