package stacks

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gocasebook/casebook/internal/checkout"
	"github.com/gocasebook/casebook/internal/profiletest"
	"github.com/gocasebook/casebook/internal/race"
	"github.com/google/pprof/profile"
)

// theirs lists a profile's samples as google/pprof reads them: values, and the stack as plain names with lines.
func theirs(t *testing.T, data []byte) []string {
	t.Helper()
	p, err := profile.ParseUncompressed(data)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, s := range p.Sample {
		var b strings.Builder
		fmt.Fprint(&b, s.Value)
		for _, l := range s.Location {
			if len(l.Line) == 0 {
				fmt.Fprintf(&b, " %s@:0", Nameless(filepath.Base(l.Mapping.File)))
			}
			for _, line := range l.Line {
				fmt.Fprintf(&b, " %s@%s:%d", plainName(line.Function.Name), line.Function.Filename, line.Line)
			}
		}
		out = append(out, b.String())
	}
	return out
}

// ours lists the same as this package reads it, before anything is left out or completed.
func ours(t *testing.T, data []byte) []string {
	t.Helper()
	p, err := decodeProto(data)
	if err != nil {
		t.Fatal(err)
	}
	table := NewTable("")
	locations, err := p.frames(table)
	if err != nil {
		t.Fatal(err)
	}
	d := sampleDecoder{locations: locations, width: len(p.types), most: maxFrames}
	var out []string
	err = eachField(data, func(f field) error {
		if f.num != fieldSample {
			return nil
		}
		stack, values, err := d.decode(f.data)
		var b strings.Builder
		fmt.Fprint(&b, values)
		for _, id := range stack {
			fmt.Fprintf(&b, " %s@%s:%d", table.Func(id).Name, table.Func(id).File, table.Line(id))
		}
		out = append(out, b.String())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Recorded profiles are read as google/pprof reads them: those of the first case of each group. A group's are of one
// kind of service, Go and recorder, and all 1,400 take a minute of CPU.
func TestProtoAgrees(t *testing.T) {
	checkout.Need(t)
	files, group := 0, ""
	check := func(name string, data []byte) {
		if files++; !race.Part(files) {
			return
		}
		plain, p := decompress(data, MaxProfile)
		if p != nil {
			t.Fatalf("%s: %v", name, p)
		}
		if got, want := ours(t, plain), theirs(t, plain); !slices.Equal(got, want) {
			t.Errorf("%s reads otherwise than by google/pprof: %d samples, want %d", name, len(got), len(want))
		}
	}
	check("random stacks", profiletest.CPU(t, 3000, 25))
	set := checkout.Evidence(t)
	cases, err := set.Cases("*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range cases {
		if path.Dir(name) == group {
			continue
		}
		group = path.Dir(name)
		for file, data := range checkout.Case(t, name) {
			if strings.HasSuffix(file, ".pb.gz") {
				check(name+"/"+file, data)
			}
		}
	}
	if files < 200 {
		t.Errorf("%d profiles compared, want 200 and more", files)
	}
}

// A long name is cut. A name that many functions share costs its length once, and is refused when that is too much.
func TestProtoLongNames(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	data := crafted(0x0a, []byte{0x08, 0x01, 0x10, 0x01})
	data = append(data, crafted(0x32, nil)...)
	data = append(data, crafted(0x32, []byte(long))...)
	data = append(data, crafted(0x12, []byte{0x10, 0x01})...)
	const fit = maxNames / (2 * maxName) // functions with two names
	for id := range uint64(fit) {
		data = append(data, crafted(0x2a, append(numbered(1, id+1), 0x10, 0x01, 0x20, 0x01))...)
	}
	p, err := decodeProto(data)
	if err != nil || len(p.functions) != fit || len(p.functions[0].name) != maxName {
		t.Fatalf("%d functions with two names of a megabyte: %v; want them, with names of %d bytes", fit, err, maxName)
	}
	data = append(data, crafted(0x2a, append(numbered(1, fit+1), 0x10, 0x01, 0x20, 0x01))...)
	if _, err := decodeProto(data); err == nil || !strings.Contains(err.Error(), "names longer") {
		t.Errorf("one more: error %v, want that they are too long", err)
	}
}

func names(s *Set, stack []FrameID) (out []string) {
	for _, id := range stack {
		out = append(out, s.Table.Func(id).Name)
	}
	return out
}

// TestAroundTheWork: the middleware is on the stacks of all of a service's work, and is never the place to blame.
func TestAroundTheWork(t *testing.T) {
	tab := NewTable("")
	s := &Set{Table: tab, Types: []ValueType{{"samples", "count"}}}
	stack := []FrameID{tab.intern("main.handler", "/src/main.go", 7),
		tab.intern("github.com/gocasebook/casebook/middleware.(*Meter).Wrap.func1", "/src/m.go", 9),
		tab.intern("net/http.(*conn).serve", "/go/src/net/http/server.go", 11)}
	if !tab.addSample(s, stack, []int64{1}) {
		t.Fatal("work under the middleware was taken for the observer's")
	}
	if got, want := names(s, s.Samples[0].Stack), []string{"main.handler", "net/http.(*conn).serve"}; !slices.Equal(got,
		want) {
		t.Errorf("stack %v, want %v", got, want)
	}
	for name, want := range map[string]Owner{
		"github.com/gocasebook/casebook/remedy/cache.(*Cache[...]).Get": Dependency,
		"github.com/gocasebook/casebook.(*Watch).Run":                   Dependency,
		"github.com/gocasebook/casebook/app/lab/phones.(*Gateway).get":  User,
		"github.com/gocasebook/casebook/lab/phones.(*Gateway).get":      User,
		"github.com/gocasebookery/shop.Sell":                            User,
	} {
		if got := tab.Func(tab.intern(name, "/home/me/src/x.go", 1)).Owner; got != want {
			t.Errorf("%s is %v's, want %v's", name, got, want)
		}
	}
}

// recorded reads a file of the diagnose package's evidence.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	return checkout.File(t, name)
}

// deepSet has one whole stack per caller, each through f, and one stack of 40 frames of f without its callers.
func deepSet(callers map[string]int64) *Set {
	tab := NewTable("")
	s := &Set{Table: tab, Types: []ValueType{{"cpu", "nanoseconds"}}}
	f := tab.intern("regexp/syntax.(*compiler).compile", "regexp/syntax/compile.go", 1)
	root := tab.intern("net/http.(*conn).serve", "net/http/server.go", 1)
	for _, name := range []string{"main.a", "main.b"} {
		if w := callers[name]; w > 0 {
			tab.addSample(s, []FrameID{f, f, tab.intern(name, "app/main.go", 7), root}, []int64{w})
		}
	}
	var deep []FrameID
	for range 40 {
		deep = append(deep, f)
	}
	tab.addSample(s, deep, []int64{50})
	return s
}

func TestComplete(t *testing.T) {
	tests := []struct {
		name    string
		callers map[string]int64
		want    string // the user's function of the deep stack
	}{
		{"one caller", map[string]int64{"main.a": 10}, "main.a"},
		{"nearly one", map[string]int64{"main.a": 95, "main.b": 5}, "main.a"},
		{"two callers", map[string]int64{"main.a": 10, "main.b": 10}, ""},
		{"nobody known", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := deepSet(tt.callers)
			n := s.complete()
			got := ""
			if id, i := s.Table.UserFrame(s.Samples[len(s.Samples)-1].Stack); i >= 0 {
				got = s.Table.Func(id).Name
			}
			if got != tt.want || (n == 1) != (tt.want != "") {
				t.Errorf("%d completed, the deep stack belongs to %q; want %q", n, got, tt.want)
			}
		})
	}
}

// TestCompleteTwoCallers: the frames that two callers share are added, and nothing beyond them.
func TestCompleteTwoCallers(t *testing.T) {
	tab := NewTable("")
	s := &Set{Table: tab, Types: []ValueType{{"cpu", "nanoseconds"}}}
	walk, rules, root := tab.intern("main.walk", "main.go", 3), tab.intern("main.rules", "main.go", 9),
		tab.intern("net/http.(*conn).serve", "net/http/server.go", 1)
	for _, caller := range []string{"main.quote", "main.preview"} {
		tab.addSample(s, []FrameID{walk, walk, rules, tab.intern(caller, "main.go", 20), root}, []int64{10})
	}
	tab.addSample(s, slices.Repeat([]FrameID{walk}, 64), []int64{50})
	if n := s.complete(); n != 1 {
		t.Fatalf("%d completed, want 1", n)
	}
	stack := s.Samples[2].Stack
	if got := stack[len(stack)-1]; len(stack) != 65 || got != rules {
		t.Errorf("%d frames that begin with %s; want 65 from main.rules, which both callers share", len(stack),
			tab.Func(got).Name)
	}
	if got := s.CutWeight(ByValue(0)); got != 50 {
		t.Errorf("a weight of %d is cut, want 50: who asked is still not known", got)
	}
}

// crafted is one protobuf record with a length.
func crafted(tag byte, data []byte) []byte {
	out := []byte{tag}
	n := len(data)
	for n >= 0x80 {
		out = append(out, byte(n)|0x80)
		n >>= 7
	}
	return append(append(out, byte(n)), data...)
}
