package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// machine makes the folders of a machine: a module with a vendor folder, a cache, a toolchain, a replaced module.
func machine(t *testing.T) (dir string, p *Places) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range map[string]string{
		"shop/go.mod":                           "module example.com/shop\n",
		"shop/pay/a.go":                         "package pay\n",
		"shop/vendor/example.com/v/sub/v.go":    "package sub\n",
		"lib/sub/l.go":                          "package sub\n",
		"mod/github.com/!burnt/t@v1.2.0/x/t.go": "package x\n",
		"mod/github.com/old/m@v1.0.0/m.go":      "package m\n",
		"go/src/net/http/server.go":             "package http\n",
		"go/src/runtime/sema.go":                "package runtime\n",
		"secret.go":                             "package secret\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, file, text)
	}
	for name, target := range map[string]string{"shop/pay/link.go": "../../secret.go",
		"mod/github.com/old/m@v1.0.0/out.go": "../../../../secret.go", "mod/evil@v1.0.0": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
	}
	build := casefile.Build{Module: "example.com/shop", Path: "example.com/shop", GoVersion: "go1.26.8"}
	tree, err := Find(filepath.Join(dir, "shop"), build)
	if err != nil {
		t.Fatal(err)
	}
	return dir, &Places{Tree: tree, Build: build, cache: filepath.Join(dir, "mod"), goroot: filepath.Join(dir, "go"),
		version: "go1.26.8", look: func() []module {
			return []module{{"example.com/replaced/lib", "", filepath.Join(dir, "lib")},
				{"github.com/old/m", "v1.0.0", filepath.Join(dir, "mod/github.com/old/m@v1.0.0")}}
		}}
}

func TestPlaces(t *testing.T) {
	dir, p := machine(t)
	for _, c := range []struct {
		name           string
		function, file string
		want           string // from the machine's folder; "": not here
		stale          string // a part of why
	}{
		{"own", "example.com/shop/pay.F", "/build/pay/a.go", "shop/pay/a.go", ""},
		{"own, -trimpath", "example.com/shop/pay.F", "example.com/shop/pay/a.go", "shop/pay/a.go", ""},
		{"module cache", "github.com/Burnt/t/x.F", "/root/go/pkg/mod/github.com/!burnt/t@v1.2.0/x/t.go",
			"mod/github.com/!burnt/t@v1.2.0/x/t.go", ""},
		{"module cache, -trimpath", "github.com/Burnt/t/x.F", "github.com/Burnt/t@v1.2.0/x/t.go",
			"mod/github.com/!burnt/t@v1.2.0/x/t.go", ""},
		{"another version", "github.com/old/m.F", "github.com/old/m@v1.1.0/m.go", "mod/github.com/old/m@v1.0.0/m.go",
			"is v1.0.0 here, and v1.1.0 in the program"},
		{"a version that is nowhere", "github.com/gone/m.F", "github.com/gone/m@v1.1.0/m.go", "", ""},
		{"vendored", "example.com/v/sub.F", "/build/vendor/example.com/v/sub/v.go", "shop/vendor/example.com/v/sub/v.go", ""},
		{"replaced by a folder", "example.com/replaced/lib/sub.(*T).F", "/build/lib/sub/l.go", "lib/sub/l.go", ""},
		{"a module of a like name", "example.com/replaced/library.F", "/build/lib/sub/l.go", "", ""},
		{"standard library", "net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go",
			"go/src/net/http/server.go", ""},
		{"standard library, -trimpath", "net/http.(*conn).serve", "net/http/server.go", "go/src/net/http/server.go", ""},
		{"a toolchain of the module cache", "net/http.(*conn).serve",
			"/root/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.26.8.linux-amd64/src/net/http/server.go",
			"go/src/net/http/server.go", ""},
		{"linkname", "sync.runtime_SemacquireMutex", "/usr/local/go/src/runtime/sema.go", "go/src/runtime/sema.go", ""},
		{"a link out of the module", "example.com/shop/pay.F", "/build/pay/link.go", "", ""},
		{"a link out of the cache", "github.com/old/m.F", "github.com/old/m@v1.0.0/out.go", "", ""},
		{"a version that climbs", "a.F", "github.com/old/m@v1.0.0/../../../../secret.go", "", ""},
		{"a module that climbs", "a.F", "../@v/../secret.go", "", ""},
		{"a link as a module", "evil.F", "evil@v1.0.0/secret.go", "", ""},
		{"a package that climbs", "../../x.F", "/x/secret.go", "", ""},
		{"a library's name that climbs", "fmt.F", "/usr/go/src/../../secret.go", "", ""},
		{"/etc/passwd", "main.main", "/etc/passwd", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := p.File(casefile.Frame{Function: c.function, File: c.file})
			want := ""
			if c.want != "" {
				want = filepath.Join(dir, filepath.FromSlash(c.want))
			}
			if got.File != want || c.stale == "" != (got.Stale == "") || !strings.Contains(got.Stale, c.stale) {
				t.Errorf("%+v, want %s (%s)", got, want, c.stale)
			}
		})
	}
}

// TestOtherRelease: a standard library of another release is said to be one.
func TestOtherRelease(t *testing.T) {
	_, p := machine(t)
	p.Build.GoVersion = "go1.25.1"
	f := casefile.Frame{Function: "net/http.(*conn).serve", File: "net/http/server.go"}
	if got := p.File(f); !strings.Contains(got.Stale, "go1.25.1") || got.File == "" {
		t.Errorf("%+v, want that it is of another release", got)
	}
	own := filepath.Join(p.cache, "golang.org", "toolchain@v0.0.1-go1.25.1.linux-amd64", "src", "net", "http")
	if err := os.MkdirAll(own, 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(own, "server.go"), "package http\n")
	if got := p.File(f); got.Stale != "" || !strings.HasPrefix(got.File, own) {
		t.Errorf("%+v, want the file of the release that the cache has", got)
	}
}

// TestMatch: functions that moved, and another revision, speak against the source.
func TestMatch(t *testing.T) {
	dir, first := repository(t)
	file := filepath.Join(dir, "pay", "a.go") // F begins at line 3 in the first revision, at 4 in the second
	for _, c := range []struct {
		name  string
		build casefile.Build
		start int
		want  []string // in the sentence; empty: nothing speaks against it
	}{
		{"the same", casefile.Build{}, 4, nil},
		{"no line in the evidence", casefile.Build{}, 0, nil},
		{"moved", casefile.Build{}, 3, []string{"1 of 1 function", "pay.F"}},
		{"another revision", casefile.Build{Revision: first}, 4, []string{"built of revision " + first[:12]}},
		{"with changes", casefile.Build{Modified: true}, 4, []string{"changes that no revision has"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := FindPlaces(t.Context(), dir, c.build)
			if err != nil {
				t.Fatal(err)
			}
			m := p.Match(t.Context(), []Function{{"example.com/shop/pay.F", file, c.start}})
			if m.Stale() != (len(c.want) > 0) {
				t.Errorf("stale: %v, want %v: %s", m.Stale(), c.want, m)
			}
			for _, part := range c.want {
				if !strings.Contains(m.String(), part) {
					t.Errorf("%q does not say %q", m, part)
				}
			}
		})
	}
}

// TestFindPlaces: the go command is asked, and a module that go.mod replaces is found.
func TestFindPlaces(t *testing.T) {
	dir, _ := machine(t)
	write(t, filepath.Join(dir, "lib", "go.mod"), "module example.com/replaced/lib\n\ngo 1.26.0\n")
	write(t, filepath.Join(dir, "shop", "go.mod"), "module example.com/shop\n\ngo 1.26.0\n\nrequire "+
		"example.com/replaced/lib v0.0.0\n\nreplace example.com/replaced/lib => ../lib\n")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	p, err := FindPlaces(t.Context(), filepath.Join(dir, "shop"), casefile.Build{})
	if err != nil {
		t.Fatal(err)
	}
	got := p.File(casefile.Frame{Function: "example.com/replaced/lib/sub.F", File: "/ci/lib/sub/l.go"})
	if want := filepath.Join(dir, "lib", "sub", "l.go"); got.File != want {
		t.Errorf("%+v, want %s", got, want)
	}
	got = p.File(casefile.Frame{Function: "strings.Split", File: "strings/strings.go"})
	if !strings.HasSuffix(filepath.ToSlash(got.File), "src/strings/strings.go") {
		t.Errorf("%+v, want that of the standard library", got)
	}
}
