package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// moduleAt makes a module with one file in a folder of a repository.
func moduleAt(t *testing.T, file string) (repo string) {
	t.Helper()
	repo = t.TempDir()
	for name, content := range map[string]string{"svc/go.mod": "// comment\nmodule \"example.com/shop\" // ours\n",
		filepath.Join("svc", file): "package x\n", ".git/HEAD": ""} {
		path := filepath.Join(repo, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return repo
}

func TestURI(t *testing.T) {
	repo := moduleAt(t, "internal/pay/a.go")
	if err := os.WriteFile(filepath.Join(repo, "svc", "main.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := Find(filepath.Join(repo, "svc", "internal"),
		casefile.Build{Module: "example.com/shop", Path: "example.com/shop"})
	if err != nil || src.Root != repo || src.Module != "example.com/shop" {
		t.Fatalf("%+v, %v", src, err)
	}
	unknown := src
	unknown.Main = ""
	for _, c := range []struct {
		name           string
		src            Tree
		function, file string
		want           string
		inRoot         bool
	}{
		{"built elsewhere", src, "example.com/shop/internal/pay.(*T[...]).F", "/build/7/internal/pay/a.go",
			"svc/internal/pay/a.go", true},
		{"built with -trimpath", src, "example.com/shop/internal/pay.F", "example.com/shop/internal/pay/a.go",
			"svc/internal/pay/a.go", true},
		{"package main", src, "main.main", "/build/7/main.go", "svc/main.go", true},
		{"package main, not known where", unknown, "main.main", "/build/7/main.go", "svc/main.go", true},
		{"built on Windows", src, "example.com/shop/internal/pay.F", `C:\build\internal\pay\a.go`,
			"svc/internal/pay/a.go", true},
		{"a file that is not here", src, "example.com/shop/internal/pay.F", "/build/7/internal/pay/b.go",
			"file:///build/7/internal/pay/b.go", false},
		{"a dependency", src, "github.com/x/y.F", "/go/pkg/mod/github.com/x/y@v1.0.0/a.go",
			"file:///go/pkg/mod/github.com/x/y@v1.0.0/a.go", false},
		{"another module of a like name", src, "example.com/shopping.F", "/build/a.go", "file:///build/a.go", false},
		{"a name that leads out", unknown, "main.f", "/x/../../../etc/passwd", "file:///x/../../../etc/passwd", false},
		{"no source here", Tree{}, "main.f", `C:\src\a.go`, "file:///C:/src/a.go", false},
		{"no file", src, "main.f", "", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, in := c.src.URI(casefile.Frame{Function: c.function, File: c.file}); got != c.want ||
				in != c.inRoot {
				t.Errorf("%q, in the root: %v; want %q, %v", got, in, c.want, c.inRoot)
			}
		})
	}
}

func TestFindRefuses(t *testing.T) {
	repo := moduleAt(t, "a.go")
	if _, err := Find(filepath.Join(repo, "svc"), casefile.Build{Module: "example.com/other"}); err == nil ||
		!strings.Contains(err.Error(), "example.com/other") {
		t.Errorf("error %v, want that it is another module", err)
	}
	if _, err := Find(repo, casefile.Build{}); err == nil || !strings.Contains(err.Error(), "no go.mod") {
		t.Errorf("error %v, want that there is no module", err)
	}
}
