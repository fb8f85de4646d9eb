package checks

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

var fmtCall = &analysis.Analyzer{
	Name: "fmtcall",
	Doc: `report fmt and reflection where the work is

Sprintf of a string and an integer costs 120 ns and two to three allocations, strconv.AppendInt into a buffer that is
there a tenth and none (BenchmarkCost/fmt). reflect.DeepEqual of two structs costs a hundred times their comparison, and
sort.Slice swaps by reflection: slices.SortFunc is twice as fast.

It counts only with heat: a function that carries a percent of the CPU is worth writing out, most are not. Not reported:
what is on the way to an error or a panic.`,
	Requires: needs,
	Run:      over(findFmtCall),
}

func findFmtCall(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		var do string
		switch fn := u.callee(call); {
		case isFunc(fn, "fmt", "Sprintf", "Sprint", "Sprintln", "Fprintf", "Fprint", "Fprintln", "Appendf"):
			do = "on a hot path, append with strconv to a buffer instead of fmt"
		case isFunc(fn, "fmt", "Sscanf", "Sscan", "Sscanln", "Fscanf", "Fscan", "Fscanln"):
			do = "on a hot path, cut the text and parse its parts with strconv instead of fmt"
		case isFunc(fn, "reflect", "DeepEqual"):
			do = "on a hot path, compare the fields, or with slices.Equal and maps.Equal, instead of by reflection"
		case isFunc(fn, "sort", "Slice", "SliceStable"):
			do = "slices.SortFunc does not swap by reflection"
		case isFunc(fn, "encoding/binary", "Read", "Write"):
			do = "on a hot path, use binary.Append or the methods of binary.LittleEndian instead of reflection"
		default:
			continue
		}
		if _, ok := function(cur); !ok || u.cold(cur) || u.runsOnce(cur) {
			continue
		}
		u.report(call, do)
	}
}
