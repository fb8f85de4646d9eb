package escape

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/app/heat"
)

// hotIndex compiles the module of functions that take CPU.
func hotIndex(t *testing.T) (x *index, file string) {
	t.Helper()
	dir := module(t, "hot")
	c, err := compile(t.Context(), dir, nil, []string{"example.com/hot"})
	if err != nil || len(c.gaps) > 0 {
		t.Fatal(err, c.gaps)
	}
	return newIndex(c, &owner{own: &ownCode{module: "example.com/hot"}}), filepath.Join(dir, "hot.go")
}

// lineOf is the first line of a file that has a text.
func lineOf(t *testing.T, x *index, file, text string) int {
	t.Helper()
	for n := 1; n < 200; n++ {
		if strings.Contains(x.text(file, n), text) {
			return n
		}
	}
	t.Fatalf("%s has no line with %q", file, text)
	return 0
}

func TestNotInlined(t *testing.T) {
	x, file := hotIndex(t)
	for _, c := range []struct{ function, why, change string }{ // "" is not told
		{"Small", "", ""},
		{"Over", "and the budget is 80", "build with a profile"},
		{"Recovers", "defers", "instead of deferring"},
		{"Locked", "defers", "instead of deferring"},
		{"Fib", "", ""}, // calls itself: there is always one more call
		{"Kept", "", ""},
	} {
		f := heat.Function{Name: "example.com/hot." + c.function, Package: "example.com/hot", File: file,
			Start: lineOf(t, x, file, "func "+c.function+"(")}
		got, ok := x.notInlined(f)
		if ok != (c.why != "") || !strings.Contains(got.Why, c.why) || !strings.Contains(got.Change, c.change) {
			t.Errorf("%s: %v, %q, change %q; want %q, %q", c.function, ok, got.Why, got.Change, c.why, c.change)
		}
	}
}

func TestBounds(t *testing.T) {
	x, file := hotIndex(t)
	for _, c := range []struct {
		function, line string
		checks         int
		change         string
	}{
		{"Sum", "sum |= a[i]", 1, "a := a[:n]"},
		{"Mixed", "sum += a[k*7]", 1, ""},
		{"Four", "sum += int(r[3])", 1, "_ = r[3]"},
		{"Once", "return a[n]", 0, ""},
	} {
		l := heat.Line{Function: "example.com/hot." + c.function, Package: "example.com/hot", Built: file,
			Line: lineOf(t, x, file, c.line)}
		got, ok := x.bounds(l)
		if ok != (c.checks > 0) || got.Checks != c.checks || !strings.Contains(got.Change, c.change) ||
			c.change == "" && got.Change != "" {
			t.Errorf("%s: %d checks, change %q; want %d, %q", c.function, got.Checks, got.Change, c.checks, c.change)
		}
	}
	ranged := heat.Line{Function: "example.com/hot.Ranged", Package: "example.com/hot", Built: file,
		Line: lineOf(t, x, file, "// Ranged needs") + 3}
	if got, ok := x.bounds(ranged); ok {
		t.Errorf("a loop that ranges is said to check: %+v", got)
	}
}
