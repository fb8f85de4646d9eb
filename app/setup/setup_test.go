package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/setup"
)

// module writes a module's files and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if files["go.mod"] == "" {
		files["go.mod"] = "module example.org/shop\n\ngo 1.25\n"
	}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func look(t *testing.T, dir string) *setup.Survey {
	t.Helper()
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	s, err := setup.Look(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// propose is the change for a module's only program, compiled.
func propose(t *testing.T, s *setup.Survey, how string) *setup.Change {
	t.Helper()
	if len(s.Programs) != 1 {
		t.Fatalf("programs %+v", s.Programs)
	}
	c, err := s.Propose(&s.Programs[0], how, "v0.1.0")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

const hello = `package main

import "net/http"

func main() {
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) {})
	panic(http.ListenAndServe(":8080", nil))
}
`

// Programs as people write them: each gets a server for profiles, and its code is otherwise as it was.
func TestOutside(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"default mux": {"main.go": hello},
		"cmd folder":  {"cmd/shop/main.go": hello, "shop.go": "package shop\n"},
		"server value": {"main.go": `package main

import (
	"log"
	"net/http"
	"time"
)

func run() error {
	srv := &http.Server{Addr: ":8080", Handler: http.NotFoundHandler(), ReadTimeout: time.Second}
	return srv.ListenAndServe()
}

func main() { log.Fatal(run()) }
`},
		"names of packages": {"main.go": strings.Replace(hello, "func main", "var log, pprof, os int\n\nfunc main", 1)},
		"no HTTP at all":    {"main.go": "package main\n\nfunc main() {\n\tselect {}\n}\n"},
		"main in a file of its own, and comments": {"a.go": "package main\n\nfunc run() {}\n",
			"main.go": "// Command x.\npackage main\n\n// main runs.\nfunc main() { // here\n\t// first\n\trun() // last\n}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, files)
			c := propose(t, look(t, dir), setup.Outside)
			if strings.Count(c.Diff, "\n+\tgo servePprof()") != 1 || !strings.Contains(c.Diff, "--- /dev/null") {
				t.Errorf("the diff is\n%s", c.Diff)
			}
			if files, err := filepath.Glob(dir + "/**casebook*"); err != nil || len(files) > 0 {
				t.Errorf("a proposal wrote %v, %v", files, err)
			}
			written, err := c.Apply(t.Context())
			if err != nil || len(written) != 2 {
				t.Fatalf("wrote %v: %v", written, err)
			}
			again := look(t, dir)
			if c := propose(t, again, setup.Outside); c.Diff != "" || !strings.Contains(c.Text, "it serves profiles") {
				t.Errorf("the second time: %+v", c)
			}
		})
	}
}

// Programs that serve profiles already, each in another way, get no change.
func TestServedAlready(t *testing.T) {
	stub := func(path string) map[string]string {
		return map[string]string{"go.mod": "module example.org/shop\n\ngo 1.25\n\nrequire " + path + " v0.0.0\n\nreplace " + path +
			" => ./dep\n", "dep/go.mod": "module " + path + "\n\ngo 1.25\n"}
	}
	gin := stub("github.com/gin-contrib/pprof")
	gin["dep/pprof.go"] = "package pprof\n\nfunc Register(any) {}\n"
	gin["main.go"] = "package main\n\nimport \"github.com/gin-contrib/pprof\"\n\nfunc main() { pprof.Register(nil) }\n"
	dependency := stub("example.org/kit")
	dependency["dep/kit.go"] = "package kit\n\nimport _ \"net/http/pprof\"\n"
	dependency["main.go"] = strings.Replace(hello, `import "net/http"`, "import (\n\t\"net/http\"\n\n\t_ \"example.org/kit\"\n)", 1)
	chi := stub("github.com/go-chi/chi/v5")
	chi["go.mod"] = strings.Replace(chi["go.mod"], "v0.0.0", "v5.0.0", 1)
	chi["dep/middleware/profiler.go"] = "package middleware\n\nimport (\n\t\"net/http\"\n\t_ \"net/http/pprof\"\n)\n\n" +
		"func Profiler() http.Handler { return nil }\n"
	chi["main.go"] = strings.NewReplacer(`import "net/http"`, "import (\n\t\"net/http\"\n\n\t\"github.com/go-chi/chi/v5/middleware\"\n)",
		"http.HandleFunc(", "mux := http.NewServeMux()\n\tmux.Handle(\"/debug\", middleware.Profiler())\n\tmux.HandleFunc(",
		"nil)", "mux)").Replace(hello)
	for name, c := range map[string]struct {
		files      map[string]string
		want, hint string
		address    string
	}{
		"blank import": {map[string]string{"main.go": strings.Replace(hello, `import "net/http"`,
			"import (\n\t\"net/http\"\n\t_ \"net/http/pprof\"\n)", 1)},
			"net/http/pprof, imported for http.DefaultServeMux (main.go:5)",
			"main.go:10 serves http.DefaultServeMux, and with it net/http/pprof, at :8080", "http://127.0.0.1:8080"},
		"on loopback": {map[string]string{"main.go": strings.NewReplacer(`import "net/http"`,
			"import (\n\t\"net/http\"\n\t_ \"net/http/pprof\"\n)", `":8080"`, `"localhost:6061"`).Replace(hello)},
			"net/http/pprof, imported", "", "http://localhost:6061"},
		"by hand, in a package of its own": {map[string]string{
			"main.go": "package main\n\nimport \"example.org/shop/debug\"\n\nfunc main() { debug.Serve() }\n",
			"debug/debug.go": "package debug\n\nimport (\n\t\"net/http\"\n\t\"net/http/pprof\"\n)\n\nfunc Serve() {\n" +
				"\tm := http.NewServeMux()\n\tm.HandleFunc(\"/debug/pprof/\", pprof.Index)\n\t_ = http.ListenAndServe(\":1\", m)\n}\n"},
			"net/http/pprof (debug/debug.go:10)", "", ""},
		"gin-contrib": {gin, "gin-contrib/pprof (main.go:5)", "", ""},
		"by a dependency": {dependency, "net/http/pprof, imported by example.org/kit",
			"main.go:11 serves http.DefaultServeMux", "http://127.0.0.1:8080"},
		"chi's profiler": {chi, "chi's middleware.Profiler (main.go:11)", "", ""},
		"its own": {map[string]string{"main.go": strings.Replace(hello, `"/"`, `"/debug/pprof/"`, 1)},
			"a handler of its own at /debug/pprof/ (main.go:6)", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := look(t, module(t, c.files))
			got := propose(t, s, setup.Outside)
			if got.Diff != "" || !strings.Contains(got.Text, c.want) {
				t.Errorf("%+v, want %q", got, c.want)
			}
			if hints := strings.Join(got.Hints, "\n"); !strings.HasPrefix(hints, c.hint) || (c.hint == "") != (hints == "") {
				t.Errorf("hints %q, want %q", hints, c.hint)
			}
			if a := s.Programs[0].Address(); a != c.address {
				t.Errorf("address %q, want %q", a, c.address)
			}
		})
	}
}

// Programs that import net/http/pprof, and serve it nowhere.
func TestNotServed(t *testing.T) {
	blank := strings.Replace(hello, `import "net/http"`, "import (\n\t\"net/http\"\n\t_ \"net/http/pprof\"\n)", 1)
	own := "mux := http.NewServeMux()\n\tmux.HandleFunc("
	chi := map[string]string{"go.mod": "module example.org/shop\n\ngo 1.25\n\nrequire github.com/go-chi/chi/v5 v5.0.0\n\n" +
		"replace github.com/go-chi/chi/v5 => ./dep\n", "dep/go.mod": "module github.com/go-chi/chi/v5\n\ngo 1.25\n",
		"dep/middleware/middleware.go": "package middleware\n\nimport _ \"net/http/pprof\"\n\nfunc Logger() {}\n",
		"main.go": strings.NewReplacer(`import "net/http"`, "import (\n\t\"net/http\"\n\n\t\"github.com/go-chi/chi/v5/middleware\"\n)",
			"http.HandleFunc(", "middleware.Logger()\n\t"+own, "nil)", "mux)").Replace(hello)}
	for name, files := range map[string]map[string]string{
		"a mux of its own": {"main.go": strings.NewReplacer("http.HandleFunc(", own, "nil)", "mux)").Replace(blank)},
		"a server's handler": {"main.go": strings.NewReplacer("http.HandleFunc(", own, `http.ListenAndServe(":8080", nil)`,
			`(&http.Server{Addr: ":8080", Handler: mux}).ListenAndServe()`).Replace(blank)},
		"a handler given later": {"main.go": strings.NewReplacer("http.HandleFunc(", "srv := &http.Server{Addr: \":8080\"}\n\t"+own,
			"panic(http.ListenAndServe(\":8080\", nil))", "srv.Handler = mux\n\tpanic(srv.ListenAndServe())").Replace(blank)},
		"chi's other middleware": chi,
	} {
		t.Run(name, func(t *testing.T) {
			s := look(t, module(t, files))
			c := propose(t, s, setup.Outside)
			if !strings.Contains(c.Diff, "+\tgo servePprof()") || !strings.Contains(c.Text, "nothing serves http.DefaultServeMux") ||
				len(s.Programs[0].Unserved) != 1 {
				t.Errorf("%s\n%s\n%+v", c.Text, c.Diff, s.Programs[0])
			}
		})
	}
}

// A program that serves http.DefaultServeMux to others does not get net/http/pprof, which would be served there.
func TestDefaultMuxStaysClosed(t *testing.T) {
	dir := module(t, map[string]string{"main.go": hello})
	c := propose(t, look(t, dir), setup.Outside)
	if _, err := c.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", ".")
	list.Dir = dir
	out, err := list.Output()
	if err != nil || strings.Contains(string(out), "net/http/pprof\n") || !strings.Contains(string(out), "runtime/pprof\n") {
		t.Errorf("the program has %v\n%s", err, out)
	}
}

// A worker is told from a server, and one that serves its metrics is a worker.
func TestKinds(t *testing.T) {
	const worker = `package main

import (
	"context"
	"net/http"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, _ := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	for tick := time.NewTicker(time.Second); ; {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			resp, err := http.Get("https://example.org/jobs")
			_, _ = resp, err
		}
	}
}
`
	metrics := strings.Replace(worker, "	for tick", "	http.Handle(\"/metrics\", http.NotFoundHandler())\n"+
		"	go http.ListenAndServe(\":9090\", nil)\n	for tick", 1)
	for name, c := range map[string]struct {
		main string
		want setup.Kind
	}{
		"web":      {hello, setup.Web},
		"worker":   {worker, setup.Worker},
		"metrics":  {metrics, setup.Worker},
		"for ever": {"package main\n\nfunc main() { select {} }\n", setup.Worker},
		"server": {"package main\n\nimport \"net\"\n\nfunc main() {\n\tl, _ := net.Listen(\"tcp\", \":1\")\n\t_, _ = l.Accept()\n}\n",
			setup.Server},
		"tool": {"package main\n\nimport \"net/http\"\n\nfunc main() { _, _ = http.Get(\"https://example.org/a\") }\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := look(t, module(t, map[string]string{"main.go": c.main, "other/main.go": "package main\n\nfunc main() {}\n"}))
			if got := s.Programs[0].Kind; got != c.want {
				t.Errorf("kind %q, want %q", got, c.want)
			}
			if services := len(s.Services()); (services == 1) != (c.want != "") {
				t.Errorf("%d services", services)
			}
		})
	}
}

// The repository's own module takes the place of a released one.
const requireOurs = "\nrequire github.com/gocasebook/casebook v0.0.0\n\nreplace github.com/gocasebook/casebook => "

// A watch from inside, with the handlers measured, builds with package casebook and opens a case.
func TestInside(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := module(t, map[string]string{"main.go": hello,
		"go.mod": "module example.org/shop\n\ngo 1.25\n" + requireOurs + root + "\n"})
	s := look(t, dir)
	c, err := s.Propose(&s.Programs[0], setup.Inside, "v0.0.0")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"+\tdefer startCasebook()()", `Service: "shop"`, "go servePprof(watch.ProfileHandler())",
		`+	panic(http.ListenAndServe(":8080", requests.Handler(nil)))`} {
		if !strings.Contains(c.Diff, want) {
			t.Errorf("want %q in\n%s", want, c.Diff)
		}
	}
	if len(c.Hints) > 0 {
		t.Errorf("hints %q", c.Hints)
	}
	vetted(t, dir, c)
	again := look(t, dir)
	if p := again.Programs[0]; p.Watched == nil || p.Measured == nil {
		t.Errorf("the second time: %+v", p)
	}
}

// vetted applies a change, and has the program vetted.
func vetted(t *testing.T, dir string, c *setup.Change) {
	t.Helper()
	if _, err := c.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	vet := exec.Command("go", "vet", ".")
	vet.Dir = dir
	if out, err := vet.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Servers of profiles are not measured: their requests take as long as they are asked to. They get the CPU profiles of
// the watch, which has the only profiler. A worker has no requests at all.
func TestInsideLeavesProfilesUnmeasured(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	program := func(imports, main string) string {
		return "package main\n\nimport (\n\t\"net/http\"\n\t" + imports + "\n)\n\nfunc main() {\n" + main + "}\n"
	}
	const app = "\tmux := http.NewServeMux()\n\tmux.HandleFunc(\"/items\", http.NotFound)\n"
	for name, c := range map[string]struct {
		main      string
		want, not []string
	}{
		"apart, at the default mux": {program(`_ "net/http/pprof"`, app+"\tgo http.ListenAndServe(\"localhost:6060\", nil)\n"+
			"\tpanic(http.ListenAndServe(\":8080\", mux))\n"),
			[]string{`+	go http.ListenAndServe("localhost:6060", profiles(nil))`, `":8080", requests.Handler(mux)`}, []string{"servePprof"}},
		"apart, as a server": {program(`_ "net/http/pprof"`, app+"\tgo (&http.Server{Addr: \":1\"}).ListenAndServe()\n"+
			"\tpanic(http.ListenAndServe(\":8080\", mux))\n"),
			[]string{"http.Server{Handler: profiles(nil), Addr:", `":8080", requests.Handler(mux)`}, []string{"servePprof"}},
		"by hand": {program(`"net/http/pprof"`, app+"\tdebug := http.NewServeMux()\n\tdebug.HandleFunc(\"/debug/pprof/\", pprof.Index)\n"+
			"\tdebug.HandleFunc(\"/debug/pprof/profile\", pprof.Profile)\n\tgo http.ListenAndServe(\":1\", debug)\n"+
			"\tpanic(http.ListenAndServe(\":8080\", mux))\n"),
			[]string{`"/debug/pprof/profile", cpuProfile.ServeHTTP)`, `":8080", requests.Handler(mux)`},
			[]string{"servePprof", "Handler(debug)", "profiles("}},
		"with the service's own": {program(`_ "net/http/pprof"`, "\thttp.HandleFunc(\"/items\", http.NotFound)\n"+
			"\tpanic(http.ListenAndServe(\":8080\", nil))\n"),
			[]string{`":8080", apart(nil)`}, []string{"servePprof"}},
		"a worker": {"package main\n\nfunc main() { select {} }\n", []string{"go servePprof(watch.ProfileHandler())"},
			[]string{"middleware", "requests"}},
		"a worker with metrics": {program(`_ "net/http/pprof"`, "\thttp.HandleFunc(\"/metrics\", http.NotFound)\n"+
			"\tgo http.ListenAndServe(\":9090\", nil)\n\tselect {}\n"),
			[]string{`":9090", profiles(nil)`}, []string{"middleware", "requests", "servePprof"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, map[string]string{"main.go": c.main, "go.mod": "module example.org/shop\n\ngo 1.25\n" + requireOurs + root + "\n"})
			got := propose(t, look(t, dir), setup.Inside)
			for _, want := range c.want {
				if !strings.Contains(got.Diff, want) {
					t.Errorf("want %q in\n%s", want, got.Diff)
				}
			}
			for _, not := range c.not {
				if strings.Contains(got.Diff, not) {
					t.Errorf("%q is in\n%s", not, got.Diff)
				}
			}
			if len(got.Hints) > 0 {
				t.Errorf("hints %q", got.Hints)
			}
			got.Get = "" // it is in go.mod
			if _, err := got.Apply(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A module with many programs: what somebody operates is told from tools and examples.
func TestServices(t *testing.T) {
	tool := "package main\n\nfunc main() {}\n"
	s := look(t, module(t, map[string]string{"cmd/shop/main.go": hello, "cmd/migrate/main.go": tool, "examples/basic/main.go": hello,
		"cmd/api/main.go": "package main\n\nimport \"example.org/shop/serve\"\n\nfunc main() { serve.Run() }\n",
		"serve/serve.go":  "package serve\n\nimport \"net\"\n\nfunc Run() { _, _ = net.Listen(\"tcp\", \":1\") }\n",
		"hack/tool.go":    tool}))
	var names []string
	for _, p := range s.Services() {
		names = append(names, p.Package)
	}
	if got := strings.Join(names, " "); got != "example.org/shop/cmd/api example.org/shop/cmd/shop" || len(s.Programs) != 5 {
		t.Errorf("services %s of %d programs", got, len(s.Programs))
	}
	s = look(t, module(t, map[string]string{"main.go": tool, "examples/a/main.go": hello}))
	if got := s.Services(); len(got) != 1 || got[0].Package != "example.org/shop" {
		t.Errorf("services %+v", got)
	}
}

// A change that cannot be made leaves everything as it was.
func TestNothingChanged(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	dir := module(t, map[string]string{"main.go": hello})
	s := look(t, dir)
	c, err := s.Propose(&s.Programs[0], setup.Inside, "v0.0.0-none")
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Apply(t.Context())
	if err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("%v", err)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "main.go")); string(data) != hello {
		t.Errorf("main.go is\n%s", data)
	}
	if _, err := os.Stat(filepath.Join(dir, "casebook.go")); err == nil {
		t.Error("casebook.go is there")
	}
	// what did not build before is no reason against the change
	broken := module(t, map[string]string{"main.go": strings.Replace(hello, "func main", "//go:embed build/*\nvar ui embed.FS\n\nfunc main",
		1)})
	c = propose(t, look(t, broken), setup.Outside)
	if c.Diff == "" || len(c.Hints) != 1 || !strings.Contains(c.Hints[0], "does not build here") {
		t.Errorf("%+v", c)
	}
	if written, err := c.Apply(t.Context()); err != nil || len(written) != 2 {
		t.Errorf("wrote %v: %v", written, err)
	}
	taken := module(t, map[string]string{"main.go": hello, "other.go": "package main\n\nfunc servePprof() {}\n"})
	s = look(t, taken)
	if _, err := s.Propose(&s.Programs[0], setup.Outside, ""); err == nil || !strings.Contains(err.Error(), "declares servePprof") {
		t.Errorf("%v", err)
	}
}

// Broken code and folders without a module are said, and what can be read is.
func TestBroken(t *testing.T) {
	t.Setenv("GOWORK", "off")
	if _, err := setup.Look(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), "Go module: run casebook init in a service") {
		t.Errorf("%v", err)
	}
	s := look(t, module(t, map[string]string{"main.go": hello, "bad/bad.go": "package bad\n\nfunc {\n", "lib/lib.go": "package lib\n",
		"main_test.go":             "package main\n\nimport \"testing\"\n\nfunc BenchmarkMain(b *testing.B) {}\n",
		"lib/lib_test.go":          "package lib\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {}\n",
		".github/workflows/ci.yml": "name: ci\n"}))
	if len(s.Left) == 0 || !strings.Contains(s.Left[0], "bad.go:3") {
		t.Errorf("left out %q", s.Left)
	}
	if strings.Join(s.Benchmarks, " ") != ". ./lib" || strings.Join(s.CI, " ") != "github" {
		t.Errorf("%+v", s)
	}
	for ci, file := range map[string]string{"github": ".github/workflows/casebook.yml", "gitlab": ".gitlab/casebook.yml"} {
		g := s.Gate(ci, "v0.1.0")
		at := map[string]string{"github": "gocasebook/casebook/.github/actions/gate@v0.1.0\n",
			"gitlab": "/gocasebook/casebook/v0.1.0/ci/gitlab/casebook-gate.yml\n"}[ci]
		if g == nil || g.File != file || !strings.Contains(g.Text, at) || !strings.Contains(g.Text, ": . ./lib\n") {
			t.Fatalf("%s: %+v", ci, g)
		}
		dir := t.TempDir()
		if err := g.Write(dir); err != nil {
			t.Error(err)
		}
		if err := g.Write(dir); err == nil {
			t.Error("a file that exists was written over")
		}
	}
	if g := look(t, module(t, map[string]string{"main.go": hello})).Gate("github", "latest"); g != nil {
		t.Errorf("a gate without benchmarks: %+v", g)
	}
}
