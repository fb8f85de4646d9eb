package stacks

import (
	"testing"
	"time"

	"github.com/gocasebook/casebook/casefile"
)

// heapSet is a heap profile with one function per sample. Values are allocated and live bytes.
func heapSet(tab *Table, taken time.Time, bytes map[string][2]int64) *Set {
	s := &Set{Table: tab, Kind: casefile.Heap, Name: "heap", Taken: taken,
		Types: []ValueType{{"alloc_space", "bytes"}, {"inuse_space", "bytes"}}}
	for _, fn := range []string{"main.a", "main.b", "main.c"} {
		if v, ok := bytes[fn]; ok {
			tab.addSample(s, []FrameID{tab.intern(fn, "m.go", 1)}, []int64{v[0], v[1]})
		}
	}
	return s
}

func TestSubtract(t *testing.T) {
	tab := NewTable("")
	at := time.Unix(1000, 0)
	early := heapSet(tab, at, map[string][2]int64{"main.a": {100, 50}, "main.b": {10, 0}})
	late := heapSet(tab, at.Add(10*time.Second), map[string][2]int64{"main.a": {160, 20}, "main.b": {10, 0},
		"main.c": {5, 5}})
	d, ok := Subtract(late, early)
	if !ok {
		t.Fatal("the sets do not compare, want that they do")
	}
	if d.Seconds != 10 || len(d.Samples) != 2 {
		t.Fatalf("%v s, %d samples; want 10 s and the two that changed", d.Seconds, len(d.Samples))
	}
	if got := d.Samples[0].Values; got[0] != 60 || got[1] != -30 {
		t.Errorf("main.a gained %v, want 60 allocated and 30 fewer live", got)
	}
	if _, ok := Subtract(early, late); ok {
		t.Error("a total that falls compares, want that it is a restart")
	}
	if _, ok := Subtract(late, heapSet(NewTable(""), at, nil)); ok {
		t.Error("sets of two tables compare, want that they do not")
	}
}

func TestMerge(t *testing.T) {
	tab := NewTable("")
	a := heapSet(tab, time.Unix(1, 0), map[string][2]int64{"main.a": {1, 1}})
	b := heapSet(tab, time.Unix(2, 0), map[string][2]int64{"main.a": {2, 2}})
	a.Seconds, b.Seconds = 5, 6
	other := &Set{Table: tab, Types: []ValueType{{"x", "count"}}}
	m := Merge([]*Set{a, other, b})
	if m.Seconds != 11 || len(m.Parts) != 2 || m.Total(ByValue(0)) != 3 {
		t.Errorf("%v s, %d merged, total %d; want 11 s of 2 files and 3, without the one of another type", m.Seconds,
			len(m.Parts), m.Total(ByValue(0)))
	}
}

func TestCumulativeCountsRecursionOnce(t *testing.T) {
	tab := NewTable("")
	s := &Set{Table: tab, Types: []ValueType{{"cpu", "nanoseconds"}}}
	f, g := tab.intern("main.f", "m.go", 1), tab.intern("main.f", "m.go", 2)
	tab.addSample(s, []FrameID{f, g, f}, []int64{7})
	got := Cumulative(s, ByValue(0))
	if len(got) != 1 || got[0].Value != 7 {
		t.Errorf("got %v, want 7 for the one function", got)
	}
}
