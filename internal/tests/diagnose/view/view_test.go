package view_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/view"
	"github.com/gocasebook/casebook/vitals"
)

// TestBest: what was taken during the trouble comes before what has no phase, that before after, and that before before.
func TestBest(t *testing.T) {
	heap := func(name string, p casefile.Phase) view.Captured {
		return view.Captured{Set: &stacks.Set{Name: name, Kind: casefile.Heap}, Phase: p}
	}
	all := []view.Captured{heap("before", casefile.Before), heap("after", casefile.After), heap("none", ""),
		heap("during", casefile.During)}
	for n := len(all); n > 0; n-- {
		v := view.View{Sets: all[:n]}
		want := []string{"before", "after", "none", "during"}[n-1]
		if best := v.Best(casefile.Heap); len(best) != 1 || best[0].Name != want {
			t.Errorf("of %d the best are %v, want %s", n, best, want)
		}
		if got := len(v.Troubled(casefile.Heap)); got != n-1 {
			t.Errorf("%d of %d are of the trouble", got, n)
		}
		if v.Latest(casefile.CPU) != nil || len(v.All(casefile.CPU)) > 0 {
			t.Error("a CPU profile is found, and there is none")
		}
	}
}

// TestSignals: the course of a signal, of which the last value at a time counts, and what it was earlier.
func TestSignals(t *testing.T) {
	from := time.Date(2026, 11, 29, 0, 0, 0, 0, time.UTC)
	var v view.View
	for i := range 40 {
		s := vitals.Sample{Time: from.Add(time.Duration(i) * time.Second)}
		s.Set(vitals.Goroutines, float64(i))
		v.Vitals = append(v.Vitals, s)
	}
	at := func(s int) time.Time { return from.Add(time.Duration(s) * time.Second) }
	if mean, ok := v.Mean(vitals.Goroutines); !ok || mean != 19.5 {
		t.Errorf("the mean is %v, %v", mean, ok)
	}
	set := &stacks.Set{Taken: at(10), Seconds: 4}
	if mean, n := v.MeanDuring(vitals.Goroutines, set); n != 5 || mean != 12 {
		t.Errorf("during the set %d samples, mean %v", n, mean)
	}
	if got := v.ValueAt(vitals.Goroutines, at(20)); got == nil || *got != 21 { // within a tick
		t.Errorf("at second 20 it is %v", got)
	}
	if got := v.Earlier(vitals.Goroutines, at(39)); got == nil || *got != 4 {
		t.Errorf("earlier it was %v", got)
	}
	if v.ValueAt(vitals.Goroutines, at(-5)) != nil || v.Earlier(vitals.Goroutines, at(5)) != nil {
		t.Error("values are known that are not")
	}
}

// most are how many questions package view answers; it only goes down. What one detector alone asks is in its file.
const most = 38

// TestQuestions prints how many functions and methods detectors can call.
func TestQuestions(t *testing.T) {
	dir, asked := filepath.FromSlash("../../../../diagnose/view"), 0
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Skipf("needs a checkout: %v", err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, file.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() {
				asked++
			}
		}
	}
	t.Logf("%d questions", asked)
	if asked > most || asked < 10 {
		t.Errorf("%d questions, %d are allowed", asked, most)
	}
}
