package checks

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

var fmtCall = &analysis.Analyzer{
	Name: "fmtcall",
	Doc: `report fmt and reflection where the work is

A line of a string and an integer takes 158 ns with fmt, 14 ns when it is appended with strconv (BenchmarkCost/fmt).
reflect.DeepEqual and binary.Read walk over types again for each value.

It counts only with heat: a function that carries a percent of the CPU is worth writing out, most are not. Not reported:
what is on the way to an error or a panic, and sort.Slice, which x/tools' slicessort has.`,
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
