package lint

import (
	"go/token"
	"slices"
	"strings"

	"github.com/alexkohler/prealloc/pkg"
	"github.com/catenacyber/perfsprint/analyzer"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/lostcancel"
	"honnef.co/go/tools/simple/s1011"
	"honnef.co/go/tools/simple/s1018"
	"honnef.co/go/tools/simple/s1025"
	"honnef.co/go/tools/simple/s1028"
	"honnef.co/go/tools/simple/s1030"
	"honnef.co/go/tools/simple/s1035"
	"honnef.co/go/tools/simple/s1036"
	"honnef.co/go/tools/simple/s1039"
	"honnef.co/go/tools/staticcheck/sa6000"
	"honnef.co/go/tools/staticcheck/sa6001"
	"honnef.co/go/tools/staticcheck/sa6002"
	"honnef.co/go/tools/staticcheck/sa6003"
	"honnef.co/go/tools/staticcheck/sa6005"
	"honnef.co/go/tools/staticcheck/sa6006"

	"github.com/gocasebook/casebook/app/heat"
)

// What checks are about.
var (
	onCPU    = []heat.Measure{heat.CPU}
	onMemory = []heat.Measure{heat.AllocBytes}
	onBoth   = []heat.Measure{heat.CPU, heat.AllocBytes}
	onWait   = []heat.Measure{heat.Wait}
	onLive   = []heat.Measure{heat.LiveBytes}
	// Waiting is what it costs, CPU where a block or mutex profile is missing.
	onCPUAndWait = []heat.Measure{heat.CPU, heat.Wait}
)

// Functions of the runtime that conversions and appends become (cmd/compile/internal/typecheck/_builtin/runtime.go).
var (
	bytesToString = []string{"runtime.slicebytetostring"}
	stringToBytes = []string{"runtime.stringtoslicebyte"}
	stringToRunes = []string{"runtime.stringtoslicerune"}
	concat        = []string{"runtime.concatstring", "runtime.concatbyte"}
	grow          = []string{"runtime.growslice"}
	box           = []string{"runtime.conv"}
	mapCalls      = []string{"runtime.mapassign", "runtime.mapaccess", "runtime.mapdelete", "internal/runtime/maps."}
)

// others are checks that other people wrote. docs/lint.md says which were left out, and why.
func others() []Check {
	return slices.Concat(staticchecks(), fixes(), []Check{
		{Analyzer: analyzer.New(), Name: "perfsprint", Source: "perfsprint", By: onBoth,
			Calls: append([]string{"fmt.", "errors."}, concat...)},
		{Analyzer: prealloc(), Name: "prealloc", Source: "prealloc", By: onBoth, Calls: grow, Saves: .5, Fills: true},
		{Analyzer: lostcancel.Analyzer, Name: "lostcancel", Source: "go vet", By: onMemory, Calls: []string{"context."}, Saves: .1},
		{Analyzer: copylock.Analyzer, Name: "copylocks", Source: "go vet", By: onCPU, Saves: .05},
	})
}

// staticchecks are those of staticcheck that are about speed.
func staticchecks() []Check {
	of := func(a *analysis.Analyzer, by []heat.Measure, calls ...string) Check {
		return Check{Analyzer: a, Name: a.Name, Source: "staticcheck", By: by, Calls: calls}
	}
	return []Check{
		of(sa6000.Analyzer, onBoth, "regexp."),
		of(sa6001.Analyzer, onBoth, bytesToString...),
		of(sa6002.Analyzer, onBoth, box...),
		of(sa6003.Analyzer, onBoth, stringToRunes...),
		of(sa6005.Analyzer, onBoth, "strings."),
		of(sa6006.Analyzer, onBoth, bytesToString...),
		of(s1025.Analyzer, onBoth, "fmt."),
		of(s1028.Analyzer, onBoth, "fmt.", "errors."),
		of(s1039.Analyzer, onBoth, "fmt."),
		of(s1011.Analyzer, onBoth, append([]string{""}, grow...)...),
		of(s1018.Analyzer, onCPU, ""),
		of(s1030.Analyzer, onBoth, append(bytesToString, stringToBytes...)...),
		of(s1035.Analyzer, onCPU, "net/http.", "net/textproto."),
		of(s1036.Analyzer, onCPU, mapCalls...),
	}
}

// fixes are the modernizers of go fix that are about speed, by their names there.
func fixes() []Check {
	of := func(name string, by []heat.Measure, calls ...string) Check {
		c := Check{Name: name, Source: "go fix", By: by, Calls: calls}
		switch name {
		case "slicescontains", "mapsloop", "stringscut":
			// slices.Contains compares as often, maps.Copy is the same loop, strings.Cut searches as Index does (openfga's
			// took 4 to 6 ns with Index, 9 to 19 with Cut): only the text is shorter.
			c.Saves = .05
		}
		return c
	}
	return []Check{
		of("stringsbuilder", onBoth, concat...),
		of("stringsseq", onMemory, "strings.", "bytes."),
		of("stringscut", onCPU, "strings.", "bytes."),
		of("slicescontains", onCPU, "", "runtime.memequal", "memeqbody", "runtime.efaceeq", "runtime.ifaceeq", "type:.eq."),
		of("mapsloop", onBoth, append([]string{""}, mapCalls...)...),
		of("slicessort", onBoth, "sort."),
		of("fmtappendf", onBoth, append([]string{"fmt."}, stringToBytes...)...),
		of("reflecttypefor", onBoth, "reflect."),
	}
}

// prealloc is the analyzer of github.com/alexkohler/prealloc, whose module has it in a main package.
func prealloc() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "prealloc",
		Doc:  "reports slices that are appended to in a simple loop over something whose length is known, or that counts",
		Run: func(pass *analysis.Pass) (any, error) {
			const simple, ranges, counted = true, true, true
			seen, p := make(map[token.Pos]bool), *pass
			p.Report = func(d analysis.Diagnostic) {
				seen[d.Pos] = true
				pass.Report(d)
			}
			pkg.Check(&p, simple, ranges, !counted)
			// Of a for loop whose turns it cannot count it says so, too, without a capacity: nobody can give one.
			p.Report = func(d analysis.Diagnostic) {
				if !seen[d.Pos] && strings.Contains(d.Message, " with capacity ") {
					pass.Report(d)
				}
			}
			pkg.Check(&p, simple, ranges, counted)
			return nil, nil
		},
	}
}
