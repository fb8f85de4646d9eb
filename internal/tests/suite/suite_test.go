package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

func TestLook(t *testing.T) {
	for source, want := range map[string]bool{
		`func f() { g() }`:                               false,
		`func f() { go g() }`:                            true,
		`func f() { var wg sync.WaitGroup; wg.Go(g) }`:   true,
		`func f() { time.AfterFunc(1, g) }`:              true,
		`func f() { s := httptest.NewServer(h); _ = s }`: true,
		`func f() { _ = http.NewRequest }`:               false,
		`func f() { tool.Go{Dir: d}.Run(ctx, "vet") }`:   false,
		`func f(m machine) string { return m.Go }`:       false,
		`func f(t *testing.T) { t.Parallel() }`:          false,
		`var text = "go g()"`:                            false,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "f.go", "package p\n"+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := look(file); got != want {
			t.Errorf("%s: goroutines %v, want %v", source, got, want)
		}
	}
}

func TestLong(t *testing.T) {
	const source = `package p
func TestAsks(t *testing.T)  { if testing.Short() { t.Skip() } }
func TestCalls(t *testing.T) { server{}.need(t) }
func TestMain(m *testing.M)  { few() }
func TestQuick(t *testing.T) { _ = "testing.Short few need" }
func (server) need(t *testing.T) { many(few()) }
func few() bool { return testing.Short() }
func TestSkips(t *testing.T) { race.Skip(t) }
func TestTakes(t *testing.T) { if race.Part(1) { few2() } }
`
	file, err := parser.ParseFile(token.NewFileSet(), "f_test.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string][]string{}
	named(file, calls)
	if got := reach(calls, "testing.Short"); !slices.Equal(got, []string{"TestAsks", "TestCalls"}) {
		t.Errorf("long are %v", got)
	}
	if got := reach(calls, "race.Skip", "race.Part"); !slices.Equal(got, []string{"TestSkips", "TestTakes"}) {
		t.Errorf("those that ask for the race detector are %v", got)
	}
}

// TestEverythingRuns: each package with tests runs whole and, where goroutines are, with the race detector; and what the
// detector leaves out runs without it.
func TestEverythingRuns(t *testing.T) {
	checkout.Need(t)
	// The lab's modules may not be here.
	packages, err := load(t.Context(), filepath.Join("..", "..", ".."), ".", "./remedy", "./internal/tests", "./app")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []pkg{
		{path: "./internal/tests/number"},
		{path: "./remedy/batch", starts: true, goroutines: true},
		{path: "./internal/tests/casefile", goroutines: true, links: 1, long: []string{"TestKill"},
			aware: []string{"TestKill"}},
		{path: "./internal/tests/vitals", aware: []string{"TestSlopeBoundsAreRarelyWrong"}},
	} {
		if !slices.ContainsFunc(packages, func(p pkg) bool { p.tests = nil; return reflect.DeepEqual(p, want) }) {
			t.Errorf("want %+v", want)
		}
	}
	whole, quick, both := everything(packages, nil), short(packages), slices.Concat(short(packages), long(packages, nil))
	raced := 0
	for _, p := range packages {
		if p.heavy() && p.links < 20 {
			t.Errorf("%s links %d packages: is the comment of linksLittle right?", p.path, p.links)
		}
		if slices.Sort(p.computes); len(slices.Compact(p.computes)) < len(computes[p.path]) {
			t.Errorf("%s: a file of %v has no test", p.path, computes[p.path])
		}
		if p.light() || p.heavy() {
			raced++
		}
		runs := map[string]int{} // without the race detector
		for _, g := range whole {
			if g.short {
				t.Errorf("make test-all runs %s", g)
			}
			for _, test := range p.tests {
				if !g.race && g.has(p.path, test) {
					runs[test]++
				}
			}
		}
		for _, test := range p.tests {
			want := 0
			if !p.light() && !p.heavy() || slices.Contains(p.alone(), test) {
				want = 1
			}
			if runs[test] != want {
				t.Errorf("make test-all runs %s of %s %d times without the race detector, want %d", test, p.path, runs[test],
					want)
			}
		}
		p.check(t, "make test-all", whole, true)
		p.check(t, "make test", quick, false)
		p.check(t, "make test and make test-rest", both, true)
	}
	if len(packages) < 80 || raced < 40 || raced > len(packages)-30 {
		t.Errorf("%d packages, %d of them with goroutines: has the rule changed?", len(packages), raced)
	}
}

// check wants each test of a package, whole or short, in groups, and with the race detector where goroutines are.
func (p pkg) check(t *testing.T, what string, groups []group, whole bool) {
	t.Helper()
	for _, test := range p.tests {
		raced, plain := false, false
		for _, g := range groups {
			if g.has(p.path, test) && !(whole && g.short && slices.Contains(p.long, test)) {
				raced, plain = raced || g.race, plain || !g.race
			}
		}
		if !raced && (p.light() || whole && p.heavy()) && !slices.Contains(p.computes, test) {
			t.Errorf("%s: %s of %s never runs with the race detector", what, test, p.path)
		}
		if !plain && (!p.light() && !p.heavy() || slices.Contains(p.alone(), test)) {
			t.Errorf("%s: %s of %s never runs without the race detector", what, test, p.path)
		}
	}
}

// has says whether a group runs a test of a package.
func (g group) has(path, test string) bool {
	return slices.Contains(g.packages, path) && (g.only == "" || matches(g.only, test)) &&
		(g.skip == "" || !matches(g.skip, test))
}

// expressions are those that matches has compiled.
var expressions = map[string]*regexp.Regexp{}

func matches(expression, test string) bool {
	if expressions[expression] == nil {
		expressions[expression] = regexp.MustCompile(expression)
	}
	return expressions[expression].MatchString(test)
}

func TestSlowest(t *testing.T) {
	name := filepath.Join(t.TempDir(), "0.json")
	err := os.WriteFile(name, []byte(`{"Action":"pass","Package":"`+root+`/a","Test":"TestOne","Elapsed":99}
{"Action":"pass","Package":"`+root+`/a","Elapsed":1.5}
{"Action":"output","Package":"`+root+`/b","Output":"ok\n"}
{"Action":"fail","Package":"`+root+`/b","Elapsed":20.25}
{"Action":"skip","Package":"`+root+`/c","Elapsed":70}
{"Action":"pass","Package":"`+root+`/d","Elapsed":0.5}
`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	got, err := slowest([]string{name})
	if want := []took{{"b", 20.25}, {"a", 1.5}, {"d", 0.5}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	got, err = slowest([]string{name + "x", name})
	if len(got) != 3 || err == nil || !strings.Contains(err.Error(), "0.jsonx") {
		t.Errorf("with a file that is not there: %v, %v", got, err)
	}
}

// A run takes the folder that the one before left behind, and has one of its own while another runs.
func TestScratch(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	system := t.TempDir()
	begin := func() scratch {
		t.Helper()
		t.Setenv("TMPDIR", system)
		s, err := newScratch()
		if err != nil || os.TempDir() != s.dir {
			t.Fatalf("%s for the temporary folder, and the run has %s, %v", os.TempDir(), s.dir, err)
		}
		return s
	}
	first := begin()
	if err := os.MkdirAll(filepath.Join(first.dir, "diary", "of a test"), 0o700); err != nil {
		t.Fatal(err)
	}
	second := begin()
	if second.dir == first.dir {
		t.Errorf("two runs have %s", first.dir)
	}
	if left, err := second.end(); err != nil || len(left) > 0 {
		t.Errorf("left in an empty folder: %v, %v", left, err)
	}
	if err := first.lock.Close(); err != nil { // it is killed
		t.Fatal(err)
	}
	third := begin()
	if third.dir != first.dir {
		t.Errorf("the next run has %s, want %s", third.dir, first.dir)
	}
	if err := os.WriteFile(filepath.Join(third.dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if left, err := third.end(); err != nil || !slices.Equal(left, []string{"file"}) {
		t.Errorf("left: %v, %v; want the file of this run", left, err)
	}
	if left, _ := os.ReadDir(system); len(left) > 0 {
		t.Errorf("the runs left %v", left)
	}
}

// A folder that will be made has what is free above it.
func TestFree(t *testing.T) {
	above := t.TempDir()
	want, err := freeOf(above)
	if err != nil || want <= 0 {
		t.Fatalf("%d bytes are free, %v", want, err)
	}
	if got, err := freeOf(filepath.Join(above, "not", "yet")); err != nil || got <= 0 {
		t.Errorf("%d bytes are free below, %v", got, err)
	}
}
