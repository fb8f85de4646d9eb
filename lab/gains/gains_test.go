package gains

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/gocasebook/casebook/casefile"
	"github.com/gocasebook/casebook/internal/checkout"
)

// TestList: the halves are those that the seed makes, and every pair can be built and names what was changed.
func TestList(t *testing.T) {
	l, err := Read("gains.json")
	if err != nil {
		t.Fatal(err)
	}
	again := List{Seed: l.Seed, Pairs: append([]Pair(nil), l.Pairs...)}
	again.Split()
	names := map[string]bool{}
	for i, p := range l.Pairs {
		if p.Half != again.Pairs[i].Half {
			t.Errorf("%s is in the half %q, the seed puts it into %q", p.Name, p.Half, again.Pairs[i].Half)
		}
		if names[p.Name] {
			t.Errorf("%s is in the list twice", p.Name)
		}
		names[p.Name] = true
		if len(p.Functions) == 0 || p.Before == "" || p.After == "" || p.Claim == "" || p.Commit == "" {
			t.Errorf("%s is not complete: %+v", p.Name, p)
		}
		if _, err := readDriver("testdata", p.Name); err != nil {
			t.Error(err)
		}
		var truth Truth
		if err := json.Unmarshal(checkout.File(t, "gains/"+p.Name+"/"+truthFile), &truth); err != nil {
			t.Error(err)
		}
		if truth.CPU() < 0.1 {
			t.Errorf("the fix of %s saves %.3f of the CPU: it is no pair below 0.1", p.Name, truth.CPU())
		}
	}
}

// TestFigures: what docs/evidence/accuracy.md says of the stored evidence holds, at least. The kept half was judged once, when
// the formulas were done; what changes them for these figures needs other pairs.
func TestFigures(t *testing.T) {
	l, err := Read("gains.json")
	if err != nil {
		t.Fatal(err)
	}
	js := map[string][]Judgement{}
	for _, p := range l.Pairs {
		j, err := Stored(t.Context(), p, checkout.Case(t, "gains/"+p.Name))
		if err != nil {
			t.Fatal(err)
		}
		js[p.Half] = append(js[p.Half], j)
	}
	for half, want := range map[string]Count{
		Seen: {Pairs: 27, Found: 21, Within: 10, TooHigh: 2, Useful: 17},
		Kept: {Pairs: 25, Found: 20, Within: 11, TooHigh: 2, Useful: 15},
	} {
		got := Counted(js[half])
		t.Logf("%s: %s", half, got)
		if got.Pairs != want.Pairs || got.Found < want.Found || got.Within < want.Within || got.Useful < want.Useful ||
			got.TooHigh > want.TooHigh {
			t.Errorf("%s: %s; want at least %s", half, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	l := List{Seed: 1, Pairs: []Pair{{Name: "a", Module: "m/x"}, {Name: "b", Module: "m/x/v2"},
		{Name: "c", Module: "m/y"}, {Name: "d", Module: "m/z"}}}
	l.Split()
	if l.Pairs[0].Half != l.Pairs[1].Half {
		t.Error("two releases of a module are in different halves")
	}
	n := map[string]int{}
	for _, p := range l.Pairs {
		n[p.Half]++
	}
	if n[Seen] == 0 || n[Kept] == 0 || n[Seen]+n[Kept] != 4 {
		t.Errorf("halves of %v, want both", n)
	}
}

func TestNames(t *testing.T) {
	p := Pair{Functions: []string{"(*Router).Find", "Chunk", "Handle"}}
	for name, want := range map[string]bool{
		"github.com/labstack/echo/v4.(*Router).Find": true,
		"github.com/samber/lo.Chunk[...]":            true,
		"github.com/samber/lo.ChunkEntries[...]":     false,
		"example.com/x.Handle.func2":                 true,
		"example.com/x.(*Other).Find":                false,
		"main.Handle":                                true,
	} {
		if got := p.names(name); got != want {
			t.Errorf("names(%s) = %v, want %v", name, got, want)
		}
	}
}

func TestJudge(t *testing.T) {
	p := Pair{Functions: []string{"slow"}}
	truth := Truth{Saved: []float64{0.38, 0.4, 0.41}, Before: Cost{Bytes: 100}, After: Cost{Bytes: 10}}
	at := func(function, resource string, low, high float64) casefile.Finding {
		return casefile.Finding{Kind: "alloc-site", Where: []casefile.Frame{{Function: "main.work"}, {Function: function}},
			Impact: casefile.Impact{Resource: resource, Gain: casefile.Gain{Low: low, High: high}}}
	}
	other, held := at("m.other", "cpu", 0.1, 0.9), at("m.slow", "memory", 0.8, 0.95)
	held.Kind = "mem-leak"
	for _, c := range []struct {
		name     string
		findings []casefile.Finding
		verdict  string
		place    int
		near     bool
	}{
		{"nothing", nil, Missed, 0, false},
		{"elsewhere", []casefile.Finding{other}, Missed, 0, false},
		{"in the range", []casefile.Finding{other, at("m.slow", "cpu", 0.3, 0.45)}, Within, 2, true},
		{"less than came", []casefile.Finding{at("m.slow", "cpu", 0.1, 0.2)}, TooLow, 1, false},
		{"more than came", []casefile.Finding{at("m.slow", "cpu", 0.6, 0.9)}, TooHigh, 1, false},
		{"not known", []casefile.Finding{at("m.slow", "cpu", 0, 0)}, Unknown, 1, false},
		{"of the garbage", []casefile.Finding{at("m.slow", "memory", 0.8, 0.95)}, Within, 1, true},
		{"of live memory", []casefile.Finding{held}, Unknown, 1, false},
	} {
		j := Judge(p, truth, c.findings)
		if j.Verdict != c.verdict || j.Place != c.place || j.near() != c.near {
			t.Errorf("%s: %s at place %d, near %v; want %s at %d, %v", c.name, j.Verdict, j.Place, j.near(), c.verdict,
				c.place, c.near)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{3, 1}, 2}, {[]float64{9, 1, 2}, 2}} {
		given := append([]float64(nil), c.xs...)
		if got := median(c.xs); got != c.want || !reflect.DeepEqual(given, c.xs) {
			t.Errorf("median(%v) = %v, want %v", given, got, c.want)
		}
	}
}
