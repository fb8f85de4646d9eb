package cli_test

import (
	"bufio"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/setup"
)

// A service without profiles is changed by init, built, started, and looked at by doctor: what docs/first-day.md says.
func TestInit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/shop\n\ngo 1.25\n",
		"main.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"io\"\n\t\"os\"\n)\n\nfunc main() {\n\tfmt.Println(\"up\")\n" +
			"\t_, _ = io.Copy(io.Discard, os.Stdin)\n}\n",
		"shop_test.go": "package main\n\nimport \"testing\"\n\nfunc BenchmarkX(b *testing.B) {\n\tfor b.Loop() {\n\t}\n}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := casebook(t, dir, "init", "--ci", "github")
	r.want(t, 0, "example.org/shop  a server for net/http/pprof", "+	go servePprof()", "apply     the same command with --apply",
		".github/workflows/casebook.yml", "gocasebook/casebook/.github/actions/gate@main", "next      casebook doctor http://127.0.0.1:6060")
	if _, err := os.Stat(filepath.Join(dir, "casebook_pprof.go")); err == nil {
		t.Error("a proposal was made without --apply")
	}
	casebook(t, dir, "init", "--ci", "github", "--apply").want(t, 0, "written   ", "casebook_pprof.go")
	r = casebook(t, dir, "init", "--json")
	var s setup.Survey
	if err := json.Unmarshal([]byte(r.out), &s); err != nil || len(s.Programs) != 1 || len(s.Programs[0].Pprof) != 1 ||
		strings.Join(s.CI, "") != "github" {
		t.Errorf("%v: %s", err, r.out)
	}

	built := filepath.Join(dir, "shop")
	build := exec.Command("go", "build", "-o", built, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") // an address that is free now
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	l.Close()
	shop := exec.Command(built)
	shop.Env = append(os.Environ(), "PPROF_ADDR="+addr)
	stdin, _ := shop.StdinPipe()
	stdout, _ := shop.StdoutPipe()
	if err := shop.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = stdin.Close() // it ends with its input
		_ = shop.Wait()
	}()
	if _, err := bufio.NewReader(stdout).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	casebook(t, dir, "doctor", addr).want(t, 0, "shop  http://"+addr+"/debug/pprof/", "mutex           available",
		"users of this machine: only "+addr)

	casebook(t, dir, "init", "--watch", "both").want(t, 2, "--watch is \"both\"")
	casebook(t, dir, "init", "--ci", "jenkins").want(t, 2, "github or gitlab")
	casebook(t, dir, "init", "--program", "example.org/other").want(t, 2, "none of the module's main packages: example.org/shop")
	casebook(t, t.TempDir(), "init").want(t, 2, "Go module")
}
