package checks

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
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
		if !ok || !u.logsDebug(call, sel) || u.runsOnce(cur) || u.asksLevel(cur) || !u.makesForLog(call, sel) {
			continue
		}
		u.report(call, "this is made whether or not debug is logged: ask for the level first")
	}
}

// logsDebug reports whether a method or a function logs at a level that is off in production: Debug and Trace in their
// forms, and logr's V(n).Info.
func (u *unit) logsDebug(call *ast.CallExpr, sel *ast.SelectorExpr) bool {
	fn, ok := u.TypesInfo.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Signature().Results().Len() > 0 {
		return false
	}
	w := firstWord(fn.Name())
	if slices.Contains([]string{"debug", "trace", "debugw", "tracew", "debugln", "traceln", "debugctx"},
		strings.TrimRight(w, "f")) {
		return fn.Signature().Params().Len() > 0
	}
	return (w == "info" || w == "infof") && u.verbosity(call)
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
		return !u.IsConstant(a) && t != nil && !isNamed(t, "context", "Context") && !isError(t)
	})
}

// levelWords are in the names of what says whether a log is on.
var levelWords = []string{"enabled", "level", "debug", "verbose", "trace"}

// asksLevel reports whether a call is below a condition that asks a logger for its level.
func (u *unit) asksLevel(cur inspector.Cursor) bool {
	asks := func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		return ok && slices.ContainsFunc(levelWords, func(word string) bool {
			return strings.Contains(strings.ToLower(id.Name), word)
		})
	}
	for up := range cur.Enclosing((*ast.IfStmt)(nil)) {
		s := up.Node().(*ast.IfStmt)
		if within(s.Body, cur.Node().Pos()) && some(s.Cond, asks) {
			return true
		}
	}
	return false
}

var logHot = check("loghot", findLogHot, `report lines of log that are written where the work is

A line of log is formatted, goes through a lock that all goroutines share, and is a system call: microseconds each. One
for each request, message or row costs more than what some handlers do. What is counted needs no line, what is wanted for
looking into a fault can be at a level that is off, and of many lines alike a sample says as much.

It counts only with heat, and only where the profile shows that something was written below the line. Reported are
calls of package log, log/slog, zap, zerolog, logrus and their like, from Print and Info on. Not reported: debug logs,
which debugargs has; the inside of methods that write a line themselves, whose callers are reported; what ends the
process; and what runs once.`)

func findLogHot(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.Callee(call)
		if !logsLine(fn) || u.verbosity(call) || u.runsOnce(cur) || u.cold(cur) || u.isLogMethod(cur) {
			continue
		}
		do := "a line of log at each pass: log it at a level that is off, log a sample, or count it in a metric"
		if strings.HasSuffix(fn.Pkg().Path(), "/logrus") {
			do += "; what has to be logged takes less with log/slog, without maps and locks around the formatting"
		}
		u.report(call, do)
	}
}

// isLogMethod reports whether a node is in a function that writes a line of log for its callers.
func (u *unit) isLogMethod(cur inspector.Cursor) bool {
	d := declaration(cur)
	if d == nil {
		return false
	}
	fn, _ := u.TypesInfo.Defs[d.Name].(*types.Func)
	return logsLine(fn)
}

// levels are first words of what writes a line of log in production.
var levels = []string{"print", "info", "warn", "warning", "notice", "error", "log", "msg", "send", "output"}

// logsLine reports whether a function or a method writes a line of log.
func logsLine(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil || !isLogging(fn) {
		return false
	}
	if r := fn.Signature().Results(); r.Len() > 1 || r.Len() == 1 && !isError(r.At(0).Type()) {
		return false
	}
	switch name := fn.Name(); name {
	case "Msg", "Msgf", "Send":
		return fn.Pkg().Path() == "github.com/rs/zerolog"
	default:
		return slices.ContainsFunc([]string{"", "f", "w", "ln"}, func(form string) bool {
			return slices.Contains(levels, strings.TrimSuffix(firstWord(name), form))
		})
	}
}

// isLogging reports whether a function belongs to a package for logging, or to a type that is named a logger.
func isLogging(fn *types.Func) bool {
	if loggingPackage(fn.Pkg().Path()) {
		return true
	}
	recv := fn.Signature().Recv()
	return recv != nil && isLogger(recv.Type())
}

// loggingPackage reports whether an import path is that of a package for logging.
func loggingPackage(path string) bool {
	parts := strings.Split(path, "/")
	last := parts[len(parts)-1]
	if len(parts) > 1 && len(last) == 2 && last[0] == 'v' {
		last = parts[len(parts)-2]
	}
	return slices.Contains([]string{"log", "slog", "logrus", "zap", "zerolog", "klog", "glog", "hclog", "logr", "clog",
		"logger", "logging"}, last)
}

// isLogger reports whether a type is named a logger.
func isLogger(t types.Type) bool {
	n, ok := types.Unalias(deref(t)).(*types.Named)
	if !ok {
		return false
	}
	name := n.Obj().Name()
	return strings.HasSuffix(name, "Logger") || name == "Log" ||
		name == "Entry" && n.Obj().Pkg() != nil && loggingPackage(n.Obj().Pkg().Path())
}

// verbosity reports whether a call is logr's or klog's V(n).Info, whose level is its own.
func (u *unit) verbosity(call *ast.CallExpr) bool {
	v, ok := ast.Unparen(receiver(call)).(*ast.CallExpr)
	if !ok {
		return false
	}
	of, ok := ast.Unparen(v.Fun).(*ast.SelectorExpr)
	return ok && of.Sel.Name == "V"
}

var loggerWith = check("loggerwith", findLoggerWith, `report loggers with fields of their own that are made at each pass

logger.With(…) copies the logger, and most handlers format the fields there and then, whether or not a line follows. One
for each request or task is paid for by all of them, and used by those that log.

It counts only with heat. Reported are With, WithFields, WithValues and their like of log/slog, zap, zerolog, logrus,
logr and go-kit. Not reported: what a line of log follows at once, or surely, which is that line's; what goes on to
another With; loggers that are kept in a field; and what runs once.`)

func findLoggerWith(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		if !u.makesLogger(call) || u.runsOnce(cur) || u.keptInField(cur) {
			continue
		}
		if _, chained := cur.Parent().Node().(*ast.SelectorExpr); chained || u.surelyLogs(cur) {
			continue
		}
		u.report(call, "a logger with fields of its own at each pass, whether or not it logs: make it once for what it belongs "+
			"to, or give the fields to the lines")
	}
}

// surelyLogs reports whether the logger that is made writes a line whatever happens: by a statement of the same block, or
// by a method that is taken as a value, to be called later.
func (u *unit) surelyLogs(cur inspector.Cursor) bool {
	v := u.Assigned(cur)
	f, ok := function(cur)
	if v == nil || !ok {
		return false
	}
	return slices.ContainsFunc(u.Uses(f, v), func(use inspector.Cursor) bool {
		sel, ok := use.Parent().Node().(*ast.SelectorExpr)
		if !ok {
			return false
		}
		fn, _ := u.TypesInfo.Uses[sel.Sel].(*types.Func)
		call := use.Parent().Parent()
		if use.Parent().ParentEdgeKind() != edge.CallExpr_Fun {
			return logsLine(fn)
		}
		return logsLine(fn) && call.Parent().Parent().Node() == body(f)
	})
}

// makesLogger reports whether a call makes a logger of another one, with fields or a name.
func (u *unit) makesLogger(call *ast.CallExpr) bool {
	fn := u.Callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Signature().Results().Len() != 1 || len(call.Args) == 0 && fn.Name() != "Logger" {
		return false
	}
	switch fn.Name() {
	case "With", "WithFields", "WithField", "WithValues", "WithGroup", "WithName", "Named":
		return isLogging(fn) && isLogger(fn.Signature().Results().At(0).Type())
	case "Logger":
		return fn.Pkg().Path() == "github.com/rs/zerolog"
	}
	return false
}

// keptInField reports whether a value goes directly into a field of what is made, or of what is there already.
func (u *unit) keptInField(cur inspector.Cursor) bool {
	switch p := cur.Parent().Node().(type) {
	case *ast.KeyValueExpr, *ast.CompositeLit:
		return true
	case *ast.AssignStmt:
		i := min(cur.ParentEdgeIndex(), len(p.Lhs)-1)
		return i >= 0 && u.lives(p.Lhs[i])
	}
	return false
}
