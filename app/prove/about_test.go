package prove

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// A proof is about the finding that it names, if the case has it still; one that names none is about the first whose
// promise its figures measure.
func TestAbout(t *testing.T) {
	finding := func(id, function, resource string, high float64) casefile.Finding {
		return casefile.Finding{ID: id, Kind: "kind-of-" + id, Where: []casefile.Frame{{Function: function}},
			Impact: casefile.Impact{Resource: resource, Gain: casefile.Gain{Low: high / 2, High: high}}}
	}
	leak, other := finding("MEM001", "main.a", "memory", 0.4), finding("MEM001", "main.b", "memory", 0.4)
	hot, slow := finding("CPU001", "main.c", "cpu", 0), finding("LAT001", "main.d", "latency", 0.2)
	rss := casefile.Figure{Name: RSS, Before: casefile.Stat{Value: 9, N: 3}, After: casefile.Stat{Value: 3, N: 3}}
	name := func(f casefile.Finding) *casefile.Treated { return Treated(&f) }
	for _, c := range []struct {
		name     string
		named    *casefile.Treated
		findings []casefile.Finding
		want     int
	}{
		{"no findings", nil, nil, -1},
		{"nothing is promised", nil, []casefile.Finding{hot, hot}, 0},
		{"a promise that nothing measures", nil, []casefile.Finding{hot, slow}, 1},
		{"a promise that is measured", nil, []casefile.Finding{slow, hot, leak}, 2},
		{"named", name(hot), []casefile.Finding{slow, leak, hot}, 2},
		{"one of two of its ID", name(other), []casefile.Finding{leak, other}, 1},
		{"the place has moved", name(other), []casefile.Finding{hot, leak}, 1},
		{"the place has moved, to which of two is not known", name(finding("MEM001", "main.x", "", 0)),
			[]casefile.Finding{leak, other}, -1},
		{"gone", name(leak), []casefile.Finding{hot, slow}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := casefile.Proof{Finding: c.named, Figures: []casefile.Figure{rss}}
			if got := About(&p, c.findings); got != c.want {
				t.Fatalf("it is about finding %d, want %d", got, c.want)
			}
			Attribute(&p, c.findings)
			if c.want < 0 {
				if p.Finding != c.named || p.Promise != "" {
					t.Errorf("it names %+v, and promises %q", p.Finding, p.Promise)
				}
				return
			}
			if want := Treated(&c.findings[c.want]); p.Finding == nil || *p.Finding != *want {
				t.Errorf("it names %+v, want %+v", p.Finding, want)
			}
			if promised := c.findings[c.want].ID == "MEM001"; (p.Promise != "") != promised {
				t.Errorf("it says of the promise: %q", p.Promise)
			}
		})
	}
}

// An opinion is at the finding whose place to change it names, as people write it.
func TestFindingOf(t *testing.T) {
	finding := func(frames ...casefile.Frame) casefile.Finding { return casefile.Finding{Where: frames} }
	load := casefile.Frame{Function: "example.com/shop.(*catalogue).load", File: "/src/shop/main.go", Line: 34}
	caller := casefile.Frame{Function: "example.com/shop.main", File: "/src/shop/main.go", Line: 90}
	other := casefile.Frame{Function: "example.com/shop.reload", File: "/src/shop/other_main.go", Line: 34}
	all := []casefile.Finding{finding(other, caller), finding(load, caller), finding(), finding(other, load)}
	for _, c := range []struct {
		name string
		at   casefile.At
		want int
	}{
		{"the whole name", casefile.At{Function: load.Function, File: "elsewhere.go", Line: 1}, 1},
		{"its end", casefile.At{Function: "(*catalogue).load"}, 1},
		{"its end within a word", casefile.At{Function: "load"}, 1},
		{"a part of a word", casefile.At{Function: "eload"}, -1},
		{"file and line", casefile.At{File: "main.go", Line: 34}, 1},
		{"another line", casefile.At{File: "main.go", Line: 35}, -1},
		{"a file alone", casefile.At{File: "main.go"}, -1},
		{"a place of several", casefile.At{Function: "shop.main"}, -1},
		{"the first of several", casefile.At{Function: "shop.reload"}, 0},
		{"nowhere", casefile.At{}, -1},
	} {
		if got := FindingOf(&casefile.Opinion{Where: []casefile.At{c.at}}, all); got != c.want {
			t.Errorf("%s: finding %d, want %d", c.name, got, c.want)
		}
	}
	if got := FindingOf(&casefile.Opinion{}, all); got != -1 {
		t.Errorf("without a place: finding %d", got)
	}
	at := casefile.Opinion{Where: []casefile.At{{Function: "shop.main"}}}
	if got := FindingOf(&at, all[:1]); got != 0 {
		t.Errorf("the only one that has it among its places: finding %d, want 0", got)
	}
}
