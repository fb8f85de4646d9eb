package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/lint"
)

// noted is a service with a release that has a known fault, and a setting left at a default that bites. Its modules are
// vendored: there is nothing to download.
var noted = map[string]string{
	"go.mod": "module example.org/shop\n\ngo 1.25\n\nrequire (\n\tgithub.com/emicklei/go-restful/v3 v3.11.0\n" +
		"\tgithub.com/gomodule/redigo v1.9.2\n)\n",
	"vendor/modules.txt": "# github.com/emicklei/go-restful/v3 v3.11.0\n## explicit\ngithub.com/emicklei/go-restful/v3\n" +
		"# github.com/gomodule/redigo v1.9.2\n## explicit\ngithub.com/gomodule/redigo/redis\n",
	"vendor/github.com/emicklei/go-restful/v3/stub.go": "package restful\n\ntype Container struct{}\n",
	"vendor/github.com/gomodule/redigo/redis/stub.go":  "package redis\n\ntype Pool struct{ MaxIdle int }\n",
	"main.go": "package main\n\nimport (\n\t\"net/http\"\n\n\t\"github.com/emicklei/go-restful/v3\"\n" +
		"\t\"github.com/gomodule/redigo/redis\"\n)\n\nvar _ restful.Container\n\nvar pool = redis.Pool{}\n\n" +
		"func main() { _ = http.ListenAndServe(\"127.0.0.1:8080\", nil) }\n",
}

// TestNotes: lint and init note what is known, and nothing counts it.
func TestNotes(t *testing.T) {
	canLint(t)
	dir := t.TempDir()
	for name, text := range noted {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	r := inProcess(t, "lint", "--without-heat")
	r.want(t, 0, "Reports  none", "note: github.com/emicklei/go-restful/v3 v3.11.0: has a known fault",
		"note: main.go:12: github.com/gomodule/redigo v1.9.2: Pool.MaxIdle is at its",
		"Set Pool.MaxIdle to")
	narrow(t, r.out)
	var res lint.Result
	r = inProcess(t, "lint", "--without-heat", "--json")
	if err := json.Unmarshal([]byte(r.out), &res); err != nil || r.code != 0 || len(res.Notes) != 2 {
		t.Errorf("exit code %d, %v, notes %v", r.code, err, res.Notes)
	}
	if r = inProcess(t, "lint", "--without-heat", "--lines"); strings.Contains(r.out, "note") {
		t.Errorf("lines have notes: %s", r.out)
	}
	r = inProcess(t, "init")
	r.want(t, 0, "note      github.com/emicklei/go-restful/v3 v3.11.0: has a known fault")
	if strings.Contains(r.out, "redigo") {
		t.Errorf("init notes more than a fault: %s", r.out)
	}
}
