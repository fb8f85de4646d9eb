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
