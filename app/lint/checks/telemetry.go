package checks

import "go/ast"

var labelMap = check("labelmap", findLabelMap, `report Prometheus metrics that are looked up by a map made for the call

With(prometheus.Labels{…}) makes a map, sorts and hashes it to find the metric. WithLabelValues takes the values in the
order of the labels, without a map; where they are the same each time, keep what it returns.

It counts only with heat: 0.2 µs do not matter in what runs once for each request. Reported are literals that are made
for With and GetMetricWith of client_golang's vectors. Not reported: what runs once.`)

const prometheusPath = "github.com/prometheus/client_golang/prometheus"

func findLabelMap(u *unit) {
	for _, call := range u.calls(callee{prometheusPath, "*", "With GetMetricWith", ""}) {
		if len(call.Args) != 1 {
			continue
		}
		if _, made := ast.Unparen(call.Args[0]).(*ast.CompositeLit); made {
			u.report(call, "this makes a map to find a metric: use WithLabelValues, or keep the metric where its labels are the "+
				"same each time")
		}
	}
}

var spanAttributes = check("spanattributes", findSpanAttributes, `report attributes that are made for a span whether or not it is recorded

trace.WithAttributes and SetAttributes get a list of values that is made before the call: where tracing is off, or
samples one request in a hundred, it is garbage. Set them after the start, if span.IsRecording().

It counts only with heat, and only where no span of the profile was recorded. Not reported: functions that ask
IsRecording, and what runs once.`)

const otelTrace = "go.opentelemetry.io/otel/trace"

func findSpanAttributes(u *unit) {
	for cur, call := range u.calls(callee{otelTrace, "*", "SetAttributes", ""},
		callee{otelTrace, "", "WithAttributes", ""}) {
		if d := declaration(cur); len(call.Args) > 0 && d != nil && !u.asksRecording(d) {
			u.report(call, "these are made whether or not the span is recorded: set them after the start, if span.IsRecording()")
		}
	}
}

func (u *unit) asksRecording(d *ast.FuncDecl) bool {
	return some(d, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "IsRecording"
	})
}
