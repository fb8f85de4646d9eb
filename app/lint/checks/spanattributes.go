package checks

import (
	"go/ast"
)

var spanAttributes = check("spanattributes", findSpanAttributes, `report attributes that are made for a span whether or not it is recorded

trace.WithAttributes and SetAttributes get a list of values that is made before the call: where tracing is off, or
samples one request in a hundred, it is garbage. Set them after the start, if span.IsRecording().

It counts only with heat, and only where no span of the profile was recorded. Not reported: functions that ask
IsRecording, and what runs once.`)

const otelTrace = "go.opentelemetry.io/otel/trace"

func findSpanAttributes(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		sets := fn != nil && fn.Name() == "SetAttributes" && fn.Pkg() != nil && fn.Pkg().Path() == otelTrace
		if !sets && !isFunc(fn, otelTrace, "WithAttributes") || len(call.Args) == 0 || u.runsOnce(cur) {
			continue
		}
		if d := declaration(cur); d == nil || u.asksRecording(d) {
			continue
		}
		u.report(call, "these are made whether or not the span is recorded: set them after the start, if span.IsRecording()")
	}
}

func (u *unit) asksRecording(d *ast.FuncDecl) (asks bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.Sel.Name == "IsRecording" {
			asks = true
		}
		return !asks
	})
	return asks
}
