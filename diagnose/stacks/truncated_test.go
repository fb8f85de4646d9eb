package stacks

import (
	"slices"
	"testing"
)

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
