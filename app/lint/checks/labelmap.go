package checks

import (
	"go/ast"
)

var labelMap = check("labelmap", findLabelMap, `report Prometheus metrics that are looked up by a map made for the call

With(prometheus.Labels{…}) makes a map, sorts and hashes it to find the metric. WithLabelValues takes the values in the
order of the labels, without a map; where they are the same each time, keep what it returns.

It counts only with heat: 0.2 µs do not matter in what runs once for each request. Reported are literals that are made
for With and GetMetricWith of client_golang's vectors. Not reported: what runs once.`)

const prometheusPath = "github.com/prometheus/client_golang/prometheus"

func findLabelMap(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != prometheusPath || fn.Signature().Recv() == nil ||
			fn.Name() != "With" && fn.Name() != "GetMetricWith" || u.runsOnce(cur) || len(call.Args) != 1 {
			continue
		}
		if _, made := ast.Unparen(call.Args[0]).(*ast.CompositeLit); made {
			u.report(call, "this makes a map to find a metric: use WithLabelValues, or keep the metric where its labels are the "+
				"same each time")
		}
	}
}
