package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestAPINamesNothingInternal: what a public package exports must not need a type below internal/. Users could neither
// write the name of such a type nor read its documentation.
func TestAPINamesNothingInternal(t *testing.T) {
	for _, file := range publicFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		internal := make(map[string]bool) // names of packages
		for _, im := range f.Imports {
			if path, _ := strconv.Unquote(im.Path.Value); strings.HasPrefix(path, root+"/internal/") {
				internal[path[strings.LastIndexByte(path, '/')+1:]] = true
			}
		}
		ast.FileExports(f)
		for _, d := range f.Decls {
			for _, name := range named(d, internal) {
				t.Errorf("%s exports something of %s", file, name)
			}
		}
	}
}

// publicFiles are the Go files of the root module that users can import.
func publicFiles(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir() && (name == "internal" || name == "testdata" || name == "app" || name == "lab"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 200 {
		t.Fatalf("found %d files; the walk is not of the whole module", len(files))
	}
	return files
}

// named lists what a declaration needs from some packages. Bodies and values do not count.
func named(d ast.Decl, packages map[string]bool) (names []string) {
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.ValueSpec:
			if n.Type == nil {
				return false
			}
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && packages[x.Name] {
				names = append(names, x.Name+"."+n.Sel.Name)
			}
		}
		return true
	})
	return names
}
