package facts

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/gocasebook/casebook/app/source"
	"github.com/gocasebook/casebook/casefile"
)

// shop is a module with a short function, a long one, and a closure in it.
func shop(t *testing.T) string {
	t.Helper()
	var long strings.Builder
	long.WriteString("package main\n\nfunc short() {\n\twork()\n}\n\nfunc long() {\n")
	for i := range 60 {
		fmt.Fprintf(&long, "\twork() // %d\n", i)
	}
	long.WriteString("\tgo func() {\n\t\twork()\n\t\twork()\n\t}()\n}\n")
	dir := t.TempDir()
	if err := os.CopyFS(dir, fstest.MapFS{
		"go.mod":  {Data: []byte("module example.com/shop\n")},
		"main.go": {Data: []byte(long.String())},
		"wide.go": {Data: []byte("package main\n\nfunc wide() {\n\t_ = \"" + strings.Repeat("ö", 1000) + "\"\n}\n")},
	}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func sourceOf(t *testing.T, dir string) Source {
	t.Helper()
	places, err := source.FindPlaces(t.Context(), dir, casefile.Build{})
	if err != nil {
		t.Fatal(err)
	}
	return NewSource(t.Context(), places)
}

// at is a fact at a line of the user's.
func at(id, function, file string, lines ...int) Fact {
	f := Fact{ID: id, Sort: Wait, Harm: 0.5}
	for _, line := range lines {
		f.Stacks = append(f.Stacks, Stack{Frames: []Frame{{Function: function, File: file, Line: line, Owner: User}}})
	}
	return f
}

// TestCodeAroundPlaces: a short function is shown whole, of a longer one the lines around the place or the closure that
// it is in, never those of another function.
func TestCodeAroundPlaces(t *testing.T) {
	dir := shop(t)
	for _, c := range []struct {
		name, function, file string
		line                 int
		first, last          int
	}{
		{"a short function", "main.short", "main.go", 4, 3, 5},
		{"the middle of a long one", "main.long", "main.go", 30, 22, 38},
		{"the beginning of a long one", "main.long", "main.go", 8, 7, 16},
		{"a closure in a long one", "main.long.func1", "main.go", 69, 68, 71},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &Sheet{Facts: []Fact{at("W1", c.function, "/build/"+c.file, c.line)}}
			s.addCode(t.Context(), sourceOf(t, dir))
			if len(s.Code) != 1 {
				t.Fatalf("%d excerpts", len(s.Code))
			}
			e := s.Code[0]
			last := e.First + len(e.Lines) - 1
			if e.First != c.first || last != c.last || !slices.Equal(e.Mark, []int{c.line}) {
				t.Errorf("lines %d–%d, marked %v; want %d–%d, %d:\n%s", e.First, last, e.Mark, c.first, c.last,
					c.line, strings.Join(e.Lines, "\n"))
			}
		})
	}
}

// TestCodeIsOncePerFunction: facts at lines of one function share its excerpt, which has an ID of its own.
func TestCodeIsOncePerFunction(t *testing.T) {
	s := &Sheet{Facts: []Fact{at("W1", "main.long", "/build/main.go", 30, 33),
		at("H1", "main.long", "/build/main.go", 31), at("C1", "main.short", "/build/main.go", 4)}}
	s.addCode(t.Context(), sourceOf(t, shop(t)))
	if len(s.Code) != 2 || !slices.Equal(s.Code[0].Facts, []string{"W1", "H1"}) ||
		!slices.Equal(s.Code[0].Mark, []int{30, 31, 33}) {
		t.Fatalf("%+v", s.Code)
	}
	f := s.Facts[len(s.Facts)-1]
	if f.ID != "L2" || f.Sort != Code || f.Harm != 0.5 || !slices.Equal(f.Of, []string{"C1"}) {
		t.Errorf("the last fact is %+v", f)
	}
}

// TestCodeOfHostilePlaces: names of the evidence lead nowhere else, and long lines are cut.
func TestCodeOfHostilePlaces(t *testing.T) {
	dir := shop(t)
	if err := os.WriteFile(filepath.Join(filepath.Dir(dir), "secret.go"), []byte("package x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, f := range []Fact{
		at("W1", "main.x", "../secret.go", 1), at("W1", "main.x", "/etc/passwd", 1),
		at("W1", "main.short", "/build/main.go", 9999),
		at("W1", "main.short", "/build/main.go", -1), at("W1", "", "", 0), at("W1", "main.short", "main.go\x00", 1),
	} {
		s := &Sheet{Facts: []Fact{f}}
		s.addCode(t.Context(), sourceOf(t, dir))
		if len(s.Code) > 0 {
			t.Errorf("%+v has source: %+v", f.Stacks, s.Code)
		}
	}
	s := &Sheet{Facts: []Fact{at("W1", "main.wide", "/build/wide.go", 4)}}
	s.addCode(t.Context(), sourceOf(t, dir))
	if len(s.Code) != 1 || len(s.Code[0].Lines[1]) > longLine+len("…") {
		t.Errorf("a long line is not cut: %+v", s.Code)
	}
}

// TestCodeWithoutTheModule: where the program's source is not here, that of a dependency in the module cache is.
func TestCodeWithoutTheModule(t *testing.T) {
	cache := t.TempDir()
	if err := os.CopyFS(cache, fstest.MapFS{"example.org/!lib@v1.2.3/pool.go": {
		Data: []byte("package lib\n\nfunc Get() {\n\twait()\n}\n")}}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", cache)
	places, err := source.Elsewhere(t.Context(), casefile.Build{Module: "example.com/shop"})
	if err != nil {
		t.Fatal(err)
	}
	src := NewSource(t.Context(), places)
	for _, c := range []struct {
		version string
		found   bool
	}{{"v1.2.3", true}, {"v1.2.4", false}} {
		lines, _ := src.Lines(t.Context(), Frame{Function: "example.org/Lib.Get", Line: 4, Owner: Dependency,
			File: "/root/go/pkg/mod/example.org/!lib@" + c.version + "/pool.go"})
		if (len(lines) > 0) != c.found {
			t.Errorf("%s: %q", c.version, lines)
		}
	}
	own := Frame{Function: "main.main", File: "/build/main.go", Line: 1, Owner: User}
	if lines, _ := src.Lines(t.Context(), own); lines != nil {
		t.Errorf("the program's own source is %q", lines)
	}
}

// TestNoSourceAtHand: without source there is none, and no fact of it.
func TestNoSourceAtHand(t *testing.T) {
	s := &Sheet{Facts: []Fact{at("W1", "main.short", "/build/main.go", 4)}}
	s.complete(context.Background(), nil)
	if len(s.Code) > 0 || len(s.Facts) != 1 {
		t.Errorf("%+v", s)
	}
}

// TestSettingsInCode: where a setting that governs a fact is set is shown, and that it is nowhere is said.
func TestSettingsInCode(t *testing.T) {
	dir := shop(t)
	client := "package main\n\nfunc client() T {\n\treturn T{MaxConns: 4}\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "client.go"), []byte(client), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		governs string
		line    int // 0: it is said to be nowhere; -1: nothing is looked for
	}{{"MaxConns", 4}, {"QPS and Burst of rest.Config", 0}, {"Cancel each context when its work ends", -1}, {"", -1}} {
		f := at("W1", "main.short", "/build/main.go", 4)
		f.governs = c.governs
		s := &Sheet{Facts: []Fact{f}}
		s.addCode(t.Context(), sourceOf(t, dir))
		last := s.Facts[len(s.Facts)-1]
		switch {
		case c.line > 0 && (len(s.Code) != 2 || !slices.Equal(s.Code[1].Mark, []int{c.line})):
			t.Errorf("%q: %+v", c.governs, s.Code)
		case c.line == 0 && (last.ID != "L2" || !strings.Contains(last.Text, "nowhere")):
			t.Errorf("%q: %+v", c.governs, last)
		case c.line < 0 && len(s.Facts) != 2:
			t.Errorf("%q: %+v", c.governs, s.Facts)
		}
	}
}

// TestMissingSourceIsAFact: of which modules there is no source, and how to get it, is said.
func TestMissingSourceIsAFact(t *testing.T) {
	f := at("W1", "main.short", "/build/none.go", 4)
	f.Stacks[0].Frames = append([]Frame{{Function: "example.org/lib.Get", Line: 7,
		File: "/go/pkg/mod/example.org/lib@v1.2.3/lib.go", Owner: Dependency}}, f.Stacks[0].Frames...)
	s := &Sheet{Facts: []Fact{f, {ID: "N1", Sort: Missing}}}
	s.addCode(t.Context(), sourceOf(t, shop(t)))
	var text string
	for _, f := range s.Facts {
		if f.Sort == Missing {
			text += f.ID + f.Text
		}
	}
	for _, want := range []string{"N2", "--source", "N3", "go mod download example.org/lib@v1.2.3"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
}
