package answer_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/answer"
	"github.com/gocasebook/casebook/app/facts"
	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

const sumGo = `package sum

// Of adds numbers up.
func Of(all []int) int {
	n := 0
	for _, v := range all {
		n += v
	}
	return n
}
`

// module writes a module with a test.
func module(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":     "module example.com/sum\n\ngo 1.24\n",
		"sum.go":     sumGo,
		"dos/dos.go": "package dos\r\n\r\nfunc One() int {\r\n\treturn 1\r\n}\r\n",
		"sum_test.go": "package sum\n\nimport \"testing\"\n\nfunc TestOf(t *testing.T) {\n\tif Of([]int{1, " +
			"2}) != 3 {\n\t\tt.Fatal(\"no sum\")\n\t}\n}\n",
		"broken/wrong.go": "package broken\n\nvar x int = \"\"\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// snapshot is all files below a folder.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestDiff(t *testing.T) {
	dir := module(t)
	places, err := source.FindPlaces(t.Context(), dir, casefile.Build{Module: "example.com/sum"})
	if err != nil {
		t.Fatal(err)
	}
	sheet := &facts.Sheet{Facts: []facts.Fact{{ID: "C1", Sort: facts.Cost, Harm: 0.5, Stacks: stack(facts.Frame{
		Function: "example.com/sum.Of", File: "/build/sum.go", Line: 7, Owner: facts.User})}}}
	head := "--- a/sum.go\n+++ b/sum.go\n"
	hunk := "@@ -5,4 +5,4 @@\n \tn := 0\n \tfor _, v := range all {\n-\t\tn += v\n+\t\tn = n + v\n \t}\n"
	before := snapshot(t, dir)
	for _, tt := range []struct{ name, diff, want, words string }{
		{"right", head + hunk, casefile.Supported, "passes the tests"},
		{"git's", "diff --git a/sum.go b/sum.go\nindex 1..2 100644\n" + head + hunk, casefile.Supported,
			"passes the tests"},
		{"in a fence, miscounted, elsewhere", "```diff\n" + head + strings.Replace(hunk, "-5,4 +5,4", "-50,1 +50,9",
			1) + "```\n",
			casefile.Supported, "passes the tests"},
		{"of another system", strings.ReplaceAll(head+hunk, "\n", "\r\n"), casefile.Supported, "passes the tests"},
		{"to a file of another system", "--- a/dos/dos.go\n+++ b/dos/dos.go\n@@ -3,3 +3,3 @@\n func One() int " +
			"{\n-\treturn 1\n+\treturn 2 - 1\n }\n",
			casefile.Supported, "no tests"},
		{"a new file", "--- /dev/null\n+++ b/more.go\n@@ -0,0 +1,3 @@\n+package sum\n+\n+func Two() int { " +
			"return 2 }\n", casefile.Supported,
			"passes the tests"},
		{"breaks a test", head + strings.Replace(hunk, "n = n + v", "n = n - v", 1), casefile.Contradicted,
			"tests of ./. fail"},
		{"does not compile", head + strings.Replace(hunk, "n = n + v", "n = m + v", 1), casefile.Contradicted,
			"does not compile"},
		{"does not apply", head + strings.Replace(hunk, "n := 0", "n := 1", 1), casefile.Contradicted, "does " +
			"not apply"},
		{"no such file", strings.ReplaceAll(head, "sum.go", "nothing.go") + hunk, casefile.Contradicted, "no " +
			"file nothing.go"},
		{"broken before", "--- a/broken/wrong.go\n+++ b/broken/wrong.go\n@@ -1,3 +1,4 @@\n package broken\n " +
			"\n+var y int\n var x int = \"\"\n",
			casefile.Supported, "without it"},

		{"up", strings.ReplaceAll(head, "sum.go", "../sum.go") + hunk, casefile.Unsupported, "outside"},
		{"absolute", strings.ReplaceAll(head, "b/sum.go", "/etc/passwd") + hunk, casefile.Unsupported, "outside"},
		{"git's own", strings.ReplaceAll(head, "sum.go", ".git/hooks/x.go") + hunk, casefile.Unsupported, ".git"},
		{"binary", "diff --git a/x b/x\nGIT binary patch\nliteral 3\n", casefile.Unsupported, "binary"},
		{"a rename", "diff --git a/sum.go b/s.go\nrename from sum.go\nrename to s.go\n", casefile.Unsupported,
			"renames"},
		{"a link", "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 " +
			"@@\n+/etc/passwd\n", casefile.Unsupported,
			"symbolic link"},
		{"the tests", "--- a/sum_test.go\n+++ b/sum_test.go\n@@ -6,1 +6,1 @@\n-\tif Of([]int{1, 2}) != 3 " +
			"{\n+\tif false {\n", casefile.Unsupported,
			"tests that are there"},
		{"its own TestMain", "--- /dev/null\n+++ b/a_test.go\n@@ -0,0 +1 @@\n+func TestMain(m *testing.M) {}\n",
			casefile.Unsupported, "TestMain"},
		{"cgo", "--- /dev/null\n+++ b/c.go\n@@ -0,0 +1,4 @@\n+package sum\n+\n+// #cgo LDFLAGS: -x\n+import " +
			"\"C\"\n", casefile.Unsupported, "#cgo"},
		{"generated", head + strings.Replace(hunk, "+\t\tn = n + v", "+//go:generate rm -rf /", 1),
			casefile.Unsupported, "go:generate"},
		{"assembly", "--- /dev/null\n+++ b/x.s\n@@ -0,0 +1 @@\n+TEXT ·f(SB), $0\n", casefile.Unsupported, "no Go"},
		{"a replaced module", "--- a/go.mod\n+++ b/go.mod\n@@ -3,1 +3,2 @@\n go 1.24\n+replace a.b/c => " +
			"../../evil\n", casefile.Unsupported, "elsewhere"},
		{"a toolchain", "--- a/go.mod\n+++ b/go.mod\n@@ -3,1 +3,2 @@\n go 1.24\n+toolchain go1.99\n",
			casefile.Unsupported, "toolchain"},
		{"a workspace", "--- /dev/null\n+++ b/go.work\n@@ -0,0 +1 @@\n+go 1.24\n", casefile.Unsupported, "go.work"},
		{"nothing", head, casefile.Unsupported, "nothing changes"},
		{"prose", "change n += v to n = n + v", casefile.Unsupported, "unified diff"},
		{"too large", head + hunk + strings.Repeat("+x\n", 100_000), casefile.Unsupported, "bytes"},
		{"thousands of files", many(5000), casefile.Unsupported, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := answer.Answer{Place: at("sum.Of"), Cause: "c", Diff: tt.diff}
			op := answer.Check(t.Context(), a, sheet, answer.Options{Source: places, Test: true})
			i := slices.IndexFunc(op.Reasons, func(r casefile.Reason) bool { return r.About == answer.AboutDiff })
			if i < 0 || op.Reasons[i].Verdict != tt.want || !strings.Contains(op.Reasons[i].Text, tt.words) {
				t.Errorf("got %+v; want %s with %q", op.Reasons, tt.want, tt.words)
			}
		})
	}
	for name, text := range snapshot(t, dir) {
		if before[name] != text {
			t.Errorf("%s was changed", name)
		}
	}
	left, err := filepath.Glob(filepath.Join(os.TempDir(), "casebook-answer-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("copies are left: %q, %v", left, err)
	}
}

// TestMain gives the copies a temporary folder of their own, so that what is left of them is seen.
func TestMain(m *testing.M) { os.Exit(inTemp(m)) }

func inTemp(m *testing.M) int {
	dir, err := os.MkdirTemp("", "answer-test-*")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if runtime.GOOS != "windows" {
		os.Setenv("TMPDIR", dir)
	}
	return m.Run()
}

func many(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("--- /dev/null\n+++ b/f" + strings.Repeat("x", i%7) + ".go\n@@ -0,0 +1 @@\n+package sum\n")
	}
	return b.String()
}

// A secret of the environment is not there for the tests that a diff brings.
func TestDiffSeesNoSecret(t *testing.T) {
	t.Setenv("SHOP_TOKEN", "hunter2")
	dir := module(t)
	places, err := source.FindPlaces(t.Context(), dir, casefile.Build{})
	if err != nil {
		t.Fatal(err)
	}
	diff := "--- /dev/null\n+++ b/new_test.go\n@@ -0,0 +1,3 @@\n+package sum\n+\n+import (\"os\"; " +
		"\"testing\")\n+func TestNone(t *testing.T) {\n" +
		"+\tif os.Getenv(\"SHOP_TOKEN\") != \"\" {\n+\t\tt.Fatal(\"seen\")\n+\t}\n+}\n"
	op := answer.Check(t.Context(), answer.Answer{Place: at("sum.Of"), Cause: "c", Diff: diff}, shop(),
		answer.Options{Source: places, Test: true})
	if !slices.ContainsFunc(op.Reasons, func(r casefile.Reason) bool {
		return r.About == answer.AboutDiff && r.Verdict == casefile.Supported && strings.Contains(r.Text, "passes")
	}) {
		t.Errorf("%+v; want that the test passes", op.Reasons)
	}
}

// Places of the source: a line of a function that no stack has is right, one of its neighbour is not.
func TestPlacesOfSource(t *testing.T) {
	places, err := source.FindPlaces(t.Context(), module(t), casefile.Build{})
	if err != nil {
		t.Fatal(err)
	}
	sheet := &facts.Sheet{Facts: []facts.Fact{{ID: "C1", Sort: facts.Cost, Harm: 0.5, Stacks: stack(facts.Frame{
		Function: "example.com/sum.Of", File: "/build/sum.go", Line: 7, Owner: facts.User})}}}
	for line, want := range map[int]string{7: casefile.Supported, 5: casefile.Supported, 2: casefile.Contradicted,
		90: casefile.Contradicted} {
		a := answer.Answer{Place: []casefile.At{{Function: "sum.Of", File: "sum.go", Line: line}}, Cause: "c"}
		if op := answer.Check(t.Context(), a, sheet, answer.Options{Source: places}); op.Verdict != want {
			t.Errorf("line %d: %s %+v; want %s", line, op.Verdict, op.Reasons, want)
		}
	}
}
