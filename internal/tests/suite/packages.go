package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

const root = "github.com/gocasebook/casebook"

// A pkg is a package with tests, of a module that go.work has.
type pkg struct {
	path       string // such as ./app/cli
	starts     bool   // its code starts goroutines
	goroutines bool   // its code or its tests start some
	links      int    // packages of other modules that its tests link

	tests    []string
	long     []string // tests that ask testing.Short, themselves or by what they call, and are skipped or shortened by it
	computes []string // those that computes names
	aware    []string // tests that ask whether the race detector is on, themselves or by what they call
}

// alone are the tests that run without the race detector, where a package has it.
func (p pkg) alone() []string {
	return slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.computes, p.aware))))
}

func (p pkg) lab() bool { return strings.HasPrefix(p.path, "./lab/") }

// light packages have the race detector in `make test`, heavy ones in `make test-rest`: those whose own code starts
// goroutines, because a server that stands in for another's is no reason to link that much.
func (p pkg) light() bool {
	return !p.lab() && p.goroutines && p.links <= linksLittle && !slices.Contains(recorded, p.path)
}
func (p pkg) heavy() bool { return !p.lab() && p.starts && p.links > linksLittle }

// recorded are packages whose code starts no goroutine and shares nothing, and whose tests start some only to have them
// recorded: those of app/trace are what Go's tracer sees, while the trace is read later, and by one.
var recorded = []string{"./app/trace"}

// listed is what go list prints of a package, and of the program of its tests.
type listed struct {
	ImportPath                         string
	Dir                                string
	Standard                           bool
	GoFiles, TestGoFiles, XTestGoFiles []string
	CgoFiles                           []string
	Deps                               []string
	ForTest                            string
}

// load finds the packages with tests in modules of the workspace at dir, such as "./app".
func load(ctx context.Context, dir string, modules ...string) ([]pkg, error) {
	args := []string{"list", "-test", "-deps", "-json=ImportPath,Dir,Standard,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles," +
		"Deps,ForTest"}
	for _, m := range modules {
		args = append(args, m+"/...")
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("listing packages: %w\n%s", err, said.Bytes())
	}
	var ours []listed
	programs := map[string]listed{} // of tests, by the import path of the package
	standard := map[string]bool{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("listing packages: %w", err)
		}
		of, isProgram := strings.CutSuffix(l.ImportPath, ".test")
		switch {
		case l.Standard:
			standard[l.ImportPath] = true
		case isProgram:
			programs[of] = l
		case l.ForTest == "" && len(l.TestGoFiles)+len(l.XTestGoFiles) > 0 &&
			(l.ImportPath == root || strings.HasPrefix(l.ImportPath, root+"/")):
			ours = append(ours, l)
		}
	}
	var packages []pkg
	for _, l := range ours {
		p := pkg{path: "." + strings.TrimPrefix(l.ImportPath, root)}
		for _, dep := range programs[l.ImportPath].Deps {
			if !standard[dep] && !strings.HasPrefix(dep, root) {
				p.links++
			}
		}
		if err := p.read(l); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// computes are files of tests, by package, or single tests, that need no race detector: what they try works in one
// goroutine, draws pages in a browser that other tests ask for at once, or sends so much that the detector, which takes
// ten times as long, sees little else than compression. Of ./app/cli the detector sees what several goroutines of the
// command line or of a watch work on at once: what watches, serves, is asked over MCP or is interrupted. What loads,
// proves, captures and reads has goroutines in packages of its own, which have it for their tests.
var computes = map[string][]string{
	"./app/cli": {"access", "answer", "answer_page", "brief", "brief_command", "capture_holders", "case_anonymize", "ci",
		"compare", "deploy", "diagnose", "docs", "doctor", "ended", "engine", "escape", "explain", "fix", "flags", "gate",
		"gate_comment", "gate_service", "heap", "history", "hostile_address", "hostile_table", "hostile_tree", "import",
		"init", "known", "links", "lint", "load_limit", "load_refuses", "load_requests", "man", "meant", "memory",
		"nofile", "notes", "pgo", "pgo_prove", "print_picture", "prove_opinion", "prove_protocols", "prove_similarity",
		"prune", "readme", "replay", "rules", "security", "settle", "source", "store_program", "terminal", "trace", "tree",
		"TestAgentsFile", "TestAskCommand", "TestAskFirstTime", "TestAskFirstTimeWithNames", "TestAskSeveral",
		"TestBadInput", "TestBudgetRefuses", "TestCaptureBadInput", "TestCaptureByHand", "TestCaptureKeepsTheStateOfAWatch",
		"TestCaptureOfAHealthyService", "TestCapturePrunesNothing", "TestCaptureWithPage", "TestCaseShowIsHarmless",
		"TestDiagnoseTheMachine",
		"TestHealthyService", "TestKubernetesFlags", "TestLoad", "TestLoadEnds", "TestLoadJSON", "TestLoadOne",
		"TestOneBadFileAmongGood", "TestPodFromOutside", "TestProve", "TestProveCase", "TestProveFails",
		"TestServeRefuses", "TestStoreToken", "TestWatchExpvar", "TestWatchPageWithoutRequests"},
	"./app/mcp":               {"fuzz", "sizes"},
	"./casefile":              {"TestIndexKill"},
	"./instance":              {"TestGarbage", "TestParseProfileRefuses", "TestStackProfileAgrees"},
	"./internal/tests/budget": {"TestPredicted"},
	"./remedy/cache":          {"evict"},
	"./app/server": {"TestAttackTogether", "TestAttackZipBombs", "browser", "evidence_browser", "function_table_browser",
		"pictures", "profile_browser", "profile_tags_browser"},
}

// read parses a package and its tests.
func (p *pkg) read(l listed) error {
	calls := map[string][]string{} // by functions of the tests: what they name
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles, l.TestGoFiles, l.XTestGoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		of, test := strings.CutSuffix(name, "_test.go")
		goroutines := look(file)
		p.starts, p.goroutines = p.starts || goroutines && !test, p.goroutines || goroutines
		for _, system := range []string{"_linux", "_unix", "_internal"} {
			of = strings.TrimSuffix(of, system)
		}
		if !test {
			continue
		}
		named(file, calls)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && isTest(f.Name.Name) {
				p.tests = append(p.tests, f.Name.Name)
				if slices.Contains(computes[p.path], of) || slices.Contains(computes[p.path], f.Name.Name) {
					p.computes = append(p.computes, f.Name.Name)
				}
			}
		}
	}
	p.long, p.aware = reach(calls, "testing.Short"), reach(calls, "race.Enabled", "race.Skip", "race.Part")
	return nil
}

func isTest(function string) bool {
	return function != "TestMain" && (strings.HasPrefix(function, "Test") || strings.HasPrefix(function, "Fuzz"))
}

// named adds what each function of a file names, functions and methods by their names alone.
func named(file *ast.File, calls map[string][]string) {
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if of, ok := n.X.(*ast.Ident); ok {
					calls[f.Name.Name] = append(calls[f.Name.Name], of.Name+"."+n.Sel.Name)
				}
			case *ast.Ident:
				calls[f.Name.Name] = append(calls[f.Name.Name], n.Name)
			}
			return true
		})
	}
}

// reach are the tests that name one of some things, or a function that does, and so on.
func reach(calls map[string][]string, what ...string) (tests []string) {
	reached := map[string]bool{}
	for _, name := range what {
		reached[name] = true
	}
	for more := true; more; {
		more = false
		for f, names := range calls {
			if !reached[f] && slices.ContainsFunc(names, func(n string) bool { return reached[n] }) {
				reached[f], more = true, true
			}
		}
	}
	for f := range reached {
		if isTest(f) {
			tests = append(tests, f)
		}
	}
	slices.Sort(tests)
	return tests
}

// startGoroutines are functions and methods that run what they get in a goroutine: of sync.WaitGroup and errgroup.Group,
// of time and context, of net/http and net/http/httptest. Go is one where it is called: the type tool.Go is a go
// command, and the field Go of a case a version.
var startGoroutines = []string{"AfterFunc", "NewServer", "NewTLSServer", "NewUnstartedServer", "Serve",
	"ListenAndServe", "RunParallel"}

// look says whether a file starts goroutines. Tests that only run beside each other, by t.Parallel, share what their
// package has in variables, and packages here have none that change.
func look(file *ast.File) (goroutines bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			goroutines = true
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			goroutines = goroutines || ok && f.Sel.Name == "Go"
		case *ast.SelectorExpr:
			goroutines = goroutines || slices.Contains(startGoroutines, n.Sel.Name)
		}
		return true
	})
	return goroutines
}
