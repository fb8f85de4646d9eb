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
	goroutines bool   // its code or its tests start some
	plainToo   bool   // tests ask whether the race detector is on, and do less under it
	long       bool   // tests ask testing.Short, and are skipped by it
	links      int    // packages of other modules that its tests link
}

func (p pkg) lab() bool { return strings.HasPrefix(p.path, "./lab/") }

// light packages have the race detector in `make test`, heavy ones in `make test-rest`.
func (p pkg) light() bool { return !p.lab() && p.goroutines && p.links <= linksLittle }
func (p pkg) heavy() bool { return !p.lab() && p.goroutines && p.links > linksLittle }

// listed is what go list prints of a package, and of the program of its tests.
type listed struct {
	ImportPath                         string
	Dir                                string
	Standard                           bool
	GoFiles, TestGoFiles, XTestGoFiles []string
	CgoFiles                           []string
	TestImports, XTestImports, Deps    []string
	ForTest                            string
}

// load finds the packages with tests in modules of the workspace at dir, such as "./app".
func load(ctx context.Context, dir string, modules ...string) ([]pkg, error) {
	args := []string{"list", "-test", "-deps", "-json=ImportPath,Dir,Standard,GoFiles,CgoFiles,TestGoFiles,XTestGoFiles," +
		"TestImports,XTestImports,Deps,ForTest"}
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
		p.plainToo = slices.Contains(slices.Concat(l.TestImports, l.XTestImports), root+"/internal/race")
		for _, dep := range programs[l.ImportPath].Deps {
			if !standard[dep] && !strings.HasPrefix(dep, root) {
				p.links++
			}
		}
		if p.goroutines, p.long, err = read(l); err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	return packages, nil
}

// read parses a package and its tests.
func read(l listed) (goroutines, long bool, err error) {
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles, l.TestGoFiles, l.XTestGoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return false, false, err
		}
		g, s := look(file)
		goroutines, long = goroutines || g, long || s
	}
	return goroutines, long, nil
}

// startGoroutines are functions and methods that run what they get in a goroutine: of sync.WaitGroup and errgroup.Group,
// of time and context, of net/http and net/http/httptest.
var startGoroutines = []string{"Go", "AfterFunc", "NewServer", "NewTLSServer", "NewUnstartedServer", "Serve",
	"ListenAndServe", "RunParallel"}

// look says whether a file starts goroutines, and whether its tests ask testing.Short. Tests that only run beside each
// other, by t.Parallel, share what their package has in variables, and packages here have none that change.
func look(file *ast.File) (goroutines, long bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			goroutines = true
		case *ast.SelectorExpr:
			if slices.Contains(startGoroutines, n.Sel.Name) {
				goroutines = true
			}
			if of, ok := n.X.(*ast.Ident); ok && of.Name == "testing" && n.Sel.Name == "Short" {
				long = true
			}
		}
		return true
	})
	return goroutines, long
}
