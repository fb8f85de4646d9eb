package cli_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gocasebook/casebook/app/lint"
	"github.com/gocasebook/casebook/internal/built"
)

// lintTool is a variable with the path of app/lint/linttool.
const lintTool = "CASEBOOK_TEST_LINT_TOOL"

// beLintTool makes this process that program, where go vet asks it.
func beLintTool() {
	if tool := os.Getenv(lintTool); tool != "" && lint.AsksTool(os.Args[1:]) {
		fmt.Fprintln(os.Stderr, tool, syscall.Exec(tool, append([]string{tool}, os.Args[1:]...), os.Environ()))
		os.Exit(2)
	}
}

var builtLintTool = sync.OnceValues(func() (string, error) {
	file := filepath.Join(programs, "linttool")
	return file, built.Program(file, "github.com/gocasebook/casebook/app/lint/linttool", nil, "-trimpath",
		"-buildvcs=false", "-ldflags=-w")
})

// canLint lets go vet ask linttool where it asks this program, and go commands see no workspace.
func canLint(t *testing.T) {
	t.Helper()
	file, err := builtLintTool()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(lintTool, file)
	t.Setenv("GOWORK", "off")
}

// lintShop goes into the example, as a module of its own.
func lintShop(t *testing.T) {
	t.Helper()
	canLint(t)
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/lint")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "shop"))
}

// TestLintPage: the page shows what the command prints.
func TestLintPage(t *testing.T) {
	_, example, ok := strings.Cut(page(t, "docs/lint.md"), "    $ casebook lint ")
	command, example, ok2 := strings.Cut(example, "\n")
	example, _, ok3 := strings.Cut(example, "\n\nThis page ")
	if !ok || !ok2 || !ok3 {
		t.Fatal("the page has no example")
	}
	want := strings.TrimSpace(strings.ReplaceAll("\n"+example, "\n    ", "\n"))
	lintShop(t)
	got := inProcess(t, append([]string{"lint"}, strings.Fields(command)...)...)
	if got.code != 1 || strings.TrimSpace(got.out) != want {
		t.Errorf("exit code %d, and it prints\n%s\n%s\nwant\n%s", got.code, got.out, got.errors, want)
	}
}

// TestLint: the forms, the baseline and the exit codes.
func TestLint(t *testing.T) {
	lintShop(t)
	profiles := []string{"--profile", "../cpu.pb.gz", "--profile", "../heap.pb.gz"}
	lint := func(args ...string) result { return inProcess(t, append([]string{"lint"}, args...)...) }
	for _, c := range []struct {
		name string
		args []string
		code int
		want string // of standard output, or of the error
	}{
		{"lines", append([]string{"--lines"}, profiles...), 1, "orders.go:25:8: this constant pattern"},
		{"json", append([]string{"--json"}, profiles...), 1, `"check": "regexpinfunc"`},
		{"sarif", append([]string{"--sarif", "-"}, profiles...), 1, `"startColumn": 8`},
		{"without heat", []string{"--without-heat"}, 1, "stringsbuilder"},
		{"nothing named", nil, 1, "Heat     none"},
		{"both", append([]string{"--without-heat"}, profiles...), 2, "no profile"},
		{"two forms", append([]string{"--json", "--lines"}, profiles...), 2, "choose one"},
		{"no such profile", []string{"--profile", "nowhere.pb.gz"}, 2, "nowhere.pb.gz"},
		{"no such package", []string{"--without-heat", "./nowhere"}, 2, "no package could be analyzed"},
		{"no heat in it", []string{"--profile", "go.mod"}, 2, "go.mod"},
		{"no baseline", append([]string{"--baseline", "nowhere.json"}, profiles...), 2, "nowhere.json"},
		{"write a baseline", append([]string{"--write-baseline", "lint.json"}, profiles...), 0, "regexpinfunc"},
		{"all known", append([]string{"--baseline", "lint.json"}, profiles...), 0, "5 reports of the baseline"},
	} {
		if got := lint(c.args...); got.code != c.code || !strings.Contains(got.out+got.errors, c.want) {
			t.Errorf("%s: exit code %d, want %d, and %q in\n%s\n%s", c.name, got.code, c.code, c.want, got.out, got.errors)
		}
	}
}

// TestLintOfAnother: profiles of another module are refused, and a function that moved is said.
func TestLintOfAnother(t *testing.T) {
	lintShop(t)
	orders, err := os.ReadFile("orders.go")
	if err != nil {
		t.Fatal(err)
	}
	moved := strings.Replace(string(orders), "// total adds", "// Here is more.\n\n// total adds", 1)
	if err := os.WriteFile("orders.go", []byte(moved), 0o600); err != nil {
		t.Fatal(err)
	}
	got := inProcess(t, "lint", "--profile", "../cpu.pb.gz")
	if got.code != 1 || !strings.Contains(got.out, "main.total") || !strings.Contains(got.out, "other code") {
		t.Errorf("exit code %d, want that main.total moved:\n%s%s", got.code, got.out, got.errors)
	}
}
