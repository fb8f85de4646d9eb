package settle

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/app/txtartest"
	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose"
)

// asked is what a comment of testdata/src says: a finding of this kind at its line, and what the source must say of
// it.
var asked = regexp.MustCompile(`//(?:ask|change) ([a-z-]+): ([\w-]+) ?(.*)$`)

// A want is one such comment.
type want struct {
	finding casefile.Finding
	verdict string // "silent": nothing
	text    *regexp.Regexp
}

// wants reads the comments of a module's files.
func wants(t *testing.T, dir, module string) (all []want) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		set := token.NewFileSet()
		tree, _ := parser.ParseFile(set, file, nil, parser.ParseComments) // some are broken, on purpose
		for _, group := range tree.Comments {
			for _, c := range group.List {
				m := asked.FindStringSubmatch(c.Text)
				if m == nil {
					continue
				}
				line, function := set.Position(c.Pos()).Line, ""
				for _, d := range tree.Decls {
					if d, ok := d.(*ast.FuncDecl); ok && set.Position(d.Pos()).Line <= line &&
						line <= set.Position(d.End()).Line {
						function = d.Name.Name
					}
				}
				all = append(all, want{casefile.Finding{ID: "X", Kind: m[1], Score: 74, Confidence: 0.7,
					Where: []casefile.Frame{{Function: module + "." + function, Line: line,
						File: "/build/" + filepath.Base(file)}}}, m[2], regexp.MustCompile(m[3])})
			}
		}
	}
	return all
}

func placesAt(t *testing.T, dir string) *source.Places {
	t.Helper()
	t.Setenv("GOWORK", "off")
	p, err := source.FindPlaces(t.Context(), dir, casefile.Build{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// check asks about one finding.
func (w want) check(t *testing.T, c Config) Result {
	t.Helper()
	d := &casefile.Diagnosis{Findings: []casefile.Finding{w.finding}}
	res := Run(t.Context(), c, d)
	w.compare(t, d.Findings[0], res.Note)
	return res
}

// compare compares what the source said.
func (w want) compare(t *testing.T, got casefile.Finding, note string) {
	t.Helper()
	i := slices.IndexFunc(got.Source, func(s casefile.Settled) bool {
		return s.Verdict == w.verdict && w.text.MatchString(s.Text)
	})
	if w.verdict == "silent" && len(got.Source) > 0 || w.verdict != "silent" && i < 0 {
		t.Errorf("the source says %+v, want %s %s; %s", got.Source, w.verdict, w.text, note)
	}
	for _, s := range got.Source {
		if w.verdict == "adds" && s.Verdict != casefile.Adds {
			t.Errorf("it says %+v, want nothing for or against", s)
		}
	}
}

// TestQuestions: each question speaks on what it must, and not on its like.
func TestQuestions(t *testing.T) {
	const dir = "testdata/src"
	c := Config{Places: placesAt(t, dir), Limit: 10 * time.Minute}
	all := wants(t, dir, "example.com/settled")
	if len(all) < 50 {
		t.Fatalf("%d comments were found", len(all))
	}
	d := &casefile.Diagnosis{}
	for _, w := range all {
		w.finding.Remedies = []casefile.Remedy{{Needs: casefile.NeedsBodyLeft}}
		d.Findings = append(d.Findings, w.finding)
	}
	res := Run(t.Context(), c, d)
	if res.Note != "" || res.Asked != len(all) {
		t.Errorf("%d of %d were asked, and something was left out: %q", res.Asked, len(all), res.Note)
	}
	for i, w := range all {
		at := w.finding.Where[0]
		t.Run(fmt.Sprintf("%s/%s:%d", w.finding.Kind, filepath.Base(at.File), at.Line), func(t *testing.T) {
			w.compare(t, d.Findings[i], res.Note)
		})
	}
}

// TestChanges: each class of changes is the first remedy where it must be, by its name, and changes nothing on its
// like.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	txtartest.Unpack(t, "testdata/changes.txtar", dir)
	all := wants(t, dir, "example.com/changed")
	if len(all) < 70 {
		t.Fatalf("%d comments were found", len(all))
	}
	d := &casefile.Diagnosis{}
	for _, w := range all {
		w.finding.Remedies = []casefile.Remedy{{Name: "general", Title: "What most programs need"}}
		d.Findings = append(d.Findings, w.finding)
	}
	res := Run(t.Context(), Config{Places: placesAt(t, dir), Limit: 10 * time.Minute}, d)
	if res.Note != "" || res.Asked != len(all) {
		t.Errorf("%d of %d were asked, and something was left out: %q", res.Asked, len(all), res.Note)
	}
	for i, w := range all {
		at, got := w.finding.Where[0], d.Findings[i]
		t.Run(fmt.Sprintf("%s/%s:%d", w.finding.Kind, filepath.Base(at.File), at.Line), func(t *testing.T) {
			if len(got.Remedies) == 0 || w.verdict == "-" && got.Remedies[0].Name != "general" ||
				w.verdict != "-" && (got.Remedies[0].Name != w.verdict || !w.text.MatchString(got.Remedies[0].Title)) {
				t.Errorf("the first is %+v, want %s %s; the source says %+v", got.Remedies, w.verdict, w.text,
					got.Source)
			}
			t.Logf("%s: %+v", w.finding.Kind, got.Remedies[0])
		})
	}
}

// TestForeign: what is to be written into a dependency is no change of the program's.
func TestForeign(t *testing.T) {
	dir := t.TempDir()
	txtartest.Unpack(t, "testdata/changes.txtar", dir)
	all := wants(t, dir, "example.com/changed")
	f := all[slices.IndexFunc(all, func(w want) bool { return w.verdict == "once" })].finding
	l := &loader{places: placesAt(t, dir), limit: 10 * time.Minute}
	l.load(t.Context(), placesOf(&f))
	for _, u := range l.units {
		u.module = "example.com/changed v1.2.3"
	}
	q, said := l.ask(t.Context(), &f, nil)
	got := q.apply(f, said)
	if len(got.Remedies) != 1 || got.Remedies[0].Name != "newer-release" || len(got.Where) != 1 {
		t.Errorf("it advises %+v at %+v", got.Remedies, got.Where)
	}
}

// TestNames: what a change rules out, detectors advise.
func TestNames(t *testing.T) {
	files, err := filepath.Glob("../../diagnose/*.go")
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(data)
	}
	for _, name := range []string{heldForLess, moreReaders, closeIt, buildItOnce, keepEach, doItLess, readUnlocked,
		boundIt, seeHolder} {
		if !strings.Contains(all.String(), fmt.Sprintf("%q", name)) {
			t.Errorf("no detector has a remedy with the name %s", name)
		}
	}
}

// module writes a module.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	fs := fstest.MapFS{"go.mod": {Data: []byte("module example.com/part\n\ngo 1.26.0\n")}}
	for name, text := range files {
		fs[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if err := os.CopyFS(dir, fs); err != nil {
		t.Fatal(err)
	}
	return dir
}

const search = `
type table struct{ rows []string }

func (t *table) find(s string) int {
	for i, r := range t.rows {
		if r == s { //ask cpu-linear-search: confirms one element of t.rows after another
			return i
		}
	}
	return -1
}
`

// TestPartial: code that does not compile, or whose imports are not here, is answered as far as it goes, and what was
// left out is said.
func TestPartial(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		limit time.Duration
		note  string
	}{
		"a module that is not here": {map[string]string{"a.go": "package part\n\nimport \"example.net/missing\"\n\n" +
			"var _ = missing.X\n" + search}, time.Minute, "example.net/missing"},
		"a type that does not exist": {map[string]string{"a.go": "package part\n\nvar x gone\n" + search}, time.Minute,
			"undefined: gone"},
		"a file that cannot be parsed": {map[string]string{"a.go": "package part\n" + search, "b.go": "package " +
			"part\n\nfunc {"},
			time.Minute, "b.go"},
		"cgo": {map[string]string{"a.go": "package part\n\n// #include <missing.h>\nimport \"C\"\n" + search},
			time.Minute,
			"left"},
		"no time for types": {map[string]string{"a.go": "package part\n" + search}, time.Nanosecond, "within 1ns"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := module(t, c.files)
			all := wants(t, dir, "example.com/part")
			if len(all) != 1 {
				t.Fatalf("%d comments were found", len(all))
			}
			res := all[0].check(t, Config{Places: placesAt(t, dir), Limit: c.limit})
			if c.note != "left" && !strings.Contains(res.Note, c.note) || res.Note == "" {
				t.Errorf("the note is %q, want %q in it", res.Note, c.note)
			}
		})
	}
}

// TestEveryLine: no question fails on code that it was not written for: every kind, at lines of a package of our own.
func TestEveryLine(t *testing.T) {
	const dir = "../load"
	t.Setenv("GOWORK", "off")
	p, err := source.FindPlaces(t.Context(), dir, casefile.Build{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	d := &casefile.Diagnosis{}
	for _, file := range files {
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, nil, parser.SkipObjectResolution)
		if err != nil || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, decl := range tree.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			for line := set.Position(fn.Pos()).Line; line <= set.Position(fn.End()).Line; line += 8 {
				for _, kind := range Kinds() {
					d.Findings = append(d.Findings, casefile.Finding{Kind: kind, Where: []casefile.Frame{{Line: line,
						Function: "github.com/gocasebook/casebook/app/load." + fn.Name.Name,
						File:     "/x/" + filepath.Base(file)}}})
				}
			}
		}
	}
	res := Run(t.Context(), Config{Places: p, Limit: 10 * time.Minute}, d)
	if res.Note != "" || res.Asked < 5000 {
		t.Errorf("%d were asked; %s", res.Asked, res.Note)
	}
	t.Logf("%d places were asked about, %d have an answer", res.Asked, res.Settled)
}

// TestStale: source that is not the build's is not used, and that is said.
func TestStale(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package part\n" + search})
	all := wants(t, dir, "example.com/part")
	at := all[0].finding.Where[0]
	for name, c := range map[string]struct {
		start int
		note  string // "": it is used
	}{
		"the same":  {5, ""},
		"it moved":  {3, "not what ran"},
		"not known": {0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := all[0]
			if c.note != "" {
				w.verdict = "silent"
			}
			res := w.check(t, Config{Places: placesAt(t, dir), Limit: 10 * time.Minute,
				Starts: []diagnose.Start{{Function: at.Function, File: at.File, Line: c.start}}})
			if c.note == "" != (res.Note == "") || !strings.Contains(res.Note, c.note) {
				t.Errorf("the note is %q, want %q in it", res.Note, c.note)
			}
		})
	}
}

// TestOtherFunction: a line on which another function is now is not used, whatever the evidence says of starts.
func TestOtherFunction(t *testing.T) {
	dir := module(t, map[string]string{"a.go": "package part\n" + search})
	w := wants(t, dir, "example.com/part")[0]
	w.finding.Where[0].Function, w.verdict = "example.com/part.(*table).count", "silent"
	w.check(t, Config{Places: placesAt(t, dir), Limit: 10 * time.Minute})
}

// TestVerdict: when the source contradicts what a diagnosis begins with, its verdict says so; cancelled, nothing is
// settled and nothing fails.
func TestVerdict(t *testing.T) {
	const dir = "testdata/src"
	p := placesAt(t, dir)
	all := wants(t, dir, "example.com/settled")
	i := slices.IndexFunc(all, func(w want) bool { return w.verdict == casefile.Contradicts })
	d := func() *casefile.Diagnosis {
		return &casefile.Diagnosis{Verdict: &casefile.CaseVerdict{Root: "X", Text: "Requests are late."},
			Findings: []casefile.Finding{all[i].finding}}
	}
	all[i].finding.Remedies = []casefile.Remedy{{Needs: casefile.NeedsBodyLeft}}
	got := d()
	Run(t.Context(), Config{Places: p, Limit: 10 * time.Minute}, got)
	if f := got.Findings[0]; f.Score != 49 || f.Confidence != 0.35 || !strings.Contains(got.Verdict.Text,
		"speaks against") || got.Verdict.Answer != casefile.AnswerUndecided {
		t.Errorf("score %d, confidence %v, verdict %q", f.Score, f.Confidence, got.Verdict.Text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	got = d()
	Run(ctx, Config{Places: p}, got)
	if f := got.Findings[0]; f.Score != 74 || len(f.Source) > 0 {
		t.Errorf("cancelled, the source says %+v", f.Source)
	}
}

// TestKinds: every kind that a question is about exists.
func TestKinds(t *testing.T) {
	known := make(map[string]bool)
	for _, d := range diagnose.Detectors() {
		known[d.Kind] = true
	}
	for _, k := range Kinds() {
		if !known[k] {
			t.Errorf("no detector finds %s", k)
		}
	}
}

// TestSetInCode: what a remedy sets is changed where the program sets it, and stays as it is where nothing does, or
// nothing for good.
func TestSetInCode(t *testing.T) {
	const serves = `package work

import "net/http"

type S struct {
	client *http.Client
	slots  chan struct{}
}

func New(c *http.Client) *S { return &S{c, make(chan struct{}, 4)} }

func (s *S) Ask(url string) error {
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	resp, err := s.client.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
`
	const imports = `package main

import (
	"flag"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"

	"example.com/part/work"
)

var _, _, _, _, _, _ = flag.Int, http.Get, os.Exit, runtime.GC, debug.Stack, work.New

func main() {
	%s
}
`
	const idle = "net/http.Transport.MaxIdleConnsPerHost=100"
	gogc := casefile.Remedy{Title: "general", Env: "GOGC=175"}
	limit := casefile.Remedy{Title: "general", Env: "GOMEMLIMIT=192MiB GOGC=100"}
	const limited = "work.New(&http.Client{Transport: &http.Transport{MaxConnsPerHost: 4}})"
	sets := func(what string) casefile.Remedy { return casefile.Remedy{Title: "general", Sets: what} }
	rows := map[string]struct {
		remedy casefile.Remedy
		line   int    // of package work
		main   string // what its function main does, and what stands beside
		want   string // "general": the remedy as it was
	}{
		"a constant": {gogc, 15, "debug.SetGCPercent(6)", "Give debug.SetGCPercent 175 in place of 6, at main.go:"},
		"a limit": {limit, 15, "keep()\n}\n\nfunc keep() {\n\tdebug.SetMemoryLimit(48 << 20)",
			"Give debug.SetMemoryLimit 192MiB in place of 48 MiB, at main.go:"},
		"a flag": {gogc, 15, "n := flag.Int(\"gc\", 20, \"\")\n\tflag.Parse()\n\tdebug.SetGCPercent(*n)",
			"Give debug.SetGCPercent 175 in place of \\*n, at main.go:"},
		"noted, and not set back": {gogc, 15, "if old := debug.SetGCPercent(40); old != 100 {\n\t\tos.Exit(old)\n\t}",
			"Give debug.SetGCPercent 175 in place of 40"},
		"processors": {sets("GOMAXPROCS=2"), 15, "runtime.GOMAXPROCS(runtime.NumCPU())",
			"Take runtime.GOMAXPROCS\\(runtime.NumCPU\\(\\)\\) at main.go:\\d+ away"},
		"a field": {sets("MaxConnsPerHost"), 15, limited,
			"Raise MaxConnsPerHost \\(4 at main.go:"},
		"a field that is left as it is": {sets(idle), 15, "t := http.DefaultTransport.(*http.Transport).Clone()\n\t" +
			"work.New(&http.Client{Transport: t})", "Set MaxIdleConnsPerHost to 100 in the http.Transport at main.go:"},
		"places": {sets(casefile.SetsPlaces), 13, "work.New(nil)", "Raise s.slots \\(4 at :10\\)"},

		"set back":            {gogc, 15, "old := debug.SetGCPercent(-1)\n\tdebug.SetGCPercent(old)", "general"},
		"set back at the end": {gogc, 15, "defer debug.SetGCPercent(debug.SetGCPercent(5))", "general"},
		"asked for":           {limit, 15, "debug.SetMemoryLimit(-1)", "general"},
		"high enough":         {gogc, 15, "debug.SetGCPercent(400)", "general"},
		"where the environment has none": {gogc, 15, "if os.Getenv(\"GOGC\") == \"\" {\n\t\tdebug.SetGCPercent(50)\n\t}",
			"general"},
		"never called": {gogc, 15, "}\n\nfunc keep() {\n\tdebug.SetGCPercent(6)", "general"},
		"one of two":   {sets("MaxConnsPerHost"), 15, limited + "\n\t" + limited, "general"},
		"processors that are asked for": {sets("GOMAXPROCS=2"), 15, "work.New(nil)\n\t_ = struct{ GOMAXPROCS int }{" +
			"GOMAXPROCS: runtime.GOMAXPROCS(0)}", "general"},
		"another type": {sets("MaxConnsPerHost"), 15, "_ = limits{MaxConnsPerHost: 4}\n}\n\ntype limits struct {\n\t" +
			"MaxConnsPerHost int", "general"},
	}
	at := func(name string) string { return strings.NewReplacer(" ", "_", ",", "").Replace(name) }
	files := map[string]string{"work/work.go": serves,
		"other/main.go": "package main\n\nimport \"runtime/debug\"\n\nfunc main() { debug.SetGCPercent(3) }\n"}
	for name, c := range rows {
		files[at(name)+"/main.go"] = fmt.Sprintf(imports, c.main)
	}
	places := placesAt(t, module(t, files))
	for name, c := range rows {
		t.Run(name, func(t *testing.T) {
			p := *places
			p.Tree.Main = "example.com/part/" + at(name)
			d := &casefile.Diagnosis{Findings: []casefile.Finding{{ID: "X", Kind: "gc-cpu", Score: 74, Confidence: 0.7,
				Remedies: []casefile.Remedy{c.remedy}, Where: []casefile.Frame{{File: "/build/work/work.go",
					Function: "example.com/part/work.(*S).Ask", Line: c.line}}}}}
			res := Run(t.Context(), Config{Places: &p, Limit: 10 * time.Minute}, d)
			got := d.Findings[0]
			if !regexp.MustCompile("^"+c.want).MatchString(got.Remedies[0].Title) || res.Note != "" {
				t.Errorf("it advises %+v; the source says %+v; %s", got.Remedies, got.Source, res.Note)
			}
			t.Logf("%+v", got.Remedies[0])
		})
	}
}
