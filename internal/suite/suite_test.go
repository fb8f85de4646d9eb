package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
)

func TestLook(t *testing.T) {
	for source, want := range map[string]struct{ goroutines, long bool }{
		`func f() { g() }`:                               {false, false},
		`func f() { go g() }`:                            {true, false},
		`func f() { var wg sync.WaitGroup; wg.Go(g) }`:   {true, false},
		`func f() { time.AfterFunc(1, g) }`:              {true, false},
		`func f() { s := httptest.NewServer(h); _ = s }`: {true, false},
		`func f() { _ = http.NewRequest }`:               {false, false},
		`func f(t *testing.T) { t.Parallel() }`:          {false, false},
		`func f() bool { return testing.Short() }`:       {false, true},
		`var text = "go g() testing.Short()"`:            {false, false},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "f.go", "package p\n"+source, 0)
		if err != nil {
			t.Fatal(err)
		}
		if goroutines, long := look(file); goroutines != want.goroutines || long != want.long {
			t.Errorf("%s: goroutines %v, long %v; want %v", source, goroutines, long, want)
		}
	}
}

// TestEverythingRuns: each package with tests runs whole and, where goroutines are, with the race detector; and what the
// detector leaves out runs without it.
func TestEverythingRuns(t *testing.T) {
	checkout.Need(t)
	packages, err := load(t.Context(), filepath.Join("..", ".."), ".", "./app") // the lab's modules may not be here
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []pkg{
		{path: "./internal/number"},
		{path: "./remedy/batch", goroutines: true},
		{path: "./casefile", goroutines: true, plainToo: true, long: true},
		{path: "./rule", plainToo: true},
	} {
		if !slices.Contains(packages, want) {
			t.Errorf("want %+v", want)
		}
	}
	in := func(groups []group, path string, choose func(group) bool) bool {
		return slices.ContainsFunc(groups, func(g group) bool { return choose(g) && slices.Contains(g.packages, path) })
	}
	test := short(packages)
	all := slices.Concat(test, long(packages, nil))
	raced := 0
	for _, p := range packages {
		if p.heavy() && p.links < 20 {
			t.Errorf("%s links %d packages: is the comment of linksLittle right?", p.path, p.links)
		}
		if !in(test, p.path, func(group) bool { return true }) {
			t.Errorf("make test leaves %s out", p.path)
		}
		if whole := func(g group) bool { return !g.short || !p.long }; !in(all, p.path, whole) {
			t.Errorf("the long tests of %s never run", p.path)
		}
		if p.goroutines {
			raced++
			if !in(all, p.path, func(g group) bool { return g.race }) {
				t.Errorf("%s never runs with the race detector", p.path)
			}
		}
		if p.plainToo && !in(all, p.path, func(g group) bool { return !g.race }) {
			t.Errorf("%s never runs without the race detector", p.path)
		}
	}
	if len(packages) < 80 || raced < 40 || raced > len(packages)-30 {
		t.Errorf("%d packages, %d of them with goroutines: has the rule changed?", len(packages), raced)
	}
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
	got, err := slowest([]string{name}, 2)
	if want := []took{{"b", 20.25}, {"a", 1.5}}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v; want %v", got, err, want)
	}
	if got, err = slowest([]string{name + "x", name}, 9); len(got) != 3 || err == nil || !strings.Contains(err.Error(), "0.jsonx") {
		t.Errorf("with a file that is not there: %v, %v", got, err)
	}
}
