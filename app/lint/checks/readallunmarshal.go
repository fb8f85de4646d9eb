package checks

import (
	"go/ast"

	"golang.org/x/tools/go/analysis"
)

var readAllUnmarshal = &analysis.Analyzer{
	Name: "readallunmarshal",
	Doc: `report io.ReadAll whose bytes are only given to json.Unmarshal

ReadAll makes chunks of growing size and copies them into one at the end; json.NewDecoder reads into one buffer that
grows (BenchmarkCost/readall has both). Where the size is known (Content-Length) a buffer of that size, kept in a pool,
is the fastest.

A Decoder does not complain of what comes behind the first value, so no fix is suggested. Not reported: bytes that are
used for anything else, as an error's text or a log line.`,
	Requires: needs,
	Run:      over(findReadAllUnmarshal),
}

func findReadAllUnmarshal(u *unit) {
	for cur, call := range each[*ast.CallExpr](u) {
		fn := u.callee(call)
		if !isFunc(fn, "io", "ReadAll") && !isFunc(fn, "io/ioutil", "ReadAll") || u.runsOnce(cur) {
			continue
		}
		text := u.assigned(cur)
		f, ok := function(cur)
		if text == nil || !ok {
			continue
		}
		if u.onlyUnmarshaled(f, text, call) != nil {
			u.report(call, "all is read before it is decoded: decode from the reader with json.NewDecoder")
		}
	}
}
