package sourceurl

import (
	"net/url"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

var shop = casefile.Build{Path: "github.com/acme/shop/cmd/shopd", Module: "github.com/acme/shop", Version: "(devel)",
	Revision: "4be1a7d0c3e58b6f1a2094d7e3c5b8a1f0e2d3c4", GoVersion: "go1.26.8"}

const github = "https://github.com/acme/shop/blob/{revision}/{path}#L{line}"

func template(t testing.TB, text string) Template {
	t.Helper()
	tmpl, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

// Places as builds record them: by folder, with -trimpath, by go install, vendored, of the toolchain from the module
// cache, on Windows.
func TestURL(t *testing.T) {
	const at = "https://github.com/acme/shop/blob/4be1a7d0c3e58b6f1a2094d7e3c5b8a1f0e2d3c4/"
	installed := shop
	installed.Version, installed.Revision = "v1.4.2", ""
	commit := installed
	commit.Version = "v1.4.3-0.20261109101112-0123456789ab+dirty"
	file := shop
	file.Path = "command-line-arguments"
	devel := shop
	devel.GoVersion = "devel go1.28-0123456 Mon"
	tests := []struct {
		name, template string
		build          casefile.Build
		source         string
		function, file string
		want           string
	}{
		{"package", github, shop, "", "github.com/acme/shop/cart.(*Cart).Sum", "/src/shop/cart/sum.go",
			at + "cart/sum.go#L7"},
		{"module's folder", github, shop, "", "github.com/acme/shop.Open", "/src/shop/shop.go", at + "shop.go#L7"},
		{"main", github, shop, "", "main.serve.func1", "/src/shop/cmd/shopd/main.go", at + "cmd/shopd/main.go#L7"},
		{"type arguments", github, shop, "", "github.com/acme/shop/cart.Map[go.shape.struct { a/b }].Get",
			"/src/shop/cart/map.go", at + "cart/map.go#L7"},
		{"trimpath", github, shop, "", "main.main", "github.com/acme/shop/cmd/shopd/main.go",
			at + "cmd/shopd/main.go#L7"},
		{"go install", github, installed, "", "main.main",
			"/root/go/pkg/mod/github.com/acme/shop@v1.4.2/cmd/shopd/main.go",
			"https://github.com/acme/shop/blob/v1.4.2/cmd/shopd/main.go#L7"},
		{"version of a commit", github, commit, "", "github.com/acme/shop/cart.Sum",
			"github.com/acme/shop@v1.4.3-0.20261109101112-0123456789ab/cart/sum.go",
			"https://github.com/acme/shop/blob/0123456789ab/cart/sum.go#L7"},
		{"windows", github, shop, "", "github.com/acme/shop/cart.Sum", `C:\src\shop\cart\sum.go`,
			at + "cart/sum.go#L7"},
		{"blank and hash", github, shop, "", "github.com/acme/shop/cart.Sum", "/src/shop/cart/a b#c?d%2f.go",
			at + "cart/a%20b%23c%3Fd%252f.go#L7"},
		{"vendored", github, shop, "", "github.com/redis/go-redis.Dial",
			"/src/shop/vendor/github.com/redis/go-redis/dial.go",
			at + "vendor/github.com/redis/go-redis/dial.go#L7"},
		{"main of a file", github, file, "", "main.main", "/src/shop/hack/try.go", at + "hack/try.go#L7"},
		{"main of a file elsewhere", github, file, "", "main.main", "/tmp/try.go", ""},
		{"another tree", github, shop, "", "github.com/acme/lib.Do", "/src/lib/do.go", ""},
		{"inlined literal in std's file", github, shop, "", "github.com/acme/shop/cart.Sum.(*Logger).Printf.func1",
			"/usr/local/go/src/log/log.go",
			"https://github.com/golang/go/blob/go1.26.8/src/log/log.go#L7"},
		{"std", github, shop, "", "net/http.(*conn).serve", "/usr/local/go/src/net/http/server.go",
			"https://github.com/golang/go/blob/go1.26.8/src/net/http/server.go#L7"},
		{"std, trimpath", github, shop, "", "runtime.mallocgc", "runtime/malloc.go",
			"https://github.com/golang/go/blob/go1.26.8/src/runtime/malloc.go#L7"},
		{"std of a toolchain module", github, shop, "", "runtime.mallocgc",
			"/root/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.26.8.linux-amd64/src/runtime/malloc.go",
			"https://github.com/golang/go/blob/go1.26.8/src/runtime/malloc.go#L7"},
		{"std of no release", github, devel, "", "runtime.mallocgc", "/go/src/runtime/malloc.go",
			"https://go.dev/src/runtime/malloc.go#L7"},
		{"dependency on GitHub", github, shop, "", "github.com/bluele/gcache.(*LRUCache).set",
			"/root/go/pkg/mod/github.com/bluele/gcache@v0.0.2/lru.go",
			"https://github.com/bluele/gcache/blob/v0.0.2/lru.go#L7"},
		{"capitals", github, shop, "", "github.com/BurntSushi/toml.Decode",
			"github.com/!burnt!sushi/toml@v1.3.2/decode.go",
			"https://github.com/BurntSushi/toml/blob/v1.3.2/decode.go#L7"},
		{"major version", github, shop, "", "github.com/jackc/pgx/v5/pgconn.Dial",
			"/m/pkg/mod/github.com/jackc/pgx/v5@v5.7.1/pgconn/dial.go",
			"https://pkg.go.dev/github.com/jackc/pgx/v5@v5.7.1/pgconn#section-sourcefiles"},
		{"elsewhere", github, shop, "", "go.uber.org/zap.New", "/m/pkg/mod/go.uber.org/zap@v1.27.0/logger.go",
			"https://pkg.go.dev/go.uber.org/zap@v1.27.0#section-sourcefiles"},
		{"no file", github, shop, "", "github.com/acme/shop/cart.Sum", "", ""},
		{"climbing", github, shop, "", "github.com/acme/shop/cart.Sum", "github.com/acme/shop/../../evil/x.go", ""},
		{"vscode", "vscode://file/{file}:{line}", shop, "", "github.com/acme/shop/cart.Sum", "/src/shop/cart/sum.go",
			"vscode://file/src/shop/cart/sum.go:7"},
		{"vscode, checked out elsewhere", "vscode://file/{file}:{line}", shop, "/home/me/shop",
			"github.com/acme/shop/cart.Sum", "/src/shop/cart/sum.go",
			"vscode://file/home/me/shop/cart/sum.go:7"},
		{"vscode, trimpath", "vscode://file/{file}:{line}", shop, "", "github.com/acme/shop/cart.Sum",
			"github.com/acme/shop/cart/sum.go", ""},
		{"vscode, std", "vscode://file/{file}:{line}", shop, "/home/me/shop", "runtime.mallocgc",
			"/usr/local/go/src/runtime/malloc.go",
			"vscode://file/usr/local/go/src/runtime/malloc.go:7"},
		{"gitlab, all placeholders",
			"https://git.example.com/x/-/blob/{revision}/app/{path}?p={package}&m={module}&v={version}#L{line}",
			installed, "",
			"github.com/acme/shop/cart.Sum", "/root/go/pkg/mod/github.com/acme/shop@v1.4.2/cart/sum.go",
			"https://git.example.com/x/-/blob/v1.4.2/app/cart/sum.go?p=github.com/acme/shop/cart&m=github.com/acme/shop&v=v1.4.2#L7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := New(template(t, tt.template), tt.build, tt.source)
			l.Learn("github.com/acme/shop/cart.Sum", "/src/shop/cart/sum.go")
			if got := l.URL(tt.function, tt.file, 7); got != tt.want {
				t.Errorf("%s in %s is at\n%q, want\n%q", tt.function, tt.file, got, tt.want)
			}
		})
	}
}

// A generated file that is elsewhere does not change the module's folder, whenever it comes.
func TestLearnByVotes(t *testing.T) {
	l := New(template(t, github), shop, "")
	l.Learn("github.com/acme/shop/cart.Parse", "/build/gen/cart/parse.go")
	for range 2 {
		l.Learn("github.com/acme/shop/cart.Sum", "/src/shop/cart/sum.go")
	}
	l.Learn("runtime.mallocgc", "/usr/local/go/src/runtime/malloc.go")
	if l.root != "/src/shop" {
		t.Errorf("the module's folder is %q, want /src/shop", l.root)
	}
}

// Where the build lacks information there is no address, and the reason is given.
func TestWhy(t *testing.T) {
	none := shop
	none.Revision = ""
	l := New(template(t, github), none, "")
	if why := l.Why(); !strings.Contains(why, "no revision") {
		t.Errorf("why is %q", why)
	}
	if got := l.URL("github.com/acme/shop/cart.Sum", "/src/shop/cart/sum.go", 7); got != "" {
		t.Errorf("without a revision the address is %s", got)
	}
	if why := New(template(t, github), shop, "").Why(); why != "" {
		t.Errorf("with all that is needed it says %q", why)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"https://github.com/acme/shop/blob/{rev}/{path}": "no placeholder {rev}; there are {revision}, {path}, {file}",
		"https://example.com/{path":                      "{path has no }",
		"https://example.com/path}":                      "a } without its {",
		"https://example.com/{}":                         "no placeholder {}",
		"https://{module}/blob/{path}":                   "must not choose the host",
		"https://{path}":                                 "must not choose the host",
		"https://example.com":                            "the / after it",
		"https://example.com/{line}":                     "neither {path} nor {file}",
		"https://me:secret@example.com/{path}":           "no password",
		"https:///{path}":                                "must have a host",
		"javascript://x/{path}":                          "javascript:// is not allowed",
		"javascript:alert('{path}')":                     "begin with a scheme",
		"data://x/{path}":                                "data:// is not allowed",
		"file:///{path}":                                 "file:// is not allowed",
		"{path}":                                         "begin with a scheme",
		"":                                               "begin with a scheme",
		"vscode://{file}":                                "between :// and the first placeholder",
		`https://example.com/"{path}`:                    "a quote",
		"https://example.com/ {path}":                    "a space",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) says %v, want %q", text, err, want)
		}
	}
}

func TestEditor(t *testing.T) {
	for _, name := range Editors() {
		tmpl, err := Editor(name)
		if err != nil {
			t.Fatal(err)
		}
		got := New(tmpl, shop, "").URL("github.com/acme/shop/cart.Sum", "/src/shop/cart/sum.go", 7)
		if !strings.HasPrefix(got, name+"://") || !strings.Contains(got, "/src/shop/cart/sum.go") ||
			!strings.HasSuffix(got, "7") {
			t.Errorf("%s opens %q", name, got)
		}
	}
	if _, err := Editor("ed"); err == nil || !strings.Contains(err.Error(), "vscode") {
		t.Errorf("of an unknown editor it says %v, want the known ones", err)
	}
}

// Whatever a profile names, scheme and host are the template's, and nothing leads out of its path.
func FuzzURL(f *testing.F) {
	f.Add("github.com/acme/shop/cart.Sum", "/src/shop/cart/sum.go", "4be1a7d")
	f.Add("main.x", "javascript:alert(1)", "../../../evil")
	f.Add("github.com/evil/x.Y", "github.com/evil/x@v1/../../../../y.go", "\" onclick=")
	f.Fuzz(func(t *testing.T, function, file, revision string) {
		b := shop
		b.Revision = revision
		for _, text := range []string{github, "vscode://file/{file}:{line}"} {
			l := New(template(t, text), b, "")
			l.Learn(function, file)
			got := l.URL(function, file, 1)
			if got == "" {
				continue
			}
			u, err := url.Parse(got)
			if err != nil {
				t.Fatalf("%q is no address: %v", got, err)
			}
			host := u.Scheme + "://" + u.Host
			switch host {
			case "https://github.com", "vscode://file", "https://pkg.go.dev", "https://go.dev":
			default:
				t.Fatalf("%q leads to %s", got, host)
			}
			if strings.ContainsAny(got, "\"'<> \\\n") || climbs(u.EscapedPath()) {
				t.Fatalf("%q is not escaped or climbs", got)
			}
		}
	})
}
