package lint

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

// As makes this process the tool that `go vet -vettool` runs, if its arguments are those of the go command: -V=full,
// -flags, or flags and the name of a configuration. It does not return then. Main calls it before it makes anything.
func As(args []string) {
	if !AsksTool(args) {
		return
	}
	if last := len(os.Args) - 1; strings.HasSuffix(os.Args[last], ".cfg") {
		config, some, err := withoutTests(os.Args[last])
		switch {
		case err != nil: // unitchecker reads it again, and says what is wrong
		case !some:
			os.Exit(0)
		default:
			os.Args[last] = config
		}
	}
	unitchecker.Main(analyzers()...)
}

// withoutTests writes a unit's configuration without its tests, and returns its file; some is false where nothing else
// is in the unit. The go command vets a package together with its tests, which cost production nothing and are often
// the larger half: nats-server v2.15.2 took 42 s of CPU and 1.65 GB in one process with them, 30 s and 0.61 GB without.
func withoutTests(config string) (file string, some bool, err error) {
	data, err := os.ReadFile(config)
	if err != nil {
		return "", false, err
	}
	var c map[string]json.RawMessage
	if err := json.Unmarshal(data, &c); err != nil {
		return "", false, err
	}
	var files []string
	if err := json.Unmarshal(c["GoFiles"], &files); err != nil {
		return "", false, err
	}
	kept := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return strings.HasSuffix(f, "_test.go") })
	switch {
	case len(kept) == len(files):
		return config, true, nil
	case len(kept) == 0:
		return "", false, finishEmpty(c)
	}
	if c["GoFiles"], err = json.Marshal(kept); err != nil {
		return "", false, err
	}
	if data, err = json.Marshal(c); err != nil {
		return "", false, err
	}
	file = strings.TrimSuffix(config, ".cfg") + "-without-tests.cfg"
	return file, true, os.WriteFile(file, data, 0o600)
}

// finishEmpty leaves the output that the go command expects of a unit: nothing was found. Nobody imports a package of
// tests.
func finishEmpty(c map[string]json.RawMessage) error {
	var stdout string
	if len(c["Stdout"]) > 0 {
		if err := json.Unmarshal(c["Stdout"], &stdout); err != nil {
			return err
		}
	}
	if stdout == "" {
		return nil
	}
	return os.WriteFile(stdout, nil, 0o600)
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
