package lint

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/pprof/profile"

	"github.com/gocasebook/casebook/app/heat"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
	"github.com/gocasebook/casebook/internal/built"
)

var builtTool string // linttool; set once, before any test

// TestMain builds the tool that go vet runs, as casebook is.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "casebook-lint-")
	if err == nil {
		builtTool = filepath.Join(dir, "linttool")
		err = built.Program(builtTool, "github.com/gocasebook/casebook/app/lint/linttool", nil, "-trimpath",
			"-buildvcs=false", "-ldflags=-w")
	}
	code := 2
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
	} else {
		code = m.Run()
	}
	_ = os.RemoveAll(dir) // of the system's temporary folder
	os.Exit(code)
}

const shop = `package shop

import (
	"fmt"
	"strings"
)

func Key(a, b string, m map[string]int) int { return m[fmt.Sprintf("%s/%s", a, b)] }

func First(s string) string {
	return strings.Split(s, ",")[0]
}

func All(in []string) string {
	var out string
	for _, s := range in {
		out += s
	}
	return out
}
`

// module writes a module and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all := fstest.MapFS{"go.mod": {Data: []byte("module example.com/shop\n\ngo 1.26.0\n")}}
	for name, text := range files {
		all[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(dir, all); err != nil {
		t.Fatal(err)
	}
	return dir
}

// run lints a module with the tool.
func run(t *testing.T, r Request) *Result {
	t.Helper()
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOWORK", "off")
	r.Tool = builtTool
	res, err := Run(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func names(res *Result) (out []string) {
	for _, r := range res.Reports {
		out = append(out, r.Check)
	}
	return out
}

// gap finds a gap by a part of its name and of its reason.
func gap(res *Result, what, reason string) bool {
	return slices.ContainsFunc(res.Gaps, func(g Gap) bool {
		return strings.Contains(g.What, what) && strings.Contains(g.Reason, reason)
	})
}

// costOf is heat of some lines, by a profile of CPU in which each has a sample of its own: in a call where called is
// not "".
func costOf(t *testing.T, file string, lines map[int]int64, called map[int]string) *heat.Map {
	t.Helper()
	p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu",
		Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 1}
	at := func(name, file string, line int) *profile.Location {
		f := &profile.Function{ID: uint64(len(p.Function) + 1), Name: name, Filename: file}
		l := &profile.Location{ID: uint64(len(p.Location) + 1), Line: []profile.Line{{Function: f, Line: int64(line)}}}
		p.Function, p.Location = append(p.Function, f), append(p.Location, l)
		return l
	}
	for line, ns := range lines {
		s := &profile.Sample{Value: []int64{ns, ns}}
		if called[line] != "" {
			s.Location = append(s.Location, at(called[line], "x.go", 1))
		}
		s.Location = append(s.Location, at("example.com/shop.F", file, line))
		p.Sample = append(p.Sample, s)
	}
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	sets, problems := heat.Read(diagnose.Input{Build: casefile.Build{Module: "example.com/shop"},
		Evidence: []diagnose.Evidence{{Name: "cpu", Kind: casefile.CPU, Data: b.Bytes()}}})
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return heat.Of(sets, nil)
}

// TestRanked: reports are in the order of what they cost, in the calls that they are about.
func TestRanked(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop})
	file := filepath.Join(dir, "shop.go")
	res := run(t, Request{Dir: dir, Heat: costOf(t, file, map[int]int64{8: 30, 11: 69, 17: 1},
		map[int]string{8: "fmt.Sprintf", 11: "strings.Split", 17: "example.com/shop.slow"})})
	if got, want := names(res), []string{"splitone", "sprintfkey"}; !slices.Equal(got, want) {
		t.Fatalf("the reports are %v, want %v", got, want)
	}
	if r := res.Reports[0]; r.Share != .69 || r.By != "cpu" || r.Line != 11 || r.File != file || r.Rank != 1 ||
		r.Text != `return strings.Split(s, ",")[0]` {
		t.Errorf("the first report is %+v", r)
	}
	// What += calls is a function of the program's own, and not the concatenation.
	if len(res.Cold) != 1 || res.Cold[0].Check != "stringsbuilder" || res.Cold[0].Reports != 1 {
		t.Errorf("cold are %+v, want the concatenation", res.Cold)
	}
	if len(res.Gaps) > 0 || res.Packages != 1 {
		t.Errorf("%d packages, left out %+v", res.Packages, res.Gaps)
	}
}

// TestWithoutHeat: an ordinary linter, which folds what several checks say of a line and leaves out what counts only hot.
func TestWithoutHeat(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop, "gen.go": "// Code generated by hand. DO NOT EDIT.\n\n" +
		strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(shop, "Key", "K"), "First", "F"), "All", "A"),
		"shop_test.go": "package shop\n\nimport (\n\t\"strings\"\n\t\"testing\"\n)\n\nfunc TestX(t *testing.T) {\n" +
			"\tt.Log(strings.Split(\"a,b\", \",\")[0])\n}\n"})
	res := run(t, Request{Dir: dir})
	if got, want := names(res), []string{"sprintfkey", "splitone", "stringsbuilder"}; !slices.Equal(got, want) {
		t.Errorf("the reports are %v, want %v", got, want)
	}
	if res.Written == 0 {
		t.Error("no report in the generated file was counted")
	}
	if !slices.Contains(res.Reports[2].Also, "perfsprint") {
		t.Errorf("the last report is %+v, want that perfsprint says so, too", res.Reports[2])
	}
}

// TestImports: where a change would leave an import unused, the import is no report of its own.
func TestImports(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": `package shop

import "fmt"

func List(n int) (s string) {
	for i := range n {
		s += fmt.Sprintf("%d", i)
	}
	return s
}
`})
	res := run(t, Request{Dir: dir})
	for _, r := range res.Reports {
		if r.Line < 5 {
			t.Errorf("%s reports line %d: %s", r.Check, r.Line, r.Message)
		}
	}
	if len(res.Reports) == 0 {
		t.Error("nothing is reported")
	}
}

// TestBaseline: known reports stay known when their code moves, and are new when their line changes.
func TestBaseline(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop})
	b := BaselineOf(run(t, Request{Dir: dir}))
	file := filepath.Join(t.TempDir(), "lint.json")
	if err := b.Write(file); err != nil {
		t.Fatal(err)
	}
	b, err := ReadBaseline(file)
	if err != nil {
		t.Fatal(err)
	}
	moved := strings.Replace(shop, "func Key", "// Key is new here.\nfunc Key", 1)
	moved = strings.Replace(moved, `strings.Split(s, ",")[0]`, `strings.Split(s, ";")[0]`, 1)
	if err := os.WriteFile(filepath.Join(dir, "shop.go"), []byte(moved), 0o600); err != nil {
		t.Fatal(err)
	}
	res := run(t, Request{Dir: dir, Baseline: b})
	if got := names(res); !slices.Equal(got, []string{"splitone"}) || res.Known != 2 {
		t.Errorf("new are %v, and %d known; want splitone, and 2", got, res.Known)
	}
	for name, text := range map[string]string{"other.json": `{"schema": 9}`, "broken.json": `{`, "two.json": `{"schema":1} {}`} {
		other := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(other, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadBaseline(other); err == nil {
			t.Errorf("%s was read", text)
		}
	}
}

// TestGaps: what cannot be analyzed is said, and the rest is analyzed.
func TestGaps(t *testing.T) {
	dir := module(t, map[string]string{
		"shop.go":           shop,
		"broken/a.go":       "package broken\n\nfunc F() int { return \"x\" }\n",
		"syntax/a.go":       "package syntax\n\nfunc F( {\n",
		"above/a.go":        "package above\n\nimport \"example.com/shop/broken\"\n\nvar X = broken.F()\n",
		"missing/a.go":      "package missing\n\nimport _ \"example.com/nowhere/x\"\n",
		"elsewhere/a.go":    "//go:build plan9\n\npackage elsewhere\n",
		"inner/go.mod":      "module example.com/inner\n",
		"inner/a.go":        "package inner\n",
		"testdata/x/bad.go": "package",
	})
	t.Setenv("GOPROXY", "off")
	res := run(t, Request{Dir: dir})
	for _, c := range []struct{ what, reason string }{
		{"shop/broken", "cannot use"},
		{"shop/syntax", "expected ')'"},
		{"shop/above", "could not be compiled"},
		{"shop/missing", "nowhere"},
		{"./elsewhere", "build constraints"},
		{"./inner", "module of its own"},
	} {
		if !gap(res, c.what, c.reason) {
			t.Errorf("nothing says of %s that %s: %+v", c.what, c.reason, res.Gaps)
		}
	}
	if res.Packages != 1 || len(res.Reports) != 3 {
		t.Errorf("%d packages were analyzed, with %v; want the one that is whole", res.Packages, names(res))
	}
	if gap(res, "testdata", "") {
		t.Errorf("testdata is no gap: %+v", res.Gaps)
	}
}

// TestWorkspace: modules of a go.work that the patterns do not reach are said.
func TestWorkspace(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop, "go.work": "go 1.26.0\n\nuse (\n\t.\n\t./tools\n)\n",
		"tools/go.mod": "module example.com/tools\n\ngo 1.26.0\n", "tools/a.go": "package tools\n"})
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	res, err := Run(t.Context(), Request{Dir: dir, Tool: builtTool})
	if err != nil {
		t.Fatal(err)
	}
	if !gap(res, "example.com/tools", "go.work") || res.Packages != 1 {
		t.Errorf("%d packages, left out %+v", res.Packages, res.Gaps)
	}
}

// TestAsksTool: the go command's arguments are told from a person's.
func TestAsksTool(t *testing.T) {
	for _, c := range []struct {
		args []string
		want bool
	}{
		{[]string{"-V=full"}, true},
		{[]string{"-flags"}, true},
		{[]string{"/tmp/b001/vet.cfg"}, true},
		{[]string{"-json", "/tmp/b001/vet.cfg"}, true},
		{nil, false},
		{[]string{"version"}, false},
		{[]string{"diagnose", "app.cfg"}, false},
		{[]string{"watch", "--config", "watch.cfg"}, false},
		{[]string{"-h"}, false},
	} {
		if got := AsksTool(c.args); got != c.want {
			t.Errorf("%q: %v, want %v", c.args, got, c.want)
		}
	}
}

// TestChecks: each check has a name of its own, and says what it counts.
func TestChecks(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range Checks() {
		if c.Name == "" || c.Source == "" || len(c.By) == 0 || c.Doc() == "" || seen[c.Name] {
			t.Errorf("%+v", c)
		}
		seen[c.Name] = true
	}
	for name := range charges() {
		if !seen[name] {
			t.Errorf("%s is charged, and no check", name)
		}
	}
}

// TestFills: for how a slice is declared the lines pay that append to it.
func TestFills(t *testing.T) {
	file := filepath.Join(module(t, map[string]string{"a.go": `package shop

func f(in []string) ([]string, []string) {
	var out []string
	other := []string{}
	for _, s := range in {
		out = append(out, s)
		other = append(other, s)
		outside := append(in, s)
		_ = outside
	}
	return out, other
}

func g(out []string) []string {
	out = append(out, "x")
	return out
}
`}), "a.go")
	src := make(sources).of(file)
	for line, want := range map[int]int{4: 7, 5: 8} {
		if got := src.fills(line); len(got) != 1 || got[0][0] != want {
			t.Errorf("what line %d declares is filled on %v, want line %d", line, got, want)
		}
		rep := &Report{Line: line, End: line}
		if got := (&Check{Fills: true}).where(rep, src); len(got) != 1 || got[0][0] != want {
			t.Errorf("for what line %d declares the lines %v pay, want line %d", line, got, want)
		}
	}
	if got := src.fills(99); got != nil {
		t.Errorf("a line that is not there is filled on %v", got)
	}
}

// TestReaches: what is made for a value counts where it is made: below the function, on the lines that use it, anywhere.
func TestReaches(t *testing.T) {
	rep := &Report{File: "a.go", Line: 3, End: 3, Related: []Place{{File: "a.go", Line: 5, End: 6}, {File: "a.go", Line: 5,
		End: 6}, {File: "b.go", Line: 9, End: 9}, {File: "a.go", Line: 8, End: 8}}}
	src := &source{functions: [][2]int{{1, 10}}}
	for reach, want := range map[Reach][][2]int{OnLines: {{3, 3}}, AtUses: {{5, 6}, {8, 8}}, InFile: {{1, math.MaxInt32}},
		InProgram: {{3, 3}}} {
		if got := (&Check{Reach: reach}).where(rep, src); !slices.Equal(got, want) {
			t.Errorf("reach %d: lines %v pay, want %v", reach, got, want)
		}
	}
	file := filepath.Join(t.TempDir(), "a.go")
	r := Request{Heat: costOf(t, file, map[int]int64{3: 20, 7: 70, 99: 10}, map[int]string{3: "io.Copy", 7: "flate.New"})}
	for reach, want := range map[Reach]float64{OnLines: 0, AtUses: .7, InFile: .7, InProgram: .7} {
		c := &Check{Reach: reach, Calls: []string{"flate."}}
		at := [2]int{3, 3}
		if reach == AtUses || reach == InFile {
			at = [2]int{1, 10}
		}
		if got := r.spent(c, file, at)[heat.CPU]; got != want {
			t.Errorf("reach %d costs %v, want %v", reach, got, want)
		}
	}
}

// TestUnless: what a function elsewhere in the profile refutes costs nothing.
func TestUnless(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.go")
	r := Request{Heat: costOf(t, file, map[int]int64{3: 20, 7: 80}, map[int]string{3: "attribute.String", 7: "sdk.record"})}
	c := &Check{Calls: []string{"attribute."}, Unless: []string{"sdk.other"}}
	if got := r.spent(c, file, [2]int{3, 3})[heat.CPU]; got != .2 {
		t.Errorf("it costs %v, want 0.2", got)
	}
	c.Unless = []string{"sdk.rec"}
	if got := r.spent(c, file, [2]int{3, 3})[heat.CPU]; got != 0 {
		t.Errorf("it costs %v although spans are recorded", got)
	}
}

// TestKeeps: what a concatenation would allocate as well does not count, what else fmt allocates does.
func TestKeeps(t *testing.T) {
	c := &Check{Calls: []string{"fmt."}, Keeps: []string{"fmt.Sprintf"}}
	for name, below := range map[string][]string{"fmt.Sprintf": {"fmt.(*pp).doPrintf"}, "fmt.Fprintf": nil} {
		if !c.allocates(name, slices.Values(below)) {
			t.Errorf("%s below %v does not count", name, below)
		}
	}
	if c.allocates("fmt.Sprintf", slices.Values([]string{"runtime.mallocgc"})) {
		t.Error("the text that Sprintf returns counts")
	}
}

// TestCgoWithoutCompiler: what needs a C compiler is left out with the reason.
func TestCgoWithoutCompiler(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop, "native/a.go": "package native\n\n// int one() { return 1; }\n" +
		"import \"C\"\n\nfunc One() int { return int(C.one()) }\n"})
	t.Setenv("CC", filepath.Join(dir, "no-such-compiler"))
	t.Setenv("CGO_ENABLED", "1")
	res := run(t, Request{Dir: dir})
	if !gap(res, "shop/native", "no-such-compiler") || res.Packages != 1 || len(res.Reports) != 3 {
		t.Errorf("%d packages with %v, left out %+v", res.Packages, names(res), res.Gaps)
	}
}

// TestCalls: a heap profile does not have the functions of the runtime, a CPU profile does; and of what fmt calls, the
// writing and the methods of values cost as much without fmt.
func TestCalls(t *testing.T) {
	concats, prints := &Check{Calls: concat}, &Check{Calls: []string{"fmt."}, Within: formatting}
	for _, c := range []struct {
		check        *Check
		name         string
		below        []string // innermost first
		cpu, alloced bool
	}{
		{concats, "runtime.concatstrings", nil, true, true},
		{concats, "", nil, false, true},
		{concats, "example.com/shop.f", nil, false, false},
		{prints, "fmt.Sprintf", nil, true, true},
		{prints, "", nil, false, false},
		{prints, "fmt.Fprintf", []string{"strconv.AppendFloat", "fmt.(*fmt).fmtFloat", "fmt.(*pp).doPrintf"}, true, true},
		{prints, "fmt.Sprint", []string{"memeqbody", "runtime.mallocgc", "fmt.(*buffer).writeString"}, true, true},
		{prints, "fmt.Fprintf", []string{"syscall.write", "net.(*conn).Write"}, false, false},
		{prints, "fmt.Sprint", []string{"runtime.mallocgc", "example.com/shop.(*Item).String", "fmt.(*pp).handleMethods"},
			false, false},
	} {
		cpu := c.check.calls(c.name, slices.Values(c.below))
		alloced := c.check.allocates(c.name, slices.Values(c.below))
		if cpu != c.cpu || alloced != c.alloced {
			t.Errorf("%v, %q of %q: %v, %v; want %v, %v", c.check.Calls, c.name, c.below, cpu, alloced, c.cpu, c.alloced)
		}
	}
}

// TestTags: files of a build tag are analyzed when it is set, and said to be left out when it is not.
func TestTags(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop, "redis/a.go": "//go:build redis\n\npackage redis\n\n" +
		"import \"strings\"\n\nfunc First(s string) string { return strings.Split(s, \",\")[0] }\n",
		"extra.go": "//go:build redis\n\npackage shop\n\nfunc Extra() {}\n"})
	res := run(t, Request{Dir: dir})
	if !gap(res, "1 file", "--tags") || !gap(res, "./redis", "--tags") || res.Packages != 1 {
		t.Errorf("without the tag: %d packages, left out %+v", res.Packages, res.Gaps)
	}
	res = run(t, Request{Dir: dir, Tags: "redis"})
	if len(res.Gaps) > 0 || res.Packages != 2 || len(res.Reports) != 4 {
		t.Errorf("with the tag: %d packages with %v, left out %+v", res.Packages, names(res), res.Gaps)
	}
}

// TestModulesOfWorkspace: modules of a go.work that the patterns name are all analyzed, one that is broken is said.
func TestModulesOfWorkspace(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop, "go.work": "go 1.26.0\n\nuse (\n\t.\n\t./tools\n\t./old\n)\n",
		"tools/go.mod": "module example.com/tools\n\ngo 1.26.0\n", "tools/a.go": "package tools\n\nimport \"strings\"\n\n" +
			"func First(s string) string { return strings.Split(s, \",\")[0] }\n",
		"old/go.mod": "module example.com/old\n\ngo 1.26.0\n", "old/a.go": "package old\n\nvar X int = \"x\"\n"})
	t.Setenv("GOWORK", "")
	t.Setenv("GOFLAGS", "")
	res, err := Run(t.Context(), Request{Dir: dir, Tool: builtTool,
		Packages: []string{"./...", "./tools/...", "./old/..."}})
	if err != nil {
		t.Fatal(err)
	}
	if res.Packages != 2 || len(res.Reports) != 4 || !gap(res, "example.com/old", "cannot use") {
		t.Errorf("%d packages with %v, left out %+v", res.Packages, names(res), res.Gaps)
	}
}

// TestNothing: where nothing can be analyzed, that is said with its reason: it is not "nothing found".
func TestNothing(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		what  string
	}{
		{"broken", map[string]string{"a.go": "package shop\n\nvar X int = \"x\"\n"}, "cannot use"},
		{"no files", map[string]string{"README": "nothing"}, "matched no packages"},
		{"missing module", map[string]string{"a.go": "package shop\n\nimport _ \"example.com/nowhere\"\n"}, "nowhere"},
		{"go.mod that cannot be read", map[string]string{"go.mod": "module\n", "a.go": shop}, "go.mod"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("GOPROXY", "off")
			t.Setenv("GOFLAGS", "-mod=mod")
			t.Setenv("GOWORK", "off")
			res, err := Run(t.Context(), Request{Dir: module(t, c.files), Tool: builtTool})
			switch {
			case err != nil:
				if !strings.Contains(err.Error(), c.what) {
					t.Errorf("%v, want something of %q", err, c.what)
				}
			case res.Packages > 0 || len(res.Gaps) == 0 || !gap(res, "", c.what):
				t.Errorf("%d packages, left out %+v; want %q", res.Packages, res.Gaps, c.what)
			}
		})
	}
}

// TestCountedAppend: a slice that a counting loop fills is reported, as one of a loop over something is; not one of a loop
// that ends when its source does.
func TestCountedAppend(t *testing.T) {
	dir := module(t, map[string]string{"a.go": `package shop

func Counted(n int) []int {
	var out []int
	for i := 0; i < n; i++ {
		out = append(out, i*i)
	}
	return out
}

func Numbered(n int) []int {
	var out []int
	for i := range n {
		out = append(out, i*i)
	}
	return out
}

func Until(next func() (int, bool)) []int {
	var out []int
	for v, ok := next(); ok; v, ok = next() {
		out = append(out, v)
	}
	return out
}

func Chosen(n int) []int {
	var out []int
	for i := 0; i < n; i++ {
		if i%7 == 0 {
			out = append(out, i)
		}
	}
	return out
}
`})
	res := run(t, Request{Dir: dir})
	var lines []int
	for _, r := range res.Reports {
		lines = append(lines, r.Line)
	}
	if got := names(res); !slices.Equal(got, []string{"prealloc", "prealloc"}) || !slices.Equal(lines, []int{4, 12}) {
		t.Errorf("reported are %v at lines %v, want prealloc at 4 and 12", got, lines)
	}
}

// TestRelated: a lock's cost is that of the lines between Lock and Unlock, where others wait and where mutex profiles
// blame who held it; not that of other locks of the function.
func TestRelated(t *testing.T) {
	dir := module(t, map[string]string{"a.go": `package shop

import (
	"net"
	"sync"
)

var a, b sync.Mutex

func F() {
	a.Lock()
	a.Unlock()

	b.Lock()
	net.Dial("tcp", "example.com:80")
	b.Unlock()
}
`})
	res := run(t, Request{Dir: dir})
	if len(res.Reports) != 1 || len(res.Reports[0].Related) != 1 {
		t.Fatalf("the reports are %+v", res.Reports)
	}
	if p := res.Reports[0].Related[0]; p.Line != 14 || p.End != 16 {
		t.Errorf("it is held from line %d to %d, want 14 to 16", p.Line, p.End)
	}
	c := byName(func(c *Check) string { return c.Name })["lockoverio"]
	if got := c.where(&res.Reports[0], nil); !slices.Equal(got, [][2]int{{14, 16}}) {
		t.Errorf("charged are lines %v, want 14 to 16", got)
	}
}

// TestTestsAreLeftOut: a package is analyzed without its tests, also when these do not compile, or are all that there is.
func TestTestsAreLeftOut(t *testing.T) {
	dir := module(t, map[string]string{"shop.go": shop,
		"shop_test.go":   "package shop\n\nfunc helper() int { return 1 }\n",
		"outer_test.go":  "package shop_test\n\nimport \"example.com/shop\"\n\nvar _ = shop.First\n",
		"only/x_test.go": "package only\n\nvar x = 1\n"})
	res := run(t, Request{Dir: dir})
	if got, want := names(res), []string{"sprintfkey", "splitone", "stringsbuilder"}; !slices.Equal(got, want) ||
		res.Packages != 1 || len(res.Gaps) > 0 {
		t.Errorf("%d packages with %v, want 1 with %v; left out %+v", res.Packages, got, want, res.Gaps)
	}
	dir = module(t, map[string]string{"shop.go": shop,
		"shop_test.go": "package shop\n\nfunc helper() int { return \"x\" }\n"})
	res = run(t, Request{Dir: dir})
	if got := names(res); !slices.Contains(got, "sprintfkey") || res.Packages != 1 || !gap(res, "shop", "go fix") {
		t.Errorf("%d packages with %v, left out %+v; want what is no test, and that go fix did not run", res.Packages, got,
			res.Gaps)
	}
}
