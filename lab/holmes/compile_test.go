package holmes

import (
	"bytes"
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	theirs = "mosn.io/holmes"
	ours   = "github.com/gocasebook/casebook/holmes"
)

// moduleDir is where the go command keeps a module. An empty module cache has only what building these tests takes: not
// the module whose tests they run.
func moduleDir(t *testing.T, module string) string {
	t.Helper()
	dir := func() string { return strings.TrimSpace(run(t, "list", "-m", "-f", "{{.Dir}}", module)) }
	if found := dir(); found != "" {
		return found
	}
	run(t, "mod", "download", module)
	return dir()
}

// run runs the go command in this module.
func run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, errs.Bytes())
	}
	return string(out)
}

// An overlay is what the go command sees in the place of files: a path of ours and the file that is there, "" for none.
type overlay map[string]string

// rewritten is a file of holmes with other imports: those of mosn.io/holmes are ours, each at the same path below.
// Nothing else changes. The test fails where there is nothing to change and something was expected.
func rewritten(t *testing.T, file string, imports bool) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for i := len(f.Imports) - 1; i >= 0; i-- { // from the end: positions before stay
		lit := f.Imports[i].Path
		if p, _ := strconv.Unquote(lit.Value); p == theirs || strings.HasPrefix(p, theirs+"/") {
			new := strconv.Quote(ours + strings.TrimPrefix(p, theirs))
			text = append(text[:lit.Pos()-1:lit.Pos()-1], append([]byte(new), text[lit.End()-1:]...)...)
			found = true
		}
	}
	if found != imports {
		t.Fatalf("%s imports %s: %t, want %t", file, theirs, found, imports)
	}
	return text
}

// write puts the overlay into a file, as the flag -overlay wants it.
func (o overlay) write(t *testing.T) string {
	t.Helper()
	data, err := json.Marshal(map[string]overlay{"Replace": o})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// save writes a text into a temporary file and returns its path.
func save(t *testing.T, name string, text []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// testsOf names the tests of a file.
func testsOf(t *testing.T, file string) (names []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if ok && fn.Recv == nil && strings.HasPrefix(fn.Name.Name, "Test") && fn.Name.Name != "TestMain" {
			names = append(names, fn.Name.Name)
		}
	}
	return names
}

// compileTests makes the test binary of each suite, all at once, and returns where they are, by suite.
func compileTests(t *testing.T, suites []suite) map[string]string {
	t.Helper()
	holmesDir, dropIn := moduleDir(t, theirs), filepath.Join(moduleDir(t, path.Dir(ours)), "holmes")
	own, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	o := make(overlay)
	out := t.TempDir()
	args := []string{"test", "-c", "-vet=off", "-o", out + string(filepath.Separator)}
	var packages []string
	for _, s := range suites {
		dir := filepath.Join(dropIn, filepath.Dir(s.file))
		if s.window {
			dir = filepath.Join(own, "window")
		}
		hide, err := filepath.Glob(filepath.Join(dir, "*_test.go")) // our own tests of the package
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range hide {
			o[file] = ""
		}
		file := filepath.Join(holmesDir, s.file)
		o[filepath.Join(dir, filepath.Base(s.file))] = save(t, "their_test.go", rewritten(t, file, !s.window))
		packages = append(packages, s.pkg())
	}
	run(t, append(append(args, "-overlay", o.write(t)), packages...)...)
	binaries := make(map[string]string)
	for _, s := range suites {
		binaries[s.file] = filepath.Join(out, path.Base(s.pkg())+".test")
	}
	return binaries
}

// start makes a command of a program that ends with the test, in a folder.
func start(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "PWD="+dir)
	return cmd
}
