package lint

import (
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// As makes this process the tool that `go vet -vettool` runs, if its arguments are those of the go command: -V=full,
// -flags, or flags and the name of a configuration. It does not return then. Main calls it before it makes anything.
func As(args []string) {
	if AsksTool(args) {
		unitchecker.Main(analyzers()...)
	}
}

// AsksTool reports whether arguments are those of the go command.
func AsksTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	if len(args) == 1 && (last == "-V=full" || last == "-flags") {
		return true
	}
	if !strings.HasSuffix(last, ".cfg") {
		return false
	}
	for _, a := range args[:len(args)-1] {
		if !strings.HasPrefix(a, "-") { // a command, and a file that somebody named so
			return false
		}
	}
	return true
}

// analyzed reports every package that is analyzed, so that one that was not is noticed: the go command says nothing of
// those that import a broken one.
var analyzed = &analysis.Analyzer{
	Name: "casebookanalyzed",
	Doc:  "reports each package, to tell one without reports from one that was not analyzed",
	Run: func(pass *analysis.Pass) (any, error) {
		if len(pass.Files) > 0 {
			pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Name.Pos(), Message: pass.Pkg.Path()})
		}
		return nil, nil
	},
}

func analyzers() []*analysis.Analyzer {
	out := []*analysis.Analyzer{analyzed}
	for _, c := range Checks() {
		if c.Analyzer != nil {
			out = append(out, c.Analyzer)
		}
	}
	return out
}
