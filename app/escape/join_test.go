package escape

import (
	"testing"

	"github.com/gocasebook/casebook/diagnose/stacks"
)

// TestFits: sizes are those of the runtime's allocator, as a profile has them.
func TestFits(t *testing.T) {
	for _, c := range []struct {
		mean     float64
		size     int64
		pointers bool
		want     bool
	}{
		{24, 24, true, true},
		{48, 40, true, true}, // rounded up
		{64, 40, true, false},
		{16, 4, false, true},   // tiny objects share a block
		{16, 8, true, false},   // those with pointers do not
		{576, 560, true, true}, // with the word that larger objects with pointers begin with
		{40960, 40_000, false, true},
		{106496, 100_000, false, true}, // pages
		{100, 0, false, false},         // not known
		{0, 16, false, false},
	} {
		if got := fits(c.mean, c.size, c.pointers); got != c.want {
			t.Errorf("fits(%v, %d, %v) is %v", c.mean, c.size, c.pointers, got)
		}
	}
	for mean, want := range map[float64]bool{208: true, 416: true, 832: false, 896: true, 100: false, 3456: true} {
		if got := fitsMap(mean, 200, true); got != want { // map[string]int
			t.Errorf("fitsMap(%v, 200) is %v", mean, got)
		}
	}
}

// TestChoose: the size decides between things of a line, then what the compiler says.
func TestChoose(t *testing.T) {
	said := &remark{}
	small := candidate{kind: New, alloc: &allocation{size: 24, pointers: true}, remark: said}
	large := candidate{kind: New, alloc: &allocation{size: 200, pointers: true}, remark: said}
	grows := candidate{kind: Append, alloc: &allocation{}}
	waits := candidate{kind: Wait, alloc: &allocation{}}
	for _, c := range []struct {
		name string
		all  []candidate
		mean float64
		want []Kind
	}{
		{"by size", []candidate{small, large}, 208, []Kind{New}},
		{"a known size before an unknown one", []candidate{grows, small}, 24, []Kind{New, Append}},
		{"an unknown size where the known one cannot be", []candidate{small, grows}, 640, []Kind{Append}},
		{"sizes of a mixture say nothing", []candidate{small, large}, 100, []Kind{New, New}},
		{"waiting says less than the compiler", []candidate{waits, large}, 208, []Kind{New}},
		{"only waiting", []candidate{waits}, 96, []Kind{Wait}},
	} {
		got := choose(c.all, c.mean)
		var kinds []Kind
		for _, k := range got {
			kinds = append(kinds, k.kind)
		}
		if len(kinds) != len(c.want) || len(kinds) > 0 && kinds[0] != c.want[0] {
			t.Errorf("%s: %v, want %v", c.name, kinds, c.want)
		}
	}
}

// TestCompilable: what a profile has in it does not become a flag or a pattern of the go command.
func TestCompilable(t *testing.T) {
	for pkg, want := range map[string]bool{
		"net/http": true, "example.com/a-b/v2": true, "vendor/golang.org/x/net/http2/hpack": true, "gopkg.in/yaml.v3": true,
		"": false, "all": false, "std": false, "cmd": false, "main": false, "-toolexec=sh": false, "./...": false,
		"example.com/...": false, "/etc": false, "../x": false, "a b": false, "a'b": false, "x=y": false, "x@latest": false,
		"a\nb": false, "example.com/x:y": false,
	} {
		if got := compilable(frame{pkg: pkg, owner: stacks.User}); got != want {
			t.Errorf("compilable(%q) is %v", pkg, got)
		}
	}
	if compilable(frame{pkg: "runtime", owner: stacks.Runtime}) {
		t.Error("the runtime is to be compiled")
	}
}

// TestAlong: a remark on inlined code is of a site if its calls are those of the stack.
func TestAlong(t *testing.T) {
	x := &index{}
	s := &site{stack: []frame{{file: "/b/lib.go", line: 8}, {file: "/b/main.go", line: 66},
		{file: "/b/main.go", line: 300}}}
	for _, c := range []struct {
		name string
		at   []Place
		want int
	}{
		{"the function itself", []Place{{File: "/here/lib.go", Line: 8}}, 1},
		{"inlined where the stack has it", []Place{{File: "/here/lib.go", Line: 8}, {File: "/here/main.go", Line: 66}}, 2},
		{"inlined elsewhere", []Place{{File: "/here/lib.go", Line: 8}, {File: "/here/main.go", Line: 70}}, 0},
		{"in another file", []Place{{File: "/here/lib.go", Line: 8}, {File: "/here/other.go", Line: 66}}, 0},
		{"deeper than the stack", make([]Place, 4), 0},
	} {
		if got := x.along(&remark{At: c.at}, s); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestTrim: the frames of the runtime are not the line that allocates.
func TestTrim(t *testing.T) {
	run := func(name string) frame { return frame{function: name, owner: stacks.Runtime} }
	user := frame{function: "main.f"}
	for _, c := range []struct {
		name    string
		stack   []frame
		leaf    string
		runtime string
	}{
		{"no frame of the runtime's", []frame{user}, "main.f", ""},
		{"a buffer", []frame{run("internal/bytealg.MakeNoZero"),
			{function: "strings.(*Builder).grow", owner: stacks.Std}, user}, "strings.(*Builder).grow", "internal/bytealg.MakeNoZero"},
		{"by go:linkname", []frame{{function: "reflect.unsafe_New", pkg: "reflect", owner: stacks.Std,
			file: "/usr/local/go/src/runtime/malloc.go"}, {function: "reflect.New", owner: stacks.Std}, user}, "reflect.New",
			"reflect.unsafe_New"},
		{"a goroutine", []frame{run("runtime.malg"), run("runtime.newproc1"), run("runtime.systemstack")}, "runtime.malg",
			"runtime.malg"},
		{"what says most", []frame{run("runtime.persistentalloc"), run("runtime.allocm"), run("runtime.mstart")},
			"runtime.allocm", "runtime.allocm"},
	} {
		s := site{stack: c.stack}
		s.trim()
		if s.stack[0].function != c.leaf || s.runtime != c.runtime {
			t.Errorf("%s: %s, called %q; want %s, %q", c.name, s.stack[0].function, s.runtime, c.leaf, c.runtime)
		}
	}
}
