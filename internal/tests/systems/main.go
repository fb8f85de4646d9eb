// Command systems type-checks the packages of a module and their tests as other operating systems and other versions of
// Go have them, from their source: go vet would first compile the standard library for each, a minute of CPU. The
// functions of packages that are not the module's are not looked into.
//
//	go run ./internal/tests/systems darwin windows linux@go1.25.0
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	failed := false
	for _, system := range os.Args[1:] {
		n, err := check(".", system)
		if err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "systems: %s: %v\n", system, err)
			continue
		}
		fmt.Printf("%s: %d packages\n", system, n)
	}
	if failed {
		os.Exit(1)
	}
}

// A listed package is one that go list printed. Those that a test needs are there a second time, as "path [of.test]".
type listed struct {
	ImportPath, Dir string
	Standard        bool
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct {
		Main      bool
		GoVersion string
	}
}

func (l listed) ours() bool { return l.Module != nil && l.Module.Main }

// check checks the module in dir for a system such as "darwin" or "linux@go1.25.0", and returns how many packages of the
// module that were.
func check(dir, system string) (n int, err error) {
	goos, version, _ := strings.Cut(system, "@")
	cmd := exec.Command("go", "list", "-deps", "-test", "-json=ImportPath,Dir,Standard,GoFiles,ImportMap,Module", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0", "GOWORK=off")
	if version != "" {
		cmd.Env = append(cmd.Env, "GOTOOLCHAIN="+version)
	}
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%w\n%s", err, exit.Stderr)
	}
	if err != nil {
		return 0, fmt.Errorf("go list: %w", err)
	}
	known := map[string]*types.Package{"unsafe": types.Unsafe}
	var wrong []error
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; { // what a package imports comes before it
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return n, err
		}
		if l.ImportPath == "unsafe" || strings.HasSuffix(l.ImportPath, ".test") { // go makes the test's program
			continue
		}
		p, bad := typeCheck(l, known)
		known[l.ImportPath] = p
		wrong = append(wrong, bad...)
		if l.ours() {
			n++
		}
	}
	if n == 0 {
		wrong = append(wrong, errors.New("the module has no packages"))
	}
	return n, errors.Join(wrong[:min(len(wrong), 20)]...)
}

// typeCheck checks a package. What a dependency says is wrong with itself is not our matter.
func typeCheck(l listed, known map[string]*types.Package) (p *types.Package, wrong []error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range l.GoFiles {
		f, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			wrong = append(wrong, err)
		}
		files = append(files, f)
	}
	path, _, _ := strings.Cut(l.ImportPath, " ")
	cfg := types.Config{IgnoreFuncBodies: !l.ours(), FakeImportC: true, Sizes: types.SizesFor("gc", "amd64"),
		Error:    func(err error) { wrong = append(wrong, err) },
		Importer: imports{l.ImportMap, known}}
	if l.Module != nil && l.Module.GoVersion != "" {
		cfg.GoVersion = "go" + l.Module.GoVersion
	}
	p, _ = cfg.Check(path, fset, slices.DeleteFunc(files, func(f *ast.File) bool { return f == nil }), nil)
	if !l.ours() {
		return p, nil
	}
	return p, wrong
}

type imports struct {
	renamed map[string]string
	known   map[string]*types.Package
}

func (i imports) Import(path string) (*types.Package, error) {
	if to, ok := i.renamed[path]; ok {
		path = to
	}
	if p := i.known[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not listed", path)
}
