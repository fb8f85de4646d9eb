package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// uncounted are files whose goroutines package own does not count, and why.
var uncounted = map[string]string{
	"holmes/run.go": "its three count as the service's, as the three of mosn.io/holmes do",
}

// TestOwnGoroutines: what a service imports starts its goroutines by package own, which counts them. Otherwise a rule
// on goroutines judges the watch together with the service.
func TestOwnGoroutines(t *testing.T) {
	for _, dir := range []string{".", "diagnose", "holmes", "instance", "reporter", "internal/recorder",
		"internal/blackbox", "internal/room"} {
		files, err := filepath.Glob(filepath.Join("../../..", dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s (%v)", dir, err)
		}
		for _, file := range files {
			name, _ := filepath.Rel("../../..", file)
			if strings.HasSuffix(name, "_test.go") || uncounted[filepath.ToSlash(name)] != "" {
				continue
			}
			for _, at := range bareGoroutines(t, file) {
				t.Errorf("%s starts a goroutine that package own does not count: use own.Go or own.In", at)
			}
		}
	}
}

// bareGoroutines are the go statements of a file, and the calls of a method Go.
func bareGoroutines(t *testing.T, file string) (places []token.Position) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			places = append(places, set.Position(n.Pos()))
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" && !isPackage(s.X, "own") {
				places = append(places, set.Position(n.Pos()))
			}
		}
		return true
	})
	return places
}

func isPackage(x ast.Expr, name string) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == name
}
