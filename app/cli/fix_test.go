package cli_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fixShop is the example of lint, in a git repository.
func fixShop(t *testing.T) (dir string) {
	t.Helper()
	lintShop(t)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"-c", "user.name=t", "-c",
		"user.email=t@example.com", "commit", "-q", "-m", "first"}} {
		inRepository(t, dir, args...)
	}
	return dir
}

func inRepository(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// TestFixPage: the page shows what the command prints.
func TestFixPage(t *testing.T) {
	_, example, ok := strings.Cut(page(t, "docs/fix.md"), "    $ casebook fix ")
	command, example, ok2 := strings.Cut(example, "\n")
	example, _, ok3 := strings.Cut(example, "\n\nThe ")
	if !ok || !ok2 || !ok3 {
		t.Fatal("the page has no example")
	}
	want := strings.TrimSpace(strings.ReplaceAll("\n"+example, "\n    ", "\n"))
	fixShop(t)
	got := inProcess(t, append([]string{"fix"}, strings.Fields(command)...)...)
	if out := strings.TrimSpace(got.out); got.code != 0 || out != want {
		t.Errorf("exit code %d, and it prints\n%s\n%s\nwant\n%s", got.code, out, got.errors, want)
	}
}

// TestFixList: the page lists every rewriter, and what is listed is a check or a kind.
func TestFixList(t *testing.T) {
	list := inProcess(t, "fix", "--list")
	list.want(t, 0, "regexp-compile", "leakysender")
	text := page(t, "docs/fix.md")
	for line := range strings.Lines(list.out) {
		if name, _, ok := strings.Cut(line, " "); ok && name != "" && !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/fix.md does not list %s", name)
		}
	}
	kinds := inProcess(t, "detectors").out
	for word := range strings.FieldsSeq(list.out) {
		word = strings.Trim(word, ",")
		if strings.Count(word, "-") > 0 && strings.ToLower(word) == word && strings.HasPrefix(word, "alloc-") &&
			!strings.Contains(kinds, word) {
			t.Errorf("there is no kind %s", word)
		}
	}
}

// TestFix: what it says and does; only --write changes a file.
func TestFix(t *testing.T) {
	dir := fixShop(t)
	profiles := []string{"--profile", "../cpu.pb.gz", "--profile", "../heap.pb.gz"}
	for _, c := range []struct {
		name string
		args []string
		code int
		want string // of standard output, or of the error
	}{
		{"diagnostic", []string{"regexpinfunc@orders.go:25"}, 0, "+var "},
		{"with a column", []string{"regexpinfunc@orders.go:25:8"}, 0, "+var "},
		{"json", []string{"--json", "regexpinfunc@orders.go:25"}, 0, `"by": "regexpinfunc"`},
		{"finding", append([]string{"regexp-compile"}, profiles...), 0, "+var "},
		{"all", profiles, 0, "+var "},
		{"another line", []string{"regexpinfunc@orders.go:1"}, 1, "none of the forms"},
		{"no fix for it", []string{"fieldorder@orders.go:25"}, 1, "--list"},
		{"no such check", []string{"nothing@orders.go:25"}, 2, "no check nothing"},
		{"no such file", []string{"regexpinfunc@nowhere.go:25"}, 2, "nowhere.go"},
		{"no line", []string{"regexpinfunc@orders.go"}, 2, "CHECK@FILE:LINE"},
		{"nothing", nil, 2, "fix what?"},
		{"finding of nothing", []string{"regexp-compile"}, 2, "--case"},
		{"no such finding", append([]string{"gc-ballast"}, profiles...), 2, "has no finding gc-ballast"},
		{"prove by what", []string{"--prove", "regexpinfunc@orders.go:25"}, 2, "--bench"},
		{"branch of what", []string{"--branch", "x", "regexpinfunc@orders.go:25"}, 2, "--prove"},
		{"rate of what", []string{"--prove", "--server", ". -port {port}", "regexpinfunc@orders.go:25"}, 2, "--rate"},
		{"drive of what", []string{"--prove", "--drive", ". -port {port}", "regexpinfunc@orders.go:25"}, 2, "--server"},
		{"few rounds", []string{"--prove", "--drive", ". {port}", "--server", ". {port}", "--rounds", "2",
			"regexpinfunc@orders.go:25"}, 2, "--rounds 2"},
		{"no benchmark", []string{"--prove", "--bench", ".", "regexpinfunc@orders.go:25"}, 1, "could not be measured"},
	} {
		got := inProcess(t, append([]string{"fix"}, c.args...)...)
		if got.code != c.code || !strings.Contains(got.out+got.errors, c.want) {
			t.Errorf("%s: exit code %d, want %d, and %q in\n%s\n%s", c.name, got.code, c.code, c.want, got.out, got.errors)
		}
		if changed := inRepository(t, dir, "status", "--porcelain"); changed != "" {
			t.Errorf("%s: the tree has changed: %s", c.name, changed)
		}
	}
	inProcess(t, "fix", "--write", "regexpinfunc@orders.go:25").want(t, 0, "Wrote")
	if changed := inRepository(t, dir, "status", "--porcelain"); strings.TrimSpace(changed) != "M orders.go" {
		t.Errorf("--write has changed %q; want orders.go", changed)
	}
	got := inProcess(t, "fix", "--write", "sprintfkey@orders.go:33")
	if got.code != 2 || !strings.Contains(got.errors, "not committed") {
		t.Errorf("exit code %d; want that the tree has changes: %s", got.code, got.errors)
	}
}

// TestFixStale: code that is not what ran is left alone.
func TestFixStale(t *testing.T) {
	dir := fixShop(t)
	orders, err := os.ReadFile(filepath.Join(dir, "orders.go"))
	if err != nil {
		t.Fatal(err)
	}
	moved := strings.Replace(string(orders), "import (", "// Here is more.\n\nimport (", 1)
	if err := os.WriteFile(filepath.Join(dir, "orders.go"), []byte(moved), 0o600); err != nil {
		t.Fatal(err)
	}
	got := inProcess(t, "fix", "regexp-compile", "--profile", "../cpu.pb.gz")
	if got.code != 1 || !strings.Contains(got.out, "not the code that ran") {
		t.Errorf("exit code %d; want that the code is another:\n%s%s", got.code, got.out, got.errors)
	}
}
