package words

import (
	"reflect"
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

func TestOf(t *testing.T) {
	f := casefile.Finding{
		ID: "GC003", Kind: "gc-pointer-heap", Title: "Pointers", Score: 83, Confidence: 0.9,
		Summary:  "The collector takes 30 % of the CPU.",
		Evidence: []casefile.Basis{{File: `during\heap.pb.gz`, Text: "12 MiB"}},
		Impact: casefile.Impact{Resource: "cpu", Share: 0.3, Text: "30 % of the CPU used",
			Gain: casefile.Gain{Low: 0.2031, High: 0.2614, Arithmetic: "most of it"}},
		Remedies: []casefile.Remedy{{Title: "One", Text: "Keep values. The collector takes 30 % of the CPU."}},
		CausedBy: []string{"MEM001", "MEM002"},
		Source:   []casefile.Settled{{Verdict: casefile.Adds, Text: "the map grows at :7"}},
	}
	got := Of(f)
	for _, c := range [][2]string{
		{got.Head, "CRITICAL 83"},
		{got.Cost, ""}, // the summary has the number
		{got.Gain, "20–26 % of cpu"},
		{got.How, "most of it"},
		{got.Basis[0].File, "heap.pb.gz"},
		{got.Said[0], "adds: the map grows at :7"},
		{got.Sure, "confidence 90 %, caused by MEM001, MEM002"},
		{got.Remedies[0].Text, "Keep values."},
		{f.Remedies[0].Text, "Keep values. The collector takes 30 % of the CPU."}, // the case stays as it is
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
	f.Impact.Gain = casefile.Gain{Arithmetic: "at most 30 %: if it is mapped"}
	if got := Of(f); got.Gain != "unknown" || got.How != f.Impact.Gain.Arithmetic {
		t.Errorf("of a gain without ends: %q, %q", got.Gain, got.How)
	}
	if got := Of(casefile.Finding{}); got.Gain != "" || got.Cost != "" {
		t.Errorf("of nothing: gain %q, cost %q", got.Gain, got.Cost)
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		f                 casefile.Frame
		place, line, part string
	}{
		{casefile.Frame{Function: "main.load"}, "main.load", "", ""},
		{casefile.Frame{Function: "main.load", File: "a.go", Share: 0.3123}, "main.load (a.go)", "a.go", "31.2 %"},
		{casefile.Frame{Function: "main.load", File: "a.go", Line: 4, Share: 0.5, Role: "caller"},
			"main.load (a.go:4)", "a.go:4", "50 % caller"},
		{casefile.Frame{Function: "main.load", Line: 4, Role: "holder"}, "main.load", "", "holder"},
	} {
		if got := Place(c.f); got != c.place {
			t.Errorf("place %q, want %q", got, c.place)
		}
		if got := Line(c.f); got != c.line {
			t.Errorf("line %q, want %q", got, c.line)
		}
		if got := Part(c.f); got != c.part {
			t.Errorf("part %q, want %q", got, c.part)
		}
	}
}

func TestUndecided(t *testing.T) {
	all := []casefile.Undecided{
		{Kind: "a", Reason: "no heap profile", CaptureNext: "heap"},
		{Kind: "b", Reason: "too short", CaptureNext: "cpu"},
		{Kind: "c", Reason: "one heap profile", CaptureNext: "heap"},
		{Kind: "d", Reason: "no heap profile", CaptureNext: "heap"},
	}
	got := Undecided(all)
	want := []Open{
		{"heap", []Reason{{"no heap profile", []string{"a", "d"}}, {"one heap profile", []string{"c"}}}},
		{"cpu", []Reason{{"too short", []string{"b"}}}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if kinds := got[0].Kinds(); !reflect.DeepEqual(kinds, []string{"a", "d", "c"}) {
		t.Errorf("kinds %q", kinds)
	}
}

func TestFunction(t *testing.T) {
	for name, want := range map[string]string{
		"github.com/bluele/gcache.(*LRUCache).set":                    "gcache.(*LRUCache).set",
		"example.com/lru.Cache[go.shape.string,*example.com/x.Y].Get": "lru.Cache[...].Get",
		"main.main": "main.main",
		"":          "",
	} {
		if got := Function(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}
