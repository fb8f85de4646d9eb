package diagnose

import (
	"testing"

	"github.com/gocasebook/casebook/casefile"
)

// A history that keeps whole bodies and an index that keeps parts of them have one and the same profile. If they
// certainly grow, the bound comes first and the copy second. After seconds of growth, the copy comes first.
func TestGrowthOfWholeInputs(t *testing.T) {
	at := []casefile.Frame{{Function: "main.(*server).place", Line: 24}}
	inputs := casefile.Finding{Kind: "mem-subslice-retained", Score: 56, Confidence: 0.5, Where: at,
		Remedies: []casefile.Remedy{{Title: "Copy the part that is kept"}, {Title: "Let go"}}}
	for _, c := range []struct {
		name  string
		leak  int // its score
		conf  float64
		where []casefile.Frame
		want  []string // kinds, and the first remedies of the first
	}{
		{"sure to grow", 74, 0.5, at, []string{"mem-leak", "Bound it", "Copy the part that is kept"}},
		{"seconds of growth", capNotice, 0.5, at, []string{"mem-subslice-retained", "Copy the part that is kept",
			"Let go"}},
		{"sure that parts keep it", 74, 0.8, at, []string{"mem-subslice-retained", "Copy the part that is kept",
			"Let go"}},
	} {
		leak := casefile.Finding{Kind: "mem-leak", Score: c.leak, Confidence: 0.85, Where: c.where,
			Remedies: []casefile.Remedy{{Title: "Bound it"}, {Title: "A cache"}}}
		in := inputs
		in.Confidence = c.conf
		got := builtIn().absorbWaits([]casefile.Finding{leak, in})
		if len(got) != 1 || got[0].Kind != c.want[0] || got[0].Remedies[0].Title != c.want[1] ||
			got[0].Remedies[1].Title != c.want[2] {
			t.Errorf("%s: %+v, want %v", c.name, got, c.want)
		}
	}
	elsewhere := casefile.Finding{Kind: "mem-leak", Score: 74, Confidence: 0.85,
		Where: []casefile.Frame{{Function: "main.other", Line: 3}}, Remedies: []casefile.Remedy{{Title: "Bound it"}}}
	if got := builtIn().absorbWaits([]casefile.Finding{elsewhere, inputs}); len(got) != 2 {
		t.Errorf("another line's growth is another finding: %+v", got)
	}
}
