package facts

import (
	"slices"
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
	"github.com/gocasebook/casebook/diagnose/traces"
)

// seen has the places of a program that uses a client.
func seen() *Seen {
	at := func(function, file string, line int) traces.Frame {
		return traces.Frame{Function: function, File: file, Line: line}
	}
	return newSeen(stacks.NewTable("example.com/shop"), &traces.Summary{Blocking: []traces.Wait{{Stack: traces.Stack{
		at("github.com/minio/minio-go/v7.(*Client).GetObject.func1",
			"/m/github.com/minio/minio-go/v7@v7.0.66/api-get-object.go", 94),
		at("main.(*catalogue).load", "/home/u/shop/main.go", 34),
		at("main.(*catalogue).load", "/home/u/shop/main.go", 40),
		at("example.com/shop/store.Cache[go.shape.string].Get", "/home/u/shop/store/cache.go", 12),
		at("main.main", "/home/u/shop/cmd/main.go", 9),
	}}}})
}

func TestSeenFunction(t *testing.T) {
	for _, c := range []struct {
		name  string
		known bool
		lines []int
	}{
		{"main.(*catalogue).load", true, []int{34, 40}},
		{"(*catalogue).load", true, []int{34, 40}},
		{"catalogue.load", true, []int{34, 40}},
		{"load", true, []int{34, 40}},
		{"main.(*catalogue).load()", true, []int{34, 40}},
		{"minio-go/v7.(*Client).GetObject.func1", true, []int{94}},
		{"v7.(*Client).GetObject.func1", true, []int{94}},
		{"store.Cache[...].Get", true, []int{12}},
		{"store.Cache.Get", true, []int{12}},
		{"(*catalogue).store", false, nil},
		{"og).load", false, nil}, // a part of a word is no name
		{"", false, nil},
	} {
		got := seen().Function(c.name)
		if got.Known != c.known || !slices.Equal(got.Lines, c.lines) {
			t.Errorf("Function(%q) = %+v; want known %v with lines %v", c.name, got, c.known, c.lines)
		}
	}
	if got := seen().Function("main.(*catalog).load"); !slices.Contains(got.Near, "main.(*catalogue).load") {
		t.Errorf("a misspelt function: %+v; want the right one to be near", got)
	}
}

func TestSeenLine(t *testing.T) {
	for _, c := range []struct {
		file  string
		line  int
		known bool
		lines []int
	}{
		{"main.go", 34, true, []int{34, 40, 9}},
		{"main.go", 9, true, []int{9, 34, 40}}, // of another folder
		{"cmd/main.go", 34, false, []int{9}},
		{"/home/u/shop/main.go", 40, true, []int{40, 34}},
		{"./main.go", 35, false, []int{34, 40, 9}},
		{"ain.go", 34, false, nil},
		{"cache.go", 12, true, []int{12}},
	} {
		got := seen().Line(c.file, c.line)
		if got.Known != c.known || !slices.Equal(got.Lines, c.lines) {
			t.Errorf("Line(%q, %d) = %+v; want known %v with lines %v", c.file, c.line, got, c.known, c.lines)
		}
	}
}

func TestSeenAt(t *testing.T) {
	s := seen()
	if got := s.At("(*catalogue).load", 40); !got.Known {
		t.Errorf("a line of the function: %+v; want it known", got)
	}
	if got := s.At("(*catalogue).load", 340); got.Known || !slices.Contains(got.Near, "main.go:40") {
		t.Errorf("a line that the function has not: %+v; want it unknown, and main.go:40 near", got)
	}
}

func TestParsePlace(t *testing.T) {
	for _, c := range []struct {
		text, function, file string
		line                 int
	}{
		{"main.go:34", "", "main.go", 34},
		{"main.(*catalogue).load (main.go:34)", "main.(*catalogue).load", "main.go", 34},
		{"`(*catalogue).load`", "(*catalogue).load", "", 0},
		{"app/store/cache.go", "", "app/store/cache.go", 0},
		{"main.load:34", "main.load", "", 34},
		{"", "", "", 0},
	} {
		function, file, line := ParsePlace(c.text)
		if function != c.function || file != c.file || line != c.line {
			t.Errorf("ParsePlace(%q) = %q, %q, %d; want %q, %q, %d", c.text, function, file, line, c.function, c.file,
				c.line)
		}
	}
}
