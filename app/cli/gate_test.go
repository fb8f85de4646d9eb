package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const gateBench = `package shop

import "testing"

var kept *int

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		fill()
	}
}
`

const gateSource = "package shop\n\n//go:noinline\nfunc fill() {\n\tfor range 3 {\n\t\tkept = new(int)\n\t}\n}\n"

// shopRepo is a git repository whose benchmark allocates three times.
func shopRepo(t *testing.T) string {
	t.Helper()
	dir := writeFiles(t, map[string]string{"go.mod": "module example.com/shop\n\ngo 1.25.0\n",
		"shop_test.go": gateBench, "fill_test.go": gateSource})
	commitAll(t, dir)
	return dir
}

// commitAll makes a folder a git repository with everything in it committed to main.
func commitAll(t *testing.T, dir string) {
	t.Helper()
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"},
		{"-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

func TestGate(t *testing.T) {
	t.Parallel()
	dir := shopRepo(t)
	quick := []string{"gate", "--against", "main", "--fail-on", "allocs:+0%", "--benchtime", "100x", "--runs", "1",
		"--rounds", "3", "--confirm", "10"}
	if r := casebook(t, dir, quick...); r.code != 0 || !strings.Contains(r.out, "the same binary") {
		t.Errorf("code %d, want 0 for the same code:\n%s%s", r.code, r.out, r.errors)
	}
	if err := os.WriteFile(filepath.Join(dir, "fill_test.go"), []byte(strings.Replace(gateSource, "3", "4", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	junit, markdown := filepath.Join(out, "gate.xml"), filepath.Join(out, "gate.md")
	sarif, quality := filepath.Join(out, "gate.sarif"), filepath.Join(out, "gate.json")
	r := casebook(t, dir, append(quick, "--junit", junit, "--markdown", markdown, "--sarif", sarif, "--codequality",
		quality)...)
	for _, want := range []string{"FAIL  BenchmarkNew", "allocs +33.3 % (limit +0 %)",
		"because example.com/shop.fill"} {
		if r.code != 1 || !strings.Contains(r.out, want) {
			t.Errorf("code %d, want 1 and %q:\n%s%s", r.code, want, r.out, r.errors)
		}
	}
	for file, want := range map[string]string{junit: `failures="1"`, markdown: "**FAIL**",
		sarif: `"uri": "fill_test.go",`, quality: `"path": "fill_test.go",`} {
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: %v, no %q in\n%s", file, err, want, text)
		}
	}
	if r := casebook(t, dir, append(quick, "--json", "-q")...); r.code != 1 || !strings.HasPrefix(r.out, "{") ||
		r.errors != "" {
		t.Errorf("code %d, want 1, JSON and silence:\n%s%s", r.code, r.out, r.errors)
	}
}

func TestGateInterrupted(t *testing.T) {
	t.Parallel()
	dir, tmp := shopRepo(t), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "fill_test.go"), []byte(strings.Replace(gateSource, "3", "4", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bin, "gate", "--against", "main", "--benchtime", "100ms", "--rounds", "100")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp)
	begun := &untilLine{begin: "round 1 ", seen: make(chan struct{})}
	cmd.Stderr = begun
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-begun.seen:
	case <-time.After(patience):
		t.Fatal("it measured nothing in time")
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // the code says it
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("code %d, want 130", code)
	}
	if left, err := filepath.Glob(filepath.Join(tmp, "casebook-gate-*")); err != nil || len(left) > 0 {
		t.Errorf("%v are left, %v", left, err)
	}
}

// untilLine closes seen when a line of progress begins as wanted.
type untilLine struct {
	begin string
	seen  chan struct{}
	done  bool
}

func (u *untilLine) Write(p []byte) (int, error) {
	if !u.done && strings.HasPrefix(string(p), u.begin) {
		u.done = true
		close(u.seen)
	}
	return len(p), nil
}

func TestGateOfProof(t *testing.T) {
	t.Parallel()
	block := `{"a":{"p99":0.04},"a2":{"p99":0.041},"b":{"p99":%s}}`
	file := func(values ...string) string {
		var blocks []string
		for _, v := range values {
			blocks = append(blocks, strings.Replace(block, "%s", v, 1))
		}
		return `{"kind":"casebook-proof","schema":1,"proof":{"figures":[{"name":"p99","unit":"seconds"}]},"blocks":[` +
			strings.Join(blocks, ",") + "]}"
	}
	dir := writeFiles(t, map[string]string{
		"proof.json": file("0.050", "0.051", "0.052", "0.053", "0.054", "0.055", "0.056", "0.057", "0.058"),
		"same.json":  file("0.0404", "0.0405", "0.0406"),
	})
	for _, c := range []struct {
		proof string
		code  int
		want  string
	}{{".", 1, "p99 +"}, {"same.json", 0, "1 figure within the limit"}} {
		if r := casebook(t, dir, "gate", "--proof", c.proof, "--fail-on", "p99:+5%"); r.code != c.code ||
			!strings.Contains(r.out, c.want) {
			t.Errorf("%s: code %d, want %d and %q:\n%s%s", c.proof, r.code, c.code, c.want, r.out, r.errors)
		}
	}
}

func TestGateRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "want either --against"},
		{[]string{"--against", "main", "--fail-on", "time"}, "--fail-on: limit \"time\""},
		{[]string{"--against", "main", "--rounds", "1"}, "1 rounds: want 3"},
		{[]string{"--proof", "none.json"}, "no such file"},
		{[]string{"--against", "main"}, "not in a git repository"},
		{[]string{"--against", "main", "./server -addr :{port}", "/items"},
			"how many requests a second should it get?"},
		{[]string{"--against", "main", "--rate", "300"}, "which service, and which URL?"},
		{[]string{"--against", "main", "--rate", "300", "./server -addr :{port}", "./codec"},
			"which URL should be loaded?"},
		{[]string{"--against", "main", "--rate", "300", "./server -addr :{port}", "http://127.0.0.1:80/"},
			"each server gets its own"},
		{[]string{"--against", "main", "--rate", "300", "./server -addr :80", "/"}, "does not say where its port goes"},
		{[]string{"--against", "main", "--rate", "300", "server -addr :{port}", "/"}, "begins with the Go package"},
		{[]string{"--against", "main", "--rate", "often", "./server -addr :{port}", "/"}, "--rate"},
		{[]string{"--against", "main", "--rate", "300", "--fail-on", "time:+5%", "./server -addr :{port}", "/"},
			"a service has no figure \"time\""},
		{[]string{"--against", "main", "--rate", "300", "--targets", "none.http", "./server -addr :{port}"},
			"none.http"},
		{[]string{"--proof", ".", "--rate", "300"}, "leave --rate out"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			if r := casebook(t, t.TempDir(), append([]string{"gate"}, c.args...)...); r.code != 2 ||
				!strings.Contains(r.errors, c.want) {
				t.Errorf("code %d, want 2 and %q in %q", r.code, c.want, r.errors)
			}
		})
	}
}
